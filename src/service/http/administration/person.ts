/** The calls about one person: why they get their signatures, how these look, and the person's data. */
import { fillSlots } from '../../../../streams/html/slots.ts'
import { mapInSteps } from '../../../../streams/kernel/steps.ts'
import { isOverOn } from '../../../../streams/organisation/facts/corrections.ts'
import type { PersonFact } from '../../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { MAX_DRAWN_CHARACTERS } from '../../../../streams/organisation/plan/plan.ts'
import { dayOf } from '../../../../streams/organisation/release/names.ts'
import type { Release, Signature } from '../../../../streams/organisation/release/release.ts'
import {
  personDetailsOf,
  displayName,
  namesWriter,
  variableLabelsOf,
} from '../../../../streams/organisation/release/selectors.ts'
import { sampleCircumstances } from '../../../../streams/organisation/release/supposed.ts'
import {
  addressesByWriter,
  createSlottedRenderer,
} from '../../../../streams/organisation/rendering/render.ts'
import {
  assignedSignatures,
  combinedIds,
  defaultChoice,
  delegatedAddresses,
  mayChooseDefault,
} from '../../../../streams/organisation/rules/rules.ts'
import {
  explainSignatures,
  explainBlocks,
  whyNoSignature,
} from '../../../../streams/organisation/rules/why.ts'
import { unusedCorrections } from '../../../../streams/organisation/rules/unusedFields.ts'
import { runInSlices } from '../../../server/timeSlices.ts'
import { Refusal } from '../../../server/webServer.ts'
import { createDelegatedOwners } from '../../context/owners.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'
import type { AdministrationLookup } from './lookup.ts'
import { namesLeftOf } from './namesLeft.ts'
import { decidingPlacesFor } from './places.ts'
import type { CallHandlers } from './routes.ts'

export function personCalls(
  { store, people, publicUrl, now }: ServiceContext,
  { person: find, owner: findOwner, published, releaseOf, withPictures }: AdministrationLookup,
) {
  const owners = createDelegatedOwners(store)
  const ownersOf = async (person: PersonState, release: Release) =>
    new Map((await owners.delegated({ person, release })).map((owner) => [owner.id, owner]))

  return {
    async person({ params, query }) {
      const person = await findOwner(params.id)
      const release = published()
      const at = query.at ?? now()
      // A deactivated person gets nothing from the release, even if its rules match.
      const { active } = person
      const choice = active ? defaultChoice(release, person, at, await ownersOf(person, release)) : null
      const signatures = active ? explainSignatures(release, person, at, choice) : []
      // Blocks only appear in signatures.
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
        details: personDetailsOf(release, person),
        none: whyNoSignature(release, person, at, choice),
        labels: variableLabelsOf(release),
        blocks: hasSignature ? explainBlocks(release, person, at) : [],
        unused: unusedCorrections(release, person),
        places: active ? await decidingPlacesFor(release, person, at, store) : {},
        ...(active ? await namesLeftOf(store, release, person) : {}),
      }
    },

    async signatures({ params, query, client }) {
      const person = await findOwner(params.id)
      const release = await releaseOf(query.release)
      const at = query.at ?? now()
      const message = { ...sampleCircumstances(release, query.recipients ?? null, query.reply), at }
      const writer = query.writer === undefined ? null : await find(query.writer)
      const addresses = addressesByWriter(release, `${publicUrl()}/images`, person, writer)
      const master = defaultChoice(release, person, at, await ownersOf(person, release))?.choice.master
      const isMaster = ({ id }: Signature) => combinedIds(id, person.id) === master
      const slotted = createSlottedRenderer(release, person, addresses, at)
      const assigned = person.active ? assignedSignatures(release, person, at) : []
      const forMeetings = assigned.filter(({ meeting }) => meeting !== undefined)
      const meetingDefault = forMeetings.find(isMaster) ?? forMeetings[0]
      let drawn = 0
      const htmlOf = (signature: Signature) => {
        if (drawn >= MAX_DRAWN_CHARACTERS) return null
        const rendered = query.meeting
          ? slotted(signature, 'meeting')
          : ((query.reply ? slotted(signature, 'reply') : null) ?? slotted(signature, 'signature'))
        const filled = rendered && fillSlots(rendered, message)
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
      return {
        release: release.id,
        at,
        signatures: await runInSlices(mapInSteps(asked, answer), { client }),
        ...(namesWriter(release, person) && { namesWriter: true }),
      }
    },

    async correct({ params, body: { revision, ...corrections }, actor }) {
      const { id } = await find(params.id)
      const ends = [...Object.values(corrections.fields), corrections.excluded, corrections.pinned]
      const today = dayOf(now())
      const past = ends.find((each) => each && isOverOn(today, each.until))
      if (past)
        throw new Refusal(422, 'day_is_over', `The day ${past.until} is over; give today or a later day.`)
      return { person: await people.write(id, { type: 'correct', revision, corrections }, actor) }
    },

    async personalData({ params }) {
      const person = await find(params.id)
      const facts = await store.personFacts(person.id, 0)
      const last = await store.reported(person.id)
      const told = last && { told: last.reported, at: last.at }
      const directory = await store.directory.reportedOf(person)
      return withPictures({ person, facts, told, directory }, hashesIn(facts))
    },
  } satisfies Partial<CallHandlers>
}

/** The hashes of all present and former pictures of a person. */
const hashesIn = (facts: readonly PersonFact[]): readonly string[] =>
  facts.map(pictureIn).flatMap((picture) => picture?.split('.', 1) ?? [])

function pictureIn({ type, data }: PersonFact): string | null | undefined {
  if (type === 'person/imported') return data.record.picture
  if (type === 'person/directoryChanged') return data.changed.picture
  return type === 'person/pictureChanged' ? data.picture : null
}
