import type { ListName } from '../../../streams/message/signatures/events.ts'
import { matchesSearch } from '../../../streams/pane/signatures/search.ts'
import type { ListedEntry, ListGroup, OwnerGroup } from '../../../streams/pane/signatures/selectors.ts'
import { signatureName } from '../text/signatureName.ts'
import type { Translate } from '../text/texts.ts'

/** The end of a list that is not loaded completely: the place of its next page, or a failure. */
export type ListEnd = Readonly<{ kind: 'nextPage'; pages: number } | { kind: 'failed' }>

/**
 * One row of the list. `group` is the kind of the user's own group, the owner of shared signatures, or, for a row
 * without a heading, a key of its own. `height` is the expected height in CSS pixels; `text` pixels of it are lines of
 * text.
 */
export type ListRow = Readonly<{ key: string; height: number; text: number; group: string }> &
  (
    | Readonly<{ kind: 'head'; isFirstShared: boolean }>
    | Readonly<{ kind: 'entry'; listed: ListedEntry; versions: Versions | null }>
    | Readonly<{ kind: 'nextPage'; list: ListName }>
    | Readonly<{ kind: 'failed'; list: ListName }>
    | Readonly<{ kind: 'waiting' }>
    | Readonly<{ kind: 'growing' }>
    | Readonly<{ kind: 'none'; inUse: boolean }>
  )

/** The other versions of a row's signature, which are rows of their own once they are unfolded. */
export type Versions = Readonly<{ all: readonly ListedEntry[]; areUnfolded: boolean }>

type EntryRow = Extract<ListRow, { kind: 'entry' }>

/** A row that the user can choose. */
export type OptionRow = Extract<ListRow, { kind: 'entry' | 'none' }>
export const isOptionRow = (row: ListRow): row is OptionRow => row.kind === 'entry' || row.kind === 'none'

/** The entries that a row stands for: its own, and the versions that are folded into it. */
export const entriesOf = ({
  listed,
  versions,
}: Pick<EntryRow, 'listed' | 'versions'>): readonly ListedEntry[] =>
  versions && !versions.areUnfolded ? [listed, ...versions.all] : [listed]

/** Whether this option describes the message now: it has this signature, or no signature. */
export const isRowInUse = (row: OptionRow): boolean =>
  row.kind === 'none' ? row.inUse : entriesOf(row).some(({ inUse }) => inUse)

export const optionName = (row: OptionRow, t: Translate): string =>
  row.kind === 'none' ? t('list.none') : signatureName(row.listed.entry, t)

/** The group of the user's own signatures that no other group holds. */
export const REST_GROUP = 'rest'

/** The height of each kind of row in CSS pixels, as set by the style sheets. */
const HEIGHTS = {
  head: { height: 28, text: 20 },
  entry: { height: 122, text: 36 },
  none: { height: 62, text: 36 },
  failed: { height: 180, text: 140 },
  growing: { height: 28, text: 20 },
} as const

/** The group of the next page of shared signatures, whose owners are not known yet. */
const NEXT_PAGE = 'nextPage'

/** The key of the option for no signature. */
const NONE = 'none'

/** The keys of the signatures whose versions are rows, too; `all` while every entry is a row. */
export type Unfolded = ReadonlySet<string> | 'all'

/** The rows of these entries: one per signature, and one per version of the unfolded signatures. */
function entryRows(entries: readonly ListedEntry[], group: string, unfolded: Unfolded): readonly ListRow[] {
  const rowOf = (listed: ListedEntry, versions: Versions | null): ListRow => ({
    kind: 'entry',
    key: listed.entry.entryId,
    ...HEIGHTS.entry,
    group,
    listed,
    versions,
  })
  if (unfolded === 'all') return entries.map((listed) => rowOf(listed, null))
  const versions = new Map<string, ListedEntry[]>(entries.map(({ entry }) => [entry.entryId, []]))
  for (const listed of entries) versions.get(listed.entry.variantOf ?? '')?.push(listed)
  return entries.flatMap((listed) => {
    const { entryId, variantOf } = listed.entry
    if (variantOf !== null && versions.has(variantOf)) return []
    const all = versions.get(entryId) ?? []
    if (all.length === 0) return [rowOf(listed, null)]
    const areUnfolded = unfolded.has(entryId)
    return [
      rowOf(listed, { all, areUnfolded }),
      ...(areUnfolded ? all.map((version) => rowOf(version, null)) : []),
    ]
  })
}

const headRow = (group: string, isFirstShared = false): ListRow => ({
  kind: 'head',
  key: `head-${group}`,
  ...HEIGHTS.head,
  group,
  isFirstShared,
})

function endRows(list: ListName, end: ListEnd | null): readonly ListRow[] {
  if (end === null) return []
  const group = list === 'own' ? REST_GROUP : NEXT_PAGE
  return end.kind === 'failed'
    ? [{ kind: 'failed', key: `failed-${list}`, ...HEIGHTS.failed, group, list }]
    : [{ kind: 'nextPage', key: `nextPage-${list}-${String(end.pages)}`, ...HEIGHTS.entry, group, list }]
}

/** The placeholders for the first signatures while the list is loading. */
const WAITING_ROWS: readonly ListRow[] = [0, 1, 2].map((index) => ({
  kind: 'waiting',
  key: `waiting-${String(index)}`,
  ...HEIGHTS.entry,
  group: REST_GROUP,
}))

/** The rows of the user's groups. The remaining signatures have a heading if favourites or recent ones are above. */
function groupsRows(groups: readonly ListGroup[], unfolded: Unfolded): readonly ListRow[] {
  const isHeaded = groups.some(({ kind }) => kind === 'favourites' || kind === 'recent')
  return groups.flatMap(({ kind, entries }) => [
    ...(kind === 'default' || (kind === REST_GROUP && !isHeaded) ? [] : [headRow(kind)]),
    ...entryRows(entries, kind, unfolded),
  ])
}

/**
 * The rows in order: default, favourites, recent and other own signatures, shared signatures by owner, no signature.
 */
const listRows = (
  { isWaiting, groups, shared, ends, isGrowing, none }: ListContents,
  unfolded: Unfolded,
): readonly ListRow[] => [
  ...(isWaiting
    ? WAITING_ROWS
    : [
        ...groupsRows(groups, unfolded),
        ...endRows('own', ends.own),
        ...shared.flatMap(({ owner, entries }, index) => [
          headRow(owner, index === 0),
          ...entryRows(entries, owner, unfolded),
        ]),
        ...endRows('delegated', ends.delegated),
      ]),
  ...(none ? [{ kind: 'none', key: NONE, ...HEIGHTS.none, group: NONE, inUse: none.inUse } as const] : []),
  ...(isGrowing ? [{ kind: 'growing', key: 'growing', ...HEIGHTS.growing, group: 'growing' } as const] : []),
]

/**
 * All content of the list. `isWaiting`: the first signatures are still unknown. `isGrowing`: more signatures are being
 * loaded. `none` is the option for no signature; null without this option.
 */
export type ListContents = Readonly<{
  isWaiting: boolean
  groups: readonly ListGroup[]
  shared: readonly OwnerGroup[]
  ends: Readonly<Record<ListName, ListEnd | null>>
  isGrowing: boolean
  none: Readonly<{ name: string; inUse: boolean }> | null
}>

/**
 * The rows that match the query; an empty query matches all rows. A search finds each version, so nothing is folded
 * while there is a query.
 */
export function matchingRows(
  choices: ListContents,
  query: string,
  unfolded: ReadonlySet<string>,
): readonly ListRow[] {
  if (query === '') return listRows(choices, unfolded)
  const { groups, shared, none } = choices
  const matching = <G extends Readonly<{ entries: readonly ListedEntry[] }>>(
    all: readonly G[],
  ): readonly G[] =>
    all.flatMap((group) => {
      const found = group.entries.filter(({ entry }) => matchesSearch(entry, query))
      return found.length > 0 ? [{ ...group, entries: found }] : []
    })
  return listRows(
    {
      ...choices,
      groups: matching(groups),
      shared: matching(shared),
      none:
        none && matchesSearch({ name: none.name, owner: '', code: '', collection: '' }, query) ? none : null,
    },
    'all',
  )
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
