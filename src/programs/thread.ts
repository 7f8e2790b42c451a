/** A thread of its own for one work, whose time and memory are limited: whatever the work does, the process goes on. */
import { Worker } from 'node:worker_threads'
import { programArguments } from './programArguments.ts'

export type ThreadLimits = Readonly<{
  /** How long all tasks of the work may take together, in milliseconds. */
  time: number
  /** The memory of the thread for objects, in megabytes. */
  memory: number
}>

export type ThreadOptions = Readonly<{
  /** The path of the thread's program below the project. */
  program: string
  limits: ThreadLimits
  /** The error of work that needs more than the limits. */
  tooCostly: () => Error
  /** When the client leaves, the thread ends, and its task rejects with the reason. */
  client?: AbortSignal | null
}>

/** The memory for objects that have just begun, in megabytes. */
const YOUNG_MEMORY = 16

/** Runs the work with a thread that answers its tasks. The thread ends with the work. */
export async function withThread<Task, Answer, Result>(
  { program, limits: { time, memory }, tooCostly, client = null }: ThreadOptions,
  work: (ask: (task: Task) => Promise<Answer>) => Promise<Result>,
): Promise<Result> {
  client?.throwIfAborted()
  const [file = '', ...argv] = programArguments(program)
  const worker = new Worker(file, {
    argv,
    // What the thread would print is foreign text.
    stdout: true,
    stderr: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_MEMORY },
  })
  // Between two tasks the thread may fail, too: the next task then ends by its time.
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
