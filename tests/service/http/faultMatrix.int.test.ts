import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { firstValueFrom, type Observable, toArray, VirtualTimeScheduler } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '../../../effects/ports.ts'
import { REQUEST_TIMEOUT_MS } from '../../../src/engine/adapters/http.ts'
import type { ServerFault } from '../../../src/server/faults.ts'
import { Failed, type Failure } from '../../../streams/kernel/failure.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import { defaultSettings } from '../../../streams/message/settings/settings.ts'
import { FAILURES } from '../../support/failingCall.ts'
import { type CallName, serviceCalls } from '../../support/serviceCalls.ts'
import { type Caller, createCaller } from './api.ts'
import { asPhoto, png } from '../../folder/pictures.ts'
import { ALEX, type Running, start } from '../running.ts'

// 17 calls by 16 faults. Each cell is a call over a browser's XMLHttpRequest, through a proxy that can hold, reorder and
// inflate responses, to the service with its faults. It ends in a value or in one of the failures with which
// journeys/sessionEnds.test.ts runs the whole application, for each call.

const photo = asPhoto(png())
const payload = {
  package: { name: 'signet', version: '0.1.0' },
  context: [],
  settings: defaultSettings({ production: false, beta: false }),
  beta: false,
  navigator: { userAgent: 'test', language: 'en' },
}
let accessToken = createSecret('')

/** How each call is made. `reads`: the pane reads the response, so that its shape can be wrong. */
const requests: Readonly<
  Record<CallName, Readonly<{ reads: boolean; send: (api: Api) => Observable<unknown> }>>
> = {
  'POST /authentication/addin/azure': {
    reads: true,
    send: (api) => api.verify({ accessToken, email: ALEX }),
  },
  'GET /authentication/access-token': { reads: true, send: (api) => api.renew() },
  'PUT /api/addin/user/addin-info': { reads: false, send: (api) => api.sendTelemetry(payload) },
  'GET /api/addin/user': { reads: true, send: (api) => api.user() },
  'GET /api/addin/user/photo': { reads: true, send: (api) => api.photo() },
  'PUT /api/addin/user/photo': { reads: true, send: (api) => api.savePhoto(photo) },
  'DELETE /api/addin/user/photo': { reads: false, send: (api) => api.deletePhoto() },
  'GET /signatures-cache/api/v1/signature/addin': { reads: true, send: (api) => api.signature({}) },
  'GET /signatures-cache/api/v1/signatures': {
    reads: true,
    send: (api) => api.signatures({ page: 1, withImages: false }),
  },
  'POST /signatures-cache/api/v1/signatures/get/batch': {
    reads: true,
    send: (api) => api.delegatedSignatures({ userIds: ['u-2'], page: 1, withImages: false }),
  },
  'PUT /signatures-cache/api/v2/signature/default': {
    reads: false,
    send: (api) => api.saveDefaultSignature('portrait-u-1'),
  },
  'GET /api/addin/variables': { reads: true, send: (api) => api.variableDefinitions() },
  'GET /api/addin/user/variables': { reads: true, send: (api) => api.variableValues() },
  'PUT /api/addin/user/variables_with_options': {
    reads: true,
    send: (api) =>
      api.saveVariables({ values: { department: 'Deck' }, resetFields: [], base: { values: {} } }),
  },
  'GET /api/addin/subscription': { reads: true, send: (api) => api.subscription() },
  'GET /api/addin/maintenance': { reads: true, send: (api) => api.maintenance() },
  'GET /api/addin/configs': { reads: true, send: (api) => api.configuration() },
}
const calls = serviceCalls.map((each) => ({ ...each, ...requests[each.call] }))

type ProxyMode = 'pass' | 'hold' | 'inflate' | 'reverse'

/** A cell ends with a value or a failure. */
type CallOutcome = Readonly<{ value: true }> | Readonly<{ failure: Failure }>
type Expected = 'value' | 'network' | 'timeout' | 'malformed' | number

type FaultCase = Readonly<{
  title: string
  fault?: ServerFault
  proxy?: ProxyMode
  /** When the proxy releases a held response, in milliseconds after the request; never by default. */
  releasedAtMs?: number
  expected: Expected
  /** The outcome of a call that does not read the response. */
  unread?: Expected
  /** Whether the call is made twice at the same time. */
  twice?: boolean
}>
const status = (code: number, title: string): FaultCase => ({
  title: `${String(code)} ${title}`,
  fault: { kind: 'status', status: code, ...(code === 409 ? { code: 'variable_is_locked' } : {}) },
  expected: code,
})
const faultCases: readonly FaultCase[] = [
  { title: 'no connection', fault: { kind: 'cut' }, expected: 'network' },
  { title: 'no response', proxy: 'hold', expected: 'timeout' },
  { title: 'response at 4990 ms', proxy: 'hold', releasedAtMs: 4990, expected: 'value' },
  { title: 'response at 5010 ms', proxy: 'hold', releasedAtMs: 5010, expected: 'timeout' },
  status(401, 'unauthorised'),
  status(404, 'not found'),
  status(500, 'failed'),
  status(503, 'unavailable'),
  status(429, 'too many requests'),
  status(409, 'conflict with a code'),
  { title: 'empty response', fault: { kind: 'empty' }, expected: 'malformed', unread: 'value' },
  { title: 'truncated response', fault: { kind: 'malformed' }, expected: 'malformed' },
  { title: 'wrong shape', fault: { kind: 'wrongShape' }, expected: 'malformed', unread: 'value' },
  { title: '10 MB', proxy: 'inflate', expected: 'value' },
  { title: 'two responses, out of order', proxy: 'reverse', twice: true, expected: 'value' },
  { title: 'an HTML page', fault: { kind: 'html' }, expected: 'malformed' },
]

let running: Running
let proxy: Server
let mode: ProxyMode = 'pass'
let inflatedBytes = 0
/** Each delivers a held response. */
let held: (() => void)[] = []
/** Each is called once, when the next response is held. */
const arrived: (() => void)[] = []
const clock = new VirtualTimeScheduler()
let caller: Caller

const INFLATED_BYTES = 10_000_000
/** A call with a list and one without: all responses are read alike, so that the others have a hundredth. */
const WHOLLY_INFLATED: readonly CallName[] = [
  'GET /api/addin/user',
  'GET /signatures-cache/api/v1/signatures',
]

/** So many bytes of JSON in the same shape. */
function inflated(body: string, bytes: number): string {
  const parsed = (body === '' ? {} : JSON.parse(body)) as { objects?: unknown[] }
  const { objects = [] } = parsed
  const size = Math.max(JSON.stringify(objects).length, 1)
  const copies = objects.length > 0 ? Math.min(Math.ceil((0.8 * bytes) / size), 20_000 / objects.length) : 0
  const many = objects.length > 0 ? { objects: Array.from({ length: copies }, () => objects).flat() } : {}
  const inflatedBody = { ...parsed, ...many }
  const missing = bytes - JSON.stringify(inflatedBody).length
  return JSON.stringify({ ...inflatedBody, filler: 'x'.repeat(Math.max(0, missing)) })
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body: Buffer[] = []
  for await (const part of incoming as AsyncIterable<Buffer>) body.push(part)
  const isPreflight = incoming.method === 'OPTIONS'
  const onward = request(
    new URL(incoming.url ?? '/', running.url),
    { method: incoming.method ?? 'GET', headers: incoming.headers },
    (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const whole = Buffer.concat(parts)
        const { 'content-length': _, 'transfer-encoding': __, ...headers } = response.headers
        const code = response.statusCode ?? 200
        const deliver = () => {
          if (outgoing.headersSent || outgoing.destroyed) return
          if (mode === 'inflate' && !isPreflight)
            outgoing
              .writeHead(200, { ...headers, 'content-type': 'application/json' })
              .end(inflated(whole.toString(), inflatedBytes))
          else outgoing.writeHead(code, headers).end(whole)
        }
        if (isPreflight || mode === 'pass' || mode === 'inflate') deliver()
        else {
          held.push(deliver)
          for (const tell of arrived.splice(0)) tell()
        }
      })
    },
  )
  onward.on('error', () => outgoing.destroy())
  onward.end(Buffer.concat(body))
}

beforeAll(async () => {
  running = await start()
  proxy = createServer((incoming, outgoing) => void pass(incoming, outgoing))
  await new Promise<void>((listening) => proxy.listen(0, 'localhost', listening))
  const url = `http://localhost:${String((proxy.address() as AddressInfo).port)}`
  caller = createCaller({ url, mailClientToken: running.mailClientToken }, clock)
  await caller.signIn(ALEX)
  accessToken = createSecret(await running.mailClientToken(ALEX))
}, 60_000)
afterAll(async () => {
  await caller.close()
  proxy.closeAllConnections()
  await new Promise((closed) => proxy.close(closed))
  await running.stop()
})

const outcomeOf = (work$: Observable<unknown>): Promise<CallOutcome[]> =>
  firstValueFrom(work$.pipe(toArray())).then(
    (values) => values.map(() => ({ value: true as const })),
    (error: unknown) => {
      if (!(error instanceof Failed)) throw error
      return [{ failure: error.failure }]
    },
  )

const named = (outcome: CallOutcome): Expected => {
  if ('value' in outcome) return 'value'
  const { failure } = outcome
  if (failure.kind === 'http') return failure.status
  return failure.kind as Expected
}

/** What the application tells failures apart by: of the data of a refusal, the fields. */
const shapeOf = (failure: Failure) =>
  failure.kind === 'http'
    ? { ...failure, data: failure.data && Object.keys(failure.data).toSorted() }
    : { kind: failure.kind }

const waitForHeld = async (count: number) => {
  while (held.length < count) await new Promise<void>((tell) => arrived.push(tell))
}

/** Makes a call under a fault. Returns one outcome per call. Virtual time passes only if the case says so. */
async function play(made: (typeof calls)[number], faultCase: FaultCase): Promise<readonly CallOutcome[]> {
  mode = faultCase.proxy ?? 'pass'
  inflatedBytes = INFLATED_BYTES / (WHOLLY_INFLATED.includes(made.call) ? 1 : 100)
  held = []
  if (faultCase.fault) await running.control('PUT', 'faults', { call: made.call, fault: faultCase.fault })
  const outcomes = Promise.all(
    Array.from({ length: faultCase.twice ? 2 : 1 }, () => outcomeOf(made.send(caller.api))),
  )
  if (mode === 'reverse') {
    // Identical reads share one request, so that there may be one response only.
    const isShared =
      made.call.startsWith('GET') ||
      made.call.endsWith('/get/batch') ||
      made.call.startsWith('POST /authentication') ||
      made.call.endsWith('/addin-info')
    await waitForHeld(isShared ? 1 : 2)
    for (const release of held.toReversed()) release()
  }
  if (mode === 'hold') {
    await waitForHeld(1)
    clock.maxFrames = clock.frame + Math.min(faultCase.releasedAtMs ?? REQUEST_TIMEOUT_MS, REQUEST_TIMEOUT_MS)
    clock.flush()
    for (const release of held) release()
  }
  const ended = (await outcomes).flat()
  mode = 'pass'
  if (faultCase.fault) await running.control('DELETE', 'faults')
  return ended
}

describe('17 calls by 16 faults', () => {
  const table = new Map<string, string[]>()

  it.each(calls)(
    '[HTTP-5] $call has an allowed outcome under every fault, and works afterwards',
    async (made) => {
      const row: string[] = []
      for (const faultCase of faultCases) {
        const expected = made.reads ? faultCase.expected : (faultCase.unread ?? faultCase.expected)
        const outcomes = await play(made, faultCase)
        const what = `${made.call}: ${faultCase.title}`
        expect(outcomes.map(named), what).toEqual(faultCase.twice ? [expected, expected] : [expected])
        const [outcome] = outcomes
        const failure = outcome && 'failure' in outcome ? outcome.failure : null
        if (expected === 409) expect(failure, what).toMatchObject({ code: 'variable_is_locked' })
        if (failure !== null) expect(FAILURES.map(shapeOf), what).toContainEqual(shapeOf(failure))
        row.push(String(expected))
      }
      const afterwards = await outcomeOf(made.send(caller.api))
      expect(afterwards.map(named)).toEqual(['value'])
      table.set(made.call, row)
    },
    120_000,
  )

  it('has 272 cells', () => {
    const cells = [...table.values()].flat()
    const width = Math.max(...calls.map(({ call }) => call.length))
    const lines = [...table].map(([call, row]) =>
      [call.padEnd(width), ...row.map((cell) => cell.padEnd(9))].join(' '),
    )
    const heads = faultCases.map(({ title }, index) => `  F${String(index + 1)} ${title}`)
    process.stdout.write(
      `\n${heads.join('\n')}\n${lines.join('\n')}\n${String(cells.length)} cells, all allowed\n`,
    )
    expect(table.size).toBe(17)
    expect(faultCases).toHaveLength(16)
    expect(cells).toHaveLength(272)
  })
})
