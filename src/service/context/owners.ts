/** Finds the owners of the mailboxes that the release delegates to a user. The user may insert their signatures. */
import { delegatedAddresses } from '../../../streams/organisation/rules/rules.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { normaliseAddress } from '../../values/mailAddress.ts'
import type { Store } from '../sql/store.ts'

type Asking = Readonly<{ person: PersonState; release: Release }>

export type DelegatedOwners = ReturnType<typeof createDelegatedOwners>

export const createDelegatedOwners = (store: Pick<Store, 'personsByAddress'>) => ({
  /** The owners of the mailboxes that the release delegates to the person, in the release's order. */
  delegated: async ({ person, release }: Asking): Promise<readonly PersonState[]> => {
    const owners = await findOwners(store, delegatedAddresses(release, person))
    return owners.filter(({ id }) => id !== person.id)
  },
})

/**
 * Finds the active owners of these addresses, without duplicates. A mailbox outside the directory gets its address as
 * id.
 */
export async function findOwners(
  store: Pick<Store, 'personsByAddress'>,
  addresses: readonly string[],
): Promise<readonly PersonState[]> {
  if (addresses.length === 0) return []
  const known = await store.personsByAddress(addresses)
  const byAddress = new Map(
    known.flatMap((one) => one.addresses.map((address) => [normaliseAddress(address), one] as const)),
  )
  const owners = addresses.map(
    (address) => byAddress.get(normaliseAddress(address)) ?? mailboxAsOwner(address),
  )
  return [...new Set(owners)].filter(({ active }) => active)
}

/** The owner of a shared mailbox that is not in the directory. The release contains the mailbox's values. */
export const mailboxAsOwner = (address: string): PersonState => ({
  id: address,
  revision: 0,
  account: null,
  active: true,
  addresses: [address],
  language: null,
  directory: {},
  groups: [],
  values: {},
  metadata: {},
  picture: null,
  directoryPicture: null,
})
