import type {
  CallError,
  CallName,
  ClientEvent,
  BodyType,
  NotificationMessage,
  Reply,
} from '../../engine/hosts/mailClient.ts'
import type { Mailbox } from './mailbox.ts'
import { type MailboxState, attachmentDetails, currentItem, openItem } from './model.ts'
import { EVENT_TYPES, EVENTS, type Incoming, type Receiver, type Target } from './wire.ts'

// Outlook's side of the protocol with Microsoft's client library: JSON texts through `postMessage`. A request has the
// library's own names and numbers. An unknown request is answered as not supported, which the library reports as error
// 5000.

/**
 * The library reads these ids from the frame's `name`. They are arbitrary, but each frame of a page needs ids of its
 * own, because the library keeps them in the session storage.
 */
const conversationOf = (frame: string) => `signet-conversation-${frame}`
const controlOf = (frame: string) => `signet-${frame}`
const PANE = 'pane'
/** The number by which the library knows Outlook on the web. */
const OUTLOOK_WEB_APP = 64

type Request = Readonly<{
  _messageType: 0
  /** 0 makes a call, 1 adds an event handler, and 2 removes one. */
  _actionType: 0 | 1 | 2
  _actionName: string
  _conversationId: string
  _correlationId: number
  _data: unknown
}>

/** A frame's name, by which its library finds the host. Set the name before the address. `frame` tells frames apart. */
export const officeFrameName = ({
  hostOrigin,
  displayLanguage,
  frame = PANE,
}: Readonly<{ hostOrigin: string; displayLanguage: string; frame?: string }>): string =>
  JSON.stringify({
    baseFrameName: controlOf(frame),
    hostInfo: `Outlook$Web$16.01$${displayLanguage}$signet-session$$$0`,
    xdmInfo: `${conversationOf(frame)}|${controlOf(frame)}|${hostOrigin}`,
    serializerVersion: 1,
    flights: '[]',
  })

// ---- Data for the start and for each change of item ----

const ITEM_TYPE = { read: 1, readMeeting: 2, compose: 4, composeMeeting: 5, none: 6 } as const
const READ_WRITE_ITEM = 3

const userOf = (state: MailboxState) => state.accounts.find(({ address }) => address === state.person)

/** What the library reads at its start and when the item changes. It takes the user profile from here, too. */
const hostData = (state: MailboxState, itemType: number): Record<string, unknown> => {
  const account = userOf(state)
  return {
    permissionLevel: READ_WRITE_ITEM,
    itemType,
    userDisplayName: account?.name ?? '',
    userEmailAddress: account?.address ?? '',
    userTimeZone: account?.timeZone ?? '',
    userProfileType: account?.accountType ?? '',
    hostVersion: '20261120.01',
    owaView: 'ThreeColumns',
  }
}

/** The open item in the library's terms; null if no item is open. */
const itemData = (state: MailboxState): Record<string, unknown> | null => {
  const current = currentItem(state)
  const item = current && openItem(state)
  if (!item) return null
  const { mode, isMeeting } = current
  const shared = {
    ...hostData(state, ITEM_TYPE[isMeeting ? (`${mode}Meeting` as const) : mode]),
    // A meeting has no conversation, and a new message none until it is saved.
    conversationId:
      isMeeting || (item.mode === 'compose' && item.kind === 'newMail') ? null : `conversation-of-${item.id}`,
    isRestIdSupported: true,
    isFromSharedFolder: false,
    timeZoneOffsets: null,
  }
  if (item.mode === 'compose') return shared
  return {
    ...shared,
    id: item.id,
    subject: item.subject,
    normalizedSubject: item.subject,
    from: item.from,
    sender: item.from,
    to: item.to,
    cc: item.cc,
    bcc: [],
    ...(isMeeting && { organizer: item.from }),
    itemClass: isMeeting ? 'IPM.Appointment' : 'IPM.Note',
    attachments: item.attachments.map(attachmentDetails),
  }
}

const appContext = (
  state: MailboxState,
  control: string,
  roamingSettings: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const account = userOf(state)
  return {
    _id: control,
    _appName: OUTLOOK_WEB_APP,
    _appVersion: '16.01',
    _appMinorVersion: 0,
    _appUILocale: account?.displayLanguage ?? 'en-US',
    _dataLocale: account?.displayLanguage ?? 'en-US',
    _docUrl: '',
    _clientMode: 0,
    _reason: 1,
    _osfControlType: 0,
    _eToken: '',
    _correlationId: 'signet-session',
    _appInstanceId: control,
    _hostFullVersion: '16.01',
    _addinName: 'Signet',
    _settings: Object.fromEntries(
      Object.entries(roamingSettings).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
    _requirementMatrix: JSON.stringify(state.requirementSets),
  }
}

// ---- Calls, by their numbers ----

type Params = Readonly<Record<string, unknown>>
type WireCall = Readonly<{
  name: CallName
  args: (params: Params) => Params
  answer: (value: unknown) => unknown
}>

const call = (
  name: CallName,
  args: WireCall['args'] = () => ({}),
  answer: WireCall['answer'] = (value) => value,
): WireCall => ({ name, args, answer })

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const coercion = ({ coercionType }: Params): Readonly<{ coercionType: BodyType }> => ({
  coercionType: coercionType === 3 ? 'html' : 'text',
})
const written = (params: Params): Params => ({ data: text(params['data']), ...coercion(params) })
const none = () => ({})

const USER = 2
const recipient = (value: unknown) => ({ ...(value as object), recipientType: USER })
const recipients = (value: unknown) => (value as readonly unknown[]).map(recipient)
/**
 * The calls for recipients, by the number of the field (`to` by default): all these calls have one dispatch id. Required
 * attendees have the number of `to`, and optional ones that of `cc`.
 */
const RECIPIENT_CALLS = [call('to.getAsync', none, recipients), call('cc.getAsync', none, recipients)]
const NOTICE_TYPES: readonly NotificationMessage['type'][] = [
  'informationalMessage',
  'progressIndicator',
  'errorMessage',
  'insightMessage',
]
const NOTICE = call(
  'notificationMessages.replaceAsync',
  ({ key, message, type, icon, persistent, actions }) => ({
    key: text(key),
    notice: {
      type: NOTICE_TYPES[Number(type)] ?? 'informationalMessage',
      message: text(message),
      ...(typeof icon === 'string' ? { icon } : {}),
      ...(typeof persistent === 'boolean' ? { persistent } : {}),
      ...(Array.isArray(actions) ? { actions: actions.map(noticeAction) } : {}),
    },
  }),
)
const noticeAction = (action: unknown) => {
  const { actionText, commandId } = action as Params
  return { actionType: 'showTaskPane', actionText: text(actionText), commandId: text(commandId) }
}
const attachments = (value: unknown) =>
  (value as readonly object[]).map((attachment) => ({ ...attachment, attachmentType: 0 }))

const CALLS: Readonly<Record<number, WireCall>> = {
  3: call('loadCustomPropertiesAsync'),
  4: call('customProperties.saveAsync', ({ customProperties }) => ({ properties: customProperties })),
  14: call('body.getTypeAsync'),
  20: call('removeAttachmentAsync', ({ attachmentIndex }) => ({ attachmentId: text(attachmentIndex) })),
  33: NOTICE,
  35: NOTICE,
  36: call('notificationMessages.removeAsync', ({ key }) => ({ key: text(key) })),
  37: call('body.getAsync', coercion),
  38: call('body.setAsync', written),
  107: call('from.getAsync', none, recipient),
  148: call('addFileAttachmentFromBase64Async', ({ base64String, name, isInline }) => ({
    base64File: text(base64String),
    attachmentName: text(name),
    isInline: isInline === true,
  })),
  149: call('getAttachmentsAsync', none, attachments),
  164: call('getItemIdAsync'),
  173: call('body.setSignatureAsync', written),
  174: call('getComposeTypeAsync'),
  175: call('isClientSignatureEnabledAsync'),
  176: call('disableClientSignatureAsync'),
  185: call('sessionData.setAsync', ({ name, value }) => ({ name: text(name), value: text(value) })),
  186: call('sessionData.getAsync', ({ name }) => ({ name: text(name) })),
  // Without session data Outlook answers with the text `{}`, not with an object.
  187: call('sessionData.getAllAsync', none, (all) => (Object.keys(all as object).length === 0 ? '{}' : all)),
}
const GET_RECIPIENTS = 15

/** Telemetry and similar calls. The library waits only for an answer, whatever it contains. */
const ANSWERED_EMPTY = [163, 193, 400, 401, 402, 403]
const SAVE_ROAMING_SETTINGS = 404
const GET_ACCESS_TOKEN = 98
const COMMAND_COMPLETED = 94
/** The event by which Outlook calls a function of the add-in, for a command or a launch event. */
const COMMAND_INVOKED = 'appCommandInvoked'

const refused = ({ code }: CallError) => ({ error: true, errorCode: code })

const methodAnswer = (dispatchId: number, call: WireCall, reply: Reply): Record<string, unknown> => {
  if (dispatchId === 3) {
    return reply.ok
      ? { wasSuccessful: true, customProperties: JSON.stringify(reply.value) }
      : { wasSuccessful: false, errorMessage: reply.error.message }
  }
  if (!reply.ok) return refused(reply.error)
  return { error: false, data: call.answer(reply.value) }
}

// ---- Events ----

export type OfficeWire = ReturnType<typeof createOfficeWire>

/** The result of a called function. `status` is 0, or the library's error, such as 11101 for an unknown function. */
export type Completion = Readonly<{ id: string; status: number }>

export type OfficeWireOptions = Readonly<{
  /** The same `frame` as in `officeFrameName`. */
  frame?: string
  onCompleted?: (completion: Completion) => void
}>

/**
 * Outlook's side of the protocol with the library in a frame, over a mailbox. `send` delivers a message to the frame.
 * Every load of the frame starts a new conversation. After a switch of users the frame gets no answers until it is
 * reloaded.
 */
export function createOfficeWire(
  mailbox: Mailbox,
  send: (message: string) => void,
  { frame = PANE, onCompleted }: OfficeWireOptions = {},
) {
  const conversation = conversationOf(frame)
  let welcomed: string | null = null
  /** The functions that are called as soon as the library listens. */
  let waiting: (readonly [id: string, functionName: string, json: string])[] = []
  const listening = new Set<string>()
  const isSameUser = () => welcomed === mailbox.state$.value.person

  const post = (actionName: string, correlationId: number, type: 0 | 1, data: unknown) =>
    send(
      JSON.stringify({
        _messageType: 1,
        _actionName: actionName,
        _conversationId: conversation,
        _correlationId: correlationId,
        _origin: '',
        _data: data,
        _errorCode: 0,
        _responseType: type,
        _serializerVersion: 1,
      }),
    )

  const eventData: Readonly<Record<ClientEvent, () => unknown>> = {
    ItemChanged: () => itemData(mailbox.state$.value) ?? '',
    RecipientsChanged: () => [
      JSON.stringify(
        currentItem(mailbox.state$.value)?.isMeeting
          ? { requiredAttendees: true, optionalAttendees: true, resources: false }
          : { to: true, cc: true, bcc: false },
      ),
    ],
    // Colours are sent as numbers; the library converts them to texts.
    OfficeThemeChanged: () => [
      JSON.stringify(
        Object.fromEntries(
          Object.entries(mailbox.state$.value.theme ?? {}).map(([name, color]) => [
            name,
            Number.parseInt(color.slice(1), 16),
          ]),
        ),
      ),
    ],
  }
  const stops = EVENTS.map((event) =>
    mailbox.on(event, () => {
      if (isSameUser() && listening.has(EVENT_TYPES[event]))
        post(EVENT_TYPES[event], 0, 1, eventData[event]())
      // A handler of `RecipientsChanged` is registered for one item only.
      if (event === 'ItemChanged') listening.delete(EVENT_TYPES.RecipientsChanged)
    }),
  )

  /** The library sends all settings; only the changed settings need a call. */
  const saveRoamingSettings = (
    settings: readonly (readonly [name: string, json: string])[],
    answer: (data: unknown) => void,
  ): void => {
    const { roamingSettings } = mailbox.client.start
    const changed = settings.filter(([name, json]) => JSON.stringify(roamingSettings[name]) !== json)
    const [first, ...others] = changed
    if (!first) return answer({ error: false, data: null })
    const [name, json] = first
    mailbox.call('roamingSettings.saveAsync', { name, value: JSON.parse(json) as unknown }, (reply) => {
      if (reply.ok) saveRoamingSettings(others, answer)
      else answer(refused(reply.error))
    })
  }

  const executeMethod = (data: unknown, answer: (data: unknown) => void) => {
    const { ApiParams, MethodData } = data as {
      ApiParams?: Params | null
      MethodData: { DispatchId: number }
    }
    const { DispatchId } = MethodData
    if (ANSWERED_EMPTY.includes(DispatchId)) return answer({ error: false, data: null })
    if (DispatchId === SAVE_ROAMING_SETTINGS) {
      const [settings = {}] = (ApiParams ?? []) as unknown as readonly Readonly<Record<string, string>>[]
      return saveRoamingSettings(Object.entries(settings), answer)
    }
    const params = ApiParams ?? {}
    const call =
      DispatchId === GET_RECIPIENTS
        ? (RECIPIENT_CALLS[Number(params['recipientField'])] ?? RECIPIENT_CALLS[0])
        : CALLS[DispatchId]
    if (!call) return answer({ wasSuccessful: false })
    mailbox.call(call.name, call.args(params), (reply) => answer(methodAnswer(DispatchId, call, reply)))
  }

  const executeCommon = (data: unknown, answer: (data: unknown) => void) => {
    const { DdaMethod, ...params } = data as Params & { DdaMethod: { DispatchId: number } }
    if (DdaMethod.DispatchId === COMMAND_COMPLETED)
      onCompleted?.({ id: text(params[0]), status: Number(params[1]) })
    if (DdaMethod.DispatchId !== GET_ACCESS_TOKEN) return answer({ Version: 1, Error: 0 })
    mailbox.call(
      'auth.getAccessToken',
      {
        allowConsentPrompt: params['allowConsentPrompt'] === true,
        allowSignInPrompt: params['allowSignInPrompt'] === true,
      },
      (reply) =>
        answer(
          reply.ok
            ? { Version: 1, Error: 0, accessToken: reply.value }
            : { Version: 1, Error: reply.error.code },
        ),
    )
  }

  const calls: Readonly<Record<string, (data: unknown, answer: (data: unknown) => void) => void>> = {
    ContextActivationManager_getAppContextAsync: (_, answer) => {
      welcomed = mailbox.state$.value.person
      listening.clear()
      answer(appContext(mailbox.state$.value, controlOf(frame), mailbox.client.start.roamingSettings))
    },
    ContextActivationManager_notifyHost: (_, answer) => answer(null),
    GetInitialData: (_, answer) => {
      const state = mailbox.state$.value
      answer(itemData(state) ?? hostData(state, ITEM_TYPE.none))
    },
    ExecuteMethod: executeMethod,
    executeMethod: executeCommon,
  }

  return {
    /** Takes a message from the frame, before it is parsed. */
    receive(message: string): void {
      const request = parse(message)
      if (request?._conversationId !== conversation) return
      const { _actionName: action, _correlationId: correlation, _data: data } = request
      const answer = (value: unknown) => post(action, correlation, 0, value)
      if (request._actionType === 1) {
        listening.add(action)
        answer({ Error: 0 })
        if (action === COMMAND_INVOKED) {
          for (const called of waiting) post(action, 0, 1, called)
          waiting = []
        }
        // The library's version on npm does not accept the theme at its start, but it accepts an event with the theme.
        if (action === EVENT_TYPES.OfficeThemeChanged && mailbox.state$.value.theme)
          post(action, 0, 1, eventData.OfficeThemeChanged())
      } else if (request._actionType === 2) {
        listening.delete(action)
        answer({ Error: 0 })
      } else if (action === 'ContextActivationManager_getAppContextAsync' || isSameUser()) {
        calls[action]?.(data, answer)
      }
    },
    /** Calls a function of the frame once the library listens. `onCompleted` gets `id` when the function is done. */
    raise: (id: string, functionName: string, data: Readonly<Record<string, unknown>>): void => {
      const called = [id, functionName, JSON.stringify(data)] as const
      if (listening.has(COMMAND_INVOKED)) post(COMMAND_INVOKED, 0, 1, called)
      else waiting.push(called)
    },
    stop(): void {
      for (const stop of stops) stop()
    },
  }
}

function parse(message: string): Request | null {
  try {
    const value = JSON.parse(message) as Partial<Request> | null
    return value?._messageType === 0 ? (value as Request) : null
  } catch {
    return null
  }
}

/**
 * Serves a mailbox to Microsoft's library in `window`, a page of `origin`; `page` is the window that this code runs
 * in. The caller has to stop the returned wire.
 */
export function serveOffice(
  mailbox: Mailbox,
  window: Target,
  origin: string,
  page: Receiver,
  options: OfficeWireOptions = {},
): Omit<OfficeWire, 'receive'> {
  const wire = createOfficeWire(mailbox, (message) => window.postMessage(message, origin), options)
  const listener = ({ data, origin: sender, source }: Incoming) => {
    if (source === window && sender === origin && typeof data === 'string') wire.receive(data)
  }
  page.addEventListener('message', listener)
  return {
    raise: wire.raise,
    stop() {
      page.removeEventListener('message', listener)
      wire.stop()
    },
  }
}
