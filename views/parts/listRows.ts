import type { ListName } from '../../streams/signatures/events.ts'
import { matches } from '../../streams/signatures/rules.ts'
import type { SignatureEntry } from '../../streams/signatures/entry.ts'
import type { ListedEntry, OwnerGroup } from '../../streams/signatures/selectors.ts'

/**
 * One row of the list. `group` is what it stands in, whatever else the list has: `MINE`, the owner of shared
 * signatures, or what belongs to nobody. `height` is what the row is expected to take, in CSS pixels.
 */
export type ListRow = Readonly<{ key: string; height: number; group: string }> &
  (
    | Readonly<{ kind: 'head'; owner: string; isFirstShared: boolean }>
    | Readonly<{ kind: 'entry'; listed: ListedEntry }>
    | Readonly<{ kind: 'coming'; list: ListName }>
    | Readonly<{ kind: 'none' }>
  )

/** What can be chosen. */
export type OptionRow = Extract<ListRow, { kind: 'entry' | 'none' }>
export const isOption = (row: ListRow): row is OptionRow => row.kind === 'entry' || row.kind === 'none'

/** The group of the person's own signatures. */
export const MINE = 'mine'

const HEIGHTS = { head: 24, high: 128, low: 104, coming: 96, none: 60 } as const

/** More characters are more than two lines in a narrow pane; with more markup than that nobody writes two lines. */
const LOW_LENGTH = { text: 160, html: 4_000 } as const

/**
 * Whether an entry is drawn low: a variant is, and so is what has two lines at most and no picture, which would stand
 * in an empty field. Told by the html and not by its preview, so that nothing moves when that comes.
 */
export const isLow = ({ type, html }: Pick<SignatureEntry, 'type' | 'html'>): boolean =>
  type === 'variant' ||
  (html.length <= LOW_LENGTH.html &&
    !/<(?:img|hr)\b/i.test(html) &&
    (html.match(/<br\b|<\/(?:p|div|tr|li|h[1-6])>/gi)?.length ?? 0) <= 2 &&
    html.replace(/<[^>]*>/g, '').length <= LOW_LENGTH.text)

/** What is still to come of what others share: nobody knows whose it is. */
const COMING = 'coming'

/** The key of the option that stands for no signature. */
const NONE = 'none'

const entryRow = (listed: ListedEntry, group: string): ListRow => ({
  kind: 'entry',
  key: listed.entry.uuid,
  height: isLow(listed.entry) ? HEIGHTS.low : HEIGHTS.high,
  group,
  listed,
})

const comingRow = (list: ListName, pages: number): ListRow => ({
  group: list === 'own' ? MINE : COMING,
  kind: 'coming',
  key: `coming-${list}-${String(pages)}`,
  height: HEIGHTS.coming,
  list,
})

/**
 * The rows of the list from top to bottom: the person's own signatures, those of each owner who shares some, and no
 * signature. Where a list has more pages there is a row that stands for what is still to come: `coming` is the
 * number of pages that are there.
 */
function listRows(
  own: readonly ListedEntry[],
  shared: readonly OwnerGroup[],
  coming: Readonly<Record<ListName, number | null>>,
  hasNone: boolean,
): readonly ListRow[] {
  return [
    ...(shared.length > 0 && own.length > 0 ? [headRow(MINE, false)] : []),
    ...own.map((listed) => entryRow(listed, MINE)),
    ...(coming.own === null ? [] : [comingRow('own', coming.own)]),
    ...shared.flatMap(({ owner, entries }, index) => [
      headRow(owner, index === 0),
      ...entries.map((listed) => entryRow(listed, owner)),
    ]),
    ...(coming.delegated === null ? [] : [comingRow('delegated', coming.delegated)]),
    ...(hasNone ? [{ kind: 'none', key: NONE, height: HEIGHTS.none, group: NONE } as const] : []),
  ]
}

const headRow = (owner: string, isFirstShared: boolean): ListRow => ({
  kind: 'head',
  key: `head-${owner}`,
  height: HEIGHTS.head,
  group: owner,
  owner,
  isFirstShared,
})

/** All that there is to choose from; `noneName` null leaves no signature out. */
export type Choices = Readonly<{
  own: readonly ListedEntry[]
  shared: readonly OwnerGroup[]
  coming: Readonly<Record<ListName, number | null>>
  noneName: string | null
}>

/** The rows with everything that the query finds; the empty one finds all. */
export function rowsOf({ own, shared, coming, noneName }: Choices, query: string): readonly ListRow[] {
  const fits = ({ entry }: ListedEntry) => query === '' || matches(entry, query)
  const hasNone =
    noneName !== null &&
    (query === '' || matches({ name: noneName, owner: '', code: '', collection: '' }, query))
  return listRows(
    own.filter(fits),
    shared.flatMap(({ owner, entries }) => {
      const found = entries.filter(fits)
      return found.length > 0 ? [{ owner, entries: found }] : []
    }),
    coming,
    hasNone,
  )
}

/** The drawn rows, those of one group together. */
export function groupRows(
  rows: readonly ListRow[],
  drawn: readonly number[],
): readonly Readonly<{ group: string; indices: readonly number[] }>[] {
  const groups: { group: string; indices: number[] }[] = []
  for (const index of drawn) {
    const group = rows[index]?.group
    if (group === undefined) continue
    const before = groups.at(-1)
    if (before?.group === group) before.indices.push(index)
    else groups.push({ group, indices: [index] })
  }
  return groups
}
