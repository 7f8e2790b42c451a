import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = join(import.meta.dirname, '../..')
const git = (...args: readonly string[]): readonly string[] => {
  try {
    const stdout = execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return stdout.split('\0').filter((file) => file !== '')
  } catch {
    // Without git or a repository, nothing counts as changed.
    return []
  }
}

/** The imports of each file. Paths start at the repository's root and have slashes. */
export type Imports = ReadonlyMap<string, readonly string[]>

/**
 * The number of imports between a file and the nearest changed one: 0 for a changed file, no entry for unrelated files.
 */
export function distancesFrom(changed: readonly string[], imports: Imports): ReadonlyMap<string, number> {
  const importers = new Map<string, string[]>()
  for (const [file, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file])
  const distances = new Map(changed.map((file) => [file, 0]))
  const queue = [...changed]
  for (let file = queue.shift(); file !== undefined; file = queue.shift())
    for (const importer of importers.get(file) ?? []) {
      if (distances.has(importer)) continue
      distances.set(importer, (distances.get(file) ?? 0) + 1)
      queue.push(importer)
    }
  return distances
}

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g
const importsOf = (file: string): readonly string[] =>
  Array.from(readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT), ([, target = '']) =>
    posix.join(posix.dirname(file), target),
  )

function distancesFromChanges(): ReadonlyMap<string, number> {
  const changed = [
    ...git('diff', '--name-only', '-z', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ]
  if (changed.length === 0) return new Map()
  const sources = [...git('ls-files', '-z'), ...changed].filter(
    (file) => /\.tsx?$/.test(file) && existsSync(join(ROOT, file)),
  )
  return distancesFrom(changed, new Map(sources.map((file) => [file, importsOf(file)])))
}

/** Negative if `a` has the smaller number at the first difference. */
function compareLists(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at])
  return index === -1 ? 0 : (a[index] ?? 0) < (b[index] ?? 0) ? -1 : 1
}

/**
 * The slowest test files, slowest first, for a machine without earlier results. If they started last, all other workers
 * would wait for them. Vitest alone would sort by file size.
 */
export const LONGEST = [
  'administrationStories',
  'stories',
  'faults',
  'office',
  'mailClient',
  'administrationPlan',
  'meetings',
].map((name) => `tests/browser/${name}.browser.test.ts`)

/**
 * Sorts the tests: failed last time or changed since the last commit, then tests of changed files, nearest first. All
 * others run longest first. The browser stays last.
 */
export class ChangedFirst extends BaseSequencer {
  protected readonly distances = distancesFromChanges

  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications)
    const distances = this.distances()
    const fileOf = ({ moduleId }: TestSpecification) => relative(ROOT, moduleId).split(sep).join('/')
    const resultsOf = (each: TestSpecification) =>
      this.ctx.cache.getFileTestResults(`${each.project.name}:${fileOf(each)}`)
    const distanceOf = (each: TestSpecification): number =>
      resultsOf(each)?.failed === true ? 0 : (distances.get(fileOf(each)) ?? Infinity)
    /** Vitest sorts files with earlier results by duration. */
    const lengthOf = (each: TestSpecification): number => {
      const place = resultsOf(each) ? -1 : LONGEST.indexOf(fileOf(each))
      return place === -1 ? LONGEST.length : place
    }
    const nearest = new Map<string, number>()
    for (const each of sorted)
      nearest.set(each.project.name, Math.min(nearest.get(each.project.name) ?? Infinity, distanceOf(each)))
    const projects = [...nearest.keys()]
    // Projects stay together, because a worker is reused only within one project.
    const keysOf = (specification: TestSpecification): readonly number[] => {
      const { config, name } = specification.project
      const place = [config.sequence.groupOrder, nearest.get(name) ?? Infinity, projects.indexOf(name)]
      return [...place, distanceOf(specification), lengthOf(specification)]
    }
    return sorted.toSorted((a, b) => compareLists(keysOf(a), keysOf(b)))
  }
}
