import { describe, expect, test } from 'vitest'
import { Router } from '../../../streams/pane/router/events.ts'
import { type SelfTestFindings, SelfTest } from '../../../streams/pane/selfTest/events.ts'
import { Chunks } from '../../../streams/pane/chunks/events.ts'
import { stateAfter } from '../../support/state.ts'
import { all, announced, button, click, clickOn, useDrawing, writing } from '../drawing.tsx'

const { recorded, draw, become } = useDrawing()

const there = [
  ...writing,
  Router.navigated({ path: '/app/settings/self-test' }),
  Chunks.loaded({ page: 'selfTest' }),
]
const findings: SelfTestFindings = {
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
/** What is for the helpdesk. */
const details = () =>
  all('main dl > div').map((line) => [...line.children].map((part) => part.textContent).join(': '))

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
    expect(host).toBe('Mail app: OKOutlook')
    expect(sets).toBe('Supported features: OKIt has everything that Signet needs.')
    expect(ownSignature).toContain('Outlook’s own signature: AttentionOn')
    expect(ownSignature).toContain('Signet turns it off the next time it inserts a signature.')
    expect(launch).toMatch(/^By itself in this message: OKInserted by itself at \d+:\d\d\s[AP]M$/)
    expect(storage).toContain('Storage: AttentionYour settings and unsaved changes are kept only until')
    expect(storage).toContain('Allow this page to store data in your browser.')
    expect(clock).toContain('Compare the clock of this device with another clock.')
    expect(service).toBe(
      'Signature service: FailedThe signature service took too long to respond.Wait a minute, then try again.',
    )
    expect(signIn).toMatch(/^Sign-in: OKSigned in until 1\/1\/70, \d+:\d\d\s[AP]M$/)
  })

  test('[KNOW-4] what is technical is folded for the helpdesk', () => {
    draw(stateAfter(...there, SelfTest.ended({ findings })))
    expect(all('details:not([open]) summary').map(({ textContent }) => textContent)).toContain(
      'For your helpdesk',
    )
    const [host, sets, launch, storage, service, signIn, ...others] = details()
    expect(host).toBe('Mail app: outlook · 16.0.1 · PC')
    expect(sets).toBe('Supported features: Mailbox 1.15')
    expect(launch).toMatch(/^By itself in this message: In 0\.2 s, from a copy of 1\/1\/70, .* · in a page$/)
    expect(storage).toBe('Storage: memory · sessionStorage')
    expect(service).toBe(
      'Signature service: GET /api/addin/maintenance: no response after 5,000 ms · timeout',
    )
    expect(signIn).toBe('Sign-in: through Outlook · nested')
    expect(others).toEqual([])
  })

  test.each<readonly [Partial<SelfTestFindings['service']>, string, string]>([
    [{ status: 200, ms: 84, failure: null }, 'OKIt responds.', ': response 200 after 84 ms'],
    [
      { status: 200, ms: 2001, failure: null },
      'AttentionIt responds slowly.',
      ': response 200 after 2,001 ms',
    ],
    [
      { status: 503, ms: 9, failure: { kind: 'http', status: 503, code: 'busy', data: null } },
      'FailedThe signature service isn’t available right now.',
      ': response 503 after 9 ms · busy',
    ],
    [
      { status: null, ms: 9, failure: { kind: 'malformed', at: 'status' } },
      'FailedThe signature service sent a response that Signet can’t read.',
      ' · status · 9 ms',
    ],
  ])('[KNOW-4] tells in words how the service answered: %o', (service, words, detail) => {
    const answered = { ...findings, service: { ...findings.service, ...service } }
    draw(stateAfter(...there, SelfTest.ended({ findings: answered })))
    expect(lines()[6]).toContain(`Signature service: ${words}`)
    expect(details()[4]).toBe(`Signature service: GET /api/addin/maintenance${detail}`)
  })

  test.each([
    [null, 'AttentionOutlook didn’t start Signet by itself for this message.Normal for a draft.', undefined],
    ['unknown', 'OKUnknown. Run the test while you’re writing a message.', undefined],
    [
      { outcome: 'offline', at: 36_000_000, ms: 5_000, age: null, runtime: 'classic', told: [] },
      'the service didn’t respond, and no copy is kept',
      'in classic Outlook',
    ],
    [
      { outcome: 'inserted', at: 36_000_000, ms: 40, age: null, runtime: 'page', told: [] },
      'Inserted by itself at',
      'In 0.1 s, from the service · in a page',
    ],
    [
      { outcome: 'already', at: 36_000_000, ms: 100, age: null, runtime: 'page', told: [] },
      'It was in this message already at',
      'in a page',
    ],
  ] as const)('[AUTO-21] tells whether the signature went in by itself: %o', (launch, words, detail) => {
    draw(stateAfter(...there, SelfTest.ended({ findings: { ...findings, launch } })))
    expect(lines()[3]).toContain(words)
    const told = details().find((line) => line.startsWith('By itself'))
    expect(told).toBe(detail && `By itself in this message: ${detail}`)
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
    expect(lines()[4]).toBe('Storage: OKYour settings and unsaved changes are kept.')
    expect(announced()).toEqual(['Everything works.'])
  })

  test('[KNOW-4] copies the result as shown, and announces a refused clipboard', () => {
    const ended = [...there, SelfTest.ended({ findings })]
    draw(stateAfter(...ended))
    click('Copy the result')
    const [request] = recorded
    const text = request?.type === 'selfTest/copyRequested' ? request.data.text : ''
    expect(text).toContain('OK: Mail app: Outlook\n  outlook · 16.0.1 · PC\n')
    expect(text).toContain('Failed: Signature service: The signature service took too long to respond.')
    for (const detail of details()) expect(text).toContain(detail.slice(detail.indexOf(': ') + 2))
    expect(text).toContain('  Wait a minute, then try again.')
    const wanted = [...ended, SelfTest.copyRequested({ text })]
    become(stateAfter(...wanted, SelfTest.copied()))
    expect(announced()).toContain('The result is copied.')
    become(stateAfter(...wanted, SelfTest.copyFailed({ failure: { kind: 'clipboard' } })))
    expect(announced()).toContain('Signet couldn’t use the clipboard.')
  })
})
