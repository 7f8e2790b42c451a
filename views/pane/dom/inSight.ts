import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A ref for an element that the page scrolls into sight once it is drawn. */
export function useScrollIntoSight<E extends HTMLElement>(): RefObject<E | null> {
  const ref = useRef<E>(null)
  useLayoutEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return ref
}
