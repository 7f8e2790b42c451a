import type { SendAnswer } from '../../src/launch/launchGlobal.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { openBuilds } from '../../src/build/builds.ts'
import type { Mailbox } from '../../src/playground/mailbox/mailbox.ts'
import type { RuntimeStorage } from '../../src/playground/mailbox/officeFacade.ts'
import { LAUNCH_GUARD_FILE } from '../../src/server/headers.ts'
import { cachedSignature, candidate, withSlot } from '../support/state.ts'
import { noSenders } from '../../streams/message/senders/senders.ts'
import { raiseOnce } from './bareRuntime.ts'
import { digits, median, spread, table, times } from './figures.ts'

// How long Send waits for the check of launch-guard.js, compared with the event of a new message. A bare JavaScript
// runtime starts for each event, as in classic Outlook.

const MAILBOX = 'alex.kim@northwind.example'
const OUTSIDE = { address: 'tess@fabrikam.example', name: 'Tess' }
const NOTICE = '<p>This message is meant for its recipients only.</p>'
const RUNS = 31
const DROPPED = 3
/** The goal for the answer, in milliseconds. */
const TARGET_MS = 300

const guarded = cachedSignature({
  ...withSlot(
    '<p>Alex Kim, Northwind Trading</p>',
    candidate({ id: 'notice', name: 'Notice', html: NOTICE, audiences: ['!northwind.example'] }),
  ),
  guard: { signature: [[]], blocks: ['notice'] },
})
const { guard: _, ...unguarded } = guarded

type Way = Readonly<{
  name: string
  signature: typeof unguarded
  handler: 'onNewMessageCompose' | 'onMessageSend'
  /** Writes the message that is sent. */
  prepare: (mailbox: Mailbox) => void
  /** The added milliseconds per call to the mail client. */
  slower: number
}>

const write = (author: string) => (mailbox: Mailbox) => {
  mailbox.act({ type: 'setRecipients', to: [OUTSIDE] })
  mailbox.act({ type: 'typed', author })
}
const whole = `<p>Dear Tess</p>${guarded.html}${NOTICE}`
const THREAD = '<p>It was agreed that the harbour opens at eight, and closes at nine.</p>'.repeat(14_000)
const send = { handler: 'onMessageSend', signature: guarded, slower: 0 } as const
const WAYS: readonly Way[] = [
  {
    ...send,
    name: 'a new message, for comparison',
    handler: 'onNewMessageCompose',
    prepare: () => undefined,
  },
  { ...send, name: 'no checks configured', signature: unguarded, prepare: write('<p>Dear Tess</p>') },
  { ...send, name: 'nothing is missing', prepare: write(whole) },
  { ...send, name: 'something is missing: a question', prepare: write('<p>Dear Tess</p>') },
  { ...send, name: 'something is missing, in 1 MB of text', prepare: write(`<p>Dear Tess</p>${THREAD}`) },
  {
    ...send,
    name: 'something is missing, 20 ms more per call',
    prepare: write('<p>Dear Tess</p>'),
    slower: 20,
  },
]

/** Starts a runtime for an event. Resolves with the milliseconds until the event is completed. */
async function once(script: Script, { name, signature, handler, prepare, slower }: Way): Promise<number> {
  const value = {
    email: MAILBOX,
    at: Date.now(),
    signature,
    senders: { ...noSenders, audiences: { 'c-standard': [] } },
  }
  const storage: RuntimeStorage = {
    getItem: () => Promise.resolve(JSON.stringify({ version: 1, value })),
    setItem: () => Promise.resolve(),
    removeItem: () => Promise.resolve(),
  }
  const { ms, answer } = await raiseOnce({
    compile: () => script,
    handler,
    storage,
    XMLHttpRequest: () => {
      throw new Error('launch-guard.js sent a request.')
    },
    prepare: (mailbox) => {
      prepare(mailbox)
      if (slower > 0) mailbox.delay('*', slower)
    },
  })
  const isAsked = (answer as SendAnswer | undefined)?.allowEvent === false
  if (isAsked !== name.startsWith('something is missing')) throw new Error(`${name}: wrong answer.`)
  return ms
}

/** @param note is called with the progress */
export async function measureGuard(note: (line: string) => void): Promise<string> {
  const builds = openBuilds({ tell: note })
  const folder = await builds.build('launchFile').finally(builds.end)
  const script = new Script(await readFile(join(folder, LAUNCH_GUARD_FILE), 'utf8'))
  const took = new Map<string, number[]>(WAYS.map(({ name }) => [name, []]))
  for (let run = 0; run < RUNS; run++)
    for (const way of WAYS) {
      const ms = await once(script, way)
      if (run >= DROPPED) took.get(way.name)?.push(ms)
    }
  const [first] = took.values()
  const compared = median(first ?? [])
  return table(
    `The check before a message is sent (launch-guard.js in a bare runtime, ${String(RUNS - DROPPED)} runs each, in turns)`,
    [
      '',
      'ms until the answer, median [least–most]',
      'vs. a new message',
      `share of the goal, ${String(TARGET_MS)} ms`,
    ],
    [...took].map(([name, ms]) => [
      name,
      spread(ms),
      times(median(ms) / compared),
      `${digits((100 * median(ms)) / TARGET_MS)} %`,
    ]),
  )
}
