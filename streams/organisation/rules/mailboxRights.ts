/**
 * Finds the mailboxes that people may write for in only one of two releases. Mailboxes with equal rules share one list,
 * so time and memory per person grow with the rules and not with the mailboxes.
 */
import type { Steps } from '../../kernel/steps.ts'
import { canonicalText, type ReleaseDocument, type Selection } from '../release/release.ts'
import { matchesSelection } from './rules.ts'
import type { PersonState } from '../facts/state.ts'

/** The most added mailboxes, and the most removed ones, that a plan lists for one person. */
export const MAX_MAILBOXES_NAMED = 50

const KINDS = ['added', 'removed'] as const
type Kind = (typeof KINDS)[number]

/**
 * Mailboxes that share one rule in the old release (`was`) and one in the new release (`is`), by index; null where they
 * are missing.
 */
type Mailboxes = Readonly<{
  was: number | null
  is: number | null
  /** Positions in the folder, by address: `added` in the new release, `removed` in the old one. */
  places: Readonly<Record<Kind, Map<string, number>>>
}>

/** Mailboxes that a person may write for only in the new release (`added`) or only in the old one (`removed`). */
export type MailboxChange = Readonly<{ kind: Kind; mailboxes: Mailboxes }>

export type MailboxRights = Readonly<{
  /** The changes for a person, in steps of several rules. May include mailboxes at the person's own addresses. */
  changing: (person: PersonState) => Steps<readonly MailboxChange[]>
}>

type Given = ReleaseDocument['mailboxes']

const RULES_AT_ONCE = 8
const NO_CHANGES: readonly MailboxChange[] = []

/** Compares the mailboxes of two releases in steps, one for each mailbox. */
export function* comparingMailboxes(before: Given, after: Given): Steps<MailboxRights> {
  const rules: Selection[] = []
  const ruleByText = new Map<string, number>()
  const ruleOf = (selection: Selection): number => {
    const text = canonicalText(selection)
    const rule = ruleByText.get(text) ?? rules.push(selection) - 1
    ruleByText.set(text, rule)
    return rule
  }
  const old = new Map<string, number>()
  for (const { address, selection } of before) {
    old.set(address, ruleOf(selection))
    yield
  }
  const now = new Map<string, number>()
  for (const { address, selection } of after) {
    now.set(address, ruleOf(selection))
    yield
  }
  const groups = new Map<string, Mailboxes>()
  const add = (kind: Kind, address: string, place: number) => {
    const [was, is] = [old.get(address) ?? null, now.get(address) ?? null]
    if (was === is) return
    const key = `${String(was)} ${String(is)}`
    const group = groups.get(key) ?? { was, is, places: { added: new Map(), removed: new Map() } }
    groups.set(key, group)
    group.places[kind].set(address, place)
  }
  for (const [kind, mailboxes] of [
    ['added', after],
    ['removed', before],
  ] as const)
    for (const [place, { address }] of mailboxes.entries()) {
      add(kind, address, place)
      yield
    }
  const changed = [...groups.values()]

  return {
    *changing(person) {
      if (changed.length === 0) return NO_CHANGES
      const known: (boolean | undefined)[] = []
      const holds = (rule: number | null): boolean => {
        const selection = rule === null ? undefined : rules[rule]
        if (rule === null || !selection) return false
        return (known[rule] ??= matchesSelection(selection, person))
      }
      const changes: MailboxChange[] = []
      for (const [index, mailboxes] of changed.entries()) {
        const [was, is] = [holds(mailboxes.was), holds(mailboxes.is)]
        if (was !== is) changes.push({ kind: is ? 'added' : 'removed', mailboxes })
        if (index % RULES_AT_ONCE === RULES_AT_ONCE - 1) yield
      }
      return changes
    },
  }
}

/**
 * The person's own addresses among these mailboxes. They are left out, because people need no right to write for
 * themselves.
 */
const ownIn = ({ kind, mailboxes }: MailboxChange, { addresses }: PersonState): readonly string[] =>
  addresses.filter((address) => mailboxes.places[kind].has(address))

/** The first mailboxes that change for a person, in the order of the folder, and how many more there are. */
export function namedMailboxes(
  changes: readonly MailboxChange[],
  person: PersonState,
): Readonly<{ added: readonly string[]; removed: readonly string[]; more?: Readonly<Record<Kind, number>> }> {
  const added = namedOf('added')
  const removed = namedOf('removed')
  const named = { added: added.named, removed: removed.named }
  return added.more + removed.more === 0
    ? named
    : { ...named, more: { added: added.more, removed: removed.more } }

  function namedOf(kind: Kind): Readonly<{ named: readonly string[]; more: number }> {
    const first: (readonly [address: string, place: number])[] = []
    let all = 0
    for (const change of changes) {
      if (change.kind !== kind) continue
      const places = change.mailboxes.places[kind]
      const own = new Set(ownIn(change, person))
      all += places.size - own.size
      let taken = 0
      for (const entry of places) {
        if (taken === MAX_MAILBOXES_NAMED) break
        if (own.has(entry[0])) continue
        first.push(entry)
        taken += 1
      }
    }
    const named = first
      .sort(([, one], [, other]) => one - other)
      .slice(0, MAX_MAILBOXES_NAMED)
      .map(([address]) => address)
    return { named, more: all - named.length }
  }
}

type Sample = Readonly<{ person: string; address: string }>
type Counted = { people: number; readonly samples: PersonState[] }

/** Two samples are enough: an address belongs to one person, so the other sample does not own it. */
const SAMPLES = 2

/** Counts the people who may write for each mailbox in only one of the releases. */
export function countMailboxes() {
  const counts: Readonly<Record<Kind, Map<Mailboxes, Counted>>> = { added: new Map(), removed: new Map() }
  /** The number of counted people who own an address, by address. */
  const owners: Readonly<Record<Kind, Map<string, number>>> = { added: new Map(), removed: new Map() }

  return {
    add(changes: readonly MailboxChange[], person: PersonState): void {
      for (const change of changes) {
        const { kind, mailboxes } = change
        const counted = counts[kind].get(mailboxes) ?? { people: 0, samples: [] }
        counts[kind].set(mailboxes, counted)
        counted.people += 1
        if (counted.samples.length < SAMPLES) counted.samples.push(person)
        for (const address of ownIn(change, person))
          owners[kind].set(address, (owners[kind].get(address) ?? 0) + 1)
      }
    },

    /**
     * A line for each mailbox and kind of change, sorted by the number of people, largest first. If the numbers are
     * equal, mailboxes with the same rules keep the folder's order.
     */
    list: (): readonly Readonly<{ address: string; kind: Kind; people: number; sample: Sample }>[] =>
      KINDS.flatMap((kind) =>
        [...counts[kind]]
          .flatMap(([{ places }, { people, samples }]) =>
            [...places[kind]].flatMap(([address, place]) => {
              const others = people - (owners[kind].get(address) ?? 0)
              const sample = samples.find(({ addresses }) => !addresses.includes(address))
              return others === 0 || !sample ? [] : [{ address, place, people: others, sample }]
            }),
          )
          .sort((one, other) => one.place - other.place)
          .map(({ address, people, sample }) => ({
            address,
            kind,
            people,
            sample: { person: sample.id, address: sample.addresses[0] ?? sample.id },
          })),
      ).sort((one, other) => other.people - one.people),
  }
}
