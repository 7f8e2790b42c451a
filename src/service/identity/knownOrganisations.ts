/**
 * What an instance remembers of the registry. Bearers and access tokens name an organisation before they are verified, so
 * each client has a limited number of wrong names looked up.
 */
import { LRUCache } from 'lru-cache'
import { createWindows } from '../../server/rateWindows.ts'
import { ORGANISATION_ID, type Registered, type Registry } from '../sql/registry.ts'

/** How long an answer of the registry is believed. A removed organisation answers for so long at most. */
const KNOWN_MS = 10_000
/** How many answers of each kind are kept. */
const KNOWN = 20_000
/** The most names without an organisation that a client may look up in a minute. */
const WRONG_NAMES = 300
/** How many clients are counted. */
const CLIENTS = 200_000
/** As claims and the registry have tenants. */
const TENANT = /^[\x21-\x7e]{1,256}$/

export type KnownOrganisations = ReturnType<typeof createKnownOrganisations>

/**
 * Gets the key of the client that sent a name, which only a look-up needs; null when the name is verified, so that its
 * look-ups are not limited.
 */
export type Sender = (() => string) | null

/**
 * All calls reject with `StoreUnavailable`, and with `Refusal` 429 when the sender of a name that is not in memory had
 * too many wrong names looked up. Wrong names of one client never keep the names of others from being looked up.
 *
 * @param now milliseconds since 1970
 */
export function createKnownOrganisations(registry: Registry, now: () => number) {
  const wrong = createWindows(WRONG_NAMES, CLIENTS, now)

  /** Remembers answers for a while, also that there is none. A failure is not remembered. */
  function remembering<Answer>(
    find: (name: string) => Promise<Answer | null>,
  ): (name: string, sender: Sender) => Promise<Answer | null> {
    // In a memory each, so that invented names displace no found ones.
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

    /** One look-up for all who ask meanwhile. */
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
      // Counts as wrong until it is found, so that many names at once are limited, too.
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
  const of = async (id: string, sender: Sender): Promise<Registered | null> =>
    ORGANISATION_ID.test(id) ? rowOf(id, sender) : null

  return {
    /** The organisation with this id, also one that is being removed; null for none. */
    of,
    ofTenant: async (tenant: string, sender: Sender): Promise<Registered | null> => {
      const id = TENANT.test(tenant) ? await idOfTenant(tenant, sender) : null
      const registered = id === null ? null : await of(id, null)
      return registered?.tenants.includes(tenant) === true ? registered : null
    },
    /** @param hash the SHA-256 of a token of SCIM in hex */
    ofScimToken: async (hash: string, sender: Sender): Promise<Registered | null> => {
      const id = await idOfToken(hash, sender)
      return id === null ? null : of(id, null)
    },
  }
}
