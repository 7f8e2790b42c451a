import { concatMap, filter, ignoreElements, map } from 'rxjs'
import { selectDefaultSignature } from '../streams/defaults/selectors.ts'
import { Insertion } from '../streams/insertion/events.ts'
import { ofType } from '../streams/kernel/event.ts'
import { Notifications } from '../streams/notifications/events.ts'
import type { AppEffect } from './app.ts'

/** A default that could not be inserted is told in the message too: the user did not ask for it and may not look here. */
export const tellOfMissingDefault: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Insertion.failed),
    filter(({ data }) => data.target.kind === 'default' && data.failure.kind !== 'itemGone'),
    map(({ data: { itemKey } }) =>
      Notifications.shown({
        itemKey,
        notice: {
          kind: 'defaultNotInserted',
          signature: selectDefaultSignature(state$.value)?.name ?? '',
        },
      }),
    ),
  )

/** An inserted signature makes the notice of its absence wrong. */
export const dismissWhenInserted: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Insertion.succeeded),
    filter(({ data: { itemKey } }) => state$.value.notifications.shownIn === itemKey),
    map(({ data: { itemKey } }) => Notifications.dismissed({ itemKey })),
  )

/** Shows and dismisses notices in the mail item; the mail host logs a failure. */
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
