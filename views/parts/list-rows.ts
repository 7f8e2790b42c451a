import type { ListName } from '../../streams/signatures/events.ts'
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

/** The group of the person's own signatures. */
export const MINE = 'mine'

const HEIGHTS = { head: 24, master: 128, variant: 104, coming: 96, none: 60 } as const

/** What is still to come of what others share: nobody knows whose it is. */
const COMING = 'coming'

/** The key of the option that stands for no signature. */
export const NONE = 'none'

const entryRow = (listed: ListedEntry, group: string): ListRow => ({
  kind: 'entry',
  key: listed.entry.uuid,
  height: HEIGHTS[listed.entry.type],
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
export function listRows(
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
