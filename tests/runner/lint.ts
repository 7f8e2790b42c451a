import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// npm run lint: oxlint runs all rules except those that need the type of a stream. ESLint runs these on the files with
// streams. ESLint's cache compares only a file's content, but these rules also depend on imported types. So each state
// of all declarations, which `npm run types` writes, has its own cache. A change inside a function lints one file
// again; a change of an exported type lints all.

const PROJECT = join(import.meta.dirname, '..', '..')
/** Outside `node_modules`, because `npm ci` empties it. */
const CACHES = join(PROJECT, 'dist/eslint')
const SHIPPED = ['streams', 'effects', 'views', 'src']
const DECLARATIONS = ['node_modules/.cache/types', ...SHIPPED, 'tests']

const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .sort()
    .map((file) => join(PROJECT, folder, file))

const digest = createHash('sha256').update(readFileSync(join(PROJECT, 'node_modules/.package-lock.json')))
for (const file of DECLARATIONS.flatMap((folder) => filesIn(folder, /\.d\.ts$/)))
  digest.update(file).update(readFileSync(file))
const cache = digest.digest('hex').slice(0, 16)
mkdirSync(CACHES, { recursive: true })
for (const other of readdirSync(CACHES)) if (other !== cache) rmSync(join(CACHES, other), { recursive: true })

/** The files that mention rxjs or a stream. */
const withStreams = SHIPPED.flatMap((folder) => filesIn(folder, /\.tsx?$/)).filter((file) =>
  /from 'rxjs|from 'observable-hooks|\w\$[^\w{]/.test(readFileSync(file, 'utf8')),
)

const run = (program: string, ...args: readonly string[]): number =>
  spawnSync(process.execPath, [join(PROJECT, 'node_modules', program), ...args], {
    cwd: PROJECT,
    stdio: 'inherit',
  }).status ?? 1

process.exitCode = Math.max(
  run('oxlint/bin/oxlint', '--config', 'oxlint.config.mjs'),
  run(
    'eslint/bin/eslint.js',
    ...['--max-warnings', '0', '--cache', '--cache-strategy', 'content'],
    ...['--cache-location', join(CACHES, cache)],
    ...withStreams,
  ),
)
