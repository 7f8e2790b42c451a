/** What can be selected on a drawn signature: the items of its template, of its parts, and of the blocks in its slots. */
import { parseTemplate } from '../../organisation/template/template.ts'
import { type ReleaseDocument, partName } from '../../organisation/release/release.ts'
import type { SourceRange } from '../../organisation/template/tree.ts'
import { blocksOf } from '../plan/blocks.ts'
import type { SourcePlace } from '../plan/wordPlaces.ts'
import { variablesOfItem } from './acts.ts'
import { type DesignItem, isInlineItem, outlineOf } from './outline.ts'

/** A rectangle in a drawn signature, in CSS pixels from its top left corner. */
export type Box = Readonly<{ left: number; top: number; width: number; height: number }>

/** Where a word, value, picture or tag is drawn. */
export type DrawnPlace = SourcePlace & Readonly<{ boxes: readonly Box[] }>

/**
 * A drawn item. `parent` is the index of its parent in the surface, or -1. `position` counts from 1 among the `count`
 * drawn items of the parent. `box` is around all `boxes`: words have one in each line, all other items only one.
 */
export type SurfaceItem = Readonly<{
  path: string
  item: DesignItem
  level: number
  parent: number
  position: number
  count: number
  box: Box
  boxes: readonly Box[]
}>

/** The smallest box that contains all boxes. There must be one. */
export function boxAround(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  const width = Math.max(...boxes.map((box) => box.left + box.width)) - left
  const height = Math.max(...boxes.map((box) => box.top + box.height)) - top
  return { left, top, width, height }
}

/** The places of the part's placeholders in a template. */
export const partPlaces = (text: string, name: string): readonly SourceRange[] =>
  parseTemplate(text, new Map()).template.placeholders.flatMap(({ kind, names, at, end }) =>
    kind === 'part' && names[0] === name ? [{ from: at, to: end }] : [],
  )

/** Finds the places within a range of a template, in the order of the text. */
function createPlaceFinder<Place extends SourcePlace>(
  all: readonly Place[],
): (path: string, range: SourceRange) => readonly Place[] {
  const byPath = new Map<string, Place[]>()
  for (const place of all) {
    const places = byPath.get(place.path)
    if (places) places.push(place)
    else byPath.set(place.path, [place])
  }
  for (const places of byPath.values()) places.sort((one, other) => one.from - other.from)
  return (path, { from, to }) => {
    const places = byPath.get(path) ?? []
    let [first, end] = [0, places.length]
    while (first < end) {
      const middle = Math.floor((first + end) / 2)
      if ((places[middle]?.from ?? 0) < from) first = middle + 1
      else end = middle
    }
    const found: Place[] = []
    for (let place = places[first]; place && place.from < to; place = places[++first])
      if (place.to <= to) found.push(place)
    return found
  }
}

/** Neither parts nor blocks can contain themselves, but a faulty draft may say so. */
const MAX_FILES = 3

type Found = Pick<SurfaceItem, 'path' | 'item' | 'box' | 'boxes'> & Readonly<{ children: readonly Found[] }>

/**
 * The drawn items of a template in the order of the text, parents before their children. Items that are not drawn, such
 * as the content of a condition that is not met, are left out.
 */
export function surfaceOf(
  document: ReleaseDocument,
  path: string,
  drawn: readonly DrawnPlace[],
): readonly SurfaceItem[] {
  const { templates } = document
  const drawnIn = createPlaceFinder(drawn)
  const partPaths = new Map(Object.keys(templates).map((each) => [partName(each), each]))
  const outline = (each: string): readonly DesignItem[] =>
    Object.hasOwn(templates, each) ? outlineOf(templates[each] ?? '') : []
  const filesIn = ({ kind, name }: DesignItem): readonly string[] => {
    if (kind === 'part') return [partPaths.get(name) ?? ''].filter((each) => each !== '')
    if (kind !== 'slot') return []
    return [...new Set(blocksOf(document).flatMap(({ slot, template }) => (slot === name ? [template] : [])))]
  }
  const found = (of: string, items: readonly DesignItem[], files: number): readonly Found[] =>
    items.flatMap((item): readonly Found[] => {
      const own = found(of, item.children, files)
      const inFiles =
        files < MAX_FILES ? filesIn(item).flatMap((file) => found(file, outline(file), files + 1)) : []
      const children = [...own, ...inFiles]
      const boxes = [...drawnIn(of, item).flatMap((each) => each.boxes), ...children.map(({ box }) => box)]
      if (boxes.length === 0) return []
      const box = boxAround(boxes)
      return [{ path: of, item, box, boxes: item.kind === 'words' ? boxes : [box], children }]
    })
  const surface: SurfaceItem[] = []
  const add = (siblings: readonly Found[], parent: number, level: number) => {
    for (const [index, { children, ...drawn }] of siblings.entries()) {
      surface.push({ ...drawn, level, parent, position: index + 1, count: siblings.length })
      add(children, surface.length - 1, level + 1)
    }
  }
  add(found(path, outline(path), 1), -1, 1)
  return surface
}

/** Names of parts and variables that hold what the law asks for at the end of a message. */
const LEGAL = /legal|disclaimer/i

/**
 * The item after which a person expects something new: the last one before the banners, notices and legal text at the
 * end of a template. Null in an empty template.
 */
export function lastOwnItem({ templates }: ReleaseDocument, path: string): DesignItem | null {
  const partTexts = new Map(Object.entries(templates).map(([each, text]) => [partName(each), text]))
  /** Whether all, some or none of an item is a slot or legal text. */
  const share = (text: string, item: DesignItem, files: number): 'all' | 'some' | 'none' => {
    if (item.kind === 'slot') return 'all'
    if (item.kind === 'part' && LEGAL.test(item.name)) return 'all'
    const of = item.kind === 'part' && files < MAX_FILES ? (partTexts.get(item.name) ?? '') : null
    const children = of === null ? item.children : outlineOf(of)
    if (children.length === 0)
      return variablesOfItem(text, item).some((name) => LEGAL.test(name)) ? 'all' : 'none'
    const shares = children.map((each) => share(of ?? text, each, files + (of === null ? 0 : 1)))
    return shares.every((each) => each === 'all')
      ? 'all'
      : shares.every((each) => each === 'none')
        ? 'none'
        : 'some'
  }
  const text = templates[path] ?? ''
  const lastIn = (items: readonly DesignItem[]): DesignItem | null => {
    const item = items.findLast((each) => share(text, each, 1) !== 'all')
    if (!item) return null
    const isOpen = share(text, item, 1) === 'some' && item.kind !== 'part'
    const last = isOpen ? lastIn(item.children) : null
    // Beside a cell or within a line, something new would not be below.
    return last && last.kind !== 'cell' && !isInlineItem(last) ? last : item
  }
  const outline = outlineOf(text)
  return lastIn(outline) ?? outline.at(-1) ?? null
}

/**
 * The index of the item that a person means at a point in the signature's coordinates. The box around words in several
 * lines also covers other words, which lie below it.
 *
 * @param uppermost the index of the item whose box is uppermost at the point
 */
export function meantIndex(
  items: readonly SurfaceItem[],
  uppermost: number,
  { left, top }: Pick<Box, 'left' | 'top'>,
): number {
  const contains = ({ boxes }: SurfaceItem): boolean =>
    boxes.some(
      (box) =>
        box.left <= left && left < box.left + box.width && box.top <= top && top < box.top + box.height,
    )
  if ((items[uppermost]?.boxes.length ?? 0) < 2) return uppermost
  const found = items.slice(0, uppermost + 1).findLastIndex(contains)
  return found < 0 ? uppermost : found
}

/** Whether this is the item at a place. */
export const isItemAt = ({ path, item }: SurfaceItem, place: SourcePlace | null): boolean =>
  place?.path === path && place.from === item.from && place.to === item.to
