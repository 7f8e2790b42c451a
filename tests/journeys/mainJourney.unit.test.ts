import { failureOf, idleStatus } from '../../streams/kernel/load.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { selectListedEntries } from '../../streams/pane/signatures/selectors.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { map, of, timer } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { OUTLOOK_LIMITS } from '../../src/playground/mailbox/model.ts'
import { evolveApp, initialState } from '../../streams/pane/state.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { replayLog } from '../../streams/kernel/store.ts'
import { revealSecret } from '../../streams/kernel/secret.ts'
import { selectUnexpiredToken } from '../../streams/pane/auth/selectors.ts'
import { selectTelemetryPayload } from '../../streams/pane/telemetry/selectors.ts'
import type { Identity } from '../../effects/ports.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { openPane, type PaneOptions } from '../support/pane.ts'
import { failing, silent$ } from '../support/ports.ts'
import {
  cachedSignature,
  HOUR_MS,
  image,
  listedSignature,
  masterId,
  replyVersion,
  session,
  verification,
  throughJson,
} from '../support/state.ts'

const LOGO = 'https://cdn.northwind.example/img/logo.png?v=2'
const STANDARD = `<table><tr><td><img src="${LOGO}"></td><td>Alex Kim</td></tr></table>`
const SHORT = '<p>Alex</p>'
const stage = { production: false, beta: false }
const START = Date.UTC(2026, 10, 20, 9)

/** The pane over a service with two signatures; the default has a picture. `open` is the message as the user sees it. */
function arrange(prepare: NonNullable<PaneOptions['prepare']> = () => undefined) {
  const pane = openPane({
    ms: 60,
    standard: cachedSignature({
      html: STANDARD,
      reply: replyVersion(SHORT),
      images: [image(LOGO), image('https://cdn.northwind.example/img/tree.png')],
    }),
    own: [
      listedSignature({ name: 'Standard', html: STANDARD, images: [image(LOGO)] }),
      listedSignature({ name: 'Fair', html: '<b>Fair</b>', combinedIds: 'c-fair' }),
    ],
    prepare,
  })
  const open = () => {
    const { current, items } = pane.mailbox.snapshot()
    const item = items.find(({ id }) => id === current)
    if (!item) throw new Error('no message is open')
    return item
  }
  return { ...pane, open }
}
type Pane = ReturnType<typeof arrange>

const fresh = () => session({ expiresAt: START + HOUR_MS })
const FAIR = masterId(1, 1)
const types = ({ app }: Pane): string[] => app.log.map(({ type }) => type)
const callsOf = ({ mailbox }: Pane, name: string) => mailbox.calls.filter((call) => call.name === name)
const choose = (pane: Pane, entryId: string) => {
  pane.app.record(Insertion.chosen({ entryId, itemKey: pane.itemKey() }))
}

describe('from opening the pane to the signature in the message', () => {
  it('[AUTH-2] [AUTH-3] signs in silently, verifies the token with the address, and inserts the default', () => {
    let asked = vi.fn<Identity['accessToken']>()
    const pane = arrange(({ ports }) => {
      asked = vi.spyOn(ports.identity, 'accessToken')
    })
    pane.clock.advance(1000)
    const requests = pane.app.log.filter((event) => event.type === 'auth/signInRequested')
    expect(requests.map(({ data, meta }) => [data.silent, meta.source])).toEqual([[true, 'signInSilently']])
    expect(asked.mock.calls).toEqual([
      [{ allowConsentPrompt: true, silent: true, loginHint: 'alex.kim@northwind.example' }],
    ])
    expect(callsOf(pane, 'auth.getAccessToken')).toHaveLength(1)
    const [credentials] = pane.ports.api.verify.calls[0] ?? []
    expect(credentials && [revealSecret(credentials.accessToken), credentials.email]).toEqual([
      'token of alex.kim@northwind.example',
      'alex.kim@northwind.example',
    ])
    expect(types(pane)).toEqual(
      expect.arrayContaining(['auth/sessionMissing', 'auth/signInRequested', 'auth/verified']),
    )
    expect(pane.ports.api.signature.calls).toEqual([[{}]])
    const { signatureHtml, attachments } = pane.open()
    expect(signatureHtml).toContain('cid:lsi-attachlogo.png')
    expect(signatureHtml).toContain('Alex Kim')
    expect(attachments.map(({ name, isInline }) => [name, isInline])).toEqual([['lsi-attachlogo.png', true]])
  })

  it('[SIG-8] inserts a default that came with the sign-in, with its pictures, and asks for it only to refresh it', () => {
    const pane = arrange(({ service, ports }) => {
      ports.api.verify.answers(() => of({ session: fresh(), signature: service.standard }))
    })
    pane.clock.advance(1000)
    expect(pane.open().signatureHtml).toContain('cid:lsi-attachlogo.png')
    expect(pane.ports.api.signature.calls).toEqual([])
    expect(pane.ports.storage.kept.content()['alex.kim@northwind.example']).toMatchObject({
      value: { signature: { html: STANDARD } },
    })
    pane.app.record(Signatures.refreshRequested())
    pane.clock.advance(1000)
    expect(pane.ports.api.signature.calls).toEqual([[{}]])
  })

  it('puts the default into the message with few events, and no effect relays a fact to another', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    const inserted = pane.app.log.findIndex(({ type }) => type === 'insertion/succeeded')
    const events = pane.app.log.slice(0, inserted + 1).map(({ type, meta }) => `${type} by ${meta.source}`)
    expect(inserted).toBeGreaterThan(0)
    expect(events.length, events.join('\n')).toBeLessThanOrEqual(29)
    // Signing in silently is decided from two facts: there is no session, and the settings allow it.
    expect(events.filter((event) => event.includes('Requested by'))).toEqual([
      'auth/signInRequested by signInSilently',
    ])
  })

  it('calls the notifications of the mail client only where a notice was shown', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    choose(pane, FAIR)
    pane.clock.advance(1000)
    expect(pane.open().signatureHtml).toContain('Fair')
    expect(pane.mailbox.calls.filter(({ name }) => name.startsWith('notificationMessages'))).toEqual([])
  })

  it('[AUTH-4] keeps the token in the session, opens private storage, starts polling and sends telemetry', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    const { auth, maintenance } = pane.app.state$.value
    expect(pane.ports.storage.session.content()).toMatchObject({ session: { token: 'session-token' } })
    expect(auth).toMatchObject({ status: 'success', session: { userId: 'u-alex' } })
    const bearer = selectUnexpiredToken(pane.app.state$.value, START + 1000)
    expect(bearer && revealSecret(bearer)).toBe('session-token')
    expect(pane.ports.storage.privateRoaming('u-alex').get.calls).not.toEqual([])
    expect(Object.keys(pane.ports.storage.privateCache('u-alex').content())).not.toEqual([])
    expect(maintenance.known).toBe(true)
    expect(pane.ports.api.sendTelemetry.calls).toEqual([[selectTelemetryPayload(pane.app.state$.value)]])
    // The first request at once, the second after three minutes, the third four minutes later.
    const requests = () => pane.ports.api.maintenance.calls.length
    const after = [0, 2.9, 0.2, 3.8, 0.3].map((minutes) => {
      pane.clock.advance(minutes * 60_000)
      return requests()
    })
    expect(after).toEqual([1, 1, 2, 2, 3])
  })

  it('leaves a message that is read as it is, and inserts the default into the reply to it', () => {
    const pane = arrange(({ mailbox }) => mailbox.act({ type: 'switchTo', id: 'item-1' }))
    const read = () => pane.mailbox.state$.value.items.find(({ id }) => id === 'item-1')
    const before = read()
    pane.clock.advance(60_000)
    expect(pane.app.state$.value.mailbox.item).toMatchObject({ mode: 'read' })
    expect(before?.mode).toBe('read')
    expect(read()).toBe(before)
    expect(pane.mailbox.calls.filter(({ name }) => /(?:set|add|remove|save).*Async$/.test(name))).toEqual([])
    pane.mailbox.act({ type: 'reply' })
    pane.clock.advance(1000)
    expect(pane.open().signatureHtml).toContain(SHORT)
  })

  it('[AUTH-1] reuses a saved, unexpired session without a new token or a verification', () => {
    const pane = arrange(({ ports }) => {
      const { token: _, ...rest } = fresh()
      ports.storage.session.set('session', { ...rest, token: 'saved' }).subscribe()
    })
    pane.clock.advance(1000)
    expect(pane.ports.api.verify.calls).toEqual([])
    expect(callsOf(pane, 'auth.getAccessToken')).toEqual([])
    expect(pane.ports.api.maintenance.calls).toHaveLength(1)
    expect(pane.open().signatureHtml).toContain('Alex Kim')
  })

  it('[AUTH-1] does not use an expired session, nor one of another mailbox', () => {
    for (const saved of [
      { token: 'old', userId: 'u-alex', email: 'alex.kim@northwind.example', expiresAt: START - 1 },
      {
        token: 'hers',
        userId: 'u-maria',
        email: 'maria.silva@northwind.example',
        expiresAt: START + HOUR_MS,
      },
    ]) {
      const pane = arrange(({ ports }) => {
        ports.storage.session.set('session', saved).subscribe()
      })
      pane.clock.advance(1000)
      expect(pane.ports.api.verify.calls).toHaveLength(1)
    }
  })

  it('inserts the cached default of a returning user while the sign-in is pending', () => {
    const before = arrange()
    before.clock.advance(1000)
    const pane = arrange(({ ports }) => {
      for (const [key, value] of Object.entries(before.ports.storage.local.content()))
        ports.storage.local.set(key, value).subscribe()
      for (const [key, value] of Object.entries(before.ports.storage.kept.content()))
        ports.storage.kept.set(key, value).subscribe()
      ports.api.verify.answers(silent$)
    })
    pane.clock.advance(1000)
    expect(pane.app.state$.value.auth.status).toBe('pending')
    expect(pane.open().signatureHtml).toContain('Alex Kim')
    expect(pane.open().attachments).toHaveLength(1)
  })

  it('[SIG-8] puts the reply version into a reply and into a forward', () => {
    for (const type of ['reply', 'forward'] as const) {
      const pane = arrange(({ mailbox }) => mailbox.act({ type }))
      pane.clock.advance(1000)
      expect(pane.open().kind).toBe(type)
      expect(pane.open().signatureHtml).toContain(SHORT)
    }
  })

  it('[SIG-8] puts the master into a reply when there is no reply version or the compose type is unknown', () => {
    const without = arrange(({ mailbox, ports }) => {
      mailbox.act({ type: 'reply' })
      ports.api.signature.answers(() =>
        timer(1, ports.time.scheduler).pipe(map(() => cachedSignature({ html: '<i>one</i>', reply: null }))),
      )
    })
    without.clock.advance(1000)
    expect(without.open().signatureHtml).toContain('<i>one</i>')

    const unknown = arrange(({ mailbox }) => {
      mailbox.act({ type: 'reply' })
      mailbox.fail('getComposeTypeAsync', { code: 5001, name: 'InternalServerError' })
    })
    unknown.clock.advance(1000)
    expect(unknown.open().signatureHtml).toContain('Alex Kim')
  })

  it('[SIG-8] pushes no default into a message with the stop-push flag, and pushes it into the next one', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    choose(pane, FAIR)
    pane.clock.advance(1000)
    const first = pane.mailbox.snapshot().current
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(1000)
    expect(pane.open().signatureHtml).toContain('Alex Kim')
    pane.mailbox.act({ type: 'switchTo', id: first })
    pane.clock.advance(1000)
    expect(pane.open().signatureHtml).toContain('Fair')
    expect(pane.open().customProperties).toMatchObject({
      lsi_stop_push_signature: { composeType: 'newMail', combinedIds: 'c-fair' },
    })
  })

  it('[SIG-5] shows the chosen entry as pending, then success, then idle; the choice stays for the message', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    const statuses: string[] = []
    const subscription = pane.app.state$.subscribe((state) => {
      const status = selectListedEntries(state).find(({ entry }) => entry.entryId === FAIR)?.status ?? ''
      if (statuses.at(-1) !== status) statuses.push(status)
    })
    choose(pane, FAIR)
    pane.clock.advance(1000)
    subscription.unsubscribe()
    expect(statuses).toEqual(['idle', 'pending', 'success', 'idle'])
    expect(pane.open().signatureHtml).toContain('<b>Fair</b>')
    expect(pane.open().customProperties).toMatchObject({
      lsi_stop_push_signature: { composeType: 'newMail', combinedIds: 'c-fair' },
    })
  })

  it('[SIG-5] inserts nothing when an entry is only made the default', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    choose(pane, masterId(1, 0))
    pane.clock.advance(1000)
    const [before, calls] = [pane.open(), pane.mailbox.calls.length]
    pane.app.record(Defaults.changeRequested({ combinedIds: 'c-fair', use: 'master' }))
    pane.clock.advance(10_000)
    expect(types(pane)).toContain('defaults/changed')
    expect(pane.open()).toEqual(before)
    expect(pane.mailbox.calls.slice(calls).map(({ name }) => name)).not.toContain('body.setSignatureAsync')
  })

  it('[SIG-5] a choice that succeeded is not replaced by a default that arrives later', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    choose(pane, FAIR)
    pane.clock.advance(1000)
    expect(pane.app.state$.value.mailbox.message?.stopPush).toBe(true)
    expect(pane.open().customProperties).toHaveProperty('lsi_stop_push_signature')
    pane.app.record(Signatures.refreshRequested())
    pane.clock.advance(10_000)
    expect(pane.open().signatureHtml).toContain('<b>Fair</b>')
  })

  it('[SIG-5] clears the stop-push flag and keeps the failure when the chosen entry cannot be inserted', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    choose(pane, FAIR)
    pane.clock.advance(1000)
    pane.mailbox.fail('body.setSignatureAsync', { code: 5000, name: 'Host Error' }, 1)
    choose(pane, masterId(1, 0))
    pane.clock.advance(1000)
    expect(pane.app.state$.value.insertion.latest).toMatchObject({
      attempt: { status: 'fail', failure: { kind: 'host', call: 'body.setSignatureAsync' } },
    })
    expect(pane.open().signatureHtml).toContain('<b>Fair</b>')
    expect(pane.open().customProperties).not.toHaveProperty('lsi_stop_push_signature')
    expect(types(pane).at(-1)).toBe('insertion/settled')
  })

  it('[INS-1] removes the former images only after the new signature is set', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    choose(pane, FAIR)
    pane.clock.advance(1000)
    expect(pane.open().attachments).toEqual([])
    const order = pane.mailbox.calls.map(({ name }) => name)
    expect(order.lastIndexOf('body.setSignatureAsync')).toBeLessThan(order.indexOf('removeAttachmentAsync'))
  })

  it('[INS-2] fetches the image contents that the list did not include', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    choose(pane, FAIR)
    pane.clock.advance(1000)
    choose(pane, masterId(1, 0))
    pane.clock.advance(1000)
    expect(pane.ports.api.signature.calls.at(-1)).toEqual([{ combinedIds: 'c-standard' }])
    expect(pane.open().signatureHtml).toContain('cid:lsi-attachlogo.png')
    expect(pane.open().attachments.map(({ name }) => name)).toEqual(['lsi-attachlogo.png'])
  })

  it('[INS-4] writes nothing to another message that is opened while an insertion runs', () => {
    for (let ms = 0; ms < 400; ms += 7) {
      const pane = arrange(({ mailbox }) => {
        mailbox.delay('addFileAttachmentFromBase64Async', 100)
        mailbox.delay('body.setSignatureAsync', 100)
      })
      pane.clock.advance(ms)
      pane.app.record(Insertion.chosen({ entryId: FAIR, itemKey: pane.itemKey() }))
      pane.mailbox.act({ type: 'reply' })
      const { attachments: quoted } = pane.open()
      const other = pane.mailbox.snapshot().current
      pane.clock.advance(5000)
      const item = pane.mailbox.snapshot().items.find(({ id }) => id === other)
      expect(item?.signatureHtml, `switched after ${String(ms)} ms`).toContain(SHORT)
      expect(item?.attachments).toEqual(quoted)
    }
  })

  it('inserts nothing while no message is open, and the default into the next new one', () => {
    const pane = arrange(({ mailbox }) => mailbox.act({ type: 'switchTo', id: null }))
    pane.clock.advance(1000)
    expect(callsOf(pane, 'body.setSignatureAsync')).toEqual([])
    expect(pane.app.state$.value.mailbox.item).toBeNull()
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(1000)
    expect(pane.open().signatureHtml).toContain('Alex Kim')
  })
})

describe('failures', () => {
  it.each([
    ['no connection', { kind: 'network' }],
    ['a timeout', { kind: 'timeout' }],
    ['a service error', { kind: 'http', status: 500, code: null, data: null }],
    ['a malformed response', { kind: 'malformed', at: 'data' }],
  ] as const)('[AUTH-3] signs out after a failed verification, which can be retried: %s', (_, failure) => {
    const pane = arrange(({ ports }) => {
      ports.api.verify.answers(failing(failure), () =>
        timer(1, ports.time.scheduler).pipe(map(() => verification(fresh()))),
      )
    })
    pane.clock.advance(1000)
    expect(pane.app.state$.value.auth).toEqual({
      status: 'signedOut',
      reason: { kind: 'signInFailed', failure },
    })
    expect(pane.ports.log.lines).toContainEqual(expect.objectContaining({ action: 'handle_auth_error' }))
    expect(pane.open().signatureHtml).toBe('')
    pane.app.record(Auth.signInRequested({ silent: false }))
    pane.clock.advance(1000)
    expect(pane.open().signatureHtml).toContain('Alex Kim')
  })

  it('shows a notice in the message when the default is too long to insert', () => {
    const pane = arrange(({ ports }) => {
      ports.api.signature.answers(() =>
        timer(1, ports.time.scheduler).pipe(
          map(() => cachedSignature({ html: `<p>${'x'.repeat(40_000)}</p>` })),
        ),
      )
    })
    pane.clock.advance(1000)
    expect(failureOf(pane.app.state$.value.insertion.latest?.attempt ?? idleStatus)).toMatchObject({
      kind: 'tooLarge',
      limit: OUTLOOK_LIMITS.signatureCharacters,
    })
    expect(callsOf(pane, 'body.setSignatureAsync')).toEqual([])
    expect(pane.open().notifications).toHaveLength(1)
    choose(pane, FAIR)
    pane.clock.advance(1000)
    expect(pane.open().signatureHtml).toContain('Fair')
    expect(pane.open().notifications).toEqual([])
  })

  it.each([
    'body.setSignatureAsync',
    'addFileAttachmentFromBase64Async',
    'body.getTypeAsync',
    'getAttachmentsAsync',
  ])('ends the attempt when the mail client does not reply to %s, and the next try works', (name) => {
    const pane = arrange(({ mailbox }) => {
      mailbox.silence(name)
    })
    pane.clock.advance(60_000)
    const { latest } = pane.app.state$.value.insertion
    if (name === 'getAttachmentsAsync') {
      // Without a list of the attachments, the new picture has a name that no other has.
      expect(latest?.attempt.status).toBe('success')
      expect(pane.open().signatureHtml).toContain('Alex Kim')
      expect(pane.open().attachments.map((each) => each.name)).toEqual([
        expect.stringMatching(/^lsi-attachlogo-.+\.png$/),
      ])
    } else {
      expect(latest?.attempt.status).toBe('fail')
      expect(pane.open().signatureHtml).toBe('')
      expect(pane.open().attachments).toEqual([])
    }
    pane.mailbox.restore()
    choose(pane, FAIR)
    pane.clock.advance(60_000)
    expect(pane.open().signatureHtml).toContain('Fair')
  })

  it('signs out once when the service rejects the session, and does not sign in again', () => {
    const pane = arrange(({ ports }) => {
      ports.api.user.answers(failing({ kind: 'http', status: 401, code: 'invalid_token', data: null }))
      ports.api.signatures.answers(failing({ kind: 'http', status: 401, code: 'invalid_token', data: null }))
    })
    pane.clock.advance(10 * HOUR_MS)
    expect(types(pane).filter((type) => type === 'auth/signedOut')).toHaveLength(1)
    expect(types(pane).filter((type) => type === 'auth/signInRequested')).toHaveLength(1)
    expect(pane.app.state$.value.auth).toMatchObject({ status: 'signedOut', reason: { kind: 'rejected' } })
    expect(pane.ports.storage.session.content()).toEqual({})
    expect(pane.ports.storage.privateRoaming('u-alex').content()).toEqual({})
    expect(pane.ports.address.path$.value).toBe('/home')
  })

  it('forgets the user after a sign-out, and leaves the signature in the message', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    pane.app.record(Router.navigationRequested({ to: '/logout' }))
    pane.clock.advance(1000)
    expect(pane.app.state$.value.auth).toEqual({ status: 'signedOut', reason: { kind: 'person' } })
    expect(pane.ports.storage.local.content()).toEqual({})
    expect(JSON.stringify({ ...pane.app.state$.value, mailbox: null })).not.toMatch(/alex|northwind/i)
    expect(pane.open().signatureHtml).toContain('Alex Kim')
  })
})

describe('the log', () => {
  it('replays to the live state, also through JSON, and holds no token', () => {
    const pane = arrange()
    pane.clock.advance(1000)
    choose(pane, FAIR)
    pane.clock.advance(1000)
    pane.mailbox.act({ type: 'reply' })
    pane.clock.advance(1000)
    const live = pane.app.state$.value
    expect(replayLog(initialState(stage), evolveApp, pane.app.log)).toEqual(live)
    expect(replayLog(initialState(stage), evolveApp, throughJson(pane.app.log))).toEqual(throughJson(live))
    expect(JSON.stringify(pane.app.log)).not.toContain('session-token')
  })
})
