/** Sends read requests to everything the service depends on, and advises how to fix problems. */
import { mismatchIn } from '../../streams/wire/reading.ts'
import { anything, list, object, record, text, withCheck } from '../../streams/kernel/schema.ts'
import { LAUNCH_FILE, WELL_KNOWN_FILE } from '../server/headers.ts'
import { PlainError, errorReason } from '../server/reasons.ts'
import { loadsLibrary } from '../server/officeLibrary.ts'
import { shippedHeaders } from '../server/pageConfig.ts'
import { checkGraph } from './directory/checkGraph.ts'
import { graphOptionsOf } from './directory/connect.ts'
import type { Settings } from './settings.ts'
import { databaseHostOf, type StoreAddress } from './sql/openStore.ts'
import type { DatabaseDriver } from './sql/driver.ts'
import { openPostgres } from './sql/pg.ts'
import { DATABASE_ADVICE, STORE_PROBLEMS, StoreUnavailable } from './sql/problems.ts'
import { rowSecurityRemedyOf, readRowSecurity } from './sql/rowSecurity.ts'

export type Diagnosis = Readonly<{
  check: 'discovery' | 'clock' | 'database' | 'directory' | 'pages'
  /** The result, as a sentence. */
  finding: string
  /** How to fix the problem; null without a problem. */
  advice: string | null
  /** Further consequences of the same cause, as sentences. */
  also: readonly string[]
}>

export type DoctorPorts = Readonly<{
  fetch: typeof fetch
  /** Reads `server_version_num` of a PostgreSQL database. Rejects when the database cannot be reached. */
  databaseVersion: (url: string) => Promise<number>
  /** Describes what to do before a PostgreSQL database can hold a second organisation; null when it already can. */
  wallRemedy: (url: string) => Promise<string | null>
  /** Milliseconds since 1970. */
  now: () => number
}>

const TIME_LIMIT_MS = 5_000
/** The tolerated deviation of the clock. Tokens have a leeway of 60 s. */
const CLOCK_LIMIT_MS = 30_000
const OLDEST_DATABASE = 15

const documentSchema = object({ issuer: text, jwks_uri: text })
const keysSchema = object({
  keys: withCheck(list(record(anything)), ({ length }) => length > 0, 'a list with a key'),
})
const wellKnownSchema = object({ allowed: list(text) })

/** Reports each cause once, in the order in which an operator should fix them. Never rejects. */
export async function diagnoseInstallation(
  settings: Settings,
  ports: DoctorPorts = { fetch, databaseVersion, wallRemedy: readRowSecurityRemedy, now: Date.now },
): Promise<readonly Diagnosis[]> {
  const [database, provider, pages] = await Promise.all([
    checkDatabase(settings.database, ports),
    checkProvider(settings, ports),
    checkPages(settings, ports),
  ])
  const directory = await checkDirectory(settings, provider.silent, ports)
  // The service does not start without its database, so missing pages are not a separate cause.
  const isStopped = database.advice !== null && pages.isUnserved
  const unserved = `${settings.publicUrl} does not serve the pages: the service starts once it has its database.`
  return [
    isStopped ? withAlso(database, unserved) : database,
    ...provider.diagnoses,
    ...directory,
    ...(isStopped ? [] : pages.diagnoses),
  ]
}

const diagnosisOf = (
  check: Diagnosis['check'],
  finding: string,
  advice: string | null = null,
  also: readonly string[] = [],
): Diagnosis => ({ check, finding, advice, also })

const withAlso = (diagnosis: Diagnosis, ...also: readonly string[]): Diagnosis => ({
  ...diagnosis,
  also: [...diagnosis.also, ...also],
})

/** A problem, and the tenant or address (`of`) that has the problem. */
type Fault = Readonly<{ of: string; problem: string; advice: string | null }>

const sentenceOf = ({ of, problem }: Fault): string => `${of} ${problem}.`

/** Merges faults with the same problem into one diagnosis, ordered by each problem's first fault. */
function gathered(
  check: Diagnosis['check'],
  faults: readonly Fault[],
  findingOf: (fault: Fault) => string = sentenceOf,
): readonly Diagnosis[] {
  const causes = [...new Set(faults.map(({ problem }) => problem))]
  return causes.flatMap((cause) => {
    const [first, ...others] = faults.filter(({ problem }) => problem === cause)
    if (first === undefined) return []
    const also = others.length === 0 ? [] : [`The same: ${others.map(({ of }) => of).join(', ')}.`]
    return [diagnosisOf(check, findingOf(first), first.advice, also)]
  })
}

async function checkDatabase(address: StoreAddress, ports: DoctorPorts): Promise<Diagnosis> {
  if (address.kind === 'embedded') {
    const folder = String(address.folder)
    return diagnosisOf('database', `The embedded database in ${folder} is used, which is for trying.`)
  }
  try {
    const version = Math.floor((await ports.databaseVersion(address.url)) / 10_000)
    if (version >= OLDEST_DATABASE) {
      const remedy = await ports.wallRemedy(address.url)
      // Not a problem, because a single organisation does not need the remedy.
      const more = remedy === null ? '' : ` ${remedy}`
      return diagnosisOf('database', `PostgreSQL ${version} answers.${more}`)
    }
    const advice = `Upgrade it to ${OLDEST_DATABASE} or newer.`
    return diagnosisOf('database', `The database is PostgreSQL ${version}.`, advice)
  } catch (error) {
    const what =
      error instanceof StoreUnavailable
        ? error.message
        : `${STORE_PROBLEMS.away}: ${errorReason(error, 'the connection failed')}`
    const finding = `${what}. Its address is ${databaseHostOf(address.url)}.`
    return diagnosisOf('database', finding, DATABASE_ADVICE)
  }
}

/**
 * Checks each tenant's discovery, and this machine's clock. `silent` contains the authorities whose discovery document
 * could not be read.
 */
async function checkProvider(
  { identity: { authority, tenants }, directory }: Settings,
  ports: DoctorPorts,
): Promise<Readonly<{ diagnoses: readonly Diagnosis[]; silent: ReadonlySet<string> }>> {
  const authorities = authority.includes('{tenant}')
    ? tenants.map((tenant) => authority.replaceAll('{tenant}', tenant))
    : [authority]
  const found = await Promise.all(
    authorities.map(async (each) => ({ authority: each, ...(await checkDiscovery(each, ports)) })),
  )
  const date = found.find((each) => each.date !== null)?.date ?? null
  const good = found.flatMap(({ finding }) => (finding === null ? [] : [diagnosisOf('discovery', finding)]))
  const bad = gathered(
    'discovery',
    found.flatMap(({ fault }) => fault ?? []),
  )
  const clock = checkClock(date, ports.now())
  const [first, ...others] = bad
  const silent = new Set(found.flatMap((each) => (each.isSilent ? [each.authority] : [])))
  if (first === undefined) return { diagnoses: [...good, clock ?? UNTIMED], silent }
  const unasked = [
    ...(clock === null ? ['The clock cannot be compared until then.'] : []),
    ...(directory?.kind === 'graph' && silent.size > 0 ? ['Microsoft Graph is not asked until then.'] : []),
  ]
  return {
    diagnoses: [...good, withAlso(first, ...unasked), ...others, ...(clock === null ? [] : [clock])],
    silent,
  }
}

const UNTIMED = diagnosisOf(
  'clock',
  'No answer of the identity provider has a time to compare the clock with.',
  'Let the proxy on the way to it pass the header Date.',
)

/**
 * Checks one authority. `date` is the date of its response; `isSilent` is true if its discovery document could not be
 * read.
 */
async function checkDiscovery(
  authority: string,
  { fetch }: DoctorPorts,
): Promise<
  Readonly<{ finding: string | null; fault: Fault | null; date: string | null; isSilent: boolean }>
> {
  const address = `${authority}/.well-known/openid-configuration`
  let date: string | null = null
  let isSilent = true
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIME_LIMIT_MS) })
    date = response.headers.get('date')
    if (!response.ok) throw new PlainError(`status ${response.status}`)
    const { issuer, jwks_uri } = documentSchema.read(await response.json(), '')
    isSilent = false
    const keys = await fetch(jwks_uri, { signal: AbortSignal.timeout(TIME_LIMIT_MS) })
    const { length } = keysSchema.read(await keys.json(), '').keys
    const finding = `${issuer} publishes ${length} ${length === 1 ? 'key' : 'keys'}.`
    return { finding, fault: null, date, isSilent }
  } catch (error) {
    const problem = `does not publish its issuer and keys: ${requestReason(error)}`
    const advice =
      'Check SIGNET_TENANTS and SIGNET_AUTHORITY, and that this machine may reach the identity provider over https.'
    return { finding: null, fault: { of: address, problem, advice }, date, isSilent }
  }
}

/** Compares this machine's clock with the date of a response; null without a date. */
function checkClock(date: string | null, now: number): Diagnosis | null {
  const theirs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(theirs)) return null
  const seconds = Math.round(Math.abs(now - theirs) / 1000)
  const differs = `The clock differs by ${seconds} s from the identity provider's`
  if (Math.abs(now - theirs) <= CLOCK_LIMIT_MS) return diagnosisOf('clock', `${differs}.`)
  const advice = 'Let NTP set the clock of this machine.'
  return diagnosisOf('clock', `${differs}, and tokens are refused at 60 s.`, advice)
}

/**
 * Checks Microsoft Graph in each tenant. Skips tenants whose authority is in `silent`, because it would issue no token.
 */
async function checkDirectory(
  { directory, identity }: Settings,
  silent: ReadonlySet<string>,
  { fetch }: DoctorPorts,
): Promise<readonly Diagnosis[]> {
  if (directory?.kind !== 'graph') return []
  const asked = graphOptionsOf(directory, identity).filter(({ authority }) => !silent.has(authority))
  const found = await Promise.all(
    asked.map(async (each) => {
      const findings = await checkGraph({ ...each, fetch }, directory)
      const of = `tenant ${each.tenant}`
      return findings.map(({ finding, advice }) => ({ of, problem: finding, advice }))
    }),
  )
  return gathered('directory', found.flat(), ({ problem }) => problem)
}

/** The pages that load Microsoft's library. */
const LIBRARY_PAGES: readonly string[] = ['taskpane.html', 'launch.html']

/** The statuses that a proxy returns when the service is unreachable. */
const BEHIND_PROXY: readonly number[] = [502, 503, 504]

/** Checks the pages as users receive them, through all proxies. */
async function checkPages(
  { publicUrl, pages }: Settings,
  { fetch }: DoctorPorts,
): Promise<Readonly<{ diagnoses: readonly Diagnosis[]; isUnserved: boolean }>> {
  const faults: Fault[] = []
  let isUnserved = true
  const refuse = (name: string, problem: string, advice: string) =>
    void faults.push({ of: `${publicUrl}/${name}`, problem, advice })
  const headers = shippedHeaders(pages, publicUrl.startsWith('https:'))

  const read = async (name: string): Promise<Response | null> => {
    const address = `${publicUrl}/${name}`
    try {
      const response = await fetch(address, {
        redirect: 'manual',
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      })
      if (!BEHIND_PROXY.includes(response.status)) isUnserved = false
      if (response.status === 200) return response
      refuse(
        name,
        `answers with status ${response.status}`,
        'Let the proxy pass every path to the service, without a redirect or a sign-in of its own.',
      )
    } catch (error) {
      refuse(
        name,
        `cannot be reached: ${requestReason(error)}`,
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
        name,
        `has other headers than the service sends: ${different.map(([header]) => header).join(', ')}`,
        'Let the proxy pass these headers as they are, and check that every instance has the same settings.',
      )
    if (response.headers.has('x-frame-options'))
      refuse(name, 'has X-Frame-Options', 'Let the proxy not add it: Outlook shows the page in a frame.')
    const page = await response.text()
    const library = pages.SIGNET_OFFICE_LIBRARY
    if (LIBRARY_PAGES.includes(name) && !loadsLibrary(page, library))
      refuse(
        name,
        `does not load Microsoft's library from ${library}`,
        'Check SIGNET_OFFICE_LIBRARY, and that every instance has the same settings.',
      )
    if (name === WELL_KNOWN_FILE && !allows(page, `${publicUrl}/${LAUNCH_FILE}`))
      refuse(
        name,
        `does not allow ${publicUrl}/${LAUNCH_FILE}`,
        'Let the proxy pass paths that begin with a dot to the service, too.',
      )
  }
  const { host } = new URL(pages.SIGNET_OFFICE_LIBRARY)
  const well = `${publicUrl} serves the pages with their headers and Microsoft's library from ${host}.`
  const diagnoses = faults.length > 0 ? gathered('pages', faults) : [diagnosisOf('pages', well)]
  return { diagnoses, isUnserved }
}

function allows(page: string, address: string): boolean {
  try {
    return wellKnownSchema.read(JSON.parse(page), '').allowed.includes(address)
  } catch {
    return false
  }
}

/** Reads `server_version_num`, such as 160004. */
export const databaseVersion = (url: string): Promise<number> =>
  withDatabase(url, async (driver) => {
    const [row] = await driver.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    return Number(row?.version)
  })

/**
 * Describes how to complete row security; null if it is complete, or if the service completes it itself at its start.
 */
export const readRowSecurityRemedy = (url: string): Promise<string | null> =>
  withDatabase(url, async (driver) => {
    const wall = await readRowSecurity(driver)
    return wall.missing.length === 0 || wall.canBeMade ? null : rowSecurityRemedyOf(wall)
  })

async function withDatabase<Result>(
  url: string,
  run: (driver: DatabaseDriver) => Promise<Result>,
): Promise<Result> {
  const driver = openPostgres(url)
  try {
    return await run(driver)
  } finally {
    await driver.close()
  }
}

/** Explains why a request failed. */
const requestReason = (error: unknown): string =>
  error instanceof PlainError
    ? error.message
    : (mismatchIn(error) ??
      errorReason(error, error instanceof SyntaxError ? 'its answer is not JSON' : 'the request failed'))
