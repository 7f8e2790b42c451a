import type { Observable, VirtualTimeScheduler } from 'rxjs'
import { expect, test } from 'vitest'
import type { Log, MailHost } from '../../../effects/ports.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { CallName } from '../../../src/engine/hosts/mailClient.ts'
import { DEMO_THEMES } from '../../../src/playground/mailbox/demo.ts'
import type { Mailbox } from '../../../src/playground/mailbox/mailbox.ts'
import { refusesMeetingSignatures } from '../../../src/playground/mailbox/profiles.ts'
import type { MailItem } from '../../../streams/message/mailbox/events.ts'

/** A host over a mailbox with one new message open, and the time that drives both. */
export type HostUnderTest = Readonly<{
  host: MailHost
  mailbox: Mailbox
  /** Every line that the host logged. */
  logged: readonly Readonly<{ level: 'debug' | 'warn' | 'error'; action: string; detail: unknown }>[]
  /** The value or the failure of a call; lets as much time pass as the call takes. */
  run<Value>(call$: Observable<Value>): Promise<Value | Failed>
  /** Lets everything that is pending end. */
  rest(): Promise<void>
  /** Lets only as much time pass as a call of this name needs to reach the mail client. */
  reached(name: CallName): Promise<void>
  dispose(): void
}>

/** A log, and what it was told. */
export function listeningLog(): Pick<HostUnderTest, 'logged'> & Readonly<{ log: Log }> {
  const logged: HostUnderTest['logged'][number][] = []
  return {
    logged,
    log: {
      debug: (action, detail) => void logged.push({ level: 'debug', action, detail }),
      warn: (action, detail) => void logged.push({ level: 'warn', action, detail }),
      error: (action, detail) => void logged.push({ level: 'error', action, detail }),
    },
  }
}

/** How time passes for a host on virtual time. */
export const onVirtualTime = (
  scheduler: VirtualTimeScheduler,
): Pick<HostUnderTest, 'run' | 'reached' | 'dispose'> => ({
  run: <Value>(call$: Observable<Value>) =>
    new Promise<Value | Failed>((settled, failed) => {
      call$.subscribe({
        next: settled,
        error: (error: unknown) =>
          error instanceof Failed ? settled(error) : failed(new Error('no Failed', { cause: error })),
      })
      scheduler.flush()
    }),
  reached: () => {
    scheduler.maxFrames = scheduler.frame + 100
    scheduler.flush()
    scheduler.maxFrames = Number.POSITIVE_INFINITY
    return Promise.resolve()
  },
  dispose: () => undefined,
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

type MakeHost = () => Promise<HostUnderTest>

/** Gives a test its host, and the key of the open message. */
const withHost =
  (makeHost: MakeHost) => (use: (under: HostUnderTest, key: string) => Promise<void>) => async () => {
    const under = await makeHost()
    try {
      await use(under, await openKey(under))
    } finally {
      under.dispose()
    }
  }

const itemsOf = (under: HostUnderTest): (MailItem | null)[] => {
  const emitted: (MailItem | null)[] = []
  under.host.item$.subscribe((item) => emitted.push(item))
  return emitted
}
const openKey = async (under: HostUnderTest): Promise<string> => {
  const items = itemsOf(under)
  await under.rest()
  return items.at(-1)?.key ?? ''
}
const open = ({ mailbox }: HostUnderTest) => {
  const { current, items: written } = mailbox.snapshot()
  const item = written.find(({ id }) => id === current)
  if (!item) throw new Error('no message is open')
  return item
}
const gone = new Failed({ kind: 'itemGone' })

/** The user's profile, for every host with a mail client (specification, section 3). */
export function userContract(makeHost: MakeHost): void {
  const withOne = withHost(makeHost)

  test(
    'gives account type, name, e-mail and time zone of the user',
    withOne(async ({ host, run }) => {
      expect(await run(host.user())).toEqual({
        accountType: 'office365',
        displayName: 'Alex Kim',
        email: 'alex.kim@northwind.example',
        timezone: 'Pacific Standard Time',
      })
      expect(host.displayLanguage).toBe('en-US')
    }),
  )
}

/** Notices in the message, for every host with a mail client (specification, section 4). */
export function noticeContract(makeHost: MakeHost): void {
  const withOne = withHost(makeHost)

  test(
    'shows an informational, non-persistent notice keyed messageKey',
    withOne(async (under, key) => {
      await under.run(under.host.showNotice(key, 'Your signature is in.'))
      expect(open(under).notifications).toEqual([
        { key: 'messageKey', type: 'informationalMessage', message: 'Your signature is in.' },
      ])
      const shown = under.mailbox.state$.value.items.flatMap(({ notifications }) => notifications)
      expect(shown).toMatchObject([{ persistent: false }])
    }),
  )

  test(
    'dismisses lsi_notification_message and messageKey, and logs nothing without them',
    withOne(async (under, key) => {
      const { host, mailbox, run } = under
      await run(host.showNotice(key, 'shown'))
      mailbox.call(
        'notificationMessages.replaceAsync',
        { key: 'lsi_notification_message', notice: { type: 'informationalMessage', message: 'older' } },
        () => undefined,
      )
      await under.rest()
      expect(open(under).notifications).toHaveLength(2)
      await run(host.dismissNotice(key))
      expect(open(under).notifications).toEqual([])
      await run(host.dismissNotice(key))
      expect(under.logged).toEqual([])
    }),
  )

  test(
    'logs a notice that cannot be shown or dismissed, and fails nothing',
    withOne(async (under, key) => {
      const { host, mailbox, run } = under
      mailbox.fail('notificationMessages.replaceAsync', { code: 5001, name: 'Internal Error' })
      mailbox.fail('notificationMessages.removeAsync', { code: 5001, name: 'Internal Error' })
      expect(await run(host.showNotice(key, 'shown'))).toBeUndefined()
      expect(await run(host.dismissNotice(key))).toBeUndefined()
      expect(under.logged.map(({ action }) => action)).toEqual(Array(3).fill('mail_client_failed'))
    }),
  )

  test(
    'cuts a notice at 150 characters, and never inside a surrogate pair',
    withOne(async (under, key) => {
      for (const first of ['', 'x']) {
        await under.run(under.host.showNotice(key, first + '😀'.repeat(100)))
        expect(open(under).notifications[0]?.message).toBe(`${first}${'😀'.repeat(74)}…`)
      }
      await under.run(under.host.showNotice(key, 'x'.repeat(150)))
      expect(open(under).notifications[0]?.message).toBe('x'.repeat(150))
    }),
  )
}

/** Reading and writing messages, for every host with a mail client (specification, sections 4 and 8). */
export function messageContract(makeHost: MakeHost): void {
  const withOne = withHost(makeHost)

  test(
    '[HOST-3] emits the open item, null during a switch, and the next item with a new key',
    withOne(async (under, key) => {
      const items = itemsOf(under)
      under.mailbox.act({ type: 'newMessage' })
      await under.rest()
      expect(items).toEqual([
        { key, mode: 'compose' },
        null,
        { key: expect.any(String) as string, mode: 'compose' },
      ])
      expect(items[2]?.key).not.toBe(key)
    }),
  )

  test(
    'gives an item that opens again a new key, and a received one the mode read',
    withOne(async (under, key) => {
      const first = open(under).id
      const message = under.mailbox.state$.value.items.find(({ mode }) => mode === 'read')?.id ?? ''
      const items = itemsOf(under)
      for (const id of [message, first]) {
        under.mailbox.act({ type: 'switchTo', id })
        await under.rest()
      }
      expect(items.map((item) => item?.mode)).toEqual(['compose', undefined, 'read', undefined, 'compose'])
      expect(items.at(-1)?.key).not.toBe(key)
    }),
  )

  test(
    'reads every property of a reply',
    withOne(async (under) => {
      const { host, mailbox, run } = under
      mailbox.act({ type: 'reply' })
      mailbox.act({ type: 'setRecipients', cc: [{ address: 'b@fabrikam.example', name: 'B' }] })
      mailbox.act({ type: 'typed', author: '<p>Yes &amp; no</p>' })
      const key = await openKey(under)
      expect(await run(host.composeType(key))).toBe('reply')
      expect(await run(host.bodyType(key))).toBe('html')
      expect(await run(host.from(key))).toEqual({ address: 'alex.kim@northwind.example', name: 'Alex Kim' })
      expect(await run(host.recipients(key))).toEqual({
        to: [{ address: 'priya.shah@northwind.example', name: 'Priya Shah' }],
        cc: [{ address: 'b@fabrikam.example', name: 'B' }],
      })
      // Some editions write their fonts into every paragraph.
      expect(await run(host.body(key, 'html'))).toMatch(/<p(?: style="[^"]*")?>Yes &amp; no<\/p>/)
      expect(await run(host.body(key, 'text'))).toContain('Yes & no')
      expect(await run(host.attachments(key))).toMatchObject([{ name: 'lsi-attachlogo.png', isInline: true }])
      expect(under.logged).toEqual([])
    }),
  )

  test(
    'reads the body each time, also where the client fails one reading in seven',
    withOne(async (under, key) => {
      const { host, mailbox, run } = under
      mailbox.act({ type: 'typed', author: '<ul><li>read me</li></ul>' })
      for (let reading = 1; reading <= 15; reading += 1)
        expect(await run(host.body(key, 'html'))).toContain('<li>read me</li>')
      expect(under.logged).toEqual([])
    }),
  )

  test(
    'announces each change of recipients once, also of the next item',
    withOne(async (under) => {
      const { host, mailbox, rest } = under
      const to = [{ address: 'a@fabrikam.example', name: 'A' }]
      let changes = 0
      host.recipientsChanged$.subscribe(() => (changes += 1))
      await rest()
      mailbox.act({ type: 'setRecipients', to })
      await rest()
      expect(changes).toBe(1)
      mailbox.act({ type: 'newMessage' })
      await rest()
      expect(changes).toBe(1)
      mailbox.act({ type: 'setRecipients', to })
      await rest()
      expect(changes).toBe(2)
      expect(under.logged).toEqual([])
    }),
  )

  test(
    'emits the theme at each change, and null without one',
    withOne(async ({ host, mailbox, rest }) => {
      const themes: unknown[] = []
      host.theme$.subscribe((theme) => themes.push(theme))
      for (const theme of [DEMO_THEMES.dark, DEMO_THEMES.light, null]) {
        mailbox.act({ type: 'setTheme', theme })
        await rest()
      }
      expect(themes).toEqual([null, 'dark', 'light', null])
    }),
  )

  test(
    'replaces the signature with its picture, and removes the picture',
    withOne(async (under, key) => {
      const { host, run } = under
      const id = await run(host.addInlineImage(key, PIXEL, 'lsi-attachpixel.png'))
      await run(host.setSignature(key, 'first', 'html'))
      await run(host.setSignature(key, '<img src="cid:lsi-attachpixel.png">', 'html'))
      expect(open(under)).toMatchObject({
        signatureHtml: '<img src="cid:lsi-attachpixel.png">',
        attachments: [{ id, name: 'lsi-attachpixel.png', isInline: true }],
      })
      await run(host.removeAttachment(key, String(id)))
      expect(open(under).attachments).toEqual([])
    }),
  )

  test(
    'tells whether the client has a signature of its own, and switches it off for the account',
    withOne(async (under, key) => {
      const { host, mailbox, run, rest } = under
      expect(await run(host.clientSignature(key))).toBe(false)
      mailbox.act({ type: 'setClientSignature', on: true })
      mailbox.act({ type: 'newMessage' })
      await rest()
      const other = await openKey(under)
      expect(await run(host.clientSignature(other))).toBe(true)
      await run(host.disableClientSignature(other))
      expect(await run(host.clientSignature(other))).toBe(false)
      expect(open(under).signatureHtml).toContain('Sent from my mail client')
      await run(host.setSignature(other, 'S', 'html'))
      expect(open(under).bodyHtml).toBe('<div id="Signature">S</div>')
      mailbox.act({ type: 'newMessage' })
      await rest()
      expect(open(under).bodyHtml).toBe('')
      expect(under.logged).toEqual([])
    }),
  )

  test(
    'keeps custom properties and session data with the item; a missing key is null and no failure',
    withOne(async (under, key) => {
      const { host, run } = under
      expect(await run(host.customProperties(key))).toEqual({})
      expect(await run(host.sessionData(key, 'a'))).toBeNull()
      expect(await run(host.allSessionData(key))).toEqual({})
      await run(host.saveCustomProperties(key, { stop: true, n: 1 }))
      await run(host.setSessionData(key, 'a', 'b'))
      expect(await run(host.customProperties(key))).toEqual({ stop: true, n: 1 })
      expect(await run(host.sessionData(key, 'a'))).toBe('b')
      await run(host.setSessionData(key, 'c', ''))
      expect(await run(host.allSessionData(key))).toEqual({ a: 'b', c: '' })
      expect(under.logged).toEqual([])
    }),
  )

  test(
    'makes a write again that is refused for a moment',
    withOne(async (under, key) => {
      const { host, run, mailbox } = under
      mailbox.fail('body.setSignatureAsync', { code: 5001, name: 'Internal Error' }, 2)
      await run(host.setSignature(key, 'S', 'html'))
      expect(open(under).signatureHtml).toBe('S')
      const made = mailbox.calls.filter(({ name }) => name === 'body.setSignatureAsync')
      expect(made.map(({ ok }) => ok)).toEqual([false, false, true])
    }),
  )

  test(
    'fails a refused write with its code, and changes nothing',
    withOne(async (under, key) => {
      const { host, run, mailbox } = under
      mailbox.fail('body.setSignatureAsync', { code: 5000, name: 'Host Error' }, 1)
      const failed = await run(host.setSignature(key, 'S', 'html'))
      expect(failed).toBeInstanceOf(Failed)
      expect((failed as Failed).failure).toMatchObject({
        kind: 'host',
        call: 'body.setSignatureAsync',
        code: 5000,
      })
      expect(open(under).signatureHtml).toBe('')
      await run(host.setSignature(key, 'S', 'html'))
      expect(open(under).signatureHtml).toBe('S')
    }),
  )

  test(
    '[INS-4] sends no write for another item than the open one',
    withOne(async (under, key) => {
      const { host, mailbox, run } = under
      mailbox.act({ type: 'newMessage' })
      await under.rest()
      const before = mailbox.state$.value
      const sent = mailbox.calls.length
      for (const write$ of [
        host.setSignature(key, 'S', 'html'),
        host.disableClientSignature(key),
        host.addInlineImage(key, PIXEL, 'a.png'),
        host.removeAttachment(key, 'x'),
        host.saveCustomProperties(key, { a: 1 }),
        host.setSessionData(key, 'a', 'b'),
      ]) {
        expect(await run(write$ as Observable<unknown>)).toEqual(gone)
      }
      await run(host.showNotice(key, 'shown'))
      await run(host.dismissNotice(key))
      expect(mailbox.state$.value).toBe(before)
      expect(mailbox.calls).toHaveLength(sent)
    }),
  )

  test(
    '[INS-4] changes no item by a write that is pending during a switch',
    withOne(async (under, key) => {
      const { host, mailbox } = under
      mailbox.delay('body.setSignatureAsync', 200)
      const ended: unknown[] = []
      host.setSignature(key, 'S', 'html').subscribe({
        next: () => ended.push('written'),
        error: (error: unknown) => ended.push(error),
      })
      await under.reached('body.setSignatureAsync')
      mailbox.act({ type: 'newMessage' })
      await under.rest()
      expect(ended).toEqual([gone])
      expect(mailbox.snapshot().items.map(({ signatureHtml }) => signatureHtml)).toEqual(['', ''])
    }),
  )

  test(
    'gives an empty result for an item that is no longer open',
    withOne(async (under, key) => {
      const { host, mailbox, run } = under
      const results: unknown[] = []
      mailbox.delay('from.getAsync', 200)
      host.from(key).subscribe((from) => results.push(from))
      await under.reached('from.getAsync')
      mailbox.act({ type: 'newMessage' })
      await under.rest()
      expect(results).toEqual([null])
      expect(await run(host.attachments(key))).toBeNull()
      expect(under.logged.map(({ level, action }) => `${level} ${action}`)).toEqual([
        'warn mail_item_gone',
        'warn mail_item_gone',
      ])
    }),
  )

  test(
    '[AUTO-19] tells the type of a body by the kind of the message, where the call for it fails',
    withOne(async (under, key) => {
      const { host, mailbox, run } = under
      mailbox.fail('body.getTypeAsync', { code: 5000, name: 'Host Error' })
      expect(await run(host.bodyType(key))).toBe('html')
      mailbox.act({ type: 'setBodyType', bodyType: 'text' })
      expect(await run(host.bodyType(key))).toBe('text')
      expect(under.logged).toEqual([])
      mailbox.fail('getComposeTypeAsync', { code: 5001, name: 'Internal Error' })
      expect(await run(host.bodyType(key))).toBeNull()
      expect(under.logged).toMatchObject([{ detail: { call: 'body.getTypeAsync', code: 5000 } }])
    }),
  )

  const reads: readonly [CallName, (host: MailHost, key: string) => Observable<unknown>, unknown][] = [
    ['getComposeTypeAsync', (host, key) => host.composeType(key), null],
    ['from.getAsync', (host, key) => host.from(key), null],
    ['to.getAsync', (host, key) => host.recipients(key), { to: null, cc: [] }],
    ['cc.getAsync', (host, key) => host.recipients(key), { to: [], cc: null }],
    ['body.getAsync', (host, key) => host.body(key, 'html'), null],
    ['getAttachmentsAsync', (host, key) => host.attachments(key), null],
    ['isClientSignatureEnabledAsync', (host, key) => host.clientSignature(key), null],
    ['loadCustomPropertiesAsync', (host, key) => host.customProperties(key), {}],
    ['sessionData.getAsync', (host, key) => host.sessionData(key, 'a'), null],
    ['sessionData.getAllAsync', (host, key) => host.allSessionData(key), null],
  ]
  test.each(reads)('[HOST-4] logs a failure of %s once, and gives an empty result', (call, read, empty) =>
    withOne(async (under, key) => {
      under.mailbox.fail(call, { code: 5001, name: 'Internal Error' })
      const forgotten = call === 'loadCustomPropertiesAsync'
      expect(await under.run(read(under.host, key))).toEqual(empty)
      expect(under.logged).toEqual([
        {
          level: 'error',
          action: 'mail_client_failed',
          detail: forgotten
            ? { call, code: 9020, name: 'GenericResponseError' }
            : { call, code: 5001, name: 'Internal Error' },
        },
      ])
    })(),
  )
}

/** Reading and writing meetings, for every host with a mail client. */
export function meetingContract(makeHost: MakeHost): void {
  const withOne = withHost(makeHost)
  const ALEX = { address: 'alex.kim@northwind.example', name: 'Alex Kim' }
  const CLAIRE = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }
  const PRIYA = { address: 'priya.shah@northwind.example', name: 'Priya Shah' }

  /** Gives a test its host, and the key of a new meeting that is open. */
  const withMeeting = (use: (under: HostUnderTest, key: string) => Promise<void>) =>
    withOne(async (under) => {
      under.mailbox.act({ type: 'newMeeting' })
      await use(under, await openKey(under))
    })

  test(
    'emits a meeting as one, to its organiser and to an attendee',
    withOne(async (under, message) => {
      const items = itemsOf(under)
      under.mailbox.act({ type: 'newMeeting' })
      await under.rest()
      const copy = under.mailbox.state$.value.items.find((item) => item.mode === 'read' && item.isMeeting)
      under.mailbox.act({ type: 'switchTo', id: copy?.id ?? '' })
      await under.rest()
      const key = expect.any(String) as string
      expect(items).toEqual([
        { key: message, mode: 'compose' },
        null,
        { key, mode: 'compose', isMeeting: true },
        null,
        { key, mode: 'read', isMeeting: true },
      ])
    }),
  )

  test(
    'reads the organiser, the required and the optional attendees, and the body',
    withMeeting(async ({ host, mailbox, run, logged }, key) => {
      mailbox.act({ type: 'setRecipients', to: [CLAIRE], cc: [PRIYA] })
      mailbox.act({ type: 'typed', author: '<p>We meet &amp; talk</p>' })
      expect(await run(host.composeType(key))).toBe('meeting')
      expect(await run(host.bodyType(key))).toBe('html')
      expect(await run(host.from(key))).toEqual(ALEX)
      expect(await run(host.recipients(key))).toEqual({ to: [CLAIRE], cc: [PRIYA] })
      expect(await run(host.body(key, 'text'))).toContain('We meet & talk')
      expect(logged).toEqual([])
      // Outlook has no kind of a meeting.
      expect(mailbox.calls.map(({ name }) => name)).not.toContain('getComposeTypeAsync')
    }),
  )

  test(
    'tells whether a meeting was saved, and takes one that Outlook does not tell of for saved',
    withMeeting(async ({ host, mailbox, run, logged }, key) => {
      expect(await run(host.isSaved(key))).toBe(false)
      mailbox.act({ type: 'save' })
      expect(await run(host.isSaved(key))).toBe(true)
      expect(logged).toEqual([])
      mailbox.fail('getItemIdAsync', { code: 5001, name: 'Internal Error' })
      expect(await run(host.isSaved(key))).toBe(true)
      expect(logged).toMatchObject([{ detail: { call: 'getItemIdAsync', code: 5001 } }])
    }),
  )

  test(
    'writes the body with a picture, and what add-ins keep in the item',
    withMeeting(async (under, key) => {
      const { host, run } = under
      const id = await run(host.addInlineImage(key, PIXEL, 'lsi-attachpixel.png'))
      await run(host.setBody(key, '<p>A</p><img src="cid:lsi-attachpixel.png">', 'html'))
      await run(host.saveCustomProperties(key, { n: 1 }))
      await run(host.setSessionData(key, 'a', 'b'))
      expect(await run(host.customProperties(key))).toEqual({ n: 1 })
      expect(await run(host.allSessionData(key))).toEqual({ a: 'b' })
      expect(open(under)).toMatchObject({
        bodyHtml: '<p>A</p><img src="cid:lsi-attachpixel.png">',
        attachments: [{ id, name: 'lsi-attachpixel.png', isInline: true }],
      })
      expect(under.logged).toEqual([])
    }),
  )

  test(
    'sets a signature, or fails with a code where Outlook sets signatures in messages only',
    withMeeting(async (under, key) => {
      const set = await under.run(under.host.setSignature(key, 'S', 'html'))
      const isRefused = refusesMeetingSignatures(under.mailbox.state$.value.profile)
      expect(set instanceof Failed ? set.failure : null).toEqual(
        isRefused ? expect.objectContaining({ kind: 'host', code: 5000 }) : null,
      )
      expect(open(under).signatureHtml).toBe(isRefused ? '' : 'S')
    }),
  )

  test(
    'announces each change of attendees once',
    withMeeting(async ({ host, mailbox, rest, logged }) => {
      let changes = 0
      host.recipientsChanged$.subscribe(() => (changes += 1))
      await rest()
      for (const change of [{ to: [CLAIRE] }, { cc: [PRIYA] }]) {
        mailbox.act({ type: 'setRecipients', ...change })
        await rest()
      }
      expect(changes).toBe(2)
      expect(logged).toEqual([])
    }),
  )
}
