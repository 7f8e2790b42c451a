import { createCallSharing } from '../../streams/kernel/shareInFlight.ts'
// @vitest-environment happy-dom
import {
  asyncScheduler,
  defer,
  filter,
  firstValueFrom,
  from,
  map,
  type Observable,
  of,
  Subject,
  switchMap,
  take,
} from 'rxjs'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Api, MailHost, OtherPanes, Ports } from '../../effects/ports.ts'
import { createPaneAddress } from '../../src/engine/adapters/address.ts'
import { createAnalytics } from '../../src/engine/adapters/analytics.ts'
import { createApi } from '../../src/engine/adapters/api.ts'
import { createClipboard } from '../../src/engine/adapters/clipboard.ts'
import { createDownloads } from '../../src/engine/adapters/downloads.ts'
import { createConnection } from '../../src/engine/adapters/connection.ts'
import { createHttp } from '../../src/engine/adapters/http.ts'
import { createOtherPanes } from '../../src/engine/adapters/otherPanes.ts'
import { createPictures } from '../../src/engine/adapters/picture.ts'
import { createPictureLoader } from '../../src/engine/adapters/pictureChunk.ts'
import { createSanitizerLoader } from '../../src/engine/adapters/sanitizerChunk.ts'
import type { CallName } from '../../src/engine/hosts/mailClient.ts'
import { createFallbackChain } from '../../src/engine/signIn/fallbackChain.ts'
import type { NestedClient, WindowClient } from '../../src/engine/signIn/library.ts'
import { createNestedMethod } from '../../src/engine/signIn/nested.ts'
import { createStandaloneIdentity, STANDALONE_USER_KEY } from '../../src/engine/signIn/standaloneIdentity.ts'
import { createTextsLoader } from '../../src/pane/locales.ts'
import { createPageLoader } from '../../src/pane/screen/pageLoader.ts'
import { signInFailure } from '../../streams/pane/auth/signInCodes.ts'
import { createHandle } from '../../streams/kernel/handle.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { emitAfter, now } from '../../streams/kernel/time.ts'
import { createClock } from '../support/clock.ts'
import { fakeLog } from '../support/log.ts'
import { failing, type FakeCall, type FakePorts, fakePorts, mailboxPorts } from '../support/ports.ts'
import { type CallUnderTest, callContract, type Mood, streamContract } from './portContracts.ts'

// Each port over its fake and over what ships, with the lowest layer of the environment simulated. Storage has a
// contract of its own (adapters/storageContract.ts), and so have mail clients (hosts/contract.ts).

afterEach(() => {
  vi.unstubAllGlobals()
})

const START = Date.UTC(2026, 10, 20)

/** Lets promises and messages settle. */
const settled = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((next) => setTimeout(next, 0))
}

type AnyCall = FakeCall<unknown[], unknown>

/** One call of a fake. */
const fakeWorld =
  (portOf: (ports: FakePorts) => object, name: string, args: readonly unknown[]) =>
  (mood: Mood): CallUnderTest => {
    // Each method of a fake is such a call.
    const { [name]: fake } = portOf(fakePorts(createClock())) as Readonly<Record<string, AnyCall>>
    if (!fake) throw new Error(`no fake of ${name}`)
    const held$ = new Subject<void>()
    if (mood === 'refuses') fake.answers(failing({ kind: 'network' }))
    if (mood === 'holds')
      fake.answers(
        held$.pipe(
          take(1),
          map(() => 'late'),
        ),
      )
    return {
      make: () => fake(...args).pipe(map((value) => value ?? 'nothing')),
      asked: () => fake.calls.length,
      release: () => held$.next(),
      rest: settled,
    }
  }

/** A promise of the environment: it counts who asks, and keeps to the mood. */
function promising(mood: Mood) {
  let asked = 0
  const held: (() => void)[] = []
  return {
    asked: () => asked,
    release: () => {
      for (const go of held.splice(0)) go()
    },
    async answer<T>(value: () => T, refusal: Error = new TypeError('refused')): Promise<T> {
      asked += 1
      if (mood === 'refuses') throw refusal
      if (mood === 'holds') await new Promise<void>((go) => held.push(go))
      return value()
    },
  }
}
const worldOf = (
  { asked, release }: ReturnType<typeof promising>,
  make: () => Observable<unknown>,
): CallUnderTest => ({
  make: () => make().pipe(map((value) => value ?? 'nothing')),
  asked,
  release,
  rest: settled,
})

// The signature service.

const claims = Buffer.from(JSON.stringify({ sub: 'u-1', email: 'a@example.com', exp: 2 })).toString(
  'base64url',
)
const session = { data: { access_token: `x.${claims}.y` } }
const user = {
  id: 'u-1',
  email: 'a@example.com',
  is_admin: false,
  picture_url: null,
  auth_type: 'azure',
  client_name: 'Northwind',
  computed_variables: { display_name: 'A' },
  delegations: [],
  changed_fields: [],
  original_data: {},
}
const list = { objects: [], total: 0, page: 1 }
const withImages = false
/** Every call of the port: its arguments, and the body of the service's answer. */
const apiCalls: { readonly [Name in keyof Api]: readonly [args: Parameters<Api[Name]>, body: unknown] } = {
  verify: [[{ accessToken: createSecret('t'), email: 'a@example.com' }], session],
  renew: [[], session],
  user: [[], user],
  variableStates: [[], user],
  photo: [[], { data: { url: null } }],
  savePhoto: [['aW1hZ2U='], { data: { url: 'https://cdn.example.com/a.png' } }],
  deletePhoto: [[], undefined],
  signature: [
    [{}],
    { name: '', user_id: 'u-1', signature: '', reply: null, combined_ids: '', base64_embedded_images: [] },
  ],
  signatures: [[{ page: 1, withImages }], list],
  delegatedSignatures: [[{ userIds: ['u-2'], page: 1, withImages }], list],
  saveDefaultSignature: [['12-0'], undefined],
  variableDefinitions: [[], { objects: [] }],
  variableValues: [[], { values: {} }],
  saveVariables: [[{ values: {}, resetFields: [], base: { values: {} } }], { data: {}, changed_fields: [] }],
  subscription: [[], { plan_id: 'basic' }],
  maintenance: [[], { data: { status: null } }],
  probe: [[], { data: { status: null } }],
  configuration: [[], { config: { addin: { signature_by_default: true } } }],
  sendTelemetry: [[fakePorts(createClock()).platform as never], undefined],
}

/** A request object of the browser, whose connection is simulated. */
class SimulatedRequest extends EventTarget {
  readonly upload = new EventTarget()
  readyState = 0
  status = 0
  response = ''
  responseType = ''
  timeout = 0
  withCredentials = false
  private isAborted = false
  constructor(private readonly answer: () => Promise<string>) {
    super()
  }
  open() {
    return undefined
  }
  setRequestHeader() {
    return undefined
  }
  getAllResponseHeaders() {
    return ''
  }
  abort() {
    this.isAborted = true
  }
  send() {
    const end = (type: string, result: object) => {
      if (this.isAborted) return
      Object.assign(this, { readyState: 4 }, result)
      this.dispatchEvent(new Event(type))
    }
    this.answer().then(
      (response) => end('load', { status: 200, response }),
      () => end('error', {}),
    )
  }
}

describe('the service:', () => {
  for (const [name, [args, body]] of Object.entries(apiCalls) as unknown as [
    keyof Api,
    [unknown[], unknown],
  ][]) {
    const traits = { whenRefused: 'fails', holds: true } as const
    callContract(
      `${name} of the fake`,
      traits,
      fakeWorld(({ api }) => api, name, args),
    )
    callContract(`${name} over HTTP`, traits, (mood) => {
      const world = promising(mood)
      const api = createApi(
        createHttp({
          sharing: createCallSharing(),
          baseUrl: 'https://api.example.com',
          version: '1',
          token: () => of(null),
          renewToken: null,
          language: () => null,
          time: { scheduler: asyncScheduler },
          createXhr: () =>
            new SimulatedRequest(() =>
              world.answer(() => (body === undefined ? '' : JSON.stringify(body))),
            ) as unknown as XMLHttpRequest,
        }),
      )
      // Each method of the port is such a function.
      const call = Object.entries(api).find(([each]) => each === name)?.[1] as (
        ...each: unknown[]
      ) => Observable<unknown>
      return worldOf(world, () => call(...args))
    })
  }
})

// The rest of the environment.

describe('the clipboard:', () => {
  const content = { html: '<p>A</p>', text: 'A' }
  const traits = { whenRefused: 'fails', holds: true } as const
  callContract(
    'the fake',
    traits,
    fakeWorld(({ clipboard }) => clipboard, 'write', [content]),
  )
  callContract("the browser's", traits, (mood) => {
    vi.stubGlobal('ClipboardItem', Object)
    const world = promising(mood)
    const clipboard = createClipboard({
      clipboard: { write: () => world.answer(() => undefined) },
    } as unknown as Navigator)
    return worldOf(world, () => clipboard.write(content))
  })
})

describe('the clipboard, for text alone:', () => {
  const content = { html: null, text: 'A' }
  const traits = { whenRefused: 'fails', holds: true } as const
  callContract(
    'the fake',
    traits,
    fakeWorld(({ clipboard }) => clipboard, 'write', [content]),
  )
  callContract("the browser's", traits, (mood) => {
    const world = promising(mood)
    const clipboard = createClipboard({
      clipboard: { writeText: () => world.answer(() => undefined) },
    } as unknown as Navigator)
    return worldOf(world, () => clipboard.write(content))
  })
})

describe('downloads:', () => {
  const traits = { whenRefused: 'fails', holds: true } as const
  callContract(
    'the fake',
    traits,
    fakeWorld(({ downloads }) => downloads, 'saveLog', []),
  )
  callContract("the browser's", traits, (mood) => {
    const world = promising(mood)
    const page = {
      Blob,
      URL: { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined },
      document: { createElement: () => ({ click: () => undefined }) },
    } as unknown as Parameters<typeof createDownloads>[0]
    return worldOf(world, () => createDownloads(page, () => world.answer(() => '{}')).saveLog())
  })
})

describe('analytics:', () => {
  const told = { name: 'disconnect', userId: 'u-1', parameters: {} }
  const traits = { whenRefused: 'fails', holds: true } as const
  const options = { version: '1', time: { scheduler: asyncScheduler } }
  callContract(
    'the fake',
    traits,
    fakeWorld(({ analytics }) => analytics, 'track', [told]),
  )
  callContract('over HTTP', traits, (mood) => {
    const world = promising(mood)
    vi.stubGlobal('fetch', () => world.answer(() => ({ ok: true, status: 200 })))
    const analytics = createAnalytics({ ...options, url: 'https://analytics.example.com', key: 'k' })
    return worldOf(world, () => analytics.track(told))
  })
  it('without a key: gives one value and completes, and sends nothing', async () => {
    const fetch = vi.fn()
    vi.stubGlobal('fetch', fetch)
    const analytics = createAnalytics({ ...options, url: 'https://analytics.example.com', key: '' })
    expect(await firstValueFrom(analytics.track(told))).toBeUndefined()
    expect(fetch).not.toHaveBeenCalled()
  })
})

describe.each(['open', 'crop'] as const)('pictures, %s:', (call) => {
  const png = new Blob([Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])])
  const file = createHandle(png)
  const crop = { x: 0, y: 0, size: 1 }
  callContract(
    'the fake',
    { whenRefused: null, holds: true },
    fakeWorld(({ pictures }) => pictures, call, call === 'open' ? [file] : [file, crop]),
  )
  // A picture that cannot be decoded is refused, with the reason.
  callContract("the browser's", { whenRefused: 'value', holds: true }, (mood) => {
    const world = promising(mood)
    const bitmap = { image: document.createElement('canvas'), width: 2, height: 2, close: () => undefined }
    const canvas = {
      getContext: () => ({ drawImage: () => undefined, fillRect: () => undefined }),
      toDataURL: () => 'data:image/png;base64,aW1hZ2U=',
    }
    const pictures = createPictures({
      decode: () => world.answer(() => bitmap),
      createCanvas: () => canvas as unknown as HTMLCanvasElement,
    })
    return worldOf(world, () => (call === 'open' ? pictures.open(file) : pictures.crop(file, crop)))
  })
})

describe('languages:', () => {
  const traits = { whenRefused: 'fails', holds: true } as const
  callContract(
    'the fake',
    traits,
    fakeWorld(({ locales }) => locales, 'load', ['de']),
  )
  callContract('of the pane', traits, (mood) => {
    const world = promising(mood)
    const load = () => world.answer(() => ({ default: {} }))
    const each = { de: load, es: load, fr: load, it: load, nl: load, pt: load, 'pt-BR': load }
    const loadTexts = createTextsLoader((chunk) => chunk, each)
    return worldOf(world, () => loadTexts('de').pipe(map(() => undefined)))
  })
})

describe('pages:', () => {
  const traits = { whenRefused: 'fails', holds: true } as const
  callContract(
    'the fake',
    traits,
    fakeWorld(({ chunks }) => chunks, 'load', ['settings']),
  )
  callContract('of the pane', traits, (mood) => {
    const world = promising(mood)
    const chunks = createPageLoader(() => () => world.answer(() => ({ View: () => null }) as never))
    return worldOf(world, () => chunks.load('settings'))
  })
})

describe('pictures, with the code that loads for the first file:', () => {
  callContract("the browser's", { whenRefused: 'value', holds: true }, (mood) => {
    const world = promising(mood)
    const { pictures } = fakePorts(createClock())
    const loading = createPictureLoader(
      (load) => load,
      () => world.answer(() => pictures),
    )
    return worldOf(world, () => loading.open(createHandle({})))
  })
})

describe('the sanitiser:', () => {
  it.each([
    ['the fake', fakePorts(createClock()).sanitizer],
    [
      'of the pane',
      () =>
        defer(() =>
          from(
            createSanitizerLoader(
              { scheduler: asyncScheduler },
              (chunk) => chunk,
              () => Promise.resolve((html: string) => html),
            )(),
          ),
        ),
    ],
  ] as const)('%s gives one function and completes', async (_, load) => {
    const values: unknown[] = []
    await load().forEach((each) => values.push(each))
    expect(values).toEqual([expect.any(Function)])
  })
})

// The mail client, and the identity through it.

const itemKey = (ports: Pick<Ports, 'host'>) =>
  firstValueFrom(ports.host.item$.pipe(map((item) => item?.key ?? '')))

type MailCallName =
  | Exclude<keyof MailHost, 'about' | 'displayLanguage' | 'name' | 'roaming' | 'user' | `${string}$`>
  | 'accessToken'
type MailCall = Readonly<{
  /** The call of the mail client behind it. */
  behind: CallName
  whenRefused: 'fails' | 'value'
  /** How many calls of the mail client it takes; 1 when left out. */
  asks?: number
  make: (ports: Pick<Ports, 'host' | 'identity'>, key: string) => Observable<unknown>
}>
const read = (behind: CallName, make: (host: MailHost, key: string) => Observable<unknown>): MailCall => ({
  behind,
  whenRefused: 'value',
  make: ({ host }, key) => make(host, key),
})
const write = (...args: Parameters<typeof read>): MailCall => ({ ...read(...args), whenRefused: 'fails' })
/** Every call of the port, except that for the user, who is known from the start. */
const mailCalls: Readonly<Record<MailCallName, MailCall>> = {
  composeType: read('getComposeTypeAsync', (host, key) => host.composeType(key)),
  isSaved: read('getItemIdAsync', (host, key) => host.isSaved(key)),
  bodyType: read('body.getTypeAsync', (host, key) => host.bodyType(key)),
  from: read('from.getAsync', (host, key) => host.from(key)),
  recipients: read('to.getAsync', (host, key) => host.recipients(key)),
  body: read('body.getAsync', (host, key) => host.body(key, 'html')),
  attachments: read('getAttachmentsAsync', (host, key) => host.attachments(key)),
  clientSignature: read('isClientSignatureEnabledAsync', (host, key) => host.clientSignature(key)),
  customProperties: read('loadCustomPropertiesAsync', (host, key) => host.customProperties(key)),
  sessionData: read('sessionData.getAsync', (host, key) => host.sessionData(key, 'n')),
  allSessionData: read('sessionData.getAllAsync', (host, key) => host.allSessionData(key)),
  setBody: write('body.setAsync', (host, key) => host.setBody(key, '<p></p>', 'html')),
  disableClientSignature: write('disableClientSignatureAsync', (host, key) =>
    host.disableClientSignature(key),
  ),
  setSignature: write('body.setSignatureAsync', (host, key) => host.setSignature(key, '<p></p>', 'html')),
  addInlineImage: write('addFileAttachmentFromBase64Async', (host, key) =>
    host.addInlineImage(key, 'aW1hZ2U=', 'a.png'),
  ),
  // Only what is attached can be removed.
  removeAttachment: write('removeAttachmentAsync', (host, key) =>
    host.addInlineImage(key, 'aW1hZ2U=', 'a.png').pipe(switchMap((id) => host.removeAttachment(key, id))),
  ),
  saveCustomProperties: write('customProperties.saveAsync', (host, key) =>
    host.saveCustomProperties(key, {}),
  ),
  setSessionData: write('sessionData.setAsync', (host, key) => host.setSessionData(key, 'n', 'v')),
  saveRoaming: write('roamingSettings.saveAsync', (host) => host.saveRoaming('n', 'v')),
  showNotice: read('notificationMessages.replaceAsync', (host, key) => host.showNotice(key, 'text')),
  showLaunchNotice: read('notificationMessages.replaceAsync', (host, key) =>
    host.showLaunchNotice(key, { text: 'text', button: 'Open' }),
  ),
  dismissLaunchNotice: read('notificationMessages.removeAsync', (host, key) => host.dismissLaunchNotice(key)),
  dismissNotice: {
    ...read('notificationMessages.removeAsync', (host, key) => host.dismissNotice(key)),
    asks: 2,
  },
  accessToken: {
    behind: 'auth.getAccessToken',
    whenRefused: 'fails',
    make: ({ identity }) => identity.accessToken({ allowConsentPrompt: false }),
  },
}

describe('the mail client:', () => {
  for (const [name, { behind, whenRefused, make, asks = 1 }] of Object.entries(mailCalls)) {
    callContract(
      `${name} of the fake`,
      { whenRefused: null, holds: true },
      fakeWorld(({ host, identity }) => ({ ...host, ...identity }), name, []),
    )
    callContract(`${name} over the mailbox`, { whenRefused, holds: true }, async (mood) => {
      const clock = createClock(Date.UTC(2026, 10, 20))
      const { mailbox, ports } = mailboxPorts(clock)
      const key = await itemKey(ports)
      clock.advance(1000)
      if (mood === 'refuses') mailbox.fail(behind, { code: 5000, name: 'Host Error' })
      if (mood === 'holds') mailbox.delay(behind, 1500)
      return {
        make: () => make(ports, key).pipe(map((value) => value ?? 'nothing')),
        asked: () => mailbox.calls.filter((call) => call.name === behind).length / asks,
        release: () => clock.advance(5000),
        rest: async () => {
          clock.advance(mood === 'holds' ? 100 : 1000)
          await settled()
          clock.advance(100)
        },
      }
    })
  }

  const worlds = [
    ['the fake', () => fakePorts(createClock())],
    ['the mailbox', () => mailboxPorts(createClock()).ports],
  ] as const
  it.each(worlds)('user and signOut over %s give one value and complete', async (_, open) => {
    const { host, identity } = open()
    const calls: readonly Observable<unknown>[] = [host.user(), identity.signOut()]
    for (const call$ of calls) {
      const values: unknown[] = []
      await call$.forEach((each) => values.push(each))
      expect(values).toHaveLength(1)
    }
  })

  const streams = [
    ['item$', true],
    ['recipientsChanged$', false],
    ['theme$', true],
  ] as const
  for (const [name, startsWithNow] of streams) {
    const act = {
      item$: { type: 'newMessage' },
      recipientsChanged$: { type: 'setRecipients', to: [{ address: 'b@example.com', name: 'B' }] },
      theme$: null,
    } as const
    streamContract(`${name} of the fake`, { startsWithNow }, () => {
      const { host } = fakePorts(createClock())
      let count = 0
      const happen = {
        item$: () => host.item$.next({ key: `item ${String((count += 1))}`, mode: 'compose' }),
        recipientsChanged$: () => host.recipientsChanged$.next(),
        theme$: () => host.theme$.next((count += 1) % 2 === 1 ? 'dark' : 'light'),
      }
      return { stream$: host[name] as Observable<unknown>, happen: happen[name], rest: settled }
    })
    streamContract(`${name} over the mailbox`, { startsWithNow }, () => {
      const clock = createClock(Date.UTC(2026, 10, 20))
      const { mailbox, ports } = mailboxPorts(clock)
      clock.advance(1000)
      let count = 0
      const dark = (isDark: boolean) => ({
        bodyBackgroundColor: isDark ? '#000000' : '#ffffff',
        bodyForegroundColor: isDark ? '#ffffff' : '#000000',
        controlBackgroundColor: isDark ? '#000000' : '#ffffff',
        controlForegroundColor: isDark ? '#ffffff' : '#000000',
      })
      return {
        // Between two messages the add-in sees none.
        stream$: name === 'item$' ? ports.host.item$.pipe(filter((item) => item !== null)) : ports.host[name],
        happen: () => {
          count += 1
          const action = act[name] ?? { type: 'setTheme' as const, theme: dark(count % 2 === 1) }
          mailbox.act(
            action.type === 'setRecipients'
              ? { ...action, to: [{ address: `b${String(count)}@example.com`, name: 'B' }] }
              : action,
          )
        },
        rest: async () => {
          clock.advance(1000)
          await settled()
        },
      }
    })
  }
})

// The identity without a mail client, and over several methods of one.

describe('the identity:', () => {
  const grant = { accessToken: 'token', email: 'a@example.com' }
  const refusal = signInFailure('user_cancelled')
  const library = (world: ReturnType<typeof promising>): WindowClient & NestedClient => ({
    popup: () => world.answer(() => grant, refusal),
    silent: () => world.answer(() => grant, refusal),
    interactive: () => world.answer(() => grant, refusal),
    signOut: () => world.answer(() => undefined, refusal),
    forget: () => Promise.resolve(),
  })
  const ofBrowser = (world: ReturnType<typeof promising>) => {
    localStorage.setItem(STANDALONE_USER_KEY, JSON.stringify({ email: grant.email }))
    onTestFinished(() => localStorage.clear())
    const client = () => Promise.resolve(library(world))
    return createStandaloneIdentity({ client, area: localStorage, log: fakeLog() })
  }
  const traits = { whenRefused: 'fails', holds: true } as const
  callContract("accessToken of the plain browser's", traits, (mood) => {
    const world = promising(mood)
    const identity = ofBrowser(world)
    return worldOf(world, () => identity.accessToken({ allowConsentPrompt: true, silent: true }))
  })
  callContract('accessToken over the methods of a mail client', traits, (mood) => {
    const world = promising(mood)
    const open = () => Promise.resolve(library(world))
    const time = { scheduler: asyncScheduler }
    const identity = createFallbackChain(
      [createNestedMethod({ isOffered: () => true, open, time })],
      fakeLog(),
    )
    return worldOf(world, () => identity.accessToken({ allowConsentPrompt: true }))
  })
  callContract(
    'signOut of the fake',
    { whenRefused: null, holds: true },
    fakeWorld(({ identity }) => identity, 'signOut', []),
  )
  callContract("signOut of the plain browser's", { whenRefused: 'value', holds: true }, (mood) => {
    const world = promising(mood)
    const identity = ofBrowser(world)
    return worldOf(world, () => identity.signOut())
  })
})

// What the pane hears of its page.

describe('the network:', () => {
  streamContract('back$ of the fake', { startsWithNow: false }, () => {
    const { back$ } = fakePorts(createClock()).connection
    return { stream$: back$, happen: () => back$.next(), rest: settled }
  })
  streamContract("back$ of the browser's", { startsWithNow: false }, () => ({
    stream$: createConnection(window).back$,
    happen: () => window.dispatchEvent(new Event('online')),
    rest: settled,
  }))
})

describe('the address:', () => {
  const worlds = [
    ['the fake', () => fakePorts(createClock()).address],
    ["the browser's", () => createPaneAddress(window)],
  ] as const
  for (const [name, open] of worlds) {
    streamContract(`path$ of ${name}`, { startsWithNow: true }, () => {
      const address = open()
      let count = 0
      return {
        stream$: address.path$,
        happen: () => address.go(`/at/${String((count += 1))}`),
        rest: settled,
      }
    })
    it(`${name} goes where it is told, and tells it once`, async () => {
      const address = open()
      address.go('/home')
      await settled()
      const paths: string[] = []
      const subscription = address.path$.subscribe((path) => paths.push(path))
      address.go('/app/dashboard')
      await settled()
      address.go('/app/dashboard')
      await settled()
      subscription.unsubscribe()
      expect(paths).toEqual(['/home', '/app/dashboard'])
    })
  }
})

describe('the other panes:', () => {
  type Panes = Readonly<{ here: OtherPanes; there: OtherPanes; close: () => void }>
  /** Two panes of one browser. */
  const overChannels = (): Panes => {
    const page = Object.assign(new EventTarget(), { BroadcastChannel }) as unknown as Window &
      typeof globalThis
    const [here, there] = [createOtherPanes(page, fakeLog()), createOtherPanes(page, fakeLog())]
    return { here, there, close: () => undefined }
  }
  const ofFakes = (): Panes => {
    const [here, there] = [fakePorts(createClock()).otherPanes, fakePorts(createClock()).otherPanes]
    here.tellSignedOut.answers((userId) => {
      there.signedOut$.next(userId)
      return of(undefined)
    })
    return { here, there, close: () => undefined }
  }
  callContract(
    'tellSignedOut of the fake',
    { whenRefused: null, holds: false },
    fakeWorld(({ otherPanes }) => otherPanes, 'tellSignedOut', ['u-1']),
  )
  callContract("tellSignedOut of the browser's", { whenRefused: 'value', holds: false }, (mood) => {
    let asked = 0
    class Channel {
      postMessage() {
        asked += 1
        if (mood === 'refuses') throw new TypeError('refused')
      }
      close() {
        return undefined
      }
    }
    const page = { BroadcastChannel: Channel } as unknown as Window & typeof globalThis
    const panes = createOtherPanes(page, fakeLog())
    return {
      make: () => panes.tellSignedOut('u-1').pipe(map(() => 'nothing')),
      asked: () => asked,
      release: () => undefined,
      rest: settled,
    }
  })
  for (const [name, open] of [
    ['the fake', ofFakes],
    ["the browser's", overChannels],
  ] as const) {
    streamContract(`signedOut$ of ${name}`, { startsWithNow: false }, () => {
      const { here, there } = open()
      return {
        stream$: there.signedOut$,
        happen: () => void here.tellSignedOut('u-1').subscribe(),
        rest: settled,
      }
    })
    it(`${name} tells the other panes, and never the one that signed out`, async () => {
      const { here, there } = open()
      const heard: string[] = []
      const subscriptions = [
        here.signedOut$.subscribe((userId) => heard.push(`here ${userId}`)),
        there.signedOut$.subscribe((userId) => heard.push(`there ${userId}`)),
      ]
      here.tellSignedOut('u-1').subscribe()
      await settled()
      for (const each of subscriptions) each.unsubscribe()
      here.tellSignedOut('u-2').subscribe()
      await settled()
      expect(heard).toEqual(['there u-1'])
    })
  }
})

describe('the time:', () => {
  const worlds = [
    [
      'the clock of the tests',
      () => {
        const clock = createClock(START)
        return { time: clock, advance: (ms: number) => clock.advance(ms) }
      },
    ],
    [
      'the clock of the pane',
      () => {
        vi.useFakeTimers({ now: START })
        onTestFinished(() => void vi.useRealTimers())
        return {
          time: { scheduler: asyncScheduler },
          advance: (ms: number) => void vi.advanceTimersByTime(ms),
        }
      },
    ],
  ] as const
  it.each(worlds)(
    '%s tells the moment, and fires each timer once, when it is due, unless it was left',
    (_, open) => {
      const { time, advance } = open()
      const heard: string[] = []
      const hear = (name: string, ms: number) =>
        emitAfter(ms, time).subscribe({
          next: () => heard.push(`${name} at ${String(now(time) - START)}`),
          complete: () => heard.push(`${name} ended`),
        })
      hear('late', 1000)
      hear('early', 10)
      const left = hear('left', 500)
      expect(now(time)).toBe(START)
      advance(9)
      expect(heard).toEqual([])
      advance(400)
      left.unsubscribe()
      advance(591)
      expect(heard).toEqual(['early at 10', 'early ended', 'late at 1000', 'late ended'])
      expect(now(time)).toBe(START + 1000)
    },
  )
})
