import { describe, expect, test } from 'vitest'
import { explainCrowded, levelOf } from './claims.ts'
import { listTestFiles } from './projects.ts'

/** Without the brackets of a title, because a claim in brackets would count here too. */
const CLAIM = 'SIG-8'
const OTHER = 'NAV-9'
const texts = (...files: readonly string[]) =>
  new Map(files.map((file) => [file, `test('[${CLAIM}] holds', …)`]))

test('each test file has a level', () => {
  expect(new Set(listTestFiles().map(levelOf))).toContain('journeys')
  expect(() => levelOf('tests/nowhere/a.test.ts')).toThrow('no level has the folder nowhere')
})

describe('a claim', () => {
  const three = texts('tests/streams/a.test.ts', 'tests/effects/a.test.ts', 'tests/journeys/a.test.ts')

  test.each([
    ['at one level, in many files', texts('tests/streams/a.test.ts', 'tests/values/b.test.ts')],
    ['at the lowest level and in a journey', texts('tests/streams/a.test.ts', 'tests/journeys/a.test.ts')],
  ])('may stand %s', (_, files) => {
    expect(explainCrowded(files, [])).toBeNull()
  })

  test('on three levels is named with them', () => {
    expect(explainCrowded(three, [])).toBe(
      `[${CLAIM}] stands on rules, edges, journeys: keep the lowest level that can break it, and one journey.`,
    )
  })

  test('may stand on three levels with an exception', () => {
    expect(explainCrowded(three, [{ why: 'x', claims: CLAIM }])).toBeNull()
  })
})

test('an exception that no claim needs, or that is there twice, is named', () => {
  const unused = 'needs no exception, or has two.'
  expect(explainCrowded(texts('tests/streams/a.test.ts'), [{ why: 'x', claims: `${CLAIM} ${OTHER}` }])).toBe(
    `[${CLAIM}] ${unused}\n[${OTHER}] ${unused}`,
  )
})
