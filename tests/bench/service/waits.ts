/** How long the default of a person waits while an administrator sends what keeps the service busy. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writingYaml } from '../../../src/service/folder/writtenYaml.ts'
import type { StoreAddress } from '../../../src/service/sql/openStore.ts'
import { finish } from '../../../streams/kernel/steps.ts'
import { MAX_FILES, MAX_YAML_BYTES } from '../../../streams/organisation/paths.ts'
import type { ReleaseDocument, Selection } from '../../../streams/organisation/release.ts'
import { ADMINISTRATION_PATH, CALLS, type CallName } from '../../../streams/wire/administration/calls.ts'
import { png } from '../../service/pictures.ts'
import { startPostgres } from '../../support/postgres.ts'
import { addresses, largeDocument } from '../../growth/largeDocument.ts'
import { digits, median, quantile, table } from '../figures.ts'
import { documentWith, found } from './organisation.ts'
import { ask, type MeasuredService, startService } from './processes.ts'
import { type Provider, startProvider } from './provider.ts'
import { DEFAULT_PATH, HEADERS, signInOf } from './service.ts'

const PEOPLE = 5_000
/** Who asks in turn, so that nobody is asked beyond the limit of a user. */
const ASKING = 200
const ROUNDS = 2
/** How long the default is asked for before and after each call. */
const AROUND_MS = 100

/** Rules that name many people one by one, and leave out many patterns. */
const MANY_VALUES: Selection = {
  for: Array.from({ length: 10 }, (_, group) => [
    { by: 'person' as const, values: addresses(500).map((address) => `${String(group)}${address}`) },
  ]),
  not: [
    [{ by: 'address', values: Array.from({ length: 100 }, (_, index) => `*x${String(index)}@a.example`) }],
  ],
}
const largeRules = (name: string): ReleaseDocument => {
  const document = documentWith({ everyone: name })
  return {
    ...document,
    signatures: document.signatures.map((signature, index) => ({
      ...signature,
      selection: index === 0 ? MANY_VALUES : { ...signature.selection, not: MANY_VALUES.not },
    })),
  }
}

/** A `signet.yaml` of as many entries as fit into a file that is read. */
function largeYaml(): Readonly<{ document: ReleaseDocument; yaml: string }> {
  const all = largeDocument({ signatures: 1, templates: 1, mailboxes: 20_000 })
  for (let mailboxes = all.mailboxes.length; ; mailboxes -= 1_000) {
    const document = { ...all, mailboxes: all.mailboxes.slice(0, mailboxes) }
    const yaml = finish(writingYaml(document))
    if (yaml.length < MAX_YAML_BYTES) return { document, yaml }
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

type Heavy = Readonly<{ title: string; name: CallName; body?: unknown; query?: string }>

function heavyCalls(): readonly Heavy[] {
  const { document, yaml } = largeYaml()
  const pictures = Object.fromEntries(
    Array.from({ length: 14 }, (_, index) => {
      const bytes = png(1, 1, 1_000_000 + index)
      return [createHash('sha256').update(bytes).digest('hex').slice(0, 32), bytes.toString('base64')]
    }),
  )
  const rows = Array.from(
    { length: PEOPLE * 4 },
    (_, index) => `n${String(index)}@a.example,${'x'.repeat(800)}`,
  )
  const csv = ['email,givenName', ...rows].join('\n')
  const wide = ['email', ...Array.from({ length: 199 }, (_, index) => `field${String(index)}`)].join()
  const wideCsv = [
    wide,
    ...Array.from(
      { length: 500 },
      (_, row) => `w${String(row)}@a.example${`,${'y'.repeat(180)}`.repeat(199)}`,
    ),
  ].join('\n')
  const html = `<table>${'<tr><td style="color:#0a5">Sales</td></tr>'.repeat(60_000)}</table>`
  return [
    { title: 'overview, with large rules', name: 'overview' },
    {
      title: 'which pictures are missing, of 20,000',
      name: 'missingPictures',
      body: { pictures: Array.from({ length: MAX_FILES }, (_, index) => String(index).padStart(32, 'a')) },
    },
    { title: '14 pictures of 1 MB', name: 'sendPictures', body: { pictures } },
    {
      title: 'a folder with a signet.yaml of 1 MB and a table of 9 MB',
      name: 'readFolder',
      body: {
        files: {
          'signet.yaml': base64(yaml),
          'people.csv': base64(csv.slice(0, csv.lastIndexOf('\n', 9_000_000))),
          ...Object.fromEntries(
            Object.entries(document.templates).map(([path, text]) => [path, base64(text)]),
          ),
        },
      },
    },
    { title: 'writing a folder with a signet.yaml of 1 MB', name: 'writeFolder', body: { document } },
    { title: 'writing a signet.yaml of 1 MB', name: 'writeYaml', body: { document, yaml: null } },
    {
      title: 'a small change of a signet.yaml of 1 MB',
      name: 'writeYaml',
      body: { document: { ...document, organisation: 'Another' }, yaml },
    },
    { title: 'reading a signet.yaml of 1 MB', name: 'readYaml', body: { document, yaml } },
    {
      title: 'adopting html of 2.5 MB',
      name: 'adopt',
      body: {
        samples: [{ files: [{ path: 'a.html', base64: base64(html) }], person: null }],
        ...{ from: null, variables: [] },
      },
    },
    {
      title: 'explaining html of 200,000 characters',
      name: 'explainSent',
      body: {
        ...{ combinedIds: 'everyone-p00000001', hash: 'a', at: Date.now(), isReply: true },
        ...{ domains: ['x.example'], html: '<p>word</p>'.repeat(18_000) },
      },
    },
    { title: 'a table of 16 MB, tried', name: 'importPeople', body: Buffer.from(csv), query: '?try=true' },
    {
      title: 'a table of long rows, tried',
      name: 'importPeople',
      body: Buffer.from(wideCsv),
      query: '?try=true',
    },
    {
      title: 'a plan of 6,000 mailboxes for everyone',
      name: 'makePlan',
      body: { document: { ...document, mailboxes: document.mailboxes.slice(0, 6_000) } },
    },
    { title: 'a plan of large rules', name: 'makePlan', body: { document: largeRules('planned') } },
  ]
}

/** Asks for defaults one after the other until the work ends. Resolves with how long each one took. */
async function waitsBeside(
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
        ...{ method: 'GET', path: DEFAULT_PATH },
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
    const service = await startService(address, {
      ...{ provider, folder },
      secret: randomBytes(32).toString('base64'),
    })
    ending.unshift(() => service.close())
    const bearers = await signIn(service, provider)
    const headers = { Authorization: `Bearer ${await provider.administrator()}` }
    const send = async ({ name, body, query = '' }: Heavy): Promise<number> => {
      const { method, path }: Readonly<{ method: string; path: string }> = CALLS[name]
      const type = Buffer.isBuffer(body) ? { 'Content-Type': 'text/csv' } : {}
      const { status } = await ask(service.url, {
        ...{ method: method as 'POST', path: ADMINISTRATION_PATH + path + query, body },
        headers: { ...headers, ...type },
      })
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
      note(`${title}: ${answered}, ${digits(median(longest))} ms`)
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
    add('nothing else', '', alone, [1000])
    for (const heavy of heavyCalls()) {
      const [all, took]: [(readonly number[])[], number[]] = [[], []]
      let status = 0
      for (let round = 0; round < ROUNDS; round += 1)
        all.push(
          await waitsBeside(service, bearers, async () => {
            const from = performance.now()
            status = await send(heavy)
            took.push(performance.now() - from)
          }),
        )
      add(heavy.title, String(status), all, took)
    }
    return table(
      `The default of a person beside one heavy call of an administrator (${String(ROUNDS)} rounds, ${PEOPLE.toLocaleString('en-US')} people)`,
      ['the other call', 'status', 'it took, ms', 'p95, ms', 'longest wait, ms', 'of all rounds'],
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
