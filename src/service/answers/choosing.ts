/** Chooses the signatures for a caller: the named signatures, or the user's default. */
import type { Guard } from '../../../streams/html/slots.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Signature } from '../../../streams/organisation/release/release.ts'
import {
  assignedSignatures,
  defaultChoice,
  guardFor,
  parseCombinedIds,
  visibleSignature,
} from '../../../streams/organisation/rules/rules.ts'
import type { DelegatedOwners } from '../context/owners.ts'
import type { Caller } from '../context/serviceContext.ts'
import { DomainError } from '../operations/domainError.ts'

/** A signature and its owner. */
export type OwnedSignature = Readonly<{ signature: Signature; owner: PersonState }>

/**
 * The signatures in one response: a named signature, or the default of the user. `master` is null if the user has no
 * default. The first of `meetings` with a meeting version is the default for meetings. `guard` is null for a named
 * signature.
 */
export type ChosenSignatures = Readonly<{
  master: OwnedSignature | null
  reply: OwnedSignature | null
  meetings: readonly OwnedSignature[]
  guard: Guard | null
}>

/** A pending choice of signatures. `owners` are the other people on whose data the response depends. */
export type PendingChoice = Readonly<{ owners: readonly PersonState[]; chosen: () => ChosenSignatures }>

/** @param isGuarding whether the default comes with `guard`, the checks before a message is sent */
export function createSignatureChooser(owners: DelegatedOwners, isGuarding: boolean) {
  /** The owners other than the user that these ids may name. Ids of the user's own signatures need no query. */
  async function ownersOf(caller: Caller, ids: readonly (string | undefined)[]) {
    const isOthers = (one: string | undefined) =>
      one !== undefined && parseCombinedIds(one)?.owner !== caller.person.id
    const delegated = ids.some(isOthers) ? await owners.delegated(caller) : []
    return new Map(delegated.map((owner) => [owner.id, owner]))
  }

  /** @throws DomainError `not_found` for a signature that the user may not see */
  async function visible(caller: Caller, wanted: readonly string[]): Promise<readonly OwnedSignature[]> {
    const { release, person, at } = caller
    const others = await ownersOf(caller, wanted)
    return wanted.map((ids) => {
      const owned = visibleSignature(release, person, ids, at, others)
      if (owned === null) throw new DomainError('not_found', `There is no signature "${ids}" for you.`)
      return owned
    })
  }

  const ownersIn = ({ person }: Caller, { master, reply }: ChosenSignatures): readonly PersonState[] =>
    [master, reply].flatMap((owned) => (owned === null || owned.owner.id === person.id ? [] : [owned.owner]))

  /**
   * The owners for whom the user may write. Queried only if `guard` checks blocks, because these owners' blocks also
   * count.
   */
  async function guarded(caller: Caller): Promise<readonly PersonState[]> {
    const { guard = [] } = caller.release.document
    return isGuarding && guard.some(({ missing }) => missing === 'block') ? owners.delegated(caller) : []
  }

  /**
   * Chooses the user's default. `others` are the other owners that the user's choice may name. `delegating` are the
   * owners whose blocks `guard` checks.
   */
  function chooseDefault(
    caller: Caller,
    others: ReadonlyMap<string, PersonState>,
    delegating: readonly PersonState[],
  ): ChosenSignatures {
    const { release, person, at } = caller
    const choice = defaultChoice(release, person, at, others)?.choice
    const named = (one: string | undefined) =>
      one === undefined ? null : visibleSignature(release, person, one, at, others)
    const master = named(choice?.master)
    const meetings = [...(master === null ? [] : [master]), ...ownedSignaturesOf(caller, person)]
    const guard = isGuarding ? guardFor(release, person, delegating) : null
    return { master, reply: named(choice?.reply), meetings, guard }
  }

  /**
   * Finds the named signature, or prepares the choice of the user's default. A default that can only be one of the
   * user's own signatures is chosen when the response is rendered, because `owners` do not depend on the choice.
   *
   * @throws DomainError `not_found` for a named signature that the user may not see
   */
  async function asked(caller: Caller, ids: string | undefined): Promise<PendingChoice> {
    if (ids === undefined) {
      const own = caller.person.metadata.defaultSignature
      const others = await ownersOf(caller, [own?.master, own?.reply])
      const delegating = await guarded(caller)
      if (others.size === 0)
        return { owners: delegating, chosen: () => chooseDefault(caller, others, delegating) }
      const chosen = chooseDefault(caller, others, delegating)
      return { owners: [...ownersIn(caller, chosen), ...delegating], chosen: () => chosen }
    }
    const [owned = null] = await visible(caller, [ids])
    const chosen = { master: owned, reply: null, meetings: owned === null ? [] : [owned], guard: null }
    return { owners: ownersIn(caller, chosen), chosen: () => chosen }
  }

  return { visible, asked }
}

/** The signatures that are assigned to an owner at the time of the response. */
export const ownedSignaturesOf = ({ release, at }: Caller, owner: PersonState): readonly OwnedSignature[] =>
  assignedSignatures(release, owner, at).map((signature) => ({ signature, owner }))
