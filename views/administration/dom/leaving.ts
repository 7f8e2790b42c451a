import { useEffect } from 'react'

/** While `isActive`, the browser asks for confirmation before it closes the page. */
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
