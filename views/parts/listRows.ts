import type { ListName } from '../../streams/signatures/events.ts'
import { matches } from '../../streams/signatures/search.ts'
import type { SignatureEntry } from '../../streams/signatures/entry.ts'
import type { ListedEntry, OwnerGroup } from '../../streams/signatures/selectors.ts'
import { entryName } from '../text/entryName.ts'
import type { Translate } from '../text/texts.ts'

/**
 * One row of the list. `group` is `MINE`, the owner of shared signatures, or the key of a row without an owner.
 * `height` is the expected one, in CSS pixels.
 */
export type ListRow = Readonly<{ key: string; height: number; group: string }> &
  (
    | Readonly<{ kind: 'head'; owner: string; isFirstShared: boolean }>
    | Readonly<{ kind: 'entry'; listed: ListedEntry }>
    | Readonly<{ kind: 'nextPage'; list: ListName }>
    | Readonly<{ kind: 'waiting' }>
    | Readonly<{ kind: 'none'; inUse: boolean }>
  )

/** A row that the user can choose. */
export type OptionRow = Extract<ListRow, { kind: 'entry' | 'none' }>
export const isOption = (row: ListRow): row is OptionRow => row.kind === 'entry' || row.kind === 'none'

/** Whether the message contains it. */
export const isRowInUse = (row: OptionRow): boolean => (row.kind === 'none' ? row.inUse : row.listed.inUse)

/** The name of an option. */
export const optionName = (row: OptionRow, t: Translate): string =>
  row.kind === 'none' ? t('list.none') : entryName(row.listed, t)

/** The group of the user's own signatures. */
export const MINE = 'mine'

const HEIGHTS_PX = { head: 24, high: 128, low: 104, nextPage: 96, waiting: 128, none: 60 } as const

/** The most characters of a signature that takes two lines in a narrow pane. */
const LOW_LENGTH = { text: 160, html: 4_000 } as const

/**
 * Whether an entry has a low preview: variants have, and signatures of at most two lines without a picture. Decided by
 * the html, so that no row moves when its preview is drawn.
 */
export const isLow = ({ type, html }: Pick<SignatureEntry, 'type' | 'html'>): boolean =>
  type === 'variant' ||
  (html.length <= LOW_LENGTH.html &&
    !/<(?:img|hr)\b/i.test(html) &&
    (html.match(/<br\b|<\/(?:p|div|tr|li|h[1-6])>/gi)?.length ?? 0) <= 2 &&
    html.replace(/<[^<>]*>/g, '').length <= LOW_LENGTH.text)

/** The group of the next page of shared signatures, whose owners are not known yet. */
const NEXT_PAGE = 'nextPage'

/** The key of the option for no signature. */
const NONE = 'none'

const entryRow = (listed: ListedEntry, group: string): ListRow => ({
  kind: 'entry',
  key: listed.entry.uuid,
  height: isLow(listed.entry) ? HEIGHTS_PX.low : HEIGHTS_PX.high,
  group,
  listed,
})

const nextPageRow = (list: ListName, pages: number): ListRow => ({
  group: list === 'own' ? MINE : NEXT_PAGE,
  kind: 'nextPage',
  key: `nextPage-${list}-${String(pages)}`,
  height: HEIGHTS_PX.nextPage,
  list,
})

/** The places of the first signatures while the list is loading. */
const WAITING_ROWS: readonly ListRow[] = [0, 1, 2].map((index) => ({
  kind: 'waiting',
  key: `waiting-${String(index)}`,
  height: HEIGHTS_PX.waiting,
  group: MINE,
}))

/** The rows from top to bottom: the user's own signatures, those of each owner who shares some, and no signature. */
function listRows({ isWaiting, own, shared, pages, none }: Choices): readonly ListRow[] {
  return [
    ...(isWaiting ? WAITING_ROWS : []),
    ...(shared.length > 0 && own.length > 0 ? [headRow(MINE, false)] : []),
    ...own.map((listed) => entryRow(listed, MINE)),
    ...(pages.own === null ? [] : [nextPageRow('own', pages.own)]),
    ...shared.flatMap(({ owner, entries }, index) => [
      headRow(owner, index === 0),
      ...entries.map((listed) => entryRow(listed, owner)),
    ]),
    ...(pages.delegated === null ? [] : [nextPageRow('delegated', pages.delegated)]),
    ...(none
      ? [{ kind: 'none', key: NONE, height: HEIGHTS_PX.none, group: NONE, inUse: none.inUse } as const]
      : []),
  ]
}

const headRow = (owner: string, isFirstShared: boolean): ListRow => ({
  kind: 'head',
  key: `head-${owner}`,
  height: HEIGHTS_PX.head,
  group: owner,
  owner,
  isFirstShared,
})

/**
 * Everything there is to choose from. `isWaiting` while the first page is loading. `pages` counts the loaded pages of a list that has more, null otherwise; `none`
 * is the option for no signature, null where the list has none.
 */
export type Choices = Readonly<{
  isWaiting: boolean
  own: readonly ListedEntry[]
  shared: readonly OwnerGroup[]
  pages: Readonly<Record<ListName, number | null>>
  none: Readonly<{ name: string; inUse: boolean }> | null
}>

/** The rows that match the query; the empty one matches all. */
export function rowsOf(choices: Choices, query: string): readonly ListRow[] {
  if (query === '') return listRows(choices)
  const { isWaiting, own, shared, pages, none } = choices
  const fits = ({ entry }: ListedEntry) => matches(entry, query)
  return listRows({
    isWaiting,
    own: own.filter(fits),
    shared: shared.flatMap(({ owner, entries }) => {
      const found = entries.filter(fits)
      return found.length > 0 ? [{ owner, entries: found }] : []
    }),
    pages,
    none: none && matches({ name: none.name, owner: '', code: '', collection: '' }, query) ? none : null,
  })
}

/** The drawn rows by group, in order. */
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
