import {
  concatMap,
  EMPTY,
  expand,
  filter,
  forkJoin,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  pairwise,
  switchMap,
  takeLast,
} from 'rxjs'
import { isSignedIn } from '../../streams/message/auth/rules.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { wasBegunBy } from '../../streams/kernel/load.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { debounceBy, timeLimit } from '../../streams/kernel/time.ts'
import { Picture } from '../../streams/pane/picture/events.ts'
import { Profile } from '../../streams/message/profile/events.ts'
import { lastArrangedPage } from '../../streams/pane/signatures/arranging.ts'
import { type ListName, Signatures } from '../../streams/message/signatures/events.ts'
import type { SignaturePage } from '../../streams/wire/signatures.ts'
import { pageAfter } from '../../streams/message/signatures/list.ts'
import { mergeFavourites } from '../../streams/message/signatures/rules.ts'
import { selectEntry } from '../../streams/pane/signatures/selectors.ts'
import { isWithinHtmlLimits } from '../../streams/html/limits.ts'
import { tooLargeError } from '../../streams/html/parts.ts'
import { htmlToText } from '../../streams/html/text.ts'
import { Variables } from '../../streams/pane/variables/events.ts'
import { type AppEffect, whileSignedIn } from '../message/app.ts'
import { createValueCache, createRestoreEffect } from './cached.ts'

/** How long the service needs to rerender the signatures after a change (specification, section 9). */
export const RELOAD_DELAY_MS = 2000

const parseIds = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((ids) => typeof ids === 'string') : null

/** The `combinedIds` of the recently used signatures, latest first, in the user's private storage. */
export const recentSignaturesCache = createValueCache<readonly string[]>('recentSignatures', 2, parseIds)

/**
 * The favourites' `combinedIds`, oldest first. They are kept after a sign-out, because the service does not store them.
 */
export const favouritesStore = createValueCache<readonly string[]>('favouriteSignatures', 1, parseIds)

/** Loads both lists page by page. After a reset, a newer request cancels a pending one. */
export const loadSignaturePages: AppEffect = (event$, state$, { api }) => {
  const request = (list: ListName, page: number) => {
    const { settings, signatures } = state$.value
    const query = { page, withImages: settings.enableEmbedImages }
    return list === 'own'
      ? api.signatures(query)
      : api.delegatedSignatures({ ...query, userIds: signatures.delegations })
  }
  const pagesOf = (list: ListName) =>
    event$.pipe(
      filter((event) => wasBegunBy(state$.value.signatures[list].load, event)),
      switchMap(() => {
        const { epoch } = state$.value.signatures[list]
        const page = pageAfter(state$.value.signatures[list])
        if (page === null) return EMPTY
        return request(list, page).pipe(
          settle(
            (loaded) => Signatures.pageLoaded({ list, epoch, page: loaded }),
            ({ failure }) => Signatures.pageFailed({ list, epoch, page, failure }),
          ),
          whileSignedIn(event$),
        )
      }),
    )
  return merge(pagesOf('own'), pagesOf('delegated'))
}

/** After a change, reloads the lists and the default once the service has had time to render it. */
export const reloadAfterChange: AppEffect = (event$, state$, { time }) =>
  event$.pipe(
    ofType(Variables.saved, Picture.saved, Picture.deleted),
    debounceBy(RELOAD_DELAY_MS, time),
    filter(() => isSignedIn(state$.value.auth)),
    map(() => Signatures.reloadDue()),
  )

/**
 * Loads a list's pages one after the other, up to page `last`, and merges them into one page. Stops at the end of the
 * list.
 */
const upToPage = (last: number, request: (page: number) => Observable<SignaturePage>) =>
  request(1).pipe(
    map((first) => ({ ...first, page: 1 })),
    expand((before) =>
      before.page < last && before.objects.length < before.total
        ? request(before.page + 1).pipe(
            map(({ total, objects }) => ({
              page: before.page + 1,
              total,
              objects: [...before.objects, ...objects],
            })),
          )
        : EMPTY,
    ),
    takeLast(1),
  )

/**
 * Reloads the lists up to the last page with a signature of the arrangement, so that these signatures keep their
 * places. The current entries stay visible until the response. A later reload cancels a pending one, because the users
 * who share their signatures may have changed.
 */
export const refreshSignatureLists: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    filter((event) => wasBegunBy(state$.value.signatures.refresh, event)),
    switchMap(() => {
      const { settings, signatures } = state$.value
      const { own, delegations } = signatures
      const withImages = settings.enableEmbedImages
      const userIds = delegations
      return forkJoin({
        own: upToPage(lastArrangedPage(signatures, 'own'), (page) => api.signatures({ page, withImages })),
        delegated:
          delegations.length === 0
            ? of(null)
            : upToPage(lastArrangedPage(signatures, 'delegated'), (page) =>
                api.delegatedSignatures({ page, withImages, userIds }),
              ),
      }).pipe(
        settle((lists) => Signatures.refreshed({ epoch: own.epoch, ...lists }), Signatures.refreshFailed),
        whileSignedIn(event$),
      )
    }),
  )

/** Stores the recently used signatures for this user's next pane. */
export const storeRecentSignatures: AppEffect = (event$, state$, { storage }) =>
  event$.pipe(
    ofType(Insertion.succeeded),
    filter(({ data }) => data.target.kind === 'entry'),
    concatMap(() => {
      const { auth, signatures } = state$.value
      if (auth.status !== 'success') return EMPTY
      const { userId } = auth.session
      return recentSignaturesCache.write(storage.privateCache(userId), userId, signatures.recent)
    }),
    ignoreElements(),
  )

export const restoreRecentSignatures = createRestoreEffect(recentSignaturesCache, 'privateCache', (recent) =>
  Signatures.recentRestored({ recent: recent ?? [] }),
)

export const restoreFavourites = createRestoreEffect(favouritesStore, 'privateDrafts', (favourites) =>
  Signatures.favouritesRestored({ favourites: favourites ?? [] }),
)

/** Stores the favourites when the user changes them, and when a favourite is no longer listed. Logs a failure. */
export const keepFavourites: AppEffect = (event$, state$, { storage }) =>
  event$.pipe(
    ofType(
      Signatures.favouritesRestored,
      Signatures.favouriteChanged,
      Signatures.pageLoaded,
      Signatures.refreshed,
      Profile.loaded,
    ),
    map(({ type }) => ({ ...state$.value, isRestored: type === Signatures.favouritesRestored.type })),
    filter(({ auth, signatures }) => isSignedIn(auth) && !signatures.restoring.favourites),
    map(({ auth, signatures, isRestored }) => ({
      userId: auth.status === 'success' ? auth.session.userId : '',
      favourites: signatures.favourites,
      isRestored,
    })),
    pairwise(),
    filter(([before, { favourites, isRestored }]) => !isRestored && before.favourites !== favourites),
    concatMap(([before, { userId, favourites }]) => {
      const store = storage.privateDrafts(userId)
      return favouritesStore
        .read(store, userId)
        .pipe(
          switchMap((stored) =>
            favouritesStore.write(
              store,
              userId,
              mergeFavourites(stored ?? [], before.favourites, favourites),
            ),
          ),
        )
    }),
    ignoreElements(),
  )

/** A slower write to the clipboard counts as refused, so that the next copy can begin. */
export const COPY_LIMIT_MS = 5_000

/**
 * Copies a signature as text and as HTML with remote images, for places where Signet cannot insert it. Copies run one
 * after the other: the last one ends up in the clipboard, and each copy has its own outcome.
 */
export const copySignature: AppEffect = (event$, state$, { clipboard, sanitizer, time }) =>
  event$.pipe(
    ofType(Signatures.copyRequested),
    map(({ data: { entryId } }) => ({ entryId, entry: selectEntry(entryId)(state$.value) })),
    concatMap(({ entryId, entry }) =>
      sanitizer().pipe(
        switchMap((sanitize) => {
          if (!entry) throw new Failed({ kind: 'entryGone' })
          if (!isWithinHtmlLimits(entry.html)) throw new Failed(tooLargeError(entry.html))
          const html = sanitize(entry.html, 'insert')
          return clipboard.write({ html, text: htmlToText(html) })
        }),
        timeLimit(COPY_LIMIT_MS, time, () => new Failed({ kind: 'clipboard' })),
        settle(
          () => Signatures.copied({ entryId }),
          ({ failure }) => Signatures.copyFailed({ entryId, failure }),
        ),
      ),
    ),
  )
