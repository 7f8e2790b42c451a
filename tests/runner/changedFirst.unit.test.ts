import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { ChangedFirst, distancesFrom, LONGEST } from './changedFirst.ts'
import { listTestFiles } from './projects.ts'

test('counts the imports between a file and the nearest changed one', () => {
  const imports = new Map([
    ['tests/rules.test.ts', ['streams/rules.ts']],
    ['tests/pane.test.ts', ['views/pane/Pane.tsx']],
    ['tests/text.test.ts', ['views/text.ts']],
    ['views/pane/Pane.tsx', ['streams/rules.ts', 'views/text.ts']],
    ['streams/rules.ts', ['views/pane/Pane.tsx']],
  ])
  expect(Object.fromEntries(distancesFrom(['streams/rules.ts', 'docs/user.md'], imports))).toEqual({
    'docs/user.md': 0,
    'streams/rules.ts': 0,
    'tests/rules.test.ts': 1,
    'views/pane/Pane.tsx': 1,
    'tests/pane.test.ts': 2,
  })
})

test('begins with the files that take longest where none has run yet', async () => {
  const root = join(import.meta.dirname, '../..')
  class Unchanged extends ChangedFirst {
    protected override readonly distances = () => new Map<string, number>()
  }
  const files = listTestFiles().filter((file) => file.startsWith('tests/browser/'))
  const size = (key: string) => ({ size: files.findIndex((file) => key.endsWith(file)) })
  const cache = { getFileTestResults: () => undefined, getFileStats: size }
  const sequencer = new Unchanged({ cache, config: { root } } as unknown as Vitest)
  const project = { name: 'browser', config: { root, sequence: { groupOrder: 1 } } }
  const given = files.map((file) => ({ moduleId: join(root, file), project }) as unknown as TestSpecification)
  const sorted = await sequencer.sort(given)
  expect(sorted.slice(0, LONGEST.length).map(({ moduleId }) => moduleId)).toEqual(
    LONGEST.map((file) => join(root, file)),
  )
  expect(sorted).toHaveLength(files.length)
})
