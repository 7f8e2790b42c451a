import { type Observable, of, throwError } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { DialogOffice } from '../../../src/engine/signIn/dialog.ts'
import { createDialogStep, DIALOG_LIMIT_MS } from '../../../src/engine/signIn/dialog.ts'
import { createLadder, type Step } from '../../../src/engine/signIn/fallbackChain.ts'
import {
  createNestedStep,
  NESTED_LIMIT_MS,
  NESTED_WINDOW_LIMIT_MS,
} from '../../../src/engine/signIn/nested.ts'
import { Failed, type Failure, toFailure } from '../../../streams/kernel/failure.ts'
import { createSecret, reveal, type Secret } from '../../../streams/kernel/secret.ts'
import { createClock } from '../../support/clock.ts'
import { fakeLog, failing } from '../../support/ports.ts'

const tokenOf = (value: string) => of(createSecret(value))
const auth = (code: string): Failure => ({ kind: 'auth', code })
const options = { allowConsentPrompt: true }

/** What became of asking for a token: the token, the failure, or nothing yet. */
function outcome(asked$: Observable<Secret>) {
  const ended: (string | Failure | null)[] = []
  asked$.subscribe({
    next: (secret) => ended.push(reveal(secret)),
    error: (error: unknown) => ended.push(toFailure(error)),
  })
  return ended
}

function step(name: string, answer$: Observable<Secret>, over: Partial<Step> = {}) {
  const tried: unknown[] = []
  const made: Step = {
    name,
    isOffered: () => true,
    opensWindow: false,
    accessToken: (wanted) => {
      tried.push(wanted)
      return answer$
    },
    ...over,
  }
  return { made, tried }
}

describe('the ladder', () => {
  test('takes the first step that is offered, and no other', () => {
    const absent = step('nested', tokenOf('nested'), { isOffered: () => false })
    const mail = step('mailClient', tokenOf('mail'))
    const dialog = step('dialog', tokenOf('dialog'), { opensWindow: true })
    const ladder = createLadder([absent.made, mail.made, dialog.made], fakeLog())
    expect(outcome(ladder.accessToken(options))).toEqual(['mail'])
    expect([absent.tried, mail.tried, dialog.tried].map(({ length }) => length)).toEqual([0, 1, 0])
  })

  test('goes on to the next when one fails, says so, and tries each once', () => {
    const log = fakeLog()
    const nested = step('nested', failing({ kind: 'hostSilent', call: 'nestedAppAuth' }))
    const mail = step('mailClient', failing(auth('host_13003')))
    const dialog = step('dialog', tokenOf('dialog'), { opensWindow: true })
    const ladder = createLadder([nested.made, mail.made, dialog.made], log)
    expect(outcome(ladder.accessToken(options))).toEqual(['dialog'])
    expect([nested.tried, mail.tried, dialog.tried].map(({ length }) => length)).toEqual([1, 1, 1])
    expect(log.lines.map(({ detail }) => detail)).toEqual([
      { step: 'nested', failure: 'hostSilent' },
      { step: 'mailClient', failure: 'host_13003' },
    ])
  })

  test('opens no window that the person did not ask for', () => {
    const mail = step('mailClient', failing(auth('host_13001')))
    const dialog = step('dialog', tokenOf('dialog'), { opensWindow: true })
    const ladder = createLadder([mail.made, dialog.made], fakeLog())
    expect(outcome(ladder.accessToken({ ...options, silent: true }))).toEqual([auth('host_13001')])
    expect(dialog.tried).toEqual([])
  })

  test.each([13001, 13003, 13004, 13005, 13010, 13012])('%i leads to the dialog', (code) => {
    const mail = step('mailClient', failing(auth(`host_${code}`)))
    const dialog = step('dialog', tokenOf('dialog'), { opensWindow: true })
    expect(outcome(createLadder([mail.made, dialog.made], fakeLog()).accessToken(options))).toEqual([
      'dialog',
    ])
  })

  test.each(['host_13002', 'host_13006', 'host_13007', 'host_13008', 'host_13013', 'user_cancelled'])(
    '%s is the end: nothing else is tried, however many ways are left',
    (code) => {
      const mail = step('mailClient', failing(auth(code)))
      const dialog = step('dialog', tokenOf('dialog'), { opensWindow: true })
      const ladder = createLadder([mail.made, dialog.made], fakeLog())
      expect(outcome(ladder.accessToken(options))).toEqual([auth(code)])
      expect(dialog.tried).toEqual([])
    },
  )

  test('[KNOW-4] names the way that gave the last token, and none before', () => {
    const nested = step('nested', failing(auth('user_login_error')))
    const mail = step('mailClient', tokenOf('mail'))
    const ladder = createLadder([nested.made, mail.made], fakeLog())
    expect(ladder.method()).toBeNull()
    outcome(ladder.accessToken(options))
    expect(ladder.method()).toBe('mailClient')
  })

  test('where the mail client offers nothing, it says that it cannot', () => {
    expect(outcome(createLadder([], fakeLog()).accessToken(options))).toEqual([auth('host_13000')])
  })

  test('a step that throws is a step that fails', () => {
    const thrown = step(
      'nested',
      throwError(() => new TypeError('defect')),
    )
    const mail = step('mailClient', tokenOf('mail'))
    expect(outcome(createLadder([thrown.made, mail.made], fakeLog()).accessToken(options))).toEqual(['mail'])
  })
})

/** Lets what promises have to do be done. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const never = () => new Promise<never>(() => undefined)
const silentCall = { kind: 'hostSilent', call: 'nestedAppAuth' }

describe('nested app authentication', () => {
  const granted = { accessToken: 'nested', email: 'a@northwind.example' }

  test.each([
    ['meeting the mail client', NESTED_LIMIT_MS, () => never()],
    ['the silent token', NESTED_LIMIT_MS, () => Promise.resolve({ silent: never, interactive: never })],
    [
      "the mail client's window",
      NESTED_WINDOW_LIMIT_MS,
      () => Promise.resolve({ silent: () => Promise.resolve(null), interactive: never }),
    ],
  ])('%s has a time limit of its own', async (_, limitMs, open) => {
    const clock = createClock()
    const nested = createNestedStep({ isOffered: () => true, open, time: clock })
    const ended = outcome(nested.accessToken(options))
    await settled()
    clock.advance(limitMs - 1)
    expect(ended).toEqual([])
    clock.advance(1)
    expect(ended).toEqual([silentCall])
  })

  test('a mail client that did not answer is met anew the next time', async () => {
    const clock = createClock()
    let met = 0
    const open = () => {
      met += 1
      return met === 1
        ? never()
        : Promise.resolve({ silent: () => Promise.resolve(granted), interactive: never })
    }
    const nested = createNestedStep({ isOffered: () => true, open, time: clock })
    const first = outcome(nested.accessToken(options))
    clock.advance(NESTED_LIMIT_MS)
    expect(first).toEqual([silentCall])
    const second = outcome(nested.accessToken(options))
    await settled()
    expect(second).toEqual(['nested'])
  })
})

const ADDRESS = 'https://signet.example/index.html?dialog'

/** Office's dialogs, driven by a test. */
function office() {
  const handlers = new Map<string, (event: object) => void>()
  let closed = 0
  let opened: ((result: object) => void) | null = null
  const dialog = {
    close: () => (closed += 1),
    addEventHandler: (type: string, handler: (event: object) => void) => void handlers.set(type, handler),
  }
  const library = {
    context: {
      ui: {
        displayDialogAsync: (_address: string, _options: object, done: (result: object) => void) => {
          opened = done
        },
      },
    },
    AsyncResultStatus: { Succeeded: 'succeeded' },
    EventType: { DialogMessageReceived: 'message', DialogEventReceived: 'event' },
  } as unknown as DialogOffice
  return {
    library,
    open: () => opened?.({ status: 'succeeded', value: dialog }),
    refuse: (code: number) => opened?.({ status: 'failed', error: { code } }),
    tell: (message: unknown, origin?: string) =>
      handlers.get('message')?.({ message: JSON.stringify(message), ...(origin ? { origin } : {}) }),
    end: (error: number) => handlers.get('event')?.({ error }),
    closed: () => closed,
  }
}

describe('the dialog', () => {
  const arrange = () => {
    const clock = createClock()
    const client = office()
    const dialog = createDialogStep({
      office: client.library,
      address: ADDRESS,
      isOffered: () => true,
      time: clock,
    })
    return { clock, client, dialog, ended: outcome(dialog.accessToken(options)) }
  }

  test('gives the token that our page tells, and closes', () => {
    const { client, ended } = arrange()
    client.open()
    client.tell({ accessToken: 'from the dialog' }, 'https://signet.example')
    expect(ended).toEqual(['from the dialog'])
    expect(client.closed()).toBe(1)
  })

  test('believes no page of another origin, and nothing that it does not understand', () => {
    const { client, ended } = arrange()
    client.open()
    client.tell({ accessToken: 'forged' }, 'https://elsewhere.example')
    client.tell('hello')
    client.tell({ accessToken: 7 })
    expect(ended).toEqual([])
  })

  test.each<[string, (client: ReturnType<typeof office>) => void, Failure]>([
    ['closed by the person', (client) => client.end(12006), auth('user_cancelled')],
    [
      'a page that cannot be loaded',
      (client) => client.end(12002),
      { ...auth('AUTH_GENERIC_ERROR'), cause: 'dialog 12002' } as Failure,
    ],
    ['a failure of the page', (client) => client.tell({ code: 'login_required' }), auth('login_required')],
    [
      'a failure that nobody knows',
      (client) => client.tell({ code: 'new', cause: 'x' }),
      { ...auth('AUTH_GENERIC_ERROR'), cause: 'x' } as Failure,
    ],
  ])('%s', (_, happens, failure) => {
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
  ])('a dialog that does not open because of %i is %s', (code, told) => {
    const { client, ended } = arrange()
    client.refuse(code)
    expect(ended).toEqual([{ kind: 'auth', code: told, cause: `dialog ${code}` }])
  })

  test('is closed when its time is up, also when it opens only then', () => {
    const { clock, client, ended } = arrange()
    clock.advance(DIALOG_LIMIT_MS)
    expect(ended).toEqual([{ kind: 'auth', code: 'token_renewal_error', cause: 'dialog' }])
    client.open()
    expect(client.closed()).toBe(1)
  })
})

test('a failure keeps the error that it was made from', () => {
  const cause = new TypeError('x')
  expect(new Failed(auth('x'), { cause }).cause).toBe(cause)
})
