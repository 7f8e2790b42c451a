import { followOffice } from '../../../src/engine/hosts/officeEvents.ts'
import { type Observable, VirtualTimeScheduler } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { Log } from '../../../effects/ports.ts'
import type { HostWithIdentity } from '../../../src/engine/hosts/chooseHost.ts'
import { createPaneHost } from '../../../src/engine/hosts/paneHost.ts'
import { type OfficeWindow, createOfficeProvider } from '../../../src/engine/hosts/office.ts'
import type { OfficeLibrary } from '../../../src/engine/hosts/officeCalls.ts'
import { createOfficeClient } from '../../../src/engine/hosts/officeClient.ts'
import type { CallReply } from '../../../src/engine/hosts/mailClient.ts'
import { type Failure, toFailure } from '../../../streams/kernel/failure.ts'

type Properties = Record<string, unknown>
type FakeItem = { subject: unknown; conversationId?: string | null; itemId?: string; [call: string]: unknown }
type Callback = (result: unknown) => void

const succeeded = (value: unknown) => ({ status: 'succeeded', value })
const silentLog: Log = { debug: () => undefined, warn: () => undefined, error: () => undefined }

/** The part of the library that starts, and that tells one item from another. */
function fakeOffice(options: { host?: string | null; starts?: boolean } = {}) {
  const { host = 'Outlook', starts = true } = options
  let changed: () => void = () => undefined
  const mailbox = {
    item: { subject: {}, conversationId: null } as FakeItem | null,
    userProfile: { accountType: '', displayName: '', emailAddress: '', timeZone: '' },
    addHandlerAsync: (_: string, handler: () => void, done: Callback) => {
      changed = handler
      done(succeeded(null))
    },
  }
  const office = {
    HostType: { Outlook: 'Outlook' },
    EventType: { ItemChanged: 'i', RecipientsChanged: 'r' },
    AsyncResultStatus: { Succeeded: 'succeeded' },
    CoercionType: { Html: 'html' },
    context: {
      mailbox,
      displayLanguage: 'de-DE',
      requirements: {
        isSetSupported: (name: string, version: string) => name === 'Mailbox' && version <= '1.10',
      },
    },
    onReady: (ready: (info: { host: string | null }) => void) => {
      if (starts) ready({ host })
    },
  }
  return { office: office as unknown as OfficeLibrary, mailbox, changeItem: () => changed() }
}

/** A page with the library's script, and the provider's outcome in virtual time. */
function arrangePage(options: { script?: boolean; office?: OfficeLibrary } = {}) {
  const scheduler = new VirtualTimeScheduler()
  const script = new EventTarget()
  const history = Object.create({ pushState: () => 'push', replaceState: () => 'replace' }) as History
  Object.assign(history, { pushState: null, replaceState: null })
  const window = {
    document: { querySelector: () => (options.script === false ? null : script) },
    history,
    Office: options.office,
  } as { Office?: OfficeLibrary } & Omit<OfficeWindow, 'Office'>
  const outcome: { at: number; hosted?: HostWithIdentity | null; failure?: Failure }[] = []
  const resolving = createOfficeProvider({ window, time: { scheduler }, log: silentLog })
    .resolve()
    .subscribe({
      next: (hosted) => outcome.push({ at: scheduler.now(), hosted }),
      error: (error: unknown) => outcome.push({ at: scheduler.now(), failure: toFailure(error) }),
    })
  return { scheduler, script, window, history, outcome, giveUp: () => resolving.unsubscribe() }
}

describe('the Outlook provider', () => {
  test('[HOST-1] resolves when the library runs in Outlook', () => {
    const { outcome } = arrangePage({ office: fakeOffice().office })
    expect(outcome).toMatchObject([
      { at: 0, hosted: { host: { name: 'outlook', displayLanguage: 'de-DE' } } },
    ])
  })

  test('waits for a script that is still loading', () => {
    const { scheduler, script, window, outcome } = arrangePage()
    scheduler.schedule(() => {
      window.Office = fakeOffice().office
      script.dispatchEvent(new Event('load'))
    }, 4_000)
    scheduler.flush()
    expect(outcome).toMatchObject([{ at: 4_000, hosted: { host: { name: 'outlook' } } }])
  })

  test.each(['Word', null])('resolves with null when the library runs in %s', (host) => {
    const { outcome, history } = arrangePage({ office: fakeOffice({ host }).office })
    expect(outcome).toEqual([{ at: 0, hosted: null }])
    expect(history.pushState(null, '')).toBe('push')
  })

  test('resolves with null at once in a page without the library', () => {
    expect(arrangePage({ script: false }).outcome).toEqual([{ at: 0, hosted: null }])
  })

  test('fails at once when the library cannot be loaded', () => {
    const { script, outcome } = arrangePage()
    script.dispatchEvent(new Event('error'))
    expect(outcome).toEqual([{ at: 0, failure: { kind: 'network' } }])
  })

  test.each<[string, OfficeLibrary | undefined]>([
    ['loads', undefined],
    ['starts', fakeOffice({ starts: false }).office],
  ])('stays pending when the library never %s', (_, office) => {
    const { scheduler, outcome } = arrangePage(office ? { office } : {})
    scheduler.flush()
    expect(outcome).toEqual([])
  })

  test('restores the history methods that the library removes', () => {
    const { history } = arrangePage({ office: fakeOffice().office })
    expect([history.pushState(null, ''), history.replaceState(null, '')]).toEqual(['push', 'replace'])
  })

  test('restores the history methods for what comes after a library that never starts', () => {
    const { history, giveUp } = arrangePage({ office: fakeOffice({ starts: false }).office })
    expect(Object.values(history)).toEqual([null, null])
    giveUp()
    expect([history.pushState(null, ''), history.replaceState(null, '')]).toEqual(['push', 'replace'])
  })

  test('restores the history methods when the library loads after the time limit', () => {
    const { history, script, giveUp } = arrangePage()
    giveUp()
    Object.assign(history, { pushState: null, replaceState: null })
    script.dispatchEvent(new Event('load'))
    expect([history.pushState(null, ''), history.replaceState(null, '')]).toEqual(['push', 'replace'])
  })
})

describe('the Outlook client', () => {
  const opened = (context: object = {}) => {
    const { office, mailbox, changeItem } = fakeOffice()
    Object.assign(office.context, context)
    const logged: string[] = []
    const client = createOfficeClient(
      office,
      { ...silentLog, warn: (action) => void logged.push(action) },
      followOffice,
    )
    return { client, mailbox, changeItem, logged, key: () => client.currentItem()?.key }
  }

  test('[AUTO-19] a call that this Outlook does not have fails, or gives the empty result, and the next one works', () => {
    const { client, mailbox } = opened()
    mailbox.item = {
      subject: {},
      conversationId: null,
      body: { getAsync: (_: string, done: Callback) => done(succeeded('<p>Hi</p>')) },
      getComposeTypeAsync: (done: Callback) =>
        done(succeeded({ composeType: 'newMail', coercionType: 'html' })),
    }
    const scheduler = new VirtualTimeScheduler()
    const { host } = createPaneHost(client, { name: 'outlook', time: { scheduler }, log: silentLog })
    const key = client.currentItem()?.key ?? ''
    const outcome = (call$: Observable<unknown>) => {
      const all: unknown[] = []
      call$.subscribe({
        next: (value) => all.push(value),
        error: (error: unknown) => all.push(toFailure(error)),
      })
      return all
    }
    expect(outcome(host.bodyType(key))).toEqual(['html'])
    expect(outcome(host.attachments(key))).toEqual([null])
    expect(outcome(host.allSessionData(key))).toEqual([null])
    expect(outcome(host.setBody(key, '', 'html'))).toMatchObject([{ kind: 'host', call: 'body.setAsync' }])
    expect(outcome(host.body(key, 'html'))).toEqual(['<p>Hi</p>'])
  })

  test('[HOST-3] counts the item after ItemChanged as another one, even if it looks the same', () => {
    const { key, changeItem } = opened()
    const before = key()
    expect(key()).toBe(before)
    changeItem()
    expect(key()).not.toBe(before)
  })

  test('keeps the key of a new message that gets its conversation at its first save', () => {
    const { key, mailbox } = opened()
    const before = key()
    mailbox.item = { subject: {}, conversationId: 'c' }
    expect(key()).toBe(before)
  })

  test('[INS-4] counts another conversation as another item, also without ItemChanged', () => {
    const { key, mailbox } = opened()
    mailbox.item = { subject: {}, conversationId: 'c' }
    const before = key()
    mailbox.item = { subject: {}, conversationId: 'd' }
    expect(key()).not.toBe(before)
  })

  test('has no item while Outlook has none, and reads a received one', () => {
    const { client, mailbox } = opened()
    mailbox.item = null
    expect(client.currentItem()).toBeNull()
    mailbox.item = { subject: 'RE: Offer', itemId: 'i' }
    expect(client.currentItem()?.mode).toBe('read')
  })

  test('follows the recipients of each item once, with any number of listeners', () => {
    const { client, mailbox, changeItem } = opened()
    const followed: (FakeItem | null)[] = []
    const listening = (item: FakeItem): FakeItem => ({
      ...item,
      addHandlerAsync: (_: string, __: unknown, done: Callback) => {
        followed.push(mailbox.item)
        done(succeeded(null))
      },
    })
    mailbox.item = listening({ subject: {}, conversationId: 'c' })
    const first = mailbox.item
    client.on('RecipientsChanged', () => undefined)()
    client.on('RecipientsChanged', () => undefined)
    mailbox.item = listening({ subject: {}, conversationId: 'd' })
    changeItem()
    expect(followed).toEqual([first, mailbox.item])
  })

  test('[HOST-4] announces the next item also where Outlook cannot follow recipients', () => {
    const { client, mailbox, changeItem, logged } = opened()
    const events: string[] = []
    mailbox.item = { subject: {}, conversationId: 'c' }
    client.on('RecipientsChanged', () => undefined)
    client.on('ItemChanged', () => events.push('item'))
    changeItem()
    expect(events).toEqual(['item'])
    expect(logged).toEqual(['recipients_not_followed', 'recipients_not_followed'])
  })

  test('[INS-4] saves no custom properties that were loaded from another item', () => {
    const { client, mailbox, changeItem } = opened()
    const saved: Properties[] = []
    const loading: Callback[] = []
    mailbox.item = {
      subject: {},
      loadCustomPropertiesAsync: (done: Callback) => void loading.push(done),
    }
    const kept: Properties = { old: 1 }
    const loaded = succeeded({
      getAll: () => kept,
      set: (name: string, value: unknown) => (kept[name] = value),
      remove: (name: string) => Reflect.deleteProperty(kept, name),
      saveAsync: (done: Callback) => {
        saved.push({ ...kept })
        done(succeeded(null))
      },
    })
    const replies: CallReply<unknown>[] = []
    const save = () =>
      client.call('customProperties.saveAsync', { properties: { stop: true } }, (r) => replies.push(r))

    save()
    changeItem()
    loading.shift()?.(loaded)
    expect(replies).toMatchObject([{ ok: false, error: { code: 9030 } }])
    expect(saved).toEqual([])

    save()
    loading.shift()?.(loaded)
    expect(saved).toEqual([{ stop: true }])
  })

  test('[HOST-4] replies with an error that the library throws in its own callback', () => {
    const { client, mailbox } = opened()
    const thrown = Object.assign(new Error('m'), { name: 'Sys.ArgumentOutOfRangeException' })
    mailbox.item = {
      subject: {},
      loadCustomPropertiesAsync: (done: Callback) =>
        done(
          succeeded({
            getAll: () => {
              throw thrown
            },
          }),
        ),
    }
    const replies: CallReply<unknown>[] = []
    client.call('loadCustomPropertiesAsync', {}, (reply) => replies.push(reply))
    expect(replies).toEqual([{ ok: false, error: { code: 0, name: thrown.name, message: 'm' } }])
  })

  test('has the theme of the start, and null where Outlook provides none', () => {
    expect(opened().client.theme()).toBeNull()
    const officeTheme = { bodyBackgroundColor: '#1f1f1f' }
    expect(opened({ officeTheme }).client.theme()).toEqual(officeTheme)
  })

  test('reads the highest version of each requirement set', () => {
    expect(opened().client.start).toMatchObject({ requirementSets: { Mailbox: '1.10' } })
  })
})
