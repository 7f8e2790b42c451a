import { type Observable, catchError, exhaustMap, forkJoin, map, of } from 'rxjs'
import { ofType } from '../../streams/kernel/event.ts'
import { type Failure, toFailure } from '../../streams/kernel/failure.ts'
import { now } from '../../streams/kernel/time.ts'
import type { MailItem } from '../../streams/message/mailbox/events.ts'
import { LAUNCH_RECORD_KEY, parseLaunchRecord } from '../../streams/launch/record.ts'
import { type SelfTestFindings, type LaunchFinding, SelfTest } from '../../streams/pane/selfTest/events.ts'
import { type AppEffect, whileSignedIn } from '../message/app.ts'
import type { MailHost } from '../ports.ts'

/** The call that tests the service. It changes nothing, needs no sign-in and has a short response. */
const CALL = 'GET /api/addin/maintenance'

const failureOf = (failure: Failure): Pick<SelfTestFindings['service'], 'status' | 'date' | 'failure'> => ({
  status: failure.kind === 'http' ? failure.status : null,
  date: null,
  failure,
})

/** Whether the mail client has its own signature; null unless a message is being written. */
const askClientSignature = (item: MailItem | null | undefined, host: MailHost): Observable<boolean | null> =>
  item?.mode === 'compose' ? host.clientSignature(item.key) : of(null)

/** The record of the last launch event in the current message. */
const askLaunch = (item: MailItem | null | undefined, host: MailHost): Observable<LaunchFinding> =>
  item?.mode === 'compose'
    ? host.sessionData(item.key, LAUNCH_RECORD_KEY).pipe(map(parseLaunchRecord))
    : of('unknown' as const)

/** Runs all checks of the self-test. A failed check is a finding and does not end the test. */
export const runSelfTest: AppEffect = (event$, state$, { host, identity, storage, api, time }) =>
  event$.pipe(
    ofType(SelfTest.requested),
    exhaustMap(() => {
      const begun = now(time)
      return forkJoin({
        lasting: storage.local.driver(),
        session: storage.session.driver(),
        clientSignature: askClientSignature(state$.value.mailbox.item, host),
        launch: askLaunch(state$.value.mailbox.item, host),
        service: api.probe().pipe(
          map((answer) => ({ ...answer, failure: null })),
          catchError((error: unknown) => of(failureOf(toFailure(error)))),
          map((answer) => ({ call: CALL, ms: now(time) - begun, ...answer })),
        ),
      }).pipe(
        map(({ lasting, session, clientSignature, launch, service }) => {
          const { auth } = state$.value
          const findings: SelfTestFindings = {
            host: { name: host.name, ...host.about, clientSignature },
            launch,
            storage: { lasting, session },
            service,
            signIn: {
              status: auth.status,
              method: identity.method(),
              expiresAt: auth.status === 'success' ? auth.session.expiresAt : null,
            },
          }
          return SelfTest.ended({ findings })
        }),
        whileSignedIn(event$),
      )
    }),
  )
