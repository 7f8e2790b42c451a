/** Sends requests to Microsoft Graph, with a token of the app registration. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { nonEmptyText } from '../../../streams/kernel/limits.ts'
import {
  number,
  object,
  optional,
  orNull,
  type Schema,
  text,
  withCheck,
} from '../../../streams/kernel/schema.ts'
import { readPictureFormat } from '../../folder/pictureFormats.ts'
import { DirectoryError } from './runs.ts'

/** The credential of the app registration: a secret, or the changing token of a workload identity. */
export type GraphCredential =
  | Readonly<{ kind: 'secret'; secret: string }>
  | Readonly<{ kind: 'federated'; readToken: () => Promise<string> }>

export type GraphOptions = Readonly<{
  /** The id of the tenant. */
  tenant: string
  /** The OpenID authority of the tenant, without a slash at the end. */
  authority: string
  /** The origin of Graph: `https://graph.microsoft.com`, or the origin of a national cloud. */
  url: string
  clientId: string
  credential: GraphCredential
  /** Milliseconds since 1970. */
  now: () => number
  newId: () => string
  fetch?: typeof fetch
  /** Waits `ms` milliseconds; rejects when the signal aborts. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}>

const PICTURE_PATH = 'photos/240x240/$value'
const TIME_LIMIT_MS = 60_000
const ANSWER_LIMIT_BYTES = 20 * 1024 * 1024
const PICTURE_LIMIT_BYTES = 1024 * 1024
const TRIES = 8
const LONGEST_WAIT_MS = 300_000
const FIRST_WAIT_MS = 1_000
const TOKEN_LEEWAY_MS = 300_000

/** Graph's error codes for a delta link that is too old or unknown. */
const RESYNC_CODES = ['syncstatenotfound', 'syncstateinvalid', 'resyncrequired', 'badtoken']

/** The statuses for a property that does not exist, that needs another permission, or that no list has. */
const PROPERTY_REFUSALS = [400, 403, 501]

const failureSchema = orNull(object({ error: object({ code: text }) }))
const tokenSchema = object({ access_token: nonEmptyText, expires_in: number })
const tokenFailureSchema = orNull(object({ error: text, error_description: optional(text) }))
const discoverySchema = object({ token_endpoint: withCheck(text, (url) => URL.canParse(url), 'an address') })

/** Graph refused an old delta link. `location` is the new link; null if Graph sent none. */
export class DeltaLinkExpired extends Error {
  constructor(readonly location: string | null) {
    super('The delta link is too old.')
  }
}

export type GraphClient = ReturnType<typeof createGraphClient>

export function createGraphClient(options: GraphOptions) {
  const { tenant, authority, url, clientId, credential, now } = options
  const { fetch: ask = fetch, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options
  let token: Readonly<{ value: string; until: number }> | null = null

  const send = async (address: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    try {
      return await ask(address, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
      })
    } catch (error) {
      signal.throwIfAborted()
      throw new DirectoryError('unreachable', `${new URL(address).origin} cannot be reached.`, {
        cause: error,
      })
    }
  }

  async function askToken(signal: AbortSignal): Promise<string> {
    const discovery = await send(`${authority}/.well-known/openid-configuration`, {}, signal)
    const { token_endpoint } = decode(discoverySchema, await readJson(discovery, signal), authority)
    const proof =
      credential.kind === 'secret'
        ? { client_secret: credential.secret }
        : {
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            client_assertion: await credential.readToken(),
          }
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      scope: `${url}/.default`,
      ...proof,
    })
    const response = await send(token_endpoint, { method: 'POST', body }, signal)
    const answer = await readJson(response, signal)
    if (response.ok) {
      const { access_token, expires_in } = decode(tokenSchema, answer, token_endpoint)
      token = { value: access_token, until: now() + expires_in * 1000 - TOKEN_LEEWAY_MS }
      return access_token
    }
    const failure = tokenFailureSchema.read(answer, '')
    const code = failure
      ? (/AADSTS\d+/.exec(failure.error_description ?? '')?.[0] ?? failure.error)
      : `status ${String(response.status)}`
    throw new DirectoryError(
      'token_refused',
      `The identity provider gives tenant ${tenant} no token for the directory (${code}): check SIGNET_CLIENT_ID and SIGNET_GRAPH_SECRET or the federated token, and that the tenant has consented.`,
    )
  }

  /** Sends a request. Retries it on status 429 and temporary errors, and once with a new token on status 401. */
  async function request(address: string, signal: AbortSignal): Promise<Response> {
    if (!URL.canParse(address) || new URL(address).origin !== new URL(url).origin)
      throw new DirectoryError('malformed', 'Microsoft Graph gave a link to another address.')
    let hasNewToken = false
    for (let attempt = 1; ; attempt += 1) {
      const bearer = token !== null && token.until > now() ? token.value : await askToken(signal)
      const response = await send(address, { headers: { authorization: `Bearer ${bearer}` } }, signal)
      if (response.status === 401 && !hasNewToken) {
        await response.body?.cancel()
        token = null
        hasNewToken = true
        continue
      }
      if (![429, 502, 503, 504].includes(response.status)) return response
      await response.body?.cancel()
      if (attempt >= TRIES)
        throw new DirectoryError(
          'throttled',
          `Microsoft Graph accepts no more requests (status ${String(response.status)}).`,
        )
      await wait(waitOf(response, attempt, now()), signal)
    }
  }

  return {
    /** @throws DirectoryError; SyncExpired */
    read: async <Out>(address: string, schema: Schema<Out>, signal: AbortSignal): Promise<Out> => {
      const response = await request(address, signal)
      if (!response.ok) return refuse(response, tenant, signal)
      return decode(schema, await readJson(response, signal), 'Microsoft Graph')
    },
    /**
     * Whether Graph answers a request. False for an unknown property, or one that the service may not read.
     *
     * @throws DirectoryError for any other refusal
     */
    isAnswered: async (address: string, signal: AbortSignal): Promise<boolean> => {
      const response = await request(address, signal)
      if (!response.ok && !PROPERTY_REFUSALS.includes(response.status))
        return refuse(response, tenant, signal)
      await response.body?.cancel()
      return response.ok
    },
    /**
     * Reads the picture of a user; null without a valid picture.
     *
     * @throws DirectoryError
     */
    readPicture: async (user: string, signal: AbortSignal) => {
      const response = await request(`${url}/v1.0/users/${encodeURIComponent(user)}/${PICTURE_PATH}`, signal)
      if (response.status === 404) {
        await response.body?.cancel()
        return null
      }
      if (!response.ok) return refuse(response, tenant, signal)
      const bytes = await readBytes(response, PICTURE_LIMIT_BYTES, signal)
      if (bytes === null) return null
      const found = readPictureFormat(bytes)
      if (found?.fits !== true) return null
      const { extension, mediaType } = found.format
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
      return { name: `${hash}.${extension}`, mediaType, bytes }
    },
    /** The address of a path under `/v1.0/`. */
    addressOf: (path: string, query: Readonly<Record<string, string>> = {}) => {
      const text = new URLSearchParams(query).toString()
      return `${url}/v1.0/${path}${text === '' ? '' : `?${text}`}`
    },
  }
}

/** @throws SyncExpired for an old delta link; DirectoryError */
async function refuse(response: Response, tenant: string, signal: AbortSignal): Promise<never> {
  const { status } = response
  const failure = failureSchema.read(await readJson(response, signal).catch(() => null), '')
  const code = failure?.error.code ?? ''
  if (status === 410 || (status === 400 && RESYNC_CODES.includes(code.toLowerCase())))
    throw new DeltaLinkExpired(response.headers.get('location'))
  const named = code === '' ? String(status) : `${String(status)} ${code}`
  throw status === 401 || status === 403
    ? new DirectoryError(
        'forbidden',
        `Microsoft Graph refuses tenant ${tenant} (${named}): give the app registration the application permissions User.Read.All and GroupMember.Read.All, and consent to them as an administrator.`,
      )
    : new DirectoryError('refused', `Microsoft Graph answers tenant ${tenant} with status ${named}.`)
}

/** The wait before a retry, in milliseconds: from `Retry-After` in seconds or as a date, else exponential backoff. */
function waitOf(response: Response, attempt: number, now: number): number {
  const text = response.headers.get('retry-after')?.trim() ?? ''
  const requested = /^\d{1,6}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  const ms = text === '' || Number.isNaN(requested) ? FIRST_WAIT_MS * 2 ** (attempt - 1) : requested
  return Math.min(Math.max(ms, FIRST_WAIT_MS), LONGEST_WAIT_MS)
}

function decode<Out>({ read }: Schema<Out>, answer: unknown, whose: string): Out {
  try {
    return read(answer, '')
  } catch {
    throw new DirectoryError('malformed', `The answer of ${whose} is not what its documentation says.`)
  }
}

/**
 * The JSON of a response; null for invalid JSON.
 *
 * @throws DirectoryError when it is larger than 20 MB
 */
async function readJson(response: Response, signal: AbortSignal): Promise<unknown> {
  const bytes = await readBytes(response, ANSWER_LIMIT_BYTES, signal)
  if (bytes === null) throw new DirectoryError('malformed', 'An answer of the directory is too large.')
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return null
  }
}

/** The bytes of a response; null when it is larger than `limit`. */
async function readBytes(response: Response, limit: number, signal: AbortSignal): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > limit) return null
      chunks.push(chunk)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new DirectoryError('unreachable', 'An answer of the directory ended too early.', { cause: error })
  }
  return Buffer.concat(chunks)
}
