import type { Session } from '../session/events.ts'
import {
  type Correction,
  type PersonErasure,
  type PeopleImport,
  type OnePerson,
  DepartmentsLoad,
  People,
  type PersonExport,
  type Thumbnail,
  UnsignedPeople,
} from './events.ts'
import { NO_FILTERS, type PeopleFilters } from './filters.ts'
import type { Place } from '../place/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import type { Handle } from '../../kernel/handle.ts'
import {
  type BeginEvent,
  type Attempt,
  attemptOnce,
  settlePending,
  failedStatus,
  idleStatus,
  type Load,
  loadAgain,
  loadOnce,
  loadSucceeded,
  loadFailed,
  pendingStatus,
  retryFailed,
  successStatus,
  loadedValue,
} from '../../kernel/load.ts'
import { loadFirstPage, loadMorePages, noPages, type Pages, retryPage } from '../../kernel/pages.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type {
  SignaturesAnswer,
  FoundPeople,
  FoundPerson,
  ImportResult,
} from '../../wire/administration/people.ts'
import type { SampleKind, SampleRecipients } from '../../organisation/release/supposed.ts'
import type { FieldValues } from '../../organisation/rules/fieldValues.ts'
import type { ExplainedPerson } from '../../organisation/rules/why.ts'
import { dayOf } from '../../organisation/release/names.ts'
import { areaOf } from '../place/areas.ts'
import { type HandAct, isActPossible, outdatedReasonOf } from './byHand.ts'
import { isCalendarDay, isUnsignedPeoplePath, matchesPerson, personAt, personTimeZoneOf } from './rules.ts'

/** `query` is the search text. An empty text finds everyone. */
export type PeopleState = Pages<string, FoundPerson> &
  Readonly<{
    filters: PeopleFilters
    /** The address of the last erased person; null once the administrator searches or opens a person. */
    erased: string | null
    /** Labels of the fields named in the reasons for having no signature. */
    labels?: FoundPeople['labels'] | undefined
    /** The signatures by which the list can be filtered. */
    signatures?: FoundPeople['signatures'] | undefined
  }>

const noPeople: PeopleState = { ...noPages(''), filters: NO_FILTERS, erased: null }

type Of<Data> = BeginEvent & Readonly<{ data: Data }>

const searchedFor = (state: PeopleState, event: Of<Readonly<{ query: string }>>): PeopleState => {
  const query = event.data.query.trim()
  return query === state.query ? state : { ...loadFirstPage(state, event, query), erased: null }
}

const filteredBy = (state: PeopleState, event: Of<Readonly<{ filters: PeopleFilters }>>): PeopleState => {
  const { filters } = event.data
  return withChanges(state.filters, filters) === state.filters
    ? state
    : { ...loadFirstPage(state, event), filters, erased: null }
}

/** The service searched many people without a match, so the list loads the next page automatically. */
const goneOn = (
  before: PeopleState,
  after: PeopleState,
  event: Of<Readonly<{ page: FoundPeople }>>,
): PeopleState =>
  after !== before && event.data.page.people.length === 0 ? loadMorePages(after, event) : after

const withNames = (
  before: PeopleState,
  after: PeopleState,
  { labels, signatures }: FoundPeople,
): PeopleState =>
  after === before ? after : { ...after, labels, signatures: signatures ?? after.signatures }

/** The first page failed, so the items are from an earlier search and are dropped. */
const withoutEarlier = (before: PeopleState, after: PeopleState): PeopleState =>
  after === before || before.next !== null ? after : { ...after, items: null }

const withoutErased = (
  state: PeopleState,
  { data: { id, address } }: Of<Readonly<{ id: string; address: string }>>,
): PeopleState => ({
  ...state,
  items: state.items?.filter((each) => each.id !== id) ?? null,
  erased: address,
})

export const people = defineSlice<
  PeopleState,
  typeof Correction | typeof PersonErasure | typeof PeopleImport | typeof People | typeof Place
>()(noPeople, {
  // A loaded list is kept, so that the administrator can return to it from a person's page.
  'place/entered': (state, event) => {
    const { path } = event.data
    if (areaOf(path) !== 'people') return state
    if (isUnsignedPeoplePath(path)) return withChanges(state, { erased: null })
    const kept = personAt(path) === null ? state : withChanges(state, { erased: null })
    return state.load.status === 'success' ? kept : { ...kept, load: pendingStatus(event) }
  },
  'place/retryRequested': retryPage,
  'people/searched': searchedFor,
  'people/filtered': filteredBy,
  'people/moreRequested': loadMorePages,
  'people/pageLoaded': (state, event) =>
    withNames(
      state,
      goneOn(state, People.handlers['people/pageLoaded'](state, event), event),
      event.data.page,
    ),
  'people/pageFailed': (state, event) =>
    withoutEarlier(state, People.handlers['people/pageFailed'](state, event)),
  'erasure/done': withoutErased,
  // These may have changed names and default signatures, so the list is loaded again.
  'correction/done': (state, event) => loadFirstPage(state, event),
  'import/done': (state, event) => loadFirstPage(state, event),
})

/** The people without a signature. Releases and days change this list, so each visit loads it again. */
export const unsignedPeople = defineSlice<
  PeopleState,
  typeof Correction | typeof PersonErasure | typeof PeopleImport | typeof Place | typeof UnsignedPeople
>()(noPeople, {
  'place/entered': (state, event) => {
    const { path } = event.data
    if (areaOf(path) !== 'people') return state
    if (!isUnsignedPeoplePath(path)) return withChanges(state, { erased: null })
    if (personAt(path) === null) return loadFirstPage(state, event)
    const kept = withChanges(state, { erased: null })
    return state.load.status === 'idle' ? { ...kept, load: pendingStatus(event) } : kept
  },
  'place/retryRequested': retryPage,
  'unsigned/searched': searchedFor,
  'unsigned/filtered': filteredBy,
  'unsigned/moreRequested': loadMorePages,
  'unsigned/pageLoaded': (state, event) =>
    withNames(
      state,
      goneOn(state, UnsignedPeople.handlers['unsigned/pageLoaded'](state, event), event),
      event.data.page,
    ),
  'unsigned/pageFailed': (state, event) =>
    withoutEarlier(state, UnsignedPeople.handlers['unsigned/pageFailed'](state, event)),
  'erasure/done': withoutErased,
  'correction/done': (state, event) => (state.load.status === 'idle' ? state : loadFirstPage(state, event)),
  'import/done': (state, event) => (state.load.status === 'idle' ? state : loadFirstPage(state, event)),
})

export const departments = defineSlice<
  Load<FieldValues>,
  typeof DepartmentsLoad | typeof PeopleImport | typeof Place
>()(idleStatus as Load<FieldValues>, {
  ...DepartmentsLoad.handlers,
  'place/entered': (state, event) => (areaOf(event.data.path) === 'people' ? loadOnce(state, event) : state),
  'place/retryRequested': retryFailed,
  'import/done': loadAgain,
})

/** The person whose default signature is shown beside the list, or will be after a delay. */
export type ThumbnailState = Readonly<{ person: string; drawn: Load<SignaturesAnswer> }> | null

export const thumbnail = defineSlice<ThumbnailState, typeof Place | typeof Thumbnail>()(
  null as ThumbnailState,
  {
    'place/entered': () => null,
    'thumbnail/pointed': (state, event) => {
      const { person } = event.data
      if (person === null) return null
      return state?.person === person ? state : { person, drawn: pendingStatus(event) }
    },
    'thumbnail/drawn': (state, { data: { person, value } }) =>
      state?.person === person ? { person, drawn: loadSucceeded(state.drawn, value) } : state,
    'thumbnail/drawFailed': (state, { data: { person, failure } }) =>
      state?.person === person ? { person, drawn: loadFailed(state.drawn, failure) } : state,
  },
)

/**
 * `day` is null for today, `recipients` for a message without recipients, and `writer` unless the administrator chose who
 * writes for this mailbox. `typed` is null until the administrator is asked to confirm the erasure. `act` is null unless
 * a form or a question about what is set by hand is open.
 */
export type OnePersonState = Readonly<{
  /** The person's id or mail address from the path of the page. */
  person: string
  day: string | null
  /** The time zone of `day`. */
  zone: string
  kind: SampleKind
  recipients: SampleRecipients | null
  writer: FoundPerson | null
  isDark: boolean
  explained: Load<ExplainedPerson>
  drawn: Load<SignaturesAnswer>
  saving: Attempt
  typed: string | null
  erasing: Attempt
  act: HandAct | null
  correcting: Attempt
}>

const NOTHING_KNOWN = {
  writer: null,
  explained: idleStatus,
  drawn: idleStatus,
  saving: idleStatus,
  typed: null,
  erasing: idleStatus,
  act: null,
  correcting: idleStatus,
} as const
const firstLook = { day: null, zone: 'UTC', kind: 'new', recipients: null, isDark: false } as const

export const onePerson = defineSlice<
  OnePersonState | null,
  typeof Correction | typeof PersonErasure | typeof OnePerson | typeof PersonExport | typeof Place
>()(null as OnePersonState | null, {
  'place/entered': (state, event) => {
    const person = personAt(event.data.path)
    if (person === null) return null
    return askAgain(state?.person === person ? state : { ...NOTHING_KNOWN, person, ...lookOf(state) }, event)
  },
  'place/retryRequested': (state, event) =>
    state &&
    withChanges(state, {
      explained: retryFailed(state.explained, event),
      drawn: retryFailed(state.drawn, event),
    }),
  'onePerson/dayChosen': (state, event) =>
    state === null ||
    state.day === event.data.day ||
    (event.data.day !== null && !isCalendarDay(event.data.day))
      ? state
      : askAgain({ ...state, day: event.data.day }, event),
  'onePerson/kindChosen': (state, event) =>
    state === null || state.kind === event.data.kind
      ? state
      : { ...state, kind: event.data.kind, drawn: loadAgain(state.drawn, event) },
  'onePerson/recipientsChosen': (state, event) =>
    state === null || state.recipients === event.data.recipients
      ? state
      : { ...state, recipients: event.data.recipients, drawn: loadAgain(state.drawn, event) },
  'onePerson/writerChosen': (state, event) =>
    state && { ...state, writer: event.data.writer, drawn: loadAgain(state.drawn, event) },
  'onePerson/themeChosen': (state, { data: { isDark } }) => state && withChanges(state, { isDark }),
  'onePerson/explained': (state, { data: { person, value } }) =>
    ofShown(state, person, ({ explained }) => ({
      zone: personTimeZoneOf(value),
      explained: loadSucceeded(explained, value),
    })),
  'onePerson/explainFailed': (state, { data: { person, failure } }) =>
    ofShown(state, person, ({ explained }) => ({ explained: loadFailed(explained, failure) })),
  'onePerson/drawn': (state, { data: { person, value } }) =>
    ofShown(state, person, ({ drawn }) => ({ drawn: loadSucceeded(drawn, value) })),
  'onePerson/drawFailed': (state, { data: { person, failure } }) =>
    ofShown(state, person, ({ drawn }) => ({ drawn: loadFailed(drawn, failure) })),

  'personExport/requested': (state, event) =>
    state && withChanges(state, { saving: attemptOnce(state.saving, event) }),
  'personExport/done': (state, { data: { person } }) =>
    ofShown(state, person, ({ saving }) => ({ saving: settlePending(saving, successStatus) })),
  'personExport/failed': (state, { data: { person, failure } }) =>
    ofShown(state, person, ({ saving }) => ({ saving: settlePending(saving, failedStatus(failure)) })),

  'erasure/opened': (state) => state && withChanges(state, { typed: state.typed ?? '' }),
  'erasure/typed': (state, { data: { text } }) =>
    state && state.typed !== null ? withChanges(state, { typed: text }) : state,
  'erasure/closed': (state) =>
    state === null || state.erasing.status === 'pending'
      ? state
      : withChanges(state, { typed: null, erasing: idleStatus }),
  'erasure/requested': (state, event) =>
    state && mayErasePerson(state)
      ? withChanges(state, { erasing: attemptOnce(state.erasing, event) })
      : state,
  'erasure/done': (state, { data: { person } }) => (state?.person === person ? null : state),
  'erasure/failed': (state, { data: { person, failure } }) =>
    ofShown(state, person, ({ erasing }) => ({ erasing: settlePending(erasing, failedStatus(failure)) })),

  'correction/entered': (state, { data: { act } }) =>
    state === null || state.correcting.status === 'pending'
      ? state
      : withChanges(state, { act, correcting: state.act === null ? idleStatus : state.correcting }),
  'correction/closed': (state) =>
    state === null || state.act === null || state.correcting.status === 'pending'
      ? state
      : { ...state, act: null, correcting: idleStatus },
  'correction/requested': (state, event) =>
    state && mayCorrect(state, event.meta.at)
      ? withChanges(state, { correcting: attemptOnce(state.correcting, event) })
      : state,
  // The rules decide again, so the reasons and the signatures are loaded again.
  'correction/done': (state, event) =>
    ofShown(state, event.data.person, (one) => ({
      ...(one.correcting.status === 'pending' && { act: null, correcting: successStatus }),
      explained: loadAgain(one.explained, event),
      drawn: loadAgain(one.drawn, event),
    })),
  // After a change by others, the new state is loaded, and what is entered stays.
  'correction/failed': (state, event) =>
    ofShown(state, event.data.person, ({ correcting, explained }) => ({
      correcting: settlePending(correcting, failedStatus(event.data.failure)),
      ...(outdatedReasonOf(event.data.failure) !== null && { explained: loadAgain(explained, event) }),
    })),
})

/** Applies the changes, unless the page now shows another person. */
const ofShown = (
  state: OnePersonState | null,
  person: string,
  changes: (one: OnePersonState) => Partial<OnePersonState>,
): OnePersonState | null => (state?.person === person ? withChanges(state, changes(state)) : state)

const askAgain = (one: OnePersonState, event: BeginEvent): OnePersonState => ({
  ...one,
  explained: loadAgain(one.explained, event),
  drawn: loadAgain(one.drawn, event),
})

/** Opening another person keeps the day, the kind of message and the theme. */
const lookOf = (one: OnePersonState | null) => {
  const { day, zone, kind, recipients, isDark } = one ?? firstLook
  return { day, zone, kind, recipients, isDark }
}

/** Whether the administrator typed the id or an address of the person on the page. */
export function mayErasePerson({ typed, explained }: OnePersonState): boolean {
  const known = loadedValue(explained)
  return typed !== null && known !== undefined && matchesPerson(typed, known)
}

/**
 * Whether what is entered can be sent. A person who is being loaded must be seen first.
 *
 * @param at the time, in milliseconds since 1970
 */
const mayCorrect = ({ act, explained }: OnePersonState, at: number): boolean =>
  act !== null &&
  explained.status !== 'pending' &&
  loadedValue(explained) !== undefined &&
  isActPossible(act, dayOf(at))

/** Null until a file is chosen. `tried` is the result of the dry run, `done` the result of the import. */
export type ImportState = Readonly<{
  file: Handle
  name: string
  tried: Load<ImportResult>
  done: Load<ImportResult>
}> | null

export const peopleImport = defineSlice<ImportState, typeof PeopleImport | typeof Session>()(
  null as ImportState,
  {
    'import/offered': (state, event) =>
      state?.done.status === 'pending'
        ? state
        : { file: event.data.file, name: event.data.name, tried: pendingStatus(event), done: idleStatus },
    'import/tried': (state, { data: { result } }) =>
      state && { ...state, tried: loadSucceeded(state.tried, result) },
    'import/tryFailed': (state, { data: { failure } }) => state && { ...state, tried: failedStatus(failure) },
    'import/confirmed': (state, event) =>
      state?.tried.status === 'success' && (state.done.status === 'idle' || state.done.status === 'fail')
        ? { ...state, done: pendingStatus(event) }
        : state,
    'import/done': (state, { data: { result } }) =>
      state && { ...state, done: loadSucceeded(state.done, result) },
    'import/failed': (state, { data: { failure } }) => state && { ...state, done: failedStatus(failure) },
    'import/closed': (state) => (state?.done.status === 'pending' ? state : null),
    // The end of the session cancels the dry run, so the import is closed.
    'session/expired': (state) => (state?.tried.status === 'pending' ? null : state),
  },
)

/** The slices of the area, by their names in the state. */
export const peopleSlices = {
  people,
  unsigned: unsignedPeople,
  departments,
  thumbnail,
  onePerson,
  importing: peopleImport,
}
