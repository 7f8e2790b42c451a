import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  endWith,
  filter,
  forkJoin,
  ignoreElements,
  map,
  type Observable,
  of,
  switchMap,
  take,
  takeUntil,
  tap,
} from 'rxjs'
import { App, type AppEvent } from '../streams/app/events.ts'
import { Auth } from '../streams/auth/events.ts'
import { ofType } from '../streams/kernel/event.ts'
import { toFailure } from '../streams/kernel/failure.ts'
import { settle } from '../streams/kernel/settle.ts'
import { SettingsEvents } from '../streams/settings/events.ts'
import { defaultSettings, type Settings, type Stage } from '../streams/settings/settings.ts'
import { mergeStored, onlySwitches, SETTINGS_KEY, toSettings } from '../streams/settings/rules.ts'
import type { AppEffect } from './app.ts'
import { LAST_PERSON } from './auth.ts'
import type { Ports } from './ports.ts'

/** What private storage keeps of this person, over the defaults; junk is left out and named in the log. */
export const readSettings = (
  userId: string,
  stage: Stage,
  { storage, log }: Pick<Ports, 'storage' | 'log'>,
): Observable<Settings> =>
  defer(() => storage.privateRoaming(userId).get(SETTINGS_KEY)).pipe(
    take(1),
    map((stored) => {
      const { settings, ignored } = mergeStored(stored, stage)
      if (ignored.length > 0)
        log.warn('settings_ignored', {
          fields: [...new Set(ignored)].join(' '),
          count: ignored.length,
        })
      return settings
    }),
  )

/** Before anybody is signed in the settings of whoever used Signet last count: they say what happens by itself. */
export const loadSettingsAtStart: AppEffect = (event$) =>
  event$.pipe(
    ofType(App.started),
    map(() => SettingsEvents.loadRequested()),
  )

export const loadSettingsOnSignIn: AppEffect = (event$) =>
  event$.pipe(
    ofType(Auth.verified, Auth.sessionRecovered),
    map(() => SettingsEvents.reloadRequested()),
  )

/** Who used Signet last in this browser, if the mail client says that the mailbox is theirs. */
const lastPerson = ({ storage, host }: Pick<Ports, 'storage' | 'host'>): Observable<string | null> =>
  forkJoin({ last: storage.local.get(LAST_PERSON), user: host.user().pipe(take(1)) }).pipe(
    map(({ last, user }) => {
      const { email, userId } = (last ?? {}) as Record<string, unknown>
      const isTheirs = user !== null && email === user.email.toLowerCase()
      return isTheirs && typeof userId === 'string' && userId !== '' ? userId : null
    }),
  )

/**
 * Loads the switches (specification, section 4, settings): the defaults in production; elsewhere what is kept of the
 * person who is signed in, or was last, unless it is there already. Without a person the defaults stay, with a
 * warning.
 */
export const loadSettings: AppEffect = (event$, state$, ports) =>
  event$.pipe(
    ofType(SettingsEvents.loadRequested, SettingsEvents.reloadRequested),
    filter(() => state$.value.settings.status === 'pending'),
    switchMap(() => {
      const { auth, settings } = state$.value
      const { stage } = settings
      if (stage.production) return of(SettingsEvents.loaded({ settings: defaultSettings(stage) }))
      const userId$ = auth.status === 'success' ? of(auth.session.userId) : lastPerson(ports)
      return userId$.pipe(
        switchMap((userId) => {
          if (userId !== null) return readSettings(userId, stage, ports)
          ports.log.warn('settings_without_person')
          return of(defaultSettings(stage))
        }),
        settle(
          (loaded) => SettingsEvents.loaded({ settings: loaded }),
          (failure) => SettingsEvents.loadFailed({ failure }),
        ),
        takeUntil(event$.pipe(ofType(Auth.signedOut))),
      )
    }),
  )

/** Writes to storage, then changes what is in force; one change after the other, so that none is lost. */
export const updateSettings: AppEffect = (event$, state$, { storage }) =>
  event$.pipe(
    ofType(SettingsEvents.updateRequested, SettingsEvents.resetRequested),
    concatMap((event): Observable<AppEvent> => {
      const { auth, settings } = state$.value
      const changes =
        event.type === 'settings/resetRequested'
          ? defaultSettings(settings.stage)
          : onlySwitches(event.data.changes)
      const written$ =
        auth.status === 'success'
          ? defer(() =>
              storage
                .privateRoaming(auth.session.userId)
                .set(SETTINGS_KEY, { ...toSettings(settings), ...changes }),
            ).pipe(ignoreElements())
          : EMPTY
      return written$.pipe(
        endWith(SettingsEvents.updated({ changes })),
        catchError((error: unknown) => of(SettingsEvents.updateFailed({ failure: toFailure(error) }))),
        takeUntil(event$.pipe(ofType(Auth.signedOut))),
      )
    }),
  )

/** What went wrong with the settings is kept for the person and logged. */
export const logSettingsErrors: AppEffect = (event$, _state$, { log }) =>
  event$.pipe(
    ofType(SettingsEvents.loadFailed, SettingsEvents.updateFailed),
    tap(({ type, data: { failure } }) => {
      log.error('settings_failed', { action: type, kind: failure.kind })
    }),
    ignoreElements(),
  )
