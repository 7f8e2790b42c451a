/** Runs work in a separate thread with limited time and memory, so that the work cannot harm the process. */
import { Worker } from 'node:worker_threads'
import { programArguments } from './programArguments.ts'

export type ThreadLimits = Readonly<{
  /** The time limit for all of the work's tasks together, in milliseconds. */
  time: number
  /** The thread's memory for objects, in megabytes. */
  memory: number
}>

export type ThreadOptions = Readonly<{
  /** The path of the thread's program below the project. */
  program: string
  limits: ThreadLimits
  /** The error for work that exceeds the limits. */
  tooCostly: () => Error
  /** When the client disconnects, the thread ends and its task rejects with the reason. */
  client?: AbortSignal | null
}>

/** The memory for new objects, in megabytes. */
const YOUNG_MEMORY = 16

/** Starts a thread, runs `work`, and ends the thread. The work sends tasks to the thread with `ask`. */
export async function withThread<Task, Answer, Result>(
  { program, limits: { time, memory }, tooCostly, client = null }: ThreadOptions,
  work: (ask: (task: Task) => Promise<Answer>) => Promise<Result>,
): Promise<Result> {
  client?.throwIfAborted()
  const [file = '', ...argv] = programArguments(program)
  const worker = new Worker(file, {
    argv,
    // Keeps the thread's output out of this process's output, because it is untrusted text.
    stdout: true,
    stderr: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_MEMORY },
  })
  // The thread may also fail between two tasks; the next task then fails at its time limit.
  worker.on('error', () => {})

  let left = time
  const ask = (task: Task): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      const timer = setTimeout(() => ended(), left)
      const stop = () => {
        clearTimeout(timer)
        worker.off('error', ended).off('exit', ended).off('message', answered)
        client?.removeEventListener('abort', leave)
      }
      const ended = (error?: unknown) => {
        stop()
        const isLimit = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        reject(isLimit || !(error instanceof Error) ? tooCostly() : error)
      }
      const answered = (answer: Answer) => {
        stop()
        left = Math.max(1, left - (performance.now() - began))
        resolve(answer)
      }
      const leave = () => {
        stop()
        reject(client?.reason as Error)
      }
      worker.once('error', ended).once('exit', ended).once('message', answered)
      client?.addEventListener('abort', leave)
      if (client?.aborted === true) return leave()
      worker.postMessage(task)
    })

  try {
    return await work(ask)
  } finally {
    await worker.terminate()
  }
}
