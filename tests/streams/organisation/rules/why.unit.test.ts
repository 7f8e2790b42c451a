import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  assignedSignatures,
  candidatesIn,
  combinedIds,
  defaultChoice,
  sendersFor,
  matchesSelection,
  isBlockFor,
  isPeriodOpen,
  openTimesOf,
  windowOf,
} from '../../../../streams/organisation/rules/rules.ts'
import {
  personDetailsOf,
  variableLabelsOf,
  replacedDirectoryValues,
  RECORD_VARIABLES,
  variableValue,
  variableValues,
} from '../../../../streams/organisation/release/selectors.ts'
import { enteredDays } from '../../../../streams/organisation/rules/openTimes.ts'
import {
  explainSignatures,
  explainBlocks,
  type SignatureReason,
  signatureReasons,
  whyNoSignature,
} from '../../../../streams/organisation/rules/why.ts'
import {
  type Block,
  compileRelease,
  conditionKeyOf,
  type Release,
  type ReleaseDocument,
} from '../../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import {
  document as anyDocument,
  EVERYONE,
  openTimes,
  person,
  release,
  selection,
  signature,
} from '../arbitraries.ts'

const DAY = Date.UTC(2026, 1, 10)
const moment = fc.constantFrom(DAY, Date.UTC(2026, 0, 10, 10), Date.UTC(2026, 5, 1))
const HAS: readonly SignatureReason['kind'][] = ['default', 'has']

describe('the reasons for a person', () => {
  test('are one for each signature, and agree with who has which', () => {
    fc.assert(
      fc.property(release, person, moment, (given, of, at) => {
        const due = defaultChoice(given, of, at)
        const explained = explainSignatures(given, of, at, due)
        const reasons = signatureReasons(explained, due?.by ?? null)
        const { signatures } = given.document
        expect(reasons).toHaveLength(signatures.length)
        const has = signatures.filter((_, index) => HAS.includes(reasons[index]?.kind ?? 'nothingFits'))
        expect(has).toEqual(assignedSignatures(given, of, at))
        expect(explained.filter(({ isAssigned }) => isAssigned).map(({ signature }) => signature)).toEqual(
          has.map(({ id }) => id),
        )
        const defaults = signatures.filter((_, index) => reasons[index]?.kind === 'default')
        expect(defaults.map(({ id }) => combinedIds(id, of.id))).toEqual(
          due?.choice.master.endsWith(`-${of.id}`) ? [due.choice.master] : [],
        )
        for (const [index, reason] of reasons.entries()) {
          const signature = signatures[index]
          if (reason.kind === 'has') expect(reason.senders).toEqual(signature && sendersFor(signature, of))
          if (reason.kind === 'default' && signature)
            expect(reason.isForMain ?? false).toBe(reason.by === 'organisation' && has[0] !== signature)
        }
      }),
    )
  })

  test('name what decides: being left out before what fits, and what fits before the day', () => {
    fc.assert(
      fc.property(release, person, moment, (given, of, at) => {
        const due = defaultChoice(given, of, at)
        const reasons = signatureReasons(explainSignatures(given, of, at, due), due?.by ?? null)
        for (const [index, { selection, during }] of given.document.signatures.entries()) {
          const reason = reasons[index]
          const isLeftOut = matchesSelection({ for: selection.not, not: [] }, of)
          expect(reason?.kind === 'leftOut').toBe(isLeftOut)
          expect(reason?.kind === 'nothingFits').toBe(!isLeftOut && !matchesSelection(selection, of))
          if (reason?.kind === 'notOpen') expect(reason.during).toBe(during)
          if (reason?.kind === 'leftOut') expect(selection.not).toContain(reason.by)
          if (reason?.kind === 'default') {
            expect(reason.by).toBe(due?.by)
            expect(reason.isFirst).toBe(index === 0)
          }
        }
      }),
    )
  })

  test('of a default that is a signature of a mailbox is none of the own signatures', () => {
    fc.assert(
      fc.property(release, person, (given, of) => {
        const due = { choice: { master: 's0-desk' }, by: 'user' } as const
        const reasons = signatureReasons(explainSignatures(given, of, DAY, due), due.by)
        expect(reasons.some(({ kind }) => kind === 'default')).toBe(false)
      }),
    )
  })
})

/** Blocks in two slots, half of them for everyone and always open, whose shares part people in halves. */
const block: fc.Arbitrary<Omit<Block, 'id'>> = fc
  .record({
    like: signature,
    of: fc.oneof(fc.constant(EVERYONE), selection),
    isAlways: fc.boolean(),
    slot: fc.constantFrom('banner', 'notice'),
    replies: fc.boolean(),
    share: fc.constantFrom(50, 100),
    times: openTimes,
  })
  .map(({ like: { template, during, recipients }, of, isAlways, slot, replies, share, times }) => ({
    ...times,
    name: 'A block',
    slot,
    template,
    selection: of,
    during: isAlways ? null : during,
    recipients,
    replies,
    share,
  }))
const withBlocks = fc
  .tuple(anyDocument, fc.array(block, { maxLength: 8, size: 'max' }))
  .map(([given, blocks]) =>
    compileRelease('r-1', {
      ...given,
      ...(blocks.length > 0 && {
        blocks: blocks.map((each, at) => ({ ...each, id: `b${at}`, name: `B ${at}` })),
      }),
    }),
  )

describe('the reasons for the blocks of a person', () => {
  test('[BLOCK-11] name every block once, in its slot, and agree with which may stand there', () => {
    fc.assert(
      fc.property(withBlocks, person, moment, (given, of, at) => {
        const slots = explainBlocks(given, of, at)
        const blocks = given.document.blocks ?? []
        expect(slots.map(({ slot }) => slot)).toEqual([...new Set(blocks.map(({ slot }) => slot))])
        for (const { slot, blocks: told } of slots) {
          expect(told.map(({ block: id, name }) => [id, name])).toEqual(
            given.blocksIn(slot).map(({ id, name }) => [id, name]),
          )
          const isLater = (id: string) =>
            given.blocksIn(slot).some((each) => each.id === id && openTimesOf(given, each, of, at)?.length)
          const standing = told.filter(
            ({ block: id, reason: { kind } }) => kind === 'mayStand' || (kind === 'notNow' && isLater(id)),
          )
          // A block before or after a person's own days names them, also if it may open within the next days.
          const isOutside = ({ id, ownDays }: Block) =>
            ownDays &&
            told.some(({ block, reason: { kind } }) => block === id && /^(?:notYet|over)$/.test(kind))
          expect(standing.map(({ block: id }) => id)).toEqual(
            candidatesIn(given, slot, of, at).flatMap((each) => (isOutside(each) ? [] : each.id)),
          )
        }
      }),
      { numRuns: 300 },
    )
  })

  test('say that nothing fits of a block for recipients of an organisation without domains of its own', () => {
    fc.assert(
      fc.property(withBlocks, person, moment, ({ id, document }, of, at) => {
        const slots = explainBlocks(compileRelease(id, { ...document, internal: [] }), of, at)
        const told = new Map(slots.flatMap(({ blocks }) => blocks.map((each) => [each.block, each.reason])))
        for (const { id: block, recipients } of document.blocks ?? [])
          if (recipients === 'internal' || recipients === 'external')
            expect(told.get(block)).toEqual({ kind: 'nothingFits' })
      }),
    )
  })

  test('[BLOCK-11] tell what decides: who it is for before the share, the share before the day, the day before an earlier block', () => {
    fc.assert(
      fc.property(withBlocks, person, moment, (given, of, at) => {
        for (const { slot, blocks } of explainBlocks(given, of, at))
          for (const [index, one] of given.blocksIn(slot).entries()) {
            const reason = blocks[index]?.reason
            const { during, recipients, replies, share } = one
            const { not, ...rest } = one.selection
            const own = one.ownDays ? enteredDays(given, one.ownDays, of).period : null
            const days = during ?? own
            const open = isPeriodOpen(during, at) && isPeriodOpen(own, at)
            const isFor = isBlockFor(one, of)
            const times = openTimesOf(given, one, of, at)
            const isLeftOut = matchesSelection({ for: not, not: [] }, of)
            switch (reason?.kind) {
              case 'leftOut':
                expect(not).toContain(reason.by)
                expect(matchesSelection({ for: [reason.by], not: [] }, of)).toBe(true)
                break
              case 'nothingFits':
                expect([isLeftOut, matchesSelection({ ...rest, not: [] }, of)]).toEqual([false, false])
                break
              case 'notInShare':
                expect([matchesSelection({ ...rest, not }, of), isFor, reason.share]).toEqual([
                  true,
                  false,
                  share,
                ])
                break
              case 'notYet':
              case 'over': {
                expect([isFor, open]).toEqual([true, false])
                expect([during, own]).toContainEqual(reason.during)
                const { opens, closes } = windowOf(reason.during) ?? { opens: 0, closes: 0 }
                expect(reason.kind === 'notYet' ? at < opens : at >= closes).toBe(true)
                break
              }
              case 'noOwnDays':
                expect([isFor, own, times]).toEqual([true, null, []])
                expect([reason.from.variable, reason.to.variable]).toEqual([
                  one.ownDays?.from,
                  one.ownDays?.to,
                ])
                for (const { variable, value } of [reason.from, reason.to])
                  expect(value).toBe(variableValue(given, of, variable).trim())
                break
              case 'notNow':
                expect([isFor, open, reason.hours]).toEqual([true, true, one.hours])
                expect(times?.some(([from, to]) => from <= at && at < to)).toBe(false)
                expect(reason.next).toBe(times?.map(([from]) => from).find((from) => from > at) ?? null)
                break
              case 'always': {
                expect([isFor, open]).toEqual([true, true])
                expect(reason.by).toBe(candidatesIn(given, slot, of, at).at(-1)?.name)
                break
              }
              case 'mayStand':
                expect([isFor, open]).toEqual([true, true])
                expect(times?.some(([from, to]) => from <= at && at < to) ?? true).toBe(true)
                expect(reason).toMatchObject({ share, during: days, recipients, replies })
                expect(reason.hours).toEqual(one.hours)
                expect(reason.everyone).toBe(rest.for === 'everyone' && not.length === 0 && share === 100)
                expect(rest.for === 'everyone' ? reason.because : rest.for).toEqual(
                  rest.for === 'everyone' ? 'everyone' : expect.arrayContaining([reason.because]),
                )
                break
              case undefined:
                expect.unreachable('a block without a reason')
            }
          }
      }),
      { numRuns: 300 },
    )
  })
})

describe('why a person has no signature', () => {
  test('is said exactly of people who have left, of everyone before a release, and of people without a default', () => {
    fc.assert(
      fc.property(fc.option(release), person, moment, (given, of, at) => {
        const due = given && defaultChoice(given, of, at)
        const none = whyNoSignature(given, of, at, due)
        expect(none === null).toBe(of.active && due !== null)
        expect(none?.kind === 'hasLeft').toBe(!of.active)
        expect(none?.kind === 'nothingPublished').toBe(of.active && given === null)
      }),
    )
  })

  test('is what the person lacks: a period that is open, else not to be left out, else anything that fits', () => {
    fc.assert(
      fc.property(release, person, moment, (given, one, at) => {
        const of = { ...one, active: true }
        const none = whyNoSignature(given, of, at, defaultChoice(given, of, at))
        if (none === null) return
        const { signatures } = given.document
        const [closed] = signatures.filter(({ selection }) => matchesSelection(selection, of))
        const [leftOut] = signatures.filter(({ selection }) =>
          matchesSelection({ ...selection, not: [] }, of),
        )
        if (signatures.length === 0) expect(none).toEqual({ kind: 'noneInRelease' })
        else if (closed) expect(none).toEqual({ kind: 'notOpen', name: closed.name, during: closed.during })
        else if (leftOut) {
          const by = leftOut.selection.not.find((group) => matchesSelection({ for: [group], not: [] }, of))
          expect(none).toEqual({ kind: 'leftOut', name: leftOut.name, by })
        } else {
          const asked = signatures.flatMap(({ selection }) =>
            selection.for === 'everyone' ? [] : selection.for.flat().map(conditionKeyOf),
          )
          expect(none).toEqual({ kind: 'nothingFits', asked: [...new Set(asked)].slice(0, 10) })
        }
      }),
      { numRuns: 300 },
    )
  })
})

test('a label is found by its variable, and by the field that the first labelled variable shows', () => {
  fc.assert(
    fc.property(release, (given) => {
      const { variables } = given.document
      const labels = variableLabelsOf(given)
      const names = new Set(variables.flatMap(({ path, from }) => (from === null ? [path] : [path, from])))
      for (const name of [...names, 'unknown']) {
        const own = variables.find(({ path, label }) => path === name && label !== null)
        const shows = variables.find(({ from, label }) => from === name && label !== null)
        expect(labels[name]).toBe((own ?? shows)?.label ?? undefined)
      }
    }),
  )
})

test('the first label of a field counts, and the label of a variable before that of a field', () => {
  const variable = (path: string, from: string | null, label: string | null) => ({
    path,
    from,
    label,
    value: null,
    edit: false,
    resync: false,
    hidden: false,
    group: null,
  })
  const variables = [
    variable('one', 'title', null),
    variable('two', 'title', 'Second'),
    variable('three', 'title', 'Third'),
    variable('four', 'five', 'Fourth'),
    variable('five', null, 'Fifth'),
  ]
  const document = { variables } as unknown as ReleaseDocument
  expect(variableLabelsOf({ document })).toEqual({
    two: 'Second',
    three: 'Third',
    four: 'Fourth',
    five: 'Fifth',
    title: 'Second',
  })
})

test('a reason names at most ten of the conditions for which the signatures ask', () => {
  const selection = {
    for: [Array.from({ length: 12 }, (_, at) => ({ by: 'field', field: `f${at % 11}`, values: ['x'] }))],
    not: [],
  }
  const document = { signatures: [{ id: 'a', name: 'A', during: null, selection }] }
  const of = { active: true, directory: {}, groups: [], addresses: [] } as unknown as PersonState
  expect(whyNoSignature({ document } as unknown as Release, of, DAY, null)).toEqual({
    kind: 'nothingFits',
    asked: Array.from({ length: 10 }, (_, at) => `f${at}`),
  })
})

describe('the details of a person', () => {
  test('are the values of the variables that are neither hidden nor of the record, beside what the directory says', () => {
    fc.assert(
      fc.property(release, person, (given, of) => {
        const details = personDetailsOf(given, of)
        const values = variableValues(given, of, { pictureUrl: '' })
        const differing = replacedDirectoryValues(given, of)
        expect(details.map(({ path }) => path)).toEqual(
          given.document.variables
            .filter(({ path, hidden }) => !hidden && !RECORD_VARIABLES.includes(path))
            .map(({ path }) => path),
        )
        for (const { path, value, replaces } of details) {
          expect(value).toBe(values[path])
          const field = given.variableOf(path)?.from ?? null
          if (replaces === null) continue
          expect(differing[field ?? '']).toBe(replaces)
          expect(replaces).not.toBe(value)
        }
      }),
    )
  })
})
