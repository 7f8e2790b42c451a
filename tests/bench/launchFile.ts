import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Script } from 'node:vm'
import type * as builds from '../../src/build/builds.ts'
import type { RuntimeStorage } from '../../src/playground/mailbox/officeFacade.ts'
import type * as headers from '../../src/server/headers.ts'
import type * as pageConfig from '../../src/server/pageConfig.ts'
import { raiseOnce } from './bareRuntime.ts'
import { median, spread, table, times } from './figures.ts'
import { checkOutRewriting, loadFrom, REWRITING_BUILD } from './formerCommit.ts'
import { goalTable } from './goals.ts'

// launch.js from its text to the completed event, in turns with the last build that rewrote packages. A runtime of
// Outlook reads the file for each event, so compiling counts.

const PROJECT = join(import.meta.dirname, '..', '..')
const API = 'https://service.northwind.example'
const EMAIL = 'alex.kim@northwind.example'
/** Counted runs. On a busy machine, 31 of them differ by a tenth over the same file. */
const RUNS = 61
/** Runs before the counted ones, which warm up. */
const DROPPED = 3
/** The goal: at most this many times as long. */
const MOST = 1.1

const COLD = 'cold: nothing kept, with requests'
const KEPT = 'kept: a fresh copy, without a request'
const WAYS = [COLD, KEPT] as const
type Way = (typeof WAYS)[number]

const token = [
  { alg: 'none' },
  { sub: 'u-1', email: EMAIL, exp: Math.floor(Date.now() / 1000) + 86_400 },
  'signature',
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')

/** The answers of a service, by path. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/authentication/addin/azure': { data: { access_token: token } },
  '/signatures-cache/api/v1/signature/addin': {
    name: 'Standard',
    user_id: 'u-1',
    combined_ids: '12-0',
    base64_embedded_images: [],
    signature: '<p style="color:#123456">Alex Kim</p>',
    reply: '<p>Alex, replying</p>',
  },
  '/signatures-cache/api/v1/signatures': { objects: [], total: 0, page: 1 },
  '/api/addin/user': { id: 'u-1', delegations: [] },
}

/** A request that gets its answer at once. */
class AnsweredRequest extends EventTarget {
  private path = ''
  readonly upload = new EventTarget()
  readonly status = 200
  readyState = 0
  response: string | null = null
  open(_method: string, url: string) {
    this.path = new URL(url).pathname
  }
  setRequestHeader() {}
  getAllResponseHeaders() {
    return ''
  }
  abort() {}
  send() {
    setImmediate(() => {
      this.readyState = 4
      this.response = JSON.stringify(ANSWERS[this.path])
      this.dispatchEvent(new Event('load'))
    })
  }
}

/** The text of launch.js, as the sources in `root` build and serve it. */
async function launchFileOf(root: string, note: (line: string) => void): Promise<string> {
  const { openBuilds } = (await loadFrom(root, 'src/build/builds.ts')) as typeof builds
  const { LAUNCH_FILE } = (await loadFrom(root, 'src/server/headers.ts')) as typeof headers
  const { emptyConfig, writeConfig } = (await loadFrom(root, 'src/server/pageConfig.ts')) as typeof pageConfig
  const { build, end } = openBuilds({ tell: note })
  const folder = await build('launchFile').finally(end)
  const config = { ...emptyConfig(), SIGNET_API_URL: API, SIGNET_PRODUCTION: 'true' }
  return writeConfig(LAUNCH_FILE, await readFile(join(folder, LAUNCH_FILE)), config).toString()
}

/** An event over nothing stored, and one over the copy that it stored. Each in a runtime of its own. */
async function raiseTwice(name: string, code: string, run: number): Promise<Readonly<Record<Way, number>>> {
  const kept = new Map<string, string>()
  const storage: RuntimeStorage = {
    getItem: (key) => Promise.resolve(kept.get(key) ?? null),
    setItem: (key, value) => Promise.resolve(void kept.set(key, value)),
    removeItem: (key) => Promise.resolve(void kept.delete(key)),
  }
  const raise = async (way: Way) => {
    let requests = 0
    const { ms, mailbox } = await raiseOnce({
      // Under one name, V8 would compile the text only once.
      compile: () => new Script(code, { filename: `${name}, ${way}, ${String(run)}` }),
      handler: 'onNewMessageCompose',
      storage,
      XMLHttpRequest: class extends AnsweredRequest {
        override send() {
          requests += 1
          super.send()
        }
      },
    })
    const { items, open } = mailbox.state$.value
    const item = items.find(({ id }) => id === open)
    if (item?.mode !== 'compose' || !item.body.signature.includes('Alex Kim'))
      throw new Error(`${name}, ${way}: no signature is in the message.`)
    if (requests > 0 !== (way === COLD)) throw new Error(`${name}, ${way}: ${String(requests)} requests.`)
    return ms
  }
  return { [COLD]: await raise(COLD), [KEPT]: await raise(KEPT) }
}

/** @param note gets a line about what is being measured */
export async function measureLaunchFile(note: (line: string) => void): Promise<string> {
  note('Building …')
  const contender = async (name: string, root: string) => ({
    name,
    code: await launchFileOf(root, note),
    took: { [COLD]: [] as number[], [KEPT]: [] as number[] },
  })
  const ours = await contender('Signet', PROJECT)
  const theirs = await contender(REWRITING_BUILD, await checkOutRewriting())
  note('launch.js in a bare runtime …')
  for (let run = -DROPPED; run < RUNS; run++)
    // Each is first in every other round: what one leaves to the garbage collector can delay the next.
    for (const { name, code, took } of run % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
      const ms = await raiseTwice(name, code, run)
      if (run >= 0) for (const way of WAYS) took[way].push(ms[way])
    }
  const report = table(
    `launch.js from its text to the completed event (in a bare runtime, ${String(RUNS)} runs each, in turns)`,
    ['', 'ms, median [least–most]', `to ${REWRITING_BUILD}`],
    WAYS.flatMap((way) =>
      [ours, theirs].map(({ name, took }) => [
        `${name}, ${way}`,
        spread(took[way]),
        times(median(took[way]) / median(theirs.took[way])),
      ]),
    ),
  )
  const goals = goalTable(
    WAYS.map((way) => ({
      name: way,
      reference: REWRITING_BUILD,
      most: MOST,
      ours: ours.took[way],
      theirs: theirs.took[way],
    })),
  )
  return `${report}\n${goals}`
}
