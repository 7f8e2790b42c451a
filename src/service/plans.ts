/** Plans: a document, and what publishing it would change. A plan is stored for a day. */
import { createHash } from 'node:crypto'
import type { Formats } from '../../streams/organisation/formats.ts'
import type { PlannedPicture } from '../../streams/wire/administration/shapes.ts'
import type { Plan } from '../../streams/wire/administration/publishing.ts'
import { DAY_MS } from '../../streams/organisation/names.ts'
import { type ChangedPeople, limitOfPlan, type PeopleLimit } from '../../streams/organisation/peopleLimit.ts'
import {
  changesAnything,
  comparing,
  groupPlans,
  planning,
  variableChanges,
  type Comparison,
  type PlannedPerson,
} from '../../streams/organisation/plan.ts'
import {
  canonicalPieces,
  compiling,
  type Release,
  type ReleaseDocument,
} from '../../streams/organisation/release.ts'
import { isOpen } from '../../streams/organisation/rules.ts'
import type { PersonState } from '../../streams/organisation/state.ts'
import { finish, type Steps } from '../../streams/kernel/steps.ts'
import { inTurns } from '../server/turns.ts'
import { DomainError } from './domainError.ts'
import { mailbox } from './owners.ts'
import type { ServiceContext } from './serviceContext.ts'
import type { Work } from './work.ts'

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

type Planned = readonly PlannedPerson[]

/** Computes in steps what a release would change for each of these people. */
function* planningEach(
  comparison: Comparison,
  people: readonly PersonState[],
  owners: ReadonlyMap<string, PersonState>,
  at: number,
): Steps<Planned> {
  const plans: PlannedPerson[] = []
  for (const person of people) {
    plans.push(yield* planning(comparison, person, owners, at))
    yield
  }
  return plans
}

function* addingEach(groups: ReturnType<typeof groupPlans>, plans: Planned): Steps<void> {
  for (const planned of plans) {
    yield* groups.adding(planned)
    yield
  }
}

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

  /** The plans for all people, page by page. Mailboxes that are in no directory are on the first page. */
  async function* planned(comparison: Comparison, at: number, after: string | null) {
    const { owners, unknown } = await mailboxesOf(comparison.before, comparison.after)
    for (let last = after, others = after === null ? unknown : []; ; others = []) {
      const people = await store.people(last, PEOPLE_AT_ONCE)
      last = people.length < PEOPLE_AT_ONCE ? null : (people.at(-1)?.id ?? null)
      yield { plans: await inTurns(planningEach(comparison, [...others, ...people], owners, at)), next: last }
      if (last === null) return
    }
  }

  /**
   * Plans for all people, and counts whom publishing changes.
   *
   * @throws DomainError `stopped`
   */
  async function counting(
    comparison: Comparison,
    at: number,
    work: Work | null,
    add: (plans: Planned) => Promise<void>,
  ): Promise<ChangedPeople> {
    const all = work === null ? 0 : await store.countPeople()
    await work?.reach(0, all)
    let [people, changed] = [0, 0]
    for await (const { plans } of planned(comparison, at, null)) {
      await add(plans)
      people += plans.length
      changed += plans.filter(({ isChanged }) => isChanged).length
      await work?.reach(people, all)
    }
    return { people, changed }
  }

  async function compared({ plan, document }: StoredPlan): Promise<Comparison> {
    const before = plan.base === null ? null : await releases.of(plan.base)
    const after = await inTurns(compiling(plan.release, document, formats))
    return inTurns(comparing(before, after, picturesUrl()))
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
     * @param work counts the people; null when no client wants to know how far the plan is
     * @throws DomainError `picture_invalid` when a picture of the document is missing; `stopped`, and then no plan is
     *   stored
     */
    make: async (
      document: ReleaseDocument,
      moment: number | null,
      work: Work | null = null,
    ): Promise<Plan> => {
      const at = moment ?? now()
      const until = now() + DAY_MS
      const pictures = await keepPictures(document, until)
      const before = releases.current()
      const after = await inTurns(releaseOf(document, formats))
      const comparison = await inTurns(comparing(before, after, picturesUrl()))
      const groups = groupPlans(comparison, at)
      const counted = await counting(comparison, at, work, (plans) => inTurns(addingEach(groups, plans)))
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
     * @param work counts the people; null when no client wants to know how far the count is
     * @throws DomainError `stopped`
     */
    limitNow: async (stored: StoredPlan, work: Work | null): Promise<PeopleLimit | null> => {
      if (!stored.plan.limit) return null
      const comparison = await compared(stored)
      const counted = await counting(comparison, now(), work, () => Promise.resolve())
      return limitOfPlan(comparison.before?.document ?? null, stored.document, counted, true)
    },

    /**
     * One page of the people with changes or missing values, or without a signature. A page may be empty although another
     * page follows.
     *
     * @param after the `next` of the previous page; null for the first page
     */
    people: async (id: string, after: string | null) => {
      const stored = await read(id)
      for await (const { plans, next } of planned(await compared(stored), stored.plan.at, after))
        return {
          people: plans
            .map((each) => each.plan)
            .filter((each) => changesAnything(each) || each.missing.length > 0 || each.none !== undefined),
          next,
        }
      return { people: [], next: null }
    },
  }
}
