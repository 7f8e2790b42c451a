/** The commands' environment, errors and options. */
import { writeFile } from 'node:fs/promises'
import { isDay } from '../../streams/organisation/release/names.ts'
import { isSampleRecipients, type SampleRecipients } from '../../streams/organisation/release/supposed.ts'
import { knownErrorReason, PlainError, errorReason } from '../server/reasons.ts'
import { DATABASE_ADVICE, StoreUnavailable } from '../service/sql/problems.ts'
import { sqlState } from '../service/sql/driver.ts'

/** Functions that show the progress of long work and let the user stop it. */
export type WorkDisplay = Readonly<{
  /** Replaces the last line in a terminal; an empty line clears it. Null elsewhere, as in a pipeline. */
  redraw: ((line: string) => void) | null
  /**
   * Calls the listener at the first Ctrl-C. The returned function restores Ctrl-C's default, which ends the process.
   */
  onInterrupt: (listener: () => void) => () => void
  /** Creates an id (32 random hex digits) for a long request, to poll its progress or stop it. */
  newName: () => string
}>

export type Terminal = Readonly<{
  write: (text: string) => void
  complain: (text: string) => void
  /** Asks the user for confirmation; null without a terminal, as in a pipeline. */
  confirm: ((question: string) => Promise<boolean>) | null
  environment: Readonly<Record<string, string | undefined>>
  fetch: typeof fetch
  /** Logs the original error behind a message in plain words. If missing, the original error is not logged. */
  trace?: (original: unknown) => void
  /** Opens a file in the browser. */
  open: (file: string) => void
  /** Milliseconds since 1970. */
  now: () => number
  /** If missing, long work shows no progress. */
  watch?: WorkDisplay
  /** Waits the given milliseconds; tests replace the function. */
  wait?: (ms: number) => Promise<unknown>
}>

/** The given options by name. The value of a repeatable option is a list. */
export type CommandOptions = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/**
 * 0: success. 1: findings or a refusal. 2: a comparison found differences: a plan has changes, or a folder differs from
 * the published release. 64: the command line is wrong.
 */
export type ExitCode = 0 | 1 | 2 | 64

export type CommandHandler = (
  args: readonly string[],
  options: CommandOptions,
  terminal: Terminal,
) => Promise<ExitCode>

/** Thrown to end a command with code 1. The message is a sentence, and `cause` is the original error, if any. */
export class CommandStop extends PlainError {}

/** Thrown when the service gave no usable response, but may have executed part of the request. */
export class NoUsableResponse extends CommandStop {}

/** Thrown to end a command with code 64. The message explains the correct use; `usage` is printed below it. */
export class CommandUsageError extends Error {
  readonly usage: string | null

  constructor(message: string, usage: string | null = null) {
    super(message)
    this.usage = usage
  }
}

const NOON_MS = 12 * 60 * 60 * 1000

/** Noon UTC on the day in `--on`; by default the current time. */
export function timeOf({ on }: CommandOptions, now: () => number): number {
  if (on === undefined) return now()
  if (typeof on !== 'string' || !isDay(on))
    throw new CommandUsageError('--on takes a day such as 2026-10-01.')
  return Date.parse(`${on}T00:00:00Z`) + NOON_MS
}

/** The recipients in `--recipients`; null without this option, which means a message without recipients. */
export function recipientsOf({ recipients }: CommandOptions): SampleRecipients | null {
  if (recipients === undefined) return null
  if (!isSampleRecipients(recipients)) throw new CommandUsageError('--recipients takes internal or external.')
  return recipients
}

/** The text of an option; undefined if it is not given. */
export const optionText = (options: CommandOptions, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * The encoding in `--encoding`, by any name that browsers know; null if it is not given.
 *
 * @throws WrongUse
 */
export function encodingOf(options: CommandOptions): string | null {
  const encoding = optionText(options, 'encoding') ?? null
  try {
    return encoding && new TextDecoder(encoding).encoding
  } catch {
    throw new CommandUsageError(
      `There is no encoding ${JSON.stringify(encoding)}: give a name such as windows-1252 or shift_jis.`,
    )
  }
}

/** The texts of an option that may be repeated; undefined if it is not given. */
export function optionTexts(options: CommandOptions, name: string): readonly string[] | undefined {
  const value = options[name]
  return typeof value === 'object' ? value : undefined
}

/**
 * The text of a required option.
 *
 * @param example a valid value, for the message if the option is missing
 */
export function requiredText(options: CommandOptions, name: string, example: string): string {
  const value = optionText(options, name)
  if (value === undefined) throw new CommandUsageError(`--${name} is missing: give --${name} ${example}.`)
  return value
}

/** Formats data as JSON on several lines. Control characters are escaped, because the terminal would execute them. */
export const jsonText = (data: object): string =>
  `${JSON.stringify(data, null, 2).replace(/[\u007f-\u009f]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`)}\n`

/** Explains an error in sentences for the user, without messages from other programs. */
export function errorSentence(error: unknown): string {
  if (error instanceof StoreUnavailable)
    return `${error.message}.${error.problem === 'away' ? ` ${DATABASE_ADVICE}` : ''}`
  if (error instanceof PlainError) return error.message
  const reason = knownErrorReason(error)
  const state = sqlState(error)
  if (state !== null)
    return reason === null
      ? `The database refused a statement (SQLSTATE ${state}). The log of the database says which, and why.`
      : `The database refused the command: ${reason}. Check the user and the name in DATABASE_URL.`
  if (reason !== null) {
    const path =
      error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null
    return path === null ? `The command failed: ${reason}.` : `${path} cannot be used: ${reason}.`
  }
  const name = error instanceof Error && /^\w+$/.test(error.name) ? ` (${error.name})` : ''
  return `The command failed${name}. This is a fault of Signet: please report it, with what the command prints after NODE_DEBUG=signet is set.`
}

/**
 * Returns an error handler that ends the command with `text` and the reason for the error.
 *
 * @param otherwise the reason for an unknown error
 */
export const stopOnError =
  (text: string, otherwise = 'an unexpected error happened') =>
  (error: unknown) => {
    throw error instanceof PlainError
      ? new CommandStop(error.message, { cause: error })
      : new CommandStop(`${text}${errorReason(error, otherwise)}.`, { cause: error })
  }

/** @throws Stop when the file cannot be written */
export const writePage = (file: string, html: string): Promise<void> =>
  writeFile(file, html).catch(stopOnError(`${file} cannot be written: `))
