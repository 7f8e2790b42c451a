import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { parse } from 'acorn'
import { of } from 'rxjs'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openBuilds } from '../../src/build/builds.ts'
import { LAUNCH_GUARD_FILE, LAUNCH_FILE } from '../../src/server/headers.ts'
import { emptyConfig, type PageConfig, embedConfig } from '../../src/server/pageConfig.ts'
import { demoMailbox } from '../../src/playground/mailbox/demo.ts'
import { createMailbox, type Mailbox } from '../../src/playground/mailbox/mailbox.ts'
import type { ComposeItem } from '../../src/playground/mailbox/model.ts'
import { createOfficeFacade, type RuntimeStorage } from '../../src/playground/mailbox/officeFacade.ts'
import { parseLaunchRecord } from '../../streams/launch/record.ts'
import { asyncScheduler } from 'rxjs'
import { expectWithin, LAUNCH_FILES } from '../support/sizeGuard.ts'
import { PNG } from '../support/state.ts'

// launch.js as it ships, in an engine that has nothing but the language, `Office`, `OfficeRuntime`, requests, timers and
// a console: that of classic Outlook. Once with every built-in, and once without those after ES2016.

const API = 'https://service.northwind.example'
/** On a machine that may be busy. */
const BUILD_LIMIT_MS = 600_000
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
let files: Readonly<Record<string, { code: string; map: string }>> = {}
let served = ''
/** With what looks for what is missing before a message leaves. */
let guarding = ''

/** A file as a server with these settings sends it. */
const servedTo = (settings: Partial<PageConfig>, name = LAUNCH_FILE): string =>
  embedConfig(name, Buffer.from(files[name]?.code ?? ''), { ...emptyConfig(), ...settings }).toString()

beforeAll(async () => {
  const builds = openBuilds({ tell: (line) => process.stderr.write(`${line}\n`) })
  const folder = await builds.build('launchFile').finally(builds.end)
  const read = async (name: string) => ({
    code: await readFile(join(folder, name), 'utf8'),
    map: await readFile(join(folder, `${name}.map`), 'utf8'),
  })
  files = { [LAUNCH_FILE]: await read(LAUNCH_FILE), [LAUNCH_GUARD_FILE]: await read(LAUNCH_GUARD_FILE) }
  const settings = { SIGNET_API_URL: API, SIGNET_PRODUCTION: 'true' }
  served = servedTo(settings)
  guarding = servedTo(settings, LAUNCH_GUARD_FILE)
}, BUILD_LIMIT_MS)
beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 9) })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What engines have that came after ES2016, and that the program may use only where it brings it along. */
const LATER = {
  Object: ['entries', 'values', 'fromEntries', 'hasOwn', 'getOwnPropertyDescriptors', 'groupBy'],
  'Array.prototype': [
    ...['at', 'flat', 'flatMap', 'findLast', 'findLastIndex'],
    ...['toSorted', 'toReversed', 'toSpliced', 'with'],
  ],
  'String.prototype': [
    ...['padStart', 'padEnd', 'trimStart', 'trimEnd', 'matchAll', 'replaceAll', 'at'],
    ...['isWellFormed', 'toWellFormed'],
  ],
} as const
const AFTER_ES2016 = `
  ${Object.entries(LATER)
    .map(([owner, names]) => `for (const name of ${JSON.stringify(names)}) delete ${owner}[name]`)
    .join('\n  ')}
  for (const name of ['finally']) delete Promise.prototype[name]
  for (const name of ['allSettled', 'any', 'withResolvers']) delete Promise[name]
  delete Symbol.asyncIterator
  delete Symbol.matchAll
  const Before = RegExp
  globalThis.RegExp = new Proxy(Before, {
    construct(target, [pattern, flags = '']) {
      if (/[sdv]/.test(flags) || /\\\\p\\{|\\(\\?<|\\(\\?[=!]?</.test(String(pattern))) throw new SyntaxError('not in ES2016')
      return new target(pattern, flags)
    },
  })
`
/** What V8 gives any context, and classic Outlook does not. */
const NOT_THERE = [
  ...['URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'fetch', 'Intl', 'crypto'],
  ...['structuredClone', 'queueMicrotask', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'WeakRef'],
  ...[
    'FinalizationRegistry',
    'BigInt',
    'localStorage',
    'indexedDB',
    'window',
    'document',
    'self',
    'globalThis',
  ],
]

type Answers = Readonly<Record<string, unknown>>

/** A request object over fixed answers by path; without one, the network is down. */
const createXhr = (answers: Answers | null, sent: { url: string; headers: Record<string, string> }[]) =>
  class {
    private readonly listeners: Record<string, ((event: object) => void)[]> = {}
    private readonly headers: Record<string, string> = {}
    private url = ''
    status = 0
    readyState = 0
    response: unknown = null
    responseType = ''
    timeout = 0
    withCredentials = false
    upload = { addEventListener: () => undefined }
    open(_method: string, url: string) {
      this.url = url
    }
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value
    }
    getAllResponseHeaders() {
      return ''
    }
    addEventListener(type: string, listener: (event: object) => void) {
      ;(this.listeners[type] ??= []).push(listener)
    }
    removeEventListener() {}
    abort() {}
    send() {
      sent.push({ url: this.url, headers: this.headers })
      setTimeout(() => {
        const path = this.url.slice(API.length).split('?')[0] ?? ''
        const body = answers?.[path]
        this.readyState = 4
        if (answers) {
          this.status = body === undefined ? 404 : 200
          this.response = JSON.stringify(body ?? { code: 'not_found', message: '' })
        }
        for (const listener of this.listeners[answers ? 'load' : 'error'] ?? [])
          listener({ type: answers ? 'load' : 'error', loaded: 0, total: 0 })
      }, 20)
    }
  }

const jwt = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${Buffer.from('s').toString('base64url')}`
const LOGO = `${API}/logo.png`
const picture = (url: string) => ({
  url,
  name: url.slice(url.lastIndexOf('/') + 1),
  content: PNG,
  status: 200,
})
const cached = (over: object = {}) => ({
  name: 'Standard',
  user_id: 'u-1',
  signature: `<p style="color:#123456">Alex Kim</p><img src="${LOGO}" alt="Northwind">`,
  reply: '<p>Alex, replying</p>',
  combined_ids: '12-0',
  base64_embedded_images: [picture(LOGO)],
  ...over,
})
const service = (over: object = {}): Answers => ({
  '/authentication/addin/azure': {
    data: {
      access_token: jwt({
        sub: 'u-1',
        email: 'alex.kim@northwind.example',
        exp: Date.UTC(2026, 11, 1) / 1000,
      }),
    },
  },
  '/signatures-cache/api/v1/signature/addin': cached(over),
  '/signatures-cache/api/v1/signatures': { objects: [], total: 0, page: 1 },
  '/api/addin/user': { id: 'u-1', delegations: [] },
})

type Options = Readonly<{
  answers?: Answers | null
  storage?: RuntimeStorage
  prepare?: (mailbox: Mailbox) => void
  isOld: boolean
  program?: string
}>

/** A runtime that has run the file, over a mailbox with a new message. */
function start({ answers = service(), storage, prepare, isOld, program = served }: Options) {
  const mailbox = createMailbox(demoMailbox(), {
    time: { scheduler: asyncScheduler },
    accessToken: () => of('access-token'),
  })
  mailbox.act({ type: 'newMessage' })
  prepare?.(mailbox)
  const { office, officeRuntime, connect, raise } = createOfficeFacade(storage)
  connect(mailbox.client)
  const sent: { url: string; headers: Record<string, string> }[] = []
  const errors: unknown[] = []
  const context = createContext({
    Office: office,
    OfficeRuntime: officeRuntime,
    XMLHttpRequest: createXhr(answers, sent),
    setTimeout: (work: () => void, ms: number) => setTimeout(work, ms),
    clearTimeout: (id: ReturnType<typeof setTimeout>) => clearTimeout(id),
    setInterval: (work: () => void, ms: number) => setInterval(work, ms),
    clearInterval: (id: ReturnType<typeof setInterval>) => clearInterval(id),
    console: { warn: () => undefined, error: (...all: unknown[]) => errors.push(all) },
    Date,
  })
  if (isOld) runInContext(AFTER_ES2016, context)
  runInContext(`for (const name of ${JSON.stringify(NOT_THERE)}) delete this[name]`, context)
  runInContext(program, context)
  const message = (): ComposeItem => {
    const { items, open } = mailbox.state$.value
    const item = items.find(({ id }) => id === open)
    if (item?.mode !== 'compose') throw new Error('no message is being written')
    return item
  }
  let completions = 0
  const told: unknown[] = []
  const launch = async (name = 'onNewMessageCompose', ms = 5_000) => {
    const before = completions
    const completed = (answer?: unknown) => {
      completions += 1
      told.push(answer)
    }
    expect(raise(name, { completed })).toBe(true)
    await vi.advanceTimersByTimeAsync(ms)
    return completions - before
  }
  const record = () => parseLaunchRecord(message().sessionData['lsi_launch'] ?? null)
  return { mailbox, context, sent, errors, message, launch, record, told }
}

/** The storage of one device, which runtimes come and go with. */
const createRuntimeStorage = (): RuntimeStorage & { items: Map<string, string> } => {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key) => Promise.resolve(items.get(key) ?? null),
    setItem: (key, value) => {
      items.set(key, value)
      return Promise.resolve()
    },
    removeItem: (key) => {
      items.delete(key)
      return Promise.resolve()
    },
  }
}

describe('launch.js', () => {
  it.each([LAUNCH_FILE, LAUNCH_GUARD_FILE])('[AUTO-2] %s parses as ES2016, as a script', (name) => {
    const { code } = files[name] ?? { code: '?' }
    expect(code.length).toBeGreaterThan(100_000)
    expect(() => parse(code, { ecmaVersion: 2016, sourceType: 'script' })).not.toThrow()
  })

  it.each([LAUNCH_FILE, LAUNCH_GUARD_FILE])('[AUTO-2] %s stays within its guard', (name) => {
    expectWithin(name, [files[name] ?? expect.fail()], LAUNCH_FILES)
  })

  it.each([LAUNCH_FILE, LAUNCH_GUARD_FILE])(
    '[AUTO-2] %s brings along each built-in after ES2016 that it calls',
    (name) => {
      const { context } = start({ isOld: true })
      const { code } = files[name] ?? { code: '' }
      const isCalled = (owner: string, called: string) =>
        owner === 'Object'
          ? code.includes(`Object.${called}(`) && !code.includes(`Object.${called}?`)
          : code.includes(`.${called}(`)
      const isThere = (owner: string, name: string) =>
        runInContext(`${JSON.stringify(name)} in ${owner}`, context) as boolean
      const ofAll = (test: (owner: string, name: string) => boolean) => [
        ...new Set(
          Object.entries(LATER).flatMap(([owner, names]) => names.filter((name) => test(owner, name))),
        ),
      ]
      expect(ofAll(isThere)).toEqual(ofAll(isCalled))
    },
  )

  it.each([
    `'7'.padStart(3, '01')`,
    `'abc'.padStart(2, '0')`,
    `'7'.padStart(3)`,
    `' \u00a0\t a '.trimStart()`,
    `' a \u00a0\t'.trimEnd()`,
    `' '.trimEnd()`,
    `[...'cid:a CID:b'.matchAll(/cid:([ab])/gi)].map(([all, id]) => all + id)`,
    `[...'a1'.matchAll(/[0-9]*/g)].map(({ index }) => index)`,
    `'a.a.'.replaceAll('.', '$')`,
    `'a.a.'.replaceAll('.', (found) => found + '!')`,
    `'a1b2'.replaceAll(/[0-9]/g, '-')`,
    `[1, 2].flatMap((each, index) => [each, [index]])`,
    `[[1, 2].at(-1), [1, 2].at(0), [1, 2].at(2)]`,
    `Object.fromEntries(Object.entries({ a: 1, b: 2 }))`,
    `Object.values({ a: 1, b: 2 })`,
    `['a', 'b'].map((name) => Object.hasOwn(Object.create({ b: 1 }, { a: {} }), name))`,
  ])('[AUTO-2] brings built-ins along that do the same as those of an engine: %s', (expression) => {
    const valueOf = (isOld: boolean) =>
      runInContext(`JSON.stringify(${expression})`, start({ isOld }).context) as string
    expect(valueOf(true)).toBe(valueOf(false))
  })

  it.each([LAUNCH_FILE, LAUNCH_GUARD_FILE])('%s loads nothing', (name) => {
    expect(files[name]?.code).not.toMatch(/\bimport\(|sourceMappingURL/)
  })

  it('asks the service that served it', async () => {
    const config = { SIGNET_API_URL: 'https://signet.contoso.example' }
    const program = servedTo(config)
    expect(() => parse(program, { ecmaVersion: 2016, sourceType: 'script' })).not.toThrow()
    const { launch, sent, errors } = start({ isOld: true, program })
    expect(await launch()).toBe(1)
    expect([...new Set(sent.map(({ url }) => new URL(url).origin))]).toEqual([config.SIGNET_API_URL])
    expect(errors).toEqual([])
  })

  describe.each([
    ['with every built-in', false],
    ['without what came after ES2016', true],
  ])('in a bare engine %s', (_, isOld) => {
    it('[AUTO-1] [AUTO-2] [AUTO-22] puts the signature in, from the service, and then from its copy', async () => {
      const storage = createRuntimeStorage()
      const first = start({ isOld, storage })
      expect(await first.launch()).toBe(1)
      expect(first.message().body.signature).toContain('<p style="color:#123456">Alex Kim</p>')
      expect(first.message().attachments).toHaveLength(1)
      expect(first.record()).toMatchObject({ outcome: 'inserted', runtime: 'classic', age: null })
      expect(first.errors).toEqual([])

      const next = start({ isOld, storage })
      expect(await next.launch()).toBe(1)
      expect(next.message().body.signature).toContain('Alex Kim')
      expect(next.sent).toEqual([])
      expect(next.record()).toMatchObject({ outcome: 'inserted', age: expect.any(Number) as number })

      const offline = start({ isOld, storage, answers: null })
      await vi.advanceTimersByTimeAsync(16 * 60_000)
      expect(await offline.launch()).toBe(1)
      expect(offline.message().body.signature).toContain('Alex Kim')
      expect(offline.message().notifications).toEqual([])
    })

    it('sends what the specification demands, and no more', async () => {
      const { sent, launch } = start({ isOld })
      await launch()
      expect(sent.map(({ url }) => url.slice(API.length))).toEqual([
        '/authentication/addin/azure',
        '/signatures-cache/api/v1/signature/addin?build_base64=true',
        '/api/addin/user',
        expect.stringContaining('/signatures-cache/api/v1/signatures?'),
      ])
      expect(sent[1]?.headers).toMatchObject({
        'x-api-version': '1.0.0',
        'x-addin-version': version,
        'x-addin-trigger': 'taskpane',
        'accept-language': 'en',
        authorization: expect.stringMatching(/^Bearer e30\./) as string,
      })
    })

    it.each([
      [
        'a reply',
        (mailbox: Mailbox) => mailbox.act({ type: 'reply' }),
        {},
        (item: ComposeItem) => item.body.signature.includes('Alex, replying'),
      ],
      [
        'plain text',
        (mailbox: Mailbox) => mailbox.act({ type: 'setBodyType', bodyType: 'text' }),
        {},
        (item: ComposeItem) => item.body.signature === 'Alex Kim\nNorthwind',
      ],
      [
        'a mail client without session data',
        (mailbox: Mailbox) => mailbox.act({ type: 'setRequirementSet', set: 'Mailbox', version: '1.10' }),
        {},
        (item: ComposeItem) => item.body.signature.includes('Alex Kim'),
      ],
      [
        'a hostile signature',
        () => null,
        {
          signature:
            '<p onclick="steal()">Alex Kim</p><script>steal()</script><img src=x onerror=steal()><a href="javascript:steal()">x</a>',
        },
        (item: ComposeItem) =>
          item.body.signature.includes('Alex Kim') && !/steal|script/.test(item.body.signature),
      ],
      [
        'twenty images',
        () => null,
        {
          signature: Array.from(
            { length: 20 },
            (__, index) => `<img src="${API}/${String(index)}.png">`,
          ).join(''),
          base64_embedded_images: Array.from({ length: 20 }, (__, index) =>
            picture(`${API}/${String(index)}.png`),
          ),
        },
        (item: ComposeItem) => item.attachments.length === 20,
      ],
    ] as const)('is right for %s', async (__, prepare, over, isRight) => {
      const runtime = start({ isOld, answers: service(over), prepare: (mailbox) => void prepare(mailbox) })
      expect(await runtime.launch('onNewMessageCompose', 20_000)).toBe(1)
      expect(isRight(runtime.message()), runtime.message().body.signature).toBe(true)
    })

    it.each([
      ['below its share', '49.99', true],
      ['at its share', '50', false],
      ['that it draws', null, null],
    ] as const)('shows a block in a message with a number %s', async (__, stored, expected) => {
      const html = '<p>Alex Kim</p>'
      const candidates = [{ id: 'fair', name: 'Fair', html: '<p>Meet us in Lisbon</p>', share: 50 }]
      const blocks = [{ name: 'banner', start: html.length, end: html.length, candidates }]
      const { launch, mailbox, message } = start({ isOld, answers: service({ signature: html, blocks }) })
      await vi.advanceTimersByTimeAsync(1_000)
      if (stored !== null)
        mailbox.client.call('sessionData.setAsync', { name: 'lsi_turn', value: stored }, () => undefined)
      await vi.advanceTimersByTimeAsync(100)
      expect(await launch()).toBe(1)
      const turn = message().sessionData['lsi_turn'] ?? ''
      expect(turn).toMatch(stored ?? /^\d{1,2}(?:\.\d{1,2})?$/)
      expect(message().body.signature).toContain('Alex Kim')
      expect(message().body.signature.includes('Lisbon')).toBe(expected ?? Number(turn) < 50)
    })

    it('[MEET-6] without the look, a message leaves at once, whatever the service asks for', async () => {
      const guarded = service({ guard: { signature: [[]] } })
      const { launch, mailbox, told } = start({ isOld, answers: guarded })
      await launch()
      mailbox.act({ type: 'newMessage' })
      expect(await launch('onMessageSend', 0)).toBe(1)
      expect(told.slice(1)).toEqual([{ allowEvent: true }])
    })

    it('[MEET-6] looks into a message before it leaves, without a request, and asks once', async () => {
      const storage = createRuntimeStorage()
      const guarded = service({ guard: { signature: [[]] } })
      const { launch, mailbox, sent, told } = start({ isOld, storage, answers: guarded, program: guarding })
      await launch()
      const requests = sent.length
      expect(await launch('onMessageSend', 300)).toBe(1)
      mailbox.act({ type: 'newMessage' })
      expect(await launch('onMessageSend', 300)).toBe(1)
      expect(await launch('onMessageSend', 300)).toBe(1)
      expect(told.slice(1)).toEqual([
        { allowEvent: true },
        {
          allowEvent: false,
          errorMessage: 'Missing from this message: Standard. Open Signet to insert what is missing.',
          cancelLabel: 'Open Signet',
          commandId: 'signet.open11',
          sendModeOverride: 'promptUser',
        },
        { allowEvent: true },
      ])
      expect(sent).toHaveLength(requests)
      const silent = start({ isOld, storage, prepare: (of) => of.silence('*'), program: guarding })
      expect(await silent.launch('onMessageSend', 2_000)).toBe(1)
      expect(silent.told).toEqual([{ allowEvent: true }])
    })

    it('[AUTO-4] completes every event once, also what it does not know how to do', async () => {
      const offline = start({ isOld, answers: null })
      expect(await offline.launch('onNewMessageCompose', 20_000)).toBe(1)
      expect(offline.record()).toMatchObject({ outcome: 'offline' })
      const silent = start({ isOld, prepare: (mailbox) => mailbox.silence('*') })
      expect(await silent.launch('onMessageFromChanged', 60_000)).toBe(1)
      expect(await silent.launch('onMessageRecipientsChanged', 60_000)).toBe(1)
    })
  })

  it('signs in again after a failure that passes, and not after one that needs the user', async () => {
    for (const [code, outcome, attempts] of [
      [13006, 'offline', 2],
      [13001, 'signInNeeded', 1],
    ] as const) {
      const runtime = start({
        isOld: false,
        prepare: (mailbox) => mailbox.fail('auth.getAccessToken', { code, name: 'failed' }),
      })
      for (const name of ['onNewMessageCompose', 'onMessageFromChanged'])
        expect(await runtime.launch(name, 10_000)).toBe(1)
      expect(runtime.record()?.outcome).toBe(outcome)
      const asked = runtime.mailbox.calls.filter(({ name }) => name === 'auth.getAccessToken')
      expect(asked).toHaveLength(attempts)
    }
  })

  it('[AUTO-4] completes events of a program that could not start', async () => {
    const { context, launch } = start({ isOld: false })
    runInContext('signetLaunch.handle = function () { throw new Error("defect") }', context)
    expect(await launch()).toBe(1)
    const broken = start({ isOld: false })
    runInContext('delete Office.context', broken.context)
    expect(await broken.launch()).toBe(1)
  })

  it('[MEET-6] lets messages go in a program that could not start', async () => {
    const { context, launch, told } = start({ isOld: false })
    runInContext('signetLaunch.handle = function () { throw new Error("defect") }', context)
    expect(await launch('onMessageSend', 0)).toBe(1)
    runInContext('signetLaunch.hasFailed = true', context)
    expect(await launch('onMessageSend', 0)).toBe(1)
    const broken = start({ isOld: false })
    runInContext('delete Office.context', broken.context)
    expect(await broken.launch('onMessageSend', 0)).toBe(1)
    expect([...told, ...broken.told]).toEqual(Array(3).fill({ allowEvent: true }))
  })
})
