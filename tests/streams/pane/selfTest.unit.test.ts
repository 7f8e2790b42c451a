import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evolveApp } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { type SelfTestFindings, SelfTest } from '../../../streams/pane/selfTest/events.ts'
import { selfTest } from '../../../streams/pane/selfTest/reducer.ts'
import {
  type SelfTestCheck,
  selfTestChecks,
  clockOffset,
  judgeCheck,
} from '../../../streams/pane/selfTest/rules.ts'
import { findings as anyFindings } from '../../support/arbitraries.ts'
import type { LaunchOutcome } from '../../../streams/launch/events.ts'
import type { LaunchRecord } from '../../../streams/launch/record.ts'
import { freshState, recorded } from '../../support/state.ts'

const AT = 1_000_000_000
const MINUTE_MS = 60_000
const well: SelfTestFindings = {
  host: {
    name: 'outlook',
    version: '16.0',
    platform: 'PC',
    requirementSets: { Mailbox: '1.15' },
    clientSignature: false,
  },
  launch: {
    outcome: 'inserted',
    at: AT,
    ms: 200,
    age: 720_000,
    runtime: 'page',
    told: [],
  },
  storage: { lasting: 'indexedDB', session: 'sessionStorage' },
  service: { call: 'GET /x', status: 200, ms: 100, date: AT, failure: null },
  signIn: { status: 'success', method: 'nested', expiresAt: AT + MINUTE_MS },
}
const launched = (outcome: LaunchOutcome): LaunchRecord => ({
  outcome,
  at: AT,
  ms: 200,
  age: 720_000,
  runtime: 'page',
  told: [],
})
const http = (status: number) => ({
  ...well.service,
  status,
  date: null,
  failure: { kind: 'http', status, code: null, data: null } as const,
})

describe('the verdict on the findings', () => {
  test('[KNOW-4] is ok in every check when nothing is missing', () => {
    for (const check of selfTestChecks)
      expect(judgeCheck(check, well, AT)).toEqual({ result: 'ok', advice: null })
  })

  const host = (requirementSets: Readonly<Record<string, string>>, name = 'outlook') => ({
    host: { ...well.host, name, requirementSets },
  })
  test.each<[string, Partial<SelfTestFindings>, SelfTestCheck, string, string]>([
    ['no mail client', host({}, 'standalone'), 'host', 'attention', 'openOutlook'],
    ['no mail client', host({}, 'standalone'), 'requirements', 'attention', 'openOutlook'],
    ['an Outlook without a mailbox', host({}), 'requirements', 'failed', 'updateHost'],
    ['an old Outlook', host({ Mailbox: '1.9' }), 'requirements', 'failed', 'updateHost'],
    [
      "a signature of Outlook's own",
      { host: { ...well.host, clientSignature: true } },
      'clientSignature',
      'attention',
      'turnClientSignatureOff',
    ],
    ['a message without a launch event', { launch: null }, 'launch', 'attention', 'deploy'],
    ...(
      [
        ['signInNeeded', 'signIn'],
        ['offline', 'connection'],
        ['failed', 'administrator'],
        ['late', 'administrator'],
      ] as const
    ).map(([outcome, advice]): [string, Partial<SelfTestFindings>, SelfTestCheck, string, string] => [
      `a launch event with the outcome ${outcome}`,
      { launch: launched(outcome) },
      'launch',
      'attention',
      advice,
    ]),
    [
      'storage that does not last',
      { storage: { ...well.storage, lasting: 'memory' } },
      'storage',
      'attention',
      'allowStorage',
    ],
    [
      'no session storage',
      { storage: { ...well.storage, session: 'memory' } },
      'storage',
      'attention',
      'allowStorage',
    ],
    [
      'an answer without a date',
      { service: { ...well.service, date: null } },
      'clock',
      'attention',
      'compareClock',
    ],
    [
      'a clock 6 minutes slow',
      { service: { ...well.service, date: AT + 6 * MINUTE_MS } },
      'clock',
      'attention',
      'setClock',
    ],
    [
      'a clock 6 minutes fast',
      { service: { ...well.service, date: AT - 6 * MINUTE_MS } },
      'clock',
      'attention',
      'setClock',
    ],
    ['a slow service', { service: { ...well.service, ms: 2001 } }, 'service', 'attention', 'wait'],
    [
      'no network',
      { service: { ...well.service, status: null, failure: { kind: 'network' } } },
      'service',
      'failed',
      'connection',
    ],
    [
      'no answer in time',
      { service: { ...well.service, status: null, failure: { kind: 'timeout' } } },
      'service',
      'failed',
      'wait',
    ],
    ['a rejected token', { service: http(401) }, 'service', 'failed', 'signIn'],
    ['a service that is down', { service: http(503) }, 'service', 'failed', 'wait'],
    ['a broken service', { service: http(500) }, 'service', 'failed', 'administrator'],
    [
      'a malformed answer',
      { service: { ...well.service, failure: { kind: 'malformed', at: 'body' } } },
      'service',
      'failed',
      'administrator',
    ],
    ['no user signed in', { signIn: { ...well.signIn, status: 'signedOut' } }, 'signIn', 'failed', 'signIn'],
    ['a sign-in under way', { signIn: { ...well.signIn, status: 'pending' } }, 'signIn', 'attention', 'wait'],
    ['an expired token', { signIn: { ...well.signIn, expiresAt: AT } }, 'signIn', 'failed', 'signIn'],
  ])('[KNOW-4] %s: %#', (_, found, check, result, advice) => {
    expect(judgeCheck(check, { ...well, ...found }, AT)).toEqual({ result, advice })
  })

  test('[KNOW-4] an unknown Outlook signature is ok: no message may be open', () => {
    const unknown = { ...well, host: { ...well.host, clientSignature: null } }
    expect(judgeCheck('clientSignature', unknown, AT)).toEqual({ result: 'ok', advice: null })
  })

  test('[KNOW-4] a clock less than five minutes fast or slow is ok', () => {
    for (const minutes of [-4.9, 0, 4.9])
      expect(
        judgeCheck('clock', { ...well, service: { ...well.service, date: AT + minutes * MINUTE_MS } }, AT)
          .result,
      ).toBe('ok')
    expect(clockOffset({ service: { ...well.service, ms: 1000, date: AT - 10_000 } }, AT)).toBe(9000)
  })

  test('[KNOW-4] a check has advice exactly when it is not ok, for any findings', () => {
    fc.assert(
      fc.property(anyFindings, fc.nat(), (found, at) => {
        for (const check of selfTestChecks) {
          const { result, advice } = judgeCheck(check, found, at)
          expect(advice === null).toBe(result === 'ok')
        }
      }),
    )
  })
})

test('[KNOW-4] earlier findings stay while the test runs again, and go with the session', () => {
  const first = evolveApp(freshState(), recorded(SelfTest.ended({ findings: well }), 1, AT))
  expect(first.selfTest).toMatchObject({ isRunning: false, result: { findings: well, endedAt: AT } })
  const again = evolveApp(first, recorded(SelfTest.requested()))
  expect(again.selfTest).toMatchObject({ isRunning: true, result: { findings: well, endedAt: AT } })
  const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: null })
  expect(evolveApp(again, recorded(signedOut)).selfTest).toEqual(selfTest.initial)
})
