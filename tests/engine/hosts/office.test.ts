import { VirtualTimeScheduler } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { Log } from '../../../effects/ports.ts'
import type { Hosted } from '../../../src/engine/hosts/chooseHost.ts'
import { type OfficeWindow, createOfficeProvider } from '../../../src/engine/hosts/office.ts'
import { type OfficeLibrary, createOfficeClient } from '../../../src/engine/hosts/officeClient.ts'
import type { Reply } from '../../../src/engine/hosts/mailClient.ts'
import { type Failure, toFailure } from '../../../streams/kernel/failure.ts'

type Properties = Record<string, unknown>
type Item = { subject: unknown; conversationId?: string | null; itemId?: string; [call: string]: unknown }
type Callback = (result: unknown) => void

const succeeded = (value: unknown) => ({ status: 'succeeded', value })
const silentLog: Log = { warn: () => undefined, error: () => undefined }

/** As much of the library as starting and telling one item from another needs. */
function fakeOffice(options: { host?: string | null; starts?: boolean } = {}) {
  const { host = 'Outlook', starts = true } = options
  let changed: () => void = () => undefined
  const mailbox = {
    item: { subject: {}, conversationId: null } as Item | null,
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

/** A page with the library's script in it, and what the provider makes of it in virtual time. */
function page(options: { script?: boolean; office?: OfficeLibrary } = {}) {
  const scheduler = new VirtualTimeScheduler()
  const script = new EventTarget()
  const history = Object.create({ pushState: () => 'push', replaceState: () => 'replace' }) as History
  Object.assign(history, { pushState: null, replaceState: null })
  const window = {
    document: { querySelector: () => (options.script === false ? null : script) },
    history,
    Office: options.office,
  } as { Office?: OfficeLibrary } & Omit<OfficeWindow, 'Office'>
  const outcome: { at: number; hosted?: Hosted | null; failure?: Failure }[] = []
  createOfficeProvider({ window, time: { scheduler }, log: silentLog })
    .resolve()
    .subscribe({
      next: (hosted) => outcome.push({ at: scheduler.now(), hosted }),
      error: (error: unknown) => outcome.push({ at: scheduler.now(), failure: toFailure(error) }),
    })
  return { scheduler, script, window, history, outcome }
}

describe('the Outlook host, starting', () => {
  test('[HOST-1] is there when the library says that it runs in Outlook', () => {
    const { outcome } = page({ office: fakeOffice().office })
    expect(outcome).toMatchObject([
      { at: 0, hosted: { host: { name: 'outlook', displayLanguage: 'de-DE' } } },
    ])
  })

  test('waits for a script that is still on its way', () => {
    const { scheduler, script, window, outcome } = page()
    scheduler.schedule(() => {
      window.Office = fakeOffice().office
      script.dispatchEvent(new Event('load'))
    }, 4_000)
    scheduler.flush()
    expect(outcome).toMatchObject([{ at: 4_000, hosted: { host: { name: 'outlook' } } }])
  })

  test.each(['Word', null])('is not there when the library runs in %s', (host) => {
    const { outcome, history } = page({ office: fakeOffice({ host }).office })
    expect(outcome).toEqual([{ at: 0, hosted: null }])
    expect(history.pushState(null, '')).toBe('push')
  })

  test('is not there in a page without the library, and no time is lost', () => {
    expect(page({ script: false }).outcome).toEqual([{ at: 0, hosted: null }])
  })

  test('fails at once when the library cannot be loaded', () => {
    const { script, outcome } = page()
    script.dispatchEvent(new Event('error'))
    expect(outcome).toEqual([{ at: 0, failure: { kind: 'network' } }])
  })

  test.each<[string, OfficeLibrary | undefined]>([
    ['loads', undefined],
    ['starts', fakeOffice({ starts: false }).office],
  ])('leaves it to its time limit when the library never %s', (_, office) => {
    const { scheduler, outcome } = page(office ? { office } : {})
    scheduler.flush()
    expect(outcome).toEqual([])
  })

  test('gives the history back that the library has taken away', () => {
    const { history } = page({ office: fakeOffice().office })
    expect([history.pushState(null, ''), history.replaceState(null, '')]).toEqual(['push', 'replace'])
  })
})

describe('the Outlook host, telling one item from another', () => {
  const opened = (context: object = {}) => {
    const { office, mailbox, changeItem } = fakeOffice()
    Object.assign(office.context, context)
    const logged: string[] = []
    const client = createOfficeClient(office, { ...silentLog, warn: (action) => void logged.push(action) })
    return { client, mailbox, changeItem, logged, key: () => client.currentItem()?.key }
  }

  test('[HOST-3] the item that Outlook tells of is another one, even if it looks the same', () => {
    const { key, changeItem } = opened()
    const before = key()
    expect(key()).toBe(before)
    changeItem()
    expect(key()).not.toBe(before)
  })

  test('a new message that gets its conversation when it is saved stays the same', () => {
    const { key, mailbox } = opened()
    const before = key()
    mailbox.item = { subject: {}, conversationId: 'c' }
    expect(key()).toBe(before)
  })

  test('[INS-4] another conversation is another item, though Outlook said nothing', () => {
    const { key, mailbox } = opened()
    mailbox.item = { subject: {}, conversationId: 'c' }
    const before = key()
    mailbox.item = { subject: {}, conversationId: 'd' }
    expect(key()).not.toBe(before)
  })

  test('there is none while Outlook has none, and a received one is read', () => {
    const { client, mailbox } = opened()
    mailbox.item = null
    expect(client.currentItem()).toBeNull()
    mailbox.item = { subject: 'RE: Offer', itemId: 'i' }
    expect(client.currentItem()?.mode).toBe('read')
  })

  test('Outlook is asked once for each item to tell of its recipients, however often anybody listens', () => {
    const { client, mailbox, changeItem } = opened()
    const asked: (Item | null)[] = []
    const listening = (item: Item): Item => ({
      ...item,
      addHandlerAsync: (_: string, __: unknown, done: Callback) => {
        asked.push(mailbox.item)
        done(succeeded(null))
      },
    })
    mailbox.item = listening({ subject: {}, conversationId: 'c' })
    const first = mailbox.item
    client.on('RecipientsChanged', () => undefined)()
    client.on('RecipientsChanged', () => undefined)
    mailbox.item = listening({ subject: {}, conversationId: 'd' })
    changeItem()
    expect(asked).toEqual([first, mailbox.item])
  })

  test('[HOST-4] an Outlook that cannot tell of recipients still tells of the next item', () => {
    const { client, mailbox, changeItem, logged } = opened()
    const told: string[] = []
    mailbox.item = { subject: {}, conversationId: 'c' }
    client.on('RecipientsChanged', () => undefined)
    client.on('ItemChanged', () => told.push('item'))
    changeItem()
    expect(told).toEqual(['item'])
    expect(logged).toEqual(['recipients_not_followed', 'recipients_not_followed'])
  })

  test('[INS-4] custom properties that were loaded from one item are not saved when another is open by then', () => {
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
    const replies: Reply[] = []
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

  test('[HOST-4] what the library throws in its own callback is the answer of the call', () => {
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
    const replies: Reply[] = []
    client.call('loadCustomPropertiesAsync', {}, (reply) => replies.push(reply))
    expect(replies).toEqual([{ ok: false, error: { code: 0, name: thrown.name, message: 'm' } }])
  })

  test('its theme is the one of the start; an Outlook that tells none has none', () => {
    expect(opened().client.theme()).toBeNull()
    const officeTheme = { bodyBackgroundColor: '#1f1f1f' }
    expect(opened({ officeTheme }).client.theme()).toEqual(officeTheme)
  })

  test('reads the highest version of each requirement set', () => {
    expect(opened().client.start.requirementSets).toEqual({ Mailbox: '1.10' })
  })
})
