/** What the commands share: the world that they know, how they end, and how they read their options. */
import { writeFile } from 'node:fs/promises'

export type Terminal = Readonly<{
  write: (text: string) => void
  complain: (text: string) => void
  /** Asks the user; null when none is there to answer, as in a pipeline. */
  confirm: ((question: string) => Promise<boolean>) | null
  environment: Readonly<Record<string, string | undefined>>
  fetch: typeof fetch
  /** Shows a file in the browser of the machine. */
  open: (file: string) => void
  /** Milliseconds since 1970. */
  now: () => number
  /** Resolves after milliseconds; by default that long. */
  wait?: (ms: number) => Promise<unknown>
}>

export type Options = Readonly<Record<string, string | boolean | undefined>>

/** 0 fine, 1 findings or refused, 2 a wrong command line. */
export type ExitCode = 0 | 1 | 2

export type Run = (args: readonly string[], options: Options, terminal: Terminal) => Promise<ExitCode>

/** Ends a command with code 1 and a sentence. */
export class Stop extends Error {}

/** The service did not answer: what was asked for may have been done, in part. */
export class Unanswered extends Stop {}

/** Ends a command with code 2 and a sentence that says what to give; `usage` stands below it, for a mistyped command. */
export class WrongUse extends Error {
  readonly usage: string | null

  constructor(message: string, usage: string | null = null) {
    super(message)
    this.usage = usage
  }
}

const NOON_MS = 12 * 60 * 60 * 1000

/** The noon, in UTC, of the day in `--on`; now without it. */
export function timeOf({ on }: Options, now: () => number): number {
  if (on === undefined) return now()
  const midnight =
    typeof on === 'string' && /^\d{4}-\d\d-\d\d$/.test(on) ? Date.parse(`${on}T00:00:00Z`) : NaN
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== on)
    throw new WrongUse('--on takes a day such as 2026-10-01.')
  return midnight + NOON_MS
}

/** The text of an option; undefined without it. */
export const textOf = (options: Options, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** @param example a value that the option takes */
export function neededText(options: Options, name: string, example: string): string {
  const value = textOf(options, name)
  if (value === undefined) throw new WrongUse(`--${name} is missing: give --${name} ${example}.`)
  return value
}

/** @throws Stop when the file cannot be written */
export async function writePage(file: string, html: string): Promise<void> {
  await writeFile(file, html).catch((error: unknown) => {
    throw new Stop(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  })
}
