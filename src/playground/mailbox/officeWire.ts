import type { ClientEvent } from '../../engine/hosts/mailClient.ts'
import type { Mailbox } from './mailbox.ts'
import { currentItem } from './model.ts'
import { appContext, hostData, ITEM_TYPE_NUMBERS, itemData } from './officeWireData.ts'
import { type AnswerRequest, type FunctionCompletion, createWireMethods } from './officeWireMethods.ts'
import {
  EVENT_TYPES,
  CLIENT_EVENTS,
  type ReceivedMessage,
  type MessageReceiver,
  type MessageTarget,
} from './wire.ts'

// Outlook's side of the protocol with Microsoft's client library: JSON texts over `postMessage`. Requests use the
// library's own names and numbers. An unknown request is answered as not supported, which the library reports as error
// 5000.

/**
 * The library reads these ids from the frame's `name`. They are arbitrary, but each frame on a page needs its own ids,
 * because the library keeps them in session storage.
 */
const conversationOf = (frame: string) => `signet-conversation-${frame}`
const controlOf = (frame: string) => `signet-${frame}`
const PANE = 'pane'

/** The event with which Outlook calls an add-in's function, for a command or a launch event. */
const COMMAND_INVOKED = 'appCommandInvoked'

type Request = Readonly<{
  _messageType: 0
  /** 0 makes a call, 1 adds an event handler, and 2 removes one. */
  _actionType: 0 | 1 | 2
  _actionName: string
  _conversationId: string
  _correlationId: number
  _data: unknown
}>

/**
 * Builds an iframe's `name`, from which Office.js reads its host. Set `name` before `src`. `frame` distinguishes several
 * iframes on a page.
 */
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

export type OfficeWire = ReturnType<typeof createOfficeWire>

export type OfficeWireOptions = Readonly<{
  /** The same `frame` as passed to `officeFrameName`. */
  frame?: string
  onCompleted?: (completion: FunctionCompletion) => void
}>

/**
 * Answers the library in a frame as Outlook does, for a mailbox. `send` delivers a message to the frame. Every load of
 * the frame starts a new conversation. After a switch of users, the frame gets no answers until it is reloaded.
 */
export function createOfficeWire(
  mailbox: Mailbox,
  send: (message: string) => void,
  { frame = PANE, onCompleted = () => undefined }: OfficeWireOptions = {},
) {
  const conversation = conversationOf(frame)
  let welcomed: string | null = null
  /** The functions to call as soon as the library listens. */
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
  const stops = CLIENT_EVENTS.map((event) =>
    mailbox.on(event, () => {
      if (isSameUser() && listening.has(EVENT_TYPES[event]))
        post(EVENT_TYPES[event], 0, 1, eventData[event]())
      // A handler of `RecipientsChanged` is registered for a single item.
      if (event === 'ItemChanged') listening.delete(EVENT_TYPES.RecipientsChanged)
    }),
  )

  const calls: Readonly<Record<string, AnswerRequest>> = {
    ...createWireMethods(mailbox, onCompleted),
    ContextActivationManager_getAppContextAsync: (_, answer) => {
      welcomed = mailbox.state$.value.person
      listening.clear()
      answer(appContext(mailbox.state$.value, controlOf(frame), mailbox.client.start.roamingSettings))
    },
    ContextActivationManager_notifyHost: (_, answer) => answer(null),
    GetInitialData: (_, answer) => {
      const state = mailbox.state$.value
      answer(itemData(state) ?? hostData(state, ITEM_TYPE_NUMBERS.none))
    },
  }

  return {
    /** Receives an unparsed message from the frame. */
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
        // The library's npm version ignores the theme at its start, but accepts an event with the theme.
        if (action === EVENT_TYPES.OfficeThemeChanged && mailbox.state$.value.theme)
          post(action, 0, 1, eventData.OfficeThemeChanged())
      } else if (request._actionType === 2) {
        listening.delete(action)
        answer({ Error: 0 })
      } else if (action === 'ContextActivationManager_getAppContextAsync' || isSameUser()) {
        calls[action]?.(data, answer)
      }
    },
    /** Calls a function in the frame once the library listens. `onCompleted` gets `id` when the function is done. */
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
 * Serves a mailbox to Microsoft's library in `window`, a page from `origin`; `page` is the window that runs this code.
 * The caller must stop the returned wire.
 */
export function serveOffice(
  mailbox: Mailbox,
  window: MessageTarget,
  origin: string,
  page: MessageReceiver,
  options: OfficeWireOptions = {},
): Omit<OfficeWire, 'receive'> {
  const wire = createOfficeWire(mailbox, (message) => window.postMessage(message, origin), options)
  const listener = ({ data, origin: sender, source }: ReceivedMessage) => {
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
