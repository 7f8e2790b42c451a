import { type RefObject, useEffect, useMemo, useState } from 'react'

/** A row that may be drawn or not; `height` in CSS pixels, without a gap, as it is expected until it was measured. */
export type VirtualRow = Readonly<{ key: string; height: number }>

/** What is drawn beyond the visible part, above and below, in CSS pixels. */
const OVERSCAN = 400
/** Rows are looked at anew whenever the page was scrolled by so much. */
const STEP = 100

/** Where every row begins, in CSS pixels from the top of the first, and where the last one ends; `gap` is between two. */
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

/** The indices of the rows that reach into `[from, to)`, in order, and of the `pinned` one, wherever it is. */
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

/** The same heights when what is drawn has no other ones. */
function withHeights(
  before: ReadonlyMap<string, number>,
  list: HTMLElement | null,
): ReadonlyMap<string, number> {
  const drawn = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const changed = drawn
    .map((row) => [row.dataset['row'] ?? '', row.offsetHeight] as const)
    .filter(([key, height]) => height > 0 && before.get(key) !== height)
  return changed.length === 0 ? before : new Map([...before, ...changed])
}

/**
 * Draws of many rows only those near the visible part of the page, and the pinned one. `list` is what the rows
 * stand in, each at its top with `gap` CSS pixels between them; a drawn row carries its key in `data-row`, by which its height is measured.
 */
export function useVirtualRows(
  list: RefObject<HTMLElement | null>,
  rows: readonly VirtualRow[],
  pinned: number | null,
  gap: number,
): Readonly<{ tops: readonly number[]; total: number; drawn: readonly number[] }> {
  const [measured, setMeasured] = useState<ReadonlyMap<string, number>>(new Map())
  const [from, setFrom] = useState(0)
  const [visible, setVisible] = useState(() => window.innerHeight)
  const { tops, total } = useMemo(() => placeRows(rows, measured, gap), [rows, measured, gap])
  const drawn = useMemo(
    () => rowsWithin(tops, from - OVERSCAN, from + visible + STEP + OVERSCAN, pinned),
    [tops, from, visible, pinned],
  )

  useEffect(() => {
    const element = list.current
    if (!element) return
    const look = () => {
      setFrom(Math.floor(-element.getBoundingClientRect().top / STEP) * STEP)
      setVisible(window.innerHeight)
    }
    look()
    // What stands above the list moves it without a scroll.
    const observer = new ResizeObserver(look)
    observer.observe(document.documentElement)
    observer.observe(element)
    document.addEventListener('scroll', look, { capture: true, passive: true })
    window.addEventListener('resize', look)
    return () => {
      observer.disconnect()
      document.removeEventListener('scroll', look, { capture: true })
      window.removeEventListener('resize', look)
    }
  }, [list])

  // What is drawn, mostly still out of sight, says how high it is.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      setMeasured((before) => withHeights(before, list.current))
    })
    for (const row of list.current?.querySelectorAll('[data-row]') ?? []) observer.observe(row)
    return () => {
      observer.disconnect()
    }
  }, [list, rows, drawn])

  return { tops, total, drawn }
}
