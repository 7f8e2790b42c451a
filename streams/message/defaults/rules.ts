import type { EventOf } from '../../kernel/event.ts'
import { type Load, loadedValue } from '../../kernel/load.ts'
import type { Auth } from '../auth/events.ts'
import type { Profile } from '../profile/events.ts'
import type { ChosenDefaults } from '../../wire/user.ts'
import type { CachedSignature } from '../../wire/signatures.ts'
import type { SendersRead } from '../senders/events.ts'
import type { Defaults, DefaultUse } from './events.ts'

/**
 * A requested change: a new default, a signature for a sender (null removes it), or a return to the organisation's
 * default.
 */
export type RequestedDefault =
  | Readonly<{ use: DefaultUse; combinedIds: string }>
  | Readonly<{ use: 'sender'; address: string; combinedIds: string | null }>
  | Readonly<{ use: 'organisation'; combinedIds: null }>

/** The `combinedIds` of the defaults for new messages, and for replies and forwards; null where there is no default. */
export type DefaultIds = Readonly<{ master: string | null; reply: string | null }>

/** The default from the service; before its answer, the default that an earlier pane stored. */
export const defaultSignatureOf = ({
  load,
  snapshot,
}: Readonly<{ load: Load<CachedSignature>; snapshot: CachedSignature | null }>): CachedSignature | null =>
  loadedValue(load) ?? snapshot

/**
 * The ids of the defaults from the service. Before its answer and during a reload, the user's choices apply.
 *
 * @param chosen the user's choices; null if the user has none; undefined until the profile is loaded
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

/** Whether this event made the default known. A sign-in response may omit the default. */
export const bringsDefault = (
  event: EventOf<typeof Auth | typeof Defaults | typeof Profile | typeof SendersRead>,
): boolean => event.type !== 'auth/verified' || event.data.signature !== null

/**
 * Whether one change replaces another, because both concern the same default or the same sender. A return to the
 * organisation's default replaces changes of both defaults.
 */
export const concernSameDefault = (one: RequestedDefault, other: RequestedDefault): boolean => {
  if (one.use === 'sender' || other.use === 'sender')
    return (
      one.use === 'sender' &&
      other.use === 'sender' &&
      one.address.toLowerCase() === other.address.toLowerCase()
    )
  return one.use === other.use || one.use === 'organisation' || other.use === 'organisation'
}

/** The user's choices with these signatures for senders; null if no choice is left. */
const withSenders = (
  chosen: ChosenDefaults | null,
  bySender: ChosenDefaults['bySender'] = {},
): ChosenDefaults | null => {
  if (chosen?.master) return { ...chosen, bySender }
  return Object.keys(bySender).length === 0 ? null : { master: null, reply: null, bySender }
}

/**
 * The user's choices after a change; null if no choice is left. A change of one default keeps the other default: the
 * user's choice, or else the organisation's. A choice for a sender keeps both defaults. Undefined while the other
 * default is unknown, and for a reply default without a default for new messages.
 * @param standard the default from the service; undefined before the first answer
 */
export function changedDefaults(
  chosen: ChosenDefaults | null,
  standard: CachedSignature | undefined,
  wanted: RequestedDefault,
): ChosenDefaults | null | undefined {
  const { bySender } = chosen ?? {}
  if (wanted.use === 'organisation') return withSenders(null, bySender)
  if (wanted.use === 'sender') {
    const address = wanted.address.toLowerCase()
    const { [address]: _, ...others } = bySender ?? {}
    return withSenders(
      chosen,
      wanted.combinedIds === null ? others : { ...others, [address]: wanted.combinedIds },
    )
  }
  const senders = bySender ? { bySender } : {}
  const master = chosen?.master ?? standard?.combinedIds
  if (master === undefined) return undefined
  if (master === '')
    return wanted.use === 'master' ? { master: wanted.combinedIds, reply: null, ...senders } : undefined
  const reply = (chosen?.master ? chosen.reply : standard?.reply?.of?.combinedIds) ?? master
  return { master, reply, ...senders, [wanted.use]: wanted.combinedIds }
}

/**
 * The user's choices with the current default as their `master`, for a service that refuses choices for senders without
 * a `master`. Null if the choices have a `master` already, or if no default is known.
 */
export const choicesWithMaster = (
  chosen: ChosenDefaults | null,
  standard: CachedSignature | undefined,
): ChosenDefaults | null => {
  const master = standard?.combinedIds
  return chosen?.master === null && master
    ? { ...chosen, master, reply: standard.reply?.of?.combinedIds ?? null }
    : null
}
