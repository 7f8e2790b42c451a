import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ADMINISTRATION_PATH, type Call, CALLS } from '../../../streams/wire/administration/calls.ts'
import { MAX_FOLDER_FILES } from '../../../streams/organisation/release/paths.ts'
import { TENANT_IDS } from '../../../src/identityProvider/accounts.ts'
import { listen } from '../../../src/server/webServer.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import { addresses, largeDocument } from '../../growth/largeDocument.ts'
import { embeddedData } from '../../support/databases.ts'
import { createTimers } from '../../support/timers.ts'
import { asPhoto, png } from '../../folder/pictures.ts'
import { ADDIN_HEADERS, ALEX, PAGE_ORIGIN, type Running, start } from '../running.ts'

// A call that works for long must not keep others from being answered. Another call is asked all the time; it tells what
// has arrived of the large one, so that only those count which were answered while the service worked on the whole body.
// Each look at the clock is a millisecond: every step is a turn, on a fast machine and on a slow one, so that a tenth of
// the largest body has turns enough.

let running: Running
let token: string
beforeAll(async () => {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1))
  running = await start()
  token = await running.mailClientToken(ALEX)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await running.stop()
})

const pictures = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => {
    const bytes = png(1, 1, 50_000 + index)
    return [createHash('sha256').update(bytes).digest('hex').slice(0, 32), bytes.toString('base64')]
  }),
)
const document = largeDocument({ mailboxes: 20, signatures: 3, templates: 4 })
const csv = `email,givenName\n${addresses(150).join(',Given\n')},Given`
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A large body for each call that takes one. */
const bodies: Readonly<Record<string, unknown>> = {
  missingPictures: { pictures: Array.from({ length: MAX_FOLDER_FILES / 10 }, () => 'a'.repeat(32)) },
  sendPictures: { pictures },
  countPeople: { selection: { for: [[{ by: 'person', values: addresses(5_000) }]], not: [] } },
  makePlan: { document },
  readFolder: {
    files: {
      'people.csv': base64(csv),
      'signet.yaml': base64('version: 1\norganisation: X\n'),
      ...Object.fromEntries(
        Object.entries(document.templates).map(([path, text]) => [path, base64(text)] as const),
      ),
    },
  },
  writeFolder: { document },
  writeYaml: { document, yaml: null },
  readYaml: { document, yaml: 'version: 1\norganisation: X\n' },
  importPeople: csv,
  adopt: {
    samples: Array.from({ length: 2 }, (_, index) => ({
      files: [
        { path: 'a.html', base64: base64(`<p>${'Sales, '.repeat(500)}</p><img src="b.png" alt="B">`) },
        { path: 'b.png', base64: png(1, 1, 30_000 + index).toString('base64') },
      ],
      person: null,
    })),
    from: null,
    variables: [],
  },
  matchingPerson: {
    selection: {
      for: [[{ by: 'person', values: Array.from({ length: 1_000 }, (_, at) => `p${String(at)}@x.example`) }]],
      not: [],
    },
  },
  explainSent: {
    combinedIds: 'standard-u-1',
    hash: 'a',
    at: Date.now(),
    isReply: true,
    domains: ['x.example'],
    html: '<p>word</p>'.repeat(1_800),
  },
}

const large = Object.entries<Call>(CALLS).filter(([, { isLarge }]) => isLarge === true)

it('there is a large body for each call that takes one', () => {
  expect(Object.keys(bodies).sort()).toEqual(large.map(([name]) => name).sort())
})

it.each(large)(
  '%s lets others be answered while it works',
  async (name, { method, path, body: schema, status }) => {
    const given = bodies[name]
    const body = typeof given === 'string' ? given : JSON.stringify(given)
    const send = () =>
      fetch(`${running.url}${ADMINISTRATION_PATH}${path}${schema && given === csv ? '?try=true' : ''}`, {
        method,
        headers: {
          Origin: PAGE_ORIGIN,
          Authorization: `Bearer ${token}`,
          'Content-Type': typeof given === 'string' ? 'text/csv' : 'application/json',
        },
        body,
      })
    const { statuses, answered } = await askBeside(body, send)
    expect(new Set(statuses)).toEqual(new Set([status]))
    expect(answered).toBeGreaterThan(0)
  },
)

/** A fast machine may read a body before another call is answered, so the body is sent so many times at most. */
const MAX_ROUNDS = 20

/**
 * Sends a body again until others are answered while it is read, and counts their answers.
 *
 * @param askOther asks for something else, and tells whether the body of this round had arrived before the answer
 */
async function answersBeside(
  send: (round: number) => Promise<void>,
  askOther: (round: number) => Promise<boolean>,
): Promise<number> {
  let answered = 0
  for (let round = 0; answered === 0 && round < MAX_ROUNDS; round += 1) {
    let isDone = false
    const isWorking = () => !isDone
    const working = send(round).finally(() => (isDone = true))
    while (isWorking()) if ((await askOther(round)) && isWorking()) answered += 1
    await working
  }
  return answered
}

/** Sends a body while others ask for the journal, which has each body as it arrives. */
async function askBeside(body: string, send: () => Promise<Readonly<{ status: number }>>) {
  await running.control('DELETE', 'requests')
  const size = Buffer.byteLength(body)
  const statuses: number[] = []
  const answered = await answersBeside(
    async () => {
      statuses.push((await send()).status)
    },
    async (round) => (await running.journal()).filter(({ bodySize }) => bodySize === size).length > round,
  )
  return { statuses, answered }
}

it('a photo lets others be answered while it is read', async () => {
  await running.control('DELETE', 'requests')
  const bearer = await running.signIn(ALEX)
  const body = Buffer.from(JSON.stringify({ photo: asPhoto(png(1, 1, 1_000_000)) }))
  const half = Math.floor(body.length / 2)
  const sending = request(`${running.url}/api/addin/user/photo`, {
    method: 'PUT',
    headers: { ...ADDIN_HEADERS, Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
  })
  const answer = once(sending, 'response') as Promise<[IncomingMessage]>
  sending.write(body.subarray(0, half))
  const arrived = async () =>
    (await running.journal()).flatMap(({ method, bodySize }) => (method === 'PUT' ? bodySize : []))
  await expect.poll(arrived).toEqual([half])
  expect((await running.call('GET', '/api/addin/user', bearer)).status).toBe(200)
  expect(await arrived()).toEqual([half])
  sending.end(body.subarray(half))
  const [{ statusCode }] = await answer
  expect(statusCode).toBe(200)
  expect(await arrived()).toEqual([body.length])
})

describe('SCIM', () => {
  const TOKEN = 'the-token-of-the-directory-0123456789'
  let service: Service
  let url: string
  let haveArrived = 0
  beforeAll(async () => {
    service = await createService({
      store: await embeddedData()(),
      organisation: 'Northwind Trading',
      tenants: [TENANT_IDS.northwind],
      authority: running.provider.url,
      tokenAudiences: ['api://signet'],
      scope: 'access_as_user',
      secret: randomBytes(32),
      origins: [],
      timers: createTimers(),
      scimToken: TOKEN,
      publicUrl: () => 'https://signet.northwind.example',
      prepare: async (app) => {
        app.addHook('preHandler', async ({ body }) => {
          if (body !== undefined) haveArrived += 1
        })
      },
    })
    url = (await listen(service.app, 0)).url
  })
  afterAll(() => service.close())

  const members = addresses(150).map((value) => ({ value }))
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  const emails = Array.from({ length: 10 }, (_, index) => ({ value: `a${String(index)}@northwind.example` }))
  it.each<[string, string, object]>([
    ['adding a group', 'POST', { members }],
    ['replacing a group', 'PUT', { displayName: 'Tours', members }],
    ['adding members', 'PATCH', { schemas, Operations: [{ op: 'add', path: 'members', value: members }] }],
    [
      'changing a user',
      'PATCH',
      {
        schemas,
        Operations: Array.from({ length: 100 }, () => ({ op: 'add', path: 'emails', value: emails })),
      },
    ],
  ])('%s lets others be answered while it is read', async (name, method, body) => {
    const path = name === 'changing a user' ? 'Users' : 'Groups'
    const ask = (how: string, at: string, sent: object) =>
      fetch(`${url}/scim/v2/${at}`, {
        method: how,
        headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/scim+json' },
        body: JSON.stringify(sent),
      })
    const named = { displayName: name, userName: 'alex', emails: emails.slice(0, 1) }
    const { id } = (await (await ask('POST', path, named)).json()) as { id: string }
    const before = haveArrived
    const answered = await answersBeside(
      async (round) => {
        const sent = method === 'POST' ? { ...body, displayName: `Sales ${String(round)}` } : body
        const answer = await ask(method, method === 'POST' ? path : `${path}/${id}`, sent)
        expect(answer.ok).toBe(true)
      },
      async (round) => {
        await fetch(`${url}/scim/v2/Schemas`).then((other) => other.arrayBuffer())
        return haveArrived > before + round
      },
    )
    expect(answered).toBeGreaterThan(0)
  })
})
