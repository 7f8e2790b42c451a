/**
 * The organisations of an installation other than `default`, and the tenants whose users sign in to them. Their rows
 * belong to the installation.
 */
import { createHash } from 'node:crypto'
import { type DatabaseDriver, type DatabaseSession, sqlState } from './driver.ts'
import { PlainError } from '../../server/reasons.ts'

/** The directory of an organisation. `minutes` is the time between two syncs. */
export type OrganisationDirectory =
  Readonly<{ kind: 'graph'; minutes: number; pictures: boolean }> | Readonly<{ kind: 'scim' }>

/**
 * A registered organisation. Tenants are in lower case, times in milliseconds since 1970. `removedAt` is null until the
 * organisation is removed.
 */
export type RegisteredOrganisation = Readonly<{
  id: string
  name: string
  tenants: readonly string[]
  directory: OrganisationDirectory | null
  addedAt: number
  removedAt: number | null
}>

export type Registry = ReturnType<typeof createRegistry>

/** The organisation in the settings, which has no row. */
export const OWN_ORGANISATION = 'default'

/** The form of organisation ids, which are in the log and in the addresses of pictures. */
export const ORGANISATION_ID = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

/** How long instances may continue to write for an organisation after its removal, in milliseconds. */
export const REMOVAL_GRACE_MS = 15_000

/**
 * Explains that SIGNET_TENANTS is missing. Without it, users of unregistered tenants sign in to the organisation in the
 * settings.
 */
export const MISSING_TENANTS_MESSAGE =
  'SIGNET_TENANTS is missing: with several organisations, it says whose users belong to the one of the settings.'

const UNIQUE_VIOLATION = '23505'

const READ = `select o.id, o.name, o.directory, o.added_at as "addedAt", o.removed_at as "removedAt",
    array(select t.tenant from tenant t where t.organisation = o.id order by t.tenant) as tenants
  from organisation o`

/** Calls reject with `StoreUnavailable` when the database is unavailable. */
export function createRegistry(driver: DatabaseDriver) {
  const one = async (where: string, ...values: readonly unknown[]): Promise<RegisteredOrganisation | null> =>
    (await driver.query<RegisteredOrganisation>(`${READ} where ${where}`, values))[0] ?? null

  return {
    find: (id: string) => one('o.id = $1', id),
    /** @param tenant in lower case */
    ofTenant: (tenant: string) => one('o.id = (select organisation from tenant where tenant = $1)', tenant),
    /** @param hash the SHA-256 of the token in hex */
    ofScimToken: (hash: string) => one('o.scim_token = $1', hash),
    /**
     * One page of organisations, ordered by id, after the id `after`. Includes organisations whose data is being
     * deleted.
     */
    page: (after: string, limit: number) =>
      driver.query<RegisteredOrganisation>(`${READ} where o.id > $1 order by o.id limit $2`, [after, limit]),

    /**
     * Adds an organisation, or changes its name, directory and tenants.
     *
     * @param scimToken the SHA-256 of its SCIM token in hex; null without SCIM
     * @returns false when one of its tenants, or its token, belongs to another organisation; then nothing is changed
     */
    keep: (
      registered: Omit<RegisteredOrganisation, 'removedAt'>,
      scimToken: string | null,
    ): Promise<boolean> =>
      driver
        .transaction(async (session) => {
          if (!(await registerOrganisation(session, registered, scimToken))) throw TAKEN
          return true
        })
        .catch((error: unknown) => {
          if (error === TAKEN) return false
          throw error
        }),

    /**
     * Marks an organisation as removed, so that it stops responding. Resolves with false for an unknown organisation.
     */
    markRemoved: async (id: string, at: number): Promise<boolean> => {
      const marked = await driver.query(
        'update organisation set removed_at = coalesce(removed_at, $2::bigint) where id = $1 returning id',
        [id, at],
      )
      return marked.length > 0
    },
    /** Deletes the row of an organisation. Its data must already be deleted. */
    forget: (id: string) =>
      driver.transaction(async (session) => {
        await session.query('delete from tenant where organisation = $1', [id])
        await session.query('delete from organisation where id = $1', [id])
      }),
  }
}

/** Thrown to roll a transaction back. */
const TAKEN = new PlainError('A tenant or a SCIM token belongs to another organisation.')

/** Like `Registry.keep`, but in the caller's transaction. The caller must roll it back if the result is false. */
export async function registerOrganisation(
  session: DatabaseSession,
  { id, name, tenants, directory, addedAt }: Omit<RegisteredOrganisation, 'removedAt'>,
  scimToken: string | null,
): Promise<boolean> {
  try {
    await session.query(
      `insert into organisation (id, name, directory, scim_token, added_at)
       values ($1, $2, $3::json, $4, $5::bigint)
       on conflict (id) do update
       set name = excluded.name, directory = excluded.directory, scim_token = excluded.scim_token`,
      [id, name, directory && JSON.stringify(directory), scimToken, addedAt],
    )
    await keepTenants(session, id, tenants)
    return true
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return false
    throw error
  }
}

/** The hash of a SCIM token in the registry: its SHA-256, in hex. */
export const scimTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The SHA-256 of an organisation's SCIM token, in hex; null without SCIM. */
export async function scimTokenOf(
  session: Pick<DatabaseSession, 'query'>,
  id: string,
): Promise<string | null> {
  const [row] = await session.query<{ token: string | null }>(
    'select scim_token as token from organisation where id = $1',
    [id],
  )
  return row?.token ?? null
}

async function keepTenants(session: DatabaseSession, id: string, tenants: readonly string[]): Promise<void> {
  await session.query('delete from tenant where organisation = $1 and tenant <> all ($2::text[])', [
    id,
    tenants,
  ])
  await session.query(
    `insert into tenant (tenant, organisation) select tenant, $1 from unnest($2::text[]) as tenant
     where tenant not in (select tenant from tenant where organisation = $1)`,
    [id, tenants],
  )
}

/** The registry of an installation with a single organisation. */
export const EMPTY_REGISTRY: Registry = {
  find: async () => null,
  ofTenant: async () => null,
  ofScimToken: async () => null,
  page: async () => [],
  keep: async () => false,
  markRemoved: async () => false,
  forget: async () => undefined,
}
