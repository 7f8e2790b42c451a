/** Adds the named columns of a file to people who are known. It adds and retires nobody. */
import { ownProperty } from '../../../streams/organisation/release/selectors.ts'
import type { ImportResult } from '../../../streams/wire/administration/people.ts'
import { timeSlicer } from '../../server/timeSlices.ts'
import type { DirectoryRow, FileColumns } from '../context/serviceContext.ts'
import { DomainError, ImportStopped } from '../operations/domainError.ts'
import type { TrackedWork } from '../operations/work.ts'
import { StoreUnavailable } from '../sql/problems.ts'
import type { Store } from '../sql/store.ts'
import type { PersonCommands, PersonPort } from './personCommands.ts'
import { findRowTargets } from './rowTargets.ts'

/** The most unknown people that a result names. */
const MAX_UNKNOWN_NAMED = 20

/** @param newId creates the id of a person whom no row knows, who is not added */
export function createSupplementer(store: Store, { handle, portOf }: PersonCommands, newId: () => string) {
  return async function supplement(
    rows: readonly DirectoryRow[],
    { source, fields }: FileColumns,
    actor: string,
    isTrial: boolean,
    work: TrackedWork | null,
  ): Promise<Omit<ImportResult, 'problems'>> {
    const { targets, known } = await findRowTargets(store, rows, async () => new Set(), newId)
    const isKnown = (id: string) => known.get(id)?.active === true
    const unknown = rows.flatMap(({ record }, index) =>
      isKnown(targets[index] ?? '') ? [] : [record.addresses[0] ?? ''],
    )
    const inTurn = timeSlicer.taking(1)
    let [done, changed] = [0, 0]
    try {
      for (const [index, { record }] of rows.entries()) {
        await work?.reach(index, rows.length)
        const id = targets[index] ?? ''
        if (isKnown(id)) {
          const values = Object.fromEntries(
            fields.map((field) => [field, ownProperty(record.fields, field) ?? '']),
          )
          const port = portOf(id, actor)
          const trial: PersonPort = { ...port, append: async (before) => before }
          const { facts } = await handle(id, { type: 'supplement', source, values }, isTrial ? trial : port)
          if (facts.length > 0) changed += 1
        }
        done += 1
        await inTurn()
      }
    } catch (error) {
      if (isTrial || !(error instanceof StoreUnavailable || error instanceof DomainError)) throw error
      throw new ImportStopped(error, { done, all: rows.length, row: done + 1 })
    }
    return {
      added: 0,
      changed,
      unchanged: rows.length - unknown.length - changed,
      refused: [],
      unknown: { people: unknown.length, first: unknown.slice(0, MAX_UNKNOWN_NAMED) },
    }
  }
}
