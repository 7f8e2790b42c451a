/** Asks what the service needs whether it is there, and says what to do when it is not. It changes nothing. */
import * as v from 'valibot'
import { LAUNCH_FILE, WELL_KNOWN_FILE } from '../server/headers.ts'
import { loadsLibrary } from '../server/officeLibrary.ts'
import { shippedHeaders } from '../server/pageConfig.ts'
import { checkGraph } from './directory/checkGraph.ts'
import { graphOptionsOf } from './directory/connect.ts'
import type { Settings } from './settings.ts'
import type { StoreAddress } from './sql/openStore.ts'
import { openPostgres } from './sql/pg.ts'

export type Diagnosis = Readonly<{
  check: 'discovery' | 'clock' | 'database' | 'directory' | 'pages'
  /** What was found, in a sentence. */
  finding: string
  /** What to do about it; null when all is well. */
  advice: string | null
}>

export type DoctorPorts = Readonly<{
  fetch: typeof fetch
  /** `server_version_num` of a PostgreSQL database. Rejects when it cannot be reached. */
  databaseVersion: (url: string) => Promise<number>
  /** Milliseconds since 1970. */
  now: () => number
}>

const TIME_LIMIT_MS = 5_000
/** Tokens have a leeway of 60 s. */
const CLOCK_LIMIT_MS = 30_000
const OLDEST_DATABASE = 15

const documentSchema = v.object({ issuer: v.string(), jwks_uri: v.string() })
const keysSchema = v.object({ keys: v.pipe(v.array(v.looseObject({})), v.minLength(1)) })
const wellKnownSchema = v.object({ allowed: v.array(v.string()) })

/** Each check, in the order in which an operator mends them. Never rejects. */
export async function diagnose(
  settings: Settings,
  ports: DoctorPorts = { fetch, databaseVersion, now: Date.now },
): Promise<readonly Diagnosis[]> {
  const all = await Promise.all([
    checkDatabase(settings.database, ports),
    checkProvider(settings, ports),
    checkDirectory(settings, ports),
    checkPages(settings, ports),
  ])
  return all.flat()
}

async function checkDatabase(address: StoreAddress, ports: DoctorPorts): Promise<readonly Diagnosis[]> {
  const told = (finding: string, advice: string | null): readonly Diagnosis[] => [
    { check: 'database', finding, advice },
  ]
  if (address.kind === 'embedded')
    return told(`The embedded database in ${String(address.folder)} is used, which is for trying.`, null)
  try {
    const version = Math.floor((await ports.databaseVersion(address.url)) / 10_000)
    return version >= OLDEST_DATABASE
      ? told(`PostgreSQL ${version} answers.`, null)
      : told(`The database is PostgreSQL ${version}.`, `Upgrade it to ${OLDEST_DATABASE} or newer.`)
  } catch (error) {
    return told(
      `The database does not answer: ${messageOf(error)}.`,
      'Check DATABASE_URL, the password, and that the network lets this machine reach the database.',
    )
  }
}

/** Discovery of each tenant, and the clock of this machine against that of the provider. */
async function checkProvider(
  { identity: { authority, tenants } }: Settings,
  ports: DoctorPorts,
): Promise<readonly Diagnosis[]> {
  const authorities = authority.includes('{tenant}')
    ? tenants.map((tenant) => authority.replaceAll('{tenant}', tenant))
    : [authority]
  const found = await Promise.all(authorities.map((each) => checkDiscovery(each, ports)))
  const date = found.find((each) => each.date !== null)?.date ?? null
  return [...found.map(({ diagnosis }) => diagnosis), checkClock(date, ports.now())]
}

async function checkDiscovery(
  authority: string,
  { fetch }: DoctorPorts,
): Promise<Readonly<{ diagnosis: Diagnosis; date: string | null }>> {
  const address = `${authority}/.well-known/openid-configuration`
  let date: string | null = null
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIME_LIMIT_MS) })
    date = response.headers.get('date')
    if (!response.ok) throw new Error(`status ${response.status}`)
    const { issuer, jwks_uri } = v.parse(documentSchema, await response.json())
    const keys = await fetch(jwks_uri, { signal: AbortSignal.timeout(TIME_LIMIT_MS) })
    const { length } = v.parse(keysSchema, await keys.json()).keys
    return {
      diagnosis: {
        check: 'discovery',
        finding: `${issuer} publishes ${length} ${length === 1 ? 'key' : 'keys'}.`,
        advice: null,
      },
      date,
    }
  } catch (error) {
    const finding = `${address} does not tell the issuer and its keys: ${messageOf(error)}.`
    const advice =
      'Check SIGNET_TENANTS and SIGNET_AUTHORITY, and that this machine may reach the identity provider over https.'
    return { diagnosis: { check: 'discovery', finding, advice }, date }
  }
}

function checkClock(date: string | null, now: number): Diagnosis {
  const theirs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(theirs))
    return {
      check: 'clock',
      finding: 'There is no answer of the identity provider to compare the clock with.',
      advice: 'Mend discovery first.',
    }
  const seconds = Math.round(Math.abs(now - theirs) / 1000)
  return Math.abs(now - theirs) <= CLOCK_LIMIT_MS
    ? {
        check: 'clock',
        finding: `The clock differs by ${seconds} s from the identity provider's.`,
        advice: null,
      }
    : {
        check: 'clock',
        finding: `The clock differs by ${seconds} s from the identity provider's, and tokens are refused at 60 s.`,
        advice: 'Let NTP set the clock of this machine.',
      }
}

/** What Microsoft Graph allows in each tenant. A directory that pushes is not asked. */
async function checkDirectory(
  { directory, identity }: Settings,
  { fetch }: DoctorPorts,
): Promise<readonly Diagnosis[]> {
  if (directory?.kind !== 'graph') return []
  const tenants = graphOptionsOf(directory, identity)
  const found = await Promise.all(tenants.map((each) => checkGraph({ ...each, fetch }, directory.pictures)))
  return found.flat().map((each) => ({ check: 'directory', ...each }))
}

/** The pages that load Microsoft's library themselves. */
const LIBRARY_PAGES: readonly string[] = ['taskpane.html', 'launch.html']

/** The pages as users reach them, through every proxy on the way. */
async function checkPages(
  { publicUrl, pages }: Settings,
  { fetch }: DoctorPorts,
): Promise<readonly Diagnosis[]> {
  const problems: Diagnosis[] = []
  const refuse = (finding: string, advice: string) => void problems.push({ check: 'pages', finding, advice })
  const headers = shippedHeaders(pages, publicUrl.startsWith('https:'))

  const read = async (name: string): Promise<Response | null> => {
    const address = `${publicUrl}/${name}`
    try {
      const response = await fetch(address, {
        redirect: 'manual',
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      })
      if (response.status === 200) return response
      refuse(
        `${address} answers with status ${response.status}.`,
        'Let the proxy pass every path to the service, without a redirect or a sign-in of its own.',
      )
    } catch (error) {
      refuse(
        `${address} cannot be reached: ${messageOf(error)}.`,
        'Check SIGNET_PUBLIC_URL, its DNS name and certificate, and that the proxy and the service run.',
      )
    }
    return null
  }

  for (const name of Object.keys(headers)) {
    const response = await read(name)
    if (response === null) continue
    const different = Object.entries(headers[name] ?? {}).filter(
      ([header, value]) => response.headers.get(header) !== value,
    )
    if (different.length > 0)
      refuse(
        `${publicUrl}/${name} has other headers than the service sends: ${different.map(([header]) => header).join(', ')}.`,
        'Let the proxy pass these headers as they are, and check that every instance has the same settings.',
      )
    if (response.headers.has('x-frame-options'))
      refuse(
        `${publicUrl}/${name} has X-Frame-Options.`,
        'Let the proxy not add it: Outlook shows the page in a frame.',
      )
    const text = await response.text()
    const library = pages.SIGNET_OFFICE_LIBRARY
    if (LIBRARY_PAGES.includes(name) && !loadsLibrary(text, library))
      refuse(
        `${publicUrl}/${name} does not load Microsoft's library from ${library}.`,
        'Check SIGNET_OFFICE_LIBRARY, and that every instance has the same settings.',
      )
    if (name === WELL_KNOWN_FILE && !allows(text, `${publicUrl}/${LAUNCH_FILE}`))
      refuse(
        `${publicUrl}/${name} does not allow ${publicUrl}/${LAUNCH_FILE}.`,
        'Let the proxy pass paths that begin with a dot to the service, too.',
      )
  }
  return problems.length > 0
    ? problems
    : [
        {
          check: 'pages',
          finding: `${publicUrl} serves the pages with their headers and Microsoft's library from ${new URL(pages.SIGNET_OFFICE_LIBRARY).host}.`,
          advice: null,
        },
      ]
}

function allows(text: string, address: string): boolean {
  try {
    return v.parse(wellKnownSchema, JSON.parse(text)).allowed.includes(address)
  } catch {
    return false
  }
}

/** `server_version_num`, such as 160004. */
export async function databaseVersion(url: string): Promise<number> {
  const driver = openPostgres(url)
  try {
    const [row] = await driver.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    return Number(row?.version)
  } finally {
    await driver.close()
  }
}

/** What went wrong; of a request also why, which `fetch` keeps in its cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== ''
    ? `${error.message} (${cause.message})`
    : error.message
}
