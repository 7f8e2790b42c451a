/**
 * Plans: a document, and the changes it would make when published. A plan is stored for one day, or for seven days if
 * publishing it needs approval.
 */
import { createHash } from 'node:crypto'
import type { Formats } from '../../../streams/organisation/template/formats.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { DAY_MS } from '../../../streams/organisation/release/names.ts'
import {
  approversOf,
  changeGroupsOf,
  missingApproval,
  type PublishToApprove,
} from '../../../streams/organisation/plan/approval.ts'
import type { Account } from '../../../streams/organisation/facts/events.ts'
import { type EditedItem, editedItems, lockedItems } from '../../../streams/organisation/plan/editors.ts'
import {
  changedPeopleCount,
  isBeyondLimit,
  limitOfPlan,
  type PeopleLimit,
} from '../../../streams/organisation/plan/peopleLimit.ts'
import {
  changesAnything,
  comparingReleases,
  groupPlans,
  variableChanges,
  type PlannedPerson,
  type ReleaseComparison,
} from '../../../streams/organisation/plan/plan.ts'
import {
  canonicalPieces,
  canonicalText,
  compilingRelease,
  type Release,
  type ReleaseDocument,
} from '../../../streams/organisation/release/release.ts'
import { isPeriodOpen } from '../../../streams/organisation/rules/rules.ts'
import { runSteps, type Steps } from '../../../streams/kernel/steps.ts'
import { runInSlices } from '../../server/timeSlices.ts'
import { DomainError } from '../operations/domainError.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import { createPlannedPeople, type PlanClient } from './plannedPeople.ts'
import { createPlannedPictures } from './plannedPictures.ts'

/**
 * `pictures` are the hashes of pictures that no release contains yet. `author` made the plan first; earlier services
 * omit it.
 */
export type StoredPlan = Readonly<{
  plan: Plan
  document: ReleaseDocument
  pictures: readonly string[]
  author?: string
}>

export type Plans = ReturnType<typeof createPlans>

const ID_LENGTH = 32
/** How long a plan that needs approval is stored. */
const APPROVAL_MS = 7 * DAY_MS
/** The number of characters that one step hashes. */
const STEP_CHARACTERS = 64 * 1024

/** The first 32 hex digits of the SHA-256 of all pieces together. */
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

/** The id of a release: the hash of its document. */
export const releaseIdOf = (document: ReleaseDocument): string => runSteps(hashing(canonicalPieces(document)))

function* releaseOf(document: ReleaseDocument, formats: Formats): Steps<Release> {
  return yield* compilingRelease(yield* hashing(canonicalPieces(document)), document, formats)
}

/** Hashes what publishing does: the releases, and the plan of each person whom it changes, in the order of people. */
function createPlanHash({ before, after }: ReleaseComparison) {
  const hash = createHash('sha256').update(`${before?.id ?? ''} ${after.id}`)
  return {
    add({ plan }: PlannedPerson) {
      if (changesAnything(plan)) hash.update(`\n${canonicalText(plan)}`)
    },
    digest: () => hash.digest('hex').slice(0, ID_LENGTH),
  }
}

const FOR_NOBODY: PlanClient = { work: null, client: null }

// Long, because it follows a plan through checking, planning and publishing.
export function createPlans(context: ServiceContext) {
  const { store, releases, publicUrl, formats, now } = context
  const pictures = createPlannedPictures(context)
  const people = createPlannedPeople(store)
  const picturesUrl = () => `${publicUrl()}/images`

  /**
   * Plans all people at a moment, and groups them by change.
   *
   * @param hash gets the plan of each person; null if publishing needs no approval
   */
  async function planned(
    comparison: ReleaseComparison,
    at: number,
    who: PlanClient,
    hash: ReturnType<typeof createPlanHash> | null,
  ) {
    const groups = groupPlans(comparison, at)
    function* adding(person: PlannedPerson): Steps<void> {
      hash?.add(person)
      yield* groups.adding(person)
    }
    const counted = await people.count(comparison, at, who, adding)
    return { counted, summary: groups.summary() }
  }

  async function compared(
    { plan, document }: StoredPlan,
    client: PlanClient['client'],
  ): Promise<ReleaseComparison> {
    const before = plan.base === null ? null : await releases.of(plan.base)
    const after = await runInSlices(compilingRelease(plan.release, document, formats), { client })
    return runInSlices(comparingReleases(before, after, picturesUrl()), { client })
  }

  /** @throws DomainError `not_found` for a missing or expired plan */
  async function read(id: string): Promise<StoredPlan> {
    const kept = (await store.plan(id)) as StoredPlan | null
    // The table may contain pictures and progress from an earlier version, which are not plans.
    if (!kept?.plan || kept.plan.until <= now())
      throw new DomainError('not_found', 'There is no such plan any more.')
    return kept
  }

  /**
   * The plan's limit, with a new count of the people whom publishing would change, because people may have been added
   * since. Null without a limit.
   *
   * @throws DomainError `stopped`
   */
  async function limitNow(stored: StoredPlan, who: PlanClient): Promise<PeopleLimit | null> {
    if (!stored.plan.limit) return null
    const comparison = await compared(stored, who.client)
    const counted = await people.count(comparison, now(), who)
    return limitOfPlan(comparison.before?.document ?? null, stored.document, counted, true)
  }

  /**
   * Plans all people once more, because publishing does what the plan would be now.
   *
   * @throws DomainError `stopped`; `beyond_limit`; the reasons of `missingApproval`
   */
  async function approvedNow(
    stored: StoredPlan,
    by: readonly string[],
    all: boolean,
    publisher: string,
    who: PlanClient,
  ): Promise<PublishToApprove> {
    const comparison = await compared(stored, who.client)
    const hash = createPlanHash(comparison)
    const { counted, summary } = await planned(comparison, now(), who, hash)
    if (!all) refuseBeyond(limitOfPlan(comparison.before?.document ?? null, stored.document, counted, true))
    const plan = {
      plan: stored.plan.id,
      hash: hash.digest(),
      author: stored.author ?? '',
      people: changedPeopleCount(summary),
      groups: changeGroupsOf(summary),
      by,
    }
    // Checked again when the fact is written. Until then, nothing of an unapproved plan is stored.
    const missing = missingApproval(releases.state().approvals ?? [], { plan, publisher })
    if (missing) throw new DomainError(missing.refused, missing.message)
    return { plan, publisher }
  }

  /** @throws DomainError `not_editor` if the account's person is in no group that may change a changed part */
  async function refuseLocked(
    published: ReleaseDocument | null,
    document: ReleaseDocument,
    account: Account | undefined,
  ): Promise<void> {
    const edited = editedItems(published, document)
    if (edited.length === 0) return
    const locked = lockedItems(
      edited,
      account ? await store.personByAccount(account.tenant, account.oid) : null,
    )
    if (locked.length > 0)
      throw new DomainError(
        'not_editor',
        `You may not publish these changes: ${locked.map(lockedText).join('; ')}.`,
      )
  }

  return {
    read,
    pictures,

    /**
     * Plans the publishing of a document, and stores the plan.
     *
     * @param moment the time for which to compare; null for now, which the limit of people and an approval need
     * @param author the person who plans
     * @throws DomainError `picture_invalid` when a picture of the document is missing; `stopped`, and then no plan is
     *   stored
     */
    make: async (
      document: ReleaseDocument,
      moment: number | null,
      author: string,
      who: PlanClient = FOR_NOBODY,
    ): Promise<Plan> => {
      const { client } = who
      const at = moment ?? now()
      const before = releases.current()
      const approvers = approversOf(before?.document ?? null, document)
      const until = now() + (approvers ? APPROVAL_MS : DAY_MS)
      const toPublish = await pictures.extend(document, until)
      const after = await runInSlices(releaseOf(document, formats), { client })
      const comparison = await runInSlices(comparingReleases(before, after, picturesUrl()), { client })
      const edited = editedItems(before?.document ?? null, document)
      const hash = approvers && moment === null ? createPlanHash(comparison) : null
      const { counted, summary } = await planned(comparison, at, who, hash)
      const limit = limitOfPlan(before?.document ?? null, document, counted, moment === null)
      const plan: Plan = {
        id: runSteps(hashing([before?.id ?? '', ' ', after.id])),
        base: before?.id ?? null,
        release: after.id,
        at,
        until,
        pictures: comparison.pictures,
        summary,
        variables: variableChanges(before?.document ?? null, document),
        closed: document.signatures.flatMap(({ id, name, during }) =>
          during === null || isPeriodOpen(during, at) ? [] : [{ signature: id, name, during }],
        ),
        ...(limit && { limit }),
        ...(approvers && { approval: { hash: hash?.digest() ?? null, by: approvers } }),
        ...(edited.length > 0 && { edited }),
      }
      await store.dropExpired(now())
      // The first author stays the author, so that nobody approves an own plan after someone else planned it again.
      const former = approvers ? ((await store.plan(plan.id)) as StoredPlan | null) : null
      const stored: StoredPlan = { plan, document, pictures: toPublish, author: former?.author ?? author }
      await store.keepPlan(plan.id, stored, plan.until)
      return plan
    },

    /**
     * Publishes a plan. Stores the release and its pictures before the fact that names them. An interrupted call has
     * published nothing, and may be repeated.
     *
     * @param all publishes even beyond the limit of people
     * @throws DomainError `not_found`; `base_moved`; `not_editor`; `beyond_limit`; the reasons of `missingApproval`; `stopped`; `picture_invalid` when a picture has disappeared
     *   meanwhile; the errors of `Releases.write`
     */
    async publish(
      id: string,
      all: boolean,
      { actor, account, note }: Readonly<{ actor: string; account?: Account; note: string }>,
      who: PlanClient = FOR_NOBODY,
    ) {
      const stored = await read(id)
      const { plan, document } = stored
      const published = releases.current()
      // Publishing the published release again changes nothing, so it needs nobody's leave.
      const isNew = plan.release !== published?.id
      if (isNew && plan.base !== (published?.id ?? null))
        throw new DomainError('base_moved', 'Another release was published meanwhile.')
      if (isNew) await refuseLocked(published?.document ?? null, document, account)
      if (!all) refuseBeyond(plan.limit)
      const by = isNew ? approversOf(published?.document ?? null, document) : null
      const approval = by && (await approvedNow(stored, by, all, actor, who))
      if (!all && !by) refuseBeyond(await limitNow(stored, who))
      // Stores the release first, because erasing a person spares the pictures of stored releases.
      await store.keepRelease(plan.release, document)
      await pictures.publish(stored.pictures, document, who.work)
      const command = {
        type: 'publish',
        release: plan.release,
        base: plan.base,
        note,
        ...(approval && { approval }),
      } as const
      const { history } = await releases.write(command, actor)
      return { release: plan.release, history }
    },

    /**
     * One page of the people with changes, with missing values or without a signature. A page may be empty even if
     * another page follows.
     *
     * @param after the `next` of the previous page; null for the first page
     */
    people: async (id: string, after: string | null, client: PlanClient['client'] = null) => {
      const stored = await read(id)
      return people.page(await compared(stored, client), stored.plan.at, after, client)
    },
  }
}

const lockedText = ({ kind, name, editors }: EditedItem): string =>
  `${kind === 'rest' ? 'what all signatures share' : `the ${kind} "${name}"`} (only ${editors.join(', ')})`

/** @throws DomainError `beyond_limit` */
function refuseBeyond(limit: PeopleLimit | null | undefined): void {
  if (!limit || !isBeyondLimit({ limit })) return
  const { most, changed } = limit
  throw new DomainError(
    'beyond_limit',
    changed === null
      ? 'The plan is for another moment, so it does not say how many people publishing changes now: plan once more, or send "all": true.'
      : `Publishing would change ${changed} people, more than the limit of ${most}: to publish it, send "all": true.`,
  )
}
