/** Reads the operator's settings from the environment, and collects all problems in them. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import {
  fieldOfAttribute,
  graphAttributeProblem,
  MAX_ATTRIBUTES,
} from '../../streams/organisation/directory/attributes.ts'
import { ConfigError, type PageConfig, readConfig } from '../server/pageConfig.ts'
import { DEFAULT_AUTHORITY, type IdentityOptions } from './identity/tokens.ts'
import { scimAttributeProblem } from './scim/attributes.ts'
import type { StoreAddress } from './sql/openStore.ts'
import {
  type ListenAddress,
  createSettingsReader,
  type Environment,
  type SettingsReader,
} from './settingsReader.ts'

export type { Environment }

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

type GraphSettings = Readonly<{
  kind: 'graph'
  /** The origin of Microsoft Graph. */
  url: string
  /** `file` is the path of the file with a workload identity's token, which the cluster renews. */
  credential: Readonly<{ kind: 'secret'; secret: string } | { kind: 'federated'; file: string }>
  pictures: boolean
  /** The attributes to read in addition to those that Signet always reads. */
  attributes: readonly string[]
  intervalMs: number
}>

/** The directory of people. With `scim`, the directory pushes its changes to the service. */
export type DirectorySettings =
  | GraphSettings
  | Readonly<{
      kind: 'scim'
      /** The bearer that the directory sends to SCIM. */
      token: string
      attributes: readonly string[]
    }>

export type Settings = Readonly<{
  database: StoreAddress
  /** The service's public origin, without a slash at the end. */
  publicUrl: string
  /** The name of the organisation, used when it is founded. */
  organisation: string
  /** Tenants are in lower case. */
  identity: IdentityOptions
  /** The 32 bytes that encrypt the keys of bearers. */
  secret: Uint8Array
  listen: ListenAddress
  internalListen: ListenAddress
  /** The addresses and ranges of trusted proxies, whose headers are used. */
  trustedProxies: readonly string[]
  /** The origins of all pages that may call the service, the public origin first. */
  origins: readonly string[]
  log: LogLevel
  pages: PageConfig
  /** Whether the add-in checks messages before they are sent, as `guard` in signet.yaml configures. */
  isGuarding: boolean
  /** Without a directory (null), people are only imported. */
  directory: DirectorySettings | null
}>

const SECRET_BYTES = 32
const GRAPH_URL = 'https://graph.microsoft.com'
export const DEFAULT_SYNC_MINUTES = 15
const MAX_SYNC_MINUTES = 1440
const SCIM_TOKEN = /^[\x21-\x7e]{32,4096}$/
const SCIM_TOKEN_EXAMPLE =
  'a token of 32 characters or more, without spaces; openssl rand -base64 48 makes one'
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']
const EMBEDDED_REASON =
  'it runs with fsync off, so that a power cut may lose what was saved; SIGNET_EMBEDDED=accept takes it all the same, for a trial, in the folder SIGNET_DATA'

/** @param readFile returns the text of the file in a `…_FILE` setting; throws when it cannot be read */
export function readSettings(
  environment: Environment,
  readFile = (path: string): string => readFileSync(path, 'utf8'),
): Readonly<{ settings: Settings }> | Readonly<{ problems: readonly string[] }> {
  const read = createSettingsReader(environment, readFile)
  const publicUrl = readPublicUrl(read)
  const database = readDatabase(read)
  const authority = readAuthority(read)
  const tenants = readTenants(read, authority)
  const clientId = read.needed('SIGNET_CLIENT_ID', 'the id of the app registration')
  const scope = readScope(read)
  const secret = readSecret(read)
  const listen = read.address('SIGNET_LISTEN', '0.0.0.0:8080')
  const internalListen = read.address('SIGNET_INTERNAL_LISTEN', '127.0.0.1:9090')
  const trustedProxies = read.list('SIGNET_TRUSTED_PROXIES', (proxy) =>
    isRange(proxy) ? null : `${proxy} is not an address or a range such as 10.0.0.0/8.`,
  )
  const origins = read.list('SIGNET_ORIGINS', (origin) =>
    isOrigin(origin) && isSafe(origin)
      ? null
      : `${origin} is not an origin such as https://pages.example.com.`,
  )
  const log = read.oneOf('SIGNET_LOG', LOG_LEVELS, 'info', `one of ${LOG_LEVELS.join(', ')}`)
  // `none` replaces a missing value, so that the missing value is reported only once.
  const pages = readPages(environment, read, {
    SIGNET_API_URL: publicUrl,
    SIGNET_CLIENT_ID: clientId || 'none',
    SIGNET_AUTHORITY: pagesAuthority(authority, tenants),
    SIGNET_SCOPE: scope.whole || 'none',
  })
  const isGuarding = read.oneOf('SIGNET_GUARD', ['on', 'off']) === 'on'
  const directory = readDirectory(read, tenants)

  if (read.problems.length > 0 || pages === null) return { problems: read.problems }
  return {
    settings: {
      database,
      publicUrl,
      organisation: read.value('SIGNET_ORGANISATION') || new URL(publicUrl).hostname,
      identity: {
        authority,
        tenants,
        tokenAudiences: [clientId, scope.audience],
        scope: scope.permission,
      },
      secret,
      listen,
      internalListen,
      trustedProxies,
      origins: [...new Set([publicUrl, ...origins])],
      log,
      pages,
      isGuarding,
      directory,
    },
  }
}

function readPublicUrl({ needed, refuse }: SettingsReader): string {
  const what = 'the origin that users reach, such as https://signet.example.com'
  const text = needed('SIGNET_PUBLIC_URL', what).replace(/\/$/, '')
  if (isOrigin(text) && isSafe(text)) return text
  if (isOrigin(text)) refuse('SIGNET_PUBLIC_URL does not begin with https://, as Outlook needs it.')
  else if (text !== '') refuse(`SIGNET_PUBLIC_URL is not ${what}.`)
  return 'https://localhost'
}

function readDatabase({ needed, refuse, secret, value }: SettingsReader): StoreAddress {
  const url = secret('DATABASE_URL')
  if (url === null) return { kind: 'embedded', folder: null }
  const what = 'the address of a PostgreSQL database, such as postgres://user:password@host:5432/signet'
  if (url !== '') {
    const isPostgres = URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)
    if (!isPostgres) refuse(`DATABASE_URL is not ${what}.`)
    return { kind: 'postgres', url }
  }
  const accepted = value('SIGNET_EMBEDDED')
  if (accepted === '')
    refuse(
      `DATABASE_URL is missing; it has to be ${what}. There is an embedded database, but ${EMBEDDED_REASON}.`,
    )
  else if (accepted !== 'accept') refuse('SIGNET_EMBEDDED is not accept.')
  else needed('SIGNET_DATA', 'the folder of the embedded database')
  return { kind: 'embedded', folder: value('SIGNET_DATA') }
}

function readSecret({ refuse, secret }: SettingsReader): Uint8Array {
  const text = secret('SIGNET_SECRET')
  const what = `${SECRET_BYTES} bytes in base64; openssl rand -base64 ${SECRET_BYTES} makes them`
  if (text === '') refuse(`SIGNET_SECRET is missing; it has to be ${what}.`)
  if (!text) return new Uint8Array()
  const bytes = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : Buffer.from(/^[\w+/-]{43}=?$/.test(text) ? text : '', 'base64')
  if (bytes.length !== SECRET_BYTES) refuse(`SIGNET_SECRET is not ${what}.`)
  return bytes
}

function readAuthority({ refuse, value }: SettingsReader): string {
  const text = (value('SIGNET_AUTHORITY') || DEFAULT_AUTHORITY).replace(/\/$/, '')
  const example = text.replace('{tenant}', 'tenant')
  if (URL.canParse(example) && isSafe(example)) return text
  refuse(`SIGNET_AUTHORITY is not an address such as ${DEFAULT_AUTHORITY}.`)
  return DEFAULT_AUTHORITY
}

function readTenants({ list, needed }: SettingsReader, authority: string): readonly string[] {
  if (!authority.includes('{tenant}')) return list('SIGNET_TENANTS', () => null)
  needed('SIGNET_TENANTS', 'the ids of the tenants whose users may sign in, with a space between them')
  const tenants = list('SIGNET_TENANTS', (tenant) => tenantProblem(tenant, authority))
  return tenants.map((tenant) => tenant.toLowerCase())
}

function readScope({ needed, refuse }: SettingsReader) {
  const example = 'api://signet.example.com/<client id>/access_as_user'
  const whole = needed('SIGNET_SCOPE', `the permission of the app registration, such as ${example}`)
  const [, audience = '', permission = ''] = /^(\S+)\/([^\s/]+)$/.exec(whole) ?? []
  if (whole !== '' && permission === '') refuse(`SIGNET_SCOPE is not a permission such as ${example}.`)
  return { whole, audience, permission }
}

/** @param service the pages' settings that are derived from the service's settings */
function readPages(
  environment: Environment,
  { refuse }: SettingsReader,
  service: Readonly<{ SIGNET_API_URL: string }> & Environment,
): PageConfig | null {
  try {
    return readConfig({
      ...environment,
      ...service,
      // Production requires https. With http, the pages are only for trials on this machine.
      ...(service.SIGNET_API_URL.startsWith('http:') ? { SIGNET_PRODUCTION: 'false' } : {}),
    })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    refuse(...error.problems)
    return null
  }
}

function readDirectory(read: SettingsReader, tenants: readonly string[]): DirectorySettings | null {
  const kind = read.oneOf('SIGNET_DIRECTORY', ['', 'graph', 'scim'], '', 'graph or scim')
  if (kind === '') return null
  return kind === 'scim'
    ? { kind, token: readScimToken(read), attributes: readAttributes(read, scimAttributeProblem) }
    : readGraph(read, tenants)
}

/** @param problemOf explains in a sentence why a text is not the name of an attribute; null for a name */
function readAttributes(
  { list, refuse }: SettingsReader,
  problemOf: (name: string) => string | null,
): readonly string[] {
  const fields = new Map<string, string>()
  const names = list('SIGNET_DIRECTORY_ATTRIBUTES', (name) => {
    const field = fieldOfAttribute(name).toLowerCase()
    const other = fields.get(field)
    if (other !== undefined) return `${other} and ${name} fill the same field.`
    fields.set(field, name)
    return problemOf(name)
  })
  if (names.length > MAX_ATTRIBUTES)
    refuse(`SIGNET_DIRECTORY_ATTRIBUTES names more than ${MAX_ATTRIBUTES} attributes.`)
  return names
}

function readGraph(read: SettingsReader, tenants: readonly string[]): GraphSettings {
  const { oneOf, refuse, value } = read
  const minutes = value('SIGNET_SYNC_MINUTES') || String(DEFAULT_SYNC_MINUTES)
  if (!isSyncInterval(minutes)) refuse(`SIGNET_SYNC_MINUTES is ${SYNC_INTERVAL_PROBLEM}.`)
  if (tenants.length === 0 && value('SIGNET_TENANTS') === '')
    refuse('SIGNET_DIRECTORY=graph needs SIGNET_TENANTS, the ids of the tenants whose users it reads.')
  const url = (value('SIGNET_GRAPH_URL') || GRAPH_URL).replace(/\/$/, '')
  if (!isOrigin(url) || !isSafe(url))
    refuse(`SIGNET_GRAPH_URL is not the origin of Microsoft Graph, such as ${GRAPH_URL}.`)
  const pictures = oneOf('SIGNET_GRAPH_PICTURES', ['true', 'false'], 'false') === 'true'
  return {
    kind: 'graph',
    url,
    credential: readCredential(read),
    pictures,
    attributes: readAttributes(read, graphAttributeProblem),
    intervalMs: Number(minutes) * 60_000,
  }
}

function readScimToken({ refuse, secret }: SettingsReader): string {
  const token = secret('SIGNET_SCIM_TOKEN')
  const state = token === '' ? 'is missing; it has to be' : 'is not'
  if (token !== null && !SCIM_TOKEN.test(token)) refuse(`SIGNET_SCIM_TOKEN ${state} ${SCIM_TOKEN_EXAMPLE}.`)
  return token ?? ''
}

function readCredential({ refuse, secret: secretOf, value }: SettingsReader): GraphSettings['credential'] {
  const secret = secretOf('SIGNET_GRAPH_SECRET')
  const file = value('SIGNET_GRAPH_TOKEN_FILE')
  if (secret && file !== '')
    refuse('SIGNET_GRAPH_SECRET and SIGNET_GRAPH_TOKEN_FILE are both set; keep one of them.')
  if (secret !== '') return { kind: 'secret', secret: secret ?? '' }
  // Clusters set this variable to the token file of the workload identity.
  const handed = file || value('AZURE_FEDERATED_TOKEN_FILE')
  if (handed === '')
    refuse(
      'SIGNET_GRAPH_SECRET is missing; it has to be a client secret of the app registration, or SIGNET_GRAPH_TOKEN_FILE the file with the token of a workload identity.',
    )
  return { kind: 'federated', file: handed }
}

/** Explains in a sentence why a text is not a tenant id; null for a valid id. Other providers have ids of any form. */
export const tenantProblem = (tenant: string, authority: string): string | null =>
  !authority.includes('{tenant}') || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(tenant)
    ? null
    : `${tenant} is not the id of a tenant: digits and a to f, as 8-4-4-4-12.`

/** Whether a text is a valid number of minutes between two syncs. */
export const isSyncInterval = (minutes: string): boolean =>
  /^\d{1,4}$/.test(minutes) && Number(minutes) >= 1 && Number(minutes) <= MAX_SYNC_MINUTES
export const SYNC_INTERVAL_PROBLEM = `not a number from 1 to ${MAX_SYNC_MINUTES}`

/**
 * The authority for the sign-in library, on https and without a version. With one tenant, it is the authority of this
 * tenant; else it is for any organisation.
 */
const pagesAuthority = (authority: string, tenants: readonly string[]): string =>
  authority
    .replace('{tenant}', tenants.length === 1 ? String(tenants[0]) : 'organizations')
    .replace(/\/v2\.0$/, '')
    .replace(/^http:/, 'https:')

/** The page settings for an installation where users of other organisations also sign in. */
export const pageConfigForAllTenants = ({ pages, identity }: Settings): PageConfig => ({
  ...pages,
  SIGNET_AUTHORITY: pagesAuthority(identity.authority, []),
})

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text
/** Whether an address uses https, or is on this machine. */
const isSafe = (text: string): boolean => {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && LOCAL_HOSTS.includes(hostname))
}

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
