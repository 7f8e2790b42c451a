import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Findings } from '../../streams/selfTest/events.ts'
import { SelfTest } from '../../streams/selfTest/events.ts'
import { type Check, checks, clockOffset, judge } from '../../streams/selfTest/rules.ts'
import { evolveSelfTest, initialSelfTest } from '../../streams/selfTest/reducer.ts'
import { findings as anyFindings } from '../support/arbitraries.ts'
import { recorded } from '../support/state.ts'

const AT = 1_000_000_000
const MINUTE = 60_000
const well: Findings = {
  host: {
    name: 'outlook',
    version: '16.0',
    platform: 'PC',
    requirementSets: { Mailbox: '1.15' },
    clientSignature: false,
  },
  storage: { lasting: 'indexedDB', session: 'sessionStorage' },
  service: { call: 'GET /x', status: 200, ms: 100, date: AT, failure: null },
  signIn: { status: 'success', method: 'nested', expiresAt: AT + MINUTE },
}
const http = (status: number) => ({
  ...well.service,
  status,
  date: null,
  failure: { kind: 'http', status, code: null, data: null } as const,
})

describe('the verdict on what was found', () => {
  test('[KNOW-4] all is well where everything is there', () => {
    for (const check of checks) expect(judge(check, well, AT)).toEqual({ result: 'ok', advice: null })
  })

  const host = (requirementSets: Readonly<Record<string, string>>, name = 'outlook') => ({
    host: { ...well.host, name, requirementSets },
  })
  test.each<[string, Partial<Findings>, Check, string, string]>([
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
    [
      'nothing that lasts',
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
    ['no time told', { service: { ...well.service, date: null } }, 'clock', 'attention', 'compareClock'],
    [
      'a clock 6 minutes slow',
      { service: { ...well.service, date: AT + 6 * MINUTE } },
      'clock',
      'attention',
      'setClock',
    ],
    [
      'a clock 6 minutes fast',
      { service: { ...well.service, date: AT - 6 * MINUTE } },
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
      'a broken answer',
      { service: { ...well.service, failure: { kind: 'malformed', at: 'body' } } },
      'service',
      'failed',
      'administrator',
    ],
    ['nobody signed in', { signIn: { ...well.signIn, status: 'signedOut' } }, 'signIn', 'failed', 'signIn'],
    ['a sign-in under way', { signIn: { ...well.signIn, status: 'pending' } }, 'signIn', 'attention', 'wait'],
    ['an expired token', { signIn: { ...well.signIn, expiresAt: AT } }, 'signIn', 'failed', 'signIn'],
  ])('[KNOW-4] %s: %#', (_, found, check, result, advice) => {
    expect(judge(check, { ...well, ...found }, AT)).toEqual({ result, advice })
  })

  test('[KNOW-4] whether Outlook has a signature of its own may stay unknown, as while no message is open', () => {
    const unknown = { ...well, host: { ...well.host, clientSignature: null } }
    expect(judge('clientSignature', unknown, AT)).toEqual({ result: 'ok', advice: null })
  })

  test('[KNOW-4] a clock less than five minutes off is well, whichever way', () => {
    for (const minutes of [-4.9, 0, 4.9])
      expect(
        judge('clock', { ...well, service: { ...well.service, date: AT + minutes * MINUTE } }, AT).result,
      ).toBe('ok')
    expect(clockOffset({ service: { ...well.service, ms: 1000, date: AT - 10_000 } }, AT)).toBe(9000)
  })

  test('[KNOW-4] each check has what to do exactly where it is not well, whatever was found', () => {
    fc.assert(
      fc.property(anyFindings, fc.nat(), (found, at) => {
        for (const check of checks) {
          const { result, advice } = judge(check, found, at)
          expect(advice === null).toBe(result === 'ok')
        }
      }),
    )
  })
})

test('[KNOW-4] what was found before stays while it runs again, and goes with the person', () => {
  const first = evolveSelfTest(initialSelfTest, recorded(SelfTest.ended({ findings: well }), 1, AT))
  expect(first).toMatchObject({ status: 'success', findings: well, endedAt: AT })
  const again = evolveSelfTest(first, recorded(SelfTest.requested()))
  expect(again).toMatchObject({ status: 'pending', findings: well })
  const signedOut = { type: 'auth/signedOut', data: { reason: { kind: 'person' }, userId: null } } as const
  expect(evolveSelfTest(again, recorded(signedOut))).toEqual(initialSelfTest)
})
