import type { Session } from '../session/events.ts'
import { type Erasure, type Import, type OnePerson, People, type PersonExport } from './events.ts'
import type { Place } from '../place/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import type { Handle } from '../../kernel/handle.ts'
import {
  type Asking,
  type Attempt,
  attemptOnce,
  ended,
  failed,
  idle,
  type Load,
  loadAgain,
  loaded,
  loadFailed,
  pending,
  retryFailed,
  success,
  valueOf,
} from '../../kernel/load.ts'
import { loadFirst, loadMore, noPages, type Pages, retryPage } from '../../kernel/pages.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Answered, FoundPerson, Imported } from '../../wire/administration/people.ts'
import type { Explained } from '../../organisation/why.ts'
import { areaOf } from '../place/areas.ts'
import { isDay, namesPerson, personAt, zoneOf } from './rules.ts'

/** `query` is the text that is searched for. An empty text finds everyone. */
export type PeopleState = Pages<string, FoundPerson> &
  /** The address of the person who was erased last; null once the administrator searches or opens a person. */
  Readonly<{ erased: string | null }>

export const people = defineSlice<
  PeopleState,
  typeof Erasure | typeof Import | typeof People | typeof Place
>()(
  { ...noPages(''), erased: null },
  {
    ...People.handlers,
    // A loaded list stays, so that the administrator finds it again after looking at a person.
    'place/entered': (state, event) => {
      if (areaOf(event.data.path) !== 'people') return state
      if (personAt(event.data.path) !== null) return withChanges(state, { erased: null })
      return state.load.status === 'success' ? state : { ...state, load: pending(event) }
    },
    'place/retryRequested': retryPage,
    'people/searched': (state, event) => {
      const query = event.data.query.trim()
      return query === state.query ? state : { ...loadFirst(state, event, query), erased: null }
    },
    'people/moreRequested': loadMore,
    'people/pageFailed': (state, event) => {
      const after = People.handlers['people/pageFailed'](state, event)
      // When the first page failed, the items are still those of an earlier search, so they are dropped.
      return after === state || state.next !== null ? after : { ...after, items: null }
    },
    'erasure/done': (state, { data }) => ({
      ...state,
      items: state.items?.filter(({ id }) => id !== data.id) ?? null,
      erased: data.address,
    }),
    // The list is loaded again, because the import may have changed names and addresses.
    'import/done': loadFirst,
  },
)

/** `day` is null for today. `typed` is null while the question before erasing is closed. */
export type OnePersonState = Readonly<{
  /** The person's id or mail address, as in the path of the page. */
  person: string
  day: string | null
  /** The time zone in which `day` is meant. */
  zone: string
  isReply: boolean
  isDark: boolean
  explained: Load<Explained>
  drawn: Load<Answered>
  saving: Attempt
  typed: string | null
  erasing: Attempt
}>

const NOTHING_KNOWN = { explained: idle, drawn: idle, saving: idle, typed: null, erasing: idle } as const
const firstLook = { day: null, zone: 'UTC', isReply: false, isDark: false } as const

export const onePerson = defineSlice<
  OnePersonState | null,
  typeof Erasure | typeof OnePerson | typeof PersonExport | typeof Place
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
    state === null || state.day === event.data.day || (event.data.day !== null && !isDay(event.data.day))
      ? state
      : askAgain({ ...state, day: event.data.day }, event),
  'onePerson/messageChosen': (state, event) =>
    state === null || state.isReply === event.data.isReply
      ? state
      : { ...state, isReply: event.data.isReply, drawn: loadAgain(state.drawn, event) },
  'onePerson/themeChosen': (state, { data: { isDark } }) => state && withChanges(state, { isDark }),
  'onePerson/explained': (state, { data: { person, value } }) =>
    ofShown(state, person, ({ explained }) => ({
      zone: zoneOf(value),
      explained: loaded(explained, value),
    })),
  'onePerson/explainFailed': (state, { data: { person, failure } }) =>
    ofShown(state, person, ({ explained }) => ({ explained: loadFailed(explained, failure) })),
  'onePerson/drawn': (state, { data: { person, value } }) =>
    ofShown(state, person, ({ drawn }) => ({ drawn: loaded(drawn, value) })),
  'onePerson/drawFailed': (state, { data: { person, failure } }) =>
    ofShown(state, person, ({ drawn }) => ({ drawn: loadFailed(drawn, failure) })),

  'personExport/requested': (state, event) =>
    state && withChanges(state, { saving: attemptOnce(state.saving, event) }),
  'personExport/done': (state, { data: { person } }) =>
    ofShown(state, person, ({ saving }) => ({ saving: ended(saving, success) })),
  'personExport/failed': (state, { data: { person, failure } }) =>
    ofShown(state, person, ({ saving }) => ({ saving: ended(saving, failed(failure)) })),

  'erasure/opened': (state) => state && withChanges(state, { typed: state.typed ?? '' }),
  'erasure/typed': (state, { data: { text } }) =>
    state && state.typed !== null ? withChanges(state, { typed: text }) : state,
  'erasure/closed': (state) =>
    state === null || state.erasing.status === 'pending'
      ? state
      : withChanges(state, { typed: null, erasing: idle }),
  'erasure/requested': (state, event) =>
    state && mayErase(state) ? withChanges(state, { erasing: attemptOnce(state.erasing, event) }) : state,
  'erasure/done': (state, { data: { person } }) => (state?.person === person ? null : state),
  'erasure/failed': (state, { data: { person, failure } }) =>
    ofShown(state, person, ({ erasing }) => ({ erasing: ended(erasing, failed(failure)) })),
})

/** Applies the changes, unless another person is shown by now. */
const ofShown = (
  state: OnePersonState | null,
  person: string,
  changes: (one: OnePersonState) => Partial<OnePersonState>,
): OnePersonState | null => (state?.person === person ? withChanges(state, changes(state)) : state)

const askAgain = (one: OnePersonState, event: Asking): OnePersonState => ({
  ...one,
  explained: loadAgain(one.explained, event),
  drawn: loadAgain(one.drawn, event),
})

/** The day, the kind of message and the theme stay when another person is opened. */
const lookOf = (one: OnePersonState | null) => {
  const { day, zone, isReply, isDark } = one ?? firstLook
  return { day, zone, isReply, isDark }
}

/** Whether the administrator typed an address of the person who is shown. */
export function mayErase({ typed, explained }: OnePersonState): boolean {
  const known = valueOf(explained)
  return typed !== null && known !== undefined && namesPerson(typed, known)
}

/** Null while there is no file. `tried` is what the import would change, `done` what the import changed. */
export type ImportState = Readonly<{
  file: Handle
  name: string
  tried: Load<Imported>
  done: Load<Imported>
}> | null

export const importing = defineSlice<ImportState, typeof Import | typeof Session>()(null as ImportState, {
  'import/offered': (state, event) =>
    state?.done.status === 'pending'
      ? state
      : { file: event.data.file, name: event.data.name, tried: pending(event), done: idle },
  'import/tried': (state, { data: { result } }) => state && { ...state, tried: loaded(state.tried, result) },
  'import/tryFailed': (state, { data: { failure } }) => state && { ...state, tried: failed(failure) },
  'import/confirmed': (state, event) =>
    state?.tried.status === 'success' && (state.done.status === 'idle' || state.done.status === 'fail')
      ? { ...state, done: pending(event) }
      : state,
  'import/done': (state, { data: { result } }) => state && { ...state, done: loaded(state.done, result) },
  'import/failed': (state, { data: { failure } }) => state && { ...state, done: failed(failure) },
  'import/closed': (state) => (state?.done.status === 'pending' ? state : null),
  // The end of the session cancels the dry run, so the import is closed.
  'session/expired': (state) => (state?.tried.status === 'pending' ? null : state),
})

/** The slices of the area, by their names in the state. */
export const peopleSlices = { people, onePerson, importing }
