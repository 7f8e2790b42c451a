import { concatMap, filter, ignoreElements, map } from 'rxjs'
import { ofType } from '../streams/kernel/event.ts'
import { Notifications } from '../streams/notifications/events.ts'
import { Signatures } from '../streams/signatures/events.ts'
import type { AppEffect } from './app.ts'

/** A default that could not be inserted is told in the message too: nobody asked for it, so nobody watches the pane. */
export const tellOfMissingDefault: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Signatures.insertionFailed),
    filter(({ data }) => data.target.kind === 'default' && data.failure.kind !== 'itemGone'),
    map(({ data }) =>
      Notifications.shown({
        itemKey: data.itemKey,
        notice: {
          kind: 'defaultNotInserted',
          signature: state$.value.signatures.default.signature?.name ?? '',
        },
      }),
    ),
  )

/** A signature that is in makes the notice of its absence wrong. */
export const dismissWhenInserted: AppEffect = (event$) =>
  event$.pipe(
    ofType(Signatures.insertionSucceeded),
    map(({ data }) => Notifications.dismissed({ itemKey: data.itemKey })),
  )

/** Shows and dismisses notices in the mail item; a failure is only logged, by the mail host. */
export const showNotices: AppEffect = (event$, _state$, { host, noticeText }) =>
  event$.pipe(
    ofType(Notifications.shown, Notifications.dismissed),
    concatMap((event) =>
      event.type === 'notifications/shown'
        ? host.showNotice(event.data.itemKey, noticeText(event.data.notice))
        : host.dismissNotice(event.data.itemKey),
    ),
    ignoreElements(),
  )
