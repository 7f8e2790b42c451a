import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { of } from 'rxjs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AppEvent, LoggedEvent } from '../../streams/pane/events.ts'
import { sessionEndingFailure } from '../../streams/pane/sessionEnds.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import { eventData, eventOf } from '../support/arbitraries.ts'
import { complaintsOfLife, FAILURES } from '../support/failingCall.ts'
import { openPane } from '../support/pane.ts'
import { failing } from '../support/ports.ts'
import { endings, serviceCalls } from '../support/serviceCalls.ts'
import { cachedSignature, profile, replyVersion } from '../support/state.ts'

// Which failure of which call ends the session: through the whole application, for each call and each failure, and as
// docs/decisions/0015 says.

describe('the session', () => {
  it.each(serviceCalls)('[AUTH-8] ends by a failed $call exactly when it is rejected', (made) => {
    for (const failure of [null, ...FAILURES])
      expect(complaintsOfLife(made, failure), JSON.stringify(failure)).toEqual([])
  })

  it.each([
    [401, 'signedOut'],
    [404, 'success'],
    [503, 'success'],
  ] as const)(
    '[AUTH-8] a %d for the name of the signature in replies: the session is %s',
    (status, expected) => {
      const failure: Failure = { kind: 'http', status, code: null, data: null }
      const chosen = { master: 'c-standard', reply: 'c-short' }
      const pane = openPane({
        standard: cachedSignature({ reply: replyVersion('<p>A.</p>', null) }),
        profile: profile({ metadata: { defaultSignature: chosen, others: {} } }),
        prepare({ ports, service }) {
          ports.api.signature.answers(({ combinedIds }) =>
            combinedIds === undefined ? of(service.standard) : failing(failure),
          )
        },
      })
      pane.clock.advance(1000)
      expect(pane.ports.api.signature.calls).toContainEqual([{ combinedIds: 'c-short' }])
      expect(pane.app.state$.value.auth.status).toBe(expected)
    },
  )

  /** The events of calls that have a session; of every other event, no failure ends one. */
  const eventsOfCalls: Readonly<Partial<Record<LoggedEvent['type'], readonly number[]>>> = {
    'profile/loadFailed': [401, 404, 500],
    'picture/loadFailed': [401, 404, 500],
    'picture/changeFailed': [401, 404, 500],
    'signatures/pageFailed': [401, 404, 500],
    'signatures/refreshFailed': [401, 404, 500],
    'senders/loadFailed': [401, 404, 500],
    'defaults/changeFailed': [401, 500],
    'variables/loadFailed': [401, 404, 500],
    'variables/saveFailed': [401, 404, 500],
    'variables/statesFailed': [401, 404, 500],
    'defaults/loadFailed': [401, 500],
    'defaults/replyNameFailed': [401, 500],
    'insertion/failed': [401, 500],
    'configuration/loadFailed': [401],
    'subscription/loadFailed': [401],
    'maintenance/loadFailed': [401],
    'telemetry/sendFailed': [401],
  }
  const types = (Object.keys(eventData) as LoggedEvent['type'][]).filter((type) =>
    fc.sample(eventOf(type), 1).every(({ data }) => 'failure' in data),
  )

  it.each(types.map((type) => [type, eventsOfCalls[type] ?? []] as const))(
    '[AUTH-8] ends by %s with %j alone',
    (type, statuses) => {
      const [event] = fc.sample(eventOf(type), 1)
      const ended = FAILURES.filter(
        (failure) =>
          sessionEndingFailure({ ...event, data: { ...event?.data, failure } } as AppEvent) !== null,
      )
      expect(ended).toEqual(
        FAILURES.filter((failure) => failure.kind === 'http' && statuses.includes(failure.status)),
      )
    },
  )

  it('ends as the decision says', () => {
    const page = readFileSync(
      join(import.meta.dirname, '../../docs/decisions/0015-which-failures-end-a-session.md'),
      'utf8',
    )
    const rows = page
      .split('\n')
      .map((line) => /^\| `([^`]+)` +\|.*\| ([^|]*[^| ]) +\|$/.exec(line))
      .filter((row) => row !== null)
      .map(([, call, ends]) => [call, ends])
    const expected = Object.entries(endings).map(([call, ends]) => [
      call,
      typeof ends === 'string' ? ends : ends.join(', ') || 'none',
    ])
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected))
  })
})
