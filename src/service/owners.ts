/** Whose signatures a user may insert: their own, and those of the mailboxes that the release delegates to them. */
import { delegatedAddresses } from '../../streams/organisation/rules.ts'
import type { Release } from '../../streams/organisation/release.ts'
import type { PersonState } from '../../streams/organisation/state.ts'
import type { Store } from './sql/store.ts'

type Asking = Readonly<{ person: PersonState; release: Release }>

export type Owners = Readonly<{
  /** In the order of the release. A mailbox that no directory knows is there with its address as its id. */
  delegated: (asking: Asking) => Promise<readonly PersonState[]>
}>

export const createOwners = (store: Pick<Store, 'personsByAddress'>): Owners => ({
  async delegated({ person, release }) {
    const owners = await ownersOf(store, delegatedAddresses(release, person))
    return owners.filter(({ id }) => id !== person.id)
  },
})

/** Those of these mailboxes who are there, each once; one that no directory knows with its address as its id. */
export async function ownersOf(
  store: Pick<Store, 'personsByAddress'>,
  addresses: readonly string[],
): Promise<readonly PersonState[]> {
  if (addresses.length === 0) return []
  const known = await store.personsByAddress(addresses)
  const byAddress = new Map(known.flatMap((one) => one.addresses.map((address) => [address, one] as const)))
  const owners = addresses.map((address) => byAddress.get(address) ?? mailbox(address))
  return [...new Set(owners)].filter(({ active }) => active)
}

/** A shared mailbox that only the release knows. Its values are those that the release gives it. */
export const mailbox = (address: string): PersonState => ({
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
