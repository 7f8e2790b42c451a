/** Imports rows of people: finds the person of each row, and writes the changes. */
import type { DirectoryRecord, PersonFact } from '../../../streams/organisation/facts/events.ts'
import { ownDirectory } from '../../../streams/organisation/facts/corrections.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { timeSlicer } from '../../server/timeSlices.ts'
import { normaliseAddress } from '../../values/mailAddress.ts'
import type { DirectoryRow, RowOutcome, TakenPeopleFinder } from '../context/serviceContext.ts'
import { DomainError } from '../operations/domainError.ts'
import type { TrackedWork } from '../operations/work.ts'
import type { Store } from '../sql/store.ts'
import type { PersonCommands, PersonPort } from './personCommands.ts'
import { accountKey, type IdsByAccount, idsByAccountOf, findRowTargets } from './rowTargets.ts'

/** The number of rows to import in parallel, because a database can commit several writes together. */
const ROWS_AT_ONCE = 4

const isConflict = (error: unknown) => error instanceof DomainError && error.code === 'conflict'

/** Classifies the change that an import makes, and lists the changed fields. */
function changeOf(
  before: PersonState | null,
  facts: readonly PersonFact[],
): Pick<RowOutcome, 'change' | 'fields'> {
  if (facts.length === 0) return { change: 'unchanged', fields: [] }
  if (before === null) return { change: 'added', fields: [] }
  const returned = facts.some(({ type }) => type === 'person/returned')
  const fields = facts.flatMap((fact) => {
    if (fact.type !== 'person/directoryChanged') return []
    const own = ownDirectory(before)
    const { fields: directory = own, ...others } = fact.data.changed
    const paths = new Set([...Object.keys(own), ...Object.keys(directory)])
    const different = [...paths].filter((path) => own[path] !== directory[path])
    return [...different.sort(), ...Object.keys(others)]
  })
  return { change: returned ? 'returned' : 'changed', fields }
}

/** @param newId creates the id of a new person */
export function createPeopleImporter(store: Store, { handle, portOf }: PersonCommands, newId: () => string) {
  /**
   * @param known people who were just read. The first try uses them; a retry reads the person again
   * @param trial null in an import. In a dry run, the ids of the people in all rows, because the import may free their
   *   addresses, and the ids by account
   */
  async function importRecord(
    target: string,
    record: DirectoryRecord,
    actor: string,
    known: Map<string, PersonState | null>,
    trial: Readonly<{ targets: ReadonlySet<string>; byAccount: IdsByAccount }> | null,
  ): Promise<RowOutcome> {
    const person = portOf(target, actor)
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
        await refuseTaken(target, record, new Set(), idsByAccountOf(holders))
      }
      throw error
    }
  }

  /** Deletes the person's previous directory picture, unless a person or a release still uses it. */
  async function dropReplaced(before: PersonState | null, after: PersonState | null): Promise<void> {
    const old = before?.directoryPicture ?? null
    const [hash = ''] = old?.split('.') ?? []
    if (old !== null && old !== after?.directoryPicture) await store.dropPicture(hash)
  }

  /** @throws DomainError when an address or the account of the record belongs to another person */
  async function refuseTaken(
    target: string,
    { addresses, account }: DirectoryRecord,
    imported: ReadonlySet<string>,
    byAccount: IdsByAccount,
  ): Promise<void> {
    const isOther = (id: string) => id !== target && !imported.has(id)
    const others = (await store.personsByAddress(addresses)).filter(({ id }) => isOther(id))
    const owned = new Set(others.flatMap((other) => other.addresses.map(normaliseAddress)))
    const taken = addresses.find((address) => owned.has(normaliseAddress(address)))
    if (taken !== undefined)
      throw new DomainError('conflict', `The address ${taken} belongs to another person.`)
    if (account !== null && isOther(byAccount.get(accountKey(account)) ?? target))
      throw new DomainError('conflict', `The account ${account.oid} belongs to another person.`)
  }

  /**
   * Imports rows, and returns the outcomes in the same order. The first error that is not specific to a row stops the
   * import.
   */
  return async function importSome(
    rows: readonly DirectoryRow[],
    actor: string,
    isTrial: boolean,
    work: TrackedWork | null,
    takenAmong: TakenPeopleFinder,
  ): Promise<Readonly<{ outcomes: readonly (RowOutcome | undefined)[]; error: Error | null }>> {
    const { targets, known, byAccount } = await findRowTargets(store, rows, takenAmong, newId)
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
        // Retries the row at the end, because a later row may free its address.
        else if (isConflict(error) && !isLast) again.push(index)
        else outcomes.set(index, { id, change: 'refused', fields: [], reason: error.message })
      }
    }
    await work?.reach(0, rows.length).catch(fail)
    const left = rows.keys()
    const importFrom = async (indexes: Iterable<number>, isLast: boolean) => {
      const inTurn = timeSlicer.taking(isLast ? 1 : ROWS_AT_ONCE)
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
}
