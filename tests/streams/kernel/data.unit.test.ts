import { inspect } from 'node:util'
import fc from 'fast-check'
import { from, toArray } from 'rxjs'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  assertNever,
  defineEvents,
  type EventOf,
  fact,
  gesture,
  ofType,
} from '../../../streams/kernel/event.ts'
import { idField, listField, openField, nullableField, redactedField } from '../../../streams/kernel/field.ts'
import { createSecret, revealSecret } from '../../../streams/kernel/secret.ts'
import { createSelector } from '../../../streams/kernel/selector.ts'
import { recorded, throughJson } from '../../support/state.ts'

describe('events', () => {
  const Doors = defineEvents('doors', { opened: gesture({ by: openField<string>() }), closed: fact({}) })
  type DoorEvent = EventOf<typeof Doors>

  test('are plain data: the type `domain/name`, and the fields', () => {
    expect(Doors.opened({ by: 'Ann' })).toEqual({ type: 'doors/opened', data: { by: 'Ann' } })
    expect(Doors.closed()).toEqual({ type: 'doors/closed', data: {} })
    expect([Doors.opened.type, Doors.closed.type]).toEqual(['doors/opened', 'doors/closed'])
    expectTypeOf<DoorEvent['type']>().toEqualTypeOf<'doors/opened' | 'doors/closed'>()
  })

  test('`ofType` keeps the events of these creators, and no others', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), (opened) => {
        const events = opened.map((isOpened, seq) =>
          recorded<DoorEvent>(isOpened ? Doors.opened({ by: 'Ann' }) : Doors.closed(), seq),
        )
        const kept: unknown[] = []
        from(events)
          .pipe(ofType(Doors.opened), toArray())
          .subscribe((all) => kept.push(...all))
        expect(kept).toEqual(events.filter(({ type }) => type === 'doors/opened'))
        from(events)
          .pipe(ofType(Doors.opened, Doors.closed), toArray())
          .subscribe((all) => {
            expect(all).toEqual(events)
          })
      }),
    )
  })

  test('`assertNever` names the variant that has no case', () => {
    expect(() => assertNever({ type: 'doors/painted' } as never)).toThrow('{"type":"doors/painted"}')
  })
})

describe('a field', () => {
  const kind = fc.stringMatching(/^[a-z][A-Za-z]*$/)

  test('is at run time the name of its redactor; null and lists add a mark', () => {
    fc.assert(
      fc.property(kind, (name) => {
        const field = redactedField<number>()(name)
        expect(field).toBe(name)
        expect(idField(name)).toBe(name)
        expect(nullableField(field)).toBe(`${name}?`)
        expect(listField(field)).toBe(`${name}[]`)
        expect(nullableField(listField(field))).toBe(`${name}[]?`)
      }),
    )
    expect(openField<boolean>()).toBe('open')
  })

  test('is kept by the creator of its event, under its own name', () => {
    const Notes = defineEvents('notes', {
      written: gesture({ text: redactedField<string>()('text'), author: nullableField(idField('user')) }),
      read: fact({}),
    })
    expect(Notes.written.fields).toEqual({ text: 'text', author: 'user?' })
    expect(Notes.read.fields).toEqual({})
  })
})

describe('a secret', () => {
  const value = fc.string({ minLength: 12, unit: 'grapheme-ascii' })

  test('prints nowhere: as text, in JSON, in the console, in an error', () => {
    fc.assert(
      fc.property(value, (hidden) => {
        const secret = createSecret(hidden)
        const printed = [
          JSON.stringify({ secret }),
          Object.prototype.toString.call(secret),
          inspect(secret, { depth: 9, showHidden: true, getters: true }),
          Object.entries(secret).join(),
          JSON.stringify(structuredClone(secret)),
        ]
        for (const text of printed) expect(text).not.toContain(hidden)
        expect(printed[0]).toContain('<secret>')
      }),
    )
  })

  test('can be revealed, but a copy of it cannot', () => {
    fc.assert(
      fc.property(value, (hidden) => {
        const secret = createSecret(hidden)
        expect(revealSecret(secret)).toBe(hidden)
        expect(revealSecret(throughJson(secret))).toBeNull()
        expect(revealSecret({ ...secret })).toBeNull()
      }),
    )
  })

  test('cannot be changed', () => {
    expect(Object.isFrozen(createSecret('x'))).toBe(true)
  })
})

describe('a memoised selector', () => {
  type State = Readonly<{ a: readonly number[]; b: number; other: string }>
  const create = () => {
    let runs = 0
    const select = createSelector([({ a }: State) => a, ({ b }: State) => b], (a, b) => {
      runs += 1
      return { sum: a.reduce((sum, each) => sum + each, b) }
    })
    return { select, runs: () => runs }
  }

  test('gives the right value, and the same reference until an input changes', () => {
    const lists = [[1, 2], [1, 2], []] as const
    const state: fc.Arbitrary<State> = fc.record({
      a: fc.constantFrom(...lists),
      b: fc.constantFrom(0, 1, Number.NaN),
      other: fc.string(),
    })
    fc.assert(
      fc.property(fc.array(state), (states) => {
        const { select, runs } = create()
        let expectedRuns = 0
        let last: { state: State; result: object } | null = null
        for (const each of states) {
          const result = select(each)
          const isSame = last !== null && last.state.a === each.a && Object.is(last.state.b, each.b)
          if (!isSame) expectedRuns += 1
          if (isSame) expect(result).toBe(last?.result)
          expect(result).toEqual({ sum: each.a.reduce((sum, one) => sum + one, each.b) })
          expect(select(each)).toBe(result)
          expect(runs()).toBe(expectedRuns)
          last = { state: each, result }
        }
      }),
    )
  })
})
