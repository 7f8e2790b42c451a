import { lookBeforeSending } from '../../src/launch/lookBeforeSending.ts'
import { asyncScheduler, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { config } from '../../src/engine/config.ts'
import type { LaunchGlobal, PageParts } from '../../src/launch/launchGlobal.ts'
import { createEventHandler, type EventHandler } from '../../src/launch/eventHandler.ts'
import type { OfficeRuntimeLibrary } from '../../src/launch/officeStorage.ts'
import { demoMailbox } from '../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../src/playground/mailbox/mailbox.ts'
import { openItem } from '../../src/playground/mailbox/model.ts'
import { createOfficeFacade } from '../../src/playground/mailbox/officeFacade.ts'
import type { LaunchRuntime } from '../../streams/launch/record.ts'
import type { CachedSignature } from '../../streams/wire/signatures.ts'
import { noSenders } from '../../streams/message/senders/senders.ts'
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
  vi.restoreAllMocks()
})

type Sent = Readonly<{ at: number; url: string; headers: Readonly<Record<string, string>>; body: unknown }>
type Reply = Readonly<{ status: number; body: unknown; headers?: string }>

/** Requests of the browser, which a service answers by their path. */
function serve(answer: (path: string) => Reply): Readonly<{ sent: readonly Sent[] }> {
  const sent: Sent[] = []
  class Request {
    status = 0
    readyState = 0
    response = ''
    #url = ''
    #replyHeaders = ''
    readonly #headers: Record<string, string> = {}
    #loaded: (event: object) => void = () => undefined
    addEventListener(name: string, listener: (event: object) => void) {
      if (name === 'load') this.#loaded = listener
    }
    open(_method: string, url: string) {
      this.#url = url
    }
    setRequestHeader(name: string, value: string) {
      this.#headers[name] = value
    }
    abort() {}
    getAllResponseHeaders() {
      return this.#replyHeaders
    }
    send(body?: string) {
      sent.push({ at: Date.now(), url: this.#url, headers: this.#headers, body: JSON.parse(body ?? 'null') })
      const reply = answer(new URL(this.#url).pathname)
      this.status = reply.status
      this.response = JSON.stringify(reply.body)
      this.#replyHeaders = reply.headers ?? ''
      this.readyState = 4
      this.#loaded({ type: 'load', loaded: this.response.length, total: 0 })
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
  return { sent }
}

/** A service that refuses every request with these headers. */
const refuseRequests = (headers: string, status = 503) =>
  serve(() => ({ status, body: { code: 'unavailable' }, headers }))

const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`
const TOKEN = jwt({ sub: 'u-alex', email: MAILBOX, exp: Date.UTC(2026, 11, 1) / 1000 })
/** What a service answers that knows the user. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/authentication/addin/azure': { data: { access_token: TOKEN } },
  '/signatures-cache/api/v1/signature/addin': {
    name: 'Standard',
    user_id: 'u-alex',
    combined_ids: 'c-standard',
    signature: '<p>From the service</p>',
    reply: null,
    base64_embedded_images: [],
  },
  '/signatures-cache/api/v1/signatures': { objects: [], total: 0, page: 1 },
  '/api/addin/user': { id: 'u-alex', delegations: [] },
}
const knowUser = () => serve((path) => ({ status: 200, body: ANSWERS[path] }))

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
  runtime = 'page',
  officeRuntime: given,
  displayLanguage = 'en-US',
  settings = served,
  guard = null,
  broken,
}: Readonly<{
  hasCopy?: boolean
  age?: number
  accessToken?: (loginHint: string | undefined) => Promise<string>
  runtime?: LaunchRuntime
  /** That of the mail client, unless it is given. */
  officeRuntime?: OfficeRuntimeLibrary | null
  displayLanguage?: string
  settings?: typeof served
  guard?: CachedSignature['guard'] | null
  /** What any part of the mail client does, where it is broken. */
  broken?: () => never
}> = {}) {
  const demo = demoMailbox()
  const accounts = demo.accounts.map((account) => ({ ...account, displayLanguage }))
  const mailbox = createMailbox({ ...demo, accounts }, { time, accessToken: () => of('token') })
  mailbox.act({ type: 'newMessage' })
  const { office: whole, officeRuntime: ofClient, connect } = createOfficeFacade()
  connect(mailbox.client)
  const global = emptyGlobal()
  const office = broken ? new Proxy(whole, { get: broken }) : whole
  const officeRuntime = given === undefined ? ofClient : given
  const handler = createEventHandler({
    office,
    officeRuntime,
    runtime,
    look: lookBeforeSending,
    global,
    config: settings,
    time,
  })
  const read: string[] = []
  const kept = {
    email: MAILBOX,
    at: Date.now() - age,
    signature: cachedSignature({ html: '<p>Alex Kim</p>', ...(guard && { guard }) }),
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
  const raise = (then: () => void = () => undefined) => {
    handler.handle('newMessage', {
      completed: () => {
        completions += 1
        then()
      },
    })
  }
  const answers: unknown[] = []
  /** The user sends the message. */
  const send = () => {
    handler.handle('send', { completed: (answer) => answers.push(answer) })
  }
  const signature = () => {
    const item = openItem(mailbox.state$.value)
    return item?.mode === 'compose' ? item.body.signature : ''
  }
  const completed = () => completions
  return {
    mailbox,
    handler,
    global,
    kept,
    raise,
    send,
    answers,
    give,
    read,
    signature,
    completions: completed,
  }
}

/** The data of the events of this type, oldest first. */
const logged = ({ log }: Pick<EventHandler, 'log'>, type: string): readonly unknown[] =>
  (log() as readonly Readonly<{ type: string; data: unknown }>[])
    .filter((event) => event.type === type)
    .map(({ data }) => data)

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

  it('[AUTO-9] handles two events with one store, completes each once, and starts again afterwards', async () => {
    const { handler, raise, give, completions } = start()
    give()
    raise()
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(completions()).toBe(2)
    const types = (handler.log() as readonly { type: string }[]).map(({ type }) => type)
    expect(types.filter((type) => type === 'app/started')).toHaveLength(1)
    expect(types.filter((type) => type === 'insertion/succeeded')).toHaveLength(1)
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(completions()).toBe(3)
    expect(handler.log().length).toBeLessThan(types.length)
  })

  it.each([
    [13001, 'UserNotSignedIn', 1, 'signInNeeded'],
    [13006, 'Client error', 2, 'offline'],
  ])(
    '[AUTO-16] after a refusal with %i (%s), two events ask for a token %i times',
    async (code, name, times, outcome) => {
      const { mailbox, handler, raise, give, completions } = start({ hasCopy: false })
      mailbox.fail('auth.getAccessToken', { code, name })
      give()
      for (const event of [1, 2]) {
        raise()
        await vi.advanceTimersByTimeAsync(45_000)
        expect(completions()).toBe(event)
        expect(logged(handler, 'launch/completed')).toEqual([{ id: event, outcome }])
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
    const { handler } = start({
      broken: () => {
        throw new Error('Office is gone')
      },
    })
    vi.advanceTimersByTime(1)
    const timers = vi.getTimerCount()
    const completed = vi.fn()
    for (const times of [1, 2]) {
      handler.handle('newMessage', { completed })
      expect(completed).toHaveBeenCalledTimes(times)
    }
    expect(JSON.stringify(error.mock.calls[0])).toContain('Office is gone')
    // No watchdog is left.
    vi.advanceTimersByTime(1)
    expect(vi.getTimerCount()).toBe(timers)
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

  it.each([
    ['waits two seconds for what the page gives', 1_999, [MAILBOX]],
    ['does not look at what comes later', 2_001, []],
  ])('%s', async (_, ms, expected) => {
    const { raise, give, read } = start()
    raise()
    await vi.advanceTimersByTimeAsync(ms)
    give()
    await vi.advanceTimersByTimeAsync(10)
    expect(read).toEqual(expected)
  })

  it('does not sign in without what the page gives, and tells that it is offline', async () => {
    const { mailbox, handler, raise, completions } = start()
    raise()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(logged(handler, 'launch/refreshFailed')).toEqual([{ failure: { kind: 'network' } }])
    expect(logged(handler, 'launch/completed')).toEqual([{ id: 1, outcome: 'offline' }])
    expect(mailbox.calls.filter((call) => call.name === 'auth.getAccessToken')).toEqual([])
    expect(completions()).toBe(1)
  })

  it('stores what the service gives with what the page gives', async () => {
    knowUser()
    const stored: unknown[] = []
    const { handler, kept, raise, give, signature, global } = start({
      hasCopy: false,
      accessToken: () => Promise.resolve('token of the page'),
    })
    give()
    const parts = global.parts
    global.parts = parts && {
      ...parts,
      kept: { ...parts.kept, set: (key, value) => Promise.resolve(stored.push([key, value])) },
    }
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(signature()).toContain('From the service</p><!-- by the pane -->')
    expect(stored).toMatchObject([[MAILBOX, { version: 1, value: { email: kept.email } }]])
    expect(logged(handler, 'launch/stored')).toHaveLength(1)
  })

  it('an event that comes while another is completed is handled, too', async () => {
    const { handler, raise, give, completions } = start()
    give()
    raise(raise)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(completions()).toBe(2)
    expect(logged(handler, 'launch/completed')).toMatchObject([{ id: 1 }, { id: 2 }])
    expect(logged(handler, 'app/started')).toHaveLength(1)
  })

  it('has an empty log before the first event', () => {
    expect(start().handler.log()).toEqual([])
  })

  it('[AUTO-4] completes each of many events 12 seconds after its limit, whatever the mail client does', async () => {
    const { mailbox, raise, give, completions } = start()
    give()
    mailbox.silence('*')
    for (let event = 0; event < 20; event++) raise()
    await vi.advanceTimersByTimeAsync(51_999)
    expect(completions()).toBeLessThan(20)
    await vi.advanceTimersByTimeAsync(1)
    expect(completions()).toBe(20)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(completions()).toBe(20)
  })

  it.each([
    ['keeps warnings from the console in production', true, 0],
    ['writes warnings on the console elsewhere', false, 1],
  ])('%s', async (_, production, warnings) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    refuseRequests('')
    const { raise, give } = start({
      hasCopy: false,
      settings: { ...served, stage: { production, beta: false } },
    })
    give()
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(warn.mock.calls).toEqual(
      Array(warnings).fill(['[LSI]', 'sign_in_method_failed', { method: 'nested', failure: 'defect' }]),
    )
  })

  it('[AUTO-4] logs that it cannot start, whatever was thrown', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const thrown = () => {
      throw 'gone'
    }
    const { mailbox, raise, completions } = start({ broken: thrown })
    raise()
    expect(completions()).toBe(1)
    expect(mailbox.calls).toEqual([])
    expect(error.mock.calls).toEqual([['[LSI]', 'launch_failed', { error: 'unknown' }]])
  })
})

describe('what a launch runtime asks of the service', () => {
  const asked = async (options: Parameters<typeof start>[0] = {}) => {
    const { sent } = knowUser()
    const started = start({ hasCopy: false, accessToken: () => Promise.resolve('page-token'), ...options })
    started.give()
    started.raise()
    await vi.advanceTimersByTimeAsync(2_000)
    return { sent, ...started }
  }

  it('is at the address of the settings, with its version', async () => {
    const { sent } = await asked({ settings: { ...served, version: '4.5.6' } })
    expect(sent.map(({ url }) => new URL(url).origin)).toEqual(sent.map(() => served.apiUrl))
    expect(sent.map(({ headers }) => headers['x-addin-version'])).toEqual(sent.map(() => '4.5.6'))
  })

  it('has the token of the sign-in, once the service gave one', async () => {
    const { sent } = await asked()
    const tokens = sent.map(({ headers }) => headers['authorization'])
    expect(sent[0]?.body).toEqual({ accessToken: 'page-token', email: MAILBOX })
    expect(tokens).toEqual([undefined, ...tokens.slice(1).map(() => `Bearer ${TOKEN}`)])
    expect(tokens.length).toBeGreaterThan(1)
  })

  it.each([
    ['in the language of the mail client', 'de-DE', 'de'],
    ['in the other language of the settings, where that has no texts', 'ja-JP', 'nl'],
  ])('is %s', async (_, displayLanguage, expected) => {
    const { sent } = await asked({ displayLanguage, settings: { ...served, fallbackLocale: 'nl' } })
    expect(sent[0]?.headers['accept-language']).toBe(expected)
  })

  it.each([401, 403])('is asked again with the next event after a %i', async (status) => {
    const { sent } = refuseRequests('', status)
    const { handler, raise, give } = start({
      hasCopy: false,
      accessToken: () => Promise.resolve('page-token'),
    })
    give()
    for (let event = 1; event <= 2; event++) {
      raise()
      await vi.advanceTimersByTimeAsync(2_000)
      expect(logged(handler, 'launch/completed')).toEqual([{ id: event, outcome: 'signInNeeded' }])
    }
    const tokens = sent.map(({ body }) => (body as { accessToken: string }).accessToken)
    expect(tokens).toEqual(['page-token', 'token', 'page-token', 'token'])
  })

  it.each([
    ['refused the accounts of both methods', 0],
    ['refused an account, and the mail client gave no token', 13001],
  ])('is asked again with the next event after it %s', async (_, code) => {
    const { sent } = refuseRequests('', 401)
    const { mailbox, raise, give } = start({
      hasCopy: false,
      accessToken: () => Promise.resolve('page-token'),
    })
    if (code !== 0) mailbox.fail('auth.getAccessToken', { code, name: 'No user is signed into Office.' })
    give()
    for (let event = 1; event <= 2; event++) {
      raise()
      await vi.advanceTimersByTimeAsync(2_000)
      const asked = sent.filter(({ body }) => JSON.stringify(body).includes('page-token'))
      expect(asked).toHaveLength(event)
    }
  })

  it('has the mailbox’s address as a hint for its sign-in', async () => {
    const hints: unknown[] = []
    await asked({
      accessToken: (loginHint) => {
        hints.push(loginHint)
        return Promise.resolve('page-token')
      },
    })
    expect(hints).toEqual([MAILBOX])
  })
})

describe('a launch runtime of classic Outlook', () => {
  const stored = (value: unknown) => {
    const texts = new Map([[`signet.kept.${MAILBOX}`, JSON.stringify({ version: 1, value })]])
    return {
      texts,
      storage: {
        getItem: (key: string) => Promise.resolve(texts.get(key) ?? null),
        setItem: (key: string, text: string) => Promise.resolve(void texts.set(key, text)),
        removeItem: (key: string) => Promise.resolve(void texts.delete(key)),
      },
    }
  }

  it('uses the copy that Outlook stores, and waits for no page', async () => {
    const { kept } = start()
    const { storage } = stored(kept)
    const { raise, signature, completions } = start({ runtime: 'classic', officeRuntime: { storage } })
    raise()
    await vi.advanceTimersByTimeAsync(400)
    expect(signature()).toContain('Alex Kim')
    expect(signature()).not.toContain('by the pane')
    expect(completions()).toBe(1)
  })

  it('asks Outlook for a token, without asking the user, and no page', async () => {
    const { sent } = knowUser()
    const { texts, storage } = stored(null)
    const asked: unknown[] = []
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { mailbox, raise, signature } = start({
      runtime: 'classic',
      officeRuntime: {
        storage,
        auth: { getAccessToken: (options) => Promise.resolve(`token ${String(asked.push(options))}`) },
      },
    })
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(asked).toEqual([{ allowConsentPrompt: false, allowSignInPrompt: false }])
    expect(sent[0]?.body).toMatchObject({ accessToken: 'token 1' })
    expect(mailbox.calls.filter((call) => call.name === 'auth.getAccessToken')).toEqual([])
    expect(signature()).toContain('From the service')
    expect(texts.get(`signet.kept.${MAILBOX}`)).toContain('From the service')
    expect(warn).not.toHaveBeenCalled()
  })

  it.each<[unknown, Readonly<Record<string, unknown>>]>([
    [{ code: 13001 }, { kind: 'auth', code: 'host_13001' }],
    [{ code: '13001' }, { kind: 'auth', code: 'host_0' }],
    [null, { kind: 'auth', code: 'host_0' }],
  ])('reads why Outlook gave no token: %o', async (error, failure) => {
    const { handler, raise, completions } = start({
      runtime: 'classic',
      officeRuntime: { auth: { getAccessToken: () => Promise.reject(error) } },
    })
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(logged(handler, 'launch/refreshFailed')).toEqual([{ failure }])
    expect(completions()).toBe(1)
  })

  it.each([
    ['has no part of its own', null],
    ['has no sign-in of its own', {}],
  ])('asks the mail client for a token where Outlook’s runtime %s', async (_, officeRuntime) => {
    const { sent } = knowUser()
    const { mailbox, raise, signature } = start({ runtime: 'classic', officeRuntime })
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(mailbox.calls.filter((call) => call.name === 'auth.getAccessToken')).toHaveLength(1)
    expect(sent[0]?.body).toMatchObject({ accessToken: 'token' })
    expect(signature()).toContain('From the service')
  })

  it('uses no copy of another mailbox', async () => {
    const { kept } = start()
    const { storage } = stored({ ...kept, email: 'maria.silva@northwind.example' })
    const { handler, raise, signature } = start({ runtime: 'classic', officeRuntime: { storage } })
    refuseRequests('')
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(logged(handler, 'launch/keptRead')).toEqual([{ at: null }])
    expect(signature()).toBe('')
  })
})

describe('before a message leaves', () => {
  const guard = { signature: [[]], blocks: [] }
  const ALLOW = { allowEvent: true }
  const QUESTION = {
    allowEvent: false,
    errorMessage: 'Missing from this message: Standard. Open Signet to insert what is missing.',
    cancelLabel: 'Open Signet',
    commandId: 'signet.open11',
    sendModeOverride: 'promptUser',
  }

  it('[MEET-6] the user is asked about the signature once, without a request', async () => {
    const { sent } = knowUser()
    const { send, give, answers } = start({ guard })
    give()
    send()
    await vi.advanceTimersByTimeAsync(300)
    expect(answers).toEqual([QUESTION])
    send()
    await vi.advanceTimersByTimeAsync(300)
    expect(answers).toEqual([QUESTION, ALLOW])
    expect(sent).toEqual([])
  })

  it('[MEET-6] the message waits in Outlook for the answer, and for that of the user', async () => {
    const { mailbox, handler, give } = start({ guard })
    give()
    const state = () => mailbox.state$.value
    mailbox.launchEvent$.subscribe(({ kind }) =>
      handler.handle(kind, { completed: (answer) => void mailbox.act({ type: 'sendAnswered', answer }) }),
    )
    mailbox.act({ type: 'setQuirk', quirk: 'asksBeforeSending', on: true })
    mailbox.act({ type: 'setRecipients', to: [{ address: 'tess@fabrikam.example', name: 'Tess' }] })
    await vi.advanceTimersByTimeAsync(5_000)
    mailbox.act({ type: 'signatureEdited', signature: '' })
    for (const [question, isOpen] of [
      [{ text: QUESTION.errorMessage, button: 'Open Signet' }, true],
      [undefined, false],
    ] as const) {
      mailbox.act({ type: 'send', date: 0 })
      await vi.advanceTimersByTimeAsync(300)
      expect([state().leaving?.question, state().open !== null]).toEqual([question, isOpen])
      mailbox.act({ type: 'doNotSend' })
    }
  })

  it('[MEET-6] the message goes at once when it has its signature', async () => {
    const { raise, send, give, answers } = start({ guard })
    give()
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    send()
    await vi.advanceTimersByTimeAsync(300)
    expect(answers).toEqual([ALLOW])
  })

  it('[MEET-6] the message goes at once when nothing is looked for, also without a copy', async () => {
    const { sent } = knowUser()
    for (const options of [{}, { guard, hasCopy: false }, { guard, age: 31 * 24 * 60 * 60_000 }]) {
      const { send, give, answers } = start(options)
      give()
      send()
      await vi.advanceTimersByTimeAsync(300)
      expect(answers).toEqual([ALLOW])
    }
    expect(sent).toEqual([])
  })

  it('[MEET-6] the message goes after 2 s where the page gives no storage', async () => {
    const { send, answers } = start({ guard })
    send()
    await vi.advanceTimersByTimeAsync(1_999)
    expect(answers).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(answers).toEqual([ALLOW])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(answers).toEqual([ALLOW])
  })

  it('[MEET-6] the message goes when the program cannot start, and the insertion beside it goes on', async () => {
    const broken = () => {
      throw new Error('broken')
    }
    const { send, answers } = start({ guard, broken })
    send()
    expect(answers).toEqual([ALLOW])
    const { send: other, raise, give, signature, completions } = start({ guard })
    raise()
    other()
    give()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(signature()).toContain('Alex Kim')
    expect(completions()).toBe(1)
  })

  it('has a log of its own, and leaves that of the insertion', async () => {
    const { handler, raise, send, give } = start({ guard })
    give()
    raise()
    await vi.advanceTimersByTimeAsync(2_000)
    send()
    await vi.advanceTimersByTimeAsync(300)
    expect(logged(handler, 'launch/completed')).toEqual([{ id: 2, outcome: 'none' }])
  })
})
