import type { AdministrationEvent } from '../../streams/administration/events.ts'
import { EMPTY, filter, ignoreElements, map, mergeMap, type Observable, of, switchMap, tap } from 'rxjs'
import {
  Correction,
  DepartmentsLoad,
  PersonErasure,
  PeopleImport,
  OnePerson,
  People,
  PersonExport,
  Thumbnail,
  UnsignedPeople,
} from '../../streams/administration/people/events.ts'
import { afterAct } from '../../streams/administration/people/byHand.ts'
import type { OnePersonState, PeopleState } from '../../streams/administration/people/reducer.ts'
import {
  isUnsignedPeoplePath,
  middleOfDay,
  personAt,
  UNSIGNED_PEOPLE_PATH,
} from '../../streams/administration/people/rules.ts'
import type { AdministrationState } from '../../streams/administration/state.ts'
import type { AdministrationPorts } from './ports.ts'
import { Place } from '../../streams/administration/place/events.ts'
import { workName } from '../../streams/administration/work/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { type Attempt, wasBegunBy, idleStatus, type Load, loadedValue } from '../../streams/kernel/load.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { emitAfter, type Time } from '../../streams/kernel/time.ts'
import {
  type AdministrationEffect,
  createAttemptEffect,
  createLoadEffect,
  createPageEffect,
  whileSignedIn,
} from './program.ts'

/** How long the typing must pause before a search begins. */
export const SEARCH_DELAY_MS = 250
/** How long the pointer or the focus stays on a signature before it is shown. */
export const THUMBNAIL_DELAY_MS = 400

/** Waits for a pause in typing before a search; other events pass at once. */
const typed = ({ type }: AdministrationEvent, time: Time): Observable<unknown> =>
  type === People.searched.type || type === UnsignedPeople.searched.type
    ? emitAfter(SEARCH_DELAY_MS, time)
    : of(0)

/** Makes the request for a page of one of the lists. */
const requestPeople =
  (select: (state: AdministrationState) => PeopleState, without: 'signature' | null) =>
  (
    { api, time }: Pick<AdministrationPorts, 'api' | 'time'>,
    { query, after }: Readonly<{ query: string; after: string | null }>,
    state: AdministrationState,
    event: AdministrationEvent,
  ) =>
    typed(event, time).pipe(switchMap(() => api.listPeople(query, after, select(state).filters, without)))

const selectPeople = ({ people }: AdministrationState): PeopleState => people
const selectUnsigned = ({ unsigned }: AdministrationState): PeopleState => unsigned

const loadPeople = createPageEffect(selectPeople, People, requestPeople(selectPeople, null))

const loadUnsigned = createPageEffect(
  selectUnsigned,
  UnsignedPeople,
  requestPeople(selectUnsigned, 'signature'),
)

const loadDepartments = createLoadEffect(
  (state) => state.departments,
  DepartmentsLoad,
  ({ api }) => api.fieldValues('department', ''),
)

/** Loads the signature to which the pointer or the focus points, once it has stayed there. */
const drawThumbnail: AdministrationEffect = (event$, state$, { api, time }) =>
  event$.pipe(
    ofType(Thumbnail.pointed, Place.entered),
    map((event) => ({ event, shown: state$.value.thumbnail })),
    filter(({ event, shown }) => shown === null || wasBegunBy(shown.drawn, event)),
    switchMap(({ shown }) =>
      shown === null
        ? EMPTY
        : emitAfter(THUMBNAIL_DELAY_MS, time).pipe(
            switchMap(() =>
              api.signaturesOf(shown.person, { release: null, at: null, kind: 'new', recipients: null }),
            ),
            settle(
              (value) => Thumbnail.drawn({ person: shown.person, value }),
              ({ failure }) => Thumbnail.drawFailed({ person: shown.person, failure }),
            ),
            whileSignedIn(event$),
          ),
    ),
  )

/** The chosen time; null for now. */
const momentIn = ({ day, zone }: OnePersonState): number | null =>
  day === null ? null : middleOfDay(day, zone)

/** Emits the shown person whenever an event starts the load or the attempt that `part` returns. */
const begunFor = (
  part: (one: OnePersonState) => Attempt | Load<unknown>,
  event$: Parameters<AdministrationEffect>[0],
  state$: Parameters<AdministrationEffect>[1],
): Observable<OnePersonState> =>
  event$.pipe(
    map((event) => ({ event, one: state$.value.onePerson })),
    mergeMap(({ event, one }) => (one && wasBegunBy(part(one), event) ? [one] : [])),
  )

/** Loads the reasons for the person's signatures at the chosen time. */
const explainPerson: AdministrationEffect = (event$, state$, { api }) =>
  begunFor((one) => one.explained, event$, state$).pipe(
    switchMap((one) =>
      api.person(one.person, momentIn(one)).pipe(
        settle(
          (value) => OnePerson.explained({ person: one.person, value }),
          ({ failure }) => OnePerson.explainFailed({ person: one.person, failure }),
        ),
        whileSignedIn(event$),
      ),
    ),
  )

/** Loads the person's signatures at the chosen time, for the chosen kind of message. */
const drawPerson: AdministrationEffect = (event$, state$, { api }) =>
  begunFor((one) => one.drawn, event$, state$).pipe(
    switchMap((one) =>
      api
        .signaturesOf(one.person, {
          release: null,
          at: momentIn(one),
          kind: one.kind,
          recipients: one.recipients,
          ...(one.writer && { writer: one.writer.id }),
        })
        .pipe(
          settle(
            (value) => OnePerson.drawn({ person: one.person, value }),
            ({ failure }) => OnePerson.drawFailed({ person: one.person, failure }),
          ),
          whileSignedIn(event$),
        ),
    ),
  )

/** Downloads a person's stored data as one file. Several downloads can run at the same time. */
const savePersonalData: AdministrationEffect = (event$, state$, { api, downloads }) =>
  begunFor((one) => one.saving, event$, state$).pipe(
    mergeMap(({ person }) =>
      api.personalData(person).pipe(
        switchMap((data) =>
          downloads.save({
            name: `${data.person.addresses[0] ?? data.person.id}.json`,
            mediaType: 'application/json',
            content: `${JSON.stringify(data, null, 2)}\n`,
          }),
        ),
        settle(
          () => PersonExport.done({ person }),
          ({ failure }) => PersonExport.failed({ person, failure }),
        ),
      ),
    ),
  )

/** Erases the person. A running erasure continues after the session ends, and while another person is erased. */
const erase: AdministrationEffect = (event$, state$, { api }) =>
  begunFor((one) => one.erasing, event$, state$).pipe(
    mergeMap(({ person, explained }) => {
      const known = loadedValue(explained)?.person
      if (!known) return []
      return api.erase(known.id).pipe(
        settle(
          () => PersonErasure.done({ person, id: known.id, address: known.addresses[0] ?? known.id }),
          ({ failure }) => PersonErasure.failed({ person, failure }),
        ),
      )
    }),
  )

/**
 * Sets what is entered for the person, over the revision that the page shows. A running call continues after the session
 * ends, and while another person is corrected.
 */
const correct: AdministrationEffect = (event$, state$, { api }) =>
  begunFor((one) => one.correcting, event$, state$).pipe(
    mergeMap(({ person, explained, act }) => {
      const known = loadedValue(explained)?.person
      if (!known || act === null) return []
      return api.correct(known.id, known.revision, afterAct(known, act)).pipe(
        settle(
          () => Correction.done({ person }),
          ({ failure }) => Correction.failed({ person, failure }),
        ),
      )
    }),
  )

/** Leaves the page of the erased person, if it is still open. */
const leaveErased: AdministrationEffect = (event$, state$, { address }) =>
  event$.pipe(
    ofType(PersonErasure.done),
    map(({ data: { person } }) => ({ person, path: state$.value.place.path })),
    filter(({ person, path }) => personAt(path) === person),
    tap(({ path }) => {
      address.go(isUnsignedPeoplePath(path) ? UNSIGNED_PEOPLE_PATH : '/people')
    }),
    ignoreElements(),
  )

/** Dry-runs the import of the chosen file. Choosing another file or closing the import cancels it. */
const tryImport: AdministrationEffect = (event$, state$, { api, files, visit }) =>
  event$.pipe(
    ofType(PeopleImport.offered, PeopleImport.closed),
    map((event) => ({ event, state: state$.value.importing })),
    switchMap(({ event, state }) =>
      state && wasBegunBy(state.tried, event)
        ? files.text(state.file).pipe(
            switchMap((csv) => api.importPeople(csv, true, workName(visit, event.meta.seq))),
            settle((result) => PeopleImport.tried({ result }), PeopleImport.tryFailed),
            whileSignedIn(event$),
          )
        : [],
    ),
  )

const importPeople = createAttemptEffect(
  ({ importing }) => importing?.done ?? idleStatus,
  { requested: PeopleImport.confirmed, done: PeopleImport.done, failed: PeopleImport.failed },
  ({ api, files, visit }, _asked, { importing }, { meta }) =>
    importing === null
      ? EMPTY
      : files.text(importing.file).pipe(
          switchMap((csv) => api.importPeople(csv, false, workName(visit, meta.seq))),
          map((result) => ({ result })),
        ),
)

export const peopleEffects = {
  loadPeople,
  loadUnsigned,
  loadDepartments,
  drawThumbnail,
  explainPerson,
  drawPerson,
  savePersonalData,
  erase,
  correct,
  leaveErased,
  tryImport,
  importPeople,
}
