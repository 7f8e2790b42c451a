import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Corrections } from '../../../../streams/organisation/facts/corrections.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { createCoverage } from '../../../../streams/organisation/rules/coverage.ts'
import {
  assignedSignatures,
  combinedIds,
  defaultChoice,
  delegatedAddresses,
  guardFor,
  isPeriodOpen,
  mayChooseDefault,
} from '../../../../streams/organisation/rules/rules.ts'
import {
  explainSignatures,
  signatureReasons,
  whyNoSignature,
} from '../../../../streams/organisation/rules/why.ts'
import { runSteps } from '../../../../streams/kernel/steps.ts'
import { compileRelease, type Release } from '../../../../streams/organisation/release/release.ts'
import { EVERYONE, person, release } from '../arbitraries.ts'

const AT = Date.parse('2026-01-15T12:00:00Z')
const SET = { by: 'admin', at: 1, until: 'removed' }
const having = (of: PersonState, more: Partial<Corrections>): PersonState => ({
  ...of,
  active: true,
  corrections: { fields: {}, supplement: {}, under: {}, ...more },
})
const excluded = (of: PersonState) => having(of, { excluded: SET })
const pinned = (of: PersonState, signature: string) => having(of, { pinned: { signature, ...SET } })
const reasonsOf = (given: Release, of: PersonState) => {
  const due = defaultChoice(given, of, AT)
  return signatureReasons(explainSignatures(given, of, AT, due), due?.by ?? null)
}
const guarded = (given: Release): Release =>
  compileRelease('r', {
    ...given.document,
    guard: [{ missing: 'signature', selection: EVERYONE, recipients: 'everyone' }],
  })
const coverageOf = (given: Release, of: PersonState) => {
  const counted = createCoverage(given, new Map())
  const due = defaultChoice(given, of, AT)
  runSteps(counted.adding(of, due, whyNoSignature(given, of, AT, due)))
  return counted.summary(new Map())
}

describe('a person who is kept without a signature', () => {
  it('has none and no check before sending, and may write for the same mailboxes', () => {
    fc.assert(
      fc.property(release.map(guarded), person, (given, of) => {
        const kept = excluded(of)
        expect(assignedSignatures(given, kept, AT)).toEqual([])
        expect(defaultChoice(given, kept, AT)).toBeNull()
        expect(guardFor(given, of)).not.toBeNull()
        expect(guardFor(given, kept)).toBeNull()
        expect(delegatedAddresses(given, kept)).toEqual(delegatedAddresses(given, of))
      }),
    )
  })

  it('is told so, in the signatures that would be theirs and in the coverage', () => {
    fc.assert(
      fc.property(release, person, (given, of) => {
        const kept = excluded(of)
        expect(whyNoSignature(given, kept, AT, null)).toEqual({ kind: 'excluded' })
        const fits = explainSignatures(given, kept, AT, null).map(({ because }) => because !== null)
        expect(reasonsOf(given, kept).map(({ kind }) => kind === 'excluded')).toEqual(fits)
        const { none, idle } = coverageOf(given, kept)
        expect(none.map(({ why }) => why.kind)).toEqual(['excluded'])
        expect(idle.filter(({ kind }) => kind === 'signature').every(({ people }) => people === 0)).toBe(true)
      }),
    )
  })
})

describe('a signature that an administrator gave to a person', () => {
  it('is first whatever its rules say, while its period is open, and the own choice still wins', () => {
    fc.assert(
      fc.property(release, person, fc.constantFrom('s0', 's1', 's2', 'gone'), (given, of, id) => {
        const someone = pinned(of, id)
        const signature = given.signatureOf(id)
        const isOpen = signature !== null && isPeriodOpen(signature.during, AT)
        const others = assignedSignatures(given, of, AT).filter((each) => each.id !== id)
        expect(assignedSignatures(given, someone, AT)).toEqual(isOpen ? [signature, ...others] : others)
        const due = defaultChoice(given, someone, AT)
        if (isOpen && due?.by === 'organisation') expect(due.choice.master).toBe(combinedIds(id, someone.id))
        if (isOpen && due?.by === 'user') expect(mayChooseDefault(given, someone)).toBe(true)
        const explained = explainSignatures(given, someone, AT, due)
        const inFolder = given.document.signatures.map((each) => each.id)
        expect(explained.map((each) => each.signature)).toEqual(
          isOpen ? [id, ...inFolder.filter((each) => each !== id)] : inFolder,
        )
        const assigned = new Set(assignedSignatures(given, someone, AT).map((each) => each.id))
        for (const [index, reason] of reasonsOf(given, someone).entries()) {
          const each = explained[index]
          expect(each?.isAssigned).toBe(assigned.has(each?.signature ?? ''))
          if (each?.signature !== id) expect(reason.kind).not.toBe('pinned')
          else
            expect(reason).toMatchObject(
              isOpen ? { kind: 'pinned', by: each.isDefault ? due?.by : null } : { kind: 'notOpen' },
            )
        }
      }),
      { numRuns: 300 },
    )
  })

  it('decides for that person, and covers what stands before it', () => {
    fc.assert(
      fc.property(release, person, fc.constantFrom('s0', 's1', 's2'), (given, of, id) => {
        fc.pre(given.signatureOf(id) !== null)
        const { idle } = coverageOf(given, pinned(of, id))
        expect(idle.filter((each) => each.kind === 'signature' && each.id === id)).toEqual([])
      }),
    )
  })
})
