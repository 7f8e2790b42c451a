/** Asks the administration of a service. What it answers is this project's own; a refusal has a code and a sentence. */
import * as v from 'valibot'
import { readRetryAfter } from '../../streams/kernel/retryAfter.ts'
import { neededText, Stop, Unanswered, WrongUse, type Options, type Terminal } from './terminal.ts'

/** The service cannot answer now, and takes the same request again after `waitMs` milliseconds. */
export class Later extends Stop {
  readonly waitMs: number

  constructor(message: string, waitMs: number) {
    super(message)
    this.waitMs = waitMs
  }
}

/** Each rejects with `Stop` when the service refuses or cannot be reached. The token is in no message. */
export type ServiceClient = Readonly<{
  get: <Answer>(path: string) => Promise<Answer>
  post: <Answer>(path: string, body: unknown) => Promise<Answer>
  postCsv: <Answer>(path: string, csv: string) => Promise<Answer>
  put: (path: string, body: unknown) => Promise<unknown>
  delete: (path: string) => Promise<unknown>
}>

const TIME_LIMIT_MS = 120_000
const TOKEN_ADVICE =
  'Set SIGNET_TOKEN to what this prints: az account get-access-token --scope <SIGNET_SCOPE of the service> --query accessToken --output tsv'
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']
const refusalSchema = v.object({ code: v.string(), message: v.string() })

/** @throws WrongUse without a service, Stop without a token */
export function createServiceClient(options: Options, { environment, fetch }: Terminal): ServiceClient {
  const service = readService(neededText(options, 'service', 'https://signet.example.com'))
  const token = environment['SIGNET_TOKEN']?.trim() ?? ''
  if (token === '') throw new Stop(`SIGNET_TOKEN is missing. ${TOKEN_ADVICE}`)
  // A header with another character is refused by an error that says the whole header.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Stop(`SIGNET_TOKEN is not an access token. ${TOKEN_ADVICE}`)

  async function ask<Answer>(
    method: string,
    path: string,
    type: string,
    body: string | null,
  ): Promise<Answer> {
    const response = await fetch(`${service}/api/administration/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === null ? {} : { 'Content-Type': type }),
      },
      body,
      // A token is for this service, wherever it would send the command.
      redirect: 'error',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    }).catch((error: unknown) => {
      throw new Unanswered(`${service} cannot be reached: ${causeOf(error)}`)
    })
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok && typeof answer === 'object' && answer !== null) return answer as Answer
    const refusal = v.safeParse(refusalSchema, answer)
    const message = refusal.success
      ? // What refuses may quote the request.
        `${refusal.output.code}: ${refusal.output.message}`.replaceAll(token, '…') +
        (response.status === 401 ? ` ${TOKEN_ADVICE}` : '')
      : `${service} answers with status ${response.status}${response.ok ? ', but not with JSON' : ''}; is it a signature service?`
    const { headers } = response
    const waitMs = readRetryAfter(headers.get('retry-after')?.trim() ?? '', headers.get('date') ?? '')
    if (waitMs !== undefined) throw new Later(message, waitMs)
    // A proxy answers, or the answer broke off: what was asked for may be done.
    throw !refusal.success && (response.ok || response.status >= 500)
      ? new Unanswered(message)
      : new Stop(message)
  }

  return {
    get: (path) => ask('GET', path, '', null),
    post: (path, body) => ask('POST', path, 'application/json', JSON.stringify(body)),
    postCsv: (path, csv) => ask('POST', path, 'text/csv', csv),
    delete: (path) => ask('DELETE', path, '', null),
    put: (path, body) => ask('PUT', path, 'application/json', JSON.stringify(body)),
  }
}

function readService(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOCAL_HOSTS.includes(url.hostname))
  if (!url || !isSafe) throw new WrongUse('--service takes an address such as https://signet.example.com.')
  return url.origin
}

/** The reason behind a failed request; Node puts it into `cause`. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}
