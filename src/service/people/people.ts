/** Writes people, by single commands or by importing rows. */
import { DomainError, ImportStopped } from '../operations/domainError.ts'
import { StoreUnavailable } from '../sql/problems.ts'
import type { People, RowOutcome, TakenPeopleFinder } from '../context/serviceContext.ts'
import { createPeopleImporter } from './importing.ts'
import { createSupplementer } from './supplementing.ts'
import { createPersonCommands, type PersonCommandsOptions } from './personCommands.ts'

const noneTaken: TakenPeopleFinder = async () => new Set()

/** @param newId creates the id of a new person */
export function createPeople({
  newId,
  ...options
}: PersonCommandsOptions & Readonly<{ newId: () => string }>): People {
  const commands = createPersonCommands(options)
  const supplement = createSupplementer(options.store, commands, newId)
  const importSome = createPeopleImporter(options.store, commands, newId)

  return {
    async write(id, command, actor) {
      const { after } = await commands.handle(id, command, commands.portOf(id, actor))
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

    supplementRows: (rows, columns, actor, isTrial, work = null) =>
      supplement(rows, columns, actor, isTrial, work),

    async importEach(rows, actor, isTrial, takenAmong = noneTaken) {
      const { outcomes, error } = await importSome(rows, actor, isTrial, null, takenAmong)
      if (error !== null) throw error
      return outcomes.flatMap((outcome) => outcome ?? [])
    },

    async erase(id, actor) {
      await commands.handle(id, { type: 'erase' }, commands.portOf(id, actor))
    },
  }
}
