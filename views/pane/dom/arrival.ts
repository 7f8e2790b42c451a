import { type RefObject, useEffect, useRef } from 'react'
import { routeAt } from '../../../streams/pane/router/routes.ts'
import { useAppState } from '../app.tsx'

/**
 * After navigation within the pane, scrolls the view to its top, and focuses its heading as soon as the view is loaded
 * (specification, NAV-5). Does neither when the pane opens. Does not move the focus if it is outside the pane.
 */
export function useNavigationFocus(main: RefObject<HTMLElement | null>): void {
  const path = useAppState(({ router }) => router.path)
  const status = useAppState(
    ({ router, chunks }) => chunks[routeAt(router.path)?.page ?? 'dashboard']?.status,
  )
  const scrolledAt = useRef(path)
  const focusedAt = useRef(path)

  useEffect(() => {
    if (scrolledAt.current === path) return
    const isOpening = (routeAt(scrolledAt.current)?.page ?? null) === null
    scrolledAt.current = path
    if (isOpening) focusedAt.current = path
    else window.scrollTo(0, 0)
  }, [path])

  useEffect(() => {
    if (focusedAt.current === path || status === 'pending' || status === undefined) return
    const heading = main.current?.querySelector('h1')
    if (!heading) return
    if (status !== 'slow') focusedAt.current = path
    if (!document.hasFocus()) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [path, status, main])
}

/** Scrolls to the top when another message is opened, unless the focus is in the pane. */
export function useScrollToTopOnMessage(): void {
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key ?? null)
  const shown = useRef(itemKey)
  useEffect(() => {
    if (itemKey === null || itemKey === shown.current) return
    shown.current = itemKey
    if (!document.hasFocus()) window.scrollTo(0, 0)
  }, [itemKey])
}
