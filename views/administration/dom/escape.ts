import { useEffect, useEffectEvent } from 'react'

/** Calls `onEscape` when Escape is pressed anywhere on the page, while `isOn`. */
export function useEscape(isOn: boolean, onEscape: () => void): void {
  const listen = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'Escape') onEscape()
  })
  useEffect(() => {
    if (!isOn) return
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isOn])
}
