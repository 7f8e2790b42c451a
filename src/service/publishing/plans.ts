/** Plans: a document, and what publishing it would change. A plan is stored for a day. */
import { createHash } from 'node:crypto'
import type { Formats } from '../../../streams/organisation/template/formats.ts'
import type { PlannedPicture } from '../../../streams/wire/administration/shapes.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { DAY_MS } from '../../../streams/organisation/release/names.ts'
import {
  type ChangedPeople,
  limitOfPlan,
  type PeopleLimit,
} from '../../../streams/organisation/plan/peopleLimit.ts'
import {
  changesAnything,
  comparing,
  groupPlans,
  planning,
  variableChanges,
  type Comparison,
  type PersonPlan,
  type PlannedPerson,
} from '../../../streams/organisation/plan/plan.ts'
import {
  canonicalPieces,
  compiling,
  type Release,
  type ReleaseDocument,
} from '../../../streams/organisation/release/release.ts'
import { isOpen, type Owners } from '../../../streams/organisation/rules/rules.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { finish, type Steps } from '../../../streams/kernel/steps.ts'
import { inTurns } from '../../server/timeSlices.ts'
import { DomainError } from '../operations/domainError.ts'
import { mailbox } from '../context/owners.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import { pagesOf } from '../sql/pages.ts'
import type { Work } from '../operations/work.ts'

/** `pictures` are the hashes of pictures that are in no release yet. */
export type StoredPlan = Readonly<{ plan: Plan; document: ReleaseDocument; pictures: readonly string[] }>

export type Plans = ReturnType<typeof createPlans>

/** How many people are in memory at once. */
const PEOPLE_AT_ONCE = 500
const ID_LENGTH = 32
/** The prefix of ids of pictures in the table of plans. Ids of plans have no space. */
const PICTURE = 'picture '

/** How many characters one step hashes. */
const STEP_CHARACTERS = 64 * 1024

/** The first 32 hex digits of the SHA-256 of all pieces. */
function* hashing(pieces: Iterable<string>): Steps<string> {
  const hash = createHash('sha256')
  let part = ''
  for (const piece of pieces) {
    part += piece
    if (part.length < STEP_CHARACTERS) continue
    hash.update(part)
    part = ''
    yield
  }
  return hash.update(part).digest('hex').slice(0, ID_LENGTH)
}

/** The id of a release is the hash of its document. */
export const releaseIdOf = (document: ReleaseDocument): string => finish(hashing(canonicalPieces(document)))

function* releaseOf(document: ReleaseDocument, formats: Formats): Steps<Release> {
  return yield* compiling(yield* hashing(canonicalPieces(document)), document, formats)
}

/** A page of the list of people of a plan ends when its people have so many characters as JSON. */
const MAX_PAGE_CHARACTERS = 1_000_000

/** Plans for people one by one, so that one plan is in memory at once. Counts whom publishing changes. */
function* countingEach(
  comparison: Comparison,
  { people, owners }: Planned,
  at: number,
  add: (planned: PlannedPerson) => Steps<void>,
): Steps<number> {
  let changed = 0
  for (const person of people) {
    const planned = yield* planning(comparison, person, owners, at)
    yield* add(planned)
    if (planned.isChanged) changed += 1
    yield
  }
  return changed
}

/** Whether a plan has something to tell of a person. */
const isTold = (plan: PersonPlan): boolean =>
  changesAnything(plan) || plan.missing.length > 0 || plan.none !== undefined

/** Plans for people until a page is full. `next` is the first person for whom the page has no room. */
function* planningPage(
  comparison: Comparison,
  { people, owners }: Planned,
  at: number,
  room: number,
): Steps<Readonly<{ plans: readonly PersonPlan[]; characters: number; next: number | null }>> {
  const plans: PersonPlan[] = []
  let characters = 0
  for (const [index, person] of people.entries()) {
    if (characters >= room) return { plans, characters, next: index }
    const { plan } = yield* planning(comparison, person, owners, at)
    if (isTold(plan)) {
      plans.push(plan)
      characters += JSON.stringify(plan).length
    }
    yield
  }
  return { plans, characters, next: null }
}

/** Some people, and the owners of all shared mailboxes of both releases, by id. */
type Planned = Readonly<{ people: readonly PersonState[]; owners: Owners }>

export function createPlans({ store, releases, publicUrl, formats, now }: ServiceContext) {
  const picturesUrl = () => `${publicUrl()}/images`

  /** The owners of the shared mailboxes of both releases, by id. `unknown` has the mailboxes in no directory. */
  async function mailboxesOf(before: Release | null, after: Release) {
    const addresses = new Set(
      [...(before?.document.mailboxes ?? []), ...after.document.mailboxes].map(({ address }) => address),
    )
    const known = await store.personsByAddress([...addresses])
    for (const owner of known) for (const address of owner.addresses) addresses.delete(address)
    const unknown = [...addresses].map(mailbox)
    return { owners: new Map([...known, ...unknown].map((owner) => [owner.id, owner])), unknown }
  }

  /**
   * All people, page by page: first the mailboxes that are in no directory, then those of the directory.
   *
   * @param after the id of the person before the first one; null for all
   */
  async function* everyone({ before, after: release }: Comparison, after: string | null) {
    const { owners, unknown } = await mailboxesOf(before, release)
    const last = after === null ? -1 : unknown.findIndex(({ id }) => id === after)
    // The ids of mailboxes are addresses, which no id of a person is. If the mailbox is in the directory by now, its page
    // begins with the first mailbox: better twice than never.
    const isInMailboxes = after === null || after.includes('@')
    for (let from = last + 1; isInMailboxes && from < unknown.length; from += PEOPLE_AT_ONCE)
      yield { owners, people: unknown.slice(from, from + PEOPLE_AT_ONCE) }
    const read = (id: string | null, limit: number) =>
      store.people(id ?? (isInMailboxes ? null : after), limit)
    for await (const people of pagesOf(read, PEOPLE_AT_ONCE, ({ id }) => id)) yield { owners, people }
  }

  /**
   * Plans for all people, and counts whom publishing changes.
   *
   * @throws DomainError `stopped`
   */
  async function counting(
    comparison: Comparison,
    at: number,
    { work, client }: PlanFor,
    add: (planned: PlannedPerson) => Steps<void> = addNothing,
  ): Promise<ChangedPeople> {
    const all = work === null ? 0 : await store.countPeople()
    await work?.reach(0, all)
    let [people, changed] = [0, 0]
    for await (const page of everyone(comparison, null)) {
      changed += await inTurns(countingEach(comparison, page, at, add), { client })
      people += page.people.length
      await work?.reach(people, all)
    }
    return { people, changed }
  }

  async function compared({ plan, document }: StoredPlan, client: PlanFor['client']): Promise<Comparison> {
    const before = plan.base === null ? null : await releases.of(plan.base)
    const after = await inTurns(compiling(plan.release, document, formats), { client })
    return inTurns(comparing(before, after, picturesUrl()), { client })
  }

  const keepPicture = (hash: string, { mediaType, base64 }: PlannedPicture, until: number) =>
    store.keepPlan(PICTURE + hash, { mediaType, base64, until }, until)

  /** A picture that is stored for a plan; null if missing or expired. */
  async function picture(hash: string): Promise<PlannedPicture | null> {
    const kept = (await store.plan(PICTURE + hash)) as (PlannedPicture & Readonly<{ until: number }>) | null
    return kept && kept.until > now() ? kept : null
  }

  async function notPublished(hashes: readonly string[]): Promise<readonly string[]> {
    const published = await store.hasPictures(hashes)
    return [...new Set(hashes)].filter((hash) => !published.has(hash))
  }

  /** Stores the pictures of a plan until the plan expires. Resolves with their hashes. */
  async function keepPictures(document: ReleaseDocument, until: number): Promise<readonly string[]> {
    const hashes = await notPublished(Object.values(document.pictures))
    for (const hash of hashes) {
      const kept = await picture(hash)
      if (!kept) throw new DomainError('picture_invalid', `The picture ${hash} is missing: send it first.`)
      await keepPicture(hash, kept, until)
    }
    return hashes
  }

  /** @throws DomainError `not_found` for a missing or expired plan */
  async function read(id: string): Promise<StoredPlan> {
    const kept = id.includes(' ') ? null : ((await store.plan(id)) as StoredPlan | null)
    if (!kept || kept.plan.until <= now())
      throw new DomainError('not_found', 'There is no such plan any more.')
    return kept
  }

  return {
    read,
    picture,

    /** Stores a picture for later plans. The picture has no address before it is published. */
    keepPicture: (hash: string, sent: PlannedPicture) => keepPicture(hash, sent, now() + DAY_MS),

    /** The hashes whose pictures are stored neither for a release nor for a plan. */
    missing: async (hashes: readonly string[]) => {
      const missing: string[] = []
      for (const hash of await notPublished(hashes)) if (!(await picture(hash))) missing.push(hash)
      return missing
    },

    /**
     * @param moment for which the plan compares; null for the present, which the limit of people needs
     * @throws DomainError `picture_invalid` when a picture of the document is missing; `stopped`, and then no plan is
     *   stored
     */
    make: async (
      document: ReleaseDocument,
      moment: number | null,
      who: PlanFor = FOR_NOBODY,
    ): Promise<Plan> => {
      const { client } = who
      const at = moment ?? now()
      const until = now() + DAY_MS
      const pictures = await keepPictures(document, until)
      const before = releases.current()
      const after = await inTurns(releaseOf(document, formats), { client })
      const comparison = await inTurns(comparing(before, after, picturesUrl()), { client })
      const groups = groupPlans(comparison, at)
      const counted = await counting(comparison, at, who, groups.adding)
      const summary = groups.summary()
      const limit = limitOfPlan(before?.document ?? null, document, counted, moment === null)
      const plan: Plan = {
        id: finish(hashing([before?.id ?? '', ' ', after.id])),
        base: before?.id ?? null,
        release: after.id,
        at,
        until,
        pictures: comparison.pictures,
        summary,
        variables: variableChanges(before?.document ?? null, document),
        closed: document.signatures.flatMap(({ id, name, during }) =>
          during === null || isOpen(during, at) ? [] : [{ signature: id, name, during }],
        ),
        ...(limit && { limit }),
      }
      await store.dropOldPlans(now())
      await store.keepPlan(plan.id, { plan, document, pictures } satisfies StoredPlan, plan.until)
      return plan
    },

    /**
     * The limit of a plan with the people whom publishing changes now: people may have come since it was made. Null
     * without a limit.
     *
     * @throws DomainError `stopped`
     */
    limitNow: async (stored: StoredPlan, who: PlanFor): Promise<PeopleLimit | null> => {
      if (!stored.plan.limit) return null
      const comparison = await compared(stored, who.client)
      const counted = await counting(comparison, now(), who)
      return limitOfPlan(comparison.before?.document ?? null, stored.document, counted, true)
    },

    /**
     * One page of the people with changes or missing values, or without a signature. A page may be empty although another
     * page follows.
     *
     * @param after the `next` of the previous page; null for the first page
     */
    people: async (id: string, after: string | null, client: PlanFor['client'] = null) => {
      const stored = await read(id)
      const comparison = await compared(stored, client)
      const plans: PersonPlan[] = []
      let [last, looked, characters] = [after, 0, 0]
      for await (const page of everyone(comparison, after)) {
        if (looked >= PEOPLE_AT_ONCE) return { people: plans, next: last }
        const steps = planningPage(comparison, page, stored.plan.at, MAX_PAGE_CHARACTERS - characters)
        const planned = await inTurns(steps, { client })
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

/** For whom a plan is made: `work` counts the people, `client` aborts when it leaves. */
type PlanFor = Readonly<{ work: Work | null; client: AbortSignal | null }>
const FOR_NOBODY: PlanFor = { work: null, client: null }

function* addNothing(): Steps<void> {}
