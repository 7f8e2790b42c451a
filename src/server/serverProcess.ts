/** The life of a server as a process: one line when it listens, an exit code when it cannot, an end when asked. */
import { fstatSync } from 'node:fs'
import type { RunningServer } from './webServer.ts'

/** Exit codes besides 0. */
const badArguments = 2
export const portTaken = 3
const failed = 1

/** A wrong command line; the message says what is wrong. */
export class UsageError extends Error {}

/**
 * Starts a server and prints `{"listening":"http://localhost:<port>"}`. Ends with code 0 on SIGTERM, SIGINT or
 * when the parent closes the pipe it gave as standard input or the channel; with 2 for a wrong command line, 3 when the port is taken, 1 when it fails otherwise, each with a sentence on standard error.
 */
export async function runServer(start: () => Promise<RunningServer>): Promise<void> {
  try {
    const server = await start()
    process.stdout.write(`${JSON.stringify({ listening: server.url })}\n`)
    let isEnding = false
    const end = () => {
      if (isEnding) return
      isEnding = true
      void server.close().then(() => process.exit(0))
    }
    process.once('SIGTERM', end)
    process.once('SIGINT', end)
    process.once('disconnect', end)
    const stdin = fstatSync(0)
    if (stdin.isFIFO() || stdin.isSocket()) process.stdin.once('end', end).once('error', end).resume()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${code === 'EADDRINUSE' ? 'The port is taken by another process.' : message}\n`)
    const isUsage = error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS')
    process.exit(isUsage ? badArguments : code === 'EADDRINUSE' ? portTaken : failed)
  }
}

/** The number of a `--port` option. @throws UsageError when it is none */
export function portOption(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError(`--port ${text} is not a port.`)
  return Number(text)
}

/** The origin of a `--origin` option, as browsers send it. @throws UsageError when it is none */
export function originOption(text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new UsageError(`--origin ${text} is not an origin such as http://localhost:1234.`)
  }
  return text
}
