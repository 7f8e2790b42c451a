import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// A claim is a row's id in the title of a test. It belongs at the lowest level that can break it, and in one journey. A
// claim on more levels costs more time, and its failure gives no more information.

/** The folders of `tests/` by level. */
const LEVELS = {
  rules: ['growth', 'streams', 'values'],
  edges: ['administration', 'effects', 'engine', 'launch', 'pane'],
  service: ['adopt', 'cli', 'folder', 'identityProvider', 'playground', 'server', 'service'],
  views: ['views'],
  tools: ['bench', 'build', 'node', 'programs', 'runner', 'support'],
  journeys: ['journeys'],
  browser: ['browser', 'webkit'],
} as const satisfies Readonly<Record<string, readonly string[]>>
export type Level = keyof typeof LEVELS
const MAX_LEVELS = 2

/**
 * The level of a test file. `testFile` starts at the repository's root and has slashes. Throws for an unknown folder.
 */
export function levelOf(testFile: string): Level {
  const folder = testFile.split('/')[1] ?? ''
  const found = Object.entries(LEVELS).find(([, folders]) => (folders as readonly string[]).includes(folder))
  if (!found) throw new Error(`${testFile}: no level has the folder ${folder} (tests/runner/claims.ts).`)
  return found[0] as Level
}

/** Claims allowed on more levels, separated by blanks, and the reason. */
export type Exceptions = readonly Readonly<{ why: string; claims: string }>[]

/** The text of each test file, by its path from the repository's root. */
export type TestTexts = ReadonlyMap<string, string>

export const readTests = (files: readonly string[]): TestTexts =>
  new Map(files.map((file) => [file, readFileSync(join(import.meta.dirname, '../..', file), 'utf8')]))

/** Names claims on more than two levels without an exception, and unneeded exceptions; null if there are none. */
export function explainCrowded(texts: TestTexts, exceptions: Exceptions): string | null {
  const levels = new Map<string, Set<Level>>()
  for (const [file, text] of texts)
    for (const [, claim = ''] of text.matchAll(/\[([A-Z][A-Z\d]*-\d+)\]/g))
      levels.set(claim, (levels.get(claim) ?? new Set()).add(levelOf(file)))
  const allowed = exceptions.flatMap(({ claims }) => claims.trim().split(/\s+/))
  const isCrowded = (claim: string) => (levels.get(claim)?.size ?? 0) > MAX_LEVELS
  const lines = [
    ...[...levels.keys()]
      .filter((claim) => isCrowded(claim) && !allowed.includes(claim))
      .sort()
      .map(
        (claim) =>
          `[${claim}] stands on ${[...(levels.get(claim) ?? [])].join(', ')}: keep the lowest level that can break it, and one journey.`,
      ),
    ...allowed
      .filter((claim, index) => !isCrowded(claim) || allowed.indexOf(claim) !== index)
      .map((claim) => `[${claim}] needs no exception, or has two.`),
  ]
  return lines.length > 0 ? lines.join('\n') : null
}
