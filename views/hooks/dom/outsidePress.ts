import { type RefObject, useEffect, useRef } from 'react'

/** Calls `onPress` when the user presses outside the element, with any pointer, while `isActive`. */
export function useOutsidePress(
  element: RefObject<HTMLElement | null>,
  isActive: boolean,
  onPress: () => void,
): void {
  const told = useRef(onPress)
  useEffect(() => {
    told.current = onPress
  })
  useEffect(() => {
    if (!isActive) return
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && !element.current?.contains(target)) told.current()
    }
    document.addEventListener('pointerdown', press, { capture: true })
    return () => {
      document.removeEventListener('pointerdown', press, { capture: true })
    }
  }, [element, isActive])
}
