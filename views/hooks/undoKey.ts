import { type FocusEvent, type KeyboardEvent, type PointerEvent, useState } from 'react'

/** Layers over the page: a key in one is meant for it. */
const OVER = '[role=menu], dialog'

const isIn = (target: unknown, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

/** Where the focus is in the list; `left` is the element that a menu or a dialog gives it back to. */
type Place = Readonly<{ at: 'list' | 'box' | null; left: EventTarget | null }>

const OUTSIDE: Place = { at: null, left: null }

/** Where Escape is meant for the message, and what the element around the list and its search box listens to. */
export type UndoKey = Readonly<{
  isMeant: boolean
  /** The focus has just come out of a menu or a dialog, which Escape closes, too. */
  isResting: boolean
  /** The text in the search box, as it is typed. */
  onType: (words: string) => void
  over: Readonly<{
    onFocus: (event: FocusEvent) => void
    onBlur: (event: FocusEvent) => void
    onKeyDownCapture: (event: KeyboardEvent) => void
    onPointerDownCapture: (event: PointerEvent) => void
  }>
}>

/**
 * Escape is meant for the message in the list, and in its empty search box, but not right after a menu or a dialog:
 * another key or another focus comes first. `query` is what the list shows.
 */
export function useUndoKey(query: string): UndoKey {
  const [{ at, left }, setPlace] = useState(OUTSIDE)
  const [{ shown, typed }, setBox] = useState({ shown: query, typed: query })
  if (shown !== query) setBox({ shown: query, typed: query })
  const wake = () => {
    setPlace((before) => (before.left === null ? before : { ...before, left: null }))
  }
  return {
    isMeant: left === null && (at === 'list' || (at === 'box' && typed === '')),
    isResting: left !== null && at !== null,
    onType: (words) => {
      setBox((before) => ({ ...before, typed: words }))
    },
    over: {
      onFocus: ({ target, relatedTarget }) => {
        if (isIn(target, OVER)) {
          if (!isIn(relatedTarget, OVER)) setPlace({ at: null, left: relatedTarget })
          return
        }
        const place = isIn(target, '[role=listbox]') ? 'list' : isIn(target, '[role=combobox]') ? 'box' : null
        setPlace((before) => ({ at: place, left: before.left === target ? target : null }))
      },
      onBlur: ({ relatedTarget }) => {
        if (relatedTarget === null) setPlace((before) => ({ ...before, at: null }))
      },
      onKeyDownCapture: ({ key, target }) => {
        if (key !== 'Escape' && !isIn(target, OVER)) wake()
      },
      onPointerDownCapture: ({ target }) => {
        if (!isIn(target, OVER)) wake()
      },
    },
  }
}
