/** Finds what publishing changes for each person, page by page. */
import type { ChangedPeople } from '../../../streams/organisation/plan/peopleLimit.ts'
import {
  changesAnything,
  planningPerson,
  type ReleaseComparison,
  type PersonPlan,
  type PlannedPerson,
} from '../../../streams/organisation/plan/plan.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import type { Owners } from '../../../streams/organisation/rules/rules.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Steps } from '../../../streams/kernel/steps.ts'
import { runInSlices } from '../../server/timeSlices.ts'
import { mailboxAsOwner } from '../context/owners.ts'
import { readingPages } from '../sql/pages.ts'
import type { Store } from '../sql/store.ts'
import type { TrackedWork } from '../operations/work.ts'

/** The client of a plan. `work` counts the people; `client` aborts when the client disconnects. */
export type PlanClient = Readonly<{ work: TrackedWork | null; client: AbortSignal | null }>

/** The number of people in memory at once. */
const PEOPLE_AT_ONCE = 500
/** A page of a plan's people ends at this number of characters of JSON. */
const MAX_PAGE_CHARACTERS = 1_000_000

/** Some people, and the owners of both releases' shared mailboxes by id. */
type Planned = Readonly<{ people: readonly PersonState[]; owners: Owners }>

/**
 * Counts the people whom publishing changes. Plans one person at a time, so that only one person's plan is in memory.
 */
function* countingEach(
  comparison: ReleaseComparison,
  { people, owners }: Planned,
  at: number,
  add: (planned: PlannedPerson) => Steps<void>,
): Steps<number> {
  let changed = 0
  for (const person of people) {
    const planned = yield* planningPerson(comparison, person, owners, at)
    yield* add(planned)
    if (planned.isChanged) changed += 1
    yield
  }
  return changed
}

/** Whether a person's plan has anything to show. */
const isTold = (plan: PersonPlan): boolean =>
  changesAnything(plan) || plan.missing.length > 0 || plan.none !== undefined

/** Plans one person at a time until a page is full. `next` is the first person who did not fit on the page. */
function* planningPage(
  comparison: ReleaseComparison,
  { people, owners }: Planned,
  at: number,
  room: number,
): Steps<Readonly<{ plans: readonly PersonPlan[]; characters: number; next: number | null }>> {
  const plans: PersonPlan[] = []
  let characters = 0
  for (const [index, person] of people.entries()) {
    if (characters >= room) return { plans, characters, next: index }
    const { plan } = yield* planningPerson(comparison, person, owners, at)
    if (isTold(plan)) {
      plans.push(plan)
      characters += JSON.stringify(plan).length
    }
    yield
  }
  return { plans, characters, next: null }
}

function* addNothing(): Steps<void> {}

export function createPlannedPeople(store: Pick<Store, 'personsByAddress' | 'people' | 'countPeople'>) {
  /** The owners of both releases' shared mailboxes, by id. `unknown` contains the mailboxes outside the directory. */
  async function mailboxesOf(before: Release | null, after: Release) {
    const addresses = new Set(
      [...(before?.document.mailboxes ?? []), ...after.document.mailboxes].map(({ address }) => address),
    )
    const known = await store.personsByAddress([...addresses])
    for (const owner of known) for (const address of owner.addresses) addresses.delete(address)
    const unknown = [...addresses].map(mailboxAsOwner)
    return { owners: new Map([...known, ...unknown].map((owner) => [owner.id, owner])), unknown }
  }

  /**
   * All people, page by page. Mailboxes outside the directory come first, then the people in the directory.
   *
   * @param after the id of the last person already listed; null to begin with the first person
   */
  async function* everyone({ before, after: release }: ReleaseComparison, after: string | null) {
    const { owners, unknown } = await mailboxesOf(before, release)
    const last = after === null ? -1 : unknown.findIndex(({ id }) => id === after)
    // Ids of mailboxes are addresses, unlike ids of people. If the mailbox has joined the directory meanwhile, the list
    // begins again with the first mailbox. A repeated person is better than a missing person.
    const isInMailboxes = after === null || after.includes('@')
    for (let from = last + 1; isInMailboxes && from < unknown.length; from += PEOPLE_AT_ONCE)
      yield { owners, people: unknown.slice(from, from + PEOPLE_AT_ONCE) }
    const read = (id: string | null, limit: number) =>
      store.people(id ?? (isInMailboxes ? null : after), limit)
    for await (const people of readingPages(read, PEOPLE_AT_ONCE, ({ id }) => id)) yield { owners, people }
  }

  return {
    /**
     * Counts all people, and the people whom publishing changes. `add` gets the plan of each person.
     *
     * @throws DomainError `stopped`
     */
    async count(
      comparison: ReleaseComparison,
      at: number,
      { work, client }: PlanClient,
      add: (planned: PlannedPerson) => Steps<void> = addNothing,
    ): Promise<ChangedPeople> {
      const all = work === null ? 0 : await store.countPeople()
      await work?.reach(0, all)
      let [people, changed] = [0, 0]
      for await (const page of everyone(comparison, null)) {
        changed += await runInSlices(countingEach(comparison, page, at, add), { client })
        people += page.people.length
        await work?.reach(people, all)
      }
      return { people, changed }
    },

    /**
     * One page of the people for whom a plan has anything to show, after the id `after`. At the end, `next` is null.
     */
    async page(
      comparison: ReleaseComparison,
      at: number,
      after: string | null,
      client: PlanClient['client'],
    ) {
      const plans: PersonPlan[] = []
      let [last, looked, characters] = [after, 0, 0]
      for await (const page of everyone(comparison, after)) {
        if (looked >= PEOPLE_AT_ONCE) return { people: plans, next: last }
        const steps = planningPage(comparison, page, at, MAX_PAGE_CHARACTERS - characters)
        const planned = await runInSlices(steps, { client })
        for (const plan of planned.plans) plans.push(plan)
        characters += planned.characters
        const end = planned.next ?? page.people.length
        last = page.people[end - 1]?.id ?? last
        if (planned.next !== null) return { people: plans, next: last }
        looked += page.people.length
      }
      return { people: plans, next: null }
    },
  }
}
