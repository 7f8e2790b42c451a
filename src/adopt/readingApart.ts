/** Reads foreign files in a separate thread with limited memory and time, so that no file can stop the process. */
import { getHeapStatistics } from 'node:v8'
import type { CleanSample, FoundTemplate } from '../../streams/organisation/adopt/template.ts'
import type { Variable } from '../../streams/organisation/release/release.ts'
import { createFairQueue } from '../server/fairLine.ts'
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

export type SampleReading = Readonly<{
  /**
   * Reads the signature in a sample's files. By default no pictures are fetched, the encoding is unknown, and the
   * uncleaned sample is not returned for drawing.
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

/** The heap limit in bytes from which two threads may run at once. Each thread has 112 MB of its own. */
const MEMORY_FOR_TWO = 400_000_000
const line = createFairQueue(getHeapStatistics().heap_size_limit >= MEMORY_FOR_TWO ? 2 : 1)

/** The key for all reading in a process with one organisation, such as `signet adopt`. */
const ALONE = {}

/**
 * The organisation and the client to read for: organisations take turns, and the work ends when its client disconnects.
 */
type For = Readonly<{ organisation?: object; client?: AbortSignal | null }>

/**
 * Starts a thread for the work and ends it with the work. Each organisation runs one job at a time, and organisations
 * take turns.
 *
 * @param program the path of the thread's program below the project
 */
export const withReadingThread = <Result>(
  work: (reading: SampleReading) => Promise<Result>,
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
