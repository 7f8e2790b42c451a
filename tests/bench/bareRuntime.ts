import { createContext, type Script } from 'node:vm'
import { setTimeout as pause } from 'node:timers/promises'
import { asyncScheduler, of } from 'rxjs'
import { demoMailbox } from '../../src/playground/mailbox/demo.ts'
import { createMailbox, type Mailbox } from '../../src/playground/mailbox/mailbox.ts'
import { createOfficeFacade, type RuntimeStorage } from '../../src/playground/mailbox/officeFacade.ts'

// A bare JavaScript runtime like that of classic Outlook, which starts one for each event.

/** Longer than the mail client needs to show a message, in milliseconds. */
const SHOWN_MS = 50

type RuntimeOptions = Readonly<{
  /** Compiles the program. Its time counts. */
  compile: () => Script
  handler: 'onNewMessageCompose' | 'onMessageSend'
  storage: RuntimeStorage
  /** The runtime's global `XMLHttpRequest`. */
  XMLHttpRequest: unknown
  /** Changes the new message before the event. */
  prepare?: (mailbox: Mailbox) => void
}>

/**
 * Begins a message, starts a runtime, and raises an event in it. Resolves when the event is completed, with the
 * milliseconds since compiling began, the program's answer, and the mailbox.
 */
export async function raiseOnce({ compile, handler, storage, XMLHttpRequest, prepare }: RuntimeOptions) {
  const mailbox = createMailbox(demoMailbox(), {
    time: { scheduler: asyncScheduler },
    accessToken: () => of('access-token'),
  })
  mailbox.act({ type: 'newMessage' })
  prepare?.(mailbox)
  // Users send a message only after the mail client has shown it.
  await pause(SHOWN_MS)
  const { office, officeRuntime, connect, raise } = createOfficeFacade(storage)
  connect(mailbox.client)
  const context = createContext({
    Office: office,
    OfficeRuntime: officeRuntime,
    XMLHttpRequest,
    console,
    Date,
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
  })
  const began = performance.now()
  compile().runInContext(context)
  const answer = await new Promise<unknown>((resolve) => raise(handler, { completed: resolve }))
  return { ms: performance.now() - began, answer, mailbox }
}
