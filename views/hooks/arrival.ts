import { type RefObject, useEffect, useRef } from 'react'
import { routeAt } from '../../streams/router/routes.ts'
import { useAppState } from './app.tsx'

/**
 * Whoever goes to another place within the pane is at its top, with the focus on its heading (specification, NAV-5),
 * as soon as the place is there. Opening the pane, and a pane that does not have the focus, take it from nobody.
 */
export function useArrival(place: RefObject<HTMLElement | null>): void {
  const path = useAppState(({ router }) => router.path)
  const status = useAppState(({ router, views }) => views[routeAt(router.path)?.view ?? 'dashboard'])
  const scrolledAt = useRef(path)
  const focusedAt = useRef(path)

  useEffect(() => {
    if (scrolledAt.current === path) return
    const isOpening = (routeAt(scrolledAt.current)?.view ?? null) === null
    scrolledAt.current = path
    if (isOpening) focusedAt.current = path
    else window.scrollTo(0, 0)
  }, [path])

  useEffect(() => {
    if (focusedAt.current === path || status === 'pending' || status === undefined) return
    const heading = place.current?.querySelector('h1')
    if (!heading) return
    if (status !== 'slow') focusedAt.current = path
    if (!document.hasFocus()) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [path, status, place])
}

/**
 * Whoever opens another message sees what is in it, however far down the list they were for the one before; not while
 * they are at work in the pane.
 */
export function useMessageArrival(): void {
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key ?? null)
  const seen = useRef(itemKey)
  useEffect(() => {
    if (itemKey === null || itemKey === seen.current) return
    seen.current = itemKey
    if (!document.hasFocus()) window.scrollTo(0, 0)
  }, [itemKey])
}
