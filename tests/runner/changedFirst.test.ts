import { expect, test } from 'vitest'
import { distancesFrom } from './changedFirst.ts'

test('counts the imports between a file and the nearest changed one', () => {
  const imports = new Map([
    ['tests/rules.test.ts', ['streams/rules.ts']],
    ['tests/pane.test.ts', ['views/Pane.tsx']],
    ['tests/text.test.ts', ['views/text.ts']],
    ['views/Pane.tsx', ['streams/rules.ts', 'views/text.ts']],
    ['streams/rules.ts', ['views/Pane.tsx']],
  ])
  expect(Object.fromEntries(distancesFrom(['streams/rules.ts', 'docs/user.md'], imports))).toEqual({
    'docs/user.md': 0,
    'streams/rules.ts': 0,
    'tests/rules.test.ts': 1,
    'views/Pane.tsx': 1,
    'tests/pane.test.ts': 2,
  })
})
