import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createBuildProgress, exitCodeOf, onSignals } from '../build/terminal.ts'
import { HIGHEST_PORT } from '../build/ports.ts'
import { addressLines, portsBeside, startPlayground } from './launch.ts'

const USAGE = `npm start -- [options]
  --port N         the port of the playground (4400); its service and its identity provider take N+1 and N+2
  --reset          resets the service to the demonstration data
  --service <url>  uses a service that runs already, instead of the demonstration (docs/run-the-service.md)
  --dev            rebuilds at each change (npm run dev)`

const DEFAULT_PORT = 4400
const PROJECT = join(import.meta.dirname, '..', '..')

/** Ctrl-C must end everything within a second. */
const STOP_LIMIT_MS = 900

/** The command-line options. If they are invalid, `readOptions` prints the problem and returns null. */
type Options = Readonly<{ port: number; reset: boolean; service: string | null; dev: boolean }>

function readOptions(): Options | null {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: String(DEFAULT_PORT) },
        reset: { type: 'boolean', default: false },
        service: { type: 'string' },
        dev: { type: 'boolean', default: false },
      },
    })
    const port = Number(values.port)
    if (!/^\d{1,5}$/.test(values.port) || port > HIGHEST_PORT) throw new Error(`Not a port: ${values.port}`)
    const { service = null, reset, dev } = values
    if (service !== null && !isOrigin(service)) throw new Error(`Not the address of a service: ${service}`)
    return { port, reset, service, dev }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    return null
  }
}

/** Whether the text is a URL without a path, such as `http://localhost:8080`. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

async function main(): Promise<void> {
  const options = readOptions()
  if (!options) {
    process.exitCode = 2
    return
  }
  const { port, reset, service, dev } = options
  const stopped = new AbortController()
  const progress = createBuildProgress()
  const tell = (line: string) => {
    progress.clear()
    console.log(line)
  }
  const starting = startPlayground({
    ports: portsBeside(port),
    dataFolder: join(PROJECT, '.signet/service'),
    reset,
    colleagues: true,
    ...(service === null ? {} : { service }),
    dev,
    tell,
    progress,
    signal: stopped.signal,
  })

  // Ctrl-C ends everything at any moment. Anything still running at the time limit ends with this process.
  onSignals((signal) => {
    if (stopped.signal.aborted) process.exit(exitCodeOf(signal))
    stopped.abort(new Error('The start was stopped.'))
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    starting.then(
      async (playground) => {
        await playground.close()
        process.exit(0)
      },
      () => process.exit(exitCodeOf(signal)),
    )
  })

  try {
    const playground = await starting
    if (stopped.signal.aborted) return
    console.log(`${addressLines(playground)}\nStop it with Ctrl-C.`)
    await playground.whole
  } catch (error) {
    if (stopped.signal.aborted) return
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

await main()
