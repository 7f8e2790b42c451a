import type { SendAnswer } from '../../src/launch/launchGlobal.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { openBuilds } from '../../src/build/builds.ts'
import type { Mailbox } from '../../src/playground/mailbox/mailbox.ts'
import type { RuntimeStorage } from '../../src/playground/mailbox/officeFacade.ts'
import { GUARD_FILE } from '../../src/server/headers.ts'
import { cachedSignature, candidate, withSlot } from '../support/state.ts'
import { noSenders } from '../../streams/message/senders/senders.ts'
import { raiseOnce } from './bareRuntime.ts'
import { digits, median, spread, table, times } from './figures.ts'

// How long a message waits for the last look before it leaves: launch.js in a bare JavaScript runtime, as classic
// Outlook starts one for the event, beside the event of a new message in the same runtime.

const MAILBOX = 'alex.kim@northwind.example'
const OUTSIDE = { address: 'tess@fabrikam.example', name: 'Tess' }
const NOTICE = '<p>This message is meant for its recipients only.</p>'
const RUNS = 31
const DROPPED = 3
/** The time in which the add-in has to answer, in milliseconds. */
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
  /** What the message has when it is sent. */
  prepare: (mailbox: Mailbox) => void
  /** By which each call to the mail client takes longer, in milliseconds. */
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
  { ...send, name: 'nothing is looked for', signature: unguarded, prepare: write('<p>Dear Tess</p>') },
  { ...send, name: 'all is there', prepare: write(whole) },
  { ...send, name: 'something is missing: a question', prepare: write('<p>Dear Tess</p>') },
  { ...send, name: 'something is missing, in 1 MB of text', prepare: write(`<p>Dear Tess</p>${THREAD}`) },
  {
    ...send,
    name: 'something is missing, 20 ms more per call',
    prepare: write('<p>Dear Tess</p>'),
    slower: 20,
  },
]

/** Starts a runtime for an event, and resolves with the time until the event is completed, in milliseconds. */
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
      throw new Error('A request was made.')
    },
    prepare: (mailbox) => {
      prepare(mailbox)
      if (slower > 0) mailbox.delay('*', slower)
    },
  })
  const isAsked = (answer as SendAnswer | undefined)?.allowEvent === false
  if (isAsked !== name.startsWith('something is missing')) throw new Error(`${name}: the wrong answer.`)
  return ms
}

/** @param note gets a line about what is being measured */
export async function measureGuard(note: (line: string) => void): Promise<string> {
  const builds = openBuilds({ tell: note })
  const folder = await builds.build('launchFile').finally(builds.end)
  const script = new Script(await readFile(join(folder, GUARD_FILE), 'utf8'))
  const took = new Map<string, number[]>(WAYS.map(({ name }) => [name, []]))
  for (let run = 0; run < RUNS; run++)
    for (const way of WAYS) {
      const ms = await once(script, way)
      if (run >= DROPPED) took.get(way.name)?.push(ms)
    }
  const [first] = took.values()
  const compared = median(first ?? [])
  return table(
    `The last look before a message leaves (launch-guard.js in a bare runtime, ${String(RUNS - DROPPED)} runs each, in turns)`,
    [
      '',
      'ms until the answer, median [least–most]',
      'to the event of a new message',
      `of ${String(TARGET_MS)} ms`,
    ],
    [...took].map(([name, ms]) => [
      name,
      spread(ms),
      times(median(ms) / compared),
      `${digits((100 * median(ms)) / TARGET_MS)} %`,
    ]),
  )
}
