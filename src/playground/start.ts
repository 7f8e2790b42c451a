import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPlayground } from './launch.ts'

const USAGE = `npm start -- [options]
  --port N         the port of the playground (4400)
  --reset          resets the service to the demonstration data
  --service <url>  uses a service that runs already, instead of the demonstration (docs/run-the-service.md)
  --dev            rebuilds at each change (npm run dev)`

const DEFAULT_PORTS = { pages: 4400, service: 4401, identityProvider: 4402 }
const PROJECT = join(import.meta.dirname, '..', '..')

/** Parses the command line. Prints the problem and returns null when it is invalid. */
type Options = Readonly<{ port: number; reset: boolean; service: string | null; dev: boolean }>

function readOptions(): Options | null {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: String(DEFAULT_PORTS.pages) },
        reset: { type: 'boolean', default: false },
        service: { type: 'string' },
        dev: { type: 'boolean', default: false },
      },
    })
    const port = Number(values.port)
    if (!/^\d{1,5}$/.test(values.port) || port > 65_535) throw new Error(`Not a port: ${values.port}`)
    const { service = null, reset, dev } = values
    if (service !== null && !isOrigin(service)) throw new Error(`Not the address of a service: ${service}`)
    return { port, reset, service, dev }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    return null
  }
}

/** An address without a path, as `http://localhost:8080`. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

async function main(): Promise<void> {
  const options = readOptions()
  if (!options) {
    process.exitCode = 2
    return
  }
  const { port, reset, service, dev } = options
  const stopped = new AbortController()
  const starting = startPlayground({
    ports: { ...DEFAULT_PORTS, pages: port },
    dataFolder: join(PROJECT, '.signet/service'),
    // The names of development files have no content hash, so they must not mix with those that ship.
    pagesFolder: join(PROJECT, dev ? 'dist/playground-dev' : 'dist/playground'),
    cacheFolder: join(PROJECT, '.parcel-cache'),
    reset,
    ...(service === null ? {} : { service }),
    dev,
    tell: (line) => console.log(line),
  })

  const stop = () => {
    if (stopped.signal.aborted) return
    stopped.abort()
    starting.then(
      async (playground) => {
        await playground.close()
        process.exit(0)
      },
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

  console.log('Building Signet …')
  try {
    const { url } = await starting
    if (!stopped.signal.aborted) console.log(`Signet is at ${url}\nStop it with Ctrl-C.`)
  } catch (error) {
    if (!stopped.signal.aborted) console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

await main()
