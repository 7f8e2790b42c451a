/** Finds the person of each row of an import. */
import type { Account, DirectoryRecord } from '../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { timeSlicer } from '../../server/timeSlices.ts'
import { normaliseAddress } from '../../values/mailAddress.ts'
import type { DirectoryRow, TakenPeopleFinder } from '../context/serviceContext.ts'
import type { Store } from '../sql/store.ts'

/** The number of people per statement. */
const PEOPLE_AT_ONCE = 200

export const accountKey = (account: Account | null): string | null =>
  account === null ? null : `${account.tenant}/${account.oid}`

/** The ids of people, by account. */
export type IdsByAccount = ReadonlyMap<string | null, string>
export const idsByAccountOf = (people: readonly PersonState[]): IdsByAccount =>
  new Map(people.map(({ account, id }) => [accountKey(account), id]))

/**
 * `targets` contains the person id of each row. `known` maps ids to existing people, and new ids to null. `byAccount`
 * finds the people with the accounts in the rows.
 */
export type RowTargets = Readonly<{
  targets: readonly string[]
  known: Map<string, PersonState | null>
  byAccount: IdsByAccount
}>

/**
 * Finds the person of each row by id, else by account. A row without an id may also match by address, unless the person
 * has another account: addresses may move to another user, but accounts must not. A row never matches a person whom
 * another row names, or who belongs to another user of the directory.
 */
export async function findRowTargets(
  store: Pick<Store, 'persons' | 'personsByAccount' | 'personsByAddress'>,
  rows: readonly DirectoryRow[],
  takenAmong: TakenPeopleFinder,
  newId: () => string,
): Promise<RowTargets> {
  const inTurn = timeSlicer.taking(1)
  const targets = new Map<number, string>()
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]))
  const accounts = rows.flatMap(({ record: { account } }) => (account === null ? [] : [account]))
  const found = [
    ...(await inPortions(ids, store.persons, inTurn)),
    ...(await inPortions(accounts, store.personsByAccount, inTurn)),
  ]
  const known = new Map<string, PersonState | null>(found.map((person) => [person.id, person]))
  const byAccount = idsByAccountOf(found)
  const named = new Set<string>()
  const name = (index: number, target: string) => {
    named.add(target)
    targets.set(index, target)
  }
  for (const [index, { id }] of rows.entries()) if (id !== null && known.has(id)) name(index, id)
  for (const taken of await takenAmong(found.map(({ id }) => id))) named.add(taken)
  for (const [index, { id, record }] of rows.entries()) {
    if (targets.has(index)) continue
    const bound = record.account === null ? undefined : byAccount.get(accountKey(record.account))
    if (bound !== undefined && !named.has(bound)) name(index, bound)
    else if (id !== null) name(index, id)
  }
  await inTurn()
  const others = [...rows.entries()].filter(([index]) => !targets.has(index))
  const addresses = others.flatMap(([, { record }]) => record.addresses)
  const owners = new Map<string, PersonState>()
  const having = await inPortions(addresses, store.personsByAddress, inTurn)
  for (const person of having) {
    known.set(person.id, person)
    for (const address of person.addresses) owners.set(normaliseAddress(address), person)
  }
  for (const taken of await takenAmong(having.map(({ id }) => id))) named.add(taken)
  const findFor = (index: number, { account }: DirectoryRecord, address: string) => {
    const owner = targets.has(index) ? undefined : owners.get(normaliseAddress(address))
    if (owner === undefined || named.has(owner.id)) return
    if (account !== null && owner.account !== null && accountKey(account) !== accountKey(owner.account))
      return
    name(index, owner.id)
  }
  for (const [index, { record }] of others)
    for (const address of record.addresses.slice(0, 1)) findFor(index, record, address)
  await inTurn()
  for (const [index, { record }] of others)
    for (const address of record.addresses.slice(1)) findFor(index, record, address)
  return {
    targets: rows.map((_, index) => {
      const target = targets.get(index) ?? newId()
      if (!known.has(target)) known.set(target, null)
      return target
    }),
    known,
    byAccount,
  }
}

async function inPortions<Key, Found>(
  keys: readonly Key[],
  read: (keys: readonly Key[]) => Promise<readonly Found[]>,
  inTurn: () => Promise<void> | undefined,
): Promise<readonly Found[]> {
  const found: Found[] = []
  for (let at = 0; at < keys.length; at += PEOPLE_AT_ONCE) {
    found.push(...(await read(keys.slice(at, at + PEOPLE_AT_ONCE))))
    await inTurn()
  }
  return found
}
