import { type RefObject, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  useLayoutObservable,
  useLayoutSubscription,
  useObservable,
  useObservableCallback,
  useObservableRef,
  useSubscription,
} from 'observable-hooks'
import { EMPTY, filter, fromEvent, map, merge, type Observable, switchMap } from 'rxjs'
import { observeResizes } from '../../shared/element.ts'

/**
 * A row that is drawn only near the visible part of the page. `height` is its expected height in CSS pixels, without a
 * gap, until it is measured. `text` is the part of `height` that consists of lines of text, at the usual text size of
 * 16 pixels. This part grows with the user's text size.
 */
export type VirtualRow = Readonly<{ key: string; height: number; text: number }>

/** The top of each row and the bottom of the last one, in CSS pixels from the top of the first row. */
export type PlacedRows = Readonly<{ keys: readonly string[]; tops: readonly number[]; total: number }>

/** The margin above and below the visible part, in CSS pixels. Rows in the margin are drawn, too. */
const OVERSCAN_PX = 400
/** The scroll distance after which the drawn rows are chosen again, in CSS pixels. */
const STEP_PX = 100
/** The usual size of text, in CSS pixels. */
const TEXT_PX = 16

/** Places the rows one below another, with `gap` CSS pixels between two. `textPx` is the size of text in CSS pixels. */
export function placeRows(
  rows: readonly VirtualRow[],
  measured: ReadonlyMap<string, number>,
  gap: number,
  textPx: number = TEXT_PX,
): PlacedRows {
  const tops: number[] = []
  let total = 0
  for (const { key, height, text } of rows) {
    tops.push(total)
    total += (measured.get(key) ?? height + Math.round(text * (textPx / TEXT_PX - 1))) + gap
  }
  return { keys: rows.map(({ key }) => key), tops, total: Math.max(0, total - gap) }
}

/** The index of the last row that begins at or before `from`; 0 without such a row. */
function rowAt(tops: readonly number[], from: number): number {
  let low = 0
  let high = tops.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= from) low = middle
    else high = middle - 1
  }
  return low
}

/** The indices of the rows that overlap `[from, to)`, in order. The `pinned` row is always among them. */
export function rowsWithin(
  tops: readonly number[],
  from: number,
  to: number,
  pinned: number | null,
): readonly number[] {
  const found: number[] = []
  for (let index = rowAt(tops, from); index < tops.length && (tops[index] ?? 0) < to; index++)
    found.push(index)
  if (pinned === null || pinned < 0 || pinned >= tops.length || found.includes(pinned)) return found
  return [...found, pinned].sort((one, other) => one - other)
}

/**
 * How many CSS pixels the kept row moves when the rows change. The kept row is the first of `looked` that is in sight
 * and stays in the list, or else the first row in sight. If that row leaves the list, the nearest row that stays is
 * kept: one above it, or else one below. `[from, to)` is the part in sight, measured from the top of the earlier rows.
 * Returns 0 if no row stays. Also returns 0 if the part begins above the first row, unless a row of `looked` is kept.
 */
export function keptRowShift(
  before: PlacedRows,
  after: PlacedRows,
  { from, to }: Readonly<{ from: number; to: number }>,
  looked: readonly string[],
): number {
  const places = new Map(after.keys.map((key, index) => [key, after.tops[index] ?? 0]))
  const move = (index: number): number | null => {
    const place = places.get(before.keys[index] ?? '')
    return place === undefined ? null : place - (before.tops[index] ?? 0)
  }
  const isInSight = (index: number) =>
    index >= 0 && (before.tops[index] ?? 0) < to && (before.tops[index + 1] ?? before.total) > from
  for (const key of looked) {
    const index = before.keys.indexOf(key)
    const moved = isInSight(index) ? move(index) : null
    if (moved !== null) return moved
  }
  if (from <= 0) return 0
  const first = rowAt(before.tops, from)
  const nearest = [
    ...Array.from({ length: first + 1 }, (_, back) => first - back),
    ...Array.from({ length: Math.max(0, before.keys.length - first - 1) }, (_, on) => first + 1 + on),
  ]
  for (const index of nearest) {
    const moved = move(index)
    if (moved !== null) return moved
  }
  return 0
}

const rowsIn = (list: Element | null): readonly HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
]

/** Adds the measured heights of the drawn rows; returns the same object when no height changed. */
function withHeights(
  before: ReadonlyMap<string, number>,
  drawn: readonly HTMLElement[],
): ReadonlyMap<string, number> {
  const changed = drawn
    .map((row) => [row.dataset['row'] ?? '', row.offsetHeight] as const)
    .filter(([key, height]) => height > 0 && before.get(key) !== height)
  return changed.length === 0 ? before : new Map([...before, ...changed])
}

/** Reads a length from the root element's styles, in CSS pixels; 0 if it is not set. */
const rootLength = (property: string): number =>
  parseFloat(getComputedStyle(document.documentElement).getPropertyValue(property)) || 0

/** The row that has the focus, in its option or in a button of it. */
function focusedRow(list: Element): Readonly<{ key: string; isByKeyboard: boolean }> | null {
  const { activeElement } = document
  if (!activeElement || !list.contains(activeElement) || !document.hasFocus()) return null
  const row = activeElement.closest<HTMLElement>('[data-row], [data-of]')
  const key = row?.dataset['row'] ?? row?.dataset['of']
  return key === undefined ? null : { key, isByKeyboard: activeElement.matches(':focus-visible') }
}

/**
 * Emits how far the mouse is below the top of the visible page, in CSS pixels; null outside the list. Ignores touches,
 * because a finger does not rest on the list.
 */
const pointerOver = (list: Element): Observable<number | null> =>
  merge(
    fromEvent<PointerEvent>(list, 'pointermove', { passive: true }).pipe(
      filter(({ pointerType }) => pointerType !== 'touch'),
      map(({ clientY }) => clientY),
    ),
    fromEvent(list, 'pointerleave').pipe(map(() => null)),
  )

/** The positions of the rows, the list and the page at the last drawing. */
type Seen = Readonly<{ scope: string; placed: PlacedRows; listTop: number; scroll: number }>

/**
 * Draws only the pinned row and the rows near the visible part of the page. `list` is a ref for the element that
 * contains the rows, each at its top with `gap` CSS pixels between two. A drawn row carries its key in `data-row`, by
 * which its height is measured before the browser draws it.
 *
 * When rows come, go or change their height, or when something above the list does, one row stays in place: the row
 * with the focus, under the pointer, or `reached`, or else the first row in sight. `scope` names what is listed: when
 * the scope changes, no row is kept in place.
 */
export function useVirtualRows(
  rows: readonly VirtualRow[],
  pinned: number | null,
  gap: number,
  { scope, reached }: Readonly<{ scope: string; reached: string | null }>,
): Readonly<{ list: RefObject<HTMLDivElement | null>; drawn: readonly number[] }> & PlacedRows {
  const [list, list$] = useObservableRef<HTMLDivElement | null>(null)
  const [view, setView] = useState(() => ({ from: 0, height: window.innerHeight, textPx: TEXT_PX }))
  const [measured, setMeasured] = useState<ReadonlyMap<string, number>>(new Map())
  const { from, height, textPx } = view
  const placed = useMemo(() => placeRows(rows, measured, gap, textPx), [rows, measured, gap, textPx])
  const drawn = useMemo(
    () => rowsWithin(placed.tops, from - OVERSCAN_PX, from + height + STEP_PX + OVERSCAN_PX, pinned),
    [placed, from, height, pinned],
  )

  const seen = useRef<Seen | null>(null)
  const pointer = useRef<number | null>(null)
  const pointer$ = useObservable(() =>
    list$.pipe(switchMap((element) => (element ? pointerOver(element) : EMPTY))),
  )
  useSubscription(pointer$, (place) => {
    pointer.current = place
  })

  /** The keys of the rows that the user may look at, the most likely one first. */
  const lookedAt = (element: Element, before: Seen, scroll: number): readonly string[] => {
    const focused = focusedRow(element)
    const pointed =
      pointer.current === null
        ? undefined
        : before.placed.keys[rowAt(before.placed.tops, pointer.current + scroll - before.listTop)]
    const byKeyboard = focused?.isByKeyboard ? focused.key : reached
    return [byKeyboard, pointed, focused?.key].flatMap((key) => key ?? [])
  }
  /** Scrolls by the distance that the row in the user's view has moved. */
  const hold = (element: Element) => {
    const { scrollY, innerHeight } = window
    const listTop = element.getBoundingClientRect().top + scrollY
    const before = seen.current
    if (before?.scope === scope) {
      // If the page became too short for its scroll position, the browser has already scrolled up.
      const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
      const scroll = isAtEnd ? Math.max(scrollY, before.scroll) : scrollY
      const sight = {
        from: scroll - before.listTop + rootLength('--bar-height'),
        to: scroll - before.listTop + innerHeight - rootLength('--foot-height'),
      }
      const looked = lookedAt(element, before, scroll)
      const above = looked.length > 0 || sight.from > 0 ? listTop - before.listTop : 0
      const to = scroll + above + keptRowShift(before.placed, placed, sight, looked)
      if (Math.abs(to - scrollY) >= 1) window.scrollTo({ top: to, behavior: 'instant' })
    }
    seen.current = { scope, placed, listTop, scroll: window.scrollY }
  }
  const look = (element: Element) => {
    const top = Math.floor(-element.getBoundingClientRect().top / STEP_PX) * STEP_PX
    const size = rootLength('font-size') || TEXT_PX
    setView((before) =>
      before.from === top && before.height === window.innerHeight && before.textPx === size
        ? before
        : { from: top, height: window.innerHeight, textPx: size },
    )
  }

  const [settle, settled$] = useObservableCallback()
  useLayoutSubscription(settled$, () => {
    const element = list.current
    if (!element) return
    const heights = withHeights(measured, rowsIn(element))
    if (heights === measured) hold(element)
    else setMeasured(heights)
    look(element)
  })
  // Before the browser draws: places the measured rows, scrolls by as much as the kept row has moved, and draws the
  // rows near the visible part.
  useLayoutSubscription(
    useLayoutObservable((now$) => now$, [rows, placed, drawn]),
    () => {
      settle()
    },
  )
  const resized$ = useObservable(
    (drawn$) =>
      drawn$.pipe(switchMap(() => observeResizes([document.documentElement, ...rowsIn(list$.value)]))),
    [rows, drawn],
  )
  // If something above the list changes its height, the list moves without a scroll.
  useSubscription(resized$, () => {
    settle()
  })
  const moved$ = useObservable(() =>
    merge(
      fromEvent(document, 'scroll', { capture: true, passive: true }),
      fromEvent(window, 'resize', { passive: true }),
    ),
  )
  useSubscription(moved$, () => {
    const element = list.current
    if (!element) return
    if (seen.current) seen.current = { ...seen.current, scroll: window.scrollY }
    // Without `flushSync` the rows would appear one frame late.
    flushSync(() => {
      look(element)
    })
  })
  return { list, drawn, ...placed }
}
