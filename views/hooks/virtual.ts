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
import { resizes } from './element.ts'

/**
 * A row that may be drawn or not; `height` is the expected one in CSS pixels, without a gap, until it is measured. `text`
 * of it are lines of text, which grow with the size of text that the user chose; 16 pixels are the usual size.
 */
export type VirtualRow = Readonly<{ key: string; height: number; text: number }>

/** Where each row begins and the last one ends, in CSS pixels from the top of the first. */
export type PlacedRows = Readonly<{ keys: readonly string[]; tops: readonly number[]; total: number }>

/** How far rows are drawn above and below the visible part, in CSS pixels. */
const OVERSCAN_PX = 400
/** The drawn rows are chosen again after each scroll of this many CSS pixels. */
const STEP_PX = 100
/** The usual size of text, in CSS pixels. */
const TEXT_PX = 16

/** Places the rows one below another; `gap` CSS pixels are between two, and text has `textPx`. */
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

/** The index of the last row that begins at or before `from`; 0 when none does. */
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

/** The indices of the rows that overlap `[from, to)`, in order, and of the `pinned` one wherever it is. */
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
 * By how many CSS pixels the row moves that the user looks at, when the rows become others: the first of `looked` that
 * is in sight and stays in the list, else the first in sight. When that one goes, the nearest one above it holds the
 * place of what comes instead, or the nearest one below. 0 when no row stays. `[from, to)` is in sight, from the top of
 * the rows before; where all of it is below the first row's top and nothing is `looked` at, nothing is held.
 */
export function movedBy(
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

/** The heights with those of the drawn rows; the same object when none of them changed. */
function withHeights(
  before: ReadonlyMap<string, number>,
  drawn: readonly HTMLElement[],
): ReadonlyMap<string, number> {
  const changed = drawn
    .map((row) => [row.dataset['row'] ?? '', row.offsetHeight] as const)
    .filter(([key, height]) => height > 0 && before.get(key) !== height)
  return changed.length === 0 ? before : new Map([...before, ...changed])
}

/** A length of the root element in CSS pixels; 0 where it has none. */
const rootLength = (property: string): number =>
  parseFloat(getComputedStyle(document.documentElement).getPropertyValue(property)) || 0

/** The row that the keyboard is at, by its option or by a button of it. */
function focusedRow(list: Element): Readonly<{ key: string; isByKeyboard: boolean }> | null {
  const { activeElement } = document
  if (!activeElement || !list.contains(activeElement) || !document.hasFocus()) return null
  const row = activeElement.closest<HTMLElement>('[data-row], [data-of]')
  const key = row?.dataset['row'] ?? row?.dataset['of']
  return key === undefined ? null : { key, isByKeyboard: activeElement.matches(':focus-visible') }
}

/** The height of the pointer in the visible part of the page, while it is over the list; a finger rests on nothing. */
const pointerOver = (list: Element): Observable<number | null> =>
  merge(
    fromEvent<PointerEvent>(list, 'pointermove', { passive: true }).pipe(
      filter(({ pointerType }) => pointerType !== 'touch'),
      map(({ clientY }) => clientY),
    ),
    fromEvent(list, 'pointerleave').pipe(map(() => null)),
  )

/** Where the rows, the list and the page were when they were last drawn. */
type Seen = Readonly<{ scope: string; placed: PlacedRows; listTop: number; scroll: number }>

/**
 * Of many rows only those near the visible part of the page are drawn, and the pinned one. `list` is a ref for the
 * element that contains the rows, each at its top with `gap` CSS pixels between two; a drawn row carries its key in
 * `data-row`, by which its height is measured before the browser draws it.
 *
 * What the user looks at stays where it is when rows come, go or change their height, and when something above the list
 * does: the row with the focus, or the pointer, or `reached`, else the first one in sight. `scope` names what is listed:
 * in another one nothing is held.
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

  /** What the user looks at, the surest first. */
  const lookedAt = (element: Element, before: Seen, scroll: number): readonly string[] => {
    const focused = focusedRow(element)
    const pointed =
      pointer.current === null
        ? undefined
        : before.placed.keys[rowAt(before.placed.tops, pointer.current + scroll - before.listTop)]
    const byKeyboard = focused?.isByKeyboard ? focused.key : reached
    return [byKeyboard, pointed, focused?.key].flatMap((key) => key ?? [])
  }
  /** Scrolls by as much as what the user looks at has moved. */
  const hold = (element: Element) => {
    const { scrollY, innerHeight } = window
    const listTop = element.getBoundingClientRect().top + scrollY
    const before = seen.current
    if (before?.scope === scope) {
      // The browser has scrolled up already where the page became too short.
      const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
      const scroll = isAtEnd ? Math.max(scrollY, before.scroll) : scrollY
      const sight = {
        from: scroll - before.listTop + rootLength('--bar-height'),
        to: scroll - before.listTop + innerHeight - rootLength('--foot-height'),
      }
      const looked = lookedAt(element, before, scroll)
      const above = looked.length > 0 || sight.from > 0 ? listTop - before.listTop : 0
      const to = scroll + above + movedBy(before.placed, placed, sight, looked)
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
  // Before the browser draws: what was measured is placed, what has moved is scrolled back, and what is near is drawn.
  useLayoutSubscription(
    useLayoutObservable((now$) => now$, [rows, placed, drawn]),
    () => {
      settle()
    },
  )
  const resized$ = useObservable(
    (drawn$) => drawn$.pipe(switchMap(() => resizes([document.documentElement, ...rowsIn(list$.value)]))),
    [rows, drawn],
  )
  // Content above the list moves it without a scroll.
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
    // Else the rows appear one frame late.
    flushSync(() => {
      look(element)
    })
  })
  return { list, drawn, ...placed }
}
