import {
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  forkJoin,
  map,
  merge,
  type Observable,
  of,
  switchMap,
  takeUntil,
} from 'rxjs'
import { Auth } from '../../streams/message/auth/events.ts'
import { isSignedIn } from '../../streams/message/auth/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { wasBegunBy } from '../../streams/kernel/load.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { debounceBy } from '../../streams/kernel/time.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { routeAt } from '../../streams/pane/router/routes.ts'
import { type VariableDrafts, Variables } from '../../streams/pane/variables/events.ts'
import { draftsToSend, parseDrafts, toSavePayload } from '../../streams/pane/variables/rules.ts'
import { type AppEffect, onSignIn, whileSignedIn } from '../message/app.ts'
import { createValueCache, createRestoreEffect } from './cached.ts'
import type { KeyValueStore } from '../ports.ts'

/** How long the typing must pause before an automatic save. */
export const AUTOSAVE_PAUSE_MS = 2000

/** The user's unsaved edits in private storage. */
export const draftsJournal = createValueCache<VariableDrafts>('variables', 1, parseDrafts)

/** Records that a signed-in user opened the page with the details, by navigating to it or by signing in there. */
export const reportVariablesOpened: AppEffect = (event$, state$) =>
  merge(event$.pipe(ofType(Router.navigated)), onSignIn(event$)).pipe(
    filter(() => {
      const { auth, router } = state$.value
      return isSignedIn(auth) && routeAt(router.path)?.page === 'variables'
    }),
    map(() => Variables.opened()),
  )

/** Loads the definitions, states and values of the variables. If one of these fails, the whole load fails. */
export const loadVariables: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    filter((event) => wasBegunBy(state$.value.variables.load, event)),
    switchMap(({ meta }) =>
      forkJoin({
        definitions: api.variableDefinitions(),
        states: api.variableStates(),
        values: api.variableValues(),
      }).pipe(
        settle((loaded) => Variables.loaded({ asked: meta.seq, ...loaded }), Variables.loadFailed),
        whileSignedIn(event$),
      ),
    ),
  )

/** Restores the edits from the user's earlier pane. */
export const restoreDrafts = createRestoreEffect(draftsJournal, 'privateDrafts', (drafts) =>
  Variables.draftsRestored({ drafts: drafts ?? {} }),
)

/**
 * Stores every edit as it is typed, so that it survives a closed pane, a failed save or the end of the session. Records
 * when storage begins to refuse edits, and when it accepts them again. After a sign-out and the last write, records how
 * many edits a later session can restore, unless they are only in memory.
 */
export const keepDrafts: AppEffect = (event$, state$, { storage }) =>
  event$.pipe(
    ofType(
      Variables.draftsRestored,
      Variables.edited,
      Variables.marked,
      Variables.unmarked,
      Variables.discarded,
      Variables.allDiscarded,
      Variables.loaded,
      Variables.saved,
      Variables.saveFailed,
      Auth.signedOut,
    ),
    // Reads the user now, because the session may end before the write.
    map((event) => {
      if (event.type === 'auth/signedOut') return { userId: event.data.userId, drafts: null }
      const { auth, variables } = state$.value
      // An earlier pane's edits must be read before they are overwritten.
      const isTheirs = auth.status === 'success' && variables.draftsRead
      return { userId: isTheirs ? auth.session.userId : null, drafts: variables.drafts }
    }),
    // Skips unchanged edits, but never a sign-out.
    distinctUntilChanged(
      (one, other) => one.drafts !== null && one.drafts === other.drafts && one.userId === other.userId,
    ),
    concatMap(({ userId, drafts }) => {
      if (userId === null) return EMPTY
      const store = storage.privateDrafts(userId)
      return drafts === null
        ? countLasting(store, userId).pipe(
            filter((count) => count > 0 && !isSignedIn(state$.value.auth)),
            map((count) => Auth.editsKept({ count })),
            takeUntil(onSignIn(event$)),
          )
        : draftsJournal.write(store, userId, drafts).pipe(
            map((written) => written === 'kept'),
            filter((lasting) => {
              const { auth, variables } = state$.value
              const isTheirs = auth.status === 'success' && auth.session.userId === userId
              return isTheirs && lasting !== variables.draftsLast
            }),
            map((lasting) => Variables.draftsWritten({ lasting })),
          )
    }),
  )

/** The number of this user's stored edits; 0 if they are only in memory. */
const countLasting = (store: KeyValueStore, userId: string): Observable<number> =>
  forkJoin({ drafts: draftsJournal.read(store, userId), driver: store.driver() }).pipe(
    map(({ drafts, driver }) => (drafts === null || driver === 'memory' ? 0 : Object.keys(drafts).length)),
  )

/** Saves edits after a pause in typing, if the user enabled automatic saving. */
export const saveAfterPause: AppEffect = (event$, state$, { time }) =>
  event$.pipe(
    ofType(Variables.edited, Variables.marked, Variables.unmarked),
    debounceBy(AUTOSAVE_PAUSE_MS, time),
    filter(() => state$.value.settings.enableVariablesAutosave && isSignedIn(state$.value.auth)),
    map(() => Variables.saveRequested({ occasion: 'pause' })),
  )

/** Saves the edits, one save at a time. Text that is typed during a save remains an unsaved edit. */
export const saveVariables: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Variables.saveRequested),
    concatMap(() =>
      defer(() => {
        const { auth, variables } = state$.value
        const { definitions, values, drafts } = variables
        const sent = draftsToSend(definitions, drafts)
        if (!isSignedIn(auth) || Object.keys(sent).length === 0) return EMPTY
        return concat(
          of(Variables.saveStarted({ sent })),
          api
            .saveVariables(toSavePayload(definitions, values, sent))
            .pipe(settle((saved) => Variables.saved({ sent, saved }), Variables.saveFailed)),
        ).pipe(whileSignedIn(event$))
      }),
    ),
  )

/** Reloads the directory's values after a save. A later save cancels a pending reload. */
export const reloadVariableStates: AppEffect = (event$, _state$, { api }) =>
  event$.pipe(
    ofType(Variables.saved),
    concatMap(() =>
      api.variableStates().pipe(
        settle((states) => Variables.statesLoaded({ states }), Variables.statesFailed),
        takeUntil(event$.pipe(ofType(Auth.signedOut, Variables.saved))),
      ),
    ),
  )
