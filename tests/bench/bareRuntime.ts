import { createContext, type Script } from 'node:vm'
import { setTimeout as pause } from 'node:timers/promises'
import { asyncScheduler, of } from 'rxjs'
import { demoMailbox } from '../../src/playground/mailbox/demo.ts'
import { createMailbox, type Mailbox } from '../../src/playground/mailbox/mailbox.ts'
import { createOfficeFacade, type RuntimeStorage } from '../../src/playground/mailbox/officeFacade.ts'

// The bare JavaScript runtime of classic Outlook, which is started for each event.

/** Longer than the client takes to show a message, in milliseconds. */
const SHOWN_MS = 50

type RuntimeOptions = Readonly<{
  /** Compiles the program. The time of this function counts. */
  compile: () => Script
  handler: 'onNewMessageCompose' | 'onMessageSend'
  storage: RuntimeStorage
  /** The runtime's global of this name. */
  XMLHttpRequest: unknown
  /** What happens to the new message before the event. */
  prepare?: (mailbox: Mailbox) => void
}>

/**
 * Begins a message, and starts a runtime for an event. Resolves when the event is completed: with the milliseconds
 * since the program was compiled and run, with the program's answer, and with the mailbox.
 */
export async function raiseOnce({ compile, handler, storage, XMLHttpRequest, prepare }: RuntimeOptions) {
  const mailbox = createMailbox(demoMailbox(), {
    time: { scheduler: asyncScheduler },
    accessToken: () => of('access-token'),
  })
  mailbox.act({ type: 'newMessage' })
  prepare?.(mailbox)
  // The client shows a message only after a while, and it is sent later.
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
