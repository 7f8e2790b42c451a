import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFolder } from '../../../src/service/sql/folderLock.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const leave = (text: string) => writeFile(join(folder, 'lock'), text)
const lockOf = (process: number | undefined, host = hostname()) =>
  JSON.stringify({ process, host, id: 'another' })
const endedProcess = () => spawnSync(process.execPath, ['--version']).pid

describe('the lock of a folder', () => {
  it('is there until it is given back, and leaves nothing', async () => {
    const unlock = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(`Process ${String(process.pid)} on ${hostname()}`)
    expect(await readdir(folder)).toEqual(['lock'])
    await unlock()
    expect(await readdir(folder)).toEqual([])
    await (
      await lockFolder(folder)
    )()
  })

  it('of another process stays when a former holder gives its own back', async () => {
    const unlock = await lockFolder(folder)
    await leave(lockOf(process.ppid))
    await unlock()
    expect(await readFile(join(folder, 'lock'), 'utf8')).toBe(lockOf(process.ppid))
    expect(await readdir(folder)).toEqual(['lock'])
  })

  it.each([
    ['a process that ended', () => lockOf(endedProcess())],
    ['a former process with the same number', () => lockOf(process.pid)],
  ])('is taken over from %s, by one', async (_, left) => {
    await leave(left())
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => lockFolder(folder)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['lock'])
    expect(await readFile(join(folder, 'lock'), 'utf8')).not.toContain('another')
  })

  it.each([
    ['a process that runs', () => lockOf(process.ppid), `Process ${String(process.ppid)}`],
    ['a process of another host', () => lockOf(endedProcess(), 'elsewhere'), 'on elsewhere'],
    ['something else', () => 'no lock', 'is not a lock'],
  ])('stays that of %s', async (_, left, sentence) => {
    const text = left()
    await leave(text)
    await expect(lockFolder(folder)).rejects.toThrow(sentence)
    expect(await readFile(join(folder, 'lock'), 'utf8')).toBe(text)
    expect(await readdir(folder)).toEqual(['lock'])
  })
})
