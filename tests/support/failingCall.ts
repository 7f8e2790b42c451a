import { type Observable, of } from 'rxjs'
import type { Api, Ports } from '../../effects/ports.ts'
import { createWholeApp } from './app.ts'
import type { PaneGesture } from '../../streams/pane/events.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import { createHandle } from '../../streams/kernel/handle.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { Picture } from '../../streams/pane/picture/events.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { Variables } from '../../streams/pane/variables/events.ts'
import { createClock } from './clock.ts'
import { failing, mailboxPorts } from './ports.ts'
import { endings, type serviceCalls } from './serviceCalls.ts'
import { define, profile, session, verification } from './state.ts'

// Runs the whole application while one service call fails.

/**
 * A refusal with this code, as the service words it; without a code, the answer from a proxy in front of the service.
 */
const refused = (status: number, code: string | null): Failure => ({
  kind: 'http',
  status,
  code,
  data: code === null ? null : { code, message: 'Refused.' },
})

/** Each call failure that the application distinguishes. */
export const FAILURES: readonly Failure[] = [
  ...[400, 401, 403, 404, 409, 410, 422, 429, 500, 501, 503].map((status) => refused(status, 'fault')),
  ...[502, 503, 504].map((status) => refused(status, null)),
  // The answer to a pane that is out of date with the organisation's release.
  refused(400, 'unknown_variable'),
  refused(403, 'not_delegated'),
  refused(404, 'not_found'),
  refused(409, 'default_not_allowed'),
  refused(409, 'variable_is_locked'),
  { kind: 'network' },
  { kind: 'timeout' },
  { kind: 'malformed', at: 'data' },
]

/** Runs 12 minutes in which the user tries everything while the call fails with `failure`. Returns the violations. */
export function complaintsOfLife(
  { call, names }: (typeof serviceCalls)[number],
  failure: Failure | null,
): readonly string[] {
  const clock = createClock(Date.UTC(2026, 10, 20, 9))
  const { ports } = mailboxPorts(clock)
  ports.api.verify.answers(() =>
    of(verification({ token: createSecret('token'), expiresAt: clock.scheduler.now() + 900_000 })),
  )
  ports.api.renew.answers(() => of(session({ expiresAt: clock.scheduler.now() + 3_600_000 })))
  ports.api.user.answers(() => of(profile({ delegations: ['u-maria'] })))
  ports.api.variableDefinitions.answers(() => of([define('first_name')]))
  ports.api.variableValues.answers(() => of({ first_name: 'Alex' }))
  // The failure has the same type for every call.
  const failures: Readonly<Record<string, { answers: (answer$: Observable<never>) => void }>> = ports.api
  if (failure) for (const name of names) failures[name]?.answers(failing(failure))
  const app = createWholeApp({ production: false, beta: false }, (): Ports => ports)
  /** Does nothing for a signed-out user, who has no buttons to press. */
  const press = (...events: readonly PaneGesture[]) => {
    for (const event of events) if (app.state$.value.auth.status === 'success') app.record(event)
  }
  clock.advance(1000)
  press(Router.navigationRequested({ to: '/app/settings/variables' }))
  clock.advance(1000)
  press(
    Variables.edited({ path: 'first_name', value: 'Alexis' }),
    Variables.saveRequested({ occasion: 'person' }),
    Picture.offered({ file: createHandle('a file') }),
    Picture.saveRequested(),
  )
  clock.advance(3000)
  press(Picture.deleteRequested(), Defaults.changeRequested({ combinedIds: 'c-1-0', use: 'master' }))
  clock.advance(700_000)

  const {
    auth,
    profile: person,
    picture,
    variables,
    subscription,
    configuration,
    settings,
    signatures,
    defaults,
    insertion,
  } = app.state$.value
  const pending = {
    auth,
    person,
    picture: picture.url,
    change: picture.change?.attempt,
    variables: variables.load,
    saving: variables.save,
    subscription,
    configuration,
    settings,
    own: signatures.own.load,
    delegated: signatures.delegated.load,
    refresh: signatures.refresh,
    default: defaults.load,
    insertion: insertion.latest?.attempt,
  }
  const complaints = Object.entries(pending).flatMap(([name, part]) =>
    part?.status === 'pending' ? [`${name} is still pending`] : [],
  )
  if (signatures.reloading) complaints.push('signatures are still reloading')
  const types = app.log.map(({ type }) => type as string)
  const count = (type: string) => types.filter((each) => each === type).length
  if (types.includes('kernel/effectCrashed')) complaints.push('an effect crashed')
  if (!(names as readonly (keyof Api)[]).some((name) => ports.api[name].calls.length > 0))
    complaints.push('the call was never made')

  const ofSignIn = call === 'POST /authentication/addin/azure' && failure !== null
  const ends = endings[call]
  const isEnd = ends === 'every failure' || (failure?.kind === 'http' && ends.includes(failure.status))
  const wanted = failure !== null && isEnd ? 1 : 0
  if (count('auth/signedOut') !== wanted)
    complaints.push(`signed out ${String(count('auth/signedOut'))} times, not ${String(wanted)}`)
  if (ports.api.maintenance.calls.length > 12) complaints.push('maintenance is asked for without end')
  const edit = ports.storage.privateDrafts('u-alex').content()['variables'] as { value?: object } | undefined
  const isSaved = types.includes('variables/saved')
  if (
    !ofSignIn &&
    types.includes('variables/edited') &&
    !isSaved &&
    Object.keys(edit?.value ?? {}).length === 0
  )
    complaints.push('the edit is lost')
  app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
  app.stop()
  return complaints
}
