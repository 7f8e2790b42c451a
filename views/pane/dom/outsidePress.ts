import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Calls `onPress` when the user presses outside the element, with any pointer, while `isActive`. */
export function useOutsidePress(
  element: RefObject<HTMLElement | null>,
  isActive: boolean,
  onPress: () => void,
): void {
  const press = useEffectEvent(({ target }: PointerEvent) => {
    if (target instanceof Node && !element.current?.contains(target)) onPress()
  })
  useEffect(() => {
    if (!isActive) return
    document.addEventListener('pointerdown', press, { capture: true })
    return () => {
      document.removeEventListener('pointerdown', press, { capture: true })
    }
  }, [isActive])
}
