import { concatMap, EMPTY, filter, forkJoin, ignoreElements, map, type Observable, of } from 'rxjs'
import { Auth } from '../../streams/message/auth/events.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { now } from '../../streams/kernel/time.ts'
import {
  LAUNCH_FACTS_KEY,
  type LaunchFacts,
  latestLaunchFacts,
  parseLaunchFacts,
} from '../../streams/launch/facts.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import type { AppEffect } from '../message/app.ts'
import { bestEffort } from '../message/attempts.ts'
import { readMailboxAddress } from '../message/mailbox.ts'
import type { Ports } from '../ports.ts'

type FactPorts = Pick<Ports, 'host' | 'storage'>

/**
 * The storage key of a mailbox's facts. It differs from the key of the persistent choices, which is the plain address.
 */
const keyOf = (mailbox: string): string => `${mailbox} ${LAUNCH_FACTS_KEY}`

/** The facts for launch events: from the mailbox or from this browser, whichever are newer. */
export const readLaunchFacts = (
  mailbox: string | null,
  { host, storage }: FactPorts,
): Observable<LaunchFacts> =>
  (mailbox === null ? of(null) : storage.persistent.get(keyOf(mailbox))).pipe(
    map((stored) =>
      latestLaunchFacts(parseLaunchFacts(host.roaming[LAUNCH_FACTS_KEY]), parseLaunchFacts(stored)),
    ),
  )

/**
 * Stores facts for launch events on every device: whether the user switched off automatic insertion, and signed out or
 * in. If that fails, logs the failure; on this device, the browser's copy still applies.
 */
export const storeLaunchFacts: AppEffect = (event$, state$, ports) => {
  const { host, storage, time } = ports
  return event$.pipe(
    ofType(Settings.loaded, Settings.updated, Auth.signedOut, Auth.verified),
    filter((event) =>
      event.type === 'auth/signedOut'
        ? event.data.reason.kind === 'person'
        : state$.value.auth.status === 'success',
    ),
    concatMap((event) =>
      readMailboxAddress({ host }, null).pipe(
        filter((mailbox) => mailbox !== null),
        concatMap((mailbox) => forkJoin([of(mailbox), readLaunchFacts(mailbox, ports)])),
        concatMap(([mailbox, known]) => {
          const at = now(time)
          const { auth, settings } = state$.value
          const userId = auth.status === 'success' ? auth.session.userId : null
          const facts: LaunchFacts =
            event.type === 'auth/signedOut'
              ? { ...known, at, signedOutAt: at, isSignedOut: true }
              : event.type === 'auth/verified'
                ? { ...known, at, isSignedOut: false }
                : { ...known, at, userId, off: !settings.enableSignaturePush }
          const isKnown = facts.off === known.off && facts.isSignedOut === known.isSignedOut
          if (isKnown && event.type !== 'auth/signedOut') return EMPTY
          return bestEffort(
            forkJoin([
              storage.persistent.set(keyOf(mailbox), facts),
              host.saveRoaming(LAUNCH_FACTS_KEY, facts),
            ]),
            'launch_facts_not_kept',
            ports,
          )
        }),
      ),
    ),
    ignoreElements(),
  )
}
