import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createIdentityProvider } from '../../src/identityProvider/identityProvider.ts'
import { createService, type ServiceOptions } from '../../src/service/service.ts'

export const pageOrigin = 'http://localhost:1234'
export const alex = 'alex.kim@northwind.example'
export const sales = 'sales@northwind.example'
export const maria = 'maria.silva@northwind.example'
export const jonas = 'jonas.weber@northwind.example'
export const tess = 'tess.edge@northwind.example'

export const addinHeaders: Readonly<Record<string, string>> = {
  Origin: pageOrigin,
  'X-Api-Version': '1.0.0',
  'X-Addin-Version': '0.1.0',
  'X-LSI-Version': '1.0',
  'X-Addin-Trigger': 'taskpane',
}

export interface WireImage {
  readonly url: string
  readonly name: string
  readonly content: string
  readonly status: number
}

export interface WireSignature {
  readonly name: string
  readonly email?: string
  readonly signature: string
  readonly combined_ids: string
  readonly base64_embedded_images: readonly WireImage[]
  readonly audiences: readonly string[]
  readonly collection?: string
  readonly variants: readonly { readonly code: string }[]
}

export interface WireDefinition {
  readonly path: string
  readonly lookups: Readonly<Record<string, string>>
  readonly metas: {
    readonly custom_type: string | null
    readonly hidden: boolean
    readonly non_editable: boolean
    readonly resettable: boolean
  }
}

export interface WireRequest {
  readonly at: string
  readonly path: string
}

/** Every field that a test looks at in some answer; which of them an answer has is what the tests are about. */
interface WireBody {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
  readonly changed_fields: readonly string[]
  readonly original_data: Readonly<Record<string, string>>
  readonly id: string
  readonly picture_url: string
  readonly metadata: { readonly defaultSignature: { readonly master: string } }
  readonly config: { readonly addin: { readonly signature_by_default: boolean } }
  readonly user_id: string
  readonly signature: string
  readonly reply: string | null
  readonly combined_ids: string
  readonly base64_embedded_images: readonly WireImage[]
  readonly objects: readonly WireSignature[]
  readonly total: number
  readonly page: number
  readonly keys: readonly { readonly kid: string }[]
  readonly jwks_uri: string
  readonly access_token: string
}

/** What came back: the text, and the JSON in it (empty when it is none). */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: WireBody
}

export async function send(method: string, url: string, headers: object, body?: unknown): Promise<Answered> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

function parsed(text: string): WireBody {
  try {
    return JSON.parse(text) as WireBody
  } catch {
    return {} as WireBody
  }
}

/** The claims of a token, unverified. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> & { iat: number; exp: number } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as ReturnType<
    typeof claimsOf
  >
}

/** Both servers on free ports, over a folder of their own that goes with them. */
export async function start(over: Partial<ServiceOptions> = {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'signature-service-'))
  const provider = await createIdentityProvider({
    port: 0,
    origins: [pageOrigin],
    clientId: 'the-add-in',
    audience: 'api://signet',
    control: over.control === true,
    ...(over.now === undefined ? {} : { now: over.now }),
  })
  const options: ServiceOptions = {
    port: 0,
    dataFolder,
    origins: [pageOrigin],
    issuer: provider.url,
    ...over,
  }
  let service = await createService(options)

  const call = (method: string, path: string, token: string | null, body?: unknown) =>
    send(
      method,
      service.url + path,
      { ...addinHeaders, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
      body,
    )

  const mailClientToken = async (email: string): Promise<string> => {
    const { body } = await send('POST', `${provider.url}/mail-client/token`, {}, { email })
    return body.access_token
  }

  return {
    dataFolder,
    provider,
    get url() {
      return service.url
    },
    call,
    mailClientToken,
    signIn: async (email: string): Promise<string> => {
      const accessToken = await mailClientToken(email)
      const { body } = await call('POST', '/authentication/addin/azure', null, { accessToken, email })
      return body.data['access_token'] ?? ''
    },
    /** Stops the service and starts it anew over the same folder, on another port. */
    restart: async (again: Partial<ServiceOptions> = {}) => {
      await service.close()
      service = await createService({ ...options, ...again })
    },
    stop: async () => {
      await Promise.all([service.close(), provider.close()])
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

export type Running = Awaited<ReturnType<typeof start>>
