import { parentPort } from 'node:worker_threads'

// A thread whose work never ends, and makes nothing: only its time can end it.

parentPort?.on('message', () => {
  for (;;);
})
