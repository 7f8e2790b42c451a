import { filter, forkJoin, map, of, switchMap } from 'rxjs'
import { App } from '../streams/app/events.ts'
import { ofType } from '../streams/kernel/event.ts'
import { type Inserted, Mailbox } from '../streams/mailbox/events.ts'
import type { AppEffect } from './app.ts'

/** The message's custom property that keeps the default signature out (specification, section 3, storage). */
export const STOP_PUSH = 'lsi_stop_push_signature'
/** The item's session data that remembers what Signet put into it. */
export const INSERTED = 'lsi_inserted'

const parseInserted = (json: string | null): Inserted | null => {
  try {
    const value = JSON.parse(json ?? 'null') as Partial<Inserted> | null
    return typeof value?.combinedIds === 'string' && typeof value.hash === 'string'
      ? {
          combinedIds: value.combinedIds,
          hash: value.hash,
          name: typeof value.name === 'string' ? value.name : '',
          reply: value.reply === true,
          manual: value.manual === true,
        }
      : null
  } catch {
    return null
  }
}

/** Asks the mail client who the person is. */
export const readUser: AppEffect = (event$, _state$, { host }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => host.user().pipe(map((user) => Mailbox.userRead({ user })))),
  )

/** Follows the mail client from item to item; the item may be null, which is a fact and no exception. */
export const followItem: AppEffect = (event$, _state$, { host }) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => host.item$.pipe(map((item) => Mailbox.itemChanged({ item })))),
  )

/** Reads what the rules need to know of the message that is being written; a newer item wins. */
export const readMessage: AppEffect = (event$, _state$, { host }) =>
  event$.pipe(
    ofType(Mailbox.itemChanged),
    map(({ data }) => data.item),
    switchMap((item) =>
      of(item).pipe(
        filter((open) => open?.mode === 'compose'),
        switchMap(() => {
          const key = item?.key ?? ''
          return forkJoin({
            composeType: host.composeType(key),
            bodyType: host.bodyType(key),
            from: host.from(key),
            recipients: host.recipients(key),
            properties: host.customProperties(key),
            inserted: host.sessionData(key, INSERTED),
          }).pipe(
            map(({ composeType, bodyType, from, recipients, properties, inserted }) =>
              Mailbox.messageRead({
                itemKey: key,
                message: {
                  composeType,
                  bodyType,
                  from,
                  ...recipients,
                  stopPush: properties[STOP_PUSH] === true,
                  inserted: parseInserted(inserted),
                },
              }),
            ),
          )
        }),
      ),
    ),
  )
