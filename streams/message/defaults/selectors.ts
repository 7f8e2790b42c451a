import type { MessageState } from '../state.ts'
import type { CachedSignature } from '../../wire/signatures.ts'
import { defaultSignatureOf } from './rules.ts'

export const selectDefaultSignature = ({
  defaults,
}: Pick<MessageState, 'defaults'>): CachedSignature | null => defaultSignatureOf(defaults)

/**
 * Whether the reply version's signature is still unknown: the service has not named it, and the profile may still load.
 */
export const selectIsReplyUnnamed = ({
  defaults: { load },
  profile,
}: Pick<MessageState, 'defaults' | 'profile'>): boolean =>
  load.status === 'success' && load.value.reply?.of === null && profile.status !== 'fail'

/**
 * The signature that the loaded reply version belongs to: the user's choice for replies, or else the default itself.
 * `name` is null when no list has the signature. Null while the profile is unknown, and when the service has already
 * named the signature.
 */
export function selectUnnamedReply({
  defaults,
  profile,
  signatures,
}: MessageState): Readonly<{ combinedIds: string; name: string | null }> | null {
  const { load } = defaults
  if (load.status !== 'success' || load.value.reply?.of !== null || profile.status !== 'success') return null
  const { name, combinedIds } = load.value
  const chosen = profile.value.metadata.defaultSignature?.reply ?? combinedIds
  if (chosen === combinedIds) return { combinedIds, name }
  const all = [...signatures.own.entries, ...signatures.delegated.entries]
  return { combinedIds: chosen, name: all.find((entry) => entry.combinedIds === chosen)?.name ?? null }
}
