import { type Attempt, awaitsService } from '../kernel/load.ts'
import type { SignatureEntry } from './entry.ts'
import type { SignatureList } from './list.ts'

/** The code of the variant for replies and forwards. */
export const REPLY = 'reply'

type Lists = Readonly<{ own: SignatureList; delegated: SignatureList }>

/** An entry of either list; undefined when it no longer exists. */
export const findEntry = ({ own, delegated }: Lists, uuid: string): SignatureEntry | undefined =>
  own.entries.find((entry) => entry.uuid === uuid) ?? delegated.entries.find((entry) => entry.uuid === uuid)

const OUTSIDE = '!'

/** The domains that a signature is meant for, and those that at least one recipient must be outside; in lower case. */
export function readAudiences(
  audiences: readonly string[],
): Readonly<{ within: readonly string[]; outside: readonly string[] }> {
  const domains = audiences.map((audience) => audience.toLowerCase())
  return {
    within: domains.filter((domain) => !domain.startsWith(OUTSIDE)),
    outside: domains.filter((domain) => domain.startsWith(OUTSIDE)).map((domain) => domain.slice(1)),
  }
}

/** Whether an entry is meant for these recipients: one without audiences is for everyone, each one while there are none. */
export function fitsAudience(
  { audiences }: Pick<SignatureEntry, 'audiences'>,
  domains: readonly string[],
): boolean {
  if (audiences.length === 0 || domains.length === 0) return true
  const { within, outside } = readAudiences(audiences)
  return (
    (within.length === 0 || domains.every((domain) => within.includes(domain))) &&
    (outside.length === 0 || domains.some((domain) => !outside.includes(domain)))
  )
}

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
