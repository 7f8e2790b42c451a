/** Runs a server as a process: prints a line when it listens, exits with a code on failure, and stops on request. */
import { fstatSync } from 'node:fs'
import type { RunningServer } from './webServer.ts'
import { knownErrorReason, PlainError } from './reasons.ts'

const EXIT_FAILED = 1
const EXIT_USAGE = 2
export const EXIT_PORT_TAKEN = 3

/** Thrown for a wrong command line; the message explains the mistake. */
export class UsageError extends PlainError {}

/**
 * Starts a server and prints `{"listening":"http://localhost:<port>"}`. Exits with code 0 on SIGTERM, on SIGINT, and
 * when the parent closes standard input or the IPC channel. Exits with 2 for a wrong command line, 3 if the port is
 * taken, and 1 for any other failure, each with a sentence on standard error.
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
    const isUsage = error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS')
    process.stderr.write(
      `${code === 'EADDRINUSE' ? 'The port is taken by another process.' : startText(error, isUsage)}\n`,
    )
    process.exit(isUsage ? EXIT_USAGE : code === 'EADDRINUSE' ? EXIT_PORT_TAKEN : EXIT_FAILED)
  }
}

/** Explains why the server did not start. An unexpected error is followed by its stack, because this is the log. */
function startText(error: unknown, isUsage: boolean): string {
  if (error instanceof PlainError || (isUsage && error instanceof Error)) return error.message
  const reason = knownErrorReason(error)
  const original = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `The server did not start${reason === null ? '' : `: ${reason}`}.\n${original}`
}

/**
 * The number of a `--port` option.
 *
 * @throws UsageError when it is not a port
 */
export function portOption(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError(`--port ${text} is not a port.`)
  return Number(text)
}

/**
 * The origin of an `--origin` option, as browsers send it.
 *
 * @throws UsageError when it is not an origin
 */
export function originOption(text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new UsageError(`--origin ${text} is not an origin such as http://localhost:1234.`)
  }
  return text
}
