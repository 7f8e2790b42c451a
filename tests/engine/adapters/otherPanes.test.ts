import { map, VirtualTimeScheduler } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { createApi } from '../../../src/engine/adapters/api.ts'
import { createHttp } from '../../../src/engine/adapters/http.ts'
import { createOtherPanes } from '../../../src/engine/adapters/otherPanes.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { createSecret, reveal } from '../../../streams/kernel/secret.ts'
import { fakeLog } from '../../support/ports.ts'

/** A request that is answered by hand. */
class HeldRequest extends EventTarget {
  static readonly sent: HeldRequest[] = []
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
    HeldRequest.sent.push(this)
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
const api = () =>
  createApi(
    createHttp({
      baseUrl: 'https://api.example',
      version: '1',
      token: () => null,
      language: () => null,
      time: { scheduler: new VirtualTimeScheduler() },
      createXhr: () => new HeldRequest() as unknown as XMLHttpRequest,
    }),
  )

describe('[AUTH-10] identical authentication calls at the same time', () => {
  test.each(['verify', 'renew'] as const)(
    '%s goes out once, answers all, and goes out again later',
    (call) => {
      HeldRequest.sent.splice(0)
      const service = api()
      const accessToken = createSecret('from the mail client')
      const ask = () =>
        call === 'verify' ? service.verify({ accessToken, email: 'a@example.com' }) : service.renew()
      const heard: unknown[] = []
      const hear = (index: number) => {
        ask()
          .pipe(map(({ token }) => reveal(token)))
          .subscribe({
            next: (token) => heard.push([index, token]),
            error: (error: unknown) => heard.push([index, toFailure(error).kind]),
          })
      }
      hear(1)
      hear(2)
      expect(HeldRequest.sent).toHaveLength(1)
      HeldRequest.sent[0]!.answer(200, { data: { access_token: TOKEN } })
      expect(heard).toEqual([
        [1, TOKEN],
        [2, TOKEN],
      ])
      hear(3)
      expect(HeldRequest.sent).toHaveLength(2)
      HeldRequest.sent[1]!.answer(401, { code: 'invalid_token' })
      expect(heard.at(-1)).toEqual([3, 'http'])
    },
  )
})

/** A window of one browser: what one writes into local storage, the others hear. */
function windows(count: number) {
  const kept = new Map<string, string>()
  const all: (EventTarget & { localStorage?: object })[] = []
  for (let index = 0; index < count; index += 1) {
    const page: EventTarget & { localStorage?: object } = new EventTarget()
    const tell = (key: string, newValue: string | null) => {
      for (const other of all)
        if (other !== page) other.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
    }
    page.localStorage = {
      setItem: (key: string, value: string) => {
        kept.set(key, value)
        tell(key, value)
      },
      removeItem: (key: string) => {
        if (kept.delete(key)) tell(key, null)
      },
    }
    all.push(page)
  }
  return { pages: all as unknown as (Window & typeof globalThis)[], kept }
}

describe('other panes where the browser has no channels', () => {
  test('hear of a sign-out through storage, each time, and nothing stays there', () => {
    const { pages, kept } = windows(2)
    const [here, there] = pages.map((page) => createOtherPanes(page, fakeLog()))
    const heard: string[] = []
    const hearing = there!.signedOut$.subscribe((userId) => heard.push(userId))
    here!.tellSignedOut('u-1').subscribe()
    here!.tellSignedOut('u-1').subscribe()
    expect(heard).toEqual(['u-1', 'u-1'])
    expect(kept.size).toBe(0)
    hearing.unsubscribe()
    here!.tellSignedOut('u-1').subscribe()
    expect(heard).toHaveLength(2)
  })

  test('are left alone, and that is logged, where storage is refused as well', () => {
    const log = fakeLog()
    const panes = createOtherPanes(new EventTarget() as Window & typeof globalThis, log)
    let done = false
    panes.tellSignedOut('u-1').subscribe(() => (done = true))
    expect(done).toBe(true)
    expect(log.lines).toMatchObject([{ action: 'other_panes_not_told' }])
  })
})
