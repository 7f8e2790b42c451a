/** Finds people without a signature, and rules that never take effect. */
import { count } from '../../kernel/limits.ts'
import { list, nullable, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'
import type { Steps } from '../../kernel/steps.ts'
import {
  type Block,
  canonicalText,
  type Release,
  type Signature,
  TEMPLATE_VERSIONS,
} from '../release/release.ts'
import {
  audienceSetOf,
  coversPeriod,
  type CurrentDefault,
  includesAudiences,
  isSignatureFor,
  parseCombinedIds,
  sendersFor,
  pinnedFirst,
} from './rules.ts'
import type { PersonState } from '../facts/state.ts'
import { type NoSignatureReason, noSignatureReason } from './why.ts'

export const coverage = object({
  /**
   * The people without a signature at the plan's moment, by reason, largest group first. The `first` lists contain up
   * to 50 people in total, but always at least one of each group.
   */
  none: list(
    object({ why: noSignatureReason, people: count, first: list(object({ person: text, address: text })) }),
  ),
  /**
   * The signatures and blocks that never take effect, in the order of the folder. `people` is the number of people whom
   * the signature selects, or who get the block. `behind` names the earlier signature or block that covers it for all
   * of them. It is null if the rules select nobody, or if several cover it.
   */
  idle: list(
    object({
      kind: oneOf('signature', 'block'),
      id: text,
      name: text,
      people: count,
      behind: nullable(text),
    }),
  ),
  /** The names of two signatures with the same content: `second` shows nothing that `first` does not show. */
  alike: list(object({ first: text, second: text })),
})
export type Coverage = OutOf<typeof coverage>
export type UncoveredPeople = Coverage['none'][number]
export type IdleRule = Coverage['idle'][number]

/** Whether a signature selects people, and earlier signatures cover it for all of them. */
export const isCoveredSignature = ({ kind, people }: IdleRule): boolean => kind === 'signature' && people > 0

/**
 * Groups the names of covered signatures by the signature that covers them. `behind` is null for signatures that
 * several others cover.
 */
export function groupByCover(
  idle: readonly IdleRule[],
): readonly Readonly<{ behind: string | null; names: readonly string[] }>[] {
  const groups = new Map<string | null, string[]>()
  for (const each of idle)
    if (isCoveredSignature(each)) {
      const names = groups.get(each.behind)
      if (names) names.push(each.name)
      else groups.set(each.behind, [each.name])
    }
  return [...groups].map(([behind, names]) => ({ behind, names }))
}

/**
 * Creates a function that builds a key from texts and a part of a release. The part is numbered by identity, so a key
 * stays short, even for a condition with many values.
 */
export function createKeyBuilder(): (
  texts: readonly (string | null)[],
  part?: object | string | null,
) => string {
  const numbers = new WeakMap<object, number>()
  let last = 0
  return (texts, part = null) => {
    if (part === null || typeof part === 'string') return JSON.stringify([...texts, part])
    const number = numbers.get(part) ?? (last += 1)
    numbers.set(part, number)
    return JSON.stringify([...texts, number])
  }
}

/** The most people without a signature that a plan lists. */
export const MAX_UNCOVERED_NAMED = 50

/** The times and messages in which a signature applies. Signatures with equal times share one object. */
type Times = Readonly<{
  during: Signature['during']
  audiences: ReadonlySet<string>
  thread: Signature['thread']
  forMeetings: boolean
}>

/** The counts for a signature so far. */
type Counted = {
  readonly signature: Signature
  readonly times: Times
  people: number
  decides: boolean
  /** The earlier signatures that cover it for someone. */
  readonly behind: Set<Signature>
}

/** Two covering signatures are enough to count as several. */
const MAX_BEHIND = 2

/** Whether an earlier signature applies wherever a later one would. */
const standsBefore = (earlier: Times, later: Times): boolean =>
  earlier === later ||
  (coversPeriod(earlier.during, later.during) &&
    includesAudiences(earlier.audiences, later.audiences) &&
    (earlier.thread === undefined || earlier.thread === later.thread) &&
    (earlier.forMeetings || !later.forMeetings))

/**
 * Counts the people of a release one by one.
 *
 * A signature takes effect for a selected person unless an earlier signature covers it: for its whole period, for all
 * its recipients and places in threads, for all the person's addresses that it is for, and in meetings if it has a
 * version for them. It also takes effect for a person who chose it as the default. All periods count, whether or not they
 * are open at the plan's moment.
 *
 * @param hidden the blocks that never appear, each with the block that always replaces it (`findingHiddenBlocks`)
 */
export function createCoverage(release: Release, hidden: ReadonlyMap<string, Block>) {
  const { document } = release
  const all = countedOf(release)
  const byId = new Map(all.map((each) => [each.signature.id, each]))
  const none = new Map<
    string,
    { why: NoSignatureReason; people: number; first: { person: string; address: string }[] }
  >()
  let named = 0
  let comparisons = 0
  const distinct = [...new Set(all.map(({ times }) => times))]
  const known = new Map<Times, readonly Times[]>()
  /** The times that cover `later`, in the order of the folder. Cached for all people. */
  const standingBefore = (later: Times): readonly Times[] => {
    const before = known.get(later) ?? distinct.filter((earlier) => standsBefore(earlier, later))
    known.set(later, before)
    return before
  }
  const firstBefore = (later: Times, first: ReadonlyMap<Times, Signature>): Signature | undefined => {
    for (const times of standingBefore(later)) {
      comparisons += 1
      const signature = first.get(times)
      if (signature) return signature
    }
    return undefined
  }

  const keyOf = createKeyBuilder()
  function keyOfNone(why: NoSignatureReason): string {
    if (why.kind === 'notOpen') return keyOf([why.kind, why.name], why.during)
    return why.kind === 'leftOut' ? keyOf([why.kind, why.name], why.by) : why.kind
  }

  function addNone(person: PersonState, why: NoSignatureReason): void {
    const key = keyOfNone(why)
    const group = none.get(key) ?? { why, people: 0, first: [] }
    none.set(key, group)
    group.people += 1
    if (named >= MAX_UNCOVERED_NAMED && group.first.length > 0) return
    group.first.push({ person: person.id, address: person.addresses[0] ?? person.id })
    named += 1
  }

  return {
    /**
     * Adds a person, in steps, one for each signature that selects the person.
     *
     * @param why the reason for having no signature; null if the person has one
     */
    *adding(person: PersonState, due: CurrentDefault | null, why: NoSignatureReason | null): Steps<void> {
      if (why !== null) addNone(person, why)
      const chosen = due?.by === 'user' ? parseCombinedIds(due.choice.master)?.signature : undefined
      const ofChosen = chosen === undefined ? undefined : byId.get(chosen)
      if (ofChosen) ofChosen.decides = true
      yield
      const mine = pinnedFirst(all, person, ({ signature }) => signature.id).filter(({ signature }) =>
        isSignatureFor(signature, person),
      )
      for (const each of mine) each.people += 1
      for (const ofAddress of bySender(mine, person)) {
        /** By times, the first signature that no earlier signature covers. */
        const first = new Map<Times, Signature>()
        for (const each of ofAddress) {
          yield
          const before = firstBefore(each.times, first)
          if (before === undefined) {
            first.set(each.times, each.signature)
            each.decides = true
          } else if (each.behind.size < MAX_BEHIND) each.behind.add(before)
        }
      }
    },

    /** The number of comparisons between a signature's times and the person's earlier signatures. */
    comparisons: () => comparisons,

    /**
     * @param reached the number of people who get each block, by block id
     */
    summary: (reached: ReadonlyMap<string, number>): Coverage => {
      const idle = all.filter(({ decides }) => !decides)
      return {
        none: [...none.values()].sort((one, other) => other.people - one.people),
        idle: [
          ...idle.map(({ signature, people, behind }): IdleRule => {
            const { id, name } = signature
            return { kind: 'signature', id, name, people, behind: onlyOf(behind)?.name ?? null }
          }),
          ...(document.blocks ?? []).flatMap(({ id, name }): readonly IdleRule[] => {
            const people = reached.get(id) ?? 0
            return people > 0
              ? []
              : [{ kind: 'block', id, name, people, behind: hidden.get(id)?.name ?? null }]
          }),
        ],
        alike: alikeIn(all),
      }
    },
  }
}

/**
 * The signatures that may decide for each of a person's addresses. From another address than the primary one, those that
 * are for this address decide before all others.
 */
function bySender(mine: readonly Counted[], person: PersonState): readonly (readonly Counted[])[] {
  const sendersOf = new Map(mine.map((each) => [each, sendersFor(each.signature, person)]))
  const [primary = '', ...aliases] = person.addresses.map((address) => address.toLowerCase())
  const forPrimary = mine.filter((each) => sendersOf.get(each)?.includes(primary) ?? true)
  return [
    forPrimary.length > 0 ? forPrimary : mine,
    ...aliases.map((alias) => mine.filter((each) => sendersOf.get(each)?.includes(alias))),
  ]
}

const onlyOf = (signatures: ReadonlySet<Signature>): Signature | null =>
  signatures.size === 1 ? ([...signatures][0] ?? null) : null

function countedOf(release: Release): readonly Counted[] {
  const known = new Map<string, Times>()
  const keyOf = createKeyBuilder()
  return release.document.signatures.map((signature) => {
    const { during, meeting, thread } = signature
    const audiences = audienceSetOf(release, signature)
    const key = keyOf([canonicalText(during), String(meeting !== undefined), thread ?? null], audiences)
    const times = known.get(key) ?? { during, audiences, thread, forMeetings: meeting !== undefined }
    known.set(key, times)
    return { signature, times, people: 0, decides: false, behind: new Set() }
  })
}

/**
 * Finds the pairs of signatures with the same templates whose second one is redundant. Both are for the same people,
 * days, recipients and places in threads, or the first one covers the second one for everyone.
 */
function alikeIn(all: readonly Counted[]): Coverage['alike'] {
  const first = new Map<string, Signature>()
  return all.flatMap(({ signature, decides, behind }) => {
    const shown = TEMPLATE_VERSIONS.map((version) => signature[version] ?? null)
    const { selection, during, recipients, thread = null } = signature
    const key = canonicalText([shown, selection, during, recipients, thread])
    const same = first.get(key)
    if (same === undefined) first.set(key, signature)
    const before = decides ? null : onlyOf(behind)
    const isShown =
      before !== null && TEMPLATE_VERSIONS.every((version, at) => (before[version] ?? null) === shown[at])
    const earlier = same ?? (isShown ? before : null)
    return earlier ? [{ first: earlier.name, second: signature.name }] : []
  })
}
