import { describe, expect, test } from 'vitest'
import { Router } from '../../streams/router/events.ts'
import { type Findings, SelfTest } from '../../streams/selfTest/events.ts'
import { Chunks } from '../../streams/chunks/events.ts'
import { stateAfter } from '../support/state.ts'
import { all, announced, button, click, clickOn, useDrawing, writing } from './drawing.tsx'

const { recorded, draw, become } = useDrawing()

const there = [
  ...writing,
  Router.navigated({ path: '/app/settings/self-test' }),
  Chunks.loaded({ page: 'selfTest' }),
]
const findings: Findings = {
  host: {
    name: 'outlook',
    version: '16.0.1',
    platform: 'PC',
    requirementSets: { Mailbox: '1.15' },
    clientSignature: true,
  },
  launch: { outcome: 'inserted', at: 36_000_000, ms: 180, age: 720_000, runtime: 'page', told: [] },
  storage: { lasting: 'memory', session: 'sessionStorage' },
  service: {
    call: 'GET /api/addin/maintenance',
    status: null,
    ms: 5000,
    date: null,
    failure: { kind: 'timeout' },
  },
  signIn: { status: 'success', method: 'nested', expiresAt: 3_600_000 },
}
const lines = () => all('main li').map(({ textContent }) => textContent)

describe('the self-test', () => {
  test('[KNOW-4] is reached from the settings', () => {
    draw(
      stateAfter(
        ...writing,
        Router.navigated({ path: '/app/settings/app' }),
        Chunks.loaded({ page: 'settings' }),
      ),
    )
    clickOn(all('a').find(({ textContent }) => textContent === 'Self-test'))
    expect(recorded).toEqual([Router.navigationRequested({ to: '/app/settings/self-test' })])
  })

  test('[KNOW-4] has one button before its first run, announces the run, and does not start twice', () => {
    draw(stateAfter(...there))
    expect(lines()).toEqual([])
    expect(button('Copy the result')).toBeUndefined()
    click('Run the test')
    expect(recorded).toEqual([SelfTest.requested()])
    become(stateAfter(...there, SelfTest.requested()))
    expect(announced()).toEqual(['Testing'])
    click('Run the test')
    expect(recorded).toHaveLength(1)
  })

  test('[KNOW-4] shows each result in words, with advice where it is not ok', () => {
    draw(stateAfter(...there, SelfTest.ended({ findings })))
    expect(announced()).toEqual(['Something needs attention.'])
    const [host, sets, ownSignature, launch, storage, clock, service, signIn] = lines()
    expect(host).toBe('Mail app: OKOutlook · 16.0.1 · PC')
    expect(sets).toBe('Supported features: OKMailbox 1.15')
    expect(ownSignature).toContain('Outlook’s own signature: AttentionOn')
    expect(ownSignature).toContain('Signet turns it off the next time it inserts a signature.')
    expect(launch).toMatch(
      /^By itself in this message: OKInserted by itself at \d+:\d\d.* in 0\.2 s, from a copy of 1\/1\/70, .* · in a page$/,
    )
    expect(storage).toContain('Storage: Attentiononly until you close Signet · sessionStorage')
    expect(storage).toContain('Allow this page to store data in your browser.')
    expect(clock).toContain('Compare the clock of this device with another clock.')
    expect(service).toContain(
      'Signature service: FailedGET /api/addin/maintenance: no response after 5,000 ms',
    )
    expect(service).toContain('Wait a minute, then try again.')
    expect(signIn).toMatch(/^Sign-in: OKSigned in until 1\/1\/70, .* · through Outlook$/)
  })

  test.each([
    [null, 'AttentionOutlook started Signet for nothing in this message.Normal for a draft.'],
    ['unknown', 'OKUnknown. Run the test while you’re writing a message.'],
    [
      { outcome: 'offline', at: 36_000_000, ms: 5_000, age: null, runtime: 'classic', told: [] },
      'the service did not answer, and no copy is kept · in classic Outlook',
    ],
    [
      { outcome: 'inserted', at: 36_000_000, ms: 40, age: null, runtime: 'page', told: [] },
      'in 0.1 s, from the service · in a page',
    ],
    [
      { outcome: 'already', at: 36_000_000, ms: 100, age: null, runtime: 'page', told: [] },
      'It was in this message already at',
    ],
  ] as const)('[AUTO-21] tells whether the signature went in by itself: %o', (launch, words) => {
    draw(stateAfter(...there, SelfTest.ended({ findings: { ...findings, launch } })))
    expect(lines()[3]).toContain(words)
  })

  test('[KNOW-4] shows the seconds between the clocks, and announces that everything works', () => {
    const service = { ...findings.service, status: 200, ms: 0, date: -90_500, failure: null }
    const storage = { lasting: 'indexedDB', session: 'sessionStorage' }
    const host = { ...findings.host, clientSignature: null }
    draw(stateAfter(...there, SelfTest.ended({ findings: { ...findings, host, storage, service } })))
    expect(lines()[2]).toBe(
      'Outlook’s own signature: OKUnknown. Run the test while you’re writing a message.',
    )
    expect(lines()[5]).toContain('90 seconds off the service’s clock')
    expect(lines()[6]).toContain('GET /api/addin/maintenance: response 200 after 0 ms')
    expect(announced()).toEqual(['Everything works.'])
  })

  test('[KNOW-4] copies the result as shown, and announces a refused clipboard', () => {
    const ended = [...there, SelfTest.ended({ findings })]
    draw(stateAfter(...ended))
    click('Copy the result')
    const [request] = recorded
    const text = request?.type === 'selfTest/copyRequested' ? request.data.text : ''
    expect(text).toContain('OK: Mail app: Outlook · 16.0.1 · PC')
    expect(text).toContain(
      'Failed: Signature service: GET /api/addin/maintenance: no response after 5,000 ms',
    )
    expect(text).toContain('  Wait a minute, then try again.')
    const wanted = [...ended, SelfTest.copyRequested({ text })]
    become(stateAfter(...wanted, SelfTest.copied()))
    expect(announced()).toContain('The result is copied.')
    become(stateAfter(...wanted, SelfTest.copyFailed({ failure: { kind: 'clipboard' } })))
    expect(announced()).toContain('Signet couldn’t use the clipboard.')
  })
})
