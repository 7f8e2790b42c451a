/// <reference types="office-js" />
import type {
  Address,
  CallArguments,
  CallError,
  CallName,
  ClientStart,
  BodyType,
  MailClient,
  MailItem,
  NotificationMessage,
} from '../../engine/hosts/mailClient.ts'
import type { OfficeLibrary } from '../../engine/hosts/officeClient.ts'
import { EVENT_TYPES, EVENTS } from './wire.ts'

// An `Office` over a mail client of the playground, for the launch program, which Outlook starts by itself. It behaves
// like Microsoft's library, but has only the part of the library that Signet uses.

/** The storage of a runtime for texts (`OfficeRuntime.storage`). A promise rejects when the text cannot be stored. */
export type RuntimeStorage = Readonly<{
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
}>

export type HandlerEvent = Readonly<Record<string, unknown>> &
  Readonly<{ completed(options?: unknown): void }>

/** The calls without arguments. */
type PlainCallName = {
  [Name in CallName]: Record<never, never> extends CallArguments<Name> ? Name : never
}[CallName]
type Result = Readonly<{ status: string; value?: unknown; error?: CallError; asyncContext?: unknown }>
type Callback = (result: Result) => void

const ENUMS = {
  AsyncResultStatus: { Succeeded: 'succeeded', Failed: 'failed' },
  CoercionType: { Html: 'html', Text: 'text' },
  EventType: EVENT_TYPES,
  HostType: { Outlook: 'Outlook' },
  PlatformType: { PC: 'PC', OfficeOnline: 'OfficeOnline', Mac: 'Mac', iOS: 'iOS', Android: 'Android' },
  MailboxEnums: {
    ItemNotificationMessageType: {
      InformationalMessage: 'informationalMessage',
      ProgressIndicator: 'progressIndicator',
      ErrorMessage: 'errorMessage',
      InsightMessage: 'insightMessage',
    },
    ActionType: { ShowTaskPane: 'showTaskPane' },
    ComposeType: { NewMail: 'newMail', Reply: 'reply', Forward: 'forward' },
    RecipientType: { Other: 'other', DistributionList: 'distributionList', User: 'user' },
  },
}

/** The library's errors about arguments, which it throws at once. */
const argumentError = (name: string, parameter: string) =>
  Object.assign(new Error(`Sys.${name}: ${parameter}`), { name: `Sys.${name}`, paramName: parameter })

function checkedText(value: unknown, parameter: string, limit = Number.POSITIVE_INFINITY): string {
  if (typeof value !== 'string') throw argumentError('ArgumentTypeException', parameter)
  if (value.length > limit) throw argumentError('ArgumentOutOfRangeException', parameter)
  return value
}

/** The library's limits, in characters. */
const NOTICE = { key: 32, message: 150, actionText: 30 } as const

/** Checks a notice as the library does: each type of notice has its own properties. */
function checkedNotice(notice: NotificationMessage): NotificationMessage {
  const { type, message, icon, persistent, actions } = notice
  checkedText(message, 'message', NOTICE.message)
  if (type === 'informationalMessage') {
    checkedText(icon, 'icon')
    if (typeof persistent !== 'boolean') throw argumentError('ArgumentTypeException', 'persistent')
    if (actions !== undefined) throw argumentError('ArgumentException', 'actions')
    return notice
  }
  if (persistent !== undefined) throw argumentError('ArgumentException', 'persistent')
  if (type !== 'insightMessage') {
    if (icon !== undefined || actions !== undefined) throw argumentError('ArgumentException', 'icon')
    return notice
  }
  checkedText(icon, 'icon')
  const [action, ...others] = actions ?? []
  if (!action || others.length > 0) throw argumentError('ArgumentException', 'actions')
  const { actionType, actionText, commandId } = action
  checkedText(commandId, 'commandId')
  checkedText(actionText, 'actionText', NOTICE.actionText)
  return { ...notice, actions: [{ actionType, actionText, commandId }] }
}

/** A method's last arguments: options and a callback, or one of them, or none. */
const lastArguments = (rest: readonly unknown[]) => ({
  options: (rest.find((value) => typeof value === 'object' && value !== null) ?? {}) as Readonly<
    Record<string, unknown>
  >,
  callback: rest.find((value): value is Callback => typeof value === 'function'),
})

/** `storage` is that of classic Outlook's runtime; it is left out on the web. */
export function createOfficeFacade(storage?: RuntimeStorage) {
  let client: MailClient | null = null
  const handlers = new Map<string, (event: HandlerEvent) => void>()
  const connected = (): MailClient => {
    if (!client) throw new Error('The mail client is not connected yet.')
    return client
  }

  /** Makes a call. The callback gets the result; `map` turns the value into the one that the library would return. */
  const invoke = <Name extends CallName>(
    name: Name,
    args: CallArguments<Name>,
    rest: readonly unknown[],
    map: (value: unknown) => unknown = (value) => value ?? undefined,
  ): void => {
    const { options, callback } = lastArguments(rest)
    const context = 'asyncContext' in options ? { asyncContext: options['asyncContext'] } : {}
    const { Succeeded, Failed } = ENUMS.AsyncResultStatus
    connected().call(name, args, (reply) =>
      callback?.(
        reply.ok
          ? { ...context, status: Succeeded, value: map(reply.value) }
          : { ...context, status: Failed, value: undefined, error: { ...reply.error } },
      ),
    )
  }

  // Like the library, this passes on whatever the client answers.
  const details = (given: unknown) => {
    if (typeof given !== 'object' || given === null) return given
    const { address, name } = given as Partial<Address>
    return {
      emailAddress: address,
      displayName: name,
      recipientType: ENUMS.MailboxEnums.RecipientType.User,
    }
  }
  const eachOf = (map: (value: unknown) => unknown) => (given: unknown) =>
    Array.isArray(given) ? given.map(map) : given
  const coercionOf = (rest: readonly unknown[]): BodyType =>
    lastArguments(rest).options['coercionType'] === ENUMS.CoercionType.Html ? 'html' : 'text'

  const customProperties = (stored: unknown) => {
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return stored
    const properties = new Map<string, unknown>(Object.entries(stored))
    return {
      get: (name: string) => properties.get(name),
      set: (name: string, value: unknown) => void properties.set(name, value),
      remove: (name: string) => void properties.delete(name),
      getAll: () => Object.fromEntries(properties),
      saveAsync: (...rest: readonly unknown[]) =>
        invoke('customProperties.saveAsync', { properties: Object.fromEntries(properties) }, rest),
    }
  }

  /** Calls back with success, without a call to the client. Like the answer to a call, the callback comes later. */
  const succeedLater = (rest: readonly unknown[]) =>
    void Promise.resolve().then(() =>
      lastArguments(rest).callback?.({ status: ENUMS.AsyncResultStatus.Succeeded, value: undefined }),
    )

  /** Registers the handler of an event, and calls back. */
  const follow = (
    type: unknown,
    handler: (event: object) => void,
    rest: readonly unknown[],
    isFor: () => boolean = () => true,
  ) => {
    const name = checkedText(type, 'eventType')
    const event = EVENTS.find((each) => EVENT_TYPES[each] === name)
    if (!event) throw argumentError('ArgumentOutOfRangeException', 'eventType')
    connected().on(event, () => {
      if (isFor()) handler({ type, ...(event === 'OfficeThemeChanged' && { officeTheme: client?.theme() }) })
    })
    succeedLater(rest)
  }

  /** A method of the library that takes nothing but options and a callback. */
  const plain =
    (name: PlainCallName, map?: (value: unknown) => unknown) =>
    (...rest: readonly unknown[]) =>
      invoke(name, {}, rest, map)
  const recipientsOf = (name: 'to.getAsync' | 'cc.getAsync') => ({ getAsync: plain(name, eachOf(details)) })
  const writing =
    (name: 'body.setAsync' | 'body.setSignatureAsync') =>
    (data: string, ...rest: readonly unknown[]) =>
      invoke(name, { data: checkedText(data, 'data'), coercionType: coercionOf(rest) }, rest)

  const composed = (key: string) => ({
    // While an item is written, `subject` is an object.
    subject: {},
    body: {
      getAsync: (coercionType: BodyType, ...rest: readonly unknown[]) =>
        invoke('body.getAsync', { coercionType }, rest),
      getTypeAsync: plain('body.getTypeAsync'),
      setAsync: writing('body.setAsync'),
      setSignatureAsync: writing('body.setSignatureAsync'),
    },
    getItemIdAsync: plain('getItemIdAsync'),
    addFileAttachmentFromBase64Async: (
      base64File: string,
      attachmentName: string,
      ...rest: readonly unknown[]
    ) =>
      invoke(
        'addFileAttachmentFromBase64Async',
        {
          base64File: checkedText(base64File, 'base64File'),
          attachmentName: checkedText(attachmentName, 'attachmentName'),
          isInline: lastArguments(rest).options['isInline'] === true,
        },
        rest,
      ),
    getAttachmentsAsync: plain(
      'getAttachmentsAsync',
      eachOf((given) =>
        typeof given === 'object' && given !== null ? { ...given, attachmentType: 'file' } : given,
      ),
    ),
    removeAttachmentAsync: (attachmentId: string, ...rest: readonly unknown[]) =>
      invoke('removeAttachmentAsync', { attachmentId: checkedText(attachmentId, 'attachmentId') }, rest),
    isClientSignatureEnabledAsync: plain('isClientSignatureEnabledAsync'),
    disableClientSignatureAsync: plain('disableClientSignatureAsync'),
    sessionData: {
      getAsync: (name: string, ...rest: readonly unknown[]) =>
        invoke('sessionData.getAsync', { name: checkedText(name, 'name') }, rest),
      // Without session data Outlook answers with the text `{}`, not with an object.
      getAllAsync: plain('sessionData.getAllAsync', (all) => (JSON.stringify(all) === '{}' ? '{}' : all)),
      setAsync: (name: string, value: string, ...rest: readonly unknown[]) =>
        invoke(
          'sessionData.setAsync',
          { name: checkedText(name, 'name'), value: checkedText(value, 'value') },
          rest,
        ),
    },
    // The handler is for this item only: it gets no events once another item is open.
    addHandlerAsync: (type: unknown, handler: (event: object) => void, ...rest: readonly unknown[]) =>
      follow(type, handler, rest, () => client?.currentItem()?.key === key),
    ...ofAnyItem,
  })
  const composedMessage = (key: string) => ({
    ...composed(key),
    itemType: 'message',
    // A message has no conversation until it is saved.
    conversationId: null,
    getComposeTypeAsync: plain('getComposeTypeAsync'),
    from: { getAsync: plain('from.getAsync', details) },
    to: recipientsOf('to.getAsync'),
    cc: recipientsOf('cc.getAsync'),
  })
  /** A meeting has no conversation, no sender and no kind. */
  const composedMeeting = (key: string) => ({
    ...composed(key),
    itemType: 'appointment',
    organizer: { getAsync: plain('from.getAsync', details) },
    requiredAttendees: recipientsOf('to.getAsync'),
    optionalAttendees: recipientsOf('cc.getAsync'),
  })
  const ofAnyItem = {
    notificationMessages: {
      replaceAsync: (key: string, notice: NotificationMessage, ...rest: readonly unknown[]) =>
        invoke(
          'notificationMessages.replaceAsync',
          { key: checkedText(key, 'key', NOTICE.key), notice: checkedNotice(notice) },
          rest,
        ),
      removeAsync: (key: string, ...rest: readonly unknown[]) =>
        invoke('notificationMessages.removeAsync', { key: checkedText(key, 'key', NOTICE.key) }, rest),
    },
    loadCustomPropertiesAsync: plain('loadCustomPropertiesAsync', customProperties),
  }
  const received = (key: string, itemType: 'message' | 'appointment') => ({
    subject: '',
    itemId: key,
    itemType,
    ...ofAnyItem,
  })
  const itemOf = ({ key, mode, isMeeting }: MailItem): object => {
    if (mode === 'read') return received(key, isMeeting ? 'appointment' : 'message')
    return isMeeting ? composedMeeting(key) : composedMessage(key)
  }

  let shown: Readonly<{ key: string; item: object }> | null = null
  /** The open item. Each opening of an item creates another object. */
  const openItem = (): object | null => {
    const current = connected().currentItem()
    if (!current) return null
    if (shown?.key !== current.key) shown = { key: current.key, item: itemOf(current) }
    return shown.item
  }

  /** The settings as they were at the start, and the changes that this runtime has made to them. */
  const roamingSettings = (start: Partial<ClientStart>) => {
    const settings = new Map<string, unknown>(
      Object.entries((start.roamingSettings as object | null | undefined) ?? {}),
    )
    const changed = new Set<string>()
    const save = (names: readonly string[], rest: readonly unknown[]): void => {
      const [name, ...others] = names
      if (name === undefined) return succeedLater(rest)
      invoke('roamingSettings.saveAsync', { name, value: settings.get(name) }, [
        (result: Result) => {
          if (result.status === ENUMS.AsyncResultStatus.Succeeded && others.length > 0) save(others, rest)
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

  const getAccessToken = (options: object = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      connected().call('auth.getAccessToken', options, (reply) => {
        // Like the library, this passes on whatever the client answers.
        if (reply.ok) resolve(reply.value as string)
        else reject(Object.assign(new Error(reply.error.message), reply.error))
      })
    })

  const contextOf = (connection: MailClient) => {
    const start = (connection.start ?? {}) as Partial<ClientStart>
    return {
      displayLanguage: start.displayLanguage,
      contentLanguage: start.displayLanguage,
      host: ENUMS.HostType.Outlook,
      // `diagnostics` is missing before Mailbox 1.5.
      ...(start.diagnostics && { diagnostics: { ...start.diagnostics, host: ENUMS.HostType.Outlook } }),
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
      roamingSettings: roamingSettings(start),
      mailbox: {
        get item() {
          return openItem()
        },
        userProfile: start.user,
        diagnostics: { hostName: 'Outlook', hostVersion: start.diagnostics?.version ?? '' },
        addHandlerAsync: (type: unknown, handler: (event: object) => void, ...rest: readonly unknown[]) =>
          follow(type, handler, rest),
      },
    }
  }

  let isReady: () => void = () => undefined
  const ready = new Promise<Readonly<{ host: string; platform: string }>>((resolve) => {
    isReady = () => resolve({ host: ENUMS.HostType.Outlook, platform: ENUMS.PlatformType.OfficeOnline })
  })
  const office = {
    ...ENUMS,
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
    /** The global `Office`. Before `connect` it has only what scripts need to load: `actions`, enums and `onReady`. */
    office: office as unknown as OfficeLibrary,
    /** The global `OfficeRuntime`, which has no storage on the web. */
    officeRuntime: { auth: { getAccessToken }, ...(storage && { storage }) },
    connect: (connection: MailClient): void => {
      client = connection
      office.context = contextOf(connection)
      isReady()
    },
    /** Calls the handler that was associated with the name; returns false if there is no such handler. */
    raise: (name: string, event: HandlerEvent): boolean => {
      const handler = handlers.get(name.toUpperCase())
      if (!handler) return false
      handler(event)
      return true
    },
  }
}
