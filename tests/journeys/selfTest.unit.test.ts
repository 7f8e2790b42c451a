import { describe, expect, it } from 'vitest'
import { map, NEVER, of } from 'rxjs'
import { COPY_LIMIT_MS } from '../../effects/pane/signatures.ts'
import type { Ports } from '../../effects/ports.ts'
import { createWholeApp } from '../support/app.ts'
import type { Failure } from '../../streams/kernel/failure.ts'
import { emitAfter } from '../../streams/kernel/time.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { LogExport } from '../../streams/pane/logExport/events.ts'
import { Preview } from '../../streams/pane/preview/events.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { SelfTest } from '../../streams/pane/selfTest/events.ts'
import { selfTestChecks, judgeCheck } from '../../streams/pane/selfTest/rules.ts'
import { createClock } from '../support/clock.ts'
import { failing, fakePorts, type FakePorts } from '../support/ports.ts'
import { HOUR_MS, verification } from '../support/state.ts'

// The self-test of the whole application as it ships, over fakes of everything that it checks.

const START = Date.UTC(2026, 10, 20, 9)

function open(prepare: (ports: FakePorts) => Partial<Ports> = () => ({})) {
  const clock = createClock(START)
  const ports = fakePorts(clock)
  ports.api.verify.answers(of(verification({ expiresAt: START + HOUR_MS })))
  const changed = prepare(ports)
  const app = createWholeApp({ production: false, beta: false }, (): Ports => ({ ...ports, ...changed }))
  clock.advance(1000)
  const run = (ms = 6000) => {
    app.record(SelfTest.requested())
    clock.advance(ms)
    return app.state$.value.selfTest
  }
  const verdicts = () => {
    const { result } = run()
    if (!result) throw new Error('the self-test has not ended')
    const { findings, endedAt } = result
    return Object.fromEntries(
      selfTestChecks.map((check) => [check, judgeCheck(check, findings, endedAt).result]),
    )
  }
  return { app, ports, clock, run, verdicts }
}

const well = Object.fromEntries(selfTestChecks.map((check) => [check, 'ok']))

describe('the self-test', () => {
  it('[KNOW-4] checks the host, its requirement sets, storage, clock, service and sign-in', () => {
    const { ports, run, verdicts } = open(({ api }) => {
      api.probe.answers(of({ status: 200, date: START + 1000 }))
      return {}
    })
    expect(run().result?.findings).toEqual({
      host: {
        name: 'simulated',
        version: null,
        platform: null,
        requirementSets: { Mailbox: '1.15' },
        clientSignature: null,
      },
      launch: 'unknown',
      storage: { lasting: 'fake', session: 'fake' },
      service: {
        call: 'GET /api/addin/maintenance',
        status: 200,
        ms: 0,
        date: START + 1000,
        failure: null,
      },
      signIn: { status: 'success', method: 'mailClient', expiresAt: START + HOUR_MS },
    })
    expect(ports.api.probe.calls).toHaveLength(1)
    expect(verdicts()).toEqual(well)
  })

  it('[KNOW-4] measures the response time with the clock of the pane', () => {
    const { run } = open(({ api, time }) => {
      api.probe.answers(emitAfter(140, time).pipe(map(() => ({ status: 200, date: null }))))
      return {}
    })
    expect(run().result?.findings.service.ms).toBe(140)
  })

  it.each<[string, Failure, number | null]>([
    ['no connection', { kind: 'network' }, null],
    ['no answer in time', { kind: 'timeout' }, null],
    ['a rejected token', { kind: 'http', status: 401, code: null, data: null }, 401],
    ['a broken service', { kind: 'http', status: 500, code: null, data: null }, 500],
    ['a malformed answer', { kind: 'malformed', at: 'body' }, null],
  ])('[KNOW-4] reports %s, and keeps the user signed in', (_, failure, status) => {
    const { app, run, verdicts } = open(({ api }) => {
      api.probe.answers(failing(failure))
      return {}
    })
    expect(run().result?.findings.service).toMatchObject({ status, failure, date: null })
    expect(verdicts()).toEqual({ ...well, service: 'failed', clock: 'attention' })
    expect(app.state$.value.auth.status).toBe('success')
  })

  it('[KNOW-4] reports storage in memory, an old mail client and a wrong clock', () => {
    const { verdicts } = open((ports) => {
      ports.storage.local.driver.answers(of('memory'))
      ports.api.probe.answers(of({ status: 200, date: START - 10 * 60_000 }))
      return {
        host: {
          ...ports.host,
          about: { version: '1', platform: 'Mac', requirementSets: { Mailbox: '1.3' } },
        },
      }
    })
    expect(verdicts()).toEqual({ ...well, requirements: 'failed', storage: 'attention', clock: 'attention' })
  })

  it.each([
    ['compose', true, true],
    ['compose', false, false],
    ['compose', null, null],
    ['read', true, null],
  ] as const)(
    '[KNOW-4] in mode %s, a mail client that reports %j for its own signature gives %j',
    (mode, reported, found) => {
      const { run } = open(({ host }) => {
        host.clientSignature.answers(of(reported))
        host.item$.next({ key: 'item-1', mode })
        return {}
      })
      expect(run().result?.findings.host.clientSignature).toBe(found)
    },
  )

  it('[KNOW-4] runs once at a time, and is cancelled by a sign-out', () => {
    const { app, ports, run } = open(({ api }) => {
      api.probe.answers(NEVER)
      return {}
    })
    expect(run().isRunning).toBe(true)
    expect(run().isRunning).toBe(true)
    expect(ports.api.probe.calls).toHaveLength(1)
    app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
    expect(app.state$.value.selfTest).toMatchObject({ isRunning: false, result: null })
    expect(ports.api.probe.cancelled()).toBe(1)
  })

  it('[KNOW-4] runs again after it ended, and shows the former result until the new one', () => {
    const { app, ports, clock, run } = open()
    expect(run().result?.findings.service.status).toBe(200)
    const first = app.state$.value.selfTest.result
    ports.api.probe.answers(emitAfter(500, clock).pipe(map(() => ({ status: 503, date: null }))))
    app.record(SelfTest.requested())
    clock.advance(400)
    expect(app.state$.value.selfTest).toMatchObject({ isRunning: true, result: first })
    clock.advance(200)
    expect(app.state$.value.selfTest).toMatchObject({
      isRunning: false,
      result: { findings: { service: { status: 503, ms: 500 } }, endedAt: clock.scheduler.now() - 100 },
    })
    expect(ports.api.probe.calls).toHaveLength(2)
  })

  it('[KNOW-4] copies its result as text, also after a copy that was never answered', () => {
    const { app, ports, clock } = open()
    const copies = () => app.state$.value.selfTest.copy.status
    ports.clipboard.write.answers(NEVER, of(undefined), failing({ kind: 'clipboard' }))
    app.record(SelfTest.copyRequested({ text: 'One' }))
    expect(copies()).toBe('pending')
    app.record(SelfTest.copyRequested({ text: 'Two' }))
    clock.advance(COPY_LIMIT_MS)
    expect(copies()).toBe('success')
    expect(ports.clipboard.write.calls).toEqual([
      [{ html: null, text: 'One' }],
      [{ html: null, text: 'Two' }],
    ])
    app.record(SelfTest.copyRequested({ text: 'Three' }))
    expect(copies()).toBe('fail')
    app.record(Router.navigationRequested({ to: '/about' }))
    expect(copies()).toBe('idle')
  })

  it('copies what is hard to read in a signature, also after a copy that was never answered', () => {
    const { app, ports, clock } = open()
    const copies = () => app.state$.value.preview
    ports.clipboard.write.answers(NEVER, of(undefined), failing({ kind: 'clipboard' }))
    app.record(Preview.copyRequested({ text: 'One' }))
    expect(copies()).toMatchObject({ text: 'One', copy: { status: 'pending' } })
    app.record(Preview.copyRequested({ text: 'Two' }))
    clock.advance(COPY_LIMIT_MS)
    expect(copies()).toEqual({ text: 'Two', copy: { status: 'success' } })
    expect(ports.clipboard.write.calls).toEqual([
      [{ html: null, text: 'One' }],
      [{ html: null, text: 'Two' }],
    ])
    app.record(Preview.copyRequested({ text: 'Three' }))
    expect(copies()).toMatchObject({ text: 'Three', copy: { status: 'fail' } })
    app.record(Router.navigationRequested({ to: '/about' }))
    expect(copies()).toEqual({ text: '', copy: { status: 'idle' } })
  })

  it('[KNOW-2] saves the log of the pane as a file, one at a time', () => {
    const { app, ports, clock } = open()
    const saving = () => app.state$.value.logExport.status
    ports.downloads.saveLog.answers(
      emitAfter(500, clock).pipe(map(() => undefined)),
      failing({ kind: 'network' }),
    )
    app.record(LogExport.requested())
    app.record(LogExport.requested())
    expect(saving()).toBe('pending')
    clock.advance(500)
    expect(saving()).toBe('success')
    expect(ports.downloads.saveLog.calls).toHaveLength(1)
    app.record(LogExport.requested())
    expect(saving()).toBe('fail')
  })

  it('[KNOW-4] holds no personal data and no token', () => {
    const { run } = open()
    const found = JSON.stringify(run().result?.findings)
    for (const word of ['alex', 'northwind', 'u-alex', 'session-token', 'secret'])
      expect(found.toLowerCase()).not.toContain(word)
  })
})
