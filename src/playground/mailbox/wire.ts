import type {
  CallArguments,
  CallName,
  ClientEvent,
  ClientStart,
  OfficeTheme,
  MailItem,
  Reply,
} from '../../engine/hosts/mailClient.ts'

// The protocol between the pane and its parent page: plain data over `postMessage`, within one origin.

export const CLIENT_EVENTS: readonly ClientEvent[] = [
  'ItemChanged',
  'RecipientsChanged',
  'OfficeThemeChanged',
]

/** The names that Microsoft's library has for the events. */
export const EVENT_TYPES = {
  ItemChanged: 'olkItemSelectedChanged',
  RecipientsChanged: 'olkRecipientsChanged',
  OfficeThemeChanged: 'officeThemeChanged',
} as const satisfies Record<ClientEvent, string>

const CHANNEL = 'signet/mailbox'

/** A message from the pane. `session` is from the welcome message; `item` is the key of the item to call. */
export type MessageFromPane =
  | Readonly<{ type: 'hello' }>
  | Readonly<{
      type: 'call'
      session: number
      id: number
      item: string | null
      name: CallName
      args: CallArguments<CallName>
    }>

/** A message from the page. Each `hello` starts a new session, so a reloaded pane ignores answers to earlier calls. */
export type MessageFromPage =
  | Readonly<{
      type: 'welcome'
      session: number
      start: ClientStart
      item: MailItem | null
      theme: OfficeTheme | null
    }>
  | Readonly<{ type: 'event'; event: ClientEvent; item: MailItem | null; theme: OfficeTheme | null }>
  | Readonly<{ type: 'reply'; session: number; id: number; reply: Reply }>

/** Messages from a launch event runtime, besides `MessageFromPane`. */
export type MessageFromRuntime =
  /** The runtime has associated its handlers. */
  | Readonly<{ type: 'ready' }>
  /** `answer` is the handler's argument to `completed`, as plain data. */
  | Readonly<{ type: 'completed'; id: string; isFound: boolean; answer?: unknown }>
  | Readonly<{
      type: 'store'
      id: number
      method: 'getItem' | 'setItem' | 'removeItem'
      key: string
      value: string
    }>
  | Readonly<{ type: 'log'; log: readonly unknown[] }>

/** The playground's changes to a runtime's environment: `ahead` moves its clock ahead, in milliseconds. */
export type RuntimeEnvironment = Readonly<{ isOffline: boolean; ahead: number }>

/** Messages to a launch event runtime, besides `MessageFromPage`. */
export type MessageToRuntime =
  | (Readonly<{ type: 'surroundings' }> & RuntimeEnvironment)
  | Readonly<{ type: 'raise'; id: string; functionName: string; data: Readonly<Record<string, unknown>> }>
  | Readonly<{ type: 'stored'; id: number; value: string | null; isFailed: boolean }>
  | Readonly<{ type: 'askLog' }>

export type ReceivedMessage = Readonly<{ data: unknown; origin: string; source: unknown }>

/** A window that accepts messages. */
export type MessageTarget = { postMessage(message: unknown, targetOrigin: string): void }

/** A window that receives messages. */
export type MessageReceiver = {
  addEventListener(type: 'message', listener: (message: ReceivedMessage) => void): void
  removeEventListener(type: 'message', listener: (message: ReceivedMessage) => void): void
}

/**
 * Makes a port look like a window that shows a page from `origin`: `target` sends messages to the other end, and
 * `receiver` gets messages from it.
 */
export function portAsWindow(
  port: MessagePort,
  origin: string,
): Readonly<{
  target: MessageTarget & Readonly<{ location: Readonly<{ origin: string }> }>
  receiver: MessageReceiver
}> {
  const target = {
    location: { origin },
    postMessage: (message: unknown) => port.postMessage(message),
  }
  const listeners = new Set<(message: ReceivedMessage) => void>()
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    for (const listener of listeners) listener({ data, origin, source: target })
  })
  port.start()
  return {
    target,
    receiver: {
      addEventListener: (_, listener) => void listeners.add(listener),
      removeEventListener: (_, listener) => void listeners.delete(listener),
    },
  }
}

/** Sends a message to a window. The browser delivers it only if the window shows a page from `origin`. */
export const sendToWindow = (
  target: MessageTarget,
  origin: string,
  message: MessageFromPane | MessageFromPage | MessageFromRuntime | MessageToRuntime,
): void => target.postMessage({ channel: CHANNEL, ...message }, origin)

/**
 * Calls `heard` with each message that the window `from` sends while it shows a page from `origin`. Returns a function
 * that stops listening.
 */
export function listenToWindow(
  receiver: MessageReceiver,
  from: MessageTarget,
  origin: string,
  heard: (message: object) => void,
): () => void {
  const listener = ({ data, origin: sender, source }: ReceivedMessage) => {
    if (source !== from || sender !== origin) return
    if (typeof data !== 'object' || data === null) return
    if ('channel' in data && data.channel === CHANNEL) heard(data)
  }
  receiver.addEventListener('message', listener)
  return () => receiver.removeEventListener('message', listener)
}
