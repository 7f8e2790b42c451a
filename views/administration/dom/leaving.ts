import { useEffect } from 'react'

/** While `isActive`, the browser asks the administrator before the page is closed. */
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
