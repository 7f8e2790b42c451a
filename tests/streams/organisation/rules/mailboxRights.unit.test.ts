import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runSteps } from '../../../../streams/kernel/steps.ts'
import {
  comparingMailboxes,
  countMailboxes,
  MAX_MAILBOXES_NAMED,
  namedMailboxes,
} from '../../../../streams/organisation/rules/mailboxRights.ts'
import {
  compileRelease,
  type SharedMailbox,
  type Selection,
} from '../../../../streams/organisation/release/release.ts'
import { delegatedAddresses } from '../../../../streams/organisation/rules/rules.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { addresses, largeDocument, person as alex } from '../../../growth/largeDocument.ts'
import { cases } from '../../../support/cases.ts'

const group = (...values: string[]): Selection => ({ for: [[{ by: 'group', values }]], not: [] })
const EVERYONE: Selection = { for: 'everyone', not: [] }
const NAMES = ['sales', 'desk', 'press', 'jobs', 'legal'].map((name) => `${name}@northwind.example`)

const mailboxes: fc.Arbitrary<readonly SharedMailbox[]> = fc.shuffledSubarray(NAMES).chain((chosen) =>
  fc.tuple(
    ...chosen.map((address) =>
      fc.constantFrom(EVERYONE, group('a'), group('b'), group('a', 'b')).map((selection) => ({
        address,
        selection,
        values: {},
      })),
    ),
  ),
)
const people: fc.Arbitrary<readonly PersonState[]> = fc
  .tuple(fc.shuffledSubarray(NAMES), fc.array(fc.subarray(['a', 'b']), { minLength: 1, maxLength: 6 }))
  .map(([owned, groups]) =>
    groups.map((of, index) => ({
      ...alex,
      id: `u-${String(index)}`,
      groups: of,
      addresses: [`u${String(index)}@northwind.example`, ...owned.slice(index, index + 1)],
    })),
  )

test('what changes for a person, and how many people it changes for, is what the rules give mailbox by mailbox', () => {
  fc.assert(
    fc.property(mailboxes, mailboxes, people, (before, after, all) => {
      const [old, now] = [before, after].map((given) =>
        compileRelease('r', { ...largeDocument({}), mailboxes: given }),
      )
      const rights = runSteps(comparingMailboxes(before, after))
      const counted = countMailboxes()
      const expected = new Map<string, PersonState[]>()
      for (const each of all) {
        const changes = runSteps(rights.changing(each))
        counted.add(changes, each)
        const [had, gets] = [delegatedAddresses(old!, each), delegatedAddresses(now!, each)]
        const added = gets.filter((address) => !had.includes(address))
        const removed = had.filter((address) => !gets.includes(address))
        expect(namedMailboxes(changes, each)).toEqual({ added, removed })
        for (const key of [...added.map((one) => `added ${one}`), ...removed.map((one) => `removed ${one}`)])
          expected.set(key, [...(expected.get(key) ?? []), each])
      }
      const list = counted.list()
      expect(new Map(list.map((line) => [`${line.kind} ${line.address}`, line.people]))).toEqual(
        new Map([...expected].map(([key, changed]) => [key, changed.length])),
      )
      expect(list).toEqual(list.toSorted((one, other) => other.people - one.people))
      for (const { kind, address, sample } of list)
        expect(expected.get(`${kind} ${address}`)?.map(({ id }) => id)).toContain(sample.person)
    }),
    cases(300),
  )
})

test('of many mailboxes the first of the folder are named, and the others counted, whatever their rules', () => {
  const all = addresses(130)
  const given = all.map((address, index) => ({
    address,
    values: {},
    selection: index % 3 === 0 ? EVERYONE : group('a', String(index % 7)),
  }))
  const changes = runSteps(finishComparing([], given).changing({ ...alex, groups: ['a'] }))
  const left = { added: all.length - MAX_MAILBOXES_NAMED, removed: 0 }
  expect(namedMailboxes(changes, alex)).toEqual({
    added: all.slice(0, MAX_MAILBOXES_NAMED),
    removed: [],
    more: left,
  })
  const gone = runSteps(finishComparing(given, []).changing({ ...alex, groups: ['a'] }))
  expect(namedMailboxes(gone, { ...alex, addresses: [all[0]!] })).toEqual({
    added: [],
    removed: all.slice(1, MAX_MAILBOXES_NAMED + 1),
    more: { added: 0, removed: all.length - MAX_MAILBOXES_NAMED - 1 },
  })
})

const finishComparing = (...given: Parameters<typeof comparingMailboxes>) =>
  runSteps(comparingMailboxes(...given))
