import { type RefObject, useMemo, useState } from 'react'
import { useObservable, useObservableRef, useObservableState, useSubscription } from 'observable-hooks'
import { EMPTY, fromEvent, map, merge, type Observable, startWith, switchMap } from 'rxjs'
import { resizes } from './element.ts'

/** A row that may be drawn or not; `height` is the expected one in CSS pixels, without a gap, until it is measured. */
export type VirtualRow = Readonly<{ key: string; height: number }>

/** How far rows are drawn above and below the visible part, in CSS pixels. */
const OVERSCAN_PX = 400
/** The drawn rows are chosen again after each scroll of this many CSS pixels. */
const STEP_PX = 100

/** Where each row begins and the last one ends, in CSS pixels from the top of the first; `gap` is between two. */
export function placeRows(
  rows: readonly VirtualRow[],
  measured: ReadonlyMap<string, number>,
  gap: number,
): Readonly<{ tops: readonly number[]; total: number }> {
  const tops: number[] = []
  let total = 0
  for (const { key, height } of rows) {
    tops.push(total)
    total += (measured.get(key) ?? height) + gap
  }
  return { tops, total: Math.max(0, total - gap) }
}

/** The indices of the rows that overlap `[from, to)`, in order, and of the `pinned` one wherever it is. */
export function rowsWithin(
  tops: readonly number[],
  from: number,
  to: number,
  pinned: number | null,
): readonly number[] {
  // The last row that begins at or before `from`.
  let low = 0
  let high = tops.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= from) low = middle
    else high = middle - 1
  }
  const found: number[] = []
  for (let index = low; index < tops.length && (tops[index] ?? 0) < to; index++) found.push(index)
  if (pinned === null || pinned < 0 || pinned >= tops.length || found.includes(pinned)) return found
  return [...found, pinned].sort((one, other) => one - other)
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

/** Where the visible part of the page begins, in CSS pixels from the top of the list, in steps. */
const visibleFrom = (list: Element): Observable<number> =>
  merge(
    fromEvent(document, 'scroll', { capture: true, passive: true }),
    fromEvent(window, 'resize'),
    // Content above the list moves it without a scroll.
    resizes([document.documentElement, list]),
  ).pipe(
    startWith(null),
    map(() => Math.floor(-list.getBoundingClientRect().top / STEP_PX) * STEP_PX),
  )

const visibleHeights = (): Observable<number> =>
  fromEvent(window, 'resize').pipe(map(() => window.innerHeight))

/**
 * Of many rows only those near the visible part of the page are drawn, and the pinned one. `list` is a ref for the
 * element that contains the rows, each at its top with `gap` CSS pixels between two; a drawn row carries its key in
 * `data-row`, by which its height is measured.
 */
export function useVirtualRows(
  rows: readonly VirtualRow[],
  pinned: number | null,
  gap: number,
): Readonly<{
  list: RefObject<HTMLDivElement | null>
  tops: readonly number[]
  total: number
  drawn: readonly number[]
}> {
  const [list, list$] = useObservableRef<HTMLDivElement | null>(null)
  const from = useObservableState(
    useObservable(() => list$.pipe(switchMap((element) => (element ? visibleFrom(element) : EMPTY)))),
    0,
  )
  const visible = useObservableState(useObservable(visibleHeights), () => window.innerHeight)
  const [measured, setMeasured] = useState<ReadonlyMap<string, number>>(new Map())
  const { tops, total } = useMemo(() => placeRows(rows, measured, gap), [rows, measured, gap])
  const drawn = useMemo(
    () => rowsWithin(tops, from - OVERSCAN_PX, from + visible + STEP_PX + OVERSCAN_PX, pinned),
    [tops, from, visible, pinned],
  )
  const resized$ = useObservable(
    (drawn$) => drawn$.pipe(switchMap(() => resizes(rowsIn(list$.value)))),
    [rows, drawn],
  )
  useSubscription(resized$, () => {
    setMeasured((before) => withHeights(before, rowsIn(list$.value)))
  })
  return { list, tops, total, drawn }
}
