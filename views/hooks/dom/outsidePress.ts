import { type RefObject, useEffect, useRef } from 'react'

/** Calls `onPress` when the user presses outside the element, with any pointer, while `isActive`. */
export function useOutsidePress(
  element: RefObject<HTMLElement | null>,
  isActive: boolean,
  onPress: () => void,
): void {
  const latest = useRef(onPress)
  useEffect(() => {
    latest.current = onPress
  })
  useEffect(() => {
    if (!isActive) return
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && !element.current?.contains(target)) latest.current()
    }
    document.addEventListener('pointerdown', press, { capture: true })
    return () => {
      document.removeEventListener('pointerdown', press, { capture: true })
    }
  }, [element, isActive])
}
