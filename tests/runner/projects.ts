import { readdirSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'

/** Projects that run their own folder in `tests/`. */
const FOLDERS = ['growth', 'views', 'browser', 'webkit', 'node'] as const

/**
 * In all other folders, a file's name contains its level, which is also its project. `int` needs a server, a database
 * or a process of its own; `browser` needs a browser.
 */
const LEVEL = /\.(unit|int|browser)\.test\.tsx?$/

/** The `browser` tests that also run in Firefox. */
const IN_FIREFOX = ['mainJourney', 'choosing', 'identity'].map(
  (name) => `tests/browser/${name}.browser.test.ts`,
)

export type ProjectName = (typeof FOLDERS)[number] | 'firefox' | 'int' | 'unit'
const PROJECTS: readonly string[] = ['unit', 'int', ...FOLDERS]

const COMMANDS = ['run', 'watch', 'dev']

/** The globs of a project's test files. */
export function filesOf(project: ProjectName): { include: string[]; exclude: string[] } {
  switch (project) {
    case 'unit':
    case 'int':
      return {
        include: [`tests/**/*.${project}.test.{ts,tsx}`],
        exclude: FOLDERS.map((folder) => `tests/${folder}/**`),
      }
    case 'firefox':
      return { include: IN_FIREFOX, exclude: [] }
    default:
      return { include: [`tests/${project}/**/*.test.{ts,tsx}`], exclude: [] }
  }
}

/**
 * The project of a test file. `testFile` starts at the repository's root and has slashes. Throws for a name without a
 * level.
 */
export function projectOf(testFile: string): ProjectName {
  const [, level] = LEVEL.exec(testFile) ?? []
  if (level === undefined) throw new Error(`${testFile}: its name says no level, as in a.unit.test.ts.`)
  const folder = testFile.split('/')[1]
  return FOLDERS.find((each) => each === folder) ?? (level as 'unit' | 'int')
}

/** The path of every test file, from the repository's root, with slashes. */
export const listTestFiles = (): readonly string[] =>
  readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => `tests/${file.split(sep).join('/')}`)

/** Names the project that has the tests if Vitest's arguments select only paths from other projects; else null. */
export function explainMisplaced(args: readonly string[], testFiles: readonly string[]): string | null {
  const selected = args.flatMap((arg, index) =>
    arg === '--project'
      ? (args[index + 1] ?? [])
      : arg.startsWith('--project=')
        ? arg.slice('--project='.length)
        : [],
  )
  // Vitest resolves patterns and exclusions itself.
  if (selected.length === 0 || !selected.every((name) => PROJECTS.includes(name))) return null
  const paths = args
    .filter((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--project')
    .filter((arg, index) => index > 0 || !COMMANDS.includes(arg))
    .map((path) => ({
      path,
      owners: new Set(
        testFiles.filter((file) => file.includes(normalize(path).split(sep).join('/'))).map(projectOf),
      ),
    }))
    .filter(({ owners }) => owners.size > 0)
  if (paths.some(({ owners }) => selected.some((name) => owners.has(name as ProjectName)))) return null
  const lines = paths.map(
    ({ path, owners }) =>
      `${path} belongs to another project: npx vitest run ${[...owners].map((name) => `--project ${name} `).join('')}${path}`,
  )
  return lines.length > 0 ? lines.join('\n') : null
}
