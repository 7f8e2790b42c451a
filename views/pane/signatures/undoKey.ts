import { type FocusEvent, type KeyboardEvent, type PointerEvent, useState } from 'react'

/** Menus and dialogs over the page. Keys pressed in them are not meant for the page. */
const OVER = '[role=menu], dialog'

const isIn = (target: unknown, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

/**
 * The location of the focus: the list, its search box, or elsewhere. A menu or a dialog returns the focus to `left`.
 */
type Place = Readonly<{ at: 'list' | 'box' | null; left: EventTarget | null }>

const OUTSIDE: Place = { at: null, left: null }

/** Whether Escape is meant for the message, and the handlers for the element around the list and its search box. */
export type UndoKey = Readonly<{
  isMeant: boolean
  /** True right after a menu or a dialog had the focus, because an Escape may still be meant for it. */
  isResting: boolean
  /** The typed text in the search box. */
  onType: (words: string) => void
  over: Readonly<{
    onFocus: (event: FocusEvent) => void
    onBlur: (event: FocusEvent) => void
    onKeyDownCapture: (event: KeyboardEvent) => void
    onPointerDownCapture: (event: PointerEvent) => void
  }>
}>

/**
 * Tells whether Escape is meant for the message: only while the focus is in the list, or in its empty search box. Right
 * after a menu or a dialog closes, Escape is not meant for the message until another key or focus event. `query` is the
 * search that the list shows.
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
