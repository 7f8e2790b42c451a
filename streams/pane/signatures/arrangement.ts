import type { SignatureEntry } from '../../message/signatures/entry.ts'

/** The groups above the rest of the list, from top to bottom. */
const LEADING = ['default', 'favourites', 'recent'] as const
export type LeadingGroup = (typeof LEADING)[number]

type ByGroup = Readonly<Record<LeadingGroup, readonly string[]>>

/**
 * The order of the signatures at the top of the list, by `combinedIds`. They are chosen once for the message with this
 * `itemKey` (null without a message). Until the arrangement is `settled`, pages are loaded to find its signatures.
 * Afterwards it only loses signatures that no longer exist.
 */
export type Arrangement = ByGroup & Readonly<{ itemKey: string | null; settled: boolean }>

/** The number of recently used signatures in their group. */
export const MAX_RECENT_SHOWN = 3

/** The maximum number of pages of a list to load to find the signatures of an arrangement. */
export const MAX_ARRANGED_PAGES = 10

/** The new arrangement. Each signature is only in the first group that contains it. */
export function arrangementOf({
  defaults,
  favourites,
  recent,
  itemKey,
}: Readonly<{
  defaults: readonly (string | null)[]
  favourites: readonly string[]
  recent: readonly string[]
  itemKey: string | null
}>): Arrangement {
  const placed = new Set<string>()
  const place = (all: readonly (string | null)[]): readonly string[] =>
    all.filter((ids) => {
      if (ids === null || placed.has(ids)) return false
      placed.add(ids)
      return true
    }) as readonly string[]
  return {
    default: place(defaults),
    favourites: place(favourites),
    recent: place(recent),
    itemKey,
    settled: false,
  }
}

type Known = Readonly<{ has(combinedIds: string): boolean }>

/** The loaded signatures of each group. */
const loadedOf = ({ favourites, recent, ...arrangement }: ByGroup, loaded: Known): ByGroup => ({
  default: arrangement.default.filter((ids) => loaded.has(ids)),
  favourites: favourites.filter((ids) => loaded.has(ids)),
  recent: recent.filter((ids) => loaded.has(ids)).slice(0, MAX_RECENT_SHOWN),
})

/** Whether every signature that would be drawn in a group is loaded. */
export const isArrangementLoaded = (
  { favourites, recent, ...arrangement }: ByGroup,
  loaded: Known,
): boolean =>
  [...arrangement.default, ...favourites, ...recent.slice(0, MAX_RECENT_SHOWN)].every((ids) =>
    loaded.has(ids),
  )

/**
 * Removes unloaded signatures from the arrangement. If a later page has one of them, it stays in the rest of the list.
 */
export function withoutUnloadedSignatures(arrangement: Arrangement, loaded: Known): Arrangement {
  const found = loadedOf(arrangement, loaded)
  const isSame =
    arrangement.settled && LEADING.every((kind) => found[kind].length === arrangement[kind].length)
  return isSame ? arrangement : { ...arrangement, ...found, settled: true }
}

type Placed = Readonly<{ entry: Pick<SignatureEntry, 'combinedIds'> }>

/**
 * Splits the entries of both lists into the groups of the arrangement (`leading`) and the rest of each list. Each entry
 * is in one place, and a variant stays below its master.
 */
export function groupEntries<Own extends Placed>(
  own: readonly Own[],
  delegated: readonly Own[],
  arrangement: Arrangement | null,
): Readonly<{
  leading: readonly Readonly<{ kind: LeadingGroup; entries: readonly Own[] }>[]
  own: readonly Own[]
  delegated: readonly Own[]
}> {
  if (arrangement === null) return { leading: [], own, delegated }
  const byIds = new Map<string, Own[]>()
  for (const each of [...own, ...delegated]) {
    const { combinedIds } = each.entry
    const same = byIds.get(combinedIds)
    if (same) same.push(each)
    else byIds.set(combinedIds, [each])
  }
  const found = loadedOf(arrangement, byIds)
  const placed = new Set(LEADING.flatMap((kind) => found[kind]))
  const isRest = ({ entry }: Placed) => !placed.has(entry.combinedIds)
  return {
    leading: LEADING.map((kind) => ({ kind, entries: found[kind].flatMap((ids) => byIds.get(ids) ?? []) })),
    own: own.filter(isRest),
    delegated: delegated.filter(isRest),
  }
}
