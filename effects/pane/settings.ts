import {
  concatMap,
  defer,
  EMPTY,
  forkJoin,
  ignoreElements,
  map,
  type Observable,
  of,
  switchMap,
  tap,
} from 'rxjs'
import { App, type AppEvent } from '../../streams/pane/events.ts'
import type { AppState } from '../../streams/pane/state.ts'
import { Auth, type Session } from '../../streams/message/auth/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import {
  defaultSettings,
  type BuildStage,
  type UserSettings,
} from '../../streams/message/settings/settings.ts'
import {
  mergeStoredSettings,
  onlySwitches,
  SETTINGS_KEY,
  toUserSettings,
} from '../../streams/pane/settings/rules.ts'
import { type AppEffect, whileSignedIn } from '../message/app.ts'
import { readLastUser } from './lastUser.ts'
import type { Ports, WriteOutcome } from '../ports.ts'
import { storePersistentChoices, readPersistentChoices } from './persistentChoices.ts'

/** The signed-in user's session; null if no user is signed in. */
const userOf = ({ auth }: AppState): Session | null => (auth.status === 'success' ? auth.session : null)
const idOf = (state: AppState): string | null => userOf(state)?.userId ?? null

/** The defaults, overridden by this user's stored switches. Invalid switches are logged and ignored. */
const readSettings = (
  userId: string,
  stage: BuildStage,
  { storage, log }: Pick<Ports, 'storage' | 'log'>,
): Observable<UserSettings> =>
  defer(() => storage.privateRoaming(userId).get(SETTINGS_KEY)).pipe(
    map((stored) => {
      if (stored === undefined) throw new Failed({ kind: 'storage', action: 'read' })
      const { settings, ignored } = mergeStoredSettings(stored, stage)
      if (ignored.length > 0)
        log.warn('settings_ignored', {
          fields: [...new Set(ignored)].join(' '),
          count: ignored.length,
        })
      return settings
    }),
  )

/** The switches, without the persistent choices, and the id of their user; the id is null for the defaults. */
type Stored = Readonly<{ switches: UserSettings; userId: string | null }>

/** The defaults in production; otherwise the switches of this user or the last user. Logs a warning without a user. */
const readStored = (
  userId: string | null,
  stage: BuildStage,
  ports: Pick<Ports, 'storage' | 'host' | 'log'>,
): Observable<Stored> => {
  const defaults: Stored = { switches: defaultSettings(stage), userId: null }
  if (stage.production) return of(defaults)
  const userId$ = userId === null ? readLastUser(ports) : of(userId)
  return userId$.pipe(
    switchMap((known) => {
      if (known !== null)
        return readSettings(known, stage, ports).pipe(map((switches) => ({ switches, userId: known })))
      ports.log.warn('settings_without_person')
      return of(defaults)
    }),
  )
}

/**
 * Loads the switches (specification, section 4, settings) at the start and with each session. In production, uses the
 * defaults. Elsewhere, uses the stored switches of the signed-in or last user, or the defaults without a user. In every
 * stage, features that were switched off persistently for this mailbox stay off. If this user's switches are already
 * loaded, returns them unchanged.
 */
export const loadSettings: AppEffect = (event$, state$, ports) =>
  event$.pipe(
    ofType(App.started, Auth.verified, Auth.sessionRecovered),
    switchMap(() => {
      const { settings } = state$.value
      const user = userOf(state$.value)
      if (user !== null && settings.userId === user.userId)
        return of(Settings.loaded({ settings: toUserSettings(settings), userId: user.userId }))
      return forkJoin({
        stored: readStored(user?.userId ?? null, settings.stage, ports),
        choices: readPersistentChoices(ports, user),
      }).pipe(
        settle(({ stored: { switches, userId }, choices }) => {
          // Before a sign-in, the choices may belong to other users of the mailbox.
          const isTheirs = user !== null || Object.keys(choices).length === 0
          return Settings.loaded({ settings: { ...switches, ...choices }, userId: isTheirs ? userId : null })
        }, Settings.loadFailed),
        whileSignedIn(event$),
      )
    }),
  )

/**
 * Writes changed settings to storage, then changes the state. Changes run one after the other, so that none is lost. If
 * storage refuses a change, it fails and the settings stay the same.
 */
export const updateSettings: AppEffect = (event$, state$, ports) =>
  event$.pipe(
    ofType(Settings.updateRequested, Settings.resetRequested),
    // Reads the user now, because another user may be signed in when the write starts.
    map((event) => ({ event, userId: idOf(state$.value) })),
    concatMap(({ event, userId }) => {
      const { settings } = state$.value
      const user = userOf(state$.value)
      // Drops a change that was still queued when the session ended.
      if (idOf(state$.value) !== userId) return EMPTY
      const changes =
        event.type === 'settings/resetRequested'
          ? defaultSettings(settings.stage)
          : onlySwitches(event.data.changes)
      const changed = { ...toUserSettings(settings), ...changes }
      const written$: Observable<WriteOutcome> =
        user === null
          ? of('untilClosed')
          : storePersistentChoices(ports, user, changed, () =>
              ports.storage.privateRoaming(user.userId).set(SETTINGS_KEY, changed),
            )
      return written$.pipe(
        map((written) => {
          if (written === 'refused') throw new Failed({ kind: 'storage', action: 'write' })
          return written === 'kept'
        }),
        settle((lasting): AppEvent => Settings.updated({ changes, lasting }), Settings.updateFailed),
        whileSignedIn(event$),
      )
    }),
  )

/** Logs failures to load or change the settings. The state keeps them for the user. */
export const logSettingsErrors: AppEffect = (event$, _state$, { log }) =>
  event$.pipe(
    ofType(Settings.loadFailed, Settings.updateFailed),
    tap(({ type, data: { failure } }) => {
      log.error('settings_failed', { action: type, kind: failure.kind })
    }),
    ignoreElements(),
  )
