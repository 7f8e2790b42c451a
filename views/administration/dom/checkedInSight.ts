import { type RefObject, useEffect } from 'react'

/** Scrolls the list's checked choice into view at the beginning, and whenever `checkedBy` changes. */
export function useCheckedInSight(list: RefObject<HTMLElement | null>, checkedBy: unknown): void {
  useEffect(() => {
    list.current?.querySelector(':checked')?.closest('label')?.scrollIntoView({ block: 'nearest' })
  }, [list, checkedBy])
}
