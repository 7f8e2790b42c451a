import { type Attempt, awaitsService } from '../kernel/load.ts'
import type { SignatureEntry } from './entry.ts'
import type { SignatureList } from './list.ts'

/** The code of the variant for replies and forwards. */
export const REPLY = 'reply'

type Lists = Readonly<{ own: SignatureList; delegated: SignatureList }>

/** An entry of either list; undefined when it no longer exists. */
export const findEntry = ({ own, delegated }: Lists, uuid: string): SignatureEntry | undefined =>
  own.entries.find((entry) => entry.uuid === uuid) ?? delegated.entries.find((entry) => entry.uuid === uuid)

/**
 * Whether an entry is meant for these recipients. All of them are at its audiences, but that one is enough outside of
 * those with a `!`. One without audiences is for everyone, and each one while there are no recipients.
 */
export function fitsAudience(
  { audiences }: Pick<SignatureEntry, 'audiences'>,
  domains: readonly string[],
): boolean {
  const meant = audiences.map((audience) => audience.toLowerCase())
  const outside = meant.filter((audience) => audience.startsWith('!'))
  return (
    domains.length === 0 ||
    ((outside.length === meant.length || domains.every((domain) => meant.includes(domain))) &&
      (outside.length === 0 || domains.some((domain) => !outside.includes(`!${domain}`))))
  )
}

/** The domains that a signature is meant for, and those that a recipient must be outside. */
export const readAudiences = (
  audiences: readonly string[],
): Readonly<{ within: readonly string[]; outside: readonly string[] }> => ({
  within: audiences.filter((audience) => !audience.startsWith('!')),
  outside: audiences.flatMap((audience) => (audience.startsWith('!') ? [audience.slice(1)] : [])),
})

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
