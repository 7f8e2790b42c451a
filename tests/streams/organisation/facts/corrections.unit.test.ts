import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decidePerson,
  isRefusedCommand,
  type PersonCommand,
} from '../../../../streams/organisation/decide.ts'
import {
  fieldSource,
  firstLastDay,
  ownDirectory,
  setByHandOf,
  valueBelowCorrection,
} from '../../../../streams/organisation/facts/corrections.ts'
import type { DirectoryRecord, PersonFact } from '../../../../streams/organisation/facts/events.ts'
import { withFacts } from '../../../../streams/organisation/facts/reducer.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { compileRelease, type Release } from '../../../../streams/organisation/release/release.ts'
import { variableValues } from '../../../../streams/organisation/release/selectors.ts'
import { dayOf } from '../../../../streams/organisation/release/names.ts'
import { auditFactOf } from '../../../../streams/organisation/facts/audit.ts'
import { document, record, setByHand, supplemented } from '../arbitraries.ts'
import { variableOf } from '../../../support/variables.ts'

type Values = Readonly<Record<string, string>>

/** What each layer says, from the lowest to the highest. The model knows no facts and no row. */
type Model = {
  directory: Values
  supplement: Record<string, string>
  fields: Record<string, { value: string; until: string }>
  excluded: string | null
  pinned: { signature: string; until: string } | null
}

const DAYS = ['2026-01-13', '2026-01-15', '2026-01-17'] as const

type Act =
  | Readonly<{ type: 'import'; record: DirectoryRecord }>
  | Readonly<{ type: 'correct'; set: Extract<PersonCommand, { type: 'correct' }>['corrections'] }>
  | Readonly<{ type: 'supplement'; values: Values }>
  | Readonly<{ type: 'end'; day: string }>
  | Readonly<{ type: 'edit'; value: string }>
  | Readonly<{ type: 'reset' }>

const act: fc.Arbitrary<Act> = fc.oneof(
  record.map((each) => ({ type: 'import' as const, record: each })),
  setByHand.map((set) => ({ type: 'correct' as const, set })),
  supplemented.map((values) => ({ type: 'supplement' as const, values })),
  fc.constantFrom(...DAYS).map((day) => ({ type: 'end' as const, day })),
  fc.constantFrom('edited', 'Sales').map((value) => ({ type: 'edit' as const, value })),
  fc.constant({ type: 'reset' as const }),
)

const [sample] = fc.sample(document, { seed: 1, numRuns: 1 })
if (sample === undefined) throw new Error('no sample')
const published: Release = compileRelease('r', {
  ...sample,
  mailboxes: [],
  variables: [
    variableOf('own_department', { from: 'department', edit: true, group: null, resync: true }),
    variableOf('own_country', { from: 'country', group: null }),
  ],
  signatures: ['s0', 's1', 's2'].map((id) => ({
    id,
    name: id,
    template: 'templates/a.html',
    reply: null,
    mobile: null,
    selection: { for: [], not: [] },
    during: null,
    recipients: 'everyone' as const,
    collection: null,
  })),
})

const below = ({ supplement, directory }: Pick<Model, 'supplement' | 'directory'>, field: string) =>
  supplement[field] ?? (Object.hasOwn(directory, field) ? directory[field] : undefined)

const without = <Value>(
  values: Readonly<Record<string, Value>>,
  isLeftOut: (field: string, value: Value) => boolean,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([field, value]) => !isLeftOut(field, value)))

/** Ends what lasts until the values below say something else. */
function withBelow(model: Model, change: Partial<Pick<Model, 'directory' | 'supplement'>>): void {
  const after = { ...model, ...change }
  const isOver = (field: string) => below(model, field) !== below(after, field)
  model.fields = without(model.fields, (field, { until }) => until === 'changed' && isOver(field))
  Object.assign(model, change)
}

function follow(model: Model, each: Act): void {
  const isOver = (until: string, day: string) => until.startsWith('2') && until < day
  switch (each.type) {
    case 'import':
      return withBelow(model, { directory: each.record.fields })
    case 'correct':
      model.fields = { ...each.set.fields }
      model.excluded = each.set.excluded?.until ?? null
      model.pinned = each.set.pinned ?? null
      return
    case 'supplement': {
      const supplement = without({ ...model.supplement, ...each.values }, (_, value) => value === '')
      return withBelow(model, { supplement })
    }
    case 'end':
      model.fields = without(model.fields, (_, { until }) => isOver(until, each.day))
      if (model.excluded !== null && isOver(model.excluded, each.day)) model.excluded = null
      if (model.pinned !== null && isOver(model.pinned.until, each.day)) model.pinned = null
      return
    case 'edit':
    case 'reset':
  }
}

const commandOf = (each: Act, row: PersonState): PersonCommand => {
  switch (each.type) {
    case 'import':
      return { type: 'importRecord', record: each.record }
    case 'correct':
      return { type: 'correct', revision: row.revision, corrections: each.set }
    case 'supplement':
      return { type: 'supplement', source: 'extra.csv', values: each.values }
    case 'end':
      return { type: 'endCorrections', day: each.day }
    case 'edit':
      return { type: 'saveValues', values: { own_department: each.value }, resetFields: [] }
    case 'reset':
      return { type: 'saveValues', values: {}, resetFields: ['own_department'] }
  }
}

const SIGNED = { actor: 'admin@in.example', at: 7 }
function decided(row: PersonState | null, command: PersonCommand): readonly PersonFact[] {
  const facts = decidePerson(row, command, published)
  return isRefusedCommand(facts) ? [] : facts
}
const doing = (row: PersonState | null, command: PersonCommand): PersonState => {
  const after = withFacts(row, decided(row, command), 'p-1', SIGNED)
  if (after === null) throw new Error('the person is gone')
  return after
}
const imported = (fields: Values): PersonState =>
  doing(null, { type: 'importRecord', record: recordOf(fields) })
const recordOf = (fields: Values): DirectoryRecord => ({
  addresses: ['a@in.example'],
  account: null,
  language: null,
  fields,
  groups: [],
  picture: null,
})
const correcting = (
  row: PersonState,
  corrections: Extract<PersonCommand, { type: 'correct' }>['corrections'],
) => doing(row, { type: 'correct', revision: row.revision, corrections })

describe('the values of a person', () => {
  it('[PERSON-1] are those of the highest layer, whatever was imported, supplemented, corrected and edited', () => {
    fc.assert(
      fc.property(record, fc.array(act, { maxLength: 14 }), (first, acts) => {
        let row = imported(first.fields)
        const facts: PersonFact[] = [
          ...decided(null, { type: 'importRecord', record: recordOf(first.fields) }),
        ]
        const model: Model = {
          directory: first.fields,
          supplement: {},
          fields: {},
          excluded: null,
          pinned: null,
        }
        for (const each of acts) {
          const command = commandOf(each, row)
          facts.push(...decided(row, command))
          row = doing(row, command)
          follow(model, each)
          const effective = {
            ...Object.fromEntries(Object.entries(model.directory)),
            ...model.supplement,
            ...Object.fromEntries(Object.entries(model.fields).map(([field, { value }]) => [field, value])),
          }
          expect(row.directory).toEqual(effective)
          expect(ownDirectory(row)).toEqual(model.directory)
          for (const field of ['department', 'country', 'phone'])
            expect(fieldSource(row, field)).toBe(
              Object.hasOwn(model.fields, field)
                ? 'administrator'
                : Object.hasOwn(model.supplement, field)
                  ? 'file'
                  : 'directory',
            )
          expect([
            row.corrections?.excluded?.until ?? null,
            row.corrections?.pinned?.signature ?? null,
          ]).toEqual([model.excluded, model.pinned?.signature ?? null])
          for (const field of ['department', 'country', 'phone'])
            expect(valueBelowCorrection(row, field)).toBe(below(model, field) ?? null)
          expect(setByHandOf(row)).toEqual({
            fields: model.fields,
            ...(model.excluded !== null && { excluded: { until: model.excluded } }),
            ...(model.pinned && { pinned: model.pinned }),
          })
          const lasting = [...Object.values(model.fields).map(({ until }) => until)]
          const days = [...lasting, model.excluded ?? '', model.pinned?.until ?? ''].filter((one) =>
            one.startsWith('2'),
          )
          expect(firstLastDay(row)).toBe(days.sort()[0] ?? null)
          const own = row.values['own_department']
          if (own !== undefined)
            expect(variableValues(published, row, { pictureUrl: '' })['own_department']).toBe(own)
        }
        const isLayered =
          Object.keys(model.fields).length + Object.keys(model.supplement).length > 0 ||
          model.excluded !== null ||
          model.pinned !== null
        expect(Object.hasOwn(row, 'corrections')).toBe(isLayered)
        const stored = JSON.parse(JSON.stringify(facts)) as readonly PersonFact[]
        expect(withFacts(null, stored, 'p-1', SIGNED)).toEqual(row)
      }),
      { numRuns: 400 },
    )
  })

  it('stay when the same directory is imported again', () => {
    fc.assert(
      fc.property(record, setByHand, supplemented, (told, set, values) => {
        const first = doing(null, { type: 'importRecord', record: told })
        const row = doing(correcting(first, set), { type: 'supplement', source: 'extra.csv', values })
        expect(decided(row, { type: 'importRecord', record: told })).toEqual([])
      }),
    )
  })
})

describe('a correction', () => {
  const row = imported({ jobTitle: 'Seller', city: 'Kiel' })
  const changed = correcting(row, { fields: { jobTitle: { value: 'Head of sales', until: 'changed' } } })

  it('says who set it, when, and what the directory says', () => {
    expect(changed.directory).toEqual({ jobTitle: 'Head of sales', city: 'Kiel' })
    expect(changed.corrections).toEqual({
      fields: {
        jobTitle: { value: 'Head of sales', until: 'changed', by: 'admin@in.example', at: 7 },
      },
      supplement: {},
      under: { jobTitle: 'Seller' },
    })
  })

  it('until the directory says something else outlives other changes, and ends at once with that one', () => {
    const moved = doing(changed, {
      type: 'importRecord',
      record: recordOf({ jobTitle: 'Seller', city: 'Ulm' }),
    })
    expect(moved.directory).toEqual({ jobTitle: 'Head of sales', city: 'Ulm' })
    const promoted = doing(moved, {
      type: 'importRecord',
      record: recordOf({ jobTitle: 'CEO', city: 'Ulm' }),
    })
    expect(promoted.directory).toEqual({ jobTitle: 'CEO', city: 'Ulm' })
    expect(promoted).not.toHaveProperty('corrections')
  })

  it('until it is removed outlives the same change, and knows what the directory says by then', () => {
    const lasting = correcting(row, { fields: { jobTitle: { value: 'Head of sales', until: 'removed' } } })
    const later = doing(lasting, { type: 'importRecord', record: recordOf({ city: 'Kiel' }) })
    expect(later.directory['jobTitle']).toBe('Head of sales')
    expect(later.corrections?.under).toEqual({ jobTitle: null })
    expect(correcting(later, { fields: {} }).directory).toEqual({ city: 'Kiel' })
  })

  it('of a day lasts all that day in UTC', () => {
    const today = correcting(row, { fields: { jobTitle: { value: 'x', until: '2026-12-24' } } })
    const endOn = (at: string) =>
      doing(today, { type: 'endCorrections', day: dayOf(Date.parse(at)) }).directory['jobTitle']
    expect([endOn('2026-12-24T23:59:59Z'), endOn('2026-12-25T00:00:00Z')]).toEqual(['x', 'Seller'])
  })

  it('ends after its day for a person who has left, too', () => {
    const today = correcting(row, { fields: {}, excluded: { until: '2026-12-24' } })
    const gone = doing(today, { type: 'deactivate' })
    expect(doing(gone, { type: 'endCorrections', day: '2026-12-25' })).not.toHaveProperty('corrections')
  })

  it('is refused after the person changed, and for a signature that is not published', () => {
    const pinned = { signature: 's9', until: 'removed' }
    const correct = (revision: number, corrections: Parameters<typeof correcting>[1]) =>
      decidePerson(row, { type: 'correct', revision, corrections }, published)
    expect(correct(row.revision + 1, { fields: {} })).toMatchObject({ refused: 'person_changed' })
    expect(correct(row.revision, { fields: {}, pinned })).toMatchObject({ refused: 'unknown_signature' })
    const known = correcting(row, { fields: {}, pinned: { ...pinned, signature: 's1' } })
    const none = compileRelease('r', { ...published.document, signatures: [] })
    const again = { fields: {}, pinned: { signature: 's1', until: '2026-12-24' } }
    const kept = decidePerson(known, { type: 'correct', revision: known.revision, corrections: again }, none)
    expect(kept).toMatchObject([{ type: 'person/pinned', data: again.pinned }])
  })

  it('records only what differs', () => {
    const both = correcting(changed, {
      fields: {
        jobTitle: { value: 'Head of sales', until: 'changed' },
        city: { value: 'Ulm', until: 'removed' },
      },
    })
    expect(both.revision).toBe(changed.revision + 1)
    const command = { type: 'correct', revision: both.revision } as const
    expect(
      decided(both, { ...command, corrections: { fields: { city: { value: 'Ulm', until: 'changed' } } } }),
    ).toEqual([
      { type: 'person/correctionsEnded', data: { fields: ['jobTitle'] } },
      { type: 'person/corrected', data: { fields: { city: { value: 'Ulm', until: 'changed' } } } },
    ])
  })
})

describe('a supplement', () => {
  it('[PERSON-2] adds and removes values of named fields, and ends a correction until the value below is another', () => {
    const row = imported({ city: 'Kiel' })
    const supplement = (state: PersonState, values: Values) =>
      doing(state, { type: 'supplement', source: 'extra.csv', values })
    const told = supplement(row, { pronouns: 'she/her', city: 'Ulm' })
    expect(told.directory).toEqual({ city: 'Ulm', pronouns: 'she/her' })
    expect(told.corrections?.supplement).toEqual({
      pronouns: { value: 'she/her', by: 'extra.csv', at: 7 },
      city: { value: 'Ulm', by: 'extra.csv', at: 7 },
    })
    expect(decided(told, { type: 'supplement', source: 'other.csv', values: { city: 'Ulm' } })).toEqual([])
    const corrected = correcting(told, { fields: { city: { value: 'Bonn', until: 'changed' } } })
    const unmoved = doing(corrected, { type: 'importRecord', record: recordOf({ city: 'Trier' }) })
    expect(unmoved.directory['city']).toBe('Bonn')
    expect(supplement(unmoved, { city: '' }).directory).toEqual({ city: 'Trier', pronouns: 'she/her' })
  })
})

it('shows an administrator the names of corrected fields, and no values', () => {
  const row = imported({ city: 'Kiel' })
  const facts = [
    ...decided(row, {
      type: 'correct',
      revision: row.revision,
      corrections: { fields: { city: { value: 'Ulm', until: 'changed' } } },
    }),
    ...decided(row, { type: 'supplement', source: 'extra.csv', values: { pronouns: 'they' } }),
    { type: 'person/correctionsEnded', data: { fields: ['city'] } } as const,
  ]
  const meta = { seq: 1, at: 7, source: 'admin' }
  expect(facts.map((fact) => auditFactOf({ ...fact, meta }, 'person/p-1').fields)).toEqual([
    ['city'],
    ['pronouns'],
    ['city'],
  ])
})
