import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFairQueue } from '../../src/server/fairLine.ts'
import { cases } from '../support/cases.ts'

/** A line whose work ends when the test says so. `began` names what has begun, in order. */
function held(atOnce: number) {
  const line = createFairQueue(atOnce)
  const organisations = new Map<string, object>()
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const settle = () => new Promise<void>((resolve) => void setImmediate(resolve))
  return {
    began,
    settle,
    /** Work such as `a1`: the first work of the organisation `a`. */
    ask: (name: string, client?: AbortSignal): Promise<string> => {
      const key = name.slice(0, 1)
      const organisation = organisations.get(key) ?? {}
      organisations.set(key, organisation)
      return line(
        organisation,
        () => {
          began.push(name)
          return new Promise<string>((resolve) => void ends.set(name, () => resolve(name)))
        },
        client,
      )
    },
    end: async (name: string) => {
      ends.get(name)?.()
      await settle()
    },
  }
}

describe('work of organisations', () => {
  it('of one that asks for much holds up no other that has a place', async () => {
    const { ask, began, settle, end } = held(2)
    for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name)
    await settle()
    expect(began).toEqual(['a1', 'b1'])
    await end('a1')
    expect(began).toEqual(['a1', 'b1', 'a2'])
  })

  it('begins in turns, whatever waits of each, where there is one place', async () => {
    const { ask, began, settle, end } = held(1)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void ask(name)
    await settle()
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name)
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('never begins once its client has left, and the next one does', async () => {
    const { ask, began, settle, end } = held(1)
    const leaving = new AbortController()
    void ask('a1')
    const left = expect(ask('b1', leaving.signal)).rejects.toThrow('gone')
    void ask('c1')
    await settle()
    leaving.abort(new Error('gone'))
    await left
    await end('a1')
    expect(began).toEqual(['a1', 'c1'])
    await expect(ask('d1', leaving.signal)).rejects.toThrow('gone')
  })

  it('that fails leaves its place', async () => {
    const line = createFairQueue(1)
    const one = {}
    await expect(line(one, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await line(one, () => Promise.resolve(1))).toBe(1)
  })

  it('waits for at most one work of each other organisation, and all work ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 20 }),
        async (atOnce, keys) => {
          const { ask, began, settle, end } = held(atOnce)
          const names = keys.map((key, index) => `${key}${String(index)}`)
          const done = Promise.all(names.map((name) => ask(name)))
          await settle()
          for (let ended = 0; ended < names.length; ended += 1) {
            const running = began.slice(ended)
            expect(running.length).toBeLessThanOrEqual(atOnce)
            expect(new Set(running.map((name) => name[0])).size).toBe(running.length)
            await end(began[ended] ?? '')
          }
          await done
          for (const key of new Set(keys)) {
            const own = began.flatMap((name, index) => (name.startsWith(key) ? index : []))
            expect(own[0]).toBeLessThanOrEqual(2 * atOnce)
            for (const [place, index] of own.entries())
              if (place > 0) expect(index - (own[place - 1] ?? 0)).toBeLessThanOrEqual(2 * atOnce + 1)
          }
        },
      ),
      cases(100),
    )
  })
})
