import {
  concat,
  concatMap,
  EMPTY,
  exhaustMap,
  filter,
  forkJoin,
  groupBy,
  ignoreElements,
  map,
  mergeMap,
  of,
  switchMap,
  takeUntil,
} from 'rxjs'
import { App } from '../streams/app/events.ts'
import { Auth } from '../streams/auth/events.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { Failed } from '../streams/kernel/failure.ts'
import { settle } from '../streams/kernel/settle.ts'
import { startAfter } from '../streams/kernel/time.ts'
import { Mailbox } from '../streams/mailbox/events.ts'
import { PictureEvents } from '../streams/picture/events.ts'
import { ProfileEvents } from '../streams/profile/events.ts'
import { SettingsEvents } from '../streams/settings/events.ts'
import { type CachedSignature, type ListName, Signatures } from '../streams/signatures/events.ts'
import { dueDefault, findEntry, nextPage } from '../streams/signatures/rules.ts'
import { toText } from '../streams/html/text.ts'
import { Variables } from '../streams/variables/events.ts'
import type { AppEffect } from './app.ts'
import { LAST_PERSON } from './auth.ts'

/** Where private storage keeps the default signature of the last answer. */
export const SNAPSHOT = 'defaultSignature'
/** Grows whenever `CachedSignature` changes its shape; what another version left is not read. */
const SNAPSHOT_VERSION = 1
/** Where private storage keeps what was used last. */
export const RECENT = 'recentSignatures'
/** Specification, section 9: so long after a change the service has rendered the signatures anew. */
export const RELOAD_DELAY_MS = 2000

const readSnapshot = (value: unknown, userId: string): CachedSignature | null => {
  const { version, owner, signature } = (value ?? {}) as Record<string, unknown>
  return version === SNAPSHOT_VERSION && owner === userId ? (signature as CachedSignature) : null
}

/**
 * Before any answer: the default that this person's last pane left in private storage. Nothing is read unless the
 * mail client says that the mailbox is theirs.
 */
export const restoreSnapshot: AppEffect = (event$, _state$, { host, storage }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => forkJoin({ last: storage.local.get(LAST_PERSON), user: host.user() })),
    switchMap(({ last, user }) => {
      const { email, userId } = (last ?? {}) as Record<string, unknown>
      if (typeof userId !== 'string' || userId === '' || !user || email !== user.email.toLowerCase())
        return EMPTY
      return storage
        .privateCache(userId)
        .get(SNAPSHOT)
        .pipe(
          map((value) => readSnapshot(value, userId)),
          filter((signature) => signature !== null),
          map((signature) => Signatures.snapshotRestored({ signature })),
          takeUntil(event$.pipe(ofType(Auth.signedOut))),
        )
    }),
  )

/** Whoever signs in gets their default signature and the first page of their list, at the same time. */
export const loadOnSignIn: AppEffect = (event$) =>
  event$.pipe(
    ofType(Auth.verified, Auth.sessionRecovered),
    concatMap(() => of(Signatures.cacheRequested(), Signatures.nextPageWanted({ list: 'own' }))),
  )

/** Whoever others delegate to gets the signatures of those. */
export const loadDelegated: AppEffect = (event$) =>
  event$.pipe(
    ofType(ProfileEvents.loaded),
    map(() => Signatures.nextPageWanted({ list: 'delegated' })),
  )

/** Loads the default signature with its images. */
export const loadCache: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Signatures.cacheRequested),
    filter(() => isSignedIn(state$.value.auth)),
    switchMap(() =>
      api.signature({}).pipe(
        settle(
          (signature) => Signatures.cacheLoaded({ signature }),
          (failure) => Signatures.cacheFailed({ failure }),
        ),
        takeUntil(event$.pipe(ofType(Auth.signedOut))),
      ),
    ),
  )

/** Keeps the default for the next pane, in the private storage of the person it belongs to. */
export const keepSnapshot: AppEffect = (event$, state$, { storage }) =>
  event$.pipe(
    ofType(Signatures.cacheLoaded),
    concatMap(({ data }) => {
      const { auth } = state$.value
      if (auth.status !== 'success') return EMPTY
      const { userId } = auth.session
      const snapshot = { version: SNAPSHOT_VERSION, owner: userId, signature: data.signature }
      return storage.privateCache(userId).set(SNAPSHOT, snapshot)
    }),
    ignoreElements(),
  )

/** Asks for the page that is next, unless it is on its way or nobody delegates to this person. */
export const turnPages: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Signatures.nextPageWanted),
    concatMap(({ data: { list } }) => {
      const { auth, profile, signatures } = state$.value
      const page = nextPage(signatures[list])
      const hasNobody = list === 'delegated' && (profile.profile?.delegations.length ?? 0) === 0
      return page === null || hasNobody || !isSignedIn(auth)
        ? EMPTY
        : of(Signatures.pageRequested({ list, page, epoch: signatures[list].epoch }))
    }),
  )

/** Loads pages, of each list one at a time; a newer request takes the place of one from before a reset. */
export const loadPages: AppEffect = (event$, state$, { api }) => {
  const ask = (list: ListName, page: number) => {
    const { profile, settings } = state$.value
    const query = { page, withImages: settings.enableEmbedImages }
    return list === 'own'
      ? api.signatures(query)
      : api.delegatedSignatures({ ...query, userIds: profile.profile?.delegations ?? [] })
  }
  return event$.pipe(
    ofType(Signatures.pageRequested),
    groupBy(({ data }) => data.list),
    mergeMap((ofOneList$) =>
      ofOneList$.pipe(
        switchMap(({ data: { list, page, epoch } }) =>
          ask(list, page).pipe(
            settle(
              (loaded) => Signatures.pageLoaded({ list, epoch, page: loaded }),
              (failure) => Signatures.pageFailed({ list, epoch, page, failure }),
            ),
            takeUntil(event$.pipe(ofType(Auth.signedOut))),
          ),
        ),
      ),
    ),
  )
}

/** What changes how signatures look resets them and loads them anew. */
export const reloadAfterChange: AppEffect = (event$) =>
  event$.pipe(
    ofType(Variables.saved, PictureEvents.saved, PictureEvents.deleted),
    map(({ type }) =>
      // Whoever delegates shows this person's picture, perhaps, but never their variables.
      Signatures.reloadRequested({ lists: type === 'variables/saved' ? ['own'] : ['own', 'delegated'] }),
    ),
  )

/** After the service had time to render them, the default and the first pages load in parallel. */
export const reload: AppEffect = (event$, _state$, { time }) =>
  event$.pipe(
    ofType(Signatures.reloadRequested),
    switchMap(() =>
      startAfter(RELOAD_DELAY_MS, time, () =>
        of(
          Signatures.cacheRequested(),
          // A list that was not reset has its first page, or asks for the next one that it wants anyway.
          Signatures.nextPageWanted({ list: 'own' }),
          Signatures.nextPageWanted({ list: 'delegated' }),
        ),
      ).pipe(takeUntil(event$.pipe(ofType(Auth.signedOut)))),
    ),
  )

/**
 * Looks again for the lists from their beginning, and for the default, while what is shown stays. A wish that comes
 * while one is under way is that one.
 */
export const refresh: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Signatures.refreshRequested),
    filter(() => isSignedIn(state$.value.auth)),
    exhaustMap(() => {
      const { profile, settings, signatures } = state$.value
      const { epoch } = signatures.own
      const query = { page: 1, withImages: settings.enableEmbedImages }
      const userIds = profile.profile?.delegations ?? []
      const lists$ = forkJoin({
        own: api.signatures(query),
        delegated: userIds.length === 0 ? of(null) : api.delegatedSignatures({ ...query, userIds }),
      })
      return concat(
        of(Signatures.cacheRequested()),
        lists$.pipe(
          settle(
            (lists) => Signatures.refreshed({ epoch, ...lists }),
            (failure) => Signatures.refreshFailed({ failure }),
          ),
        ),
      ).pipe(takeUntil(event$.pipe(ofType(Auth.signedOut))))
    }),
  )

/** Remembers what was used last, for this person's next pane. */
export const keepRecent: AppEffect = (event$, state$, { storage }) =>
  event$.pipe(
    ofType(Signatures.insertionSucceeded),
    filter(({ data }) => data.target.kind === 'entry'),
    concatMap(() => {
      const { auth, signatures } = state$.value
      return auth.status === 'success'
        ? storage.privateCache(auth.session.userId).set(RECENT, signatures.recent)
        : EMPTY
    }),
    ignoreElements(),
  )

export const restoreRecent: AppEffect = (event$, _state$, { storage }) =>
  event$.pipe(
    ofType(Auth.verified, Auth.sessionRecovered),
    switchMap(({ data: { session } }) =>
      storage
        .privateCache(session.userId)
        .get(RECENT)
        .pipe(
          map((kept) => (Array.isArray(kept) ? kept.filter((ids) => typeof ids === 'string') : [])),
          filter((recent) => recent.length > 0),
          map((recent) => Signatures.recentRestored({ recent })),
          takeUntil(event$.pipe(ofType(Auth.signedOut))),
        ),
    ),
  )

/** Puts the default into the message that is open, as soon as both are known, unless a choice was made for it. */
export const pushDefault: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(
      Mailbox.messageRead,
      Signatures.snapshotRestored,
      Signatures.cacheLoaded,
      Signatures.insertionSucceeded,
      Signatures.insertionFailed,
      Signatures.insertionSuperseded,
      SettingsEvents.loaded,
      SettingsEvents.loadFailed,
      SettingsEvents.updated,
    ),
    // What the person wants to happen by itself is not known yet.
    filter(() => state$.value.settings.status !== 'pending'),
    concatMap(() => {
      const { settings, mailbox, signatures } = state$.value
      if (!settings.enableSignaturePush || mailbox.item?.mode !== 'compose' || !mailbox.message) return EMPTY
      const hash = dueDefault(signatures, mailbox.item.key, mailbox.message)
      return hash === null ? EMPTY : of(Signatures.defaultDue({ itemKey: mailbox.item.key, hash }))
    }),
  )

/**
 * Makes a signature the default, in the person's metadata and then at the service (specification, section 4). When
 * the second call fails nobody guesses which half is true: profile and default are read again.
 */
export const changeDefault: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Signatures.defaultChangeRequested),
    concatMap(({ data: { combinedIds, use } }) => {
      // What waited for its turn when the person left is nobody's.
      if (!isSignedIn(state$.value.auth)) return EMPTY
      const { profile } = state$.value.profile
      if (!profile)
        return of(Signatures.defaultChangeFailed({ combinedIds, use, failure: { kind: 'entryGone' } }))
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
            () => Signatures.defaultChanged({ combinedIds, use }),
            (failure) => Signatures.defaultChangeFailed({ combinedIds, use, failure }),
          ),
          takeUntil(event$.pipe(ofType(Auth.signedOut))),
        )
    }),
  )

/** After an attempt to change the default, what is true is read again. */
export const readDefaultAgain: AppEffect = (event$) =>
  event$.pipe(
    ofType(Signatures.defaultChanged, Signatures.defaultChangeFailed),
    concatMap(() => of(ProfileEvents.reloadRequested(), Signatures.cacheRequested())),
  )

/** Copies a signature with its remote images, and its text, for where inserting is impossible. */
export const copy: AppEffect = (event$, state$, { clipboard, sanitizer }) =>
  event$.pipe(
    ofType(Signatures.copyRequested),
    exhaustMap(({ data: { uuid } }) => {
      const entry = findEntry(state$.value.signatures, uuid)
      return sanitizer().pipe(
        switchMap((sanitize) => {
          if (!entry) throw new Failed({ kind: 'entryGone' })
          const html = sanitize(entry.html, 'insert')
          return clipboard.write({ html, text: toText(html) })
        }),
        settle(
          () => Signatures.copied({ uuid }),
          (failure) => Signatures.copyFailed({ uuid, failure }),
        ),
      )
    }),
  )
