import { BehaviorSubject, Observable, Subject, defer, of, tap, throwError } from 'rxjs'
import type {
  Analytics,
  Api,
  Clipboard,
  Downloads,
  Identity,
  KeyValueStore,
  Locales,
  Log,
  MailHost,
  OtherPanes,
  PaneAddress,
  Pictures,
  Ports,
  Storage,
  ChunkLoader,
  ScreenLoader,
} from '../../effects/ports.ts'
import { withSessionMemory } from '../../effects/pane/sessionMemory.ts'
import type { MailClient } from '../../src/engine/hosts/mailClient.ts'
import { createPaneHost } from '../../src/engine/hosts/paneHost.ts'
import { demoMailbox } from '../../src/playground/mailbox/demo.ts'
import { type Mailbox, createMailbox } from '../../src/playground/mailbox/mailbox.ts'
import type { MailboxState } from '../../src/playground/mailbox/model.ts'
import { Failed, type Failure } from '../../streams/kernel/failure.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { type Time, now } from '../../streams/kernel/time.ts'
import type { Language } from '../../streams/wire/languages.ts'
import type { MailItem, Theme } from '../../streams/message/mailbox/events.ts'
import { HOME_PATH } from '../../streams/pane/router/rules.ts'
import { type FakeLog, fakeLog } from './log.ts'
import {
  cachedSignature,
  hostUser,
  profile,
  session,
  signaturePage,
  variableStates,
  verification,
} from './state.ts'
import { asIs } from './sanitize.ts'

// Fakes for every port in effects/ports.ts. Each call succeeds at once until a test sets other answers, and is
// recorded. The only clock is the argument.

/** From section 9 of the specification rather than from the adapter, so that the contract compares both. */
const ROAMING_CAPACITY_BYTES = 32_000

/** A subscribed call. `name` is the port and method, such as `host.setSignature`; `at` is in milliseconds. */
export type Sent = Readonly<{ name: string; args: readonly unknown[]; at: number }>

type Send = (call: Omit<Sent, 'at'>) => void

type Answer<Args extends readonly unknown[], Result> =
  Observable<Result> | ((...args: Args) => Observable<Result>)

/** One method of a port. */
export type FakeCall<Args extends readonly unknown[], Result> = ((...args: Args) => Observable<Result>) &
  Readonly<{
    /** The arguments of every call sent, oldest first. */
    calls: readonly Args[]
    /** The number of running calls, the highest number at once, and the number cancelled before an answer. */
    running: () => number
    mostAtOnce: () => number
    cancelled: () => number
    /** Sets the answers to the next calls, one each; the last one is also used for all later calls. */
    answers: (...answers: readonly [Answer<Args, Result>, ...Answer<Args, Result>[]]) => void
  }>

/** A port with fake methods; its streams and plain values stay. */
export type Faked<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Observable<infer Result>
    ? FakeCall<Args, Result>
    : Port[Name]
}

/** The answer to a failing call. */
export const failing = (failure: Failure): Observable<never> => throwError(() => new Failed(failure))

type First<Args extends readonly unknown[], Result> = (...args: Args) => Observable<Result>

function fakeCall<Args extends readonly unknown[], Result>(
  name: string,
  send: Send,
  first: First<Args, Result>,
): FakeCall<Args, Result> {
  let script: readonly Answer<Args, Result>[] = [first]
  const calls: Args[] = []
  let [running, mostAtOnce, cancelled] = [0, 0, 0]

  const answerNext = (args: Args): Observable<Result> => {
    const [answer$ = first, ...rest] = script
    if (rest.length > 0) script = rest
    return typeof answer$ === 'function' ? answer$(...args) : answer$
  }
  const call = (...args: Args) =>
    new Observable<Result>((subscriber) => {
      calls.push(args)
      send({ name, args })
      running += 1
      mostAtOnce = Math.max(mostAtOnce, running)
      let isAnswered = false
      let isOver = false
      const end = () => {
        isOver = true
        running -= 1
      }
      const answered = defer(() => answerNext(args))
        .pipe(tap({ next: () => (isAnswered = true), error: end, complete: end }))
        .subscribe(subscriber)
      return () => {
        answered.unsubscribe()
        if (isOver) return
        if (!isAnswered) cancelled += 1
        end()
      }
    })
  return Object.assign(call, {
    calls,
    running: () => running,
    mostAtOnce: () => mostAtOnce,
    cancelled: () => cancelled,
    answers: (...answers: readonly Answer<Args, Result>[]) => {
      script = answers
    },
  })
}

/** The initial answers of a port's methods, until a test sets others. */
type Answers<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Observable<infer Result>
    ? First<Args, Result>
    : never
}

export function fakePort<Port>(port: string, send: Send, answers: Answers<Port>): Faked<Port> {
  const calls = Object.entries(answers as Readonly<Record<string, First<unknown[], unknown>>>).map(
    ([name, answer]) => [name, fakeCall(`${port}.${name}`, send, answer)],
  )
  // Each method is faked under its own name.
  return Object.fromEntries(calls) as Faked<Port>
}

/** A namespace in memory. Like a browser, it keeps values as JSON and enforces the capacity. */
export type FakeKeyValue = Faked<KeyValueStore> &
  Readonly<{ content: () => Readonly<Record<string, unknown>> }>

export function fakeKeyValue(name: string, send: Send, log: Log, capacity = Infinity): FakeKeyValue {
  const kept = new Map<string, string>()
  const read = (key: string) => JSON.parse(kept.get(key) ?? 'null') as unknown
  const doing = (work: () => void) => {
    work()
    return of(undefined)
  }
  const sizeWith = (key: string, value: string) =>
    [...new Map([...kept, [key, value]])].reduce(
      (sum, entry) => sum + new TextEncoder().encode(entry.join('')).length,
      0,
    )
  return {
    ...fakePort<KeyValueStore>(name, send, {
      get: (key) => of(read(key)),
      set: (key, value) => {
        const size = sizeWith(key, JSON.stringify(value))
        if (size <= capacity) {
          kept.set(key, JSON.stringify(value))
          return of('kept')
        }
        log.error('roaming_capacity_exceeded', { size, capacity })
        return of('refused')
      },
      remove: (key) => doing(() => kept.delete(key)),
      driver: () => of('fake'),
      clear: () =>
        doing(() => {
          kept.clear()
        }),
    }),
    content: () => Object.fromEntries([...kept.keys()].map((key) => [key, read(key)])),
  }
}

/** Namespaces that belong to one user. */
type PrivateStorage = 'privateRoaming' | 'privateCache' | 'privateDrafts'

export type FakeStorage = Omit<
  Storage,
  'session' | 'local' | 'kept' | 'persistent' | 'roaming' | PrivateStorage
> &
  Readonly<{
    session: FakeKeyValue
    local: FakeKeyValue
    kept: FakeKeyValue
    persistent: FakeKeyValue
    roaming: FakeKeyValue
  }> &
  Readonly<Record<PrivateStorage, (id: string) => FakeKeyValue>>

function fakeStorage(send: Send, log: Log): FakeStorage {
  const opened = new Map<string, FakeKeyValue>()
  const privately = (name: PrivateStorage, capacity?: number) => (id: string) => {
    if (typeof id !== 'string' || id === '')
      throw new Error('private roaming storage cant init without an id')
    const label = `${name}(${id})`
    const found = opened.get(label) ?? fakeKeyValue(label, send, log, capacity)
    opened.set(label, found)
    return found
  }
  return {
    session: fakeKeyValue('session', send, log),
    local: fakeKeyValue('local', send, log),
    kept: fakeKeyValue('kept', send, log),
    persistent: fakeKeyValue('persistent', send, log),
    roaming: fakeKeyValue('roaming', send, log, ROAMING_CAPACITY_BYTES),
    privateRoaming: privately('privateRoaming', ROAMING_CAPACITY_BYTES),
    privateCache: privately('privateCache'),
    privateDrafts: privately('privateDrafts'),
  }
}

/** An address bar in which every navigation succeeds at once. It starts at `home`, as in the pane. */
export type FakeAddress = PaneAddress & Readonly<{ path$: BehaviorSubject<string>; gone: readonly string[] }>

export function fakeAddress(home = HOME_PATH): FakeAddress {
  const path$ = new BehaviorSubject<string>(home)
  const gone: string[] = []
  return {
    path$,
    gone,
    go(path) {
      gone.push(path)
      if (path !== path$.value) path$.next(path)
    },
  }
}

type IdentityCalls = Omit<Identity, 'method' | 'account'>

type HostCalls = Omit<
  MailHost,
  'about' | 'item$' | 'recipientsChanged$' | 'theme$' | 'name' | 'displayLanguage' | 'roaming'
>

export type FakeHost = Faked<HostCalls> &
  Readonly<{
    name: MailHost['name']
    displayLanguage: string
    about: MailHost['about']
    roaming: MailHost['roaming']
    item$: BehaviorSubject<MailItem | null>
    recipientsChanged$: Subject<void>
    theme$: BehaviorSubject<Theme | null>
  }>

/** A mail client with empty answers that stores only each item's signature and session data. */
function fakeHost(send: Send): FakeHost {
  const done = () => of(undefined)
  const signatures = new Map<string, string>()
  const sessions = new Map<string, Readonly<Record<string, string>>>()
  return {
    name: 'simulated',
    displayLanguage: 'en-US',
    about: { version: null, platform: null, requirementSets: { Mailbox: '1.15' } },
    roaming: {},
    item$: new BehaviorSubject<MailItem | null>(null),
    recipientsChanged$: new Subject<void>(),
    theme$: new BehaviorSubject<Theme | null>(null),
    ...fakePort<HostCalls>('host', send, {
      user: () => of(hostUser()),
      composeType: () => of('newMail'),
      isSaved: () => of(false),
      bodyType: () => of('html'),
      from: () => of(null),
      recipients: () => of({ to: [], cc: [] }),
      body: (itemKey) => of(signatures.get(itemKey) ?? ''),
      attachments: () => of([]),
      clientSignature: () => of(false),
      customProperties: () => of({}),
      sessionData: (itemKey, name) => of(sessions.get(itemKey)?.[name] ?? null),
      allSessionData: (itemKey) => of(sessions.get(itemKey) ?? {}),
      setBody: done,
      disableClientSignature: done,
      setSignature: (itemKey, content) => {
        signatures.set(itemKey, content)
        return done()
      },
      addInlineImage: (_itemKey, _base64, name) => of(`id-${name}`),
      removeAttachment: done,
      saveCustomProperties: done,
      setSessionData: (itemKey, name, value) => {
        sessions.set(itemKey, { ...sessions.get(itemKey), [name]: value })
        return done()
      },
      saveRoaming: done,
      showNotice: done,
      dismissNotice: done,
      showLaunchNotice: done,
      dismissLaunchNotice: done,
    }),
  }
}

/** A fake for every port. */
export type FakePorts = Omit<
  Ports,
  | 'host'
  | 'identity'
  | 'otherPanes'
  | 'api'
  | 'storage'
  | 'locales'
  | 'chunks'
  | 'screen'
  | 'address'
  | 'connection'
  | 'log'
> &
  Readonly<{
    host: FakeHost
    identity: Faked<IdentityCalls> & Pick<Identity, 'method' | 'account'>
    otherPanes: Faked<Pick<OtherPanes, 'tellSignedOut'>> & Readonly<{ signedOut$: Subject<string> }>
    api: Faked<Api>
    storage: FakeStorage
    pictures: Faked<Pictures>
    analytics: Faked<Analytics>
    locales: Faked<Pick<Locales, 'load'>> & Readonly<{ fallback: Language }>
    chunks: Faked<ChunkLoader>
    screen: Faked<ScreenLoader>
    clipboard: Faked<Clipboard>
    downloads: Faked<Downloads>
    connection: Readonly<Record<'lost$' | 'back$', Subject<void>>>
    address: FakeAddress
    log: FakeLog
    /** Every call to any port except address and log, in order of sending. */
    sent: readonly Sent[]
  }>

export function fakePorts(time: Time, runtimeId = 'runtime'): FakePorts {
  const sent: Sent[] = []
  const log = fakeLog()
  const send: Send = (call) => sent.push({ ...call, at: now(time) })
  return {
    sent,
    host: fakeHost(send),
    identity: {
      method: () => 'mailClient',
      account: () => 'alex.kim@northwind.example',
      ...fakePort<IdentityCalls>('identity', send, {
        accessToken: () => of(createSecret('identity-token')),
        signOut: () => of(undefined),
      }),
    },
    otherPanes: {
      signedOut$: new Subject<string>(),
      ...fakePort<Pick<OtherPanes, 'tellSignedOut'>>('otherPanes', send, {
        tellSignedOut: () => of(undefined),
      }),
    },
    api: fakePort<Api>('api', send, {
      verify: () => of(verification()),
      renew: () => of(session()),
      user: () => of(profile()),
      variableStates: () => of(variableStates()),
      photo: () => of(null),
      savePhoto: () => of('https://cdn.northwind.example/photos/alex.png'),
      deletePhoto: () => of(undefined),
      signature: () => of(cachedSignature()),
      signatures: ({ page }) => of(signaturePage(page)),
      delegatedSignatures: ({ page }) => of(signaturePage(page, 0)),
      saveDefaultSignature: () => of(undefined),
      variableDefinitions: () => of([]),
      variableValues: () => of({}),
      saveVariables: ({ values }) => of({ values, changedFields: [] }),
      subscription: () => of('basic'),
      maintenance: () => of(null),
      probe: () => of({ status: 200, date: now(time) }),
      configuration: () => of({ allowDefaultSignature: true }),
      sendTelemetry: () => of(undefined),
    }),
    storage: fakeStorage(send, log),
    pictures: fakePort<Pictures>('pictures', send, {
      open: () => of({ dataUrl: 'data:image/png;base64,d2hvbGU=', width: 900, height: 600 }),
      crop: () => of({ dataUrl: 'data:image/png;base64,aW1hZ2U=', type: 'image/png', size: 5, edge: 512 }),
    }),
    analytics: fakePort<Analytics>('analytics', send, { track: () => of(undefined) }),
    connection: { lost$: new Subject<void>(), back$: new Subject<void>() },
    clipboard: fakePort<Clipboard>('clipboard', send, { write: () => of(undefined) }),
    downloads: fakePort<Downloads>('downloads', send, { saveLog: () => of(undefined) }),
    chunks: fakePort<ChunkLoader>('chunks', send, { load: () => of(undefined) }),
    screen: {
      openedAt: now(time),
      ...fakePort<Pick<ScreenLoader, 'load'>>('screen', send, { load: () => of(undefined) }),
    },
    locales: {
      fallback: 'en',
      ...fakePort<Pick<Locales, 'load'>>('locales', send, { load: () => of(undefined) }),
    },
    address: fakeAddress(),
    sanitizer: () => of(asIs),
    platform: {
      package: { name: 'signet', version: '0.0.0' },
      context: { platform: 'test', language: 'en' },
      beta: false,
      navigator: { userAgent: 'test', language: 'en' },
    },
    noticeText: ({ kind, signature, reply }) => of(`${kind}: ${signature}${reply ? ' (reply)' : ''}`),
    runtimeId,
    time,
    log,
  }
}

/** The fakes, but with the real mail host and identity on top of the mailbox model. */
export type MailboxPorts = Omit<FakePorts, 'host' | 'identity'> & Pick<Ports, 'host' | 'identity'>

export function mailboxPorts(
  time: Time,
  initial: MailboxState = demoMailbox(),
): Readonly<{ mailbox: Mailbox; ports: MailboxPorts }> {
  const mailbox = demoMailboxAt(time, initial)
  return { mailbox, ports: portsOver(time, mailbox.client) }
}

/** The mailbox model with an identity provider that always answers. */
export const demoMailboxAt = (time: Time, initial: MailboxState): Mailbox =>
  createMailbox(initial, { time, accessToken: (email) => of(`token of ${email}`) })

/** An application's ports on a mail client that other applications may share. */
export function portsOver(time: Time, client: MailClient, runtimeId?: string): MailboxPorts {
  const fakes = fakePorts(time, runtimeId)
  const { host, identity } = createPaneHost(client, { name: 'simulated', time, log: fakes.log })
  return { ...fakes, host: withSessionMemory(host), identity }
}

/** A call that never answers and never ends. */
export const silent$ = new Observable<never>()
