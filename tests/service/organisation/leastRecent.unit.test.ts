import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPictureCache } from '../../../src/service/answers/images.ts'
import { createLeastRecentCache } from '../../../src/service/organisation/leastRecent.ts'

const BOUND = { bytes: 100, count: 5 }
const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** One organisation: its bytes may change while it is in memory, and it may be busy. */
type Kept = { size: number; isBusy: boolean; readonly bytes: () => number; readonly isIdle: () => boolean }
function kept(size: number, isBusy: boolean): Kept {
  const one: Kept = { size, isBusy, bytes: () => one.size, isIdle: () => !one.isBusy }
  return one
}

describe('what is in memory', () => {
  const use = fc.record({
    id: fc.constantFrom(...IDS),
    size: fc.nat(60),
    isBusy: fc.boolean(),
    isRemoved: fc.boolean(),
  })

  it('[SCALE-3] is within its bound after every use, but for what was just used and what is busy', () => {
    fc.assert(
      fc.property(fc.array(use, { maxLength: 60 }), (uses) => {
        const dropped: string[] = []
        const memory = createLeastRecentCache<Kept>(BOUND, (id) => dropped.push(id))
        /** Least recently used first. */
        let model: (readonly [id: string, one: Kept])[] = []
        for (const { id, size, isBusy, isRemoved } of uses) {
          if (isRemoved) {
            memory.remove(id)
            model = model.filter(([each]) => each !== id)
            continue
          }
          const one = memory.get(id) ?? kept(size, isBusy)
          Object.assign(one, { size, isBusy })
          dropped.length = 0
          memory.use(id, one)
          model = [...model.filter(([each]) => each !== id), [id, one]]
          const bytes = () => model.reduce((sum, [, each]) => sum + each.size, 0)
          const expected: string[] = []
          for (const [each, { isBusy: stays }] of model.slice(0, -1)) {
            if (bytes() <= BOUND.bytes && model.length <= BOUND.count) break
            if (stays) continue
            expected.push(each)
            model = model.filter(([other]) => other !== each)
          }
          expect(dropped).toEqual(expected)
          expect(memory.get(id)).toBe(one)
          expect(memory.size()).toEqual({ count: model.length, bytes: bytes() })
          if (model.slice(0, -1).every(([, each]) => !each.isBusy) && model.length > 1) {
            expect(bytes()).toBeLessThanOrEqual(Math.max(BOUND.bytes, one.size))
            expect(model.length).toBeLessThanOrEqual(BOUND.count)
          }
        }
        for (const id of IDS) expect(memory.get(id)).toBe(model.find(([each]) => each === id)?.[1] ?? null)
      }),
    )
  })
})

describe('the pictures of all organisations', () => {
  const pictureOf = (size: number) => ({
    mediaType: 'image/png',
    bytes: new Uint8Array(size),
    base64: '',
  })

  it('[SCALE-3] are not driven out by those of one organisation', () => {
    const cache = createPictureCache(100)
    for (const organisation of ['a', 'b', 'c'])
      for (const hash of ['1', '2']) cache.of(organisation).set(hash, pictureOf(10))
    for (let hash = 0; hash < 50; hash += 1) cache.of('large').set(String(hash), pictureOf(10))
    for (const organisation of ['a', 'b', 'c'])
      for (const hash of ['1', '2']) expect(cache.of(organisation).get(hash)).not.toBeNull()
    // The last ones of the large organisation fill the rest.
    const left = Array.from({ length: 50 }, (_, hash) => cache.of('large').get(String(hash)))
    expect(left.map((each) => each !== null)).toEqual(left.map((_, hash) => hash >= 46))
  })

  it('are within their bound, and of one organisation in the order of their use', () => {
    const step = fc.record({
      organisation: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      hash: fc.constantFrom('1', '2', '3', '4', '5', '6'),
      size: fc.integer({ min: 1, max: 40 }),
      action: fc.constantFrom('set', 'get', 'forget'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const cache = createPictureCache(100)
        let model: Readonly<{ organisation: string; hash: string; size: number }>[] = []
        const sizeOf = (all: typeof model) => all.reduce((sum, { size }) => sum + size, 0)
        for (const { organisation, hash, size, action } of steps) {
          const of = cache.of(organisation)
          const known = model.find((each) => each.organisation === organisation && each.hash === hash)
          const others = model.filter((each) => each !== known)
          if (action === 'get') {
            expect(of.get(hash)?.bytes.length).toBe(known?.size)
            if (known) model = [...others, known]
          } else if (action === 'forget') {
            of.forget(hash)
            model = others
          } else {
            of.set(hash, pictureOf(size))
            model = [...others, { organisation, hash, size }]
            while (sizeOf(model) > 100) {
              const isLarge = (whose: string) =>
                sizeOf(model.filter((each) => each.organisation === whose)) > 25
              const next = model.find((each) => isLarge(each.organisation)) ?? model[0]
              model = model.filter((each) => each !== next)
            }
          }
        }
        for (const { organisation, hash, size } of model)
          expect(cache.of(organisation).get(hash)?.bytes.length).toBe(size)
      }),
    )
  })
})
