/** Sends calls of the administration API to a service. */
import {
  ADMINISTRATION_PATH,
  type AnswerOf,
  type CallName,
  callTarget,
  type CallData,
} from '../../streams/wire/administration/calls.ts'
import { type ExportLine, readExportLine } from '../../streams/wire/administration/pictureLines.ts'
import { mismatchIn } from '../../streams/wire/reading.ts'
import { object, optional, orNull, text } from '../../streams/kernel/schema.ts'
import { readRetryAfter } from '../../streams/kernel/retryAfter.ts'
import { PlainError, errorReason } from '../server/reasons.ts'
import {
  requiredText,
  CommandStop,
  NoUsableResponse,
  CommandUsageError,
  type CommandOptions,
  type Terminal,
} from './terminal.ts'

/** Thrown when the service is overloaded; the same request may be retried after `waitMs` milliseconds. */
export class RetryLater extends CommandStop {
  readonly waitMs: number

  constructor(message: string, waitMs: number) {
    super(message)
    this.waitMs = waitMs
  }
}

/**
 * Calls the administration API. All functions reject with `CommandStop` after a refusal, a malformed response or no response.
 * No error message contains the token.
 */
export type ServiceClient = Readonly<{
  ask: <Name extends CallName>(name: Name, sent: CallData<Name>) => Promise<AnswerOf<Name>>
  /** Returns the whole response, including fields that this version does not know. */
  askWhole: <Name extends CallName>(name: Name, sent: CallData<Name>) => Promise<object>
  /**
   * Yields the lines of an export, which may be larger than the memory. It ends without an error only after all lines
   * have arrived.
   */
  exportLines: (sent: CallData<'export'>) => AsyncGenerator<ExportLine, void>
}>

const TIME_LIMIT_MS = 120_000
const TOKEN_ADVICE =
  'Set SIGNET_TOKEN to what this prints: az account get-access-token --scope <SIGNET_SCOPE of the service> --query accessToken --output tsv'
const ADVICE = 'Check the address after --service, and that this computer may reach it.'
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']
const refusal = orNull(object({ code: text, message: text, request: optional(text) }))

/** @throws WrongUse without a valid service address; Stop without a valid token */
export function createServiceClient(
  options: CommandOptions,
  { environment, fetch }: Terminal,
): ServiceClient {
  const service = readService(requiredText(options, 'service', 'https://signet.example.com'))
  const token = environment['SIGNET_TOKEN']?.trim() ?? ''
  if (token === '') throw new CommandStop(`SIGNET_TOKEN is missing. ${TOKEN_ADVICE}`)
  // For any other character, `fetch` would throw an error that contains the token.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new CommandStop(`SIGNET_TOKEN is not an access token. ${TOKEN_ADVICE}`)

  /** @param signal cancels the request, and reading its response */
  async function send<Name extends CallName>(
    name: Name,
    sent: CallData<Name>,
    signal: AbortSignal,
  ): Promise<Response> {
    const { id, query = {}, body } = sent as Readonly<{ id?: string; query?: object; body?: unknown }>
    const { method, path } = callTarget(name, id)
    const given = Object.entries(query as Readonly<Record<string, string | undefined>>).flatMap(
      ([field, value]) => (value === undefined ? [] : [`${field}=${encodeURIComponent(value)}`]),
    )
    const asked = given.length === 0 ? '' : `?${given.join('&')}`
    const response = await fetch(`${service}${ADMINISTRATION_PATH}${path}${asked}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'Content-Type': typeof body === 'string' ? 'text/csv' : 'application/json' }),
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      // Redirects are not followed, because their target must not get the token.
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      throw new NoUsableResponse(
        `${service} cannot be reached: ${errorReason(error, 'the request failed')}. ${ADVICE}`,
        {
          cause: error,
        },
      )
    })
    if (!response.ok) refuse(response, await jsonOf(response))
    return response
  }

  const refuse = (response: Response, answer: unknown): never => {
    throw refusalOf(response, answer, service, token)
  }

  async function askWhole<Name extends CallName>(name: Name, sent: CallData<Name>): Promise<object> {
    const response = await send(name, sent, AbortSignal.timeout(TIME_LIMIT_MS))
    const answer = await jsonOf(response)
    return typeof answer === 'object' && answer !== null ? answer : refuse(response, answer)
  }

  return {
    askWhole,

    exportLines: (sent) => readExport(service, (signal) => send('export', sent, signal), refuse),

    async ask(name, sent) {
      const body = await askWhole(name, sent)
      try {
        return callTarget(name).answer.read(body, '')
      } catch (error) {
        throw new NoUsableResponse(
          `${service} answers with another shape than this version knows: ${mismatchIn(error) ?? ''}`,
        )
      }
    },
  }
}

/** The error for a failed or unusable response, with the service's own message if there is one. */
function refusalOf(response: Response, answer: unknown, service: string, token: string): CommandStop {
  const refused = refusal.read(answer, '')
  const message = refused
    ? // The message may quote the request, which has the token.
      `${refused.code}: ${refused.message}`.replaceAll(token, '…') +
      (refused.request === undefined ? '' : ` It has the request ${refused.request}.`) +
      (response.status === 401 ? ` ${TOKEN_ADVICE}` : '')
    : `${service} answers with status ${response.status}${response.ok ? ', but not with JSON' : ''}; is it a signature service?`
  const { headers } = response
  const waitMs = readRetryAfter(headers.get('retry-after')?.trim() ?? '', headers.get('date') ?? '')
  if (waitMs !== undefined) return new RetryLater(message, waitMs)
  // Without a refusal, the response is incomplete or comes from a proxy, so the service may have executed the request.
  return refused === null && (response.ok || response.status >= 500)
    ? new NoUsableResponse(message)
    : new CommandStop(message)
}

/**
 * Yields the lines of an export. The total time is unlimited, but each part must arrive in time.
 *
 * @param refuse throws the error for a response that is not from a signature service
 */
async function* readExport(
  service: string,
  send: (signal: AbortSignal) => Promise<Response>,
  refuse: (response: Response, answer: unknown) => never,
): AsyncGenerator<ExportLine, void> {
  const silent = new AbortController()
  let timer = setTimeout(() => {}, 0)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(new DOMException('Silent', 'TimeoutError')), TIME_LIMIT_MS)
  }
  let response: Response | null = null
  let isFirst = true
  try {
    heard()
    response = await send(silent.signal)
    let isComplete = false
    for await (const line of linesOf(response.body ?? [], heard)) {
      const read = readExportLine(line, isFirst)
      isFirst = false
      isComplete ||= read.isLast
      yield read
    }
    if (!isComplete) throw new NoUsableResponse(`${service} did not send the whole export. Try again.`)
  } catch (error) {
    if (error instanceof PlainError) throw error
    // Another program's response does not begin with a line of JSON.
    if (response !== null && isFirst && error instanceof SyntaxError) refuse(response, null)
    const what =
      error instanceof SyntaxError || mismatchIn(error) !== null
        ? 'answers with another shape than this version knows'
        : `did not send the whole export: ${errorReason(error, 'it closed the connection')}`
    throw new NoUsableResponse(`${service} ${what}.`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

const jsonOf = (response: Response): Promise<unknown> => response.json().catch(() => null)

/** @param heard called for each part that arrives */
async function* linesOf(
  body: AsyncIterable<Uint8Array> | [],
  heard: () => void,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let parts: string[] = []
  for await (const part of body) {
    heard()
    const [first = '', ...more] = decoder.decode(part, { stream: true }).split('\n')
    parts.push(first)
    for (const next of more) {
      yield parts.join('')
      parts = [next]
    }
  }
  yield parts.join('')
}

function readService(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOCAL_HOSTS.includes(url.hostname))
  if (!url || !isSafe)
    throw new CommandUsageError('--service takes an address such as https://signet.example.com.')
  return url.origin
}
