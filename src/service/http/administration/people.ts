/** The calls about people: search, import and erasure. */
import { mapInSteps, type Steps } from '../../../../streams/kernel/steps.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { departmentOrder, departmentOrderOf } from '../../../../streams/organisation/facts/personOrder.ts'
import { DAY_MS, startOfDay } from '../../../../streams/organisation/release/names.ts'
import type { Release } from '../../../../streams/organisation/release/release.ts'
import { displayName, variableLabelsOf } from '../../../../streams/organisation/release/selectors.ts'
import { portraitAddress } from '../../../../streams/organisation/rendering/render.ts'
import {
  defaultChoice,
  matchesSelection,
  parseCombinedIds,
} from '../../../../streams/organisation/rules/rules.ts'
import { type NoSignatureReason, whyNoSignature } from '../../../../streams/organisation/rules/why.ts'
import type { FoundPerson, PeopleQuery } from '../../../../streams/wire/administration/people.ts'
import { runInSlices } from '../../../server/timeSlices.ts'
import { Refusal } from '../../../server/webServer.ts'
import { quoteUntrusted } from '../../../folder/finding.ts'
import { readingPeople } from '../../../folder/people.ts'
import { normaliseAddress } from '../../../values/mailAddress.ts'
import { findOwners } from '../../context/owners.ts'
import { createPeopleList, type ListedPerson, type PeopleListPage } from '../../people/peopleList.ts'
import { createPeopleSearch, type SearchHit } from '../../people/peopleSearch.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'
import { readingPages } from '../../sql/pages.ts'
import type { WorkTracker } from '../../operations/work.ts'
import type { AdministrationLookup } from './lookup.ts'
import type { CallHandlers } from './routes.ts'

/** The maximum number of people in a response. */
const MAX_FOUND = 50
/** The maximum total length of the reasons in a response, because a reason may contain many values. */
const MAX_FOUND_CHARACTERS = 1_000_000
/** The number of people per statement when people are counted. */
const PEOPLE_AT_ONCE = 500

type DefaultSignature = Readonly<{
  /** Why the person has no signature; null for a person with one. */
  none: NoSignatureReason | null
  signature: Readonly<{ id: string; name: string }> | null
}>

export function peopleCalls(
  { store, people, releases, publicUrl, now }: ServiceContext,
  works: WorkTracker,
  { person: find }: AdministrationLookup,
) {
  const searching = createPeopleSearch(store)
  const listing = createPeopleList(store)

  /** Returns a function that finds a person's default signature now, and why there is none. */
  async function defaultSignatures(
    release: Release | null,
  ): Promise<(person: PersonState) => DefaultSignature> {
    const at = now()
    const mailboxes = release?.document.mailboxes.map(({ address }) => address) ?? []
    const ofMailboxes = new Map((await findOwners(store, mailboxes)).map((owner) => [owner.id, owner]))
    return (person) => {
      const due = release && defaultChoice(release, person, at, ofMailboxes)
      const none = whyNoSignature(release, person, at, due)
      const id = none === null && due ? (parseCombinedIds(due.choice.master)?.signature ?? null) : null
      return { none, signature: id === null ? null : { id, name: release?.signatureOf(id)?.name ?? id } }
    }
  }

  /** Finds people in the order of a list, or else of the search. Both go on after a place. */
  async function* finding(
    { sort, descending, department, left }: PeopleQuery,
    search: string,
    after: string | null,
  ): AsyncGenerator<PeopleListPage> {
    if (sort === undefined) {
      for await (const { found, next } of searching(search, after))
        yield { found: found.map((hit) => ({ ...hit, seenAt: null })), next }
      return
    }
    yield* listing(
      { by: sort, isDescending: descending, department: department ?? null, isActive: !left },
      search,
      after,
    )
  }

  return {
    async people({ query, client }) {
      const { search, sort, without, signature: wantedSignature, after } = query
      const release = releases.current()
      const wanted = search
        .trim()
        .toLowerCase()
        .split(' ')
        .map((word) => (word.includes('xn--') ? normaliseAddress(word) : word))
        .join(' ')
      const isList = sort !== undefined
      const dueTo = isList || without !== undefined ? await defaultSignatures(release) : null
      const labels = dueTo && release ? { labels: variableLabelsOf(release) } : {}
      const signatures = isList
        ? { signatures: (release?.document.signatures ?? []).map(({ id, name }) => ({ id, name })) }
        : {}
      const seenSince = query.unseen === undefined ? null : startOfDay(now()) - query.unseen * DAY_MS
      const found: FoundPerson[] = []
      let characters = 0
      const isFull = () => found.length === MAX_FOUND || characters >= MAX_FOUND_CHARACTERS
      const answer = (next: string | null) => ({ people: found, next, ...labels, ...signatures })
      const add = ({ person, seenAt }: Pick<ListedPerson, 'person' | 'seenAt'>) => {
        if (seenSince !== null && seenAt !== null && seenAt >= seenSince) return
        const { none, signature } = dueTo?.(person) ?? { none: null, signature: null }
        if (without !== undefined && none === null) return
        if (isList && wantedSignature !== undefined && signature?.id !== wantedSignature) return
        found.push({
          ...briefly(person, release),
          ...(none && { none }),
          ...(isList && {
            department: person.directory['department'] ?? '',
            signature,
            // Administrators see on which day an add-in reported, but not at which time.
            seenAt: seenAt === null ? null : startOfDay(seenAt),
            picture: portraitAddress(`${publicUrl()}/images`, person.picture) || null,
          }),
        })
        characters += none ? JSON.stringify(none).length : 0
      }
      const exact = after === undefined && wanted.includes('@') ? await store.personByAddress(wanted) : null
      if (exact && (!isList || isIn(query, exact))) {
        const seen = isList ? await store.order.seenAt([exact.id]) : new Map<string, number>()
        add({ person: exact, seenAt: seen.get(exact.id) ?? null })
        return answer(null)
      }
      let last = after ?? null
      /** Adds the found people in steps until the response is full. */
      function* adding(page: PeopleListPage['found']): Steps<void> {
        for (const each of page) {
          add(each)
          last = each.after
          if (isFull()) return
          yield
        }
      }
      for await (const page of finding(query, wanted, last)) {
        await runInSlices(adding(page.found), { client })
        if (isFull()) return answer(last)
        last = page.next
      }
      return answer(last)
    },

    async matchingPerson({ body: { selection }, client }) {
      const matching = ({ person }: SearchHit) => (matchesSelection(selection, person) ? [person] : [])
      for await (const { found } of searching('', null)) {
        const [person] = (await runInSlices(mapInSteps(found, matching), { client })).flat()
        if (person) return { person: briefly(person, releases.current()) }
      }
      return { person: null }
    },

    async countPeople({ body: { selection }, client }) {
      if (selection.for === 'everyone' && selection.not.length === 0) {
        const of = await store.countPeople()
        return { people: of, of }
      }
      let [fitting, of] = [0, 0]
      for await (const page of readingPages(store.people, PEOPLE_AT_ONCE, ({ id }) => id)) {
        const matches = await runInSlices(
          mapInSteps(page, (person) => matchesSelection(selection, person)),
          { client },
        )
        fitting += matches.filter(Boolean).length
        of += page.length
      }
      return { people: fitting, of }
    },

    async erase({ params, actor }) {
      const { id } = await find(params.id)
      await people.erase(id, actor)
      return { erased: id }
    },

    async importPeople({ body, query, actor }) {
      const { rows, fields, problems } = await runInSlices(readingPeople(body, 'people.csv', null))
      const only = query.only?.split(',').map((column) => column.trim())
      const missing = only?.filter((column) => !fields.includes(column)) ?? []
      if (missing.length > 0)
        throw new Refusal(
          422,
          'unknown_columns',
          `The file has no column of values with the name ${missing.map(quoteUntrusted).join(' or ')}. Nothing was changed.`,
        )
      const work = works.begin(actor, query.work)
      if (only !== undefined) {
        const columns = { source: query.file, fields: only }
        return { ...(await people.supplementRows(rows, columns, actor, query.try, work)), problems }
      }
      return { ...(await people.importRows(rows, actor, query.try, work)), problems }
    },
  } satisfies Partial<CallHandlers>
}

/** Whether a list has a person with this state and department. A whole address finds people who have left, too. */
const isIn = ({ department, left }: PeopleQuery, person: PersonState): boolean =>
  (!left || !person.active) &&
  (department === undefined || departmentOrderOf(person) === departmentOrder(department))

const briefly = (person: PersonState, release: Release | null) => ({
  id: person.id,
  address: person.addresses[0] ?? person.id,
  name: release ? displayName(release, person) : '',
  isActive: person.active,
})
