/** Measures requests for the defaults of one organisation during the long work of another, in the same process. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMINISTRATION_PATH } from '../../../streams/wire/administration/calls.ts'
import { openDatabase, type StoreAddress } from '../../../src/service/sql/openStore.ts'
import { createRegistry } from '../../../src/service/sql/registry.ts'
import { startPostgres } from '../../support/postgres.ts'
import { digits, median, quantile, spread, table, times } from '../figures.ts'
import { addressOf, documentWith, found } from './organisation.ts'
import { ask, type Asked, type MeasuredService, startService } from './processes.ts'
import { type Provider, startProvider } from './provider.ts'
import { DEFAULT_PATH, HEADERS, signInOf } from './service.ts'

const PEOPLE = 1_000
const LARGE = { id: 'large', tenant: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d' }
const LARGE_PEOPLE = 50_000
const ROWS = 20_000
const ROUNDS = 3
/** Requests in a round, below the service's limit per user. */
const ASKED = 300

type Round = Readonly<{ p50: number; p95: number; perSecond: number }>

/** @param atOnce how many requests run at once */
async function askDefaults(url: string, bearers: readonly string[], atOnce: number): Promise<Round> {
  const taken: number[] = []
  const requests = Array.from({ length: ASKED }, (_, index): Asked => ({
    method: 'GET',
    path: DEFAULT_PATH,
    headers: { ...HEADERS, Authorization: `Bearer ${bearers[index % bearers.length] ?? ''}` },
  })).values()
  const worker = async () => {
    for (const asked of requests) {
      const from = performance.now()
      const { status } = await ask(url, asked)
      if (status !== 200) throw new Error(`The default was not answered: ${String(status)}`)
      taken.push(performance.now() - from)
    }
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: atOnce }, worker))
  const ms = performance.now() - from
  return { p50: median(taken), p95: quantile(taken, 0.95), perSecond: (1000 * ASKED) / ms }
}

async function signIn({ url }: MeasuredService, provider: Provider): Promise<readonly string[]> {
  const bearers: string[] = []
  for (let person = 1; person <= PEOPLE; person += 1) {
    const { text } = await ask(url, await signInOf(provider, person))
    const { data } = JSON.parse(text) as { data: { access_token: string } }
    bearers.push(data.access_token)
  }
  return bearers
}

export async function measureFair(note: (line: string) => void): Promise<string> {
  const ending: (() => unknown)[] = []
  try {
    const folder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
    ending.unshift(() => rm(folder, { recursive: true, force: true }))
    const provider = await startProvider()
    ending.unshift(() => provider.close())
    const postgres = await startPostgres()
    ending.unshift(() => postgres.close())
    const address: StoreAddress = { kind: 'postgres', url: await postgres.createDatabase() }
    note('Creating the rows of both organisations …')
    await (await found(address, PEOPLE)).close()
    await (await found(address, LARGE_PEOPLE, documentWith(), LARGE)).close()
    const driver = await openDatabase(address)
    const registered = { id: LARGE.id, name: 'Large', tenants: [LARGE.tenant], directory: null, addedAt: 0 }
    await createRegistry(driver).keep(registered, null)
    await driver.close()
    const secret = randomBytes(32).toString('base64')
    const service = await startService(address, { provider, folder, secret })
    ending.unshift(() => service.close())
    const bearers = await signIn(service, provider)

    const token = await provider.administrator(LARGE.tenant)
    const headers = { Authorization: `Bearer ${token}` }
    const send = async (path: string, body: unknown, more = {}) => {
      const asked = {
        method: 'POST',
        path: ADMINISTRATION_PATH + path,
        headers: { ...headers, ...more },
        body,
      }
      const { status, text } = await ask(service.url, asked as Asked)
      if (status >= 300) throw new Error(`${path}: ${String(status)} ${text.slice(0, 300)}`)
    }
    let sent = 0
    const works: Readonly<Record<string, () => Promise<void>>> = {
      [`a plan for ${LARGE_PEOPLE.toLocaleString('en-US')} people`]: () =>
        send('/plans', { document: documentWith({ everyone: `everyone, ${String(++sent)}` }), pictures: {} }),
      [`an import of ${ROWS.toLocaleString('en-US')} changed rows`]: () => {
        const rows = Array.from(
          { length: ROWS },
          (_, index) => `${addressOf(index + 1)},Changed ${String(++sent)}`,
        )
        const csv = Buffer.from(['email,givenName', ...rows].join('\n'))
        return send('/people/import', csv, { 'Content-Type': 'text/csv' })
      },
    }

    const rows: string[][] = []
    for (const [name, work] of Object.entries(works))
      for (const atOnce of [1, 8]) {
        const [alone, beside]: [Round[], Round[]] = [[], []]
        const workMs: number[] = []
        for (let round = 0; round <= ROUNDS; round += 1) {
          const one = await askDefaults(service.url, bearers, atOnce)
          const begun = performance.now()
          const done: boolean[] = []
          const working = work().finally(() => done.push(true))
          await new Promise((resolve) => setTimeout(resolve, 300))
          const other = await askDefaults(service.url, bearers, atOnce)
          if (done.length > 0) throw new Error('The long work ended before the round.')
          await working
          // The first round is a warm-up.
          if (round === 0) continue
          alone.push(one)
          beside.push(other)
          workMs.push(performance.now() - begun)
        }
        const of = (rounds: readonly Round[], read: (round: Round) => number) => rounds.map(read)
        const ratio = (read: (round: Round) => number) =>
          times(median(beside.map((round, index) => read(round) / read(alone[index] ?? round))))
        note(`${name}; ${String(atOnce)} at once: ${ratio(({ perSecond }) => 1 / perSecond)}`)
        rows.push([
          `${name}; ${String(atOnce)} at once`,
          spread(of(alone, ({ perSecond }) => perSecond)),
          spread(of(beside, ({ perSecond }) => perSecond)),
          ratio(({ perSecond }) => 1 / perSecond),
          ratio(({ p50 }) => p50),
          ratio(({ p95 }) => p95),
          `${digits(median(workMs) / 1000)} s`,
        ])
      }
    return table(
      `Defaults of one organisation beside the long work of another (${String(ROUNDS)} rounds of ${String(ASKED)} requests, in turns)`,
      [
        ...[
          'the long work; requests for defaults',
          'per second, alone',
          'per second, beside it',
          'time vs. alone',
        ],
        ...['p50 vs. alone', 'p95 vs. alone', 'duration of the long work'],
      ],
      rows,
    )
  } finally {
    for (const end of ending) await end()
  }
}
