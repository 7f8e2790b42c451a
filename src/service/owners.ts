/** Whose signatures a user may insert: their own, and those of the mailboxes that the release delegates to them. */
import { delegatedAddresses } from '../../streams/organisation/rules.ts'
import type { Release } from '../../streams/organisation/release.ts'
import type { PersonState } from '../../streams/organisation/state.ts'
import type { Store } from './sql/store.ts'

type Asking = Readonly<{ person: PersonState; release: Release }>

export type Owners = ReturnType<typeof createOwners>

export const createOwners = (store: Pick<Store, 'personsByAddress'>) => ({
  /** In the order of the release. The id of a mailbox that is in no directory is its address. */
  delegated: async ({ person, release }: Asking): Promise<readonly PersonState[]> => {
    const owners = await ownersOf(store, delegatedAddresses(release, person))
    return owners.filter(({ id }) => id !== person.id)
  },
})

/** The active ones of these mailboxes, each once. The id of a mailbox that is in no directory is its address. */
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

/** A shared mailbox that is only in the release, which has its values. */
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
