import {
  catchError,
  concat,
  EMPTY,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  startWith,
  switchMap,
  take,
} from 'rxjs'
import { App } from '../../streams/pane/events.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import { isSignedIn } from '../../streams/message/auth/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { toFailure } from '../../streams/kernel/failure.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { selectProfile } from '../../streams/message/profile/selectors.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { isHomePath } from '../../streams/pane/router/rules.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { LAUNCH_RECORD_KEY, parseLaunchRecord } from '../../streams/launch/record.ts'
import { Mailbox } from '../../streams/message/mailbox/events.ts'
import { Telemetry, type TelemetryContext } from '../../streams/pane/telemetry/events.ts'
import { parseTelemetryContext } from '../../streams/pane/telemetry/rules.ts'
import { selectMaySendTelemetry, selectTelemetryPayload } from '../../streams/pane/telemetry/selectors.ts'
import {
  trackOfDefault,
  trackOfInsertion,
  trackOfPlace,
  validTrack,
} from '../../streams/pane/telemetry/track.ts'
import { type AppEffect, onSignIn, whileSignedIn } from '../message/app.ts'
import { createValueCache } from './cached.ts'

/** The platforms where this user used Signet, one entry each, in the user's private storage. */
export const telemetryCache = createValueCache<readonly TelemetryContext[]>(
  'telemetry',
  1,
  parseTelemetryContext,
)

/** Records the version and the platform, so that the user can read the payload before it is sent. */
export const readPlatform: AppEffect = (event$, _state$, { platform }) =>
  event$.pipe(
    ofType(App.started),
    map(() => Telemetry.platformRead({ platform })),
  )

/**
 * Reads the last launch event's record in the open message. Waits for the screen, because a launch event may run until
 * then, and mail clients accept few simultaneous calls.
 */
export const readLatestLaunch: AppEffect = (event$, state$, { host }) =>
  event$.pipe(
    ofType(Mailbox.messageRead),
    switchMap(({ data: { itemKey } }) =>
      state$.pipe(
        filter(({ screen }) => screen.load.status === 'success'),
        take(1),
        switchMap(() => host.sessionData(itemKey, LAUNCH_RECORD_KEY)),
      ),
    ),
    map(parseLaunchRecord),
    filter((record) => record !== null),
    map(({ outcome }) => Telemetry.launchRead({ outcome })),
  )

/** Restores the user's earlier platforms for the payload. */
export const restoreTelemetry: AppEffect = (event$, _state$, { storage }) =>
  event$.pipe(
    ofType(Auth.verified),
    switchMap(({ data: { session } }) =>
      telemetryCache.read(storage.privateCache(session.userId), session.userId).pipe(
        map((context) => Telemetry.contextRestored({ context: context ?? [] })),
        whileSignedIn(event$),
      ),
    ),
  )

/** After each sign-in, sends telemetry once the settings and earlier platforms are known, unless it is switched off. */
export const sendTelemetry: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Telemetry.contextRestored),
    switchMap(() =>
      state$.pipe(
        filter((state) => selectMaySendTelemetry(state) !== null),
        take(1),
        filter((state) => selectMaySendTelemetry(state) === true && isSignedIn(state.auth)),
        map(selectTelemetryPayload),
        filter((payload) => payload !== null),
        switchMap((payload) =>
          api.sendTelemetry(payload).pipe(settle(() => Telemetry.sent(), Telemetry.sendFailed)),
        ),
        whileSignedIn(event$),
      ),
    ),
  )

/** Stores the platforms after sending, for the next pane. Also stores a later launch result, for the next sign-in. */
export const keepTelemetry: AppEffect = (event$, state$, { storage }) =>
  event$.pipe(
    ofType(Telemetry.sent),
    exhaustMap(() =>
      event$.pipe(ofType(Telemetry.sent, Telemetry.launchRead), startWith(null), whileSignedIn(event$)),
    ),
    mergeMap(() => {
      const { auth, telemetry } = state$.value
      if (auth.status !== 'success') return EMPTY
      const { userId } = auth.session
      return telemetryCache.write(storage.privateCache(userId), userId, telemetry.context)
    }),
    ignoreElements(),
  )

/** Emits the value once the profile and the settings are loaded; nothing if the user signs out first. */
const whenKnown = <Value>(event$: Parameters<AppEffect>[0], state$: Parameters<AppEffect>[1], value: Value) =>
  state$.pipe(
    filter((state) => selectProfile(state) !== null && selectMaySendTelemetry(state) !== null),
    take(1),
    map(() => value),
    whileSignedIn(event$),
  )

/**
 * Sends the user's actions to analytics with only the profile's id, unless telemetry is switched off. Each event waits
 * for the profile and the settings. A failure is logged and ignored.
 */
export const trackActions: AppEffect = (event$, state$, { analytics, log }) =>
  merge(
    // A sign-in counts as opening the pane, and so does a signed-in user's visit to home (specification, section 2).
    merge(
      onSignIn(event$),
      event$.pipe(
        ofType(Router.navigated),
        filter(({ data }) => isHomePath(data.path) && isSignedIn(state$.value.auth)),
      ),
    ).pipe(switchMap(() => whenKnown(event$, state$, { name: 'task_pane_open', parameters: {} }))),
    event$.pipe(
      ofType(Router.navigated),
      switchMap(({ data }) => {
        const reported = trackOfPlace(data.path)
        return reported ? whenKnown(event$, state$, reported) : EMPTY
      }),
    ),
    event$.pipe(
      ofType(Insertion.succeeded, Defaults.changed),
      map((event) =>
        event.type === 'defaults/changed' ? trackOfDefault : trackOfInsertion(event.data.target),
      ),
      filter((reported) => reported !== null),
      mergeMap((reported) => whenKnown(event$, state$, reported)),
    ),
    event$.pipe(
      ofType(Auth.signOutRequested),
      filter(() => state$.value.auth.status !== 'signedOut'),
      // Several responses can reject the session at the same time, but it ends only once.
      exhaustMap(() =>
        concat(
          of({ name: 'disconnect', parameters: {} }),
          event$.pipe(ofType(Auth.signedOut), take(1), ignoreElements()),
        ),
      ),
    ),
  ).pipe(
    filter(() => selectMaySendTelemetry(state$.value) === true),
    map(({ name, parameters }) => validTrack(name, parameters, selectProfile(state$.value))),
    filter((reported) => reported !== null),
    // No effect waits for a response, so the calls run in parallel.
    mergeMap((reported) =>
      analytics.track(reported).pipe(
        catchError((error: unknown) => {
          log.warn('analytics_failed', { event: reported.name, kind: toFailure(error).kind })
          return EMPTY
        }),
      ),
    ),
    ignoreElements(),
  )
