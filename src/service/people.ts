/** The writes of people: decided over the row, appended with the version that was read. */
import { decidePerson } from '../../streams/organisation/decide.ts'
import { evolvePerson } from '../../streams/organisation/reducer.ts'
import type { PersonState } from '../../streams/organisation/state.ts'
import { Refusal } from '../server/webServer.ts'
import { orRefuse } from './http/refusals.ts'
import { type Store, VersionMoved } from './sql/store.ts'
import type { DirectoryRow, ImportResult, People, Releases } from './world.ts'

const TRIES = 3

export type PeopleOptions = Readonly<{
  store: Store
  releases: Pick<Releases, 'current'>
  /** Milliseconds since 1970. */
  now: () => number
  /** A new person's id. */
  newId: () => string
}>

export function createPeople({ store, releases, now, newId }: PeopleOptions): People {
  /** The last write of each person that is not done. */
  const writing = new Map<string, Promise<unknown>>()

  /** Runs after the writes of this person that were asked for before. */
  async function inTurn<Result>(id: string, run: () => Promise<Result>): Promise<Result> {
    const turn = (writing.get(id) ?? Promise.resolve()).then(run)
    const done = turn.catch(() => undefined)
    writing.set(id, done)
    try {
      return await turn
    } finally {
      if (writing.get(id) === done) writing.delete(id)
    }
  }

  async function tryAgain<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let left = TRIES; ; left -= 1) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof VersionMoved)) throw error
        if (left === 1) throw new Refusal(409, 'conflict', 'The data changed at the same time. Try again.')
      }
    }
  }

  const append = (
    id: string,
    before: PersonState | null,
    command: Parameters<People['write']>[1],
    actor: string,
  ): Promise<Readonly<{ after: PersonState | null; changed: boolean }>> => {
    const decided = decide(id, before, command, actor)
    return decided.facts.length === 0
      ? Promise.resolve({ after: before, changed: false })
      : store
          .appendPerson(id, before?.revision ?? 0, decided.facts, decided.after, { actor, at: decided.at })
          .then(() => ({ after: decided.after, changed: true }))
  }

  function decide(
    id: string,
    before: PersonState | null,
    command: Parameters<People['write']>[1],
    actor: string,
  ) {
    const facts = orRefuse(decidePerson(before, command, releases.current()))
    const at = now()
    const from = before?.revision ?? 0
    const after = facts.reduce<PersonState | null>(
      (state, fact, index) =>
        evolvePerson(state, { ...fact, meta: { seq: from + index, at, source: actor } }, id),
      before,
    )
    return { facts, after, at }
  }

  async function importRow({ id, record }: DirectoryRow, actor: string, isTrial: boolean) {
    const found =
      (id === null ? null : await store.person(id)) ??
      (record.account === null
        ? null
        : await store.personByAccount(record.account.tenant, record.account.oid)) ??
      (await firstFound(record.addresses))
    const target = found?.id ?? id ?? newId()
    return inTurn(target, () =>
      tryAgain(async () => {
        const before = await store.person(target)
        const command = { type: 'importRecord', record } as const
        const changed = isTrial
          ? decide(target, before, command, actor).facts.length > 0
          : (await append(target, before, command, actor)).changed
        if (!changed) return 'unchanged'
        return before === null ? 'added' : 'changed'
      }),
    )
  }

  async function firstFound(addresses: readonly string[]): Promise<PersonState | null> {
    for (const address of addresses) {
      const found = await store.personByAddress(address)
      if (found !== null) return found
    }
    return null
  }

  return {
    write: (id, command, actor) =>
      inTurn(id, () =>
        tryAgain(async () => {
          const before = await store.person(id)
          if (before === null) throw new Refusal(404, 'not_found', 'There is no such person.')
          const { after } = await append(id, before, command, actor)
          if (after === null) throw new Refusal(404, 'not_found', 'There is no such person.')
          return after
        }),
      ),

    async importRows(rows, actor, isTrial) {
      const result = { added: 0, changed: 0, unchanged: 0 }
      const refused: ImportResult['refused'][number][] = []
      for (const [index, row] of rows.entries()) {
        try {
          result[await importRow(row, actor, isTrial)] += 1
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          refused.push({ row: index + 1, reason: error.message })
        }
      }
      return { ...result, refused }
    },

    async erase(id, actor) {
      await inTurn(id, () =>
        tryAgain(async () => {
          const before = await store.person(id)
          if (before !== null) await append(id, before, { type: 'erase' }, actor)
        }),
      )
    },
  }
}
