import { useLayoutEffect, useState } from 'react'

export const optionId = (listId: string, key: string): string => `${listId}-${key}`

/** The last active option, and how the user reached it: in the list, from the search box, or from a menu. */
type Reached = Readonly<{ key: string; from: 'list' | 'box' | 'menu' }>

/**
 * The active option: the only one that the Tab key reaches, and the start for the arrow keys. `key` is null if there
 * are no options.
 */
export type ActiveOption = Readonly<{
  index: number
  key: string | null
  /** Whether the user moves through the options from the search box, which keeps the focus. */
  isFromBox: boolean
  moveTo: (index: number, from: 'list' | 'box') => void
  reach: (key: string, from: Reached['from']) => void
  /** Activates the option that the Tab key or a screen reader has focused, so that the arrow keys continue there. */
  focus: (key: string) => void
  clear: () => void
}>

/**
 * Tracks the active option: the last one that the user reached, or else the option at `preferred`, or else the first.
 * An option reached in the list gets the focus. An option reached from the search box scrolls into view.
 */
export function useActiveOption(
  listId: string,
  keys: readonly string[],
  preferred: number,
  isSearching: boolean,
): ActiveOption {
  const [reached, setReached] = useState<Reached | null>(null)
  useLayoutEffect(() => {
    if (!reached || reached.from === 'menu') return
    const option = document.getElementById(optionId(listId, reached.key))
    if (reached.from === 'list') option?.focus()
    else option?.scrollIntoView({ block: 'nearest' })
  }, [reached, listId])

  const last = reached ? keys.indexOf(reached.key) : -1
  const index = last >= 0 ? last : Math.max(0, preferred)
  const reach: ActiveOption['reach'] = (key, from) => {
    setReached({ key, from })
  }
  return {
    index,
    key: keys[index] ?? null,
    isFromBox: isSearching || reached?.from === 'box',
    moveTo: (to, from) => {
      const key = keys[to]
      if (key !== undefined) reach(key, from)
    },
    reach,
    focus: (focused) => {
      setReached((before) =>
        before?.key === focused && before.from !== 'box' ? before : { key: focused, from: 'list' },
      )
    },
    clear: () => {
      setReached(null)
    },
  }
}
