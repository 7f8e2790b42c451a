import type { ChoiceState } from '../choiceState.ts'
import { loadedValue } from '../../kernel/load.ts'
import { createSelector } from '../../kernel/selector.ts'
import { selectDefaultSignature } from '../../message/defaults/selectors.ts'
import type { DefaultsState } from '../../message/defaults/state.ts'
import { selectOtherSender } from '../mailbox/selectors.ts'
import { selectProfile } from '../../message/profile/selectors.ts'
import type { DefaultChooser } from '../signatures/why.ts'
import type { DefaultUse } from '../../message/defaults/events.ts'
import {
  changedDefaults,
  defaultIdsOf,
  type DefaultIds,
  concernSameDefault,
  type RequestedDefault,
} from '../../message/defaults/rules.ts'

export const selectDefaultIds = createSelector(
  [selectProfile, selectDefaultSignature, ({ defaults }: ChoiceState) => defaults.load.status],
  (profile, signature, status): DefaultIds =>
    defaultIdsOf(profile?.metadata.defaultSignature, signature, status),
)

/**
 * Whether the user may make this signature a default (`offered`) or has just requested it (`pending`); otherwise null.
 */
export const selectDefaultChange =
  (combinedIds: string, use: DefaultUse) =>
  (state: ChoiceState): 'offered' | 'pending' | null => {
    const { pending, load } = state.defaults
    const latest = pending.findLast((change) => change.use === use)
    if (latest?.combinedIds === combinedIds) return 'pending'
    const profile = selectProfile(state)
    if (!profile || (!latest && selectDefaultIds(state)[use] === combinedIds)) return null
    const { defaultSignature } = profile.metadata
    const changed = changedDefaults(defaultSignature, loadedValue(load), { combinedIds, use })
    return changed === undefined ? null : 'offered'
  }

/**
 * Whether the user may replace this default with the organisation's (`offered`), or has just requested it (`pending`);
 * null for a signature that the user has not chosen as a default.
 */
export const selectOrganisationChange =
  (combinedIds: string) =>
  (state: ChoiceState): 'offered' | 'pending' | null => {
    const { defaultSignature = null } = selectProfile(state)?.metadata ?? {}
    const { master, reply } = defaultSignature ?? {}
    if (combinedIds !== master && combinedIds !== reply) return null
    return state.defaults.pending.some(({ use }) => use === 'organisation') ? 'pending' : 'offered'
  }

/**
 * Whether this signature is the user's choice for the sender of the open message (`chosen`), is being added or removed
 * as the choice (`pending`), or can become the choice (`offered`); otherwise null. The pane offers the choice when the
 * user sends from another address, or chose a signature by hand.
 */
export const selectSenderChoice =
  (combinedIds: string) =>
  (state: ChoiceState): 'offered' | 'chosen' | 'pending' | null => {
    const { defaults, insertion, mailbox } = state
    const address = mailbox.message?.from?.address
    const profile = selectProfile(state)
    if (!address || !profile) return null
    const change: RequestedDefault = { use: 'sender', address, combinedIds }
    const latest = defaults.pending.findLast((each) => concernSameDefault(each, change))
    const { defaultSignature } = profile.metadata
    const chosen = defaultSignature?.bySender?.[address.toLowerCase()] ?? null
    if (latest) return [latest.combinedIds, chosen].includes(combinedIds) ? 'pending' : null
    if (chosen === combinedIds) return 'chosen'
    if (selectOtherSender(state) === null && (insertion.inMessage?.reason.origin ?? 'default') === 'default')
      return null
    return 'offered'
  }

/**
 * The failed changes of the defaults. A change takes two calls, and the first may have succeeded. So a change does not
 * count as failed if its signature is the default now.
 */
export const selectRefusedChanges = createSelector(
  [({ defaults }: ChoiceState) => defaults.load, ({ defaults }: ChoiceState) => defaults.refused],
  (load, refused): DefaultsState['refused'] => {
    if (load.status !== 'success') return refused
    const { combinedIds, reply } = load.value
    const ids = {
      master: combinedIds,
      reply: reply?.of?.combinedIds,
      sender: undefined,
      organisation: undefined,
    }
    return refused.filter(({ change }) => change.combinedIds !== ids[change.use])
  },
)

/**
 * The id of the organisation's default while it is in use: the user chose no default, or the chosen signature is gone.
 * Otherwise null.
 */
export const selectAdminDefinedId = createSelector(
  [selectDefaultIds, selectProfile],
  ({ master }, profile): string | null =>
    profile && profile.metadata.defaultSignature?.master !== master ? master : null,
)

/** The ids of the signatures that the user chose as defaults; null until the profile is loaded. */
export const selectChosenIds = createSelector(
  [selectProfile],
  (profile): readonly (string | null)[] | null =>
    profile && [
      profile.metadata.defaultSignature?.master ?? null,
      profile.metadata.defaultSignature?.reply ?? null,
    ],
)

/** Who made the signature with these `combinedIds` a default; null if unknown. */
export const defaultChooserOf = (
  combinedIds: string,
  adminDefinedId: string | null,
  chosen: readonly (string | null)[] | null,
): DefaultChooser => {
  if (combinedIds === adminDefinedId) return 'organisation'
  return chosen?.includes(combinedIds) ? 'person' : null
}
