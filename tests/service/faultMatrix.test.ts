import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { firstValueFrom, type Observable, of, toArray, VirtualTimeScheduler } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api, Ports } from '../../effects/ports.ts'
import { REQUEST_TIMEOUT_MS } from '../../src/engine/adapters/http.ts'
import { createApp } from '../../src/engine/createApp.ts'
import type { Fault } from '../../src/server/faults.ts'
import type { UserEvent } from '../../streams/app/events.ts'
import { Auth } from '../../streams/auth/events.ts'
import { createHandle } from '../../streams/kernel/handle.ts'
import { Failed, type Failure } from '../../streams/kernel/failure.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { PictureEvents } from '../../streams/picture/events.ts'
import { Router } from '../../streams/router/events.ts'
import { defaultSettings } from '../../streams/settings/settings.ts'
import { Signatures } from '../../streams/signatures/events.ts'
import { Variables } from '../../streams/variables/events.ts'
import { createClock } from '../support/clock.ts'
import { failing, mailboxPorts } from '../support/ports.ts'
import { define, profile, session } from '../support/state.ts'
import { type Caller, createCaller } from './api.ts'
import { alex, pageOrigin, type Running, send, start } from './running.ts'

// 17 calls by 16 faults. Each cell is played twice: first the call itself, over a browser's XMLHttpRequest, a wire that
// can hold, repeat and swell answers, and the service with its faults; then the whole application, given what came
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

/** Every call of the specification, section 7. `reads`: something of the answer is read, so it can be of a wrong shape. */
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
    send: (api) => api.verify({ accessToken, email: alex }),
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

/** What the wire does with the answers, besides passing them on. */
type Wire = 'pass' | 'hold' | 'swell' | 'reverse'

/** What a cell may end with: an answer, or a failure of this kind. */
type Outcome = Readonly<{ value: true }> | Readonly<{ failure: Failure }>
type Expected = 'value' | 'network' | 'timeout' | 'malformed' | number

type Trouble = Readonly<{
  title: string
  fault?: Fault
  wire?: Wire
  /** When the wire lets go of the answer, in milliseconds after the request; never when it is left out. */
  answeredAt?: number
  expected: Expected
  /** What comes of it where nothing of the answer is read. */
  unread?: Expected
  /** The call is made twice at once. */
  twice?: boolean
}>
const status = (code: number, title: string): Trouble => ({
  title: `${String(code)} ${title}`,
  fault: { kind: 'status', status: code, ...(code === 409 ? { code: 'variable_is_locked' } : {}) },
  expected: code,
})
const troubles: readonly Trouble[] = [
  { title: 'no connection', fault: { kind: 'cut' }, expected: 'network' },
  { title: 'no answer ever', wire: 'hold', expected: 'timeout' },
  { title: 'answer at 4990 ms', wire: 'hold', answeredAt: 4990, expected: 'value' },
  { title: 'answer at 5010 ms', wire: 'hold', answeredAt: 5010, expected: 'timeout' },
  status(401, 'unauthorised'),
  status(404, 'not found'),
  status(500, 'failed'),
  status(503, 'unavailable'),
  status(429, 'too many'),
  status(409, 'refused with a code'),
  { title: 'empty answer', fault: { kind: 'empty' }, expected: 'malformed', unread: 'value' },
  { title: 'half an answer', fault: { kind: 'malformed' }, expected: 'malformed' },
  { title: 'wrong shape', fault: { kind: 'wrongShape' }, expected: 'malformed', unread: 'value' },
  { title: '10 MB', wire: 'swell', expected: 'value' },
  { title: 'two, out of order', wire: 'reverse', twice: true, expected: 'value' },
  { title: 'a page instead', fault: { kind: 'html' }, expected: 'malformed' },
]

let running: Running
let wire: Server
let mode: Wire = 'pass'
let held: { letGo: () => void }[] = []
const arrived: (() => void)[] = []
let caller: Caller

/** JSON of the same meaning, some ten million bytes long. */
function swollen(body: string): string {
  const parsed = (body === '' ? {} : JSON.parse(body)) as { objects?: unknown[] }
  const { objects = [] } = parsed
  const size = Math.max(JSON.stringify(objects).length, 1)
  const copies = objects.length > 0 ? Math.min(Math.ceil(8_000_000 / size), 20_000 / objects.length) : 0
  const many = objects.length > 0 ? { objects: Array.from({ length: copies }, () => objects).flat() } : {}
  const swollenBody = { ...parsed, ...many }
  const missing = 10_000_000 - JSON.stringify(swollenBody).length
  return JSON.stringify({ ...swollenBody, filler: 'x'.repeat(Math.max(0, missing)) })
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body: Buffer[] = []
  for await (const part of incoming as AsyncIterable<Buffer>) body.push(part)
  const isPreflight = incoming.method === 'OPTIONS'
  const onward = request(
    new URL(incoming.url ?? '/', running.url),
    { method: incoming.method ?? 'GET', headers: incoming.headers },
    (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const whole = Buffer.concat(parts)
        const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers
        const code = answer.statusCode ?? 200
        const deliver = () => {
          if (outgoing.headersSent || outgoing.destroyed) return
          if (mode === 'swell' && !isPreflight)
            outgoing
              .writeHead(200, { ...headers, 'content-type': 'application/json' })
              .end(swollen(whole.toString()))
          else outgoing.writeHead(code, headers).end(whole)
        }
        if (isPreflight || mode === 'pass' || mode === 'swell') deliver()
        else {
          held.push({ letGo: deliver })
          for (const tell of arrived.splice(0)) tell()
        }
      })
    },
  )
  onward.on('error', () => outgoing.destroy())
  onward.end(Buffer.concat(body))
}

beforeAll(async () => {
  running = await start({ control: true })
  wire = createServer((incoming, outgoing) => void pass(incoming, outgoing))
  await new Promise<void>((listening) => wire.listen(0, 'localhost', listening))
  const url = `http://localhost:${String((wire.address() as AddressInfo).port)}`
  caller = createCaller({ url, mailClientToken: running.mailClientToken })
  await caller.signIn(alex)
  accessToken = createSecret(await running.mailClientToken(alex))
}, 60_000)
afterAll(async () => {
  await caller.close()
  wire.closeAllConnections()
  await new Promise((closed) => wire.close(closed))
  await running.stop()
})

const control = (method: string, path: string, body?: unknown) =>
  send(method, `${running.url}/_control/${path}`, { Origin: pageOrigin }, body)

const outcomeOf = (work$: Observable<unknown>): Promise<Outcome[]> =>
  firstValueFrom(work$.pipe(toArray())).then(
    (values) => values.map(() => ({ value: true as const })),
    (error: unknown) => {
      if (!(error instanceof Failed)) throw error
      return [{ failure: error.failure }]
    },
  )

const named = (outcome: Outcome): Expected => {
  if ('value' in outcome) return 'value'
  const { failure } = outcome
  if (failure.kind === 'http') return failure.status
  return failure.kind as Expected
}

/** Makes one call under one fault, and gives what came of it: exactly one outcome for each time it was made. */
async function play(made: (typeof calls)[number], trouble: Trouble): Promise<readonly Outcome[]> {
  mode = trouble.wire ?? 'pass'
  held = []
  if (trouble.fault) await control('PUT', 'faults', { call: made.call, fault: trouble.fault })
  try {
    if (mode !== 'hold') {
      const both = [
        outcomeOf(made.send(caller.api)),
        ...(trouble.twice ? [outcomeOf(made.send(caller.api))] : []),
      ]
      if (mode === 'reverse') {
        // Identical reads share one request, so that one answer may be all there is.
        const isShared =
          made.call.startsWith('GET') ||
          made.names.some((name) => name === 'verify' || name === 'sendTelemetry')
        while (held.length < (isShared ? 1 : 2)) await new Promise<void>((tell) => arrived.push(tell))
        for (const { letGo } of held.toReversed()) letGo()
      }
      return (await Promise.all(both)).flat()
    }
    // Five seconds of virtual time, and no second of anybody's.
    const clock = new VirtualTimeScheduler()
    const patient = createCaller(
      { url: baseUrl(), mailClientToken: running.mailClientToken },
      clock,
      caller.token,
    )
    const outcomes: Outcome[] = []
    const ended = outcomeOf(made.send(patient.api)).then((all) => outcomes.push(...all))
    while (held.length === 0) await new Promise<void>((tell) => arrived.push(tell))
    const to = (ms: number) => {
      clock.maxFrames = ms
      clock.flush()
    }
    if (trouble.answeredAt !== undefined) {
      to(Math.min(trouble.answeredAt, REQUEST_TIMEOUT_MS))
      for (const { letGo } of held) letGo()
    } else to(REQUEST_TIMEOUT_MS)
    await ended
    await patient.close()
    return outcomes
  } finally {
    for (const { letGo } of mode === 'hold' ? held : []) letGo()
    mode = 'pass'
    if (trouble.fault) await control('DELETE', 'faults')
  }
}
const baseUrl = () => `http://localhost:${String((wire.address() as AddressInfo).port)}`

/** A quarter of an hour of somebody who does everything, while this call ends like that; gives what is not allowed. */
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
  // Whatever a call gives when it goes well, it fails alike.
  const failures: Readonly<Record<string, { answers: (answer$: Observable<never>) => void }>> = ports.api
  if (failure) for (const name of names) failures[name]?.answers(failing(failure))
  const app = createApp({ production: false, beta: false }, (): Ports => ports)
  /** Nobody who is signed out sees anything to press. */
  const press = (...events: readonly UserEvent[]) => {
    for (const event of events) if (app.state$.value.auth.status === 'success') app.record(event)
  }
  clock.advance(1000)
  press(Router.navigationRequested({ to: '/app/settings/variables' }))
  clock.advance(1000)
  press(
    Variables.edited({ path: 'first_name', value: 'Alexis' }),
    Variables.saveRequested({ occasion: 'person' }),
    PictureEvents.offered({ file: createHandle('a file') }),
    PictureEvents.saveRequested(),
  )
  clock.advance(3000)
  press(
    PictureEvents.deleteRequested(),
    Signatures.defaultChangeRequested({ combinedIds: 'c-1-0', use: 'master' }),
  )
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
  } = app.state$.value
  const pending = {
    auth,
    person,
    picture,
    change: picture.change,
    variables,
    saving: variables.saving,
    subscription,
    configuration,
    settings,
    own: signatures.own,
    delegated: signatures.delegated,
    default: signatures.default,
    insertion: signatures.insertion,
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

describe('17 calls by 16 faults', () => {
  const table = new Map<string, string[]>()

  it.each(calls)(
    '[HTTP-5] $call ends well under every one of them, in time, and works afterwards',
    async (made) => {
      const row: string[] = []
      for (const trouble of troubles) {
        const expected = made.reads ? trouble.expected : (trouble.unread ?? trouble.expected)
        const outcomes = await play(made, trouble)
        const what = `${made.call}: ${trouble.title}`
        expect(outcomes.map(named), what).toEqual(trouble.twice ? [expected, expected] : [expected])
        const [outcome] = outcomes
        const failure = outcome && 'failure' in outcome ? outcome.failure : null
        if (expected === 409) expect(failure, what).toMatchObject({ code: 'variable_is_locked' })
        expect(live(made.names, failure), what).toEqual([])
        row.push(String(expected))
      }
      const afterwards = await outcomeOf(made.send(caller.api))
      expect(afterwards.map(named)).toEqual(['value'])
      table.set(made.call, row)
    },
    120_000,
  )

  it('are 272 cells, all allowed', () => {
    const cells = [...table.values()].flat()
    const width = Math.max(...calls.map(({ call }) => call.length))
    const lines = [...table].map(([call, row]) =>
      [call.padEnd(width), ...row.map((cell) => cell.padEnd(9))].join(' '),
    )
    const heads = troubles.map(({ title }, index) => `  F${String(index + 1)} ${title}`)
    process.stdout.write(
      `\n${heads.join('\n')}\n${lines.join('\n')}\n${String(cells.length)} cells, all allowed\n`,
    )
    expect(table.size).toBe(17)
    expect(troubles).toHaveLength(16)
    expect(cells).toHaveLength(272)
  })
})
