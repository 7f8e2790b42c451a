/** Folds the facts of a stream into its state. Facts before `imported` or `founded` have no effect. */
import type { Recorded } from '../../kernel/event.ts'
import { defineSlice, evolveBySlice, type Handler } from '../../kernel/slice.ts'
import { type LayeredValues, withCorrections, withoutKeys, withValuesBelow } from './corrections.ts'
import type { DirectoryChange, Organisation, OrganisationFact, Person, PersonFact } from './events.ts'
import type { Approval, ApprovalWord, OrganisationState, PersonState } from './state.ts'

/** The state without the id and the revision, which the stream provides. */
type PersonData = Omit<PersonState, 'id' | 'revision'>

/** Replaces the effective values. The row has no `corrections` if nothing stands above the directory. */
const withLayers = ({ corrections: _, ...state }: PersonData, layers: LayeredValues): PersonData => ({
  ...state,
  ...layers,
})

const corrected = (
  state: PersonData | null,
  change: Parameters<typeof withCorrections>[1],
): PersonData | null => state && withLayers(state, withCorrections(state, change))

const person = defineSlice<PersonData | null, typeof Person>()(null, {
  'person/imported': (_, { data: { record } }) => {
    const { addresses, account, language, fields, groups, picture } = record
    return {
      account,
      active: true,
      addresses,
      language,
      directory: fields,
      groups,
      values: {},
      metadata: {},
      picture,
      directoryPicture: picture,
    }
  },
  'person/directoryChanged': (state, { data }) => state && directoryChange(state, data.changed),
  'person/accountBound': (state, { data }) => state && { ...state, account: data.account },
  'person/departed': (state) => state && { ...state, active: false },
  'person/returned': (state) => state && { ...state, active: true },
  'person/valuesSaved': (state, { data: { values, reset } }) =>
    state && { ...state, values: withoutKeys({ ...state.values, ...values }, reset) },
  'person/metadataSaved': (state, { data }) => state && { ...state, metadata: data.metadata },
  'person/pictureChanged': (state, { data }) => state && { ...state, picture: data.picture },
  'person/pictureRemoved': (state) => state && { ...state, picture: null },
  'person/defaultChosen': (state, { data }) =>
    state && { ...state, metadata: { ...state.metadata, defaultSignature: data.choice } },
  'person/corrected': (state, { data: { fields }, meta: { source: by, at } }) => {
    const set = Object.entries(fields).map(([field, given]) => [field, { ...given, by, at }] as const)
    return corrected(state, (own) => ({ ...own, fields: { ...own.fields, ...Object.fromEntries(set) } }))
  },
  'person/correctionsEnded': (state, { data }) =>
    corrected(state, (own) => ({ ...own, fields: withoutKeys(own.fields, data.fields) })),
  'person/excluded': (state, { data: { until }, meta: { source: by, at } }) =>
    corrected(state, (own) => ({ ...own, excluded: { by, at, until } })),
  'person/exclusionEnded': (state) => corrected(state, ({ excluded: _, ...own }) => own),
  'person/pinned': (state, { data: { signature, until }, meta: { source: by, at } }) =>
    corrected(state, (own) => ({ ...own, pinned: { signature, by, at, until } })),
  'person/pinEnded': (state) => corrected(state, ({ pinned: _, ...own }) => own),
  'person/supplemented': (state, { data: { source: by, values, removed }, meta: { at } }) => {
    if (state === null) return null
    const set = Object.entries(values).map(([field, value]) => [field, { value, by, at }] as const)
    const supplement = {
      ...withoutKeys(state.corrections?.supplement ?? {}, removed),
      ...Object.fromEntries(set),
    }
    return withLayers(state, withValuesBelow(state, { supplement }))
  },
  'person/erased': () => null,
})
const evolvePersonData = evolveBySlice<PersonData | null, PersonFact>(person)

/** Returns a person's row after a fact; null before `imported` and after `erased`. */
export function evolvePerson(
  state: PersonState | null,
  fact: Recorded<PersonFact>,
  id: string,
): PersonState | null {
  const after = evolvePersonData(state, fact)
  return after && { ...after, id, revision: fact.meta.seq + 1 }
}

/** Returns a person's row after new facts by `actor`. `at` is in milliseconds since 1970. */
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

function directoryChange(state: PersonData, change: DirectoryChange): PersonData {
  const { fields, picture, ...same } = change
  const follows = state.picture === state.directoryPicture
  return {
    ...(fields === undefined ? state : withLayers(state, withValuesBelow(state, { directory: fields }))),
    ...same,
    ...(picture === undefined ? {} : { directoryPicture: picture, ...(follows ? { picture } : {}) }),
  }
}

type OrganisationData = Omit<OrganisationState, 'revision'>

type Publishing = ReturnType<typeof Organisation.releasePublished | typeof Organisation.releaseRolledBack>

const publishing =
  (rolledBack: boolean): Handler<OrganisationData | null, Publishing> =>
  (state, { data: { release, note }, meta }) => {
    if (state === null) return null
    // Every approval is of a plan over the release that was current until now.
    const { approvals: _, ...others } = state
    const entry = { release, at: meta.at, by: meta.source, note, rolledBack }
    return { ...others, history: [entry, ...state.history] }
  }

const MAX_APPROVALS = 20

type Approving = ReturnType<
  typeof Organisation.approvalAsked | typeof Organisation.approvalGiven | typeof Organisation.approvalRefused
>

/** Applies a word about a plan to its approval, which becomes the latest one. */
const approving =
  (
    say: (approval: Approval, word: ApprovalWord) => Approval,
    keeps: (other: Approval, plan: string) => boolean = () => true,
  ): Handler<OrganisationData | null, Approving> =>
  (state, { data: { note, ...plan }, meta }) => {
    if (state === null) return null
    const approvals = state.approvals ?? []
    const known = approvals.find(({ hash }) => hash === plan.hash)
    const said = say(known ?? { ...plan, asked: null, given: [], refused: null }, {
      by: meta.source,
      at: meta.at,
      note,
    })
    const others = approvals.filter((each) => each !== known && keeps(each, plan.plan))
    return { ...state, approvals: [said, ...others].slice(0, MAX_APPROVALS) }
  }

const withoutWordOf = (given: Approval['given'], { by }: ApprovalWord) =>
  given.filter((each) => each.by !== by)

const organisation = defineSlice<OrganisationData | null, typeof Organisation>()(null, {
  'organisation/founded': (state, { data: { name, tenants } }) => ({
    ...(state ?? { maintenance: null, history: [] }),
    name,
    tenants,
  }),
  'organisation/releasePublished': publishing(false),
  'organisation/releaseRolledBack': publishing(true),
  // Asking for a plan that changed meanwhile replaces the earlier question.
  'organisation/approvalAsked': approving(
    (approval, asked) => ({ ...approval, asked, given: [], refused: null }),
    (other, plan) => other.plan !== plan,
  ),
  'organisation/approvalGiven': approving((approval, word) => ({
    ...approval,
    given: [...withoutWordOf(approval.given, word), word],
    refused: null,
  })),
  'organisation/approvalRefused': approving((approval, word) => ({
    ...approval,
    given: withoutWordOf(approval.given, word),
    refused: word,
  })),
  'organisation/maintenanceSet': (state, { data }) => state && { ...state, maintenance: data.status },
  'organisation/keyRotated': (state) => state,
  'organisation/syncAsked': (state) => state,
})
const evolveOrganisationData = evolveBySlice<OrganisationData | null, OrganisationFact>(organisation)

/** Returns the organisation's state after a fact; null before `founded`. */
export function evolveOrganisation(
  state: OrganisationState | null,
  fact: Recorded<OrganisationFact>,
): OrganisationState | null {
  const after = evolveOrganisationData(state, fact)
  return after && { ...after, revision: fact.meta.seq + 1 }
}
