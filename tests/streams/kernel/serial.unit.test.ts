import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSerial } from '../../../streams/kernel/serial.ts'
import { cases } from '../../support/cases.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('works of one key never overlap, whatever fails, and those of another key do not wait', async () => {
  const work = fc.record({ key: fc.constantFrom('a', 'b'), fails: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(work, { maxLength: 8 }), async (works) => {
      const inTurn = createSerial()
      const begun: number[] = []
      const ends: (() => void)[] = []
      const results = works.map(({ key, fails }, index) =>
        inTurn(async () => {
          begun.push(index)
          await new Promise<void>((resolve) => (ends[index] = resolve))
          if (fails) throw new Error('failed')
          return index
        }, key).catch(() => -index),
      )
      const order = (key: string) => works.flatMap((work, index) => (work.key === key ? [index] : []))
      const [ofA, ofB] = [order('a'), order('b')]
      for (let at = 0; at < works.length; at += 1) {
        await settled()
        const expected = [...ofA.slice(0, at + 1), ...ofB.slice(0, at + 1)].sort()
        expect([...begun].sort()).toEqual(expected)
        for (const index of [ofA[at], ofB[at]]) if (index !== undefined) ends[index]?.()
      }
      expect(await Promise.all(results)).toEqual(works.map(({ fails }, index) => (fails ? -index : index)))
    }),
    cases(50),
  )
})

it('a work that comes while the last one waits for its turn waits for it, too', async () => {
  const inTurn = createSerial()
  const order: string[] = []
  const first = inTurn(async () => void order.push('first'))
  const second = inTurn(async () => {
    await settled()
    order.push('second')
  })
  await first
  await inTurn(async () => void order.push('third'))
  await second
  expect(order).toEqual(['first', 'second', 'third'])
})
