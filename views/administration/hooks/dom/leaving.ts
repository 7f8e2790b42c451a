import { useEffect } from 'react'

/** While it is active, the browser asks before the page is closed. */
export function useAskBeforeLeaving(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return
    const ask = (event: BeforeUnloadEvent) => {
      event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => {
      window.removeEventListener('beforeunload', ask)
    }
  }, [isActive])
}
