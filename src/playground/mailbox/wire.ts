import type {
  CallArguments,
  CallName,
  ClientEvent,
  ClientStart,
  OfficeTheme,
  OpenItem,
  Reply,
} from '../../engine/hosts/mailClient.ts'

// How the pane and the page around it talk: plain data through `postMessage`, between windows of one origin.

const CHANNEL = 'signet/mailbox'

/** From the pane. `session` is the one it was welcomed with; `item` the key of the item that the call is meant for. */
export type FromPane =
  | Readonly<{ type: 'hello' }>
  | Readonly<{
      type: 'call'
      session: number
      id: number
      item: string | null
      name: CallName
      args: CallArguments<CallName>
    }>

/** From the page. Each `hello` begins a session, so that an answer meant for a pane before a reload reaches nobody. */
export type FromPage =
  | Readonly<{
      type: 'welcome'
      session: number
      start: ClientStart
      item: OpenItem | null
      theme: OfficeTheme | null
    }>
  | Readonly<{ type: 'event'; event: ClientEvent; item: OpenItem | null; theme: OfficeTheme | null }>
  | Readonly<{ type: 'reply'; session: number; id: number; reply: Reply }>

/** A message as a window gets it. */
export type Incoming = Readonly<{ data: unknown; origin: string; source: unknown }>

/** What is needed of a window to send to it. */
export type Target = { postMessage(message: unknown, targetOrigin: string): void }

/** What is needed of a window to hear what is sent to it. */
export type Receiver = {
  addEventListener(type: 'message', listener: (message: Incoming) => void): void
  removeEventListener(type: 'message', listener: (message: Incoming) => void): void
}

/** Sends to a window that shows a page of `origin`; to none other. */
export const sendTo = (target: Target, origin: string, message: FromPane | FromPage): void =>
  target.postMessage({ channel: CHANNEL, ...message }, origin)

/**
 * Hears what `from`, showing a page of `origin`, sends on this channel: a `FromPane` in the page, a `FromPage` in the
 * pane. Returns what ends the listening.
 */
export function listen(
  receiver: Receiver,
  from: Target,
  origin: string,
  heard: (message: object) => void,
): () => void {
  const listener = ({ data, origin: sender, source }: Incoming) => {
    if (source !== from || sender !== origin) return
    if (typeof data !== 'object' || data === null) return
    if ('channel' in data && data.channel === CHANNEL) heard(data)
  }
  receiver.addEventListener('message', listener)
  return () => receiver.removeEventListener('message', listener)
}
