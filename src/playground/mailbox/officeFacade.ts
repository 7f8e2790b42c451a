/// <reference types="office-js" />
import type { ClientStart, MailClient } from '../../engine/hosts/mailClient.ts'
import type { OfficeLibrary } from '../../engine/hosts/officeCalls.ts'
import { lastArguments, type LibraryResult } from './facadeArguments.ts'
import { createFacadeCalls, LIBRARY_ENUMS, type FacadeCalls } from './facadeCalls.ts'
import { createFacadeItems } from './facadeItems.ts'

// An `Office` for the launch program, which Outlook starts without a pane. It behaves like Microsoft's library, but has
// only the parts that Signet uses, and calls the playground's mail client.

/** A runtime's storage for texts (`OfficeRuntime.storage`). A promise rejects if the text cannot be stored. */
export type RuntimeStorage = Readonly<{
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
}>

export type HandlerEvent = Readonly<Record<string, unknown>> &
  Readonly<{ completed(options?: unknown): void }>

/** Creates the roaming settings: the values at the start, with this runtime's changes. */
function createRoamingSettings(start: Partial<ClientStart>, { invoke, succeedLater }: FacadeCalls) {
  const settings = new Map<string, unknown>(
    Object.entries((start.roamingSettings as object | null | undefined) ?? {}),
  )
  const changed = new Set<string>()
  const save = (names: readonly string[], rest: readonly unknown[]): void => {
    const [name, ...others] = names
    if (name === undefined) return succeedLater(rest)
    invoke('roamingSettings.saveAsync', { name, value: settings.get(name) }, [
      (result: LibraryResult) => {
        if (result.status === LIBRARY_ENUMS.AsyncResultStatus.Succeeded && others.length > 0)
          save(others, rest)
        else lastArguments(rest).callback?.(result)
      },
    ])
  }
  return {
    get: (name: string) => settings.get(name),
    set(name: string, value: unknown) {
      settings.set(name, value)
      changed.add(name)
    },
    remove(name: string) {
      settings.delete(name)
      changed.add(name)
    },
    saveAsync(...rest: readonly unknown[]) {
      const names = [...changed]
      changed.clear()
      save(names, rest)
    },
  }
}

/** Creates the globals of a runtime. `storage` is for classic Outlook's runtime; leave it out on the web. */
export function createOfficeFacade(storage?: RuntimeStorage) {
  let client: MailClient | null = null
  const handlers = new Map<string, (event: HandlerEvent) => void>()
  const connected = (): MailClient => {
    if (!client) throw new Error('The mail client is not connected yet.')
    return client
  }
  const calls = createFacadeCalls(connected)
  const itemOf = createFacadeItems(calls, (key) => client?.currentItem()?.key === key)

  let shown: Readonly<{ key: string; item: object }> | null = null
  /** The open item. Each opening creates a new object. */
  const openItem = (): object | null => {
    const current = connected().currentItem()
    if (!current) return null
    if (shown?.key !== current.key) shown = { key: current.key, item: itemOf(current) }
    return shown.item
  }

  const getAccessToken = (options: object = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      connected().call('auth.getAccessToken', options, (reply) => {
        // Like the library, this passes on the client's answer unchecked.
        if (reply.ok) resolve(reply.value as string)
        else reject(Object.assign(new Error(reply.error.message), reply.error))
      })
    })

  const contextOf = (connection: MailClient) => {
    const start = (connection.start ?? {}) as Partial<ClientStart>
    return {
      displayLanguage: start.displayLanguage,
      contentLanguage: start.displayLanguage,
      host: LIBRARY_ENUMS.HostType.Outlook,
      // `diagnostics` is missing before Mailbox 1.5.
      ...(start.diagnostics && {
        diagnostics: { ...start.diagnostics, host: LIBRARY_ENUMS.HostType.Outlook },
      }),
      get officeTheme() {
        return connection.theme() ?? undefined
      },
      requirements: {
        isSetSupported: (name: string, version = '1.1') => {
          const supported: unknown = start.requirementSets?.[name]
          const [major = 0, minor = 0] = typeof supported === 'string' ? supported.split('.').map(Number) : []
          const [wantedMajor = 1, wantedMinor = 0] = version.split('.').map(Number)
          return major === wantedMajor ? minor >= wantedMinor : major > wantedMajor
        },
      },
      roamingSettings: createRoamingSettings(start, calls),
      mailbox: {
        get item() {
          return openItem()
        },
        userProfile: start.user,
        diagnostics: { hostName: 'Outlook', hostVersion: start.diagnostics?.version ?? '' },
        addHandlerAsync: (type: unknown, handler: (event: object) => void, ...rest: readonly unknown[]) =>
          calls.follow(type, handler, rest),
      },
    }
  }

  let isReady: () => void = () => undefined
  const ready = new Promise<Readonly<{ host: string; platform: string }>>((resolve) => {
    isReady = () =>
      resolve({ host: LIBRARY_ENUMS.HostType.Outlook, platform: LIBRARY_ENUMS.PlatformType.OfficeOnline })
  })
  const office = {
    ...LIBRARY_ENUMS,
    actions: {
      associate: (name: string, handler: (event: HandlerEvent) => void) =>
        void handlers.set(name.toUpperCase(), handler),
    },
    auth: { getAccessToken },
    onReady: (callback?: (info: object) => void) => {
      if (callback) void ready.then(callback)
      return ready
    },
    context: undefined as unknown,
  }

  return {
    /**
     * The global `Office`. Before `connect` it has only the members needed to load scripts: `actions`, enums and
     * `onReady`.
     */
    office: office as unknown as OfficeLibrary,
    /** The global `OfficeRuntime`. On the web it has no storage. */
    officeRuntime: { auth: { getAccessToken }, ...(storage && { storage }) },
    connect: (connection: MailClient): void => {
      client = connection
      office.context = contextOf(connection)
      isReady()
    },
    /** Calls the handler associated with the name; returns false if there is none. */
    raise: (name: string, event: HandlerEvent): boolean => {
      const handler = handlers.get(name.toUpperCase())
      if (!handler) return false
      handler(event)
      return true
    },
  }
}
