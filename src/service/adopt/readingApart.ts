/**
 * Reads foreign files in a thread of its own, whose memory and time are limited: whatever the files have, the process
 * goes on.
 */
import { Worker } from 'node:worker_threads'
import type { CleanSample, FoundTemplate } from '../../../streams/organisation/adopt/template.ts'
import type { Variable } from '../../../streams/organisation/release.ts'
import { programArguments } from '../../programs/programArguments.ts'
import { NotAdopted, type SampleFile } from './sample.ts'
import type { Answer, ReadSample, Task } from './readingTasks.ts'

const PROGRAM = 'src/service/adopt/readingWorker.ts'

type ReadingLimits = Readonly<{
  /** How long all tasks of one work may take together, in milliseconds. */
  time: number
  /** The memory of the thread for objects, in megabytes. */
  memory: number
}>

const LIMITS: ReadingLimits = { time: 30_000, memory: 96 }
/** The memory for objects that have just begun, in megabytes. */
const YOUNG_MEMORY = 16

const tooCostly = () =>
  new NotAdopted(
    'sample_too_costly',
    'Reading the files takes more time or memory than a signature needs: save the signature alone, as .htm.',
  )

export type Reading = Readonly<{
  /** Without more, nothing was fetched, and nothing is drawn. @throws NotAdopted */
  read: (
    files: readonly SampleFile[],
    from: string | null,
    more?: Partial<Pick<Extract<Task, { kind: 'read' }>, 'fetched' | 'isDrawn'>>,
  ) => Promise<ReadSample>
  /** @throws NotAdopted */
  find: (samples: readonly CleanSample[], variables: readonly Variable[]) => Promise<FoundTemplate>
}>

function begin({ time, memory }: ReadingLimits, program: string) {
  const [file = '', ...argv] = programArguments(program)
  const worker = new Worker(file, {
    argv,
    // What the thread would print is foreign text.
    ...{ stdout: true, stderr: true, env: {} },
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_MEMORY },
  })

  let left = time
  const ask = (task: Task): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      const timer = setTimeout(() => {
        reject(tooCostly())
      }, left)
      const ended = (error?: unknown) => {
        clearTimeout(timer)
        const isLimit = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        reject(isLimit || !(error instanceof Error) ? tooCostly() : error)
      }
      worker.once('error', ended)
      worker.once('exit', ended)
      worker.once('message', (answer: Answer) => {
        clearTimeout(timer)
        left = Math.max(1, left - (performance.now() - began))
        worker.off('error', ended).off('exit', ended)
        resolve(answer)
      })
      worker.postMessage(task)
    })

  const kept = async <Kind extends Answer['kind']>(kind: Kind, task: Task) => {
    const answer = await ask(task)
    if (answer.kind === 'refused') throw new NotAdopted(answer.code, answer.message)
    if (answer.kind !== kind) throw new Error(`The thread answered ${answer.kind}.`)
    return answer as Extract<Answer, { kind: Kind }>
  }

  const reading: Reading = {
    read: async (files, from, { fetched = [], isDrawn = false } = {}) =>
      (await kept('read', { kind: 'read', files, from, fetched, isDrawn })).sample,
    find: async (samples, variables) => (await kept('found', { kind: 'find', samples, variables })).template,
  }
  return { reading, end: () => worker.terminate() }
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Gives the work a thread, which ends with the work. Of several works one has its turn after the other.
 *
 * @param program the path of the thread's program below the project
 */
export function readingApart<Result>(
  work: (reading: Reading) => Promise<Result>,
  limits: ReadingLimits = LIMITS,
  program: string = PROGRAM,
): Promise<Result> {
  const turn = last.then(async () => {
    const { reading, end } = begin(limits, program)
    try {
      return await work(reading)
    } finally {
      await end()
    }
  })
  last = turn.catch(() => undefined)
  return turn
}
