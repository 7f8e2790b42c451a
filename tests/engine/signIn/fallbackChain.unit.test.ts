import { map, type Observable, of, throwError } from 'rxjs'
import { describe, expect, test, vi } from 'vitest'
import type { DialogOffice } from '../../../src/engine/signIn/dialog.ts'
import { DIALOG_LIMIT_MS, signInByDialog } from '../../../src/engine/signIn/dialog.ts'
import {
  createFallbackChain,
  type SignInGrant,
  type SignInMethod,
} from '../../../src/engine/signIn/fallbackChain.ts'
import {
  createNestedMethod,
  NESTED_LIMIT_MS,
  NESTED_WINDOW_LIMIT_MS,
} from '../../../src/engine/signIn/nested.ts'
import { createDialogMethod } from '../../../src/engine/signIn/officeIdentity.ts'
import { Failed, type Failure, toFailure } from '../../../streams/kernel/failure.ts'
import { createSecret, revealSecret, type Secret } from '../../../streams/kernel/secret.ts'
import { createClock } from '../../support/clock.ts'
import { fakeLog } from '../../support/log.ts'
import { failing } from '../../support/ports.ts'

const tokenOf = (value: string) => of(createSecret(value))
const auth = (code: string): Failure => ({ kind: 'auth', code })
const options = { allowConsentPrompt: true }

/** The token or the failure of a request for a token; empty while it is pending. */
function outcome(token$: Observable<Secret>) {
  const ended: (string | Failure | null)[] = []
  token$.subscribe({
    next: (secret) => ended.push(revealSecret(secret)),
    error: (error: unknown) => ended.push(toFailure(error)),
  })
  return ended
}

/** The tokens of a method's grants; `accounts` gets the account of each. */
const tokens = (grant$: Observable<SignInGrant>, accounts: (string | null)[] = []): Observable<Secret> =>
  grant$.pipe(
    map(({ token, account }) => {
      accounts.push(account)
      return token
    }),
  )

function fakeMethod(name: string, token$: Observable<Secret>, overrides: Partial<SignInMethod> = {}) {
  const attempts: unknown[] = []
  const method: SignInMethod = {
    name,
    isOffered: () => true,
    opensWindow: false,
    signIn: (requested) => {
      attempts.push(requested)
      return token$.pipe(map((token) => ({ token, account: `${name}@northwind.example` })))
    },
    ...overrides,
  }
  return { method, attempts }
}

describe('the fallback chain', () => {
  test('uses the first method that is offered, and no other', () => {
    const absent = fakeMethod('nested', tokenOf('nested'), { isOffered: () => false })
    const mail = fakeMethod('mailClient', tokenOf('mail'))
    const dialog = fakeMethod('dialog', tokenOf('dialog'), { opensWindow: true })
    const chain = createFallbackChain([absent.method, mail.method, dialog.method], fakeLog())
    expect(outcome(chain.accessToken(options))).toEqual(['mail'])
    expect([absent.attempts, mail.attempts, dialog.attempts].map(({ length }) => length)).toEqual([0, 1, 0])
  })

  test('falls back to the next method after a failure, logs it, and attempts each once', () => {
    const log = fakeLog()
    const nested = fakeMethod('nested', failing({ kind: 'hostSilent', call: 'nestedAppAuth' }))
    const mail = fakeMethod('mailClient', failing(auth('host_13003')))
    const dialog = fakeMethod('dialog', tokenOf('dialog'), { opensWindow: true })
    const chain = createFallbackChain([nested.method, mail.method, dialog.method], log)
    expect(outcome(chain.accessToken(options))).toEqual(['dialog'])
    expect([nested.attempts, mail.attempts, dialog.attempts].map(({ length }) => length)).toEqual([1, 1, 1])
    expect(log.lines.map(({ detail }) => detail)).toEqual([
      { method: 'nested', failure: 'hostSilent' },
      { method: 'mailClient', failure: 'host_13003' },
    ])
  })

  test('opens no window without a request of the user', () => {
    const mail = fakeMethod('mailClient', failing(auth('host_13001')))
    const dialog = fakeMethod('dialog', tokenOf('dialog'), { opensWindow: true })
    const chain = createFallbackChain([mail.method, dialog.method], fakeLog())
    expect(outcome(chain.accessToken({ ...options, silent: true }))).toEqual([auth('host_13001')])
    expect(dialog.attempts).toEqual([])
  })

  test.each([13001, 13003, 13004, 13005, 13010, 13012])('falls back to the dialog after %i', (code) => {
    const mail = fakeMethod('mailClient', failing(auth(`host_${code}`)))
    const dialog = fakeMethod('dialog', tokenOf('dialog'), { opensWindow: true })
    expect(
      outcome(createFallbackChain([mail.method, dialog.method], fakeLog()).accessToken(options)),
    ).toEqual(['dialog'])
  })

  test.each(['host_13002', 'host_13006', 'host_13007', 'host_13008', 'host_13013', 'user_cancelled'])(
    'attempts no other method after %s',
    (code) => {
      const mail = fakeMethod('mailClient', failing(auth(code)))
      const dialog = fakeMethod('dialog', tokenOf('dialog'), { opensWindow: true })
      const chain = createFallbackChain([mail.method, dialog.method], fakeLog())
      expect(outcome(chain.accessToken(options))).toEqual([auth(code)])
      expect(dialog.attempts).toEqual([])
    },
  )

  test('passes over the methods whose accounts the service refused, down to the dialog', () => {
    const nested = fakeMethod('nested', tokenOf('nested'))
    const mail = fakeMethod('mailClient', tokenOf('mail'))
    const dialog = fakeMethod('dialog', tokenOf('dialog'), { opensWindow: true })
    const chain = createFallbackChain([nested.method, mail.method, dialog.method], fakeLog())
    expect(outcome(chain.accessToken({ ...options, refused: ['nested'] }))).toEqual(['mail'])
    expect(chain.account()).toBe('mailClient@northwind.example')
    expect(outcome(chain.accessToken({ ...options, refused: ['nested', 'mailClient'] }))).toEqual(['dialog'])
    expect(chain.account()).toBe('dialog@northwind.example')
    expect(outcome(chain.accessToken({ ...options, refused: ['nested', 'mailClient', 'dialog'] }))).toEqual([
      auth('host_13000'),
    ])
    expect(nested.attempts).toEqual([])
  })

  test('a method whose token the service refused takes none from a cache the next time, and once', () => {
    const nested = fakeMethod('nested', tokenOf('nested'))
    const mail = fakeMethod('mailClient', tokenOf('mail'))
    const chain = createFallbackChain([nested.method, mail.method], fakeLog())
    const asked = { ...options, loginHint: 'alex.kim@northwind.example' }
    outcome(chain.accessToken(asked))
    outcome(chain.accessToken({ ...asked, refused: ['nested'] }))
    outcome(chain.accessToken(asked))
    outcome(chain.accessToken(asked))
    expect(nested.attempts).toEqual([asked, { ...asked, fresh: true }, asked])
    expect(mail.attempts).toEqual([asked])
  })

  test('[KNOW-4] names the method that gave the last token, and none before', () => {
    const nested = fakeMethod('nested', failing(auth('user_login_error')))
    const mail = fakeMethod('mailClient', tokenOf('mail'))
    const chain = createFallbackChain([nested.method, mail.method], fakeLog())
    expect([chain.method(), chain.account()]).toEqual([null, null])
    outcome(chain.accessToken(options))
    expect(chain.method()).toBe('mailClient')
  })

  test('passes over a method that turns out not to be offered, without a word in the log', () => {
    const log = fakeLog()
    const nested = fakeMethod('nested', failing(auth('host_13000')))
    const mail = fakeMethod('mailClient', tokenOf('mail'))
    expect(outcome(createFallbackChain([nested.method, mail.method], log).accessToken(options))).toEqual([
      'mail',
    ])
    expect(log.lines).toEqual([])
  })

  test('fails with host_13000 where the mail client offers no method', () => {
    expect(outcome(createFallbackChain([], fakeLog()).accessToken(options))).toEqual([auth('host_13000')])
  })

  test('falls back after a method that throws', () => {
    const thrown = fakeMethod(
      'nested',
      throwError(() => new TypeError('defect')),
    )
    const mail = fakeMethod('mailClient', tokenOf('mail'))
    expect(
      outcome(createFallbackChain([thrown.method, mail.method], fakeLog()).accessToken(options)),
    ).toEqual(['mail'])
  })
})

/** Lets pending promises settle. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const never = () => new Promise<never>(() => undefined)
const timedOut = { kind: 'hostSilent', call: 'nestedAppAuth' }

describe('nested app authentication', () => {
  const grant = { accessToken: 'nested', email: 'a@northwind.example' }

  test.each([
    ['the connection to the mail client', NESTED_LIMIT_MS, () => never()],
    ['the silent token', NESTED_LIMIT_MS, () => Promise.resolve({ silent: never, interactive: never })],
    [
      "the mail client's window",
      NESTED_WINDOW_LIMIT_MS,
      () => Promise.resolve({ silent: () => Promise.resolve(null), interactive: never }),
    ],
  ])('limits the time of %s', async (_, limitMs, open) => {
    const clock = createClock()
    const nested = createNestedMethod({ isOffered: () => true, open, time: clock })
    const ended = outcome(tokens(nested.signIn(options)))
    await settled()
    clock.advance(limitMs - 1)
    expect(ended).toEqual([])
    clock.advance(1)
    expect(ended).toEqual([timedOut])
  })

  test('asks for the account of the mailbox, silently and in a window, and names the account that it got', async () => {
    const asked: unknown[] = []
    const nested = createNestedMethod({
      isOffered: () => true,
      open: () =>
        Promise.resolve({
          silent: (...given) => (asked.push(['silent', ...given]), Promise.resolve(null)),
          interactive: (...given) => (asked.push(['interactive', ...given]), Promise.resolve(grant)),
        }),
      time: createClock(),
    })
    const accounts: (string | null)[] = []
    const ended = outcome(
      tokens(nested.signIn({ ...options, loginHint: 'alex.kim@northwind.example', fresh: true }), accounts),
    )
    expect(accounts).toEqual([])
    await settled()
    expect(ended).toEqual(['nested'])
    expect(asked).toEqual([
      ['silent', 'alex.kim@northwind.example', true],
      ['interactive', 'alex.kim@northwind.example'],
    ])
    expect(accounts).toEqual([grant.email])
  })

  test('connects again after a mail client that did not answer', async () => {
    const clock = createClock()
    let connections = 0
    const open = () => {
      connections += 1
      return connections === 1
        ? never()
        : Promise.resolve({ silent: () => Promise.resolve(grant), interactive: never })
    }
    const nested = createNestedMethod({ isOffered: () => true, open, time: clock })
    const first = outcome(tokens(nested.signIn(options)))
    clock.advance(NESTED_LIMIT_MS)
    expect(first).toEqual([timedOut])
    const second = outcome(tokens(nested.signIn(options)))
    await settled()
    expect(second).toEqual(['nested'])
  })
})

const PAGE = 'https://signet.example'
const ADDRESS = `${PAGE}/index.html?dialog`

/** Office's dialogs, controlled by the test. */
function fakeDialogs() {
  const handlers = new Map<string, (event: object) => void>()
  let closed = 0
  let opened: ((result: object) => void) | null = null
  let shown = ''
  const dialog = {
    close: () => (closed += 1),
    addEventHandler: (type: string, handler: (event: object) => void) => void handlers.set(type, handler),
  }
  const library = {
    context: {
      ui: {
        displayDialogAsync: (address: string, _options: object, done: (result: object) => void) => {
          shown = address
          opened = done
        },
      },
    },
    AsyncResultStatus: { Succeeded: 'succeeded' },
    EventType: { DialogMessageReceived: 'message', DialogEventReceived: 'event' },
  } as unknown as DialogOffice
  return {
    library,
    /** The address that the dialog shows. */
    shown: () => new URL(shown),
    open: () => opened?.({ status: 'succeeded', value: dialog }),
    refuse: (code: number) => opened?.({ status: 'failed', error: { code } }),
    send: (message: unknown, origin?: string) =>
      handlers.get('message')?.({ message: JSON.stringify(message), ...(origin ? { origin } : {}) }),
    end: (error: number) => handlers.get('event')?.({ error }),
    closed: () => closed,
  }
}

describe('the dialog', () => {
  const arrange = () => {
    const clock = createClock()
    const client = fakeDialogs()
    const token$ = signInByDialog({ office: client.library, address: ADDRESS, time: clock })
    const accounts: (string | null)[] = []
    const secret$ = token$.pipe(
      map(({ accessToken, account }) => {
        accounts.push(account)
        return createSecret(accessToken)
      }),
    )
    return { clock, client, ended: outcome(secret$), accounts }
  }

  test('gives the token that our page sends, and closes', () => {
    const { client, ended, accounts } = arrange()
    client.open()
    client.send({ accessToken: 'from the dialog', account: 'maria.silva@northwind.example' }, PAGE)
    expect(ended).toEqual(['from the dialog'])
    expect(accounts).toEqual(['maria.silva@northwind.example'])
    expect(client.closed()).toBe(1)
  })

  test('knows no account when our page names none', () => {
    for (const account of [undefined, null, 7]) {
      const { client, accounts } = arrange()
      client.open()
      client.send({ accessToken: 'from the dialog', account }, PAGE)
      expect(accounts).toEqual([null])
    }
  })

  test('is a method that opens a window, once its code is loaded', async () => {
    const client = fakeDialogs()
    const method = createDialogMethod({
      office: client.library,
      address: ADDRESS,
      time: createClock(),
      isOffered: () => true,
    })
    expect([method.opensWindow, method.isOffered()]).toEqual([true, true])
    const accounts: (string | null)[] = []
    const ended = outcome(tokens(method.signIn(options), accounts))
    await vi.waitFor(() => client.shown())
    client.open()
    client.send({ accessToken: 'from the dialog', account: 'maria.silva@northwind.example' }, PAGE)
    expect(ended).toEqual(['from the dialog'])
    expect(accounts).toEqual(['maria.silva@northwind.example'])
  })

  test('ignores messages of another origin, and messages that it does not understand', () => {
    const { client, ended } = arrange()
    client.open()
    client.send({ accessToken: 'forged' }, 'https://elsewhere.example')
    client.send('hello', PAGE)
    client.send({ accessToken: 7 }, PAGE)
    expect(ended).toEqual([])
  })

  test('believes a message without an origin only with the proof in the address of the page', () => {
    const { client, ended } = arrange()
    client.open()
    const proof = client.shown().searchParams.get('dialog') ?? ''
    expect(proof).not.toBe('')
    for (const forged of [{}, { proof: '' }, { proof: 'guessed' }, { proof: 7 }, { proof: [proof] }]) {
      client.send({ accessToken: 'forged', ...forged })
      client.send({ code: 'login_required', ...forged })
    }
    client.send({ accessToken: 'forged', proof }, 'https://elsewhere.example')
    expect(ended).toEqual([])
    client.send({ accessToken: 'from the dialog', proof })
    expect(ended).toEqual(['from the dialog'])
    expect(arrange().client.shown().searchParams.get('dialog')).not.toBe(proof)
  })

  test.each<[string, (client: ReturnType<typeof fakeDialogs>) => void, Failure]>([
    ['the user closes the dialog', (client) => client.end(12006), auth('user_cancelled')],
    [
      'the page cannot be loaded',
      (client) => client.end(12002),
      { ...auth('AUTH_GENERIC_ERROR'), cause: 'dialog 12002' } as Failure,
    ],
    [
      'the page reports a failure',
      (client) => client.send({ code: 'login_required' }, PAGE),
      auth('login_required'),
    ],
    [
      'the page reports an unknown failure',
      (client) => client.send({ code: 'new', cause: 'x' }, PAGE),
      { ...auth('AUTH_GENERIC_ERROR'), cause: 'x' } as Failure,
    ],
  ])('fails when %s', (_, happens, failure) => {
    const { client, ended } = arrange()
    client.open()
    happens(client)
    expect(ended).toEqual([failure])
  })

  test.each([
    [12007, 'login_progress_error'],
    [12009, 'user_cancelled'],
    [12011, 'popup_window_error'],
    [12004, 'AUTH_GENERIC_ERROR'],
  ])('maps the code %i of a dialog that does not open to %s', (code, mapped) => {
    const { client, ended } = arrange()
    client.refuse(code)
    expect(ended).toEqual([{ kind: 'auth', code: mapped, cause: `dialog ${code}` }])
  })

  test('closes after its time limit, also when it opens only then', () => {
    const { clock, client, ended } = arrange()
    clock.advance(DIALOG_LIMIT_MS)
    expect(ended).toEqual([{ kind: 'auth', code: 'token_renewal_error', cause: 'dialog' }])
    client.open()
    expect(client.closed()).toBe(1)
  })
})

test('a Failed keeps its cause', () => {
  const cause = new TypeError('x')
  expect(new Failed(auth('x'), { cause }).cause).toBe(cause)
})
