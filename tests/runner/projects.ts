import { readdirSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'

/** The folders of `tests/` by the project that runs them; `unit` runs all other folders. */
const FOLDERS = {
  growth: ['growth'],
  service: ['playground', 'service'],
  views: ['views'],
  browser: ['browser'],
  webkit: ['webkit'],
  node: ['node'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The tests of the project `browser` that run in Firefox too. */
const IN_FIREFOX = ['mainJourney', 'choosing', 'identity'].map((name) => `tests/browser/${name}.test.ts`)

export type ProjectName = keyof typeof FOLDERS | 'firefox' | 'unit'
const PROJECTS: readonly string[] = ['unit', ...Object.keys(FOLDERS)]

const COMMANDS = ['run', 'watch', 'dev']

/** The globs of a project's test files. */
export function filesOf(project: ProjectName): { include: string[]; exclude: string[] } {
  switch (project) {
    case 'unit':
      return {
        include: ['tests/**/*.test.{ts,tsx}'],
        exclude: Object.values(FOLDERS).flatMap((folders) => folders.map((folder) => `tests/${folder}/**`)),
      }
    case 'firefox':
      return { include: IN_FIREFOX, exclude: [] }
    default:
      return { include: FOLDERS[project].map((folder) => `tests/${folder}/**/*.test.{ts,tsx}`), exclude: [] }
  }
}

/** The project of a test file. Takes its path from the repository's root, with slashes. */
export function projectOf(testFile: string): ProjectName {
  const folder = testFile.split('/')[1]
  const [found = 'unit'] =
    Object.entries(FOLDERS).find(([, folders]) => folders.some((name) => name === folder)) ?? []
  return found as ProjectName
}

/** The path of every test file from the repository's root, with slashes. */
export const listTestFiles = (): readonly string[] =>
  readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => `tests/${file.split(sep).join('/')}`)

/**
 * Tells which project has the tests, when Vitest's arguments name projects and only paths of other projects. Null
 * otherwise.
 */
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
