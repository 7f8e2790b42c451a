import type { AppState } from '../app/state.ts'
import { valueOf } from '../kernel/load.ts'
import { createSelector } from '../kernel/selector.ts'
import { selectProfile } from '../profile/selectors.ts'
import type { CachedSignature } from '../signatures/signature.ts'
import type { DefaultBy } from '../signatures/why.ts'
import type { DefaultsState } from './reducer.ts'

/** The default signature: the service's; before its answer, the one that an earlier pane stored. */
export const defaultSignatureOf = ({ load, snapshot }: DefaultsState): CachedSignature | null =>
  valueOf(load) ?? snapshot

export const selectDefaultSignature = ({ defaults }: AppState): CachedSignature | null =>
  defaultSignatureOf(defaults)

/** The ids of the defaults for new messages, and for replies and forwards. */
export type DefaultIds = Readonly<{ master: string | null; reply: string | null }>

/** The ids of the defaults: the service's; before its answer, those that the user chose. */
export const selectDefaultIds = createSelector(
  [selectProfile, selectDefaultSignature],
  (profile, signature): DefaultIds => {
    const chosen = profile?.metadata.defaultSignature
    const master = signature?.combinedIds || chosen?.master || null
    return { master, reply: chosen?.reply ?? (signature?.reply === null ? null : master) }
  },
)

/** The organisation's default: the service's while the user has chosen none; null otherwise. */
export const selectAdminDefinedId = createSelector(
  [selectDefaultIds, selectProfile],
  ({ master }, profile): string | null => (profile?.metadata.defaultSignature === null ? master : null),
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

/** Who made the signature with these ids a default. */
export const decidedBy = (
  combinedIds: string,
  adminDefinedId: string | null,
  chosen: readonly (string | null)[] | null,
): DefaultBy => {
  if (combinedIds === adminDefinedId) return 'organisation'
  return chosen?.includes(combinedIds) ? 'person' : null
}
