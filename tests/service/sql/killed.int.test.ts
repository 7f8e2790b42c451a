import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { programArguments } from '../../../src/programs/programArguments.ts'
import { openStore, type StoreAddress } from '../../../src/service/sql/openStore.ts'
import { newPostgresUrl } from '../../support/databases.ts'

/** Each test starts several processes, on a machine that may be busy. */
const TEST_LIMIT_MS = 120_000

const WRITER = 'tests/service/sql/writer.ts'

const running = new Set<ChildProcess>()
const folders: string[] = []
afterEach(async () => {
  for (const child of running) await kill(child)
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-killed-'))
  folders.push(folder)
  return folder
}

function startWriter(address: StoreAddress) {
  const child = spawn(process.execPath, programArguments(WRITER, JSON.stringify(address)))
  running.add(child)
  let told = ''
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
  return { child, lines: createInterface(child.stdout), told: () => told }
}

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}

/** Writes until some writes are acknowledged, kills the writer, and adds what it acknowledged. */
async function writeUntilKilled(address: StoreAddress, count: number, acknowledged: Map<string, string>) {
  const { child, lines, told } = startWriter(address)
  let seen = 0
  // The lines that were on their way when the writer was killed count, too.
  for await (const line of lines) {
    const [id = '', revision = '', value = ''] = line.split(' ')
    acknowledged.set(`${id} ${revision}`, value)
    if (++seen === count) child.kill('SIGKILL')
  }
  await kill(child)
  expect(told()).toBe('')
  expect(seen).toBeGreaterThanOrEqual(count)
}

/** That every acknowledged write is there, and that the rows are what the facts say. */
async function expectWhole(address: StoreAddress, acknowledged: ReadonlyMap<string, string>) {
  const store = await openStore(address)
  try {
    const streams = [...new Set((await store.peopleFacts(null, 10_000)).map(({ id }) => id))]
    expect(streams).toEqual(['ana', 'joao', 'maria'])
    const written = new Map<string, string>()
    for (const id of streams) {
      const [person, facts] = [await store.person(id), await store.personFacts(id, 0)]
      expect(facts.map(({ meta }) => meta.seq)).toEqual(facts.map((_, index) => index))
      const last = facts.at(-1)
      expect(person).toMatchObject({
        revision: facts.length,
        values: last?.type === 'person/valuesSaved' ? last.data.values : 'no value saved last',
      })
      expect((await store.personByAddress(`${id}@x.example`))?.id).toBe(id)
      for (const { type, data, meta } of facts)
        if (type === 'person/valuesSaved')
          written.set(`${id} ${String(meta.seq + 1)}`, data.values['phone'] ?? '')
    }
    expect([...written]).toEqual(expect.arrayContaining([...acknowledged]))
  } finally {
    await store.close()
  }
}

describe('a process that is killed while it writes', () => {
  it.each(['embedded', 'postgres'] as const)(
    'leaves each write whole or not at all, and all that it acknowledged, over %s [SRV-12]',
    async (kind) => {
      const address: StoreAddress =
        kind === 'embedded' ? { kind, folder: await newFolder() } : { kind, url: await newPostgresUrl() }
      const acknowledged = new Map<string, string>()
      for (const count of [5, 23]) await writeUntilKilled(address, count, acknowledged)
      await expectWhole(address, acknowledged)
    },
    TEST_LIMIT_MS,
  )
})

describe('a second process on the folder of an embedded database', () => {
  it(
    'stops with a sentence, and the first goes on [SRV-13]',
    async () => {
      const folder = await newFolder()
      const address: StoreAddress = { kind: 'embedded', folder }
      const first = startWriter(address)
      const acknowledged = new Map<string, string>()
      const reading = (async () => {
        for await (const line of first.lines) {
          const [id = '', revision = '', value = ''] = line.split(' ')
          acknowledged.set(`${id} ${revision}`, value)
        }
      })()
      await once(first.lines, 'line')
      const lock = await readFile(join(folder, 'lock'), 'utf8')

      const second = startWriter(address)
      const [code] = (await once(second.child, 'close')) as [number]
      expect(code).toBe(1)
      expect(second.told()).toContain(`Process ${String(first.child.pid)}`)
      expect(second.told()).toContain(folder)
      expect(await readFile(join(folder, 'lock'), 'utf8')).toBe(lock)

      await once(first.lines, 'line')
      await kill(first.child)
      await reading
      await expectWhole(address, acknowledged)
    },
    TEST_LIMIT_MS,
  )
})
