import { Observable, VirtualTimeScheduler, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { Log, MailHost } from '../../../effects/ports.ts'
import { createHosted } from '../../../src/engine/hosts/mailHost.ts'
import type { CallName, MailClient } from '../../../src/engine/hosts/mailClient.ts'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../../src/playground/mailbox/mailbox.ts'
import { Failed, type Failure } from '../../../streams/kernel/failure.ts'

/** A host straight over a mailbox, in virtual time. */
function hosted(
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
    warn: (action, detail) => void logged.push([action, detail]),
    error: (action, detail) => void logged.push([action, detail]),
  }
  const client = options.wrap?.(mailbox.client) ?? mailbox.client
  const { host, identity } = createHosted(client, { name: 'simulated', time, log })
  const key = mailbox.client.currentItem()?.key ?? ''
  /** What came out of a call, and when. */
  const outcome = (call$: Observable<unknown>) => {
    const seen: { at: number; value?: unknown; failure?: Failure }[] = []
    call$.subscribe({
      next: (value) => seen.push({ at: scheduler.now(), value }),
      error: (error: unknown) => seen.push({ at: scheduler.now(), failure: (error as Failed).failure }),
    })
    scheduler.flush()
    return seen
  }
  return { scheduler, mailbox, host, identity, key, logged, outcome }
}

describe('a mail client below Mailbox 1.10', () => {
  test.each([
    ['1.9', null, 0],
    ['1.10', false, 1],
  ])('%s tells %j of its own signature, after %i calls', (mailboxVersion, value, calls) => {
    const { mailbox, host, key, logged, outcome } = hosted({ mailboxVersion })
    expect(outcome(host.clientSignature(key))).toEqual([{ at: 0, value }])
    expect(mailbox.calls).toHaveLength(calls)
    expect(logged).toEqual([])
  })
})

describe('a mail client that does not answer', () => {
  test('[HOST-4] gives an empty answer after the time limit, and logs it once', () => {
    const { mailbox, host, key, logged, outcome } = hosted()
    mailbox.silence('from.getAsync')
    expect(outcome(host.from(key))).toEqual([{ at: 5_000, value: null }])
    expect(logged).toEqual([
      ['mail_client_failed', { call: 'from.getAsync', code: null, name: 'hostSilent' }],
    ])
  })

  test('[HOST-5] gives no compose type', () => {
    const { mailbox, host, key, outcome } = hosted()
    mailbox.silence('getComposeTypeAsync')
    expect(outcome(host.composeType(key))).toEqual([{ at: 5_000, value: null }])
  })

  test('does not tell of its own signature after 2 seconds, which an insertion waits for', () => {
    const { mailbox, host, key, outcome } = hosted()
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
    const { mailbox, host, key, outcome } = hosted()
    mailbox.silence(call)
    expect(outcome(write(host, key))).toEqual([{ at: limit, failure: { kind: 'hostSilent', call } }])
  })

  test('[SAFE-7] is asked again without harm: what comes late or twice changes nothing', () => {
    const { mailbox, host, key, outcome } = hosted()
    mailbox.delay('from.getAsync', 5_010)
    mailbox.answerTwice('from.getAsync')
    expect(outcome(host.from(key))).toEqual([{ at: 5_000, value: null }])
    mailbox.restore()
    mailbox.answerTwice('from.getAsync')
    expect(outcome(host.from(key)).map(({ value }) => value)).toEqual([
      { address: 'alex.kim@northwind.example', name: 'Alex Kim' },
    ])
  })

  test('[SAFE-7] is never asked more than three things at once, the identity included', () => {
    let atOnce = 0
    let most = 0
    const { host, identity, key, scheduler } = hosted({
      wrap: (client) => ({
        ...client,
        call: (name, args, done) => {
          atOnce += 1
          most = Math.max(most, atOnce)
          client.call(name, args, (reply) => {
            atOnce -= 1
            done(reply)
          })
        },
      }),
    })
    let answered = 0
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
      call$.subscribe({ complete: () => (answered += 1) })
    }
    scheduler.flush()
    expect(most).toBe(3)
    expect(answered).toBe(8)
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

  test('[HOST-4] breaks no reading stream', () => {
    const { host, key, outcome, logged } = hosted({ wrap: throwing })
    expect(outcome(host.recipients(key))).toEqual([{ at: 0, value: { to: [], cc: [] } }])
    expect(logged).toHaveLength(2)
  })

  test('fails a write', () => {
    const { host, key, outcome } = hosted({ wrap: throwing })
    const failure = {
      kind: 'host',
      call: 'body.setSignatureAsync',
      code: 0,
      name: 'Sys.ArgumentOutOfRangeException',
    }
    expect(outcome(host.setSignature(key, 'S', 'html'))).toEqual([{ at: 0, failure }])
  })
})

describe('the identity through the mail client', () => {
  test.each<[string, unknown, string]>([
    ["Office's own number", Object.assign(new Error('e'), { code: 13002 }), 'host_13002'],
    [
      'a person who is signed out',
      new Failed({ kind: 'http', status: 401, code: null, data: null }),
      'host_13001',
    ],
    [
      'a grant that is missing',
      new Failed({ kind: 'http', status: 403, code: null, data: null }),
      'host_13005',
    ],
    ['too many requests', new Failed({ kind: 'http', status: 429, code: null, data: null }), 'host_13013'],
    [
      'a provider that fails',
      new Failed({ kind: 'http', status: 500, code: null, data: null }),
      'host_13007',
    ],
    ['a provider out of reach', new Failed({ kind: 'network' }), 'host_13006'],
    ['anything else', new Error('e'), 'host_13007'],
  ])('fails with the code of %s', (_, error, code) => {
    const { identity, outcome } = hosted({
      accessToken: () => new Observable((subscriber) => subscriber.error(error)),
    })
    expect(outcome(identity.accessToken({ allowConsentPrompt: false }))).toEqual([
      { at: 0, failure: { kind: 'auth', code } },
    ])
  })

  test('fails with the code that the mail client was told to give', () => {
    const { mailbox, identity, outcome } = hosted()
    mailbox.fail('auth.getAccessToken', { code: 13001, name: 'No user is signed into Office.' }, 1)
    const ask = () => outcome(identity.accessToken({ allowConsentPrompt: true }))
    expect(ask()).toEqual([{ at: 0, failure: { kind: 'auth', code: 'host_13001' } }])
    expect(ask()).toMatchObject([{ value: { secret: '<secret>' } }])
  })

  test.each([
    [false, 5_000],
    [true, 15_000],
  ])('is silent for a while only (asking the person: %s)', (allowConsentPrompt, limit) => {
    const { mailbox, identity, outcome } = hosted()
    mailbox.silence('auth.getAccessToken')
    expect(outcome(identity.accessToken({ allowConsentPrompt }))).toEqual([
      { at: limit, failure: { kind: 'hostSilent', call: 'auth.getAccessToken' } },
    ])
  })
})

test('a person without an address is nobody', () => {
  const { outcome, host } = hosted({
    wrap: (client) => ({
      ...client,
      start: { ...client.start, user: { ...client.start.user, emailAddress: '' } },
    }),
  })
  expect(outcome(host.user())).toEqual([{ at: 0, value: null }])
})

describe('an item that makes way while the client answers', () => {
  /** Answers 100 ms late, when another item is already open. */
  const slow =
    (scheduler: VirtualTimeScheduler) =>
    (client: MailClient): MailClient => ({
      ...client,
      call: (name, args, done) =>
        client.call(name, args, (reply) => scheduler.schedule(() => done(reply), 100)),
    })

  test.each<[string, (host: MailHost, key: string) => Observable<unknown>]>([
    ['what is read of it', (host, key) => host.body(key, 'html')],
    ['its session data', (host, key) => host.sessionData(key, 'a')],
  ])('leaves %s unanswered', (_, read) => {
    const scheduler = new VirtualTimeScheduler()
    const { host, mailbox, key, outcome, logged } = hosted({ scheduler, wrap: slow(scheduler) })
    mailbox.call('sessionData.setAsync', { name: 'a', value: 'b' }, () => undefined)
    scheduler.flush()
    scheduler.schedule(() => mailbox.act({ type: 'newMessage' }), 50)
    expect(outcome(read(host, key))).toEqual([{ at: 100, value: null }])
    expect(logged).toMatchObject([['mail_item_gone', {}]])
  })
})

test('an item that is told again without a change is one item', () => {
  const { mailbox, host } = hosted({
    wrap: (client) => ({ ...client, on: (_, listener) => client.on('RecipientsChanged', listener) }),
  })
  const seen: unknown[] = []
  host.item$.subscribe((item) => seen.push(item))
  mailbox.act({ type: 'setRecipients', to: [] })
  expect(seen).toHaveLength(1)
})
