import type { Observable, Subscription } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { Failed } from '../../streams/kernel/failure.ts'

// What every port promises (effects/ports.ts), over its fake and over what ships.

/** How the world behind a call behaves: it answers, it refuses, or it answers only when it is let. */
export type Mood = 'answers' | 'refuses' | 'holds'

/** One call of a port, and the world behind it. */
export type CallUnderTest = Readonly<{
  make: () => Observable<unknown>
  /** How often the world was asked. */
  asked: () => number
  /** Lets the world give the answers that it held. */
  release: () => void
  /** Lets everything that is under way end. */
  rest: () => Promise<void>
}>

type CallTraits = Readonly<{
  /** `fails`: as `Failed`. `value`: a refusal is logged, and there is a value nevertheless. Null: the world cannot refuse. */
  whenRefused: 'fails' | 'value' | null
  /** Whether the world can be slow. */
  holds: boolean
}>

type Heard = { values: unknown[]; end: 'none' | 'completed' | { error: unknown }; subscription: Subscription }

const listen = (call$: Observable<unknown>): Heard => {
  const heard: Omit<Heard, 'subscription'> = { values: [], end: 'none' }
  const subscription = call$.subscribe({
    next: (value) => heard.values.push(value),
    error: (error: unknown) => (heard.end = { error }),
    complete: () => (heard.end = 'completed'),
  })
  return Object.assign(heard, { subscription })
}

/** A call: cold, one value, then it completes; a failure is a `Failed`; unsubscribing ends it. */
export function callContract(
  name: string,
  { whenRefused, holds }: CallTraits,
  open: (mood: Mood) => Promise<CallUnderTest> | CallUnderTest,
): void {
  describe(name, () => {
    it('asks nothing before a caller subscribes, and then once for each subscriber', async () => {
      const { make, asked, rest } = await open('answers')
      const call$ = make()
      await rest()
      expect(asked()).toBe(0)
      for (const times of [1, 2]) {
        listen(call$)
        await rest()
        expect(asked()).toBe(times)
      }
    })

    it('gives one value and completes', async () => {
      const { make, rest } = await open('answers')
      const heard = listen(make())
      await rest()
      expect(heard).toMatchObject({ values: [expect.anything()], end: 'completed' })
    })

    if (whenRefused !== null)
      it(`${whenRefused === 'fails' ? 'fails with a Failed' : 'gives a value'} when the world refuses`, async () => {
        const { make, rest } = await open('refuses')
        const heard = listen(make())
        await rest()
        if (whenRefused === 'value')
          expect(heard).toMatchObject({ values: [expect.anything()], end: 'completed' })
        else {
          expect(heard.values).toEqual([])
          expect(heard.end).toEqual({ error: expect.any(Failed) as unknown })
        }
      })

    if (holds)
      it('gives nothing to a listener that left, when the answer comes late', async () => {
        const { make, release, rest } = await open('holds')
        const [left, stayed] = [listen(make()), listen(make())]
        await rest()
        expect([left.values, stayed.values]).toEqual([[], []])
        left.subscription.unsubscribe()
        release()
        await rest()
        expect(left).toMatchObject({ values: [], end: 'none' })
        expect(stayed).toMatchObject({ values: [expect.anything()], end: 'completed' })
      })
  })
}

/** A stream that continues, and the world behind it. */
export type StreamUnderTest = Readonly<{
  stream$: Observable<unknown>
  /** Something happens that the stream tells. */
  happen: () => void
  rest: () => Promise<void>
}>

/** A stream: it continues; every listener hears what happens from then on, after what is the case now if it says so. */
export function streamContract(
  name: string,
  { startsWithNow }: Readonly<{ startsWithNow: boolean }>,
  open: () => Promise<StreamUnderTest> | StreamUnderTest,
): void {
  describe(name, () => {
    const first = startsWithNow ? 1 : 0

    it(`${startsWithNow ? 'tells what is the case now' : 'tells nothing at first'}, and then each change, without end`, async () => {
      const { stream$, happen, rest } = await open()
      const heard = listen(stream$)
      await rest()
      expect(heard.values).toHaveLength(first)
      for (const times of [1, 2]) {
        happen()
        await rest()
        expect(heard.values).toHaveLength(first + times)
      }
      expect(heard.end).toBe('none')
      heard.subscription.unsubscribe()
    })

    it('tells a later listener the same from then on, and one that left nothing more', async () => {
      const { stream$, happen, rest } = await open()
      const early = listen(stream$)
      await rest()
      happen()
      await rest()
      const late = listen(stream$)
      await rest()
      expect(late.values).toEqual(startsWithNow ? early.values.slice(-1) : [])
      early.subscription.unsubscribe()
      happen()
      await rest()
      expect(early.values).toHaveLength(first + 1)
      expect(late.values).toHaveLength(first + 1)
      expect(late.end).toBe('none')
      late.subscription.unsubscribe()
    })
  })
}
