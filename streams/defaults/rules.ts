import type { AppEvent } from '../app/events.ts'
import { type Load, valueOf } from '../kernel/load.ts'
import type { ChosenDefaults } from '../profile/events.ts'
import type { CachedSignature } from '../signatures/signature.ts'
import type { DefaultUse } from './events.ts'

/** What a user changes: a default, or the signature for one sender; null: that sender gets none of its own. */
export type WantedDefault =
  | Readonly<{ use: DefaultUse; combinedIds: string }>
  | Readonly<{ use: 'sender'; address: string; combinedIds: string | null }>

/** The ids of the defaults for new messages, and for replies and forwards; null where no version is for replies alone. */
export type DefaultIds = Readonly<{ master: string | null; reply: string | null }>

/** The default signature: the service's; before its answer, the one that an earlier pane stored. */
export const defaultSignatureOf = ({
  load,
  snapshot,
}: Readonly<{ load: Load<CachedSignature>; snapshot: CachedSignature | null }>): CachedSignature | null =>
  valueOf(load) ?? snapshot

/**
 * The ids of the defaults: the service's; before its answer, and while it is asked again, those that the user chose.
 *
 * @param chosen null when the user chose none; undefined until the profile is loaded
 */
export function defaultIdsOf(
  chosen: ChosenDefaults | null | undefined,
  signature: CachedSignature | null,
  status: Load<CachedSignature>['status'],
): DefaultIds {
  const served = signature?.combinedIds || null
  const master = status === 'success' ? (served ?? chosen?.master ?? null) : (chosen?.master ?? served)
  if (chosen && chosen.reply !== null && chosen.reply !== chosen.master)
    return { master, reply: chosen.reply }
  return { master, reply: signature?.reply === null ? null : (signature?.reply?.of?.combinedIds ?? master) }
}

/** Whether an event that may bring the default did: not every sign-in does. */
export const broughtDefault = (event: AppEvent): boolean =>
  event.type !== 'auth/verified' || event.data.signature !== null

/** Whether both are the default of the same messages. */
export const isSameUse = (one: WantedDefault, other: WantedDefault): boolean =>
  one.use === 'sender' && other.use === 'sender'
    ? one.address.toLowerCase() === other.address.toLowerCase()
    : one.use === other.use

/**
 * The user's choice after a change of one default. The others stay the signatures that they are: the user's, else the
 * organisation's. Null while that is unknown, and for anything but new messages when there is no default to leave as it
 * is.
 *
 * @param standard the service's answer; undefined before the first
 */
export function changedDefaults(
  chosen: ChosenDefaults | null,
  standard: CachedSignature | undefined,
  wanted: WantedDefault,
): ChosenDefaults | null {
  const master = chosen?.master ?? standard?.combinedIds
  if (master === undefined) return null
  if (master === '') return wanted.use === 'master' ? { master: wanted.combinedIds, reply: null } : null
  const reply = (chosen ? chosen.reply : standard?.reply?.of?.combinedIds) ?? master
  if (wanted.use !== 'sender') {
    const { bySender } = chosen ?? {}
    return { master, reply, ...(bySender ? { bySender } : {}), [wanted.use]: wanted.combinedIds }
  }
  const address = wanted.address.toLowerCase()
  const { [address]: _, ...others } = chosen?.bySender ?? {}
  const bySender = wanted.combinedIds === null ? others : { ...others, [address]: wanted.combinedIds }
  return { master, reply, bySender }
}
