import type { ChosenDefaults } from '../profile/events.ts'
import type { CachedSignature } from '../signatures/signature.ts'
import type { DefaultUse } from './events.ts'

/**
 * The user's choice after a change of one default. The other stays the signature that it is: the user's, else the
 * organisation's. Null while that is unknown, and for replies when there is no default to leave as it is.
 *
 * @param standard the service's answer; undefined before the first
 */
export function changedDefaults(
  chosen: ChosenDefaults | null,
  standard: CachedSignature | undefined,
  { combinedIds, use }: Readonly<{ combinedIds: string; use: DefaultUse }>,
): ChosenDefaults | null {
  const master = chosen?.master ?? standard?.combinedIds
  if (master === undefined) return null
  if (master === '') return use === 'master' ? { master: combinedIds, reply: null } : null
  const reply = chosen ? chosen.reply : standard?.reply?.of?.combinedIds
  return { master, reply: reply ?? master, [use]: combinedIds }
}
