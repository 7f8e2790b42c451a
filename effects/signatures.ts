import {
  EMPTY,
  concatMap,
  exhaustMap,
  filter,
  forkJoin,
  ignoreElements,
  map,
  merge,
  of,
  switchMap,
  takeUntil,
} from 'rxjs'
import { App } from '../streams/app/events.ts'
import { Auth } from '../streams/auth/events.ts'
import { isSignedIn } from '../streams/auth/rules.ts'
import { ofType } from '../streams/kernel/event.ts'
import { settle } from '../streams/kernel/settle.ts'
import { Mailbox } from '../streams/mailbox/events.ts'
import { type CachedSignature, Signatures } from '../streams/signatures/events.ts'
import { dueDefault } from '../streams/signatures/rules.ts'
import type { AppEffect } from './app.ts'
import { LAST_PERSON } from './auth.ts'

/** Where private storage keeps the default signature of the last answer. */
export const SNAPSHOT = 'defaultSignature'
/** Grows whenever `CachedSignature` changes its shape; what another version left is not read. */
const SNAPSHOT_VERSION = 1

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
        .privateRoaming(userId)
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
    concatMap(() => of(Signatures.cacheRequested(), Signatures.pageRequested({ page: 1 }))),
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
      return storage.privateRoaming(userId).set(SNAPSHOT, snapshot)
    }),
    ignoreElements(),
  )

/** Loads one page of the list; one at a time. */
export const loadPage: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Signatures.pageRequested),
    filter(() => isSignedIn(state$.value.auth)),
    exhaustMap(({ data: { page } }) =>
      api.signatures({ page, withImages: state$.value.settings.enableEmbedImages }).pipe(
        settle(
          (loaded) => Signatures.pageLoaded({ page: loaded }),
          (failure) => Signatures.pageFailed({ page, failure }),
        ),
        takeUntil(event$.pipe(ofType(Auth.signedOut))),
      ),
    ),
  )

/** Puts the default into the message that is open, as soon as both are known, unless a choice was made for it. */
export const pushDefault: AppEffect = (event$, state$) =>
  merge(
    event$.pipe(ofType(Mailbox.messageRead)),
    event$.pipe(
      ofType(
        Signatures.snapshotRestored,
        Signatures.cacheLoaded,
        Signatures.insertionSucceeded,
        Signatures.insertionFailed,
        Signatures.insertionSuperseded,
      ),
    ),
  ).pipe(
    concatMap(() => {
      const { settings, mailbox, signatures } = state$.value
      if (!settings.enableSignaturePush || mailbox.item?.mode !== 'compose' || !mailbox.message) return EMPTY
      const hash = dueDefault(signatures, mailbox.item.key, mailbox.message)
      return hash === null ? EMPTY : of(Signatures.defaultDue({ itemKey: mailbox.item.key, hash }))
    }),
  )
