import type { ListName } from '../../../streams/message/signatures/events.ts'
import { matchesSearch } from '../../../streams/pane/signatures/search.ts'
import type { SignatureEntry } from '../../../streams/message/signatures/entry.ts'
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
    | Readonly<{ kind: 'entry'; listed: ListedEntry }>
    | Readonly<{ kind: 'nextPage'; list: ListName }>
    | Readonly<{ kind: 'failed'; list: ListName }>
    | Readonly<{ kind: 'waiting' }>
    | Readonly<{ kind: 'growing' }>
    | Readonly<{ kind: 'none'; inUse: boolean }>
  )

/** A row that the user can choose. */
export type OptionRow = Extract<ListRow, { kind: 'entry' | 'none' }>
export const isOptionRow = (row: ListRow): row is OptionRow => row.kind === 'entry' || row.kind === 'none'

/** Whether this option describes the message now: it has this signature, or no signature. */
export const isRowInUse = (row: OptionRow): boolean => (row.kind === 'none' ? row.inUse : row.listed.inUse)

export const optionName = (row: OptionRow, t: Translate): string =>
  row.kind === 'none' ? t('list.none') : signatureName(row.listed.entry, t)

/** The group of the user's own signatures that no other group holds. */
export const REST_GROUP = 'rest'

/** The height of each kind of row in CSS pixels, as set by the style sheets. */
const HEIGHTS = {
  head: { height: 28, text: 20 },
  high: { height: 130, text: 36 },
  low: { height: 106, text: 36 },
  none: { height: 62, text: 36 },
  failed: { height: 180, text: 140 },
  growing: { height: 28, text: 20 },
} as const

/** A signature of at most this many characters takes at most two lines in a narrow pane. */
const LOW_LENGTH = { text: 160, html: 4_000 } as const

/**
 * Whether an entry has a low preview: a variant, or a signature of at most two lines without a picture. The html
 * decides this, so that no row moves when the preview is drawn.
 */
export const hasLowPreview = ({ type, html }: Pick<SignatureEntry, 'type' | 'html'>): boolean =>
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
  key: listed.entry.entryId,
  ...(hasLowPreview(listed.entry) ? HEIGHTS.low : HEIGHTS.high),
  group,
  listed,
})

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
    : [{ kind: 'nextPage', key: `nextPage-${list}-${String(end.pages)}`, ...HEIGHTS.high, group, list }]
}

/** The placeholders for the first signatures while the list is loading. */
const WAITING_ROWS: readonly ListRow[] = [0, 1, 2].map((index) => ({
  kind: 'waiting',
  key: `waiting-${String(index)}`,
  ...HEIGHTS.high,
  group: REST_GROUP,
}))

/** The rows of the user's groups. The remaining signatures have a heading if favourites or recent ones are above. */
function groupsRows(groups: readonly ListGroup[]): readonly ListRow[] {
  const isHeaded = groups.some(({ kind }) => kind === 'favourites' || kind === 'recent')
  return groups.flatMap(({ kind, entries }) => [
    ...(kind === 'default' || (kind === REST_GROUP && !isHeaded) ? [] : [headRow(kind)]),
    ...entries.map((listed) => entryRow(listed, kind)),
  ])
}

/**
 * The rows in order: default, favourites, recent and other own signatures, shared signatures by owner, no signature.
 */
const listRows = ({ isWaiting, groups, shared, ends, isGrowing, none }: ListContents): readonly ListRow[] => [
  ...(isWaiting
    ? WAITING_ROWS
    : [
        ...groupsRows(groups),
        ...endRows('own', ends.own),
        ...shared.flatMap(({ owner, entries }, index) => [
          headRow(owner, index === 0),
          ...entries.map((listed) => entryRow(listed, owner)),
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

/** The rows that match the query; an empty query matches all rows. */
export function matchingRows(choices: ListContents, query: string): readonly ListRow[] {
  if (query === '') return listRows(choices)
  const { groups, shared, none } = choices
  const matching = <G extends Readonly<{ entries: readonly ListedEntry[] }>>(
    all: readonly G[],
  ): readonly G[] =>
    all.flatMap((group) => {
      const found = group.entries.filter(({ entry }) => matchesSearch(entry, query))
      return found.length > 0 ? [{ ...group, entries: found }] : []
    })
  return listRows({
    ...choices,
    groups: matching(groups),
    shared: matching(shared),
    none:
      none && matchesSearch({ name: none.name, owner: '', code: '', collection: '' }, query) ? none : null,
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
