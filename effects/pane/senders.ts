import { exhaustMap, filter, map, of } from 'rxjs'
import { App } from '../../streams/pane/events.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { now } from '../../streams/kernel/time.ts'
import { Mailbox } from '../../streams/message/mailbox/events.ts'
import { Profile } from '../../streams/message/profile/events.ts'
import { SendersRead } from '../../streams/message/senders/events.ts'
import { sendersFromLists, neededSendersQuery } from '../../streams/pane/senders/wanted.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { type AppEffect, whileSignedIn } from '../message/app.ts'
import { readSenders } from '../message/readSenders.ts'

/**
 * Loads the signatures that may replace the default in a message. Loads them daily and after a possible change, but
 * never before the first signature is in the message. Sends no request if the loaded lists already contain these
 * signatures.
 */
export const loadSenders: AppEffect = (event$, state$, { api, time }) =>
  event$.pipe(
    ofType(
      App.retryRequested,
      App.serviceReachable,
      Auth.verified,
      Auth.sessionRecovered,
      Defaults.loaded,
      Profile.loaded,
      Settings.loaded,
      Settings.loadFailed,
      Settings.updated,
      Insertion.settled,
      Mailbox.itemChanged,
      Mailbox.messageRead,
      Signatures.pageLoaded,
      Signatures.refreshed,
      SendersRead.loaded,
    ),
    map(() => neededSendersQuery(state$.value, now(time))),
    filter((query) => query !== null),
    exhaustMap((query) => {
      const at = now(time)
      const known = sendersFromLists(state$.value, { ...query, at })
      return (known ? of(known) : readSenders(api, { ...query, at })).pipe(
        settle((senders) => SendersRead.loaded({ senders }), SendersRead.loadFailed),
        whileSignedIn(event$),
      )
    }),
  )
