import type { Sanitize } from '../../streams/html/plan.ts'
import type { LaunchKind } from '../../streams/launch/events.ts'

/** The part of Outlook's event object that is needed. */
export type OfficeEvent = Readonly<{ completed: (answer?: SendAnswer) => void }>

/** Whether a message may leave; if not, the question of Outlook's dialog, which has *Send Anyway*, too. */
export type SendAnswer =
  | Readonly<{ allowEvent: true }>
  | Readonly<{
      allowEvent: false
      /** At most 500 characters. */
      errorMessage: string
      /** The button that opens the pane, of at most 20 characters, and the pane's button in the manifest. */
      cancelLabel: string
      commandId: string
      sendModeOverride: 'promptUser'
    }>

/** The parts that only a page can provide. They return promises, because the page's script has another copy of rxjs. */
export type PageParts = Readonly<{
  /** The cached defaults in the storage of the browser. */
  kept: Readonly<{
    get: (key: string) => Promise<unknown>
    set: (key: string, value: unknown) => Promise<unknown>
    remove: (key: string) => Promise<unknown>
  }>
  /**
   * Gets an access token by nested app authentication, without asking the user. `loginHint` is the address of the
   * mailbox. Rejects where that is not offered.
   */
  accessToken: (loginHint: string | undefined) => Promise<string>
  /** Loads the sanitiser of the pane. Rejects when its code cannot be loaded. */
  sanitizer: () => Promise<Sanitize>
}>

/** The only global of launch.js, `signetLaunch`. The first line of the file makes it, before anything can fail. */
export type LaunchGlobal = {
  /** Events that came before the program ran. */
  waiting: (readonly [kind: LaunchKind, event: OfficeEvent])[]
  /** Handles an event; null until the program runs. */
  handle: ((kind: LaunchKind, event: OfficeEvent) => void) | null
  /** Whether the program failed to start. Then every event is completed at once. */
  hasFailed: boolean
  /** The parts that the page provides; null until its script has run, and where there is no page. */
  parts: PageParts | null
  /** Called when the page provides the parts. */
  onParts: (() => void)[]
  /** The recorded events of the running store, or of the latest one, for the playground. */
  log: () => readonly unknown[]
}

/** What each function means that the manifest names for an event. */
export const HANDLERS = {
  onNewMessageCompose: 'newMessage',
  onMessageFromChanged: 'fromChanged',
  onMessageRecipientsChanged: 'recipientsChanged',
  onMessageSend: 'send',
  onNewAppointmentOrganizer: 'newMessage',
  onAppointmentFromChanged: 'fromChanged',
  onAppointmentAttendeesChanged: 'recipientsChanged',
} as const satisfies Readonly<Record<string, LaunchKind>>
export type HandlerName = keyof typeof HANDLERS
