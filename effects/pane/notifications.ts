import { concatMap, filter, forkJoin, ignoreElements, map, switchMap } from 'rxjs'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { LAUNCH_RECORD_KEY, parseLaunchRecord } from '../../streams/launch/record.ts'
import { Notifications } from '../../streams/pane/notifications/events.ts'
import { selectDueSignature } from '../../streams/message/senders/selectors.ts'
import type { AppEffect } from '../message/app.ts'
import { bestEffort } from '../message/attempts.ts'

/** Also reports in the message that the default was not inserted, because the user may not look at the pane. */
export const reportMissingDefault: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Insertion.failed),
    filter(({ data }) => data.target.kind === 'default' && data.failure.kind !== 'itemGone'),
    map(({ data: { itemKey } }) => {
      const { name: signature = '', reply = false } = selectDueSignature(state$.value) ?? {}
      return Notifications.shown({ itemKey, notice: { kind: 'defaultNotInserted', signature, reply } })
    }),
  )

/** Dismisses the notice when a signature is inserted. */
export const dismissNoticeWhenInserted: AppEffect = (event$, state$) =>
  event$.pipe(
    ofType(Insertion.succeeded),
    filter(({ data: { itemKey } }) => state$.value.notifications.shownIn === itemKey),
    map(({ data: { itemKey } }) => Notifications.dismissed({ itemKey })),
  )

/** Shows and dismisses notices in the mail item. The mail host logs failures. */
export const showNotices: AppEffect = (event$, _state$, { host, noticeText }) =>
  event$.pipe(
    ofType(Notifications.shown, Notifications.dismissed),
    concatMap((event) =>
      event.type === 'notifications/shown'
        ? noticeText(event.data.notice).pipe(switchMap((text) => host.showNotice(event.data.itemKey, text)))
        : host.dismissNotice(event.data.itemKey),
    ),
    ignoreElements(),
  )

/** When a signature is inserted, removes the notice of a launch event that inserted no signature. */
export const dismissLaunchNotice: AppEffect = (event$, _state$, ports) =>
  event$.pipe(
    ofType(Insertion.succeeded),
    concatMap(({ data: { itemKey } }) => {
      const { host } = ports
      return host.sessionData(itemKey, LAUNCH_RECORD_KEY).pipe(
        map(parseLaunchRecord),
        filter((record) => record !== null && record.told.length > 0),
        switchMap((record) =>
          forkJoin([
            host.dismissLaunchNotice(itemKey),
            host.setSessionData(itemKey, LAUNCH_RECORD_KEY, JSON.stringify({ ...record, told: [] })),
          ]),
        ),
        (work$) => bestEffort(work$, 'launch_notice_not_dismissed', ports),
      )
    }),
  )
