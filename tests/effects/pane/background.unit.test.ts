import { NEVER, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { logFailures } from '../../../effects/pane/background.ts'
import { Kernel, logDefects } from '../../../streams/kernel/effect.ts'
import { saveLog } from '../../../effects/pane/logExport.ts'
import { copyPreviewFindings, copySelfTestResult } from '../../../effects/pane/copying.ts'
import { runSelfTest } from '../../../effects/pane/selfTest.ts'
import { COPY_LIMIT_MS } from '../../../effects/pane/signatures.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Configuration } from '../../../streams/pane/configuration/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { LAUNCH_RECORD_KEY } from '../../../streams/launch/record.ts'
import { LogExport } from '../../../streams/pane/logExport/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Maintenance } from '../../../streams/pane/maintenance/events.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { Preview } from '../../../streams/pane/preview/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { type SelfTestFindings, SelfTest } from '../../../streams/pane/selfTest/events.ts'
import { Subscription } from '../../../streams/pane/subscription/events.ts'
import { Telemetry } from '../../../streams/pane/telemetry/events.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'
import { compose, profile, session } from '../../support/state.ts'

const failure: Failure = { kind: 'timeout' }
const clipboard: Failure = { kind: 'clipboard' }

test('unexpected errors are logged with their messages, those of effects, too', () => {
  withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
    const crash = { effect: 'insert', message: 'RangeError: odd', restarts: 1, givenUp: false }
    const events = {
      d: Profile.loadFailed({ failure: { kind: 'defect', message: 'TypeError: x is not a function' } }),
      // The store records it beside the events that effects know by type.
      k: Kernel.effectCrashed(crash) as never,
      n: Profile.loadFailed({ failure: { kind: 'network' } }),
      y: Profile.loaded({ value: profile() }),
    }
    expectEvents(react({ logDefects }, hot('dkny', events))).toBe('')
    afterwards(() => {
      expect(ports.log.lines.map(({ level, action, detail }) => [level, action, detail])).toEqual([
        [
          'error',
          'unexpected_error',
          { event: 'profile/loadFailed', error: 'TypeError: x is not a function' },
        ],
        ['error', 'unexpected_error', { event: 'kernel/effectCrashed', error: 'RangeError: odd' }],
      ])
    })
  })
})

test('failures of calls to the service are logged, each by the name of its call', () => {
  withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
    const events = {
      c: Configuration.loadFailed({ failure }),
      s: Subscription.loadFailed({ failure: { kind: 'http', status: 503, code: null, data: null } }),
      m: Maintenance.loadFailed({ failure }),
      t: Telemetry.sendFailed({ failure }),
      p: Profile.loadFailed({ failure }),
      l: Signatures.pageFailed({ list: 'own', epoch: 0, page: 1, failure }),
      d: Defaults.loadFailed({ failure }),
      v: Variables.loadFailed({ failure }),
      w: Variables.saveFailed({ failure }),
      i: Picture.loadFailed({ failure }),
      j: Picture.changeFailed({ failure }),
      r: Auth.renewalFailed({ failure }),
      x: Auth.signInFailed({ failure }),
      y: Profile.loaded({ value: profile() }),
    }
    expectEvents(react({ logFailures }, hot('csmtpldvwijrxy', events))).toBe('')
    afterwards(() => {
      expect(ports.log.lines.map(({ level, action, detail }) => [level, action, detail])).toEqual([
        ['error', 'configuration_failed', { code: 'NETWORK_ERROR', kind: 'timeout' }],
        ['error', 'subscription_failed', { code: 'REPOSITORY_ERROR', kind: 'http' }],
        ['error', 'maintenance_failed', { code: 'NETWORK_ERROR', kind: 'timeout' }],
        ...[
          ...['telemetry_failed', 'profile_failed', 'signatures_failed', 'default_failed'],
          ...['variables_failed', 'variables_not_saved', 'picture_failed', 'picture_not_changed'],
          'renewal_failed',
        ].map((action) => ['error', action, { code: 'NETWORK_ERROR', kind: 'timeout' }]),
      ])
    })
  })
})

describe('the log', () => {
  const asked = LogExport.requested()

  test('is saved once for two wishes at the same time, and again afterwards', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.downloads.saveLog.answers(cold('5ms (d|)', { d: undefined }), failing(failure))
      expectEvents(react({ saveLog }, hot('rr 9ms r', { r: asked }))).toBe('5ms s 5ms f', {
        s: LogExport.saved(),
        f: LogExport.failed({ failure }),
      })
      afterwards(() => {
        expect(ports.downloads.saveLog.calls).toHaveLength(2)
      })
    })
  })
})

describe.each([
  [
    'the result of the self-test',
    { copyResult: copySelfTestResult },
    SelfTest.copyRequested({ text: 'a text' }),
    SelfTest.copied(),
    SelfTest.copyFailed({ failure: clipboard }),
  ],
  [
    'what is hard to read',
    { copyFindings: copyPreviewFindings },
    Preview.copyRequested({ text: 'a text' }),
    Preview.copied(),
    Preview.copyFailed({ failure: clipboard }),
  ],
] as const)('copying %s', (_, effect, asked, copied, copyFailed) => {
  test('writes the text alone, one after the other', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.clipboard.write.answers(cold('5ms (d|)', { d: undefined }))
      expectEvents(react(effect, hot('aa', { a: asked }))).toBe('5ms c 4ms c', { c: copied })
      afterwards(() => {
        expect(ports.clipboard.write.calls).toEqual([
          [{ html: null, text: 'a text' }],
          [{ html: null, text: 'a text' }],
        ])
        expect(ports.clipboard.write.mostAtOnce()).toBe(1)
      })
    })
  })

  test('fails where the browser refuses, or says nothing in time', () => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.clipboard.write.answers(failing(clipboard), NEVER)
      expectEvents(react(effect, hot('a-a', { a: asked }))).toBe(`f ${String(COPY_LIMIT_MS + 1)}ms f`, {
        f: copyFailed,
      })
    })
  })
})

describe('the self-test', () => {
  const record = { outcome: 'inserted', at: 1, ms: 2, age: 3, runtime: 'page', told: [] } as const
  const recovered = Auth.sessionRecovered({ session: session() })
  const opened = (mode: 'compose' | 'read') => Mailbox.itemChanged({ item: { ...compose('item-1'), mode } })
  const found: SelfTestFindings = {
    host: {
      name: 'simulated',
      version: null,
      platform: null,
      requirementSets: { Mailbox: '1.15' },
      clientSignature: null,
    },
    launch: 'unknown',
    storage: { lasting: 'fake', session: 'fake' },
    service: { call: 'GET /api/addin/maintenance', ms: 5, status: 200, date: 7, failure: null },
    signIn: { status: 'unknown', method: 'mailClient', expiresAt: null },
  }
  const asked = SelfTest.requested()

  test.each([
    ['without a message', [], {}],
    ['of a message that is read', [opened('read')], {}],
    [
      'of a message that is written',
      [opened('compose')],
      { launch: record, host: { ...found.host, clientSignature: false } },
    ],
    [
      'with a session',
      [recovered],
      { signIn: { ...found.signIn, status: 'success', expiresAt: session().expiresAt } },
    ],
  ] as const)('finds what Signet needs: %s', (_, given, over) => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.probe.answers(cold('5ms (a|)', { a: { status: 200, date: 7 } }))
      ports.host.sessionData.answers(of(JSON.stringify(record)))
      expectEvents(react({ runSelfTest }, hot('rr', { r: asked }), { given })).toBe('5ms e', {
        e: SelfTest.ended({ findings: { ...found, ...over } }),
      })
      afterwards(() => {
        expect(ports.host.sessionData.calls).toEqual('launch' in over ? [['item-1', LAUNCH_RECORD_KEY]] : [])
      })
    })
  })

  test.each<[Failure, number | null]>([
    [failure, null],
    [{ kind: 'http', status: 503, code: null, data: null }, 503],
  ])('finds why the service does not answer: %o', (why, status) => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      ports.api.probe.answers(failing(why))
      const service = { ...found.service, ms: 0, status, date: null, failure: why }
      expectEvents(react({ runSelfTest }, hot('r', { r: asked }))).toBe('e', {
        e: SelfTest.ended({ findings: { ...found, service } }),
      })
    })
  })

  test('ends with the session', () => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      ports.api.probe.answers(cold('5ms (a|)', { a: { status: 200, date: 7 } }))
      const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })
      expectEvents(react({ runSelfTest }, hot('r-x', { r: asked, x: signedOut })), '^ 50ms !').toBe('')
    })
  })
})
