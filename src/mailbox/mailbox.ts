import type { Observable } from 'rxjs'
import type { StateStream } from '../../streams/kernel/effect.ts'
import type { Time } from '../../streams/kernel/time.ts'
import type {
  Address,
  AttachmentDetails,
  CallArguments,
  CallName,
  ClientEvent,
  MailClient,
  Reply,
} from './calls.ts'
import type { Action, MailboxState } from './model.ts'

/** One call to the mail client. `at` in milliseconds since the epoch; `ok` is false until it was answered well. */
export type RecordedCall = Readonly<{ at: number; item: string | null; name: CallName; ok: boolean }>

/** The mailbox as it is, for tests and bug reports. `items` are the messages being written. */
export type Snapshot = {
  current: string | null
  items: {
    id: string
    kind: 'newMail' | 'reply' | 'forward'
    from: Address
    to: Address[]
    cc: Address[]
    subject: string
    bodyType: 'html' | 'text'
    bodyHtml: string
    signatureHtml: string
    attachments: AttachmentDetails[]
    notifications: { key: string; type: string; message: string }[]
    customProperties: Record<string, unknown>
  }[]
  calls: { at: number; item: string | null; name: string; ok: boolean }[]
}

/** A mail client at work: the model, its clock, and faults on demand. */
export interface Mailbox {
  /** The mailbox now and at each change. Never ends. */
  readonly state$: StateStream<MailboxState>
  /** Every call so far, in the order of arrival. */
  readonly calls: readonly RecordedCall[]
  /** The mailbox as an add-in sees it. */
  readonly client: MailClient
  /** Does what the person or the client does. Gives the id of the item that is then open. */
  act(action: Action): string | null
  /**
   * A call of the add-in, on the item that is open when it arrives. With `expected`, the key of the item that the
   * call is meant for, it fails when another item is open.
   */
  call<Name extends CallName>(
    name: Name,
    args: CallArguments<Name>,
    done: (reply: Reply<Name>) => void,
    expected?: string,
  ): void
  /** Returns what ends the listening. */
  on(event: ClientEvent, listener: () => void): () => void
  snapshot(): Snapshot
  /** The next `times` calls of this name fail and do nothing; without `times` all of them. */
  fail(call: string, error: Readonly<{ code: number; name: string }>, times?: number): void
  /** Calls of this name are carried out and answered `ms` milliseconds late. */
  delay(call: string, ms: number): void
  /** Calls of this name are lost: not carried out, never answered. */
  silence(call: string): void
  /** Calls of this name are carried out once and answered twice. */
  answerTwice(call: string): void
  /** Ends every fault. */
  restore(): void
}

export type MailboxOptions = Readonly<{
  time: Time
  /** The identity provider: an access token for the person with this address. */
  accessToken: (email: string) => Observable<string>
  /** How long the add-in sees no item while one makes way for another, in milliseconds; 30 when not given. */
  switchMs?: number
}>
