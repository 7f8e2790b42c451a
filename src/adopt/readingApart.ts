/**
 * Reads foreign files in a thread of its own, whose memory and time are limited: whatever the files have, the process
 * goes on.
 */
import { getHeapStatistics } from 'node:v8'
import type { CleanSample, FoundTemplate } from '../../streams/organisation/adopt/template.ts'
import type { Variable } from '../../streams/organisation/release/release.ts'
import { createFairLine } from '../server/fairLine.ts'
import { NotAdopted, type SampleFile } from './sample.ts'
import { type ThreadLimits, withThread } from '../programs/thread.ts'
import type { ReadingAnswer, ReadSample, ReadingTask } from './readingTasks.ts'

const PROGRAM = 'src/adopt/readingWorker.ts'

const LIMITS: ThreadLimits = { time: 30_000, memory: 96 }

const tooCostly = () =>
  new NotAdopted(
    'sample_too_costly',
    'Reading the files takes more time or memory than a signature needs: save the signature alone, as .htm.',
  )

export type Reading = Readonly<{
  /**
   * Reads the signature in the files of a sample. By default no picture was fetched, the encoding is unknown, and the
   * sample is not drawn before cleaning.
   *
   * @throws NotAdopted
   */
  read: (
    files: readonly SampleFile[],
    from: string | null,
    more?: Partial<Pick<Extract<ReadingTask, { kind: 'read' }>, 'fetched' | 'encoding' | 'isDrawn'>>,
  ) => Promise<ReadSample>
  /** @throws NotAdopted */
  find: (samples: readonly CleanSample[], variables: readonly Variable[]) => Promise<FoundTemplate>
}>

/** From how much memory for objects of the process on two works may run at once. Each has 112 MB of its own. */
const MEMORY_FOR_TWO = 400_000_000
const line = createFairLine(getHeapStatistics().heap_size_limit >= MEMORY_FOR_TWO ? 2 : 1)

/** All works of a process that has one organisation, such as `signet adopt`. */
const ALONE = {}

/** For whom files are read: organisations have turns, and the work ends when its client leaves. */
type For = Readonly<{ organisation?: object; client?: AbortSignal | null }>

/**
 * Gives the work a thread, which ends with the work. An organisation has one work at a time, and organisations have
 * turns.
 *
 * @param program the path of the thread's program below the project
 */
export const readingApart = <Result>(
  work: (reading: Reading) => Promise<Result>,
  { organisation = ALONE, client = null }: For = {},
  limits: ThreadLimits = LIMITS,
  program: string = PROGRAM,
): Promise<Result> =>
  line(
    organisation,
    () =>
      withThread<ReadingTask, ReadingAnswer, Result>({ program, limits, tooCostly, client }, (ask) => {
        const kept = async <Kind extends ReadingAnswer['kind']>(kind: Kind, task: ReadingTask) => {
          const answer = await ask(task)
          if (answer.kind === 'refused') throw new NotAdopted(answer.code, answer.message, null, answer.cause)
          if (answer.kind !== kind) throw new Error(`The thread answered ${answer.kind}.`)
          return answer as Extract<ReadingAnswer, { kind: Kind }>
        }
        return work({
          read: async (files, from, { fetched = [], encoding = null, isDrawn = false } = {}) =>
            (await kept('read', { kind: 'read', files, from, fetched, encoding, isDrawn })).sample,
          find: async (samples, variables) =>
            (await kept('found', { kind: 'find', samples, variables })).template,
        })
      }),
    client,
  )
