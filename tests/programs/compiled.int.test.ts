import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProject, manifest, type Project, start } from './project.ts'

const PROGRAM = 'src/hello/main.ts'

let project: Project
beforeEach(() => {
  project = createProject({ shipped: [PROGRAM], development: ['src/other/main.ts'] })
  project.write(
    PROGRAM,
    "import { word } from '../shared/word.ts'\nconsole.log(word, process.argv.slice(2).join())\n",
  )
  project.write('src/shared/word.ts', "export const word: string = 'hello'\n")
  project.write('src/other/main.ts', "import { word } from '../shared/word.ts'\nconsole.log('other', word)\n")
})
afterEach(() => project.remove())

const startProgram = (program: string, ...args: string[]) =>
  start(project.folder, process.execPath, ['src/programs/run.mjs', program, ...args])
const run = (program = PROGRAM, ...args: string[]) => startProgram(program, ...args).ended
const builds = (name = 'signet') => {
  const folder = join(project.folder, 'dist/programs', name)
  return existsSync(folder) ? readdirSync(folder).sort() : []
}
/** Marks all builds: one that is made after that, even in the same folder, has no mark. */
const mark = () => {
  for (const build of builds()) writeFileSync(join(project.folder, 'dist/programs/signet', build, 'mark'), '')
}
const unmarked = () =>
  builds().filter((build) => !existsSync(join(project.folder, 'dist/programs/signet', build, 'mark')))

describe('a program', { timeout: 60_000 }, () => {
  it('gets its arguments, and is compiled once for all programs while the sources are the same', async () => {
    expect(await run(PROGRAM, 'a', '--b')).toEqual({ code: 0, stdout: 'hello a,--b\n', stderr: '' })
    expect(builds()).toHaveLength(1)
    mark()
    // A checkout writes files again.
    utimesSync(join(project.folder, PROGRAM), 1, 1)
    expect(await run()).toMatchObject({ stdout: 'hello \n' })
    expect(await run('src/other/main.ts')).toMatchObject({ stdout: 'other hello\n' })
    expect([builds().length, unmarked()]).toEqual([1, []])
  })

  it('is compiled again when a source changes, and not when the change is taken back', async () => {
    await run()
    project.write('src/shared/word.ts', "export const word: string = 'howdy'\n")
    expect(await run()).toMatchObject({ stdout: 'howdy \n' })
    expect(builds()).toHaveLength(2)
    mark()
    project.write('src/shared/word.ts', "export const word: string = 'hello'\n")
    expect(await run()).toMatchObject({ stdout: 'hello \n' })
    expect([builds().length, unmarked()]).toEqual([2, []])
  })

  it('is compiled by two processes at once into one build, from which both run', async () => {
    const both = await Promise.all([run(PROGRAM, '1'), run('src/other/main.ts')])
    expect(both.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual([
      [0, 'hello 1\n', ''],
      [0, 'other hello\n', ''],
    ])
    expect(builds()).toHaveLength(1)
  })

  it('does not run from a build that was interrupted, and the next build deletes that', async () => {
    const { child, ended } = start(project.folder, process.execPath, ['-e', ''])
    await ended
    await run()
    const [build = ''] = builds()
    const folder = join(project.folder, 'dist/programs/signet')
    renameSync(join(folder, build), join(folder, `.partial.${String(child.pid)}`))
    writeFileSync(join(folder, `.partial.${String(child.pid)}`, 'src.hello.main.js'), 'console.log("half")')
    expect(await run()).toMatchObject({ code: 0, stdout: 'hello \n' })
    expect(builds()).toEqual([build])
  })

  it('keeps the build that it runs from, and of the others the latest', async () => {
    project.write(
      'src/other/main.ts',
      "process.stdin.once('data', async () => { console.log((await import('../shared/late.ts')).late); process.exit() })\nconsole.log('waiting')\n",
    )
    project.write('src/shared/late.ts', "export const late = 'late'\n")
    const { child, ended } = startProgram('src/other/main.ts')
    await once(child.stdout ?? child, 'data')
    const [running = ''] = builds()
    for (const word of ['one', 'two', 'three', 'four', 'five']) {
      project.write('src/shared/word.ts', `export const word: string = '${word}'\n`)
      expect(await run()).toMatchObject({ stdout: `${word} \n` })
    }
    expect(builds()).toContain(running)
    expect(builds()).toHaveLength(4)
    child.stdin?.end('now')
    expect(await ended).toMatchObject({ code: 0, stdout: 'waiting\nlate\n', stderr: '' })
    // It was used last.
    for (const word of ['six', 'seven', 'eight']) {
      project.write('src/shared/word.ts', `export const word: string = '${word}'\n`)
      await run()
    }
    expect(builds()).toHaveLength(3)
    expect(builds()).not.toContain(running)
  })

  it('names the TypeScript source and its line in a stack trace', async () => {
    project.write(
      'src/shared/word.ts',
      "type Unused = string\n\nexport const word: Unused = 'hello'\nexport function stop(): never {\n  throw new TypeError('stopped')\n}\n",
    )
    project.write(PROGRAM, "import { stop } from '../shared/word.ts'\n\nstop()\n")
    const { code, stderr } = await run()
    expect(code).toBe(1)
    const places = [...stderr.matchAll(/^ {4}at .*?(src\/[^)\s]+):(\d+):\d+/gm)].map(([, file, line]) => [
      file,
      line,
    ])
    expect(places.slice(0, 2)).toEqual([
      ['src/shared/word.ts', '5'],
      [PROGRAM, '3'],
    ])
    expect(stderr).toContain('TypeError: stopped\n')
  })

  it('finds the files beside its source, also after the project was moved with its build', async () => {
    project.write(
      PROGRAM,
      "import { readFileSync } from 'node:fs'\nimport { join } from 'node:path'\n" +
        "const read = (path: string | URL) => readFileSync(path, 'utf8').trim()\n" +
        "console.log(read(join(import.meta.dirname, 'a.txt')), read(new URL('a.txt', import.meta.url)), import.meta.filename.endsWith('main.ts'))\n",
    )
    project.write('src/hello/a.txt', 'beside')
    expect(await run()).toMatchObject({ stdout: 'beside beside true\n', stderr: '' })
    mark()
    const folder = `${project.folder}-moved`
    renameSync(project.folder, folder)
    project = { ...project, folder }
    try {
      writeFileSync(join(folder, 'src/hello/a.txt'), 'moved')
      expect(await run()).toMatchObject({ stdout: 'moved moved true\n', stderr: '' })
      expect([builds().length, unmarked()]).toEqual([1, []])
    } finally {
      renameSync(folder, folder.replace(/-moved$/, ''))
    }
  })

  it('stops with a sentence when it would have to be compiled where nothing can be written', async () => {
    mkdirSync(join(project.folder, 'dist'))
    project.write('dist/programs', 'a file in place of the folder')
    const { code, stderr } = await run()
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('Run "npm run build" as a user who may write there.'),
    ])
  })

  it('is not compiled from a file whose change would not be noticed', async () => {
    project.write('src/hello/data.json', { a: 1 })
    project.write(PROGRAM, "import data from './data.json'\nconsole.log(data)\n")
    const { code, stderr } = await run()
    expect([code, stderr]).toEqual([
      1,
      'src/hello/data.json is compiled, but a change of it would not be noticed.\n',
    ])
    expect(builds()).toEqual([])
  })

  it('that package.json does not list is compiled by itself', async () => {
    project.write(
      'tests/small.ts',
      "import { word } from '../src/shared/word.ts'\nconsole.log('small', word)\n",
    )
    expect(await run('tests/small.ts')).toMatchObject({ code: 0, stdout: 'small hello\n' })
    expect([builds(), builds('tests.small')]).toEqual([[], [expect.any(String)]])
  })
})

it('package.json lists every program that one of its scripts starts, and no other file', () => {
  const listed = [...manifest.programs.shipped, ...manifest.programs.development]
  const started = Object.values(manifest.scripts).flatMap((script) =>
    [...script.matchAll(/run\.mjs (\S+)/g)].map(([, program = '']) => program),
  )
  expect(started.length).toBeGreaterThan(5)
  expect(started.filter((program) => !listed.includes(program))).toEqual([])
  for (const program of listed)
    expect(readFileSync(join(import.meta.dirname, '../..', program), 'utf8')).not.toBe('')
})
