import { parentPort } from 'node:worker_threads'
import { answerTo, type ReadingTask } from './readingTasks.ts'

// The thread in which foreign files are read (readingApart.ts).

parentPort?.on('message', (task: ReadingTask) => {
  void answerTo(task).then((answer) => parentPort?.postMessage(answer))
})
