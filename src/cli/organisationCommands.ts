/** Commands for operators that add, list, export, import and remove the organisations of an installation. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrganisationState } from '../../streams/organisation/facts/state.ts'
import { evolveOrganisation } from '../../streams/organisation/facts/reducer.ts'
import { SCIM_PATH } from '../service/scim/scim.ts'
import {
  isSyncInterval,
  SYNC_INTERVAL_PROBLEM,
  type Settings,
  DEFAULT_SYNC_MINUTES,
  tenantProblem,
} from '../service/settings.ts'
import { type ExportedOrganisation, exportOrganisation, importOrganisation } from '../service/sql/backup.ts'
import type { DatabaseDriver } from '../service/sql/driver.ts'
import { openDatabase } from '../service/sql/openStore.ts'
import { rowSecurityRemedyOf, readRowSecurity } from '../service/sql/rowSecurity.ts'
import { SYNC_LEASE } from '../service/directory/directoryState.ts'
import {
  createRegistry,
  MISSING_TENANTS_MESSAGE,
  ORGANISATION_ID,
  type OrganisationDirectory,
  OWN_ORGANISATION,
  type RegisteredOrganisation,
  type Registry,
  REMOVAL_GRACE_MS,
  scimTokenHash,
  scimTokenOf,
} from '../service/sql/registry.ts'
import { createStore, type Store } from '../service/sql/store.ts'
import { deleteOrganisationRows, hasOrganisationRows } from '../service/sql/tables.ts'
import {
  linesOf,
  requireFile,
  requireNoFile,
  registeredOrganisations,
  settingsOf,
  withResource,
  writeLines,
} from './databaseCommands.ts'
import { countText, momentText, shortId } from './planText.ts'
import {
  jsonText,
  CommandStop,
  optionText,
  optionTexts,
  CommandUsageError,
  type CommandOptions,
  type CommandHandler,
  type Terminal,
} from './terminal.ts'

const TOKEN_BYTES = 36
/** Before a removal: the interval between checks for a running sync, and the maximum number of checks. */
const LOOK_MS = 2_000
const MAX_LOOKS = 120

/** The options of `organisation add`. An undefined option leaves that part of the organisation unchanged. */
type Given = Readonly<{
  name: string | undefined
  tenants: readonly string[] | undefined
  directory: GivenDirectory | null | undefined
  isTokenNew: boolean
}>

type GivenDirectory =
  | Readonly<{ kind: 'graph'; minutes: number | undefined; pictures: true | undefined }>
  | Readonly<{ kind: 'scim' }>

export const addOrganisation: CommandHandler = async ([id = ''], options, terminal) => {
  refuseOwn(id, 'its name and its tenants are SIGNET_ORGANISATION and SIGNET_TENANTS')
  refuseId(id)
  const given = readGiven(options)
  const settings = settingsOf(terminal)
  const { before, after, token, isTokenReplaced, isFirst } = await withResource(
    openDatabase(settings.database),
    async (driver) => {
      await needWall(driver)
      const registry = createRegistry(driver)
      const isFirst = (await registry.page('', 1)).length === 0
      const known = await registry.find(id)
      if (known !== null) refuseRemoved(known)
      const next = {
        id,
        name: given.name ?? known?.name ?? needed('name', '"Contoso Ltd"'),
        tenants: given.tenants ?? known?.tenants ?? needed('tenant', '<id of the tenant>'),
        directory: directoryAfter(given.directory, known?.directory ?? null),
        addedAt: known?.addedAt ?? terminal.now(),
      }
      await refuseParts(next, settings, registry)
      const hash = await scimTokenOf(driver, id)
      const isScim = next.directory?.kind === 'scim'
      if (given.isTokenNew && !isScim) throw new CommandUsageError('--new-token needs --directory scim.')
      const made =
        isScim && (hash === null || given.isTokenNew) ? randomBytes(TOKEN_BYTES).toString('base64url') : null
      const kept = isScim ? (made === null ? hash : scimTokenHash(made)) : null
      if (!(await registry.keep(next, kept)))
        throw new CommandStop(`A tenant of ${id} belongs to another organisation.`)
      const isTokenReplaced = hash !== null && made !== null
      return { before: known, after: next, token: made, isTokenReplaced, isFirst }
    },
  )
  terminal.write(
    before === null
      ? `Added ${id}: ${describe(after)}.\n\n${nextSteps(after, settings)}`
      : changesText(before, after, isTokenReplaced, settings),
  )
  if (token !== null) terminal.write(tokenText(token, settings))
  if (isFirst) terminal.write(restartText(settings))
  return 0
}

export const listOrganisations: CommandHandler = async (_, options, terminal) => {
  const settings = settingsOf(terminal)
  const all = await withResource(openDatabase(settings.database), async (driver) => {
    const listed = [await listedOwn(driver, settings)]
    for await (const page of registeredOrganisations(driver))
      for (const each of page) listed.push({ ...each, ...(await insideOf(driver, each)) })
    return listed
  })
  terminal.write(options['json'] === true ? jsonText(all) : all.map(listedText).join(''))
  return 0
}

export const exportOrganisationTo: CommandHandler = async ([id = '', file = ''], _, terminal) => {
  const settings = settingsOf(terminal)
  await requireNoFile(file)
  const lines = await withResource(openDatabase(settings.database), async (driver) => {
    const exported = await exportedOf(driver, id, settings)
    return writeLines(file, (write) => exportOrganisation(driver, exported, write))
  })
  terminal.write(`${file} has ${countText(lines, 'line')}, without signing keys. It has personal data.\n`)
  return 0
}

export const importOrganisationFrom: CommandHandler = async ([file = ''], options, terminal) => {
  const as = optionText(options, 'as')
  if (as !== undefined) refuseId(as)
  if (as !== undefined) refuseOwn(as, 'an empty database takes a backup with signet restore')
  const settings = settingsOf(terminal)
  await requireFile(file)
  const { imported, rows, isFirst } = await withResource(openDatabase(settings.database), async (driver) => {
    await needWall(driver)
    const registry = createRegistry(driver)
    const isFirst = (await registry.page('', 1)).length === 0
    const admit = async (exported: ExportedOrganisation): Promise<ExportedOrganisation> => {
      const id = as ?? exported.organisation
      if (id === OWN_ORGANISATION)
        throw new CommandStop(
          'The export is of the organisation of its settings: give --as <id>, the id that it gets here.',
        )
      refuseId(id)
      const known = await registry.find(id)
      if (known !== null) refuseRemoved(known)
      if (known !== null)
        throw new CommandStop(`There is an organisation ${id} already: give --as <another id>.`)
      await refuseParts({ ...exported, id }, settings, registry)
      return { ...exported, organisation: id }
    }
    return { ...(await importOrganisation(driver, linesOf(file), admit, terminal.now())), isFirst }
  })
  const { organisation: id } = imported
  terminal.write(
    `Imported ${id}, ${countText(rows, 'row')}: ${describe(imported)}. Its users are signed in again by themselves.\n\n` +
      nextSteps({ id, ...imported }, settings),
  )
  if (isFirst) terminal.write(restartText(settings))
  return 0
}

export const removeOrganisation: CommandHandler = async ([id = ''], options, terminal) => {
  refuseOwn(id, 'it cannot be removed')
  const isSure = options['yes'] === true
  if (!isSure && terminal.confirm === null)
    throw new CommandUsageError(
      'Removing needs a confirmation, and there is no terminal to ask for it: give --yes.',
    )
  const settings = settingsOf(terminal)
  return withResource(openDatabase(settings.database), async (driver) => {
    const registry = createRegistry(driver)
    const known = await registry.find(id)
    if (known === null && !(await hasOrganisationRows(driver, id)))
      throw new CommandStop(`There is no organisation ${id}.`)
    const named = known === null ? `what is left of ${id}` : `${id} (${known.name})`
    if (
      !isSure &&
      (await terminal.confirm?.(`Remove ${named}, with everything it has, for good?`)) !== true
    ) {
      terminal.write('Nothing was removed.\n')
      return 1
    }
    await registry.markRemoved(id, terminal.now())
    const since = known?.removedAt ?? terminal.now()
    const left = since + REMOVAL_GRACE_MS - terminal.now()
    if (known !== null && left > 0) {
      terminal.write(`${id} answers nothing any more. Its data is deleted as soon as every instance knows.\n`)
      await (terminal.wait ?? sleep)(left)
    }
    await untilNoSync(createStore(driver, id), terminal)
    const deleted = await deleteOrganisationRows(driver, id)
    // A long call in another instance, such as an import, may write rows after the deletion, so the deletion is
    // repeated.
    for (let more = deleted; more.size > 0;) {
      await (terminal.wait ?? sleep)(REMOVAL_GRACE_MS)
      more = await deleteOrganisationRows(driver, id)
    }
    await registry.forget(id)
    const rows = [...deleted].map(([table, number]) => `  ${countText(number, 'row')} of ${table}\n`)
    terminal.write(`Removed ${named}.\n${rows.join('')}`)
    return 0
  })
}

/** Waits until no instance syncs for the organisation. This takes up to a minute, or two if an instance was killed. */
async function untilNoSync(store: Pick<Store, 'isLeased'>, terminal: Terminal): Promise<void> {
  for (let looks = 0; await store.isLeased(SYNC_LEASE, terminal.now()); looks += 1) {
    if (looks === MAX_LOOKS)
      throw new CommandStop('A sync with its directory still runs. Remove it again later.')
    if (looks === 0) terminal.write('Waiting until its sync with the directory ends.\n')
    await (terminal.wait ?? sleep)(LOOK_MS)
  }
}

function readGiven(options: CommandOptions): Given {
  const name = optionText(options, 'name')?.trim()
  if (name === '') throw new CommandUsageError('--name is empty.')
  return {
    name,
    tenants: optionTexts(options, 'tenant') && [
      ...new Set(optionTexts(options, 'tenant')?.map((tenant) => tenant.toLowerCase())),
    ],
    directory: readDirectory(options),
    isTokenNew: options['new-token'] === true,
  }
}

function readDirectory(options: CommandOptions): Given['directory'] {
  const kind = optionText(options, 'directory')
  const minutes = optionText(options, 'sync-minutes')
  const pictures = options['pictures'] === true || undefined
  if (kind === 'graph') {
    if (minutes !== undefined && !isSyncInterval(minutes))
      throw new CommandUsageError(`--sync-minutes is ${SYNC_INTERVAL_PROBLEM}.`)
    return { kind, minutes: minutes === undefined ? undefined : Number(minutes), pictures }
  }
  if (pictures === true || minutes !== undefined)
    throw new CommandUsageError('--sync-minutes and --pictures need --directory graph.')
  if (kind === 'scim') return { kind }
  if (kind !== undefined && kind !== 'none')
    throw new CommandUsageError('--directory takes graph, scim or none.')
  return kind === undefined ? undefined : null
}

/** The directory after `organisation add`. Microsoft Graph settings that were not given stay unchanged. */
function directoryAfter(
  given: Given['directory'],
  before: OrganisationDirectory | null,
): OrganisationDirectory | null {
  if (given === undefined) return before
  if (given?.kind !== 'graph') return given
  const was = before?.kind === 'graph' ? before : { minutes: DEFAULT_SYNC_MINUTES, pictures: false }
  return {
    kind: 'graph',
    minutes: given.minutes ?? was.minutes,
    pictures: given.pictures ?? was.pictures,
  }
}

/** @throws WrongUse for the organisation of the settings */
function refuseOwn(id: string, why: string): void {
  if (id === OWN_ORGANISATION)
    throw new CommandUsageError(`${id} is the organisation of the settings: ${why}.`)
}

/** @throws WrongUse for a text that is not an id */
function refuseId(id: string): void {
  if (!ORGANISATION_ID.test(id))
    throw new CommandUsageError(
      `${id} is not an id: up to 40 of a to z, 0 to 9 and hyphens, which neither begin nor end it.`,
    )
}

const needed = (name: string, example: string): never => {
  throw new CommandUsageError(`--${name} is missing: give --${name} ${example}.`)
}

/** @throws Stop with the missing SQL statements, if the database does not isolate organisations from each other */
async function needWall(driver: DatabaseDriver): Promise<void> {
  const wall = await readRowSecurity(driver)
  if (wall.missing.length > 0) throw new CommandStop(rowSecurityRemedyOf(wall))
}

/** @throws Stop for an organisation that is being removed */
function refuseRemoved({ id, removedAt }: RegisteredOrganisation): void {
  if (removedAt !== null)
    throw new CommandStop(`${id} is being removed: signet organisation remove ${id} ends that.`)
}

/**
 * Rejects tenants and a directory that the installation does not support.
 *
 * @throws Stop
 */
async function refuseParts(
  { id, tenants, directory }: Pick<RegisteredOrganisation, 'id' | 'tenants' | 'directory'>,
  { identity, directory: own }: Settings,
  registry: Registry,
): Promise<void> {
  if (identity.tenants.length === 0) throw new CommandStop(MISSING_TENANTS_MESSAGE)
  for (const tenant of tenants) {
    const problem = tenantProblem(tenant, identity.authority)
    if (problem !== null) throw new CommandStop(problem)
    if (identity.tenants.some((each) => each.toLowerCase() === tenant))
      throw new CommandStop(
        `${tenant} is in SIGNET_TENANTS, so it belongs to the organisation of the settings.`,
      )
    const other = await registry.ofTenant(tenant)
    if (other !== null && other.id !== id) throw new CommandStop(`${tenant} is a tenant of ${other.id}.`)
  }
  if (directory?.kind === 'graph' && own?.kind !== 'graph')
    throw new CommandStop(
      'Microsoft Graph is read with the credential of the settings, and SIGNET_DIRECTORY is not graph: set it, or choose scim.',
    )
}

/**
 * Reads the registration of an organisation, for its export.
 *
 * @throws Stop if there is none, or if the organisation is being removed
 */
async function exportedOf(
  driver: DatabaseDriver,
  id: string,
  settings: Settings,
): Promise<ExportedOrganisation> {
  if (id === OWN_ORGANISATION) {
    const { name, tenants, directory } = await listedOwn(driver, settings)
    const token = settings.directory?.kind === 'scim' ? scimTokenHash(settings.directory.token) : null
    return { organisation: id, name, tenants, directory, scimToken: token }
  }
  const known = await createRegistry(driver).find(id)
  if (known === null) throw new CommandStop(`There is no organisation ${id}.`)
  refuseRemoved(known)
  const { name, tenants, directory } = known
  return { organisation: id, name, tenants, directory, scimToken: await scimTokenOf(driver, id) }
}

/** An organisation as `organisation list` prints it. Times are in milliseconds since 1970. */
type Listed = Pick<RegisteredOrganisation, 'id' | 'name' | 'tenants' | 'directory' | 'removedAt'> &
  Readonly<{
    /** Null for the organisation from the settings. */
    addedAt: number | null
    /** The number of active people; null during removal. */
    people: number | null
    /** The id of the published release; null if there is none. */
    release: string | null
  }>

async function listedOwn(driver: DatabaseDriver, settings: Settings): Promise<Listed> {
  const state = await stateOf(driver, OWN_ORGANISATION)
  const { directory, identity, organisation } = settings
  return {
    id: OWN_ORGANISATION,
    name: state?.name ?? organisation,
    tenants: identity.tenants.map((tenant) => tenant.toLowerCase()),
    directory:
      directory?.kind === 'graph'
        ? { kind: 'graph', minutes: directory.intervalMs / 60_000, pictures: directory.pictures }
        : directory && { kind: 'scim' },
    addedAt: null,
    removedAt: null,
    people: await createStore(driver, OWN_ORGANISATION).countPeople(),
    release: state?.history[0]?.release ?? null,
  }
}

async function insideOf(
  driver: DatabaseDriver,
  { id, removedAt }: RegisteredOrganisation,
): Promise<Pick<Listed, 'people' | 'release'>> {
  if (removedAt !== null) return { people: null, release: null }
  const release = (await stateOf(driver, id))?.history[0]?.release ?? null
  return { people: await createStore(driver, id).countPeople(), release }
}

const stateOf = async (driver: DatabaseDriver, id: string): Promise<OrganisationState | null> =>
  (await createStore(driver, id).organisationFacts(0)).reduce<OrganisationState | null>(
    evolveOrganisation,
    null,
  )

/** Formats an organisation as one line. */
const listedText = ({ id, removedAt, people, release, addedAt, ...rest }: Listed): string =>
  [
    id,
    describe(rest),
    ...(removedAt === null ? [] : [`removal began ${momentText(removedAt)}`]),
    ...(people === null
      ? []
      : [
          countText(people, 'person', 'people'),
          release === null ? 'nothing published' : `release ${shortId(release)}`,
        ]),
    addedAt === null ? 'of the settings' : `added ${momentText(addedAt)}`,
  ].join('  ') + '\n'

/** Describes an organisation: `Contoso, tenants a and b, people from SCIM` */
const describe = ({
  name,
  tenants,
  directory,
}: Pick<RegisteredOrganisation, 'name' | 'tenants' | 'directory'>): string =>
  [name, tenantsText(tenants), directoryText(directory)].join(', ')

const tenantsText = (tenants: readonly string[]): string =>
  tenants.length === 0
    ? 'no tenants'
    : `${tenants.length === 1 ? 'tenant' : 'tenants'} ${tenants.join(' and ')}`

function directoryText(directory: OrganisationDirectory | null): string {
  if (directory === null) return 'people from imports'
  if (directory.kind === 'scim') return 'people from SCIM'
  const pictures = directory.pictures ? ', with pictures' : ''
  return `people from Microsoft Graph every ${countText(directory.minutes, 'minute')}${pictures}`
}

type Parts = Pick<RegisteredOrganisation, 'id' | 'name' | 'tenants' | 'directory'>

function changesText(before: Parts, after: Parts, isTokenReplaced: boolean, settings: Settings): string {
  const parts: readonly (readonly [string, (parts: Parts) => string])[] = [
    ['name', ({ name }) => name],
    ['tenants', ({ tenants }) => tenantsText(tenants)],
    ['directory', ({ directory }) => directoryText(directory)],
  ]
  const changed = parts.filter(([, textIn]) => textIn(before) !== textIn(after))
  const renewed = isTokenReplaced
    ? `${after.id} has a new SCIM token. The one before is refused within seconds.\n`
    : ''
  if (changed.length === 0)
    return isTokenReplaced ? renewed : `${after.id} is as it was: ${describe(after)}.\n`
  const lines = changed.map(([part, textIn]) => `  ${part}: ${textIn(before)} -> ${textIn(after)}\n`)
  const lost = before.tenants.filter((tenant) => !after.tenants.includes(tenant))
  const consents = consentsText(
    after.tenants.filter((tenant) => !before.tenants.includes(tenant)),
    settings,
  )
  const isTokenGone = before.directory?.kind === 'scim' && after.directory?.kind !== 'scim'
  const consequences = [
    ...lost.map((tenant) => `  Users of ${tenant} can no longer sign in.\n`),
    ...(isTokenGone ? ['  Its SCIM token is deleted.\n'] : []),
    ...(consents === '' ? [] : [`  Consent to the application, in each new tenant:\n${consents}`]),
  ]
  return (
    `Changed ${after.id}. Each instance knows within seconds.\n` +
    [...lines, ...consequences].join('') +
    renewed
  )
}

/** The addresses where tenant administrators give consent, one per line. Empty if the authority is not per tenant. */
function consentsText(tenants: readonly string[], { identity }: Settings): string {
  if (!identity.authority.includes('{tenant}')) return ''
  const [clientId = ''] = identity.tokenAudiences
  return tenants
    .map((tenant) => {
      const authority = identity.authority.replaceAll('{tenant}', tenant).replace(/\/v2\.0$/, '')
      return `     ${authority}/adminconsent?client_id=${encodeURIComponent(clientId)}\n`
    })
    .join('')
}

const WITH_TOKEN = "with an administrator's access token in SIGNET_TOKEN"

/** The next steps for an organisation's administrator, in numbered sentences. */
function nextSteps({ id, tenants, directory }: Parts, settings: Settings): string {
  const { publicUrl } = settings
  const consents = consentsText(tenants, settings)
  const steps = [
    ...(consents === '' ? [] : [`Consent to the application, in each tenant:\n${consents}`]),
    'Assign the roles Signet.Read, Signet.Publish, Signet.People and Signet.Audit: Enterprise apps, Signet, Users and groups.\n',
    directory === null
      ? `Bring in the people, ${WITH_TOKEN}: signet people import people.csv --service ${publicUrl}\n`
      : directory.kind === 'scim'
        ? `Enter ${publicUrl}${SCIM_PATH}?aadOptscim062020 and the secret token in the directory.\n`
        : `Look at the first sync: ${publicUrl}/administration, page Directory.\n`,
    `Publish the first signatures, ${WITH_TOKEN}: signet publish signatures --service ${publicUrl}\n`,
    "Deploy the operator's manifest to the people.\n",
  ]
  return (
    `What the administrator of ${id} does now:\n` +
    steps.map((step, index) => `  ${String(index + 1)}. ${step}`).join('')
  )
}

/** Asks the operator to restart the service. Empty if users of all tenants can already sign in. */
const restartText = ({ identity: { authority, tenants } }: Settings): string =>
  authority.includes('{tenant}') && tenants.length === 1
    ? '\nRestart every instance once. Then users of other tenants can sign in.\n'
    : ''

const tokenText = (token: string, { publicUrl }: Settings): string =>
  `\nThe secret token for ${publicUrl}${SCIM_PATH}, which is shown only now:\n${token}\n`
