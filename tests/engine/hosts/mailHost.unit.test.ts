import { Observable, VirtualTimeScheduler, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { Log, MailHost } from '../../../effects/ports.ts'
import { createPaneHost } from '../../../src/engine/hosts/paneHost.ts'
import type { CallName, MailClient } from '../../../src/engine/hosts/mailClient.ts'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../../src/playground/mailbox/mailbox.ts'
import { Failed, type Failure } from '../../../streams/kernel/failure.ts'

/** A host directly over a mailbox, in virtual time. */
function arrange(
  options: {
    accessToken?: (email: string) => Observable<string>
    scheduler?: VirtualTimeScheduler
    mailboxVersion?: string
    wrap?: (client: MailClient) => MailClient
  } = {},
) {
  const scheduler = options.scheduler ?? new VirtualTimeScheduler()
  const time = { scheduler }
  const initial = demoMailbox()
  const { mailboxVersion: Mailbox = initial.requirementSets['Mailbox'] ?? '' } = options
  const mailbox = createMailbox(
    { ...initial, requirementSets: { Mailbox } },
    {
      time,
      accessToken: options.accessToken ?? ((email) => of(email)),
    },
  )
  const logged: unknown[] = []
  const log: Log = {
    debug: (action, detail) => void logged.push([action, detail]),
    warn: (action, detail) => void logged.push([action, detail]),
    error: (action, detail) => void logged.push([action, detail]),
  }
  const client = options.wrap?.(mailbox.client) ?? mailbox.client
  const { host, identity } = createPaneHost(client, { name: 'simulated', time, log })
  const key = mailbox.client.currentItem()?.key ?? ''
  /** The values and the failure of a call, with their times. */
  const outcome = (call$: Observable<unknown>) => {
    const emitted: { at: number; value?: unknown; failure?: Failure }[] = []
    call$.subscribe({
      next: (value) => emitted.push({ at: scheduler.now(), value }),
      error: (error: unknown) => emitted.push({ at: scheduler.now(), failure: (error as Failed).failure }),
    })
    scheduler.flush()
    return emitted
  }
  return { scheduler, mailbox, host, identity, key, logged, outcome }
}

describe('a mail client below Mailbox 1.10', () => {
  test.each([
    ['1.9', null, 0],
    ['1.10', false, 1],
  ])('%s gives %j for its own signature, after %i calls', (mailboxVersion, value, calls) => {
    const { mailbox, host, key, logged, outcome } = arrange({ mailboxVersion })
    expect(outcome(host.clientSignature(key))).toEqual([{ at: 0, value }])
    expect(mailbox.calls).toHaveLength(calls)
    expect(logged).toEqual([])
  })
})

describe('a mail client that does not reply', () => {
  test('[HOST-4] gives an empty result after the time limit, and logs it once', () => {
    const { mailbox, host, key, logged, outcome } = arrange()
    mailbox.silence('from.getAsync')
    expect(outcome(host.from(key))).toEqual([{ at: 5_000, value: null }])
    expect(logged).toEqual([
      ['mail_client_failed', { call: 'from.getAsync', code: null, name: 'hostSilent' }],
    ])
  })

  test('[HOST-5] gives no compose type', () => {
    const { mailbox, host, key, outcome } = arrange()
    mailbox.silence('getComposeTypeAsync')
    expect(outcome(host.composeType(key))).toEqual([{ at: 5_000, value: null }])
  })

  test('gives up on its own signature after 2 seconds, because an insertion waits for it', () => {
    const { mailbox, host, key, outcome } = arrange()
    mailbox.silence('isClientSignatureEnabledAsync')
    expect(outcome(host.clientSignature(key))).toEqual([{ at: 2_000, value: null }])
  })

  test.each<[CallName, number, (host: MailHost, key: string) => Observable<unknown>]>([
    ['body.setSignatureAsync', 5_000, (host, key) => host.setSignature(key, 'S', 'html')],
    ['disableClientSignatureAsync', 2_000, (host, key) => host.disableClientSignature(key)],
    ['addFileAttachmentFromBase64Async', 15_000, (host, key) => host.addInlineImage(key, 'AAAA', 'a.png')],
    ['removeAttachmentAsync', 15_000, (host, key) => host.removeAttachment(key, 'a')],
    ['customProperties.saveAsync', 5_000, (host, key) => host.saveCustomProperties(key, {})],
    ['sessionData.setAsync', 5_000, (host, key) => host.setSessionData(key, 'a', 'b')],
  ])('[SAFE-7] fails %s with hostSilent after %i ms', (call, limit, write) => {
    const { mailbox, host, key, outcome } = arrange()
    mailbox.silence(call)
    expect(outcome(write(host, key))).toEqual([{ at: limit, failure: { kind: 'hostSilent', call } }])
  })

  test('[SAFE-7] never runs more than three calls at once, the identity included', () => {
    let running = 0
    let mostAtOnce = 0
    const { host, identity, key, scheduler } = arrange({
      wrap: (client) => ({
        ...client,
        call: (name, args, done) => {
          running += 1
          mostAtOnce = Math.max(mostAtOnce, running)
          client.call(name, args, (reply) => {
            running -= 1
            done(reply)
          })
        },
      }),
    })
    let completed = 0
    for (const call$ of [
      identity.accessToken({ allowConsentPrompt: true }),
      host.composeType(key),
      host.bodyType(key),
      host.from(key),
      host.recipients(key),
      host.body(key, 'html'),
      host.attachments(key),
      host.customProperties(key),
    ] as Observable<unknown>[]) {
      call$.subscribe({ complete: () => (completed += 1) })
    }
    scheduler.flush()
    expect(mostAtOnce).toBe(3)
    expect(completed).toBe(8)
  })
})

describe('a mail client that throws', () => {
  const throwing = (client: MailClient): MailClient => ({
    ...client,
    call: () => {
      throw Object.assign(new Error('Sys.ArgumentOutOfRangeException'), {
        name: 'Sys.ArgumentOutOfRangeException',
      })
    },
  })

  test('[HOST-4] gives an empty result, and breaks no stream', () => {
    const { host, key, outcome, logged } = arrange({ wrap: throwing })
    expect(outcome(host.recipients(key))).toEqual([{ at: 0, value: { to: null, cc: null } }])
    expect(logged).toHaveLength(2)
  })
})

describe('the identity through the mail client', () => {
  test.each<[string, unknown, string]>([
    ["Office's own code", Object.assign(new Error('e'), { code: 13002 }), 'host_13002'],
    ['a signed-out user', new Failed({ kind: 'http', status: 401, code: null, data: null }), 'host_13001'],
    ['a missing grant', new Failed({ kind: 'http', status: 403, code: null, data: null }), 'host_13005'],
    ['too many requests', new Failed({ kind: 'http', status: 429, code: null, data: null }), 'host_13013'],
    ['a failing provider', new Failed({ kind: 'http', status: 500, code: null, data: null }), 'host_13007'],
    ['an unreachable provider', new Failed({ kind: 'network' }), 'host_13006'],
    ['anything else', new Error('e'), 'host_13007'],
  ])('fails with the code of %s', (_, error, code) => {
    const { identity, outcome } = arrange({
      accessToken: () => new Observable((subscriber) => subscriber.error(error)),
    })
    expect(outcome(identity.accessToken({ allowConsentPrompt: false }))).toEqual([
      { at: 0, failure: { kind: 'auth', code } },
    ])
  })

  test.each([true, false])(
    'asks for consent as it was told (%s), and for no sign-in',
    (allowConsentPrompt) => {
      const asked: unknown[] = []
      const { identity, outcome } = arrange({
        wrap: (client) => ({
          ...client,
          call: (name, args, done) => {
            asked.push([name, args])
            client.call(name, args, done)
          },
        }),
      })
      outcome(identity.accessToken({ allowConsentPrompt }))
      expect(asked).toEqual([['auth.getAccessToken', { allowConsentPrompt, allowSignInPrompt: false }]])
      expect(identity.method()).toBe('mailClient')
    },
  )

  test('names the account of the token, and none where the token does not tell it', () => {
    const claims = Buffer.from('{"preferred_username":"maria@a.example"}').toString('base64url')
    const tokens = [`h.${claims}.s`, 'opaque']
    const { identity, outcome } = arrange({ accessToken: () => of(tokens.shift() ?? '') })
    expect(identity.account()).toBeNull()
    outcome(identity.accessToken({ allowConsentPrompt: true }))
    expect(identity.account()).toBe('maria@a.example')
    outcome(identity.accessToken({ allowConsentPrompt: true }))
    expect(identity.account()).toBeNull()
  })

  test('gives no second token in a sign-in whose first one the service refused', () => {
    const { mailbox, identity, outcome } = arrange()
    const token$ = identity.accessToken({ allowConsentPrompt: true, refused: ['mailClient'] })
    expect(outcome(token$)).toEqual([{ at: 0, failure: { kind: 'auth', code: 'host_13000' } }])
    expect(mailbox.calls).toEqual([])
  })

  test('fails with the code that the playground sets', () => {
    const { mailbox, identity, outcome } = arrange()
    mailbox.fail('auth.getAccessToken', { code: 13001, name: 'No user is signed into Office.' }, 1)
    const request = () => outcome(identity.accessToken({ allowConsentPrompt: true }))
    expect(request()).toEqual([{ at: 0, failure: { kind: 'auth', code: 'host_13001' } }])
    expect(request()).toMatchObject([{ value: { secret: '<secret>' } }])
  })

  test.each([
    [false, 5_000],
    [true, 15_000],
  ])('times out (with consent of the user: %s)', (allowConsentPrompt, limit) => {
    const { mailbox, identity, outcome } = arrange()
    mailbox.silence('auth.getAccessToken')
    expect(outcome(identity.accessToken({ allowConsentPrompt }))).toEqual([
      { at: limit, failure: { kind: 'hostSilent', call: 'auth.getAccessToken' } },
    ])
  })
})

test('a user without an address is null', () => {
  const { mailbox, outcome, host } = arrange()
  mailbox.spoil('start', 'user.emailAddress', 'empty')
  expect(outcome(host.user())).toEqual([{ at: 0, value: null }])
})

describe('an item that is replaced before the reply', () => {
  /** Replies 100 ms late, when another item is open. */
  const slow =
    (scheduler: VirtualTimeScheduler) =>
    (client: MailClient): MailClient => ({
      ...client,
      call: (name, args, done) =>
        client.call(name, args, (reply) => scheduler.schedule(() => done(reply), 100)),
    })

  test.each<[string, (host: MailHost, key: string) => Observable<unknown>]>([
    ['its body', (host, key) => host.body(key, 'html')],
    ['its session data', (host, key) => host.sessionData(key, 'a')],
  ])('gives null for %s', (_, read) => {
    const scheduler = new VirtualTimeScheduler()
    const { host, mailbox, key, outcome, logged } = arrange({ scheduler, wrap: slow(scheduler) })
    mailbox.call('sessionData.setAsync', { name: 'a', value: 'b' }, () => undefined)
    scheduler.flush()
    scheduler.schedule(() => mailbox.act({ type: 'newMessage' }), 50)
    expect(outcome(read(host, key))).toEqual([{ at: 100, value: null }])
    expect(logged).toMatchObject([['mail_item_gone', {}]])
  })
})

test('a repeated ItemChanged for the same item emits nothing', () => {
  const { mailbox, host } = arrange({
    wrap: (client) => ({ ...client, on: (_, listener) => client.on('RecipientsChanged', listener) }),
  })
  const emitted: unknown[] = []
  host.item$.subscribe((item) => emitted.push(item))
  mailbox.act({ type: 'setRecipients', to: [] })
  expect(emitted).toHaveLength(1)
})
