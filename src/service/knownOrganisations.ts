/**
 * What an instance remembers of the registry. Bearers and access tokens name an organisation before they are verified, so
 * look-ups of unknown names are bounded.
 */
import { createWindows } from './http/limits.ts'
import { createMemory } from './remembered.ts'
import { ORGANISATION_ID, type Registered, type Registry } from './sql/registry.ts'

/** How long an answer of the registry is believed. A removed organisation answers for so long at most. */
const KNOWN_MS = 10_000
/** How many answers of each kind are kept. */
const KNOWN = 20_000
/** How many look-ups a minute may be of names that are not known to be of an organisation. */
const UNKNOWN_LOOKUPS = 6_000
/** As claims and the registry have tenants. */
const TENANT = /^[\x21-\x7e]{1,256}$/

export type KnownOrganisations = ReturnType<typeof createKnownOrganisations>

/**
 * All calls reject with `Refusal` 429 when too many unknown names were looked up, and with `StoreUnavailable`.
 *
 * @param now milliseconds since 1970
 */
export function createKnownOrganisations(registry: Registry, now: () => number) {
  const unknown = createWindows(UNKNOWN_LOOKUPS, 1, now)

  /** Remembers answers for a while, also that there is none. A failure is not remembered. */
  function remembering<Answer>(
    find: (name: string) => Promise<Answer | null>,
  ): (name: string) => Promise<Answer | null> {
    const known =
      createMemory<Readonly<{ at: number; isKnown: boolean; found: Promise<Answer | null> }>>(KNOWN)
    return async (name) => {
      const last = known.get(name)
      if (last !== undefined && Math.abs(now() - last.at) < KNOWN_MS) return last.found
      if (last?.isKnown !== true) unknown.admit('')
      const asked = { at: now(), isKnown: last?.isKnown === true, found: find(name) }
      known.set(name, asked)
      try {
        const found = await asked.found
        if (known.get(name) === asked) known.set(name, { ...asked, isKnown: found !== null })
        return found
      } catch (error) {
        if (known.get(name) === asked) known.delete(name)
        throw error
      }
    }
  }

  const rowOf = remembering(registry.find)
  const idOfTenant = remembering(async (tenant) => (await registry.ofTenant(tenant))?.id ?? null)
  const idOfToken = remembering(async (hash) => (await registry.ofScimToken(hash))?.id ?? null)
  const of = async (id: string): Promise<Registered | null> => (ORGANISATION_ID.test(id) ? rowOf(id) : null)

  return {
    /** The organisation with this id, also one that is being removed; null for none. */
    of,
    ofTenant: async (tenant: string): Promise<Registered | null> => {
      const id = TENANT.test(tenant) ? await idOfTenant(tenant) : null
      const registered = id === null ? null : await of(id)
      return registered?.tenants.includes(tenant) === true ? registered : null
    },
    /** @param hash the SHA-256 of a token of SCIM in hex */
    ofScimToken: async (hash: string): Promise<Registered | null> => {
      const id = await idOfToken(hash)
      return id === null ? null : of(id)
    },
  }
}
