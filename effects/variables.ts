import {
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  forkJoin,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  switchMap,
  takeUntil,
} from 'rxjs'
import { Auth } from '../streams/auth/events.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { began } from '../streams/kernel/load.ts'
import { settle } from '../streams/kernel/settle.ts'
import { settleDown } from '../streams/kernel/time.ts'
import { ProfileEvents } from '../streams/profile/events.ts'
import { Router } from '../streams/router/events.ts'
import { type Drafts, Variables } from '../streams/variables/events.ts'
import { draftsToSend, isStale, parseDrafts, toSavePayload } from '../streams/variables/rules.ts'
import type { AppEffect } from './app.ts'
import { createCached } from './cached.ts'
import type { KeyValue } from './ports.ts'

/** How long nobody types before the edits are saved by themselves, where that is switched on. */
export const AUTOSAVE_PAUSE_MS = 2000

/** The edits that the service does not have yet, in the person's private storage. */
export const draftsJournal = createCached<Drafts>('variables', 1, parseDrafts)

/** Whoever opens their details gets their variables. */
export const loadVariablesWithView: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Router.navigated, Auth.verified, Auth.sessionRecovered),
    filter(() => isSignedIn(state$.value.auth)),
    filter(() => /^\/app\/settings\/(?:attributes|variables)(?:[/?]|$)/.test(state$.value.router.path)),
    map(() => Variables.loadRequested()),
  )

/** Loads definitions, states and values, all or none, unless they are there or on their way. */
export const loadVariables: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Variables.loadRequested, Variables.reloadRequested),
    filter((event) => isSignedIn(state$.value.auth) && began(state$.value.variables, event)),
    switchMap(({ meta }) =>
      forkJoin({
        definitions: api.variableDefinitions(),
        states: api.variableStates(),
        values: api.variableValues(),
      }).pipe(
        settle(
          (loaded) => Variables.loaded({ asked: meta.seq, ...loaded }),
          (failure) => Variables.loadFailed({ failure }),
        ),
        takeUntil(event$.pipe(ofType(Auth.signedOut))),
      ),
    ),
  )

/** The edits of an earlier pane come back to the person whose they are. */
export const restoreDrafts: AppEffect = (event$, _state$, { storage }) =>
  event$.pipe(
    ofType(Auth.verified, Auth.sessionRecovered),
    switchMap(({ data: { session } }) =>
      draftsJournal.read(storage.privateDrafts(session.userId), session.userId).pipe(
        map((drafts) => Variables.draftsRestored({ drafts: drafts ?? {} })),
        takeUntil(event$.pipe(ofType(Auth.signedOut))),
      ),
    ),
  )

/**
 * Every edit is written down as it is typed, so that neither a closed pane nor a failed save nor a session that ends
 * loses it. Signing out does not: what was written stays for whoever it belongs to. When they are gone and all of it
 * is written, how many edits can be read back is told; but not where they last only as long as the page.
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
    // Whose edits they are is read now: by the time they are written nobody may be signed in any more.
    map((event) => {
      if (event.type === 'auth/signedOut') return { userId: event.data.userId, drafts: null }
      const { auth, variables } = state$.value
      // Before what an earlier pane left was read, it must not be written over.
      const isTheirs = auth.status === 'success' && variables.draftsRead
      return { userId: isTheirs ? auth.session.userId : null, drafts: variables.drafts }
    }),
    // The same edits are written once; that somebody left is new each time.
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
            takeUntil(event$.pipe(ofType(Auth.verified, Auth.sessionRecovered))),
          )
        : draftsJournal.write(store, userId, drafts).pipe(ignoreElements())
    }),
  )

/** How many edits of this person are where they outlive the page. */
const countLasting = (store: KeyValue, userId: string): Observable<number> =>
  forkJoin({ drafts: draftsJournal.read(store, userId), driver: store.driver() }).pipe(
    map(({ drafts, driver }) => (drafts === null || driver === 'memory' ? 0 : Object.keys(drafts).length)),
  )

/** Edits are saved after a pause in typing, where the person switched that on. */
export const saveAfterPause: AppEffect = (event$, state$, { time }) =>
  event$.pipe(
    ofType(Variables.edited, Variables.marked, Variables.unmarked),
    settleDown(AUTOSAVE_PAUSE_MS, time),
    filter(() => state$.value.settings.enableVariablesAutosave && isSignedIn(state$.value.auth)),
    map(() => Variables.saveRequested({ occasion: 'pause' })),
  )

/**
 * Saves the edits that there are when its turn comes, one save after the other. What is typed meanwhile was not sent
 * and stays an edit.
 */
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
          api.saveVariables(toSavePayload(definitions, values, sent)).pipe(
            settle(
              (saved) => Variables.saved({ sent, saved }),
              (failure) => Variables.saveFailed({ failure }),
            ),
          ),
        ).pipe(takeUntil(event$.pipe(ofType(Auth.signedOut))))
      }),
    ),
  )

/** After a save the profile is asked for anew, and with it what the directory says now. */
export const reloadAfterSave: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Variables.saved),
    // These are reads: the answers after a later save are the ones that count.
    concatMap(() =>
      merge(
        of(ProfileEvents.reloadRequested()),
        api.variableStates().pipe(
          settle(
            (states) => Variables.statesLoaded({ states }),
            (failure) => Variables.statesFailed({ failure }),
          ),
        ),
      ).pipe(
        filter(() => isSignedIn(state$.value.auth)),
        takeUntil(event$.pipe(ofType(Auth.signedOut, Variables.saved))),
      ),
    ),
  )

/** A refusal says that the pane knew something wrong, and silence that it knows nothing: both are looked up. */
export const reloadAfterRefusedSave: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Variables.saveFailed),
    filter(({ data }) => isSignedIn(state$.value.auth) && isStale(data.failure)),
    map(() => Variables.reloadRequested()),
  )
