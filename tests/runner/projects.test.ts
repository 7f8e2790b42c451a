import { describe, expect, test } from 'vitest'
import { explainMisplaced, projectOf } from './projects.ts'

const FILES = [
  'tests/streams/age.test.ts',
  'tests/service/api.test.ts',
  'tests/playground/text.test.ts',
  'tests/views/pane.test.tsx',
  'tests/browser/focus.test.ts',
]
const explain = (...args: readonly string[]) => explainMisplaced(args, FILES)

test('each test file has one project', () => {
  expect(FILES.map(projectOf)).toEqual(['unit', 'service', 'service', 'views', 'browser'])
})

describe('a path of another project', () => {
  test('names the project and the command', () => {
    expect(explain('run', '--project', 'unit', 'tests/service/api.test.ts')).toBe(
      'tests/service/api.test.ts belongs to another project: npx vitest run --project service tests/service/api.test.ts',
    )
    expect(explain('--project=views', './tests/browser')).toContain('--project browser ./tests/browser')
  })

  test.each([
    ['no project is named', ['run', 'tests/service']],
    ['the project has a test under one of the paths', ['run', '--project', 'unit', 'age', 'tests/service']],
    ['no project has a test there', ['run', '--project', 'unit', 'tests/nowhere']],
    ['the projects are a pattern', ['run', '--project', '!browser', 'tests/browser']],
    ['no path is named', ['run', '--project', 'unit']],
  ])('is left to Vitest when %s', (_, args) => {
    expect(explain(...args)).toBeNull()
  })
})
