/** The calls about people: search, why they have which signatures, their data, imports. */
import { fill } from '../../../../streams/html/slots.ts'
import { mapping, type Steps } from '../../../../streams/kernel/steps.ts'
import type { PersonFact } from '../../../../streams/organisation/facts/events.ts'
import { MAX_DRAWN_CHARACTERS } from '../../../../streams/organisation/plan/plan.ts'
import type { Release, Signature } from '../../../../streams/organisation/release/release.ts'
import { addressesOf, createSlotted } from '../../../../streams/organisation/rendering/render.ts'
import {
  assignedSignatures,
  combinedIds,
  defaultChoice,
  delegatedAddresses,
  mayChooseDefault,
} from '../../../../streams/organisation/rules/rules.ts'
import { detailsOf, displayName, labelsOf } from '../../../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { supposedMessage } from '../../../../streams/organisation/release/supposed.ts'
import {
  explain,
  explainBlocks,
  type NoSignature,
  whyNone,
} from '../../../../streams/organisation/rules/why.ts'
import type { FoundPerson } from '../../../../streams/wire/administration/people.ts'
import { inTurns } from '../../../server/timeSlices.ts'
import { readingPeople } from '../../../folder/people.ts'
import { oneAddress } from '../../../values/mailAddress.ts'
import { createOwners, ownersOf as allOwnersOf } from '../../context/owners.ts'
import { createPeopleSearch, type FoundAt } from '../../people/peopleSearch.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'
import type { Works } from '../../operations/work.ts'
import type { Lookup } from './lookup.ts'
import { placesFor } from './places.ts'
import type { Handlers } from './routes.ts'

/** How many people a response contains at most. */
const MAX_FOUND = 50
/** A response is full with so many characters of reasons, too: a reason may name many values. */
const MAX_FOUND_CHARACTERS = 1_000_000

export function peopleCalls(
  { store, people, releases, publicUrl, now }: ServiceContext,
  works: Works,
  { person: find, owner: findOwner, published, releaseOf, withPictures }: Lookup,
) {
  const owners = createOwners(store)
  const searching = createPeopleSearch(store)
  const ownersOf = async (person: PersonState, release: Release) =>
    new Map((await owners.delegated({ person, release })).map((owner) => [owner.id, owner]))

  /** Says why a person has no signature at the present time; null for a person who has one. */
  async function noSignatures(release: Release | null): Promise<(person: PersonState) => NoSignature | null> {
    const at = now()
    const mailboxes = release?.document.mailboxes.map(({ address }) => address) ?? []
    const ofMailboxes = new Map((await allOwnersOf(store, mailboxes)).map((owner) => [owner.id, owner]))
    return (person) =>
      whyNone(release, person, at, release && defaultChoice(release, person, at, ofMailboxes))
  }

  return {
    async people({ query: { search, without, after }, client }) {
      const release = releases.current()
      const wanted = search
        .trim()
        .toLowerCase()
        .split(' ')
        .map((word) => (word.includes('xn--') ? oneAddress(word) : word))
        .join(' ')
      const reasonOf = without === undefined ? null : await noSignatures(release)
      const labels = reasonOf && release ? { labels: labelsOf(release) } : {}
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
      /** Adds the people who were found, in steps, until the response is full. */
      function* adding(page: readonly FoundAt[]): Steps<void> {
        for (const each of page) {
          add(each.person)
          last = each.after
          if (isFull()) return
          yield
        }
      }
      for await (const page of searching(wanted, last)) {
        await inTurns(adding(page.found), { client })
        if (isFull()) return answer(last)
        last = page.next
      }
      return answer(last)
    },

    async person({ params, query }) {
      const person = await findOwner(params.id)
      const release = published()
      const at = query.at ?? now()
      // A person who left has nothing of the release, whatever its rules would give.
      const { active } = person
      const choice = active ? defaultChoice(release, person, at, await ownersOf(person, release)) : null
      const signatures = active ? explain(release, person, at, choice) : []
      // A block is only in a signature.
      const hasSignature = signatures.some(({ isAssigned }) => isAssigned)
      return {
        person,
        name: displayName(release, person),
        release: release.id,
        at,
        signatures,
        default: choice,
        mayChooseDefault: active && mayChooseDefault(release, person),
        mailboxes: active ? delegatedAddresses(release, person) : [],
        details: detailsOf(release, person),
        none: whyNone(release, person, at, choice),
        labels: labelsOf(release),
        blocks: hasSignature ? explainBlocks(release, person, at) : [],
        places: active ? await placesFor(release, person, at, store) : {},
      }
    },

    async signatures({ params, query, client }) {
      const person = await findOwner(params.id)
      const release = await releaseOf(query.release)
      const at = query.at ?? now()
      const message = supposedMessage(release, query.recipients ?? null, query.reply)
      const addresses = addressesOf(`${publicUrl()}/images`, person)
      const master = defaultChoice(release, person, at, await ownersOf(person, release))?.choice.master
      const isMaster = ({ id }: Signature) => combinedIds(id, person.id) === master
      const slotted = createSlotted(release, person, addresses, at)
      const assigned = person.active ? assignedSignatures(release, person, at) : []
      const forMeetings = assigned.filter(({ meeting }) => meeting !== undefined)
      const meetingDefault = forMeetings.find(isMaster) ?? forMeetings[0]
      let drawn = 0
      const htmlOf = (signature: Signature) => {
        if (drawn >= MAX_DRAWN_CHARACTERS) return null
        const rendered = query.meeting
          ? slotted(signature, 'meeting')
          : ((query.reply ? slotted(signature, 'reply') : null) ?? slotted(signature, 'signature'))
        const filled = rendered && fill(rendered, message)
        drawn += filled?.html.length ?? 0
        return filled
      }
      const answer = (signature: Signature) => {
        const filled = htmlOf(signature)
        return {
          signature: signature.id,
          name: signature.name,
          isDefault: query.meeting ? signature === meetingDefault : isMaster(signature),
          html: filled?.html ?? null,
          blocks: filled?.blocks.map(({ name }) => name) ?? [],
        }
      }
      const asked = query.meeting ? forMeetings : assigned
      return { release: release.id, at, signatures: await inTurns(mapping(asked, answer), { client }) }
    },

    async personalData({ params }) {
      const person = await find(params.id)
      const facts = await store.personFacts(person.id, 0)
      const last = await store.reported(person.id)
      const told = last && { told: last.reported, at: last.at }
      const directory = await store.directory.reportedOf(person)
      return withPictures({ person, facts, told, directory }, hashesIn(facts))
    },

    async erase({ params, actor }) {
      const { id } = await find(params.id)
      await people.erase(id, actor)
      return { erased: id }
    },

    async importPeople({ body, query, actor }) {
      const { rows, problems } = await inTurns(readingPeople(body, 'people.csv', null))
      const work = works.begin(actor, query.work)
      return { ...(await people.importRows(rows, actor, query.try, work)), problems }
    },
  } satisfies Partial<Handlers>
}

/** The hashes of all pictures that a person has had. */
const hashesIn = (facts: readonly PersonFact[]): readonly string[] =>
  facts.map(pictureIn).flatMap((picture) => picture?.split('.', 1) ?? [])

function pictureIn({ type, data }: PersonFact): string | null | undefined {
  if (type === 'person/imported') return data.record.picture
  if (type === 'person/directoryChanged') return data.changed.picture
  return type === 'person/pictureChanged' ? data.picture : null
}

const briefly = (person: PersonState, release: Release | null) => ({
  id: person.id,
  address: person.addresses[0] ?? person.id,
  name: release ? displayName(release, person) : '',
  isActive: person.active,
})
