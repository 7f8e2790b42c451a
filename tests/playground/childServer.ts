import { createServer } from 'node:http'
import { listenLocally, portOf } from '../../src/build/ports.ts'
import { portOption, runServer } from '../../src/server/serverProcess.ts'

// A minimal server as a child process that starts and ends like the real ones: `--port N`.

await runServer(async () => {
  const server = createServer()
  await listenLocally(server, portOption(process.argv[3] ?? ''))
  return {
    url: `http://localhost:${portOf(server)}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
})
