/** Folds the facts of a stream. Total: a fact that cannot follow changes nothing but the revision. */
import { assertNever, type Recorded } from '../kernel/event.ts'
import type { DirectoryChange, OrganisationFact, PersonFact } from './events.ts'
import type { OrganisationState, PersonState, Published } from './state.ts'

/**
 * The row of a person after a fact; null before `imported` and after `erased`.
 *
 * @param id of the person whose stream it is
 */
export function evolvePerson(
  state: PersonState | null,
  fact: Recorded<PersonFact>,
  id: string,
): PersonState | null {
  const revision = fact.meta.seq + 1
  if (fact.type === 'person/imported') {
    const { addresses, account, language, fields, groups, picture } = fact.data.record
    return {
      ...{ id, revision, account, active: true, addresses, language, directory: fields, groups },
      ...{ values: {}, metadata: {}, picture, directoryPicture: picture },
    }
  }
  if (state === null || fact.type === 'person/erased') return null
  return { ...state, ...changeOf(state, fact), revision }
}

/** The row after facts that are appended to it at one moment, in milliseconds since 1970. */
export const withFacts = (
  before: PersonState | null,
  facts: readonly PersonFact[],
  id: string,
  { actor, at }: Readonly<{ actor: string; at: number }>,
): PersonState | null =>
  facts.reduce<PersonState | null>(
    (state, fact, index) =>
      evolvePerson(state, { ...fact, meta: { seq: (before?.revision ?? 0) + index, at, source: actor } }, id),
    before,
  )

type Later = Exclude<PersonFact, { type: 'person/imported' | 'person/erased' }>

function changeOf(state: PersonState, fact: Later): Partial<PersonState> {
  switch (fact.type) {
    case 'person/directoryChanged':
      return directoryChange(state, fact.data.changed)
    case 'person/accountBound':
      return { account: fact.data.account }
    case 'person/departed':
      return { active: false }
    case 'person/returned':
      return { active: true }
    case 'person/valuesSaved': {
      const { values, reset } = fact.data
      const entries = Object.entries({ ...state.values, ...values })
      return { values: Object.fromEntries(entries.filter(([path]) => !reset.includes(path))) }
    }
    case 'person/metadataSaved':
      return { metadata: fact.data.metadata }
    case 'person/pictureChanged':
      return { picture: fact.data.picture }
    case 'person/pictureRemoved':
      return { picture: null }
    case 'person/defaultChosen':
      return { metadata: { ...state.metadata, defaultSignature: fact.data.choice } }
    default:
      return assertNever(fact)
  }
}

function directoryChange(state: PersonState, change: DirectoryChange): Partial<PersonState> {
  const { fields, picture, ...same } = change
  const follows = state.picture === state.directoryPicture
  return {
    ...same,
    ...(fields === undefined ? {} : { directory: fields }),
    ...(picture === undefined ? {} : { directoryPicture: picture, ...(follows ? { picture } : {}) }),
  }
}

/** What an instance knows of its organisation after a fact; null before `founded`. */
export function evolveOrganisation(
  state: OrganisationState | null,
  fact: Recorded<OrganisationFact>,
): OrganisationState | null {
  const revision = fact.meta.seq + 1
  if (fact.type === 'organisation/founded') {
    const { name, tenants } = fact.data
    return { ...(state ?? { maintenance: null, history: [] }), revision, name, tenants }
  }
  if (state === null) return null
  switch (fact.type) {
    case 'organisation/releasePublished':
    case 'organisation/releaseRolledBack':
      return { ...state, revision, history: [publishedBy(fact), ...state.history] }
    case 'organisation/maintenanceSet':
      return { ...state, revision, maintenance: fact.data.status }
    case 'organisation/keyRotated':
    case 'organisation/syncAsked':
      return { ...state, revision }
    default:
      return assertNever(fact)
  }
}

type Publishing = Extract<
  OrganisationFact,
  { type: 'organisation/releasePublished' | 'organisation/releaseRolledBack' }
>

const publishedBy = ({ type, data, meta }: Recorded<Publishing>): Published => ({
  ...{ release: data.release, at: meta.at, by: meta.source, note: data.note },
  rolledBack: type === 'organisation/releaseRolledBack',
})
