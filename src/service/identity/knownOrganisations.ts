/**
 * Caches the registry in an instance. Bearers and access tokens name an organisation before they are verified, so each
 * client may cause only a limited number of look-ups of wrong names.
 */
import { LRUCache } from 'lru-cache'
import { createRateWindows } from '../../server/rateWindows.ts'
import { ORGANISATION_ID, type RegisteredOrganisation, type Registry } from '../sql/registry.ts'

/** How long an answer from the registry is cached. A removed organisation may keep responding for this time. */
const KNOWN_MS = 10_000
/** The number of cached answers of each kind. */
const KNOWN = 20_000
/** The number of look-ups of wrong names that a client may cause in a minute. */
const WRONG_NAMES = 300
/** The number of clients whose wrong names are counted. */
const CLIENTS = 200_000
/** The form of tenants in claims and in the registry. */
const TENANT = /^[\x21-\x7e]{1,256}$/

/**
 * Identifies the client that sent a name, to limit its look-ups. Called only when a look-up is needed. Null for a
 * verified name, whose look-ups are not limited.
 */
export type LookupClient = (() => string) | null

/**
 * Calls reject with `StoreUnavailable` when the database is unavailable. They reject with `Refusal` 429 when a name is
 * not cached and its sender has caused too many look-ups of wrong names. A client's wrong names never block other
 * clients.
 *
 * @param now milliseconds since 1970
 */
export function createKnownOrganisations(registry: Registry, now: () => number) {
  const wrong = createRateWindows(WRONG_NAMES, CLIENTS, now)

  /** Caches the answers of `find` for a while, including null. Failures are not cached. */
  function remembering<Answer>(
    find: (name: string) => Promise<Answer | null>,
  ): (name: string, sender: LookupClient) => Promise<Answer | null> {
    // Separate caches, so that invented names do not displace real ones.
    const [found, missing] = [
      new LRUCache<string, Readonly<{ at: number; answer: Answer }>>({ max: KNOWN }),
      new LRUCache<string, Readonly<{ at: number }>>({ max: KNOWN }),
    ]
    const running = new Map<string, Promise<Answer | null>>()
    // The absolute difference, because a clock may be set back.
    const isFresh = ({ at }: Readonly<{ at: number }>) => Math.abs(now() - at) < KNOWN_MS

    async function lookUp(name: string): Promise<Answer | null> {
      const at = now()
      const answer = await find(name)
      if (answer === null) {
        found.delete(name)
        missing.set(name, { at })
      } else {
        missing.delete(name)
        found.set(name, { at, answer })
      }
      return answer
    }

    /** Shares one look-up among concurrent calls. */
    function sharing(name: string): Promise<Answer | null> {
      const shared = running.get(name) ?? lookUp(name).finally(() => running.delete(name))
      running.set(name, shared)
      return shared
    }

    return async (name, sender) => {
      const [last, none] = [found.get(name), missing.get(name)]
      if (last !== undefined && isFresh(last)) return last.answer
      if (none !== undefined && isFresh(none)) return null
      if (sender === null || last !== undefined) return sharing(name)
      // Counts the name as wrong until it is found, so that concurrent look-ups are limited too.
      const client = sender()
      wrong.admit(client)
      let isWrong = false
      try {
        const answer = await sharing(name)
        isWrong = answer === null
        return answer
      } finally {
        if (!isWrong) wrong.forgive(client)
      }
    }
  }

  const rowOf = remembering(registry.find)
  const idOfTenant = remembering(async (tenant) => (await registry.ofTenant(tenant))?.id ?? null)
  const idOfToken = remembering(async (hash) => (await registry.ofScimToken(hash))?.id ?? null)
  const of = async (id: string, sender: LookupClient): Promise<RegisteredOrganisation | null> =>
    ORGANISATION_ID.test(id) ? rowOf(id, sender) : null

  return {
    /** The organisation with this id, even during its removal; null for none. */
    of,
    ofTenant: async (tenant: string, sender: LookupClient): Promise<RegisteredOrganisation | null> => {
      const id = TENANT.test(tenant) ? await idOfTenant(tenant, sender) : null
      const registered = id === null ? null : await of(id, null)
      return registered?.tenants.includes(tenant) === true ? registered : null
    },
    /** @param hash the SHA-256 of a SCIM token, in hex */
    ofScimToken: async (hash: string, sender: LookupClient): Promise<RegisteredOrganisation | null> => {
      const id = await idOfToken(hash, sender)
      return id === null ? null : of(id, null)
    },
  }
}
