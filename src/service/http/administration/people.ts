/** The calls about people: search, import and erasure. */
import { mapInSteps, type Steps } from '../../../../streams/kernel/steps.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import type { Release } from '../../../../streams/organisation/release/release.ts'
import { displayName, variableLabelsOf } from '../../../../streams/organisation/release/selectors.ts'
import { defaultChoice, matchesSelection } from '../../../../streams/organisation/rules/rules.ts'
import { type NoSignatureReason, whyNoSignature } from '../../../../streams/organisation/rules/why.ts'
import type { FoundPerson } from '../../../../streams/wire/administration/people.ts'
import { runInSlices } from '../../../server/timeSlices.ts'
import { readingPeople } from '../../../folder/people.ts'
import { normaliseAddress } from '../../../values/mailAddress.ts'
import { findOwners } from '../../context/owners.ts'
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

export function peopleCalls(
  { store, people, releases, now }: ServiceContext,
  works: WorkTracker,
  { person: find }: AdministrationLookup,
) {
  const searching = createPeopleSearch(store)

  /** Returns a function that finds why a person has no signature now; null for a person with a signature. */
  async function noSignatures(
    release: Release | null,
  ): Promise<(person: PersonState) => NoSignatureReason | null> {
    const at = now()
    const mailboxes = release?.document.mailboxes.map(({ address }) => address) ?? []
    const ofMailboxes = new Map((await findOwners(store, mailboxes)).map((owner) => [owner.id, owner]))
    return (person) =>
      whyNoSignature(release, person, at, release && defaultChoice(release, person, at, ofMailboxes))
  }

  return {
    async people({ query: { search, without, after }, client }) {
      const release = releases.current()
      const wanted = search
        .trim()
        .toLowerCase()
        .split(' ')
        .map((word) => (word.includes('xn--') ? normaliseAddress(word) : word))
        .join(' ')
      const reasonOf = without === undefined ? null : await noSignatures(release)
      const labels = reasonOf && release ? { labels: variableLabelsOf(release) } : {}
      const found: FoundPerson[] = []
      let characters = 0
      const isFull = () => found.length === MAX_FOUND || characters >= MAX_FOUND_CHARACTERS
      const answer = (next: string | null) => ({ people: found, next, ...labels })
      const add = (person: PersonState) => {
        const none = reasonOf?.(person)
        if (none === null) return
        found.push({ ...briefly(person, release), ...(none ? { none } : {}) })
        characters += none ? JSON.stringify(none).length : 0
      }
      const exact = after === undefined && wanted.includes('@') ? await store.personByAddress(wanted) : null
      if (exact) {
        add(exact)
        return answer(null)
      }
      let last = after ?? null
      /** Adds the found people in steps until the response is full. */
      function* adding(page: readonly SearchHit[]): Steps<void> {
        for (const each of page) {
          add(each.person)
          last = each.after
          if (isFull()) return
          yield
        }
      }
      for await (const page of searching(wanted, last)) {
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
      const { rows, problems } = await runInSlices(readingPeople(body, 'people.csv', null))
      const work = works.begin(actor, query.work)
      return { ...(await people.importRows(rows, actor, query.try, work)), problems }
    },
  } satisfies Partial<CallHandlers>
}

const briefly = (person: PersonState, release: Release | null) => ({
  id: person.id,
  address: person.addresses[0] ?? person.id,
  name: release ? displayName(release, person) : '',
  isActive: person.active,
})
