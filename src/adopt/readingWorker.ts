import { parentPort } from 'node:worker_threads'
import { answerReadingTask, type ReadingTask } from './readingTasks.ts'

// The thread that reads foreign files (readingApart.ts).

parentPort?.on('message', (task: ReadingTask) => {
  void answerReadingTask(task).then((answer) => parentPort?.postMessage(answer))
})
