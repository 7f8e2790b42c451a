import { type Attempt, hasFailedTemporarily } from '../../kernel/load.ts'
import { isSealedList, nameOfSealed } from '../../html/sealedList.ts'
import type { SignatureEntry } from './entry.ts'
import type { SignatureList } from './list.ts'

type Lists = Readonly<{ own: SignatureList; delegated: SignatureList }>

/** An entry of either list; undefined when it no longer exists. */
export const findEntry = ({ own, delegated }: Lists, entryId: string): SignatureEntry | undefined =>
  own.entries.find((entry) => entry.entryId === entryId) ??
  delegated.entries.find((entry) => entry.entryId === entryId)

/**
 * Splits audiences into domains, addresses and names of lists that must include every recipient (`within` and `lists`),
 * and domains that must not include every recipient (`outside`).
 */
export const splitAudiences = (
  audiences: readonly string[],
): Readonly<{ within: readonly string[]; lists: readonly string[]; outside: readonly string[] }> => ({
  within: audiences.filter((audience) => !audience.startsWith('!') && !isSealedList(audience)),
  lists: audiences.filter(isSealedList).map(nameOfSealed),
  outside: audiences.flatMap((audience) => (audience.startsWith('!') ? [audience.slice(1)] : [])),
})

/** The maximum number of favourites. Older favourites are dropped. */
export const MAX_FAVOURITES = 100

/** The favourites after the user marked a signature, or removed the mark. */
export function withFavourite(
  favourites: readonly string[],
  { combinedIds, isFavourite }: Readonly<{ combinedIds: string; isFavourite: boolean }>,
): readonly string[] {
  if (favourites.includes(combinedIds) === isFavourite) return favourites
  return isFavourite
    ? [...favourites, combinedIds].slice(-MAX_FAVOURITES)
    : favourites.filter((ids) => ids !== combinedIds)
}

/**
 * Applies one pane's change of the favourites, from `before` to `now`, to the stored list. Keeps changes by other
 * panes.
 */
export const mergeFavourites = (
  stored: readonly string[],
  before: readonly string[],
  now: readonly string[],
): readonly string[] =>
  [
    ...stored.filter((ids) => now.includes(ids) || !before.includes(ids)),
    ...now.filter((ids) => !before.includes(ids) && !stored.includes(ids)),
  ].slice(-MAX_FAVOURITES)

/** Whether the lists are missing or old because of a temporary failure. */
export const areListsAwaited = ({
  own,
  delegated,
  refresh,
}: Lists & Readonly<{ refresh: Attempt }>): boolean =>
  [own.load, delegated.load, refresh].some((attempt: Attempt) => hasFailedTemporarily(attempt))
