import { type Attempt, awaitsService } from '../kernel/load.ts'
import type { SignatureEntry } from './entry.ts'
import type { SignatureList } from './list.ts'

/** The code of the variant for replies and forwards. */
export const REPLY = 'reply'

type Lists = Readonly<{ own: SignatureList; delegated: SignatureList }>

/** An entry of either list; undefined when it no longer exists. */
export const findEntry = ({ own, delegated }: Lists, uuid: string): SignatureEntry | undefined =>
  own.entries.find((entry) => entry.uuid === uuid) ?? delegated.entries.find((entry) => entry.uuid === uuid)

/** Whether an entry is meant for these recipients: one without audiences is for everyone. */
export const fitsAudience = (entry: Pick<SignatureEntry, 'audiences'>, domains: readonly string[]): boolean =>
  entry.audiences.length === 0 ||
  domains.every((domain) => entry.audiences.some((audience) => audience.toLowerCase() === domain))

/**
 * On each page the recently used first, latest first; the rest keeps its order. A variant stays with its master. A page
 * that arrives later is below the others, whatever it has: nothing moves under the pointer.
 */
export function recentFirst<E extends Pick<SignatureEntry, 'combinedIds' | 'page'>>(
  entries: readonly E[],
  recent: readonly string[],
): readonly E[] {
  if (recent.length === 0) return entries
  const rank = ({ combinedIds }: E) => {
    const place = recent.indexOf(combinedIds)
    return place < 0 ? recent.length : place
  }
  return [...entries].sort((one, other) => one.page - other.page || rank(one) - rank(other))
}

/** Whether the lists are missing or old because of a temporary failure. */
export const areListsAwaited = ({
  own,
  delegated,
  refresh,
}: Lists & Readonly<{ refresh: Attempt }>): boolean =>
  [own.load, delegated.load, refresh].some((attempt: Attempt) => awaitsService(attempt))
