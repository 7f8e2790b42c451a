import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// npm run lint: ESLint lints changed files only. Its cache compares the content of a file, but many rules also judge by
// the types that the file imports. So each state of all declarations, which `npm run types` writes, has its own cache:
// after a change inside a function one file is linted, after a change of an exported type all files.

const PROJECT = join(import.meta.dirname, '..', '..')
/** Not in `node_modules`, which `npm ci` empties. */
const CACHES = join(PROJECT, 'dist/eslint')
const DECLARATIONS = ['node_modules/.cache/types', 'streams', 'effects', 'views', 'src', 'tests']

const digest = createHash('sha256').update(readFileSync(join(PROJECT, 'node_modules/.package-lock.json')))
for (const folder of DECLARATIONS) {
  const files = readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((each) => each.endsWith('.d.ts')).sort())
    digest.update(file).update(readFileSync(join(PROJECT, folder, file)))
}
const cache = digest.digest('hex').slice(0, 16)
mkdirSync(CACHES, { recursive: true })
for (const other of readdirSync(CACHES)) if (other !== cache) rmSync(join(CACHES, other), { recursive: true })

const { status } = spawnSync(
  process.execPath,
  [
    join(PROJECT, 'node_modules/eslint/bin/eslint.js'),
    ...['.', '--max-warnings', '0', '--cache', '--cache-strategy', 'content'],
    ...['--cache-location', join(CACHES, cache)],
  ],
  { cwd: PROJECT, stdio: 'inherit' },
)
process.exitCode = status ?? 1
