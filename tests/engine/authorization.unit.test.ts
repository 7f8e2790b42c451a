// @vitest-environment happy-dom
import { of } from 'rxjs'
import { expect, it } from 'vitest'
import { config } from '../../src/engine/config.ts'
import { createApp } from '../../src/engine/createApp.ts'
import { createPorts } from '../../src/engine/ports.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { createClock } from '../support/clock.ts'
import { development, START } from '../support/pane.ts'
import { fakePorts } from '../support/ports.ts'
import { HOUR_MS } from '../support/state.ts'

// What the requests of the pane carry as their Authorization header: the application and its HTTP client as they ship,
// over a simulated network.

const VERIFY = '/authentication/addin/azure'
const SIGNATURES = '/signatures-cache/api/v1/signatures'
const claims = { sub: 'u-alex', email: 'alex.kim@northwind.example', exp: (START + HOUR_MS) / 1000 }
const sessionToken = (name: string) =>
  `${name}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signed`

type Answer = Readonly<{ status: number; body?: unknown }>

/** A network that answers each path as told, and otherwise with 403. */
function createNetwork() {
  const answers = new Map<string, Answer>()
  const sent: Readonly<{ path: string; authorization: string | undefined }>[] = []
  class SimulatedRequest extends EventTarget {
    readonly upload = new EventTarget()
    readyState = 0
    status = 0
    response = ''
    private path = ''
    private readonly headers: Record<string, string> = {}
    open(_method: string, url: string) {
      this.path = new URL(url, 'https://api.example.com').pathname
    }
    setRequestHeader(name: string, value: string) {
      this.headers[name.toLowerCase()] = value
    }
    getAllResponseHeaders() {
      return ''
    }
    abort() {
      return undefined
    }
    send() {
      sent.push({ path: this.path, authorization: this.headers['authorization'] })
      const { status, body = {} } = answers.get(this.path) ?? { status: 403 }
      Object.assign(this, { readyState: 4, status, response: JSON.stringify(body) })
      this.dispatchEvent(new Event('load'))
    }
  }
  return {
    answers,
    createXhr: () => new SimulatedRequest() as unknown as XMLHttpRequest,
    /** The requests since the last call. */
    take: () => sent.splice(0),
  }
}

it('[AUTH-7] no request carries a token after the session ended, also while another account is refused', () => {
  const clock = createClock(START)
  const fakes = fakePorts(clock)
  const network = createNetwork()
  const verifies = (token: string) =>
    network.answers.set(VERIFY, { status: 200, body: { data: { access_token: token } } })
  verifies(`"${sessionToken('first')}"`)
  const app = createApp(development, (state) => ({
    ...fakes,
    api: createPorts(
      {
        page: window,
        config: { ...config, apiUrl: 'https://api.example.com' },
        time: clock,
        log: fakes.log,
        createXhr: network.createXhr,
        hosted: fakes,
        screen: fakes,
        exportLog: () => Promise.resolve([]),
        loadChunk: () => () => new Promise<never>(() => undefined),
        loadSanitizer: () => new Promise<never>(() => undefined),
      },
      state,
    ).api,
  }))
  clock.advance(1_000)
  const carried = (requests: ReturnType<typeof network.take>, isVerification: boolean) => [
    ...new Set(
      requests
        .filter(({ path }) => (path === VERIFY) === isVerification)
        .map(({ authorization }) => authorization),
    ),
  ]
  const signedIn = network.take()
  expect(carried(signedIn, true)).toEqual([undefined])
  expect(carried(signedIn, false)).toEqual([`Bearer ${sessionToken('first')}`])

  // The service rejects the session.
  network.answers.set(SIGNATURES, { status: 401 })
  app.record(Signatures.refreshRequested())
  clock.advance(1_000)
  expect(carried(network.take(), false)).toEqual([`Bearer ${sessionToken('first')}`])
  expect(app.state$.value.auth.status).toBe('signedOut')

  // Both accounts of the user are refused.
  network.answers.set(VERIFY, { status: 401 })
  fakes.identity.accessToken.answers(of(createSecret('of another account')))
  app.record(Auth.signInRequested({ silent: false }))
  clock.advance(60_000)
  const refused = network.take()
  expect(refused.filter(({ path }) => path === VERIFY)).toHaveLength(2)
  expect(refused.map(({ authorization }) => authorization)).toEqual(refused.map(() => undefined))

  network.answers.delete(SIGNATURES)
  verifies(sessionToken('second'))
  app.record(Auth.signInRequested({ silent: false }))
  clock.advance(1_000)
  const again = network.take()
  expect(carried(again, true)).toEqual([undefined])
  expect(carried(again, false)).toEqual([`Bearer ${sessionToken('second')}`])
  app.stop()
})
