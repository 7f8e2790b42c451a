import { Defaults } from '../../streams/defaults/events.ts'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { firstValueFrom, type Observable, of, toArray, VirtualTimeScheduler } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api, Ports } from '../../effects/ports.ts'
import { REQUEST_TIMEOUT_MS } from '../../src/engine/adapters/http.ts'
import { createApp } from '../../src/engine/createApp.ts'
import type { ServerFault } from '../../src/server/faults.ts'
import type { UserEvent } from '../../streams/app/events.ts'
import { Auth } from '../../streams/auth/events.ts'
import { createHandle } from '../../streams/kernel/handle.ts'
import { Failed, type Failure } from '../../streams/kernel/failure.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { Picture } from '../../streams/picture/events.ts'
import { Router } from '../../streams/router/events.ts'
import { defaultSettings } from '../../streams/settings/settings.ts'
import { Variables } from '../../streams/variables/events.ts'
import { createClock } from '../support/clock.ts'
import { failing, mailboxPorts } from '../support/ports.ts'
import { define, profile, session } from '../support/state.ts'
import { type Caller, createCaller } from './api.ts'
import { ALEX, type Running, start } from './running.ts'

// 17 calls by 16 faults. Each cell has two parts: first the call over a browser's XMLHttpRequest, through a proxy that
// can hold, reorder and inflate responses, to the service with its faults; then the whole application with the outcome
// of that call, on virtual time.

type Name = keyof Api

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(24)]).toString('base64')
const payload = {
  package: { name: 'signet', version: '0.1.0' },
  context: [],
  settings: defaultSettings({ production: false, beta: false }),
  beta: false,
  navigator: { userAgent: 'test', language: 'en' },
}
let accessToken = createSecret('')

/** Every call of the specification, section 7. `reads`: the pane reads the response, so that its shape can be wrong. */
const calls: readonly Readonly<{
  call: string
  names: readonly Name[]
  reads: boolean
  send: (api: Api) => Observable<unknown>
}>[] = [
  {
    call: 'POST /authentication/addin/azure',
    names: ['verify'],
    reads: true,
    send: (api) => api.verify({ accessToken, email: ALEX }),
  },
  { call: 'GET /authentication/access-token', names: ['renew'], reads: true, send: (api) => api.renew() },
  {
    call: 'PUT /api/addin/user/addin-info',
    names: ['sendTelemetry'],
    reads: false,
    send: (api) => api.sendTelemetry(payload),
  },
  { call: 'GET /api/addin/user', names: ['user', 'variableStates'], reads: true, send: (api) => api.user() },
  { call: 'GET /api/addin/user/photo', names: ['photo'], reads: true, send: (api) => api.photo() },
  { call: 'PUT /api/addin/user/photo', names: ['savePhoto'], reads: true, send: (api) => api.savePhoto(png) },
  {
    call: 'DELETE /api/addin/user/photo',
    names: ['deletePhoto'],
    reads: false,
    send: (api) => api.deletePhoto(),
  },
  {
    call: 'GET /signatures-cache/api/v1/signature/addin',
    names: ['signature'],
    reads: true,
    send: (api) => api.signature({}),
  },
  {
    call: 'GET /signatures-cache/api/v1/signatures',
    names: ['signatures'],
    reads: true,
    send: (api) => api.signatures({ page: 1, withImages: false }),
  },
  {
    call: 'POST /signatures-cache/api/v1/signatures/get/batch',
    names: ['delegatedSignatures'],
    reads: true,
    send: (api) => api.delegatedSignatures({ userIds: ['u-2'], page: 1, withImages: false }),
  },
  {
    call: 'PUT /signatures-cache/api/v2/signature/default',
    names: ['saveDefaultSignature'],
    reads: false,
    send: (api) => api.saveDefaultSignature('12-0'),
  },
  {
    call: 'GET /api/addin/variables',
    names: ['variableDefinitions'],
    reads: true,
    send: (api) => api.variableDefinitions(),
  },
  {
    call: 'GET /api/addin/user/variables',
    names: ['variableValues'],
    reads: true,
    send: (api) => api.variableValues(),
  },
  {
    call: 'PUT /api/addin/user/variables_with_options',
    names: ['saveVariables'],
    reads: true,
    send: (api) => api.saveVariables({ values: { department: 'Deck' }, resetFields: [] }),
  },
  {
    call: 'GET /api/addin/subscription',
    names: ['subscription'],
    reads: true,
    send: (api) => api.subscription(),
  },
  {
    call: 'GET /api/addin/maintenance',
    names: ['maintenance'],
    reads: true,
    send: (api) => api.maintenance(),
  },
  {
    call: 'GET /api/addin/configs',
    names: ['configuration'],
    reads: true,
    send: (api) => api.configuration(),
  },
]

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
/** Each delivers a held response. */
let held: (() => void)[] = []
/** Each is called once, when the next response is held. */
const arrived: (() => void)[] = []
const clock = new VirtualTimeScheduler()
let caller: Caller

/** Ten million bytes of JSON in the same shape. */
function inflated(body: string): string {
  const parsed = (body === '' ? {} : JSON.parse(body)) as { objects?: unknown[] }
  const { objects = [] } = parsed
  const size = Math.max(JSON.stringify(objects).length, 1)
  const copies = objects.length > 0 ? Math.min(Math.ceil(8_000_000 / size), 20_000 / objects.length) : 0
  const many = objects.length > 0 ? { objects: Array.from({ length: copies }, () => objects).flat() } : {}
  const inflatedBody = { ...parsed, ...many }
  const missing = 10_000_000 - JSON.stringify(inflatedBody).length
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
              .end(inflated(whole.toString()))
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

const waitForHeld = async (count: number) => {
  while (held.length < count) await new Promise<void>((tell) => arrived.push(tell))
}

/** Makes a call under a fault. Returns one outcome per call. Virtual time passes only if the case says so. */
async function play(made: (typeof calls)[number], faultCase: FaultCase): Promise<readonly CallOutcome[]> {
  mode = faultCase.proxy ?? 'pass'
  held = []
  if (faultCase.fault) await running.control('PUT', 'faults', { call: made.call, fault: faultCase.fault })
  const outcomes = Promise.all(
    Array.from({ length: faultCase.twice ? 2 : 1 }, () => outcomeOf(made.send(caller.api))),
  )
  if (mode === 'reverse') {
    // Identical reads share one request, so that there may be one response only.
    const isShared =
      made.call.startsWith('GET') || made.names.some((name) => name === 'verify' || name === 'sendTelemetry')
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

/** Runs 15 minutes in which the user does everything while the calls fail with `failure`. Returns the violations. */
function live(names: readonly Name[], failure: Failure | null): readonly string[] {
  const clock = createClock(Date.UTC(2026, 10, 20, 9))
  const { ports } = mailboxPorts(clock)
  ports.api.verify.answers(() =>
    of(session({ token: createSecret('token'), expiresAt: clock.scheduler.now() + 900_000 })),
  )
  ports.api.renew.answers(() => of(session({ expiresAt: clock.scheduler.now() + 3_600_000 })))
  ports.api.user.answers(() => of(profile({ delegations: ['u-maria'] })))
  ports.api.variableDefinitions.answers(() => of([define('first_name')]))
  ports.api.variableValues.answers(() => of({ first_name: 'Alex' }))
  // The failure is the same for any type of call.
  const failures: Readonly<Record<string, { answers: (answer$: Observable<never>) => void }>> = ports.api
  if (failure) for (const name of names) failures[name]?.answers(failing(failure))
  const app = createApp({ production: false, beta: false }, (): Ports => ports)
  /** A signed-out user has no buttons to press. */
  const press = (...events: readonly UserEvent[]) => {
    for (const event of events) if (app.state$.value.auth.status === 'success') app.record(event)
  }
  clock.advance(1000)
  press(Router.navigationRequested({ to: '/app/settings/variables' }))
  clock.advance(1000)
  press(
    Variables.edited({ path: 'first_name', value: 'Alexis' }),
    Variables.saveRequested({ occasion: 'person' }),
    Picture.offered({ file: createHandle('a file') }),
    Picture.saveRequested(),
  )
  clock.advance(3000)
  press(Picture.deleteRequested(), Defaults.changeRequested({ combinedIds: 'c-1-0', use: 'master' }))
  clock.advance(700_000)

  const {
    auth,
    profile: person,
    picture,
    variables,
    subscription,
    configuration,
    settings,
    signatures,
    defaults,
    insertion,
  } = app.state$.value
  const pending = {
    auth,
    person,
    picture: picture.url,
    change: picture.change?.attempt,
    variables: variables.load,
    saving: variables.save,
    subscription,
    configuration,
    settings,
    own: signatures.own.load,
    delegated: signatures.delegated.load,
    refresh: signatures.refresh,
    default: defaults.load,
    insertion: insertion.latest?.attempt,
  }
  const complaints = Object.entries(pending).flatMap(([name, part]) =>
    part?.status === 'pending' ? [`${name} is still pending`] : [],
  )
  if (signatures.reloading) complaints.push('signatures are still reloading')
  const types = app.log.map(({ type }) => type as string)
  const count = (type: string) => types.filter((each) => each === type).length
  if (types.includes('kernel/effectCrashed')) complaints.push('an effect crashed')
  if (!names.some((name) => ports.api[name].calls.length > 0)) complaints.push('the call was never made')

  const isRejection = failure?.kind === 'http' && [401, 404, 500].includes(failure.status)
  const ofSignIn = names.includes('verify') && failure !== null
  const keepsSession =
    names.includes('renew') ||
    (names.includes('signature') && failure?.kind === 'http' && failure.status === 404)
  const wanted = ofSignIn || (isRejection && !keepsSession) ? 1 : 0
  if (count('auth/signedOut') !== wanted)
    complaints.push(`signed out ${String(count('auth/signedOut'))} times, not ${String(wanted)}`)
  if (ports.api.maintenance.calls.length > 12) complaints.push('maintenance is asked for without end')
  const edit = ports.storage.privateDrafts('u-alex').content()['variables'] as { value?: object } | undefined
  const isSaved = types.includes('variables/saved')
  if (
    !ofSignIn &&
    types.includes('variables/edited') &&
    !isSaved &&
    Object.keys(edit?.value ?? {}).length === 0
  )
    complaints.push('the edit is lost')
  app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
  app.stop()
  return complaints
}

const complaints = new Map<string, readonly string[]>()
/** Cells with the same outcome share one run of the application. */
function complaintsAbout(names: readonly Name[], failure: Failure | null): readonly string[] {
  const key = JSON.stringify([names, failure])
  const found = complaints.get(key) ?? live(names, failure)
  complaints.set(key, found)
  return found
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
        expect(complaintsAbout(made.names, failure), what).toEqual([])
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
