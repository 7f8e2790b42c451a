import { asyncScheduler, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '../../src/engine/config.ts'
import type { OfficeLibrary } from '../../src/engine/hosts/officeClient.ts'
import type { LaunchGlobal, PageParts } from '../../src/launch/launchGlobal.ts'
import { createLaunches } from '../../src/launch/launches.ts'
import { demoMailbox } from '../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../src/playground/mailbox/mailbox.ts'
import { openItem } from '../../src/playground/mailbox/model.ts'
import { createOfficeFacade } from '../../src/playground/mailbox/officeFacade.ts'
import { noSenders } from '../../streams/senders/senders.ts'
import { cachedSignature } from '../support/state.ts'

const time = { scheduler: asyncScheduler }
const served = { ...config, apiUrl: 'https://signet.northwind.example' }
const MAILBOX = 'alex.kim@northwind.example'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 9) })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Requests of the browser, which a service refuses with these headers. */
function refuseRequests(headers: string): Readonly<{ sent: readonly number[] }> {
  const sent: number[] = []
  class Refused {
    readonly status = 503
    readonly response = '{"code":"unavailable"}'
    #loaded: () => void = () => undefined
    addEventListener(name: string, listener: () => void) {
      if (name === 'load') this.#loaded = listener
    }
    open() {}
    setRequestHeader() {}
    abort() {}
    getAllResponseHeaders() {
      return headers
    }
    send() {
      sent.push(Date.now())
      this.#loaded()
    }
  }
  vi.stubGlobal('XMLHttpRequest', Refused)
  return { sent }
}

const emptyGlobal = (): LaunchGlobal => ({
  waiting: [],
  handle: null,
  hasFailed: false,
  parts: null,
  onParts: [],
  log: () => [],
})

/** A runtime in a page, whose second script gives the parts when `give` is called. */
function start({
  hasCopy = true,
  age = 0,
  accessToken = () => Promise.reject(new Error('there is none')),
}: Readonly<{ hasCopy?: boolean; age?: number; accessToken?: () => Promise<string> }> = {}) {
  const mailbox = createMailbox(demoMailbox(), { time, accessToken: () => of('token') })
  mailbox.act({ type: 'newMessage' })
  const { office, officeRuntime, connect } = createOfficeFacade()
  connect(mailbox.client)
  const global = emptyGlobal()
  const launches = createLaunches({ office, officeRuntime, runtime: 'page', global, config: served, time })
  const read: string[] = []
  const kept = {
    email: MAILBOX,
    at: Date.now() - age,
    signature: cachedSignature({ html: '<p>Alex Kim</p>' }),
    senders: { ...noSenders, audiences: { 'c-standard': [] } },
  }
  const parts: PageParts = {
    kept: {
      get: (key) => {
        read.push(key)
        return Promise.resolve(hasCopy ? { version: 1, value: kept } : null)
      },
      set: () => Promise.resolve(),
      remove: () => Promise.resolve(),
    },
    accessToken,
    sanitizer: () => Promise.resolve((html) => `${html}<!-- by the pane -->`),
  }
  const give = () => {
    global.parts = parts
    for (const tell of global.onParts.splice(0)) tell()
  }
  let completions = 0
  const raise = () => {
    launches.handle('newMessage', { completed: () => (completions += 1) })
  }
  const signature = () => {
    const item = openItem(mailbox.state$.value)
    return item?.mode === 'compose' ? item.body.signature : ''
  }
  return { mailbox, launches, raise, give, read, signature, completions: () => completions }
}

describe('a launch runtime in a page', () => {
  it('[AUTO-1] waits for what the page gives: its storage and its sanitiser', async () => {
    const { raise, give, read, signature, completions } = start()
    raise()
    await vi.advanceTimersByTimeAsync(400)
    expect(signature()).toBe('')
    give()
    await vi.advanceTimersByTimeAsync(400)
    expect(read).toEqual([MAILBOX])
    expect(signature()).toContain('Alex Kim</p><!-- by the pane -->')
    expect(completions()).toBe(1)
  })

  it('[AUTO-4] goes on without what the page does not give, and completes the event', async () => {
    const { raise, completions } = start()
    raise()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(completions()).toBe(1)
  })

  it('[AUTO-9] handles two events with one store, completes each once, and starts anew afterwards', async () => {
    const { launches, raise, give, completions } = start()
    give()
    raise()
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(completions()).toBe(2)
    const types = (launches.log() as readonly { type: string }[]).map(({ type }) => type)
    expect(types.filter((type) => type === 'app/started')).toHaveLength(1)
    expect(types.filter((type) => type === 'insertion/succeeded')).toHaveLength(1)
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(completions()).toBe(3)
    expect(launches.log().length).toBeLessThan(types.length)
  })

  it.each([
    [13001, 'UserNotSignedIn', 1],
    [13006, 'Client error', 2],
  ])(
    '[AUTO-16] after a refusal with %i (%s), two events ask for a token %i times',
    async (code, name, times) => {
      const { mailbox, raise, give, completions } = start({ hasCopy: false })
      mailbox.fail('auth.getAccessToken', { code, name })
      give()
      for (const event of [1, 2]) {
        raise()
        await vi.advanceTimersByTimeAsync(45_000)
        expect(completions()).toBe(event)
      }
      expect(mailbox.calls.filter((call) => call.name === 'auth.getAccessToken')).toHaveLength(times)
    },
  )

  it.each([
    ['as long as it asked for', 'retry-after: 20\r\ndate: Fri, 20 Nov 2026 09:00:00 GMT\r\n', 20_000],
    ['a minute at most', 'retry-after: 3600\r\n', 60_000],
  ])('[SRV-27] does not ask a busy service again by itself: %s', async (_, headers, ms) => {
    const { sent } = refuseRequests(headers)
    const { raise, give, completions, signature } = start({ age: 3_600_000 })
    give()
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(signature()).toContain('Alex Kim</p>')
    expect([sent.length, completions()]).toEqual([1, 1])
    raise()
    await vi.advanceTimersByTimeAsync(ms - 4_000)
    expect([sent.length, completions()]).toEqual([1, 2])
    await vi.advanceTimersByTimeAsync(3_000)
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect([sent.length, completions()]).toEqual([2, 3])
  })

  it('[AUTO-4] completes each event of a mail client that is broken, and tells why in the log', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const office = new Proxy({} as OfficeLibrary, {
      get: () => {
        throw new Error('Office is gone')
      },
    })
    const launches = createLaunches({
      ...{ office, officeRuntime: null, runtime: 'classic', global: emptyGlobal(), config: served, time },
    })
    const completed = vi.fn()
    for (const times of [1, 2]) {
      launches.handle('newMessage', { completed })
      expect(completed).toHaveBeenCalledTimes(times)
    }
    expect(JSON.stringify(error.mock.calls[0])).toContain('Office is gone')
    // No watchdog is left.
    vi.advanceTimersByTime(1)
    expect(vi.getTimerCount()).toBe(0)
    error.mockRestore()
  })

  it('[AUTO-16] asks the page for a token before the mail client', async () => {
    const { sent } = refuseRequests('')
    const accessToken = () => Promise.resolve('token of the page')
    const { mailbox, raise, give } = start({ hasCopy: false, accessToken })
    give()
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(sent).toHaveLength(1)
    expect(mailbox.calls.filter((call) => call.name === 'auth.getAccessToken')).toEqual([])
  })

  it('asks a service that says nothing again with the next event', async () => {
    const { sent } = refuseRequests('date: Fri, 20 Nov 2026 09:00:00 GMT\r\n')
    const { raise, give } = start({ age: 3_600_000 })
    give()
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(sent).toHaveLength(2)
  })
})
