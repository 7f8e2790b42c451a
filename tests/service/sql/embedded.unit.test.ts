import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFolder } from '../../../src/service/sql/folderLock.ts'
import { openStore } from '../../../src/service/sql/openStore.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-embedded-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the folder of an embedded database', () => {
  it('keeps what was written, also after a first start that was cut short', async () => {
    await mkdir(join(folder, 'database'))
    await writeFile(join(folder, 'database', 'PG_VERSION'), '1')
    const first = await openStore({ kind: 'embedded', folder })
    await first.keepPlan('p', { kept: true }, 1)
    await first.close()
    await first.close()
    expect(await readdir(folder)).toEqual(['database'])

    const again = await openStore({ kind: 'embedded', folder })
    expect(await again.plan('p')).toEqual({ kept: true })
    await again.close()
  })

  it('is free again when it could not be opened', async () => {
    await mkdir(join(folder, 'database'))
    await writeFile(join(folder, 'database', 'signet-started'), '')
    await writeFile(join(folder, 'database', 'PG_VERSION'), '9.6')
    await expect(openStore({ kind: 'embedded', folder })).rejects.toThrow()
    expect(await readdir(folder)).toEqual(['database'])
  })
})

describe('the lock of a folder', () => {
  const lock = () => join(folder, 'lock')
  const held = async () => JSON.parse(await readFile(lock(), 'utf8')) as Record<string, unknown>
  /** No process has such a number. */
  const NO_PROCESS = 2 ** 30
  const former = { process: NO_PROCESS, host: hostname(), id: 'former-1' }
  const write = (holder: object, name = 'lock') => writeFile(join(folder, name), JSON.stringify(holder))
  const message = (holder: { process: number; host: string }) =>
    `Process ${String(holder.process)} on ${holder.host} uses the data in ${folder}; two processes would lose data. End that process first. If it no longer runs, delete ${lock()}.`

  it('names its process and its host, and leaves nothing', async () => {
    const unlock = await lockFolder(folder)
    expect(await held()).toEqual({
      process: process.pid,
      host: hostname(),
      id: expect.stringMatching(/^[\w-]{36}$/) as string,
    })
    expect(await readdir(folder)).toEqual(['lock'])
    await expect(lockFolder(folder)).rejects.toThrow(
      new Error(message({ process: process.pid, host: hostname() })),
    )
    expect(await readdir(folder)).toEqual(['lock'])
    await unlock()
    expect(await readdir(folder)).toEqual([])
    await (
      await lockFolder(folder)
    )()
  })

  it.each([
    ['no longer runs', former],
    ['had the number of this one', { ...former, process: process.pid }],
  ])('of a process that %s is taken over', async (_, holder) => {
    await write(holder)
    const unlock = await lockFolder(folder)
    expect((await held())['id']).not.toBe(holder.id)
    expect(await readdir(folder)).toEqual(['lock'])
    await unlock()
  })

  it.each([
    ['of another host', { ...former, host: `not-${hostname()}` }],
    ['that runs', { ...former, process: process.ppid }],
  ])('of a process %s is not', async (_, holder) => {
    await write(holder)
    await expect(lockFolder(folder)).rejects.toThrow(new Error(message(holder)))
    expect([await held(), await readdir(folder)]).toEqual([holder, ['lock']])
  })

  it('is taken over also when another that took it over ended before', async () => {
    await write(former)
    await write({ ...former, id: 'other-1' }, `lock.of.${former.id}`)
    const unlock = await lockFolder(folder)
    expect([await readdir(folder), (await held())['process']]).toEqual([['lock'], process.pid])
    await unlock()
  })

  it.each([
    '',
    '{',
    '{"process":1}',
    '{"process":1.5,"host":"h","id":"a"}',
    '{"process":1,"host":"h","id":"../a"}',
  ])('that is %j is none, and stays', async (text) => {
    await writeFile(lock(), text)
    await expect(lockFolder(folder)).rejects.toMatchObject({
      message: `${lock()} is not a lock of Signet. Delete it if nothing uses the folder.`,
      cause: expect.any(Error) as Error,
    })
    expect([await readFile(lock(), 'utf8'), await readdir(folder)]).toEqual([text, ['lock']])
  })

  it('of another that came meanwhile stays when it is given back', async () => {
    const unlock = await lockFolder(folder)
    await write(former)
    await unlock()
    expect(await held()).toEqual(former)
  })

  it('needs a folder', async () => {
    await expect(lockFolder(join(folder, 'nowhere'))).rejects.toThrow('ENOENT')
  })
})
