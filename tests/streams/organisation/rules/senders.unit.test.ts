import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  assignedSignatures,
  combinedIds,
  conditionHolds,
  defaultChoice,
  matchesSelection,
  organisationDefault,
  sendersFor,
} from '../../../../streams/organisation/rules/rules.ts'
import { compileRelease, type Condition } from '../../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { document as anyDocument, person, selection } from '../arbitraries.ts'

const NOW = Date.parse('2026-01-15T12:00:00Z')
const NEVER: Condition = { by: 'group', values: [] }
const with1 = (someone: PersonState, address: string): PersonState => ({ ...someone, addresses: [address] })

describe('[PERSON-5] the addresses that a signature is for', () => {
  test('are those with which alone the selection holds; none are told where all are', () => {
    fc.assert(
      fc.property(selection, person, fc.boolean(), (of, given, upper) => {
        const someone = upper
          ? { ...given, addresses: given.addresses.map((each) => each.toUpperCase()) }
          : given
        // All conditions but those on addresses are decided by the whole person.
        const decided =
          of.for === 'everyone'
            ? of.for
            : of.for.map((conditions) =>
                conditions.flatMap((each) =>
                  each.by === 'address' ? each : conditionHolds(each, someone) ? [] : NEVER,
                ),
              )
        const holdsWith = (address: string) =>
          decided === 'everyone' ||
          decided.some(
            (conditions) =>
              conditions.length === 0 ||
              matchesSelection({ for: [conditions], not: [] }, with1(someone, address)),
          )
        const all = someone.addresses
        const holding = all.filter(holdsWith).map((each) => each.toLowerCase())
        const senders = sendersFor({ id: 'one', selection: of }, someone)
        const hasAddresses = of.for !== 'everyone' && of.for.flat().some(({ by }) => by === 'address')
        expect(senders).toEqual(hasAddresses && holding.length < all.length ? holding : undefined)
      }),
      { numRuns: 500 },
    )
  })

  test('decide the organisation’s default: the first for the primary address, else the first', () => {
    fc.assert(
      fc.property(anyDocument, person, (document, someone) => {
        const release = compileRelease('r', document)
        const assigned = assignedSignatures(release, someone, NOW)
        const [primary = ''] = someone.addresses
        const isForPrimary = (of: (typeof assigned)[number]) => {
          const senders = sendersFor(of, someone)
          return senders === undefined || senders.includes(primary)
        }
        const expected = assigned.filter(isForPrimary).concat(assigned)[0]
        expect(organisationDefault(assigned, someone)).toBe(expected)
        const due = defaultChoice(release, { ...someone, metadata: {} }, NOW)
        expect(due?.choice.master).toBe(expected && combinedIds(expected.id, someone.id))
      }),
      { numRuns: 500 },
    )
  })

  test('are all for a signature that an administrator gave to the person', () => {
    const [someone] = fc.sample(person, { seed: 1, numRuns: 1 })
    if (someone === undefined) throw new Error('no example')
    const forAlias = { for: [[{ by: 'address' as const, values: ['ana@*'] }]], not: [] }
    const aliased = { ...someone, addresses: ['ben@in.example', 'ana@in.example'] }
    const pinned = { signature: 'one', by: 'admin', at: 1, until: 'removed' }
    const given = { ...aliased, corrections: { fields: {}, supplement: {}, under: {}, pinned } }
    expect(sendersFor({ id: 'one', selection: forAlias }, aliased)).toEqual(['ana@in.example'])
    expect(sendersFor({ id: 'one', selection: forAlias }, given)).toBeUndefined()
  })

  test('leave a default to a person none of whose signatures is for the primary address', () => {
    const [document] = fc.sample(
      anyDocument.filter(({ signatures }) => signatures.length > 0),
      { seed: 1, numRuns: 1 },
    )
    const [someone] = fc.sample(person, { seed: 1, numRuns: 1 })
    const [first] = document?.signatures ?? []
    if (document === undefined || someone === undefined || first === undefined) throw new Error('no example')
    const forAlias = { for: [[{ by: 'address' as const, values: ['ana@*'] }]], not: [] }
    const release = compileRelease('r', {
      ...document,
      signatures: [{ ...first, selection: forAlias, during: null }],
    })
    const aliased = { ...someone, metadata: {}, addresses: ['ben@in.example', 'ana@in.example'] }
    expect(defaultChoice(release, aliased, NOW)?.choice.master).toBe(combinedIds(first.id, aliased.id))
  })
})
