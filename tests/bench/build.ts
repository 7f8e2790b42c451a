import { type ChildProcess, spawn } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { openBuilds } from '../../src/build/builds.ts'
import { SHIPPED_GROUPS } from '../../src/build/groups.ts'
import { digits, median, spread, table, times } from './figures.ts'
import { checkOut } from './formerCommit.ts'

// Measures the processor time of `npm start` until it prints its address, in turns with an earlier commit. Also counts
// crashes and hangs in a row of cold builds.

const PROJECT = join(import.meta.dirname, '..', '..')
/** The last commit with only a pane and a playground: without launch events, administration and database. */
const FORMER = '516e06d'
const ROUNDS = 3
/** Files that a start leaves for the next start. */
const KEPT = ['dist', '.parcel-cache', '.signet/service']
/** A file that the panes of both commits contain. */
const CHANGED = 'streams/kernel/time.ts'
const START_LIMIT_MS = 600_000
const TICKS_PER_SECOND = 100

type Start = Readonly<{ cpu: number; wall: number }>

/** The processor seconds of a process and all its children, including ended children. Linux only. */
async function processorSeconds(pid: number): Promise<number> {
  try {
    const [, ...fields] = (await readFile(`/proc/${String(pid)}/stat`, 'utf8')).split(') ')
    const numbers = fields.join(') ').split(' ').slice(11, 15).map(Number)
    let sum = numbers.reduce((all, each) => all + each, 0) / TICKS_PER_SECOND
    for (const task of await readdir(`/proc/${String(pid)}/task`)) {
      const children = await readFile(`/proc/${String(pid)}/task/${task}/children`, 'utf8')
      for (const child of children.split(' ').filter(Boolean)) sum += await processorSeconds(Number(child))
    }
    return sum
  } catch {
    // The process ended in the meantime.
    return 0
  }
}

/** Starts the playground like `npm start`, and ends it when it prints its address. */
function startOnce(root: string, command: readonly string[]): Promise<Start> {
  const began = performance.now()
  // In a separate process group, so that all its children end with it, as with Ctrl-C.
  const child = spawn(process.execPath, [...command, '--port', '4480'], { cwd: root, detached: true })
  const { pid = 0 } = child
  return new Promise((resolve, reject) => {
    let output = ''
    let measured: Start | null = null
    const limit = setTimeout(() => process.kill(-pid, 'SIGKILL'), START_LIMIT_MS)
    child.stderr.on('data', (text: Buffer) => (output += text.toString()))
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString()
      if (measured !== null || !output.includes('Signet is at')) return
      measured = { cpu: 0, wall: (performance.now() - began) / 1000 }
      void processorSeconds(pid).then((cpu) => {
        measured = { cpu, wall: measured?.wall ?? 0 }
        process.kill(-pid, 'SIGINT')
      })
    })
    child.on('close', () => {
      clearTimeout(limit)
      if (measured === null) reject(new Error(`The start of ${root} ended without an address: ${output}`))
      else resolve(measured)
    })
  })
}

/**
 * Measures starts that are cold, warm, and after a changed line, in turns with the former commit.
 *
 * @param note is called with the progress
 */
export async function measureBuild(note: (line: string) => void): Promise<string> {
  const root = join(PROJECT, '.signet/bench')
  const contenders = [
    { name: 'Signet', commit: 'HEAD', command: ['src/programs/run.mjs', 'src/playground/start.ts'] },
    {
      name: FORMER,
      commit: FORMER,
      command: ['--import', 'tsx', 'src/playground/start.ts'],
    },
  ].map((each) => ({
    ...each,
    folder: join(root, `build-${each.commit}`),
    starts: new Map<string, Start[]>(),
  }))
  for (const { commit, folder } of contenders) {
    if (commit === 'HEAD') await rm(folder, { recursive: true, force: true })
    await checkOut(commit, folder)
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, folder, command, starts } of contenders) {
      for (const kept of KEPT) await rm(join(folder, kept), { recursive: true, force: true })
      for (const kind of ['cold', 'warm', 'after a changed line']) {
        note(`${name}, ${kind}, ${String(round + 1)} of ${String(ROUNDS)} …`)
        if (kind === 'after a changed line') await appendFile(join(folder, CHANGED), `// ${String(round)}\n`)
        const start = await startOnce(folder, command)
        starts.set(kind, [...(starts.get(kind) ?? []), start])
      }
    }
  const [ours, former] = contenders
  if (!ours || !former) throw new Error('Nothing was measured')
  const values = (each: typeof ours, kind: string, figure: keyof Start) =>
    (each.starts.get(kind) ?? []).map((start) => start[figure])
  return table(
    `From the command to the printed address (${String(ROUNDS)} rounds, in turns; ${String(availableParallelism())} cores, load ${digits(loadavg()[0] ?? 0)}, Node ${process.versions.node})`,
    ['', 'processor time, s', 'wall time, s', `processor time vs. ${former.name}`],
    [...ours.starts.keys()].map((kind) => [
      kind,
      spread(values(ours, kind, 'cpu')),
      spread(values(ours, kind, 'wall')),
      times(median(values(ours, kind, 'cpu')) / median(values(former, kind, 'cpu'))),
    ]),
  )
}

/**
 * Builds all shipped pages from scratch, `count` times in a row, the second half beside `busy` processes that keep the
 * processor busy. A build also counts as failed if its bundler had to restart.
 */
export async function measureColdBuilds(
  count: number,
  busy: number,
  note: (line: string) => void,
): Promise<string> {
  const dist = join(PROJECT, 'dist')
  await mkdir(dist, { recursive: true })
  const spinning: ChildProcess[] = []
  const rows: string[][] = []
  try {
    for (const [half, beside] of [
      [Math.ceil(count / 2), 0],
      [Math.floor(count / 2), busy],
    ] as const) {
      for (let each = 0; each < beside; each++)
        spinning.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
      const walls: number[] = []
      const loads: number[] = []
      const failures: string[] = []
      for (let build = 0; build < half; build++) {
        const folder = await mkdtemp(join(dist, 'cold-'))
        const began = performance.now()
        const failed = await buildOnce(folder)
        walls.push((performance.now() - began) / 1000)
        loads.push(loadavg()[0] ?? 0)
        failures.push(...failed)
        note(
          `${String(build + 1)} of ${String(half)} beside ${String(beside)} busy processes: ${digits(walls.at(-1) ?? 0)} s${failed.map((line) => `; ${line}`).join('')}`,
        )
        await rm(folder, { recursive: true, force: true })
      }
      if (half > 0)
        rows.push([
          beside === 0 ? 'without extra load' : `beside ${String(beside)} busy processes`,
          String(half),
          String(failures.length),
          spread(walls),
          spread(loads),
        ])
    }
  } finally {
    for (const each of spinning) each.kill('SIGKILL')
  }
  return table(
    `Cold builds of all shipped pages, one after another (${String(availableParallelism())} cores, Node ${process.versions.node})`,
    ['', 'builds', 'crashes and hangs', 'wall time, s', 'load'],
    rows,
  )
}

/** Builds once. Resolves with the bundler's failures. */
async function buildOnce(folder: string): Promise<readonly string[]> {
  const failures: string[] = []
  const builds = openBuilds({ tell: (line) => failures.push(line), folder })
  try {
    await Promise.all(SHIPPED_GROUPS.map((name) => builds.build(name)))
  } catch (error) {
    failures.push(String(error))
  } finally {
    builds.end()
  }
  return failures
}
