/** The writes of people: decided over the row, appended with the version that was read. */
import { decidePerson } from '../../streams/organisation/decide.ts'
import { withFacts } from '../../streams/organisation/reducer.ts'
import type { DirectoryRecord } from '../../streams/organisation/events.ts'
import type { PersonState } from '../../streams/organisation/state.ts'
import { Refusal } from '../server/webServer.ts'
import { orRefuse } from './http/refusals.ts'
import { type Store, VersionMoved } from './sql/store.ts'
import type { DirectoryRow, ImportResult, People, Releases } from './world.ts'

const TRIES = 3
const isConflict = (error: unknown) => error instanceof Refusal && error.code === 'conflict'

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
    return { facts, after: withFacts(before, facts, id, { actor, at }), at }
  }

  /**
   * The id of the person of each row. An address names a person only for a row without an id, and only one whom no other
   * row names: an address may move to another user, the account that is bound to a person must not move with it.
   */
  async function targetsOf(rows: readonly DirectoryRow[]): Promise<readonly string[]> {
    const targets = new Map<number, string>()
    for (const [index, { id, record }] of rows.entries()) {
      const { account } = record
      const found =
        (id === null ? null : await store.person(id)) ??
        (account === null ? null : await store.personByAccount(account.tenant, account.oid))
      const target = found?.id ?? id
      if (target !== null) targets.set(index, target)
    }
    const named = new Set(targets.values())
    const findFor = async (index: number, addresses: readonly string[]) => {
      for (const address of addresses) {
        const found = targets.has(index) ? null : await store.personByAddress(address)
        if (found === null || named.has(found.id)) continue
        named.add(found.id)
        targets.set(index, found.id)
      }
    }
    for (const [index, { record }] of rows.entries()) await findFor(index, record.addresses.slice(0, 1))
    for (const [index, { record }] of rows.entries()) await findFor(index, record.addresses.slice(1))
    return rows.map((_, index) => targets.get(index) ?? newId())
  }

  /** @param targets the people of all rows: an address that one of them has may become free */
  async function importRecord(
    target: string,
    record: DirectoryRecord,
    actor: string,
    trial: Readonly<{ targets: ReadonlySet<string> }> | null,
  ): Promise<'added' | 'changed' | 'unchanged'> {
    const command = { type: 'importRecord', record } as const
    const attempt = async () => {
      const before = await store.person(target)
      const changed =
        trial === null
          ? (await append(target, before, command, actor)).changed
          : decide(target, before, command, actor).facts.length > 0
      if (!changed) return 'unchanged'
      if (trial !== null) await refuseTaken(target, record, trial.targets)
      return before === null ? 'added' : 'changed'
    }
    try {
      return await inTurn(target, () => tryAgain(attempt))
    } catch (error) {
      if (isConflict(error)) await refuseTaken(target, record, new Set())
      throw error
    }
  }

  /** @throws Refusal with the address that is another person's */
  async function refuseTaken(
    target: string,
    { addresses }: DirectoryRecord,
    leaving: ReadonlySet<string>,
  ): Promise<void> {
    const known = await store.personsByAddress(addresses)
    const others = known.filter(({ id }) => id !== target && !leaving.has(id))
    const taken = addresses.find((address) => others.some((other) => other.addresses.includes(address)))
    if (taken !== undefined)
      throw new Refusal(409, 'conflict', `The address ${taken} is that of another person.`)
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
      const targets = await targetsOf(rows)
      const trial = isTrial ? { targets: new Set(targets) } : null
      const importOne = async (index: number, isLast: boolean): Promise<boolean> => {
        const [row, target] = [rows[index], targets[index]]
        if (row === undefined || target === undefined) return true
        try {
          result[await importRecord(target, row.record, actor, trial)] += 1
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          if (isConflict(error) && !isLast) return false
          refused.push({ row: index + 1, reason: error.message })
        }
        return true
      }
      // An address may be free only after a later row.
      const again: number[] = []
      for (const index of rows.keys()) if (!(await importOne(index, false))) again.push(index)
      for (const index of again) await importOne(index, true)
      return { ...result, refused: refused.sort((one, other) => one.row - other.row) }
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
