import { parentPort } from 'node:worker_threads'

// A thread whose work never ends and allocates nothing, so only its time limit can end it.

parentPort?.on('message', () => {
  for (;;);
})
