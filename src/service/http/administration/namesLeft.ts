/** Finds the people who have left and whose address is in a value of a person, such as the person's assistant. */
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import type { Release } from '../../../../streams/organisation/release/release.ts'
import { namedAddressesOf, variableLabelsOf } from '../../../../streams/organisation/release/selectors.ts'
import type { NamesLeft } from '../../../../streams/organisation/rules/why.ts'
import { normaliseAddress } from '../../../values/mailAddress.ts'
import type { Store } from '../../sql/store.ts'

/** The values with such an address, as the part of an answer. Reads the people in one query. */
export async function namesLeftOf(
  store: Pick<Store, 'personsByAddress'>,
  release: Release,
  person: PersonState,
): Promise<Readonly<{ namesLeft?: NamesLeft }>> {
  const named = namedAddressesOf(release, person)
  if (named.length === 0) return {}
  const found = await store.personsByAddress([...new Set(named.map(({ address }) => address))])
  const left = new Set(
    found.flatMap(({ id, active, addresses }) =>
      active || id === person.id ? [] : addresses.map(normaliseAddress),
    ),
  )
  const labels = variableLabelsOf(release)
  const namesLeft = named
    .filter(({ address }) => left.has(normaliseAddress(address)))
    .map(({ path, address }) => ({ path, label: labels[path] ?? null, address }))
  return namesLeft.length === 0 ? {} : { namesLeft }
}
