/** Why a person has a signature, or has not: one reason for each signature of a release. */
import type { Condition, Period, Release } from './release.ts'
import { allHold, combinedIds, type DueDefault, isOpen, whichFits } from './rules.ts'
import type { Detail } from './selectors.ts'
import type { PersonState } from './state.ts'

export type AssignedBecause = Readonly<{
  signature: string
  name: string
  isAssigned: boolean
  isDefault: boolean
  /** The conditions that hold; null when none holds, or when `not` wins. */
  because: Fitting | null
  /** The first group of `not` that holds; null without one. */
  leftOut: readonly Condition[] | null
  during: Period | null
  isOpen: boolean
}>

/** The signatures and details of a person at a moment. */
export type Explained = Readonly<{
  person: PersonState
  name: string
  release: string
  /** Milliseconds since 1970. */
  at: number
  signatures: readonly AssignedBecause[]
  default: DueDefault | null
  mayChooseDefault: boolean
  mailboxes: readonly string[]
  details: readonly Detail[]
}>

/** Every signature of a release, in its order: whether the person has it at a moment, and why. */
export function explain(
  release: Release,
  person: PersonState,
  at: number,
  due: DueDefault | null,
): readonly AssignedBecause[] {
  const master = due?.choice.master ?? null
  return release.document.signatures.map(({ id, name, during, selection }) => {
    const because = whichFits(selection, person)
    const open = isOpen(during, at)
    return {
      signature: id,
      name,
      isAssigned: open && because !== null,
      isDefault: combinedIds(id, person.id) === master,
      because,
      leftOut: selection.not.find((conditions) => allHold(conditions, person)) ?? null,
      during,
      isOpen: open,
    }
  })
}

/** Why a person is selected: everyone is, or all of these conditions hold. */
export type Fitting = 'everyone' | readonly Condition[]

/** The deciding reason. `isFirst`: it is the first signature. */
export type Reason =
  | Readonly<{
      kind: 'default'
      by: 'user' | 'organisation'
      isFirst: boolean
      because: Fitting
      during: Period | null
    }>
  | Readonly<{ kind: 'has'; because: Fitting; during: Period | null }>
  | Readonly<{ kind: 'notOpen'; during: Period }>
  | Readonly<{ kind: 'leftOut'; by: readonly Condition[] }>
  | Readonly<{ kind: 'nothingFits' }>

/**
 * The reason of each signature, in the same order.
 *
 * @param by who chose the default; null without a default
 */
export const reasonsOf = (
  signatures: readonly AssignedBecause[],
  by: DueDefault['by'] | null,
): readonly Reason[] =>
  signatures.map(({ isDefault, because, leftOut, during, isOpen: open }, index) => {
    if (leftOut !== null) return { kind: 'leftOut', by: leftOut }
    if (because === null) return { kind: 'nothingFits' }
    if (!open && during !== null) return { kind: 'notOpen', during }
    return isDefault && by !== null
      ? { kind: 'default', by, isFirst: index === 0, because, during }
      : { kind: 'has', because, during }
  })
