import { VirtualTimeScheduler, of, takeUntil } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { MailHost } from '../../../effects/ports.ts'
import { type HostWithIdentity, PROVIDER_LIMIT_MS } from '../../../src/engine/hosts/chooseHost.ts'
import { createSimulatedProvider } from '../../../src/playground/mailClient/simulatedHost.ts'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../../src/playground/mailbox/mailbox.ts'
import { CLIENT_PROFILES, type ClientProfile } from '../../../src/playground/mailbox/profiles.ts'
import { serveMailbox } from '../../../src/playground/mailbox/serve.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import { emitAfter } from '../../../streams/kernel/time.ts'
import { revealSecret } from '../../../streams/kernel/secret.ts'
import {
  type HostUnderTest,
  listeningLog,
  meetingContract,
  messageContract,
  noticeContract,
  onVirtualTime,
  userContract,
} from '../../engine/hosts/contract.ts'
import { fakeWindows } from './windows.ts'

const ORIGIN = 'http://localhost:4173'

/** The playground's page and the pane in its frame, on virtual time. With `serving: false` the page serves nothing. */
function playground(options: { page?: string; serving?: boolean; profile?: ClientProfile | null } = {}) {
  const scheduler = new VirtualTimeScheduler()
  const time = { scheduler }
  const windows = fakeWindows(scheduler, { page: options.page ?? ORIGIN, pane: ORIGIN })
  const mailbox = createMailbox(
    { ...demoMailbox(), profile: options.profile ?? null },
    { time, accessToken: (email) => of(`token of ${email}`) },
  )
  if (options.serving !== false) serveMailbox(mailbox, windows.frame, ORIGIN, windows.page)
  const { log, logged } = listeningLog()
  const resolve = (then?: (hosted: HostWithIdentity | null) => void) => {
    const resolved: { at: number; hosted: HostWithIdentity | null }[] = []
    createSimulatedProvider({ pane: windows.pane, time, log })
      .resolve()
      .pipe(takeUntil(emitAfter(PROVIDER_LIMIT_MS, time)))
      .subscribe((hosted) => {
        resolved.push({ at: scheduler.now(), hosted })
        then?.(hosted)
      })
    scheduler.flush()
    return resolved
  }
  return { ...onVirtualTime(scheduler), scheduler, windows, mailbox, logged, resolve }
}

const hostedBy = (resolved: { hosted: HostWithIdentity | null }[]): HostWithIdentity => {
  const [first] = resolved
  if (!first?.hosted) throw new Error('not resolved')
  return first.hosted
}
const hostOf = (resolved: { hosted: HostWithIdentity | null }[]): MailHost => hostedBy(resolved).host

const make = (profile: ClientProfile | null) => (): Promise<HostUnderTest> => {
  const { scheduler, resolve, ...parts } = playground({ profile })
  const rest = () => Promise.resolve(scheduler.flush())
  return Promise.resolve({ ...parts, host: hostOf(resolve()), rest })
}

describe.each([null, ...CLIENT_PROFILES])('the simulated mail client, edition %s', (profile) => {
  describe('[HOST-7] the user', () => userContract(make(profile)))
  describe('[HOST-9] a notice in the message', () => noticeContract(make(profile)))
  describe('messages', () => messageContract(make(profile)))
  describe('meetings', () => meetingContract(make(profile)))
})

describe('the simulated host, across the frame', () => {
  test('resolves at once when the page around it serves a mailbox', () => {
    expect(playground().resolve()).toMatchObject([{ at: 0, hosted: { host: { name: 'simulated' } } }])
  })

  test('does not resolve when the page does not answer within the limit of a host', () => {
    const { resolve, windows } = playground({ serving: false })
    expect(resolve()).toEqual([])
    expect(windows.sent.length).toBeGreaterThan(10)
    expect(windows.sent.every(({ targetOrigin }) => targetOrigin === ORIGIN)).toBe(true)
  })

  test('resolves to null in a page of another origin, and sends it nothing', () => {
    const { resolve, windows } = playground({ page: 'http://localhost:9999' })
    expect(resolve()).toEqual([{ at: 0, hosted: null }])
    expect(windows.sent).toEqual([])
  })

  test('finds a page that starts to serve after five seconds', () => {
    const { resolve, windows, scheduler, mailbox } = playground({ serving: false })
    scheduler.schedule(() => void serveMailbox(mailbox, windows.frame, ORIGIN, windows.page), 4_950)
    expect(resolve()).toMatchObject([{ at: 5_000, hosted: { host: { name: 'simulated' } } }])
  })

  test('sends every message to the exact origin', () => {
    const { resolve, windows, run } = playground()
    const hosted = hostOf(resolve())
    void run(hosted.showNotice('x', 'y'))
    expect(windows.sent.length).toBeGreaterThan(0)
    expect(
      windows.sent.map(({ targetOrigin }) => targetOrigin).filter((origin) => origin !== ORIGIN),
    ).toEqual([])
  })

  test.each<[string, (windows: ReturnType<typeof fakeWindows>) => { origin: string; source: unknown }]>([
    ['another origin', ({ frame }) => ({ origin: 'https://evil.example', source: frame })],
    ['another window', () => ({ origin: ORIGIN, source: {} })],
  ])('ignores calls of %s in the page', (_, sender) => {
    const { windows, scheduler, mailbox } = playground()
    const data = {
      channel: 'signet/mailbox',
      type: 'call',
      session: 1,
      id: 1,
      item: null,
      name: 'body.setSignatureAsync',
      args: { data: 'evil', coercionType: 'html' },
    }
    windows.intrude('page', { data, ...sender(windows) })
    windows.intrude('page', { data: { channel: 'signet/mailbox', type: 'hello' }, ...sender(windows) })
    scheduler.flush()
    expect(mailbox.calls).toEqual([])
    expect(windows.sent).toEqual([])
  })

  test.each<[string, (windows: ReturnType<typeof fakeWindows>) => { origin: string; source: unknown }]>([
    ['another origin', ({ page }) => ({ origin: 'https://evil.example', source: page })],
    ['another window', () => ({ origin: ORIGIN, source: {} })],
  ])('ignores messages of %s in the pane', (_, sender) => {
    const { windows, resolve } = playground({ serving: false })
    windows.intrude('pane', {
      data: { channel: 'signet/mailbox', type: 'welcome', session: 1, start: {}, item: null },
      ...sender(windows),
    })
    expect(resolve()).toEqual([])
  })

  test('ignores an answer to the pane before its reload', () => {
    const { mailbox, resolve } = playground()
    const before = hostOf(resolve())
    const key = mailbox.client.currentItem()?.key ?? ''
    mailbox.delay('from.getAsync', 400)
    mailbox.delay('getComposeTypeAsync', 800)
    before.from(key).subscribe()
    const answers: unknown[] = []
    // The answer to the previous pane's first call arrives while the reloaded pane waits for that of its own.
    resolve((hosted) => hosted?.host.composeType(key).subscribe((type) => answers.push(type)))
    expect(answers).toEqual(['newMail'])
  })

  test('writes to neither item when a call arrives after a switch', async () => {
    const { scheduler, mailbox, resolve } = playground()
    const host = hostOf(resolve())
    const key = mailbox.client.currentItem()?.key ?? ''
    const ended: unknown[] = []
    // The event of the switch has not reached the pane yet, so the pane still sees the previous item.
    host.setSignature(key, 'S', 'html').subscribe({ error: (error: unknown) => ended.push(error) })
    mailbox.act({ type: 'switchTo', id: null })
    mailbox.act({ type: 'newMessage' })
    expect(mailbox.client.currentItem()?.key).not.toBe(key)
    scheduler.flush()
    expect(ended).toEqual([new Failed({ kind: 'itemGone' })])
    expect(mailbox.snapshot().items.map(({ signatureHtml }) => signatureHtml)).toEqual(['', ''])
    expect(mailbox.calls.map(({ name, ok }) => [name, ok])).toEqual([['body.setSignatureAsync', false]])
  })

  test('cuts the pane off after a switch of users, until it is reloaded', () => {
    const { scheduler, windows, mailbox, resolve } = playground()
    const { host, identity } = hostedBy(resolve())
    const items: unknown[] = []
    host.item$.subscribe((item) => items.push(item))
    mailbox.act({ type: 'choosePerson', address: 'maria.silva@northwind.example' })
    identity.accessToken({ allowConsentPrompt: false }).subscribe({ error: () => undefined })
    scheduler.flush()
    expect(items).toHaveLength(1)
    expect(mailbox.calls).toEqual([])
    expect(windows.sent.map(({ data }) => (data as { type: string }).type)).toEqual([
      'hello',
      'welcome',
      'call',
    ])
    expect(hostOf(resolve()).displayLanguage).toBe('pt-BR')
  })

  test('returns the token of the signed-in user as a secret', async () => {
    const { resolve, run } = playground()
    const token = await run(hostedBy(resolve()).identity.accessToken({ allowConsentPrompt: true }))
    expect(JSON.stringify(token)).toBe('{"secret":"<secret>"}')
    expect(token instanceof Failed ? null : revealSecret(token)).toBe('token of alex.kim@northwind.example')
  })
})
