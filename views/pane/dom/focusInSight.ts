import { useEffect } from 'react'

/** Keeps the focused element in sight when the visible part of the pane becomes smaller. */
export function useFocusInSight(isSmaller: boolean): void {
  useEffect(() => {
    if (isSmaller) document.activeElement?.scrollIntoView({ block: 'nearest' })
  }, [isSmaller])
}
