import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const PROJECT = join(import.meta.dirname, '../..')

/** Code that one of our own rules forbids, with its file and the linter's message. */
const FORBIDDEN: readonly (readonly [file: string, code: string, says: string])[] = [
  ['streams/a.ts', 'x.pipe(shareReplay({ windowTime: 5 }))', 'use createSharing'],
  ['streams/b.ts', 'x.pipe(retry({ delay: 500 }))', 'A delay in milliseconds reads the real clock'],
  ['src/c.ts', 'const y = /(?<=a)b/', 'Safari knows a lookbehind from 16.4 on'],
  ['src/d.ts', 'const y = `(?<!a)b`', 'Safari knows a lookbehind from 16.4 on'],
  ['views/e.ts', 'export default 5', 'Export by name'],
  ['views/f.ts', 'const y = 1\nexport { y as default }', 'Export by name'],
  ['effects/g.ts', 'const y = async () => 1', 'answer with an Observable'],
  ['effects/h.ts', "const y = import('./g.ts')", 'answer with an Observable'],
  ['effects/i.ts', 'let y: PromiseLike<string>', 'answer with an Observable'],
  ['streams/j.ts', 'const y = new Date()', 'A clock breaks replay'],
  ['streams/k.ts', 'const y = Date.now()', 'A clock breaks replay'],
  ['streams/l.ts', 'const y = Math.random()', 'Chance breaks replay'],
  ['effects/m.ts', 'x.subscribe()', 'Only the store subscribes'],
  ['effects/n.ts', 'setTimeout(x)', 'know no environment'],
  [
    'effects/o.ts',
    "import { delay, firstValueFrom } from 'rxjs'",
    'cannot be cancelled or run in virtual time',
  ],
  [
    'effects/p.ts',
    "import { delay, firstValueFrom } from 'rxjs'",
    'Time goes through streams/kernel/time.ts',
  ],
  ['effects/q.ts', "import { asyncScheduler } from 'rxjs'", 'The scheduler comes with Time'],
  ['src/r.ts', "import { map } from 'rxjs/operators'", "Operators come from 'rxjs'"],
  ['views/s.ts', "import { useEffect } from 'react'", 'Consume a stream by observable-hooks'],
  ['views/pane/dom/t.ts', 'useEffect(() => setOpen(true))', 'An effect touches the DOM only'],
  ['views/u.tsx', 'const y = <p dangerouslySetInnerHTML={x} />', 'in the sandboxed preview only'],
  ['views/v.ts', "x.innerHTML = '<b>'", 'in the sandboxed preview only'],
  ['tests/w.ts', "test.skip('x')", 'Every test runs, everywhere'],
  ['tests/x.ts', "describe.skipIf(true)('x')", 'Every test runs, everywhere'],
  ['tests/y.ts', 'x.waitForTimeout(5)', 'a fixed pause depends on the speed of the machine'],
  [
    'tests/service/z.test.ts',
    "import { forEachDatabase } from '../support/databases.ts'",
    'To what is above the store all databases are alike',
  ],
]
/** Code that the same rules allow. */
const ALLOWED: readonly (readonly [file: string, code: string])[] = [
  ['streams/kernel/store.ts', 'x.subscribe()'],
  ['streams/kernel/serial.ts', 'const y = async () => setTimeout(x)'],
  ['streams/z.ts', 'const y = new Date(5)'],
  ['views/pane/dom/z.ts', "import { useEffect } from 'react'"],
  ['tests/browser/setup.ts', 'export default 5'],
  ['tests/service/sql/z.test.ts', "import { forEachDatabase } from '../../support/databases.ts'"],
]

/** The project linter's messages about each file. */
function lint(files: readonly (readonly [file: string, code: string, ...unknown[]])[]) {
  const folder = mkdtempSync(join(tmpdir(), 'signet-lint-'))
  for (const path of ['oxlint.config.mjs', 'tests/runner/syntaxRule.mjs'])
    cpSync(join(PROJECT, path), join(folder, path))
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const [file, code] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${code}\n`)
  }
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(PROJECT, 'node_modules/oxlint/bin/oxlint'),
      '--config',
      'oxlint.config.mjs',
      '--format',
      'json',
      ...files.map(([file]) => file),
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  rmSync(folder, { recursive: true })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { filename: string; message: string; help?: string; code?: string }[]
  }
  return (file: string): readonly string[] =>
    diagnostics
      .filter(({ filename }) => filename === file)
      .map(({ code, message, help }) => `${code ?? ''}: ${message} ${help ?? ''}`)
}
let said: ReturnType<typeof lint>
beforeAll(() => {
  said = lint([...FORBIDDEN, ...ALLOWED])
})

test.each(FORBIDDEN)('in %s the linter forbids %s', (file, _, says) => {
  expect(said(file).join('\n')).toContain(says)
})

test.each(ALLOWED)('in %s the linter allows %s', (file) => {
  expect(said(file).filter((line) => /^signet|restricted/.test(line))).toEqual([])
})

test('no file has an exception of its own', () => {
  const comment = new RegExp(['oxlint', 'eslint'].map((linter) => `${linter}-(?:disable|enable)`).join('|'))
  const files = ['streams', 'effects', 'views', 'src', 'tests', 'docs']
    .flatMap((folder) =>
      readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(PROJECT, folder, file),
      ),
    )
    .filter((file) => /\.(?:[cm]?js|tsx?)$/.test(file))
  expect(files.filter((file) => comment.test(readFileSync(file, 'utf8')))).toEqual([])
})
