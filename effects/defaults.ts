import { concatMap, EMPTY, filter, ignoreElements, map, of, switchMap } from 'rxjs'
import { App } from '../streams/app/events.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { Defaults } from '../streams/defaults/events.ts'
import { selectDefaultSignature } from '../streams/defaults/selectors.ts'
import { Insertion } from '../streams/insertion/events.ts'
import { dueDefault } from '../streams/insertion/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { settle } from '../streams/kernel/settle.ts'
import { Mailbox } from '../streams/mailbox/events.ts'
import { selectProfile } from '../streams/profile/selectors.ts'
import { Settings } from '../streams/settings/events.ts'
import { parseCachedSignature } from '../streams/signatures/signature.ts'
import { type AppEffect, whileSignedIn } from './app.ts'
import { createCached } from './cached.ts'
import { readLastUser } from './lastUser.ts'
import { createLoad } from './load.ts'

/** The default from the service's last answer, in the user's private storage. */
export const defaultCache = createCached('defaultSignature', 2, parseCachedSignature)

/** Restores the default that this user's last pane stored, until the service answers. */
export const restoreDefault: AppEffect = (event$, _state$, ports) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() =>
      readLastUser(ports).pipe(
        filter((userId) => userId !== null),
        switchMap((userId) => defaultCache.read(ports.storage.privateCache(userId), userId)),
        filter((signature) => signature !== null),
        map((signature) => Defaults.restored({ signature })),
        whileSignedIn(event$),
      ),
    ),
  )

/** Loads the default signature with its images. */
export const loadDefault = createLoad(
  ({ defaults }) => defaults.load,
  Defaults,
  ({ api }) => api.signature({}),
)

/** Stores the default for the next pane. */
export const keepDefault: AppEffect = (event$, state$, { storage }) =>
  event$.pipe(
    ofType(Defaults.loaded),
    concatMap(({ data: { value } }) => {
      const { auth } = state$.value
      if (auth.status !== 'success') return EMPTY
      const { userId } = auth.session
      return defaultCache.write(storage.privateCache(userId), userId, value)
    }),
    ignoreElements(),
  )

/** Inserts the default into the open message as soon as both are known, unless the user chose for this message. */
export const pushDefault: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(
      Mailbox.messageRead,
      Defaults.restored,
      Defaults.loaded,
      Insertion.succeeded,
      Insertion.failed,
      Insertion.superseded,
      Settings.loaded,
      Settings.loadFailed,
      Settings.updated,
    ),
    // Waits for the settings: the user may have switched the default off.
    filter(() => state$.value.settings.status !== 'pending'),
    concatMap(() => {
      const { settings, mailbox, insertion } = state$.value
      if (!settings.enableSignaturePush || mailbox.item?.mode !== 'compose' || !mailbox.message) return EMPTY
      const signature = selectDefaultSignature(state$.value)
      const hash = dueDefault(insertion, signature, mailbox.item.key, mailbox.message)
      return hash === null ? EMPTY : of(Insertion.defaultDue({ itemKey: mailbox.item.key, hash }))
    }),
  )

/** Makes a signature the default, in the user's metadata and then at the service (specification, section 4). */
export const changeDefault: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Defaults.changeRequested),
    concatMap(({ data: { combinedIds, use } }) => {
      // A change that was queued when the session ended is dropped.
      if (!isSignedIn(state$.value.auth)) return EMPTY
      const profile = selectProfile(state$.value)
      if (!profile) return of(Defaults.changeFailed({ combinedIds, use, failure: { kind: 'entryGone' } }))
      const former = profile.metadata.defaultSignature
      const defaultSignature =
        use === 'master'
          ? { master: combinedIds, reply: former?.reply ?? null }
          : { master: former?.master ?? combinedIds, reply: combinedIds }
      return api
        .saveVariables({ values: {}, resetFields: [], metadata: { ...profile.metadata, defaultSignature } })
        .pipe(
          concatMap(() => (use === 'master' ? api.saveDefaultSignature(combinedIds) : of(undefined))),
          settle(
            () => Defaults.changed({ combinedIds, use }),
            (failure) => Defaults.changeFailed({ combinedIds, use, failure }),
          ),
          whileSignedIn(event$),
        )
    }),
  )
