import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { listTestFiles, projectOf } from '../runner/projects.ts'
import { digits, table } from './figures.ts'

// Times a run of all tests: its wall time, and sums by project and by file.

const PROJECT = join(import.meta.dirname, '..', '..')
const SLOWEST = 10

type Report = Readonly<{
  success: boolean
  /** `startTime` and `endTime` are milliseconds. */
  testResults: readonly Readonly<{
    name: string
    startTime: number
    endTime: number
    assertionResults: readonly unknown[]
  }>[]
}>
/** `seconds` from a file's first test to its last, without loading the file. */
type Timed = Readonly<{ file: string; tests: number; seconds: number }>

const secondsOf = (timed: readonly Timed[]): number => timed.reduce((sum, { seconds }) => sum + seconds, 0)
const testsOf = (timed: readonly Timed[]): number => timed.reduce((sum, { tests }) => sum + tests, 0)

/** Runs `npm test` once. Throws when a test fails, because a failed test may have stopped early. */
export function measureTests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signet-test-times-'))
  try {
    const report = join(folder, 'report.json')
    const began = performance.now()
    spawnSync('npm', ['test', '--', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], {
      cwd: PROJECT,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    })
    const wall = (performance.now() - began) / 1000
    const { success, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    if (!success) throw new Error('A test failed: see above.')
    const timed = testResults.map(({ name, startTime, endTime, assertionResults }): Timed => ({
      file: relative(PROJECT, name).split(sep).join('/'),
      tests: assertionResults.length,
      seconds: (endTime - startTime) / 1000,
    }))
    return timesOf(timed, wall)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function timesOf(timed: readonly Timed[], wall: number): string {
  const projects = [...new Set(listTestFiles().map(projectOf))].map((project) => ({
    project,
    timed: timed.filter(({ file }) => projectOf(file) === project),
  }))
  const row = (name: string, some: readonly Timed[]) => [
    name,
    String(some.length),
    testsOf(some).toLocaleString('en-US'),
    digits(secondsOf(some)),
  ]
  return [
    table(
      `A run of all tests: ${digits(wall)} s`,
      ['', 'files', 'tests', 'sum, s'],
      [
        ...projects
          .filter((each) => each.timed.length > 0)
          .toSorted((a, b) => secondsOf(b.timed) - secondsOf(a.timed))
          .map((each) => row(each.project, each.timed)),
        row('all', timed),
      ],
    ),
    table(
      `The ${String(SLOWEST)} slowest files`,
      ['', 'tests', 'sum, s'],
      timed
        .toSorted((a, b) => b.seconds - a.seconds)
        .slice(0, SLOWEST)
        .map(({ file, tests, seconds }) => [file, String(tests), digits(seconds)]),
    ),
  ].join('\n')
}
