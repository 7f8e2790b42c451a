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

// Times launch.js from compiling its text to the completed event, in turns with the last build that rewrote packages.
// Outlook's runtime reads the file for each event, so compiling counts.

const PROJECT = join(import.meta.dirname, '..', '..')
const API = 'https://service.northwind.example'
const EMAIL = 'alex.kim@northwind.example'
/** Counted runs. On a busy machine, two medians of 31 runs of the same file differ by a tenth. */
const RUNS = 61
/** Warm-up runs, before the counted runs. */
const DROPPED = 3
/** The goal: Signet takes at most this many times as long. */
const MOST = 1.1

const COLD = 'nothing stored, with requests'
const KEPT = 'a fresh copy'
const WAYS = [COLD, KEPT] as const
type Way = (typeof WAYS)[number]

const token = [
  { alg: 'none' },
  { sub: 'u-1', email: EMAIL, exp: Math.floor(Date.now() / 1000) + 86_400 },
  'signature',
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')

/** The service's answers, by path. */
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

/** A request that is answered at once. */
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

/** Builds launch.js from the sources in `root`, and resolves with its text as their server would send it. */
async function launchFileOf(root: string, note: (line: string) => void): Promise<string> {
  const { openBuilds } = (await loadFrom(root, 'src/build/builds.ts')) as typeof builds
  const { LAUNCH_FILE } = (await loadFrom(root, 'src/server/headers.ts')) as typeof headers
  const { emptyConfig, embedConfig: writeConfig } = (await loadFrom(
    root,
    'src/server/pageConfig.ts',
  )) as typeof pageConfig
  const { build, end } = openBuilds({ tell: note })
  const folder = await build('launchFile').finally(end)
  const config = { ...emptyConfig(), SIGNET_API_URL: API, SIGNET_PRODUCTION: 'true' }
  return writeConfig(LAUNCH_FILE, await readFile(join(folder, LAUNCH_FILE)), config).toString()
}

/** Raises an event with nothing stored, then an event with the copy that the first one stored. Each has a new runtime. */
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
      // With the same name, V8 would compile the text only once.
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

/** @param note is called with the progress */
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
    // They take turns at being first, because garbage of one can delay the other.
    for (const { name, code, took } of run % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
      const ms = await raiseTwice(name, code, run)
      if (run >= 0) for (const way of WAYS) took[way].push(ms[way])
    }
  const report = table(
    `launch.js, from compiling to the completed event (in a bare runtime, ${String(RUNS)} runs each, in turns)`,
    ['', 'ms, median [least–most]', `vs. ${REWRITING_BUILD}`],
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
      name: `launch.js, ${way}`,
      reference: REWRITING_BUILD,
      most: MOST,
      ours: ours.took[way],
      theirs: theirs.took[way],
    })),
  )
  return `${report}\n${goals}`
}
