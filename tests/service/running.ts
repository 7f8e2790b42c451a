import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createTimers } from '../support/timers.ts'
import { embeddedData } from '../support/databases.ts'
import { portraitAddress } from '../../streams/organisation/rendering/render.ts'
import {
  createIdentityProvider,
  type IdentityProviderOptions,
} from '../../src/identityProvider/identityProvider.ts'
import {
  startDemonstration,
  type DemonstrationOptions,
} from '../../src/service/demonstration/demonstration.ts'
import { createMonitoring } from '../../src/service/operations/operations.ts'
import { createService, type ServiceOptions } from '../../src/service/service.ts'
import { createWebServer, listen, type WebServer } from '../../src/server/webServer.ts'
import { addImages, type Images } from '../../src/service/answers/images.ts'
import type { Organisation } from '../../src/service/organisation/organisation.ts'

export const PAGE_ORIGIN = 'http://localhost:1234'
export const ALEX = 'alex.kim@northwind.example'
export const SALES = 'sales@northwind.example'
export const MARIA = 'maria.silva@northwind.example'
export const JONAS = 'jonas.weber@northwind.example'
export const TESS = 'tess.edge@northwind.example'

export const ADDIN_HEADERS: Readonly<Record<string, string>> = {
  Origin: PAGE_ORIGIN,
  'X-Api-Version': '1.0.0',
  'X-Addin-Version': '0.1.0',
  'X-LSI-Version': '1.0',
  'X-Addin-Trigger': 'taskpane',
}

export type WireImage = Readonly<{ url: string; name: string; content: string; status: number }>

export type WireSignature = Readonly<{
  name: string
  email?: string
  signature: string
  combined_ids: string
  base64_embedded_images: readonly WireImage[]
  audiences: readonly string[]
  collection?: string
  variants: readonly Readonly<{ code: string }>[]
}>

export type WireDefinition = Readonly<{
  path: string
  lookups: Readonly<Record<string, string>>
  metas: Readonly<{
    custom_type: string | null
    hidden: boolean
    non_editable: boolean
    resettable: boolean
  }>
}>

/** An entry of the journal. */
export type WireRequest = Readonly<{
  at: string
  method: string
  path: string
  query: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string>>
  bodySize: number
}>

/** Every field of any response that a test reads. */
type WireBody = Readonly<{
  code: string
  message: string
  data: Readonly<Record<string, string>>
  values: Readonly<Record<string, string>>
  changed_fields: readonly string[]
  original_data: Readonly<Record<string, string>>
  id: string
  picture_url: string
  metadata: Readonly<{ defaultSignature: Readonly<{ master: string }> }>
  user_id: string
  signature: string
  blocks?: readonly Readonly<{ candidates: readonly Readonly<{ id: string }>[] }>[]
  name: string
  reply: string | null
  combined_ids: string
  base64_embedded_images: readonly WireImage[]
  objects: readonly WireSignature[]
  total: number
  page: number
  keys: readonly Readonly<{ kid: string }>[]
  jwks_uri: string
  access_token: string
}>

/** `body` is the JSON of `text`, empty when there is none. */
export type WireResponse = Readonly<{ status: number; headers: Headers; text: string; body: WireBody }>

export async function send(
  method: string,
  url: string,
  headers: object,
  body?: unknown,
): Promise<WireResponse> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseBody(text) }
}

function parseBody(text: string): WireBody {
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

/** The identity provider on a free port. */
export const startProvider = (over: Partial<IdentityProviderOptions> = {}) =>
  createIdentityProvider({
    port: 0,
    origins: [PAGE_ORIGIN],
    clientId: 'the-add-in',
    audience: 'api://signet',
    ...over,
  })

/** Asks a service as the add-in does. */
export const askAsAddin = (
  url: string,
  method: string,
  path: string,
  token: string | null,
  body?: unknown,
  more: object = {},
): Promise<WireResponse> =>
  send(
    method,
    url + path,
    { ...ADDIN_HEADERS, ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...more },
    body,
  )

type Provider = Readonly<{ url: string }>

/** The token that Outlook has of a user. */
export async function mailClientToken(provider: Provider, email: string): Promise<string> {
  const { body } = await send('POST', `${provider.url}/mail-client/token`, {}, { email })
  return body.access_token
}

/** Signs a user in to a service, and gives the bearer. */
export async function signInTo(url: string, provider: Provider, email: string): Promise<string> {
  const accessToken = await mailClientToken(provider, email)
  const { body } = await askAsAddin(url, 'POST', '/authentication/addin/azure', null, { accessToken, email })
  return body.data['access_token'] ?? ''
}

type InstanceOptions = Pick<ServiceOptions, 'store' | 'secret' | 'publicUrl'> &
  Partial<ServiceOptions> &
  Readonly<{
    provider: Provider
    /** Gets each line of the log. */
    log?: (line: string) => void
  }>

/** A server that serves only these pictures. */
export async function servingImages(images: Images): Promise<WebServer> {
  const { app } = await createWebServer([], null)
  app.decorateRequest('organisation')
  app.addHook('onRequest', async (request) => {
    request.organisation = { images } as Partial<Organisation> as Organisation
  })
  addImages(app)
  return app
}

/** An instance of the service on a free port, behind a proxy of this machine. Its timers are those of `time`. */
export async function startInstance({ provider, log, ...options }: InstanceOptions) {
  const time = createTimers()
  const service = await createService({
    organisation: 'Northwind Trading',
    tenants: [],
    authority: provider.url,
    tokenAudiences: ['api://signet'],
    scope: 'access_as_user',
    origins: [],
    server: { trustedProxies: ['127.0.0.1', '::1'] },
    timers: time,
    ...(log && {
      prepare: async (app) =>
        createMonitoring({
          log: pino({ base: null }, { write: log }),
          organisation: 'default',
          secret: options.secret,
          signInPath: '/sign-in',
          personOf: () => null,
        }).watch(app),
    }),
    ...options,
  })
  const { url } = await listen(service.app, 0)
  return { service, store: options.store, url, time }
}

export type Instance = Awaited<ReturnType<typeof startInstance>>

/**
 * Both servers on free ports, with controls, over data in memory; with `open: null` over a temporary folder. Start them
 * once per file: keys take time.
 */
export async function start({
  open = embeddedData(),
  ...over
}: Partial<Omit<DemonstrationOptions, 'open'>> & { open?: DemonstrationOptions['open'] | null } = {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'signature-service-'))
  const provider = await startProvider({
    control: true,
    ...(over.now === undefined ? {} : { now: over.now }),
  })
  const options: DemonstrationOptions = {
    port: 0,
    dataFolder,
    origins: [PAGE_ORIGIN],
    issuer: provider.url,
    control: true,
    ...(open === null ? {} : { open }),
    ...over,
  }
  let service = await startDemonstration(options)

  const call = (method: string, path: string, token: string | null, body?: unknown) =>
    askAsAddin(service.url, method, path, token, body)
  const control = (method: string, path: string, body?: unknown) =>
    send(method, `${service.url}/_control/${path}`, { Origin: PAGE_ORIGIN }, body)

  return {
    dataFolder,
    options,
    provider,
    get url() {
      return service.url
    },
    call,
    control,
    /** What is behind the calls. */
    get context() {
      return service.context
    },
    /** The address of Alex's picture. */
    portrait: async () => {
      const alex = await service.context.store.person('u-1')
      return portraitAddress(`${service.url}/images`, alex?.picture ?? null)
    },
    journal: async () => JSON.parse((await control('GET', 'requests')).text) as readonly WireRequest[],
    mailClientToken: (email: string) => mailClientToken(provider, email),
    signIn: (email: string) => signInTo(service.url, provider, email),
    /** Restores the demonstration data, no fault, the real clock, an empty journal; bearers stay valid. */
    reset: async () => {
      await Promise.all([
        control('POST', 'reset'),
        control('DELETE', 'faults'),
        control('PUT', 'clock', { ahead: 0 }),
      ])
      await control('DELETE', 'requests')
    },
    /** Restarts the service over the same folder, on another port. */
    restart: async (again: Partial<DemonstrationOptions> = {}) => {
      await service.close()
      service = await startDemonstration({ ...options, ...again })
    },
    stop: async () => {
      await Promise.all([service.close(), provider.close()])
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

export type Running = Awaited<ReturnType<typeof start>>
