/** Writes people: decides on a command by the person's row, and appends facts at the version that was read. */
import { createSerial } from '../../../streams/kernel/serial.ts'
import { decidePerson, type PersonCommand } from '../../../streams/organisation/decide.ts'
import { withFacts } from '../../../streams/organisation/facts/reducer.ts'
import type { Account, DirectoryRecord, PersonFact } from '../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { turns } from '../../server/timeSlices.ts'
import { DomainError, ImportStopped } from '../operations/domainError.ts'
import { type CommandPort, handleCommand } from './handleCommand.ts'
import { oneAddress } from '../../values/mailAddress.ts'
import type { Store } from '../sql/store.ts'
import { StoreUnavailable } from '../sql/problems.ts'
import type { Work } from '../operations/work.ts'
import type { DirectoryRow, People, Releases, RowOutcome, TakenAmong } from '../context/serviceContext.ts'

/** How many rows are imported in parallel. Several, because a database can commit several writes together. */
const ROWS_AT_ONCE = 4
/** How many people one statement reads. */
const PEOPLE_AT_ONCE = 200

type PersonPort = CommandPort<PersonState, PersonFact, PersonState | null>

const isConflict = (error: unknown) => error instanceof DomainError && error.code === 'conflict'

const accountKey = (account: Account | null): string | null =>
  account === null ? null : `${account.tenant}/${account.oid}`

/** The ids of people by their accounts. */
type ByAccount = ReadonlyMap<string | null, string>
const byAccountOf = (people: readonly PersonState[]): ByAccount =>
  new Map(people.map(({ account, id }) => [accountKey(account), id]))

/** What kind of change the facts of an import make, and the names of the changed fields. */
function changeOf(
  before: PersonState | null,
  facts: readonly PersonFact[],
): Pick<RowOutcome, 'change' | 'fields'> {
  if (facts.length === 0) return { change: 'unchanged', fields: [] }
  if (before === null) return { change: 'added', fields: [] }
  const returned = facts.some(({ type }) => type === 'person/returned')
  const fields = facts.flatMap((fact) => {
    if (fact.type !== 'person/directoryChanged') return []
    const { fields: directory = before.directory, ...others } = fact.data.changed
    const paths = new Set([...Object.keys(before.directory), ...Object.keys(directory)])
    const different = [...paths].filter((path) => before.directory[path] !== directory[path])
    return [...different.sort(), ...Object.keys(others)]
  })
  return { change: returned ? 'returned' : 'changed', fields }
}

const noneTaken: TakenAmong = async () => new Set()

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

export type PeopleOptions = Readonly<{
  store: Store
  releases: Pick<Releases, 'current'>
  /** Milliseconds since 1970. */
  now: () => number
  /** Makes the id of a new person. */
  newId: () => string
}>

export function createPeople({ store, releases, now, newId }: PeopleOptions): People {
  const inTurn = createSerial()

  const personPort = (id: string, actor: string): PersonPort => ({
    load: () => store.person(id),
    async append(before, facts) {
      const signed = { actor, at: now() }
      const after = withFacts(before, facts, id, signed)
      await store.appendPerson(id, before?.revision ?? 0, facts, after, signed)
      return after
    },
  })

  const handle = (id: string, command: PersonCommand, port: PersonPort) =>
    inTurn(() => handleCommand(port, (before) => decidePerson(before, command, releases.current())), id)

  /**
   * The id of the person of each row, the people that exist, and those with these accounts. A row finds its person by
   * id, else by account. A row without an id may also find its person by address, unless the person has another account:
   * an address may move to another user, but the account of a person must not. No row finds a person whom another row
   * names, or to whom another user of the directory belongs.
   */
  async function targetsOf(
    rows: readonly DirectoryRow[],
    takenAmong: TakenAmong,
  ): Promise<
    Readonly<{ targets: readonly string[]; known: Map<string, PersonState | null>; byAccount: ByAccount }>
  > {
    const inTurn = turns.taking(1)
    const targets = new Map<number, string>()
    const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]))
    const accounts = rows.flatMap(({ record: { account } }) => (account === null ? [] : [account]))
    const found = [
      ...(await inPortions(ids, store.persons, inTurn)),
      ...(await inPortions(accounts, store.personsByAccount, inTurn)),
    ]
    const known = new Map<string, PersonState | null>(found.map((person) => [person.id, person]))
    const byAccount = byAccountOf(found)
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
      for (const address of person.addresses) owners.set(oneAddress(address), person)
    }
    for (const taken of await takenAmong(having.map(({ id }) => id))) named.add(taken)
    const findFor = (index: number, { account }: DirectoryRecord, address: string) => {
      const owner = targets.has(index) ? undefined : owners.get(oneAddress(address))
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

  /**
   * @param known people that were just read. The first try takes the person from here; a retry reads the person again.
   * @param trial in a dry run, the people of all rows, because an import may free their addresses, and the people of
   *   their accounts; null in an import
   */
  async function importRecord(
    target: string,
    record: DirectoryRecord,
    actor: string,
    known: Map<string, PersonState | null>,
    trial: Readonly<{ targets: ReadonlySet<string>; byAccount: ByAccount }> | null,
  ): Promise<RowOutcome> {
    const person = personPort(target, actor)
    const port: PersonPort = {
      async load(least) {
        const read = known.get(target)
        known.delete(target)
        return read === undefined ? person.load(least) : read
      },
      async append(before, facts) {
        if (trial !== null) {
          await refuseTaken(target, record, trial.targets, trial.byAccount)
          return before
        }
        const after = await person.append(before, facts)
        await dropReplaced(before, after)
        return after
      },
    }
    try {
      const { before, facts } = await handle(target, { type: 'importRecord', record }, port)
      return { id: target, ...changeOf(before, facts), reason: null }
    } catch (error) {
      if (isConflict(error)) {
        const { account } = record
        const holders = account === null ? [] : await store.personsByAccount([account])
        await refuseTaken(target, record, new Set(), byAccountOf(holders))
      }
      throw error
    }
  }

  /** Deletes the picture that the person had in the directory before, unless a person or a release still names it. */
  async function dropReplaced(before: PersonState | null, after: PersonState | null): Promise<void> {
    const old = before?.directoryPicture ?? null
    const [hash = ''] = old?.split('.') ?? []
    if (old !== null && old !== after?.directoryPicture) await store.dropPicture(hash)
  }

  /** @throws DomainError when an address or the account of the record belongs to another person */
  async function refuseTaken(
    target: string,
    { addresses, account }: DirectoryRecord,
    leaving: ReadonlySet<string>,
    byAccount: ByAccount,
  ): Promise<void> {
    const isOther = (id: string) => id !== target && !leaving.has(id)
    const others = (await store.personsByAddress(addresses)).filter(({ id }) => isOther(id))
    const owned = new Set(others.flatMap((other) => other.addresses.map(oneAddress)))
    const taken = addresses.find((address) => owned.has(oneAddress(address)))
    if (taken !== undefined)
      throw new DomainError('conflict', `The address ${taken} belongs to another person.`)
    if (account !== null && isOther(byAccount.get(accountKey(account)) ?? target))
      throw new DomainError('conflict', `The account ${account.oid} belongs to another person.`)
  }

  /** Imports rows; the outcomes have the same order. The first error that is not about a row stops the import. */
  async function importSome(
    rows: readonly DirectoryRow[],
    actor: string,
    isTrial: boolean,
    work: Work | null,
    takenAmong: TakenAmong,
  ): Promise<Readonly<{ outcomes: readonly (RowOutcome | undefined)[]; error: Error | null }>> {
    const { targets, known, byAccount } = await targetsOf(rows, takenAmong)
    const trial = isTrial ? { targets: new Set(targets), byAccount } : null
    const outcomes = new Map<number, RowOutcome>()
    const again: number[] = []
    const errors: Error[] = []
    const fail = (error: unknown) => errors.push(error instanceof Error ? error : new Error(String(error)))
    const importOne = async (index: number, isLast: boolean): Promise<void> => {
      const [row, id] = [rows[index], targets[index]]
      if (row === undefined || id === undefined) return
      try {
        outcomes.set(index, await importRecord(id, row.record, actor, known, trial))
      } catch (error) {
        if (!(error instanceof DomainError)) fail(error)
        // The row is tried again at the end, because a later row may free its address.
        else if (isConflict(error) && !isLast) again.push(index)
        else outcomes.set(index, { id, change: 'refused', fields: [], reason: error.message })
      }
    }
    await work?.reach(0, rows.length).catch(fail)
    const left = rows.keys()
    const importFrom = async (indexes: Iterable<number>, isLast: boolean) => {
      const inTurn = turns.taking(isLast ? 1 : ROWS_AT_ONCE)
      for (const index of indexes) {
        if (errors.length > 0) return
        await importOne(index, isLast)
        await work?.reach(outcomes.size, rows.length).catch(fail)
        await inTurn()
      }
    }
    // Waits for all imports, so that none of them writes after the response.
    await Promise.all(Array.from({ length: ROWS_AT_ONCE }, () => importFrom(left, false)))
    await importFrom(
      again.sort((one, other) => one - other),
      true,
    )
    return { outcomes: rows.map((_, index) => outcomes.get(index)), error: errors[0] ?? null }
  }

  async function importEach(
    rows: readonly DirectoryRow[],
    actor: string,
    isTrial: boolean,
    takenAmong: TakenAmong = noneTaken,
  ): Promise<readonly RowOutcome[]> {
    const { outcomes, error } = await importSome(rows, actor, isTrial, null, takenAmong)
    if (error !== null) throw error
    return outcomes.flatMap((outcome) => outcome ?? [])
  }

  return {
    async write(id, command, actor) {
      const { after } = await handle(id, command, personPort(id, actor))
      if (after === null) throw new DomainError('not_found', 'There is no such person.')
      return after
    },

    async importRows(rows, actor, isTrial, work = null) {
      const imported = await importSome(rows, actor, isTrial, work, noneTaken)
      const outcomes = imported.outcomes.flatMap((outcome) => outcome ?? [])
      const { error } = imported
      if ((error instanceof StoreUnavailable || error instanceof DomainError) && !isTrial)
        throw new ImportStopped(error, {
          done: outcomes.filter(({ change }) => change !== 'refused').length,
          all: rows.length,
          row: imported.outcomes.indexOf(undefined) + 1,
        })
      if (error !== null) throw error
      const count = (...changes: readonly RowOutcome['change'][]) =>
        outcomes.filter(({ change }) => changes.includes(change)).length
      return {
        added: count('added'),
        changed: count('changed', 'returned'),
        unchanged: count('unchanged'),
        refused: outcomes.flatMap(({ reason }, index) =>
          reason === null ? [] : [{ row: index + 1, reason }],
        ),
      }
    },

    importEach,

    async erase(id, actor) {
      await handle(id, { type: 'erase' }, personPort(id, actor))
    },
  }
}
