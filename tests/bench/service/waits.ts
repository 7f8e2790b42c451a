/** Measures how long people wait for their default during another call that keeps the service busy. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { StoreAddress } from '../../../src/service/sql/openStore.ts'
import { startPostgres } from '../../support/postgres.ts'
import { digits, median, quantile, table } from '../figures.ts'
import { found } from './organisation.ts'
import { ask, type MeasuredService, startService } from './processes.ts'
import { type Provider, startProvider } from './provider.ts'
import { DEFAULT_PATH, HEADERS, signInOf } from './service.ts'
import { type Heavy, heavyCalls, largeRules, type Made, PEOPLE } from './waitCalls.ts'

/** The number of users who send requests in turn, so that none of them exceeds the service's limit per user. */
const ASKING = 200
const ROUNDS = 2
/** How long the benchmark requests defaults before and after each call. */
const AROUND_MS = 100

/** Requests defaults one after another until `work` ends. Resolves with the duration of each request. */
export async function waitsBeside(
  { url }: MeasuredService,
  bearers: readonly string[],
  work: () => Promise<unknown>,
): Promise<readonly number[]> {
  const waits: number[] = []
  const over = new AbortController()
  const asking = (async () => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      const from = performance.now()
      const { status } = await ask(url, {
        method: 'GET',
        path: DEFAULT_PATH,
        headers: { ...HEADERS, Authorization: `Bearer ${bearers[index % bearers.length] ?? ''}` },
      })
      if (status !== 200) throw new Error(`The default was not answered: ${String(status)}`)
      waits.push(performance.now() - from)
      await pause(5)
    }
  })()
  await pause(AROUND_MS)
  try {
    await work()
    await pause(AROUND_MS)
  } finally {
    over.abort()
    await asking
  }
  return waits
}

export async function measureWaits(note: (line: string) => void): Promise<string> {
  const ending: (() => unknown)[] = []
  try {
    const folder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
    ending.unshift(() => rm(folder, { recursive: true, force: true }))
    const provider = await startProvider()
    ending.unshift(() => provider.close())
    const postgres = await startPostgres()
    ending.unshift(() => postgres.close())
    const address: StoreAddress = { kind: 'postgres', url: await postgres.createDatabase() }
    await (await found(address, PEOPLE, largeRules('published'))).close()
    const scimToken = randomBytes(32).toString('hex')
    const service = await startService(address, {
      provider,
      folder,
      secret: randomBytes(32).toString('base64'),
      more: { SIGNET_DIRECTORY: 'scim', SIGNET_SCIM_TOKEN: scimToken },
    })
    ending.unshift(() => service.close())
    const bearers = await signIn(service, provider)
    const headersAs = {
      administrator: { Authorization: `Bearer ${await provider.administrator()}` },
      person: { ...HEADERS, Authorization: `Bearer ${bearers[0] ?? ''}` },
      directory: { Authorization: `Bearer ${scimToken}` },
      nobody: HEADERS,
    }
    const made: Made = { plan: '', release: '', user: '', group: '', accessToken: await provider.tokenOf(1) }
    const send = async (
      { route, as, path, body, keep, query = '' }: Heavy,
      sent: unknown,
    ): Promise<number> => {
      const [method = '', pattern = ''] = route.split(' ')
      const type = Buffer.isBuffer(sent) ? { 'Content-Type': 'text/csv' } : {}
      const { status, text } = await ask(service.url, {
        method: method as 'POST',
        path: (path?.(made) ?? pattern) + query,
        ...(body === undefined ? {} : { body: sent }),
        headers: { ...headersAs[as], ...type },
      })
      if (status < 300) keep?.(JSON.parse(text) as object, made)
      return status
    }
    const rows: string[][] = []
    const add = (
      title: string,
      answered: string,
      of: readonly (readonly number[])[],
      took: readonly number[],
    ) => {
      const longest = of.map((waits) => Math.max(...waits))
      note(`${title}: ${answered}, longest wait ${digits(median(longest))} ms`)
      const p95 = of.map((waits) => quantile(waits, 0.95))
      rows.push([
        title,
        answered,
        digits(median(took)),
        digits(median(p95)),
        digits(median(longest)),
        digits(Math.max(...longest)),
      ])
    }
    const alone: (readonly number[])[] = []
    for (let round = 0; round < ROUNDS; round += 1)
      alone.push(await waitsBeside(service, bearers, () => pause(1000)))
    add('no other call', '', alone, [1000])
    for (const heavy of heavyCalls()) {
      const [all, took]: [(readonly number[])[], number[]] = [[], []]
      let status = 0
      for (let round = 0; round < ROUNDS; round += 1)
        all.push(
          await waitsBeside(service, bearers, async () => {
            const sent = heavy.body?.(made)
            const from = performance.now()
            status = await send(heavy, sent)
            took.push(performance.now() - from)
          }),
        )
      add(heavy.title, String(status), all, took)
    }
    return table(
      `The default of one person beside one other call (${String(ROUNDS)} rounds, ${PEOPLE.toLocaleString('en-US')} people)`,
      [
        'the other call',
        'status',
        'duration, ms',
        'p95, ms',
        'longest wait, ms',
        'longest wait in all rounds, ms',
      ],
      rows,
    )
  } finally {
    for (const end of ending) await end()
  }
}

async function signIn({ url }: MeasuredService, provider: Provider): Promise<readonly string[]> {
  const bearers: string[] = []
  for (let person = 1; person <= ASKING; person += 1) {
    const { text } = await ask(url, await signInOf(provider, person))
    const { data } = JSON.parse(text) as { data: { access_token: string } }
    bearers.push(data.access_token)
  }
  return bearers
}
