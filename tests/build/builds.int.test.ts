import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { spawn } from 'node:child_process'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { takeLock } from '../../src/programs/lock.mjs'
import { type Builds, openBuilds } from '../../src/build/builds.ts'

// A small project, and a bundler that copies its sources into the page.

let project: string
let told: string[]
const opened: Builds[] = []
const inProject = (file: string) => join(project, file)
const write = (file: string, content: string) => writeFileSync(inProject(file), content)
const behave = (...behaviours: readonly string[]) => write('dist/behaviours', behaviours.join(' '))
/** What the bundler did, and whether it was given what an interrupted build left. */
const builds = () => readFileSync(inProject('dist/builds'), 'utf8').split('\n').filter(Boolean)

const open = (): Builds => {
  const program = [join(import.meta.dirname, 'fakeBundler.mjs'), project]
  const made = openBuilds({ tell: (line) => told.push(line), program, project })
  opened.push(made)
  return made
}
const build = (name: 'replay' | 'taskpane' = 'replay') => open().build(name)
/** A process that has ended and that its parent has not looked at yet does not run. */
function isRunning(id: number): boolean {
  try {
    if (process.platform === 'linux')
      return !readFileSync(`/proc/${String(id)}/stat`, 'utf8').includes(') Z ')
    return process.kill(id, 0)
  } catch {
    return false
  }
}
const pageIn = (folder: string) => readFileSync(join(folder, 'page.html'), 'utf8')

beforeEach(() => {
  told = []
  project = mkdtempSync(join(tmpdir(), 'signet-builds-'))
  for (const folder of ['src/deep', 'node_modules/library', 'elsewhere'])
    mkdirSync(inProject(folder), { recursive: true })
  write('package.json', '{ "version": "1.2.3" }')
  for (const file of [
    ...['package-lock.json', 'src/page.ts', 'src/deep/unused.ts', 'elsewhere/icon.svg'],
    ...['node_modules/.package-lock.json', 'node_modules/library/index.js'],
  ])
    write(file, `first ${file}`)
  write('node_modules/library/package.json', '{ "name": "library", "version": "3.2.1", "license": "MIT" }')
  write('node_modules/library/LICENSE', 'Permission is hereby granted')
  // Apart from the sources: a change of them is no reason to build.
  mkdirSync(inProject('dist'))
  for (const file of ['dist/behaviours', 'dist/builds']) write(file, '')
})

afterEach(() => {
  for (const each of opened.splice(0)) each.end()
  vi.useRealTimers()
  vi.unstubAllEnvs()
  rmSync(project, { recursive: true })
})

test('keeps a build when nothing changed, and lists it whole', async () => {
  const first = await build()
  expect(await build()).toBe(first)
  expect(pageIn(first)).toBe(
    'first src/page.ts\nfirst node_modules/library/index.js\nfirst elsewhere/icon.svg',
  )
  expect(builds()).toEqual(['build'])
})

test('names the packages in it, with their licences', async () => {
  expect(readFileSync(join(await build(), 'licences.txt'), 'utf8')).toContain('library 3.2.1 (MIT)')
})

test('a page to read is no input', async () => {
  await build()
  write('README.md', 'changed')
  await build()
  expect(builds()).toEqual(['build'])
})

test('builds each group by itself, one after the other, in one process', async () => {
  const both = open()
  const [replay, taskpane] = await Promise.all([both.build('replay'), both.build('taskpane')])
  expect(replay).not.toBe(taskpane)
  expect(builds()).toEqual(['build', 'build'])
  expect(await build('taskpane')).toBe(taskpane)
  expect(builds()).toHaveLength(2)
})

test.each([
  ['a source', () => appendFileSync(inProject('src/page.ts'), '!')],
  ['a source in a deeper folder', () => appendFileSync(inProject('src/deep/unused.ts'), '!')],
  ['a new source', () => write('src/deep/new.ts', '')],
  ['a removed source', () => rmSync(inProject('src/deep/unused.ts'))],
  ['the lock file', () => appendFileSync(inProject('package-lock.json'), '!')],
  ['the version', () => write('package.json', '{ "version": "1.2.4" }')],
  ['the installed packages', () => appendFileSync(inProject('node_modules/.package-lock.json'), '!')],
  ['a bundled file of a package', () => appendFileSync(inProject('node_modules/library/index.js'), '!')],
  ['a bundled file of another folder', () => appendFileSync(inProject('elsewhere/icon.svg'), '!')],
  ['a variable of the process', () => vi.stubEnv('BROWSERSLIST', 'Chrome >= 110')],
  ['a damaged page', (folder: string) => writeFileSync(join(folder, 'page.html'), '<!doctype html><html la')],
  ['a missing page', (folder: string) => rmSync(join(folder, 'page.html'))],
  ['a foreign file', (folder: string) => writeFileSync(join(folder, 'page.0a1b2c3d.js'), 'of another build')],
  ['no output', (folder: string) => rmSync(folder, { recursive: true })],
  ['no stamp', (folder: string) => rmSync(join(folder, '../build.json'))],
  ['a damaged stamp', (folder: string) => writeFileSync(join(folder, '../build.json'), '{"digest":')],
  ['a stamp of another form', (folder: string) => writeFileSync(join(folder, '../build.json'), '{}')],
])('builds again, once, after a change: %s', async (_, change) => {
  change(await build())
  const built = await build()
  expect(await build()).toBe(built)
  expect(builds()).toHaveLength(2)
  for (const file of ['src/page.ts', 'node_modules/library/index.js'])
    expect(pageIn(built)).toContain(readFileSync(inProject(file), 'utf8'))
})

test('a folder that this process uses stays when the sources change, and former ones go', async () => {
  const first = await build()
  for (let change = 0; change < 6; change++) {
    appendFileSync(inProject('src/page.ts'), '!')
    await build()
  }
  expect(pageIn(first)).toContain('first src/page.ts\n')
})

test('builds again at once when a source changed during the build', async () => {
  behave('disturb')
  expect(pageIn(await build())).toContain('first src/page.ts later')
  expect(builds()).toEqual(['disturb', 'build'])
})

test('two that need the same build make it once', async () => {
  const [one, other] = await Promise.all([build(), build()])
  expect(one).toBe(other)
  expect(builds()).toEqual(['build'])
})

test('a fault of the sources is told, not tried again, and builds after it is mended', async () => {
  behave('refuse')
  await expect(build()).rejects.toThrow('page.ts:1: no')
  expect(builds()).toEqual(['refuse'])
  expect(told).toEqual([])
  await build()
  expect(builds()).toEqual(['refuse', 'build'])
})

test('says that it waits for another process that builds', async () => {
  mkdirSync(inProject('dist/pages'), { recursive: true })
  const { unlock } = await takeLock(inProject('dist/pages/.lock'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const building = build()
  await vi.waitFor(() => expect(told).toEqual(['Waiting for another process, which builds …']), {
    timeout: 20_000,
  })
  unlock()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(pageIn(await building)).toContain('first src/page.ts')
  expect(told).toHaveLength(1)
})

describe('a bundler that fails', () => {
  test('[FRONT-2] that dies is started again once, from nothing, and one line says so', async () => {
    behave('die')
    expect(pageIn(await build())).toContain('first src/page.ts')
    expect(told).toEqual([
      'Building the timeline is started again: the bundler was ended by SIGABRT (corrupted double-linked list).',
    ])
    expect(builds()).toEqual(['die', 'build'])
  })

  test('[FRONT-2] that goes silent is started again once, from nothing, and one line says so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    behave('hang')
    const building = build()
    await vi.waitFor(() => expect(builds()).toEqual(['hang']), { timeout: 20_000 })
    expect(told).toEqual([])
    vi.advanceTimersByTime(180_000)
    expect(pageIn(await building)).toContain('first src/page.ts')
    expect(told).toEqual(['Building the timeline is started again: the bundler reported nothing for 180 s.'])
    expect(builds()).toEqual(['hang', 'build'])
  })

  test('[FRONT-2] twice ends with a sentence that says what to do', async () => {
    behave('die', 'die')
    await expect(build()).rejects.toThrow(
      /^Building the timeline failed twice: the bundler was ended by SIGABRT.* Run the command again;/,
    )
    expect(told).toHaveLength(1)
  })

  test('[FRONT-2] in one group is counted for that group alone', async () => {
    behave('die', 'build', 'die', 'build')
    const both = open()
    await both.build('replay')
    await both.build('taskpane')
    expect(told).toHaveLength(2)
  })
})

describe('an interrupted build', () => {
  test('[FRONT-3] leaves nothing that the next one believes', async () => {
    behave('hang')
    const interrupted = open()
    const building = interrupted.build('replay')
    await vi.waitFor(() => expect(builds()).toEqual(['hang']))
    interrupted.end()
    await expect(building).rejects.toThrow('The build was stopped.')
    const built = await build()
    expect(pageIn(built)).toContain('first src/page.ts')
    // The fake bundler says when it is given the half cache.
    expect(builds()).toEqual(['hang', 'build'])
  })

  test.each([
    ['by its name', 'replay'],
    ['without a name', ''],
    ['by a name of nothing', '../..'],
  ])('[FRONT-3] of a process that was killed leaves nothing, either: known %s', async (_, begun) => {
    const left = inProject('dist/pages')
    mkdirSync(join(left, '.building/cache/replay'), { recursive: true })
    mkdirSync(join(left, '.building/www'))
    writeFileSync(join(left, '.building/cache/replay/half'), '')
    writeFileSync(join(left, '.building/www/page.html'), '<!doctype html><html la')
    if (begun !== '') writeFileSync(join(left, '.building/group'), begun)
    // No process has this number.
    writeFileSync(join(left, '.lock'), '4194305')
    expect(pageIn(await build())).toContain('first src/page.ts')
    expect(builds()).toEqual(['build'])
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s to the command alone ends the bundler, too, and the next build is whole',
    async (signal) => {
      behave('hang')
      const command = join(import.meta.dirname, 'stoppedBuild.ts')
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', command, project, join(import.meta.dirname, 'fakeBundler.mjs')],
        { stdio: 'ignore' },
      )
      const ended = new Promise((resolve) => child.on('exit', resolve))
      await vi.waitFor(() => expect(builds()).toEqual(['hang']), { timeout: 20_000 })
      const bundler = Number(readFileSync(inProject('dist/process'), 'utf8'))
      child.kill(signal)
      expect(await ended).toBe(128 + constants.signals[signal])
      await vi.waitFor(() => expect(isRunning(bundler)).toBe(false))
      expect(pageIn(await build())).toContain('first src/page.ts')
      expect(builds()).toEqual(['hang', 'build'])
    },
  )

  test('leaves the caches of other groups', async () => {
    const left = inProject('dist/pages')
    mkdirSync(join(left, '.building/cache/taskpane'), { recursive: true })
    writeFileSync(join(left, '.building/cache/taskpane/whole'), '')
    writeFileSync(join(left, '.building/group'), 'replay')
    writeFileSync(join(left, '.lock'), '4194305')
    await build()
    expect(readdirSync(join(left, '.building/cache')).sort()).toEqual(['replay', 'taskpane'])
  })

  test('what was built before it is still there', async () => {
    const before = await build()
    appendFileSync(inProject('src/page.ts'), '!')
    behave('die', 'die')
    await expect(build()).rejects.toThrow('failed twice')
    write('src/page.ts', 'first src/page.ts')
    expect(await build()).toBe(before)
    expect(readdirSync(before).sort()).toEqual(['licences.txt', 'page.html'])
  })
})
