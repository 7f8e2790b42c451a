import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { handleCommand } from '../../../src/service/people/handleCommand.ts'
import { VersionConflict } from '../../../src/service/sql/problems.ts'
import { cases } from '../../support/cases.ts'

type State = Readonly<{ revision: number; facts: readonly string[] }>

/** A stream into which other writers append before some of the tries. */
function streamOf(others: readonly number[]) {
  let facts: readonly string[] = ['founded']
  const asked: number[] = []
  return {
    asked,
    facts: () => facts,
    port: {
      async load(least: number): Promise<State> {
        asked.push(least)
        return { revision: facts.length, facts }
      },
      async append(before: State | null, more: readonly string[]): Promise<State> {
        const first = others[asked.length - 1] ?? 0
        facts = [...facts, ...Array<string>(first).fill('other')]
        if (before?.revision !== facts.length) throw new VersionConflict('moved')
        facts = [...facts, ...more]
        return { revision: facts.length, facts }
      },
    },
  }
}
const own = (state: State | null) => [`after ${String(state?.revision)}`]

describe('a command', () => {
  it('is appended at the version over which it was decided, or refused after three tries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }), async (others) => {
        const { port, facts, asked } = streamOf(others)
        const tries = others.indexOf(0) + 1
        const handled = await handleCommand(port, own).catch((error: unknown) => error)
        const before = 1 + others.slice(0, tries || 3).reduce((sum, each) => sum + each, 0)
        if (tries === 0) expect(handled).toMatchObject({ code: 'conflict' })
        else
          expect(handled).toMatchObject({
            before: { revision: before },
            facts: own({ revision: before, facts: [] }),
            after: { revision: before + 1 },
          })
        expect(facts()).toHaveLength(tries === 0 ? before : before + 1)
        expect(asked).toHaveLength(tries || 3)
        // Another writer was first, so the stream has one more than what was read.
        for (const [index, least] of asked.entries())
          expect(least).toBe(
            index === 0 ? 0 : 2 + others.slice(0, index - 1).reduce((sum, each) => sum + each, 0),
          )
      }),
      cases(50),
    )
  })

  it('that is fulfilled already appends nothing', async () => {
    const { port, facts } = streamOf([])
    const state = { revision: 1, facts: ['founded'] }
    expect(await handleCommand(port, () => [])).toEqual({ before: state, facts: [], after: state })
    expect(facts()).toEqual(['founded'])
  })

  it('that is refused appends nothing and says why', async () => {
    const { port, facts, asked } = streamOf([])
    const refusing = () => ({ refused: 'base_moved', message: 'No.' }) as const
    await expect(handleCommand(port, refusing)).rejects.toMatchObject({ code: 'base_moved', message: 'No.' })
    expect(facts()).toEqual(['founded'])
    expect(asked).toEqual([0])
  })

  it('that cannot be appended for another reason is not tried again', async () => {
    const { port, asked } = streamOf([])
    const broken = new Error('broken')
    await expect(handleCommand({ ...port, append: () => Promise.reject(broken) }, own)).rejects.toBe(broken)
    expect(asked).toEqual([0])
  })
})
