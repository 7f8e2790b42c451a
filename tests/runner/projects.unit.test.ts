import { describe, expect, test } from 'vitest'
import { explainMisplaced, listTestFiles, projectOf } from './projects.ts'

const FILES = [
  'tests/streams/kernel/age.unit.test.ts',
  'tests/service/http/api.int.test.ts',
  'tests/playground/text.unit.test.ts',
  'tests/views/pane/pane.unit.test.tsx',
  'tests/browser/focus.browser.test.ts',
]
const explain = (...args: readonly string[]) => explainMisplaced(args, FILES)

test('each test file has one project', () => {
  expect(FILES.map(projectOf)).toEqual(['unit', 'int', 'unit', 'views', 'browser'])
})

test('each test file says its level in its name', () => {
  expect(() => listTestFiles().map(projectOf)).not.toThrow()
  expect(() => projectOf('tests/streams/age.test.ts')).toThrow('its name says no level')
})

describe('a path of another project', () => {
  test('names the project and the command', () => {
    expect(explain('run', '--project', 'unit', 'tests/service/http/api.int.test.ts')).toBe(
      'tests/service/http/api.int.test.ts belongs to another project: npx vitest run --project int tests/service/http/api.int.test.ts',
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
