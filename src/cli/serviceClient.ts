/** Sends the declared calls of the administration to a service. */
import {
  ADMINISTRATION_PATH,
  type AnswerOf,
  type CallName,
  callTo,
  type SentWith,
} from '../../streams/wire/administration/calls.ts'
import { mismatchIn } from '../../streams/wire/reading.ts'
import { object, optional, orNull, text } from '../../streams/kernel/schema.ts'
import { readRetryAfter } from '../../streams/kernel/retryAfter.ts'
import { reasonOf } from '../server/reasons.ts'
import { neededText, Stop, Unanswered, WrongUse, type Options, type Terminal } from './terminal.ts'

/** The service is overloaded; the same request may be retried after `waitMs` milliseconds. */
export class Later extends Stop {
  readonly waitMs: number

  constructor(message: string, waitMs: number) {
    super(message)
    this.waitMs = waitMs
  }
}

/** Both functions reject with `Stop` after a refusal, no response or a malformed one. No message contains the token. */
export type ServiceClient = Readonly<{
  ask: <Name extends CallName>(name: Name, sent: SentWith<Name>) => Promise<AnswerOf<Name>>
  /** The whole response, even fields that this version does not know. */
  askWhole: <Name extends CallName>(name: Name, sent: SentWith<Name>) => Promise<object>
}>

const TIME_LIMIT_MS = 120_000
const TOKEN_ADVICE =
  'Set SIGNET_TOKEN to what this prints: az account get-access-token --scope <SIGNET_SCOPE of the service> --query accessToken --output tsv'
const ADVICE = 'Check the address after --service, and that this computer may reach it.'
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']
const refusal = orNull(object({ code: text, message: text, request: optional(text) }))

/** @throws WrongUse without a service, Stop without a token */
export function createServiceClient(options: Options, { environment, fetch }: Terminal): ServiceClient {
  const service = readService(neededText(options, 'service', 'https://signet.example.com'))
  const token = environment['SIGNET_TOKEN']?.trim() ?? ''
  if (token === '') throw new Stop(`SIGNET_TOKEN is missing. ${TOKEN_ADVICE}`)
  // With any other character, `fetch` would throw an error that contains the token.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Stop(`SIGNET_TOKEN is not an access token. ${TOKEN_ADVICE}`)

  async function askWhole<Name extends CallName>(name: Name, sent: SentWith<Name>): Promise<object> {
    const { id, query = {}, body } = sent as Readonly<{ id?: string; query?: object; body?: unknown }>
    const { method, path } = callTo(name, id)
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
      // No redirect is followed, because its target must not get the token.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    }).catch((error: unknown) => {
      throw new Unanswered(
        `${service} cannot be reached: ${reasonOf(error, 'the request failed')}. ${ADVICE}`,
        {
          cause: error,
        },
      )
    })
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok && typeof answer === 'object' && answer !== null) return answer
    const refused = refusal.read(answer, '')
    const message = refused
      ? // The message may quote the request.
        `${refused.code}: ${refused.message}`.replaceAll(token, '…') +
        (refused.request === undefined ? '' : ` It has the request ${refused.request}.`) +
        (response.status === 401 ? ` ${TOKEN_ADVICE}` : '')
      : `${service} answers with status ${response.status}${response.ok ? ', but not with JSON' : ''}; is it a signature service?`
    const { headers } = response
    const waitMs = readRetryAfter(headers.get('retry-after')?.trim() ?? '', headers.get('date') ?? '')
    if (waitMs !== undefined) throw new Later(message, waitMs)
    // A response that is no refusal is incomplete or comes from a proxy: the service may have executed the request.
    throw refused === null && (response.ok || response.status >= 500)
      ? new Unanswered(message)
      : new Stop(message)
  }

  return {
    askWhole,
    async ask(name, sent) {
      const body = await askWhole(name, sent)
      try {
        return callTo(name).answer.read(body, '')
      } catch (error) {
        throw new Unanswered(
          `${service} answers with another shape than this version knows: ${mismatchIn(error) ?? ''}`,
        )
      }
    },
  }
}

function readService(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOCAL_HOSTS.includes(url.hostname))
  if (!url || !isSafe) throw new WrongUse('--service takes an address such as https://signet.example.com.')
  return url.origin
}
