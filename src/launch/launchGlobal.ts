import type { Sanitize } from '../../streams/html/plan.ts'
import type { LaunchKind } from '../../streams/launch/events.ts'

/** The part of Outlook's event object that launch events use. */
export type OfficeEvent = Readonly<{ completed: (answer?: SendAnswer) => void }>

/** Whether a message may be sent; if not, the question for Outlook's dialog, which also has *Send Anyway*. */
export type SendAnswer =
  | Readonly<{ allowEvent: true }>
  | Readonly<{
      allowEvent: false
      /** At most 500 characters. */
      errorMessage: string
      /** The label (up to 20 characters) and the manifest's id of the button that opens the pane. */
      cancelLabel: string
      commandId: string
      sendModeOverride: 'promptUser'
    }>

/** The parts that only a page can provide. They return promises, because the page's script has another copy of rxjs. */
export type PageParts = Readonly<{
  /** The cached defaults in the browser's storage. */
  kept: Readonly<{
    get: (key: string) => Promise<unknown>
    set: (key: string, value: unknown) => Promise<unknown>
    remove: (key: string) => Promise<unknown>
  }>
  /**
   * Gets an access token by nested app authentication, without asking the user. `loginHint` is the address of the
   * mailbox. Rejects if the mail client does not support nested app authentication.
   */
  accessToken: (loginHint: string | undefined) => Promise<string>
  /** Loads the sanitiser of the pane. Rejects when its code cannot be loaded. */
  sanitizer: () => Promise<Sanitize>
}>

/** The only global of launch.js, `signetLaunch`. The first line of the file makes it, before anything can fail. */
export type LaunchGlobal = {
  /** The events that arrived before the program ran. */
  waiting: (readonly [kind: LaunchKind, event: OfficeEvent])[]
  /** Handles an event; null until the program runs. */
  handle: ((kind: LaunchKind, event: OfficeEvent) => void) | null
  /** Whether the program failed to start, so that every event is completed at once. */
  hasFailed: boolean
  /** The parts that the page provides; null until its script has run, and without a page. */
  parts: PageParts | null
  /** Called when the page provides the parts. */
  onParts: (() => void)[]
  /** The recorded events of the running store, or else of the store that ran last, for the playground. */
  log: () => readonly unknown[]
}

/** The event kind for each function that the manifest names. */
export const HANDLER_EVENTS = {
  onNewMessageCompose: 'newMessage',
  onMessageFromChanged: 'fromChanged',
  onMessageRecipientsChanged: 'recipientsChanged',
  onMessageSend: 'send',
  onNewAppointmentOrganizer: 'newMessage',
  onAppointmentFromChanged: 'fromChanged',
  onAppointmentAttendeesChanged: 'recipientsChanged',
} as const satisfies Readonly<Record<string, LaunchKind>>
export type HandlerName = keyof typeof HANDLER_EVENTS
