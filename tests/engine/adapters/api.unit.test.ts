import { createCallSharing } from '../../../streams/kernel/shareInFlight.ts'
import { map, of, VirtualTimeScheduler } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { createApi } from '../../../src/engine/adapters/api.ts'
import { createHttp } from '../../../src/engine/adapters/http.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { createSecret, revealSecret } from '../../../streams/kernel/secret.ts'

/** A request that the test answers. */
class PendingRequest extends EventTarget {
  static readonly sent: PendingRequest[] = []
  readonly upload = new EventTarget()
  readyState = 0
  status = 0
  response = ''
  responseType = ''
  timeout = 0
  withCredentials = false
  url = ''
  open(_method: string, url: string) {
    this.url = url
  }
  setRequestHeader() {
    return undefined
  }
  getAllResponseHeaders() {
    return ''
  }
  abort() {
    return undefined
  }
  send() {
    PendingRequest.sent.push(this)
  }
  answer(status: number, body: unknown) {
    Object.assign(this, { readyState: 4, status, response: JSON.stringify(body) })
    this.dispatchEvent(new Event('load'))
  }
}

const claims = Buffer.from(JSON.stringify({ sub: 'u-1', email: 'a@example.com', exp: 2 })).toString(
  'base64url',
)
const TOKEN = `x.${claims}.y`

/** The API over requests that the test answers. */
const openApi = () => {
  PendingRequest.sent.splice(0)
  return createApi(
    createHttp({
      sharing: createCallSharing(),
      baseUrl: 'https://api.example',
      version: '1',
      token: () => of(null),
      renewToken: null,
      language: () => null,
      time: { scheduler: new VirtualTimeScheduler() },
      createXhr: () => new PendingRequest() as unknown as XMLHttpRequest,
    }),
  )
}

test('[SIG-3] a list is asked for in pages of five', () => {
  const api = openApi()
  api.signatures({ page: 2, withImages: false }).subscribe()
  api.delegatedSignatures({ page: 2, withImages: false, userIds: ['u-2'] }).subscribe()
  const asked = PendingRequest.sent.map(({ url }) => new URL(url).searchParams)
  expect(asked.map((query) => [query.get('page'), query.get('per_page')])).toEqual([
    ['2', '5'],
    ['2', '5'],
  ])
})

describe('concurrent identical authentication calls', () => {
  test.each(['verify', 'renew'] as const)('[AUTH-10] share one pending request: %s', (call) => {
    const api = openApi()
    const accessToken = createSecret('from the mail client')
    const results: unknown[] = []
    const send = (caller: number) => {
      const verified$ = api.verify({ accessToken, email: 'a@example.com' })
      const session$ = call === 'verify' ? verified$.pipe(map(({ session }) => session)) : api.renew()
      session$.pipe(map(({ token }) => revealSecret(token))).subscribe({
        next: (token) => results.push([caller, token]),
        error: (error: unknown) => results.push([caller, toFailure(error).kind]),
      })
    }
    send(1)
    send(2)
    expect(PendingRequest.sent).toHaveLength(1)
    PendingRequest.sent[0]?.answer(200, { data: { access_token: TOKEN } })
    expect(results).toEqual([
      [1, TOKEN],
      [2, TOKEN],
    ])
    send(3)
    expect(PendingRequest.sent).toHaveLength(2)
    PendingRequest.sent[1]?.answer(401, { code: 'invalid_token' })
    expect(results.at(-1)).toEqual([3, 'http'])
  })
})
