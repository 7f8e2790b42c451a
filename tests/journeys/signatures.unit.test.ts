import { failureOf, idleStatus } from '../../streams/kernel/load.ts'
import { Picture } from '../../streams/pane/picture/events.ts'
import {
  selectNewerVersion,
  selectSendersSignature,
  selectUndoDirection,
  selectSignatureReason,
} from '../../streams/pane/insertion/selectors.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import { Subject, take } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { composeBody, QUIRKS } from '../../src/playground/mailbox/body.ts'
import type { CallName } from '../../src/engine/hosts/mailClient.ts'
import type { PaneGesture } from '../../streams/pane/events.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { contentIds, findSignatures } from '../../streams/html/message.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { selectListedEntries, selectOwnerGroups } from '../../streams/pane/signatures/selectors.ts'
import { startLaunch } from '../support/launch.ts'
import { openPane, type Pane } from '../support/pane.ts'
import { failing } from '../support/ports.ts'
import { cachedSignature, image, listedSignature, masterId, profile, replyVersion } from '../support/state.ts'
import { IS_LONG } from '../support/cases.ts'

// Signatures end to end: the whole application over the mailbox model.

const CDN = 'https://cdn.northwind.example'
const picture = (path: string) => `<img src="${CDN}/${path}">`
const PLAIN = listedSignature({ name: 'Plain', combinedIds: 'c-plain', html: '<p>Plain</p>' })
const RICH = listedSignature({
  name: 'Rich',
  combinedIds: 'c-rich',
  html: `<p>Rich</p>${picture('one/a.png')}${picture('two/a.png')}`,
  images: [image(`${CDN}/one/a.png`), image(`${CDN}/two/a.png`)],
})
const LOGO = listedSignature({
  name: 'Logo',
  combinedIds: 'c-logo',
  html: `<p>Logo</p>${picture('logo.png')}`,
  images: [image(`${CDN}/logo.png`)],
})
const OWN = [PLAIN, RICH, LOGO]
const [TO_PLAIN, TO_RICH, TO_LOGO] = [0, 1, 2].map((index) => masterId(1, index)) as [string, string, string]
const standard = (text: string) => cachedSignature({ html: `<p>${text}</p>`, reply: null })

const WRITES: readonly CallName[] = [
  'body.setAsync',
  'body.setSignatureAsync',
  'addFileAttachmentFromBase64Async',
  'removeAttachmentAsync',
]
const writes = ({ mailbox }: Pane) => mailbox.calls.filter(({ name }) => WRITES.includes(name)).length

const open = (options: Parameters<typeof openPane>[0] = {}): Pane => {
  const pane = openPane({ own: OWN, standard: standard('Standard'), ...options })
  pane.clock.advance(1_000)
  return pane
}
const record = ({ app, clock }: Pane, event: PaneGesture, ms = 1_000) => {
  app.record(event)
  clock.advance(ms)
}
const choose = (pane: Pane, entryId: string) => {
  record(pane, Insertion.chosen({ entryId, itemKey: pane.itemKey() }))
}
const undo = (pane: Pane) => {
  record(pane, Insertion.undoRequested({ itemKey: pane.itemKey() }))
}
const signature = ({ message }: Pane) => message().body.signature
/** Every image that the message shows is attached, and no inline image is unused. */
function expectImagesWhole({ message, mailbox }: Pane, count: number) {
  const item = message()
  // A picture is shown by its address where the client has refused to attach one.
  const byAddress = [...composeBody(item).matchAll(/src="https:/g)].length
  if (!mailbox.calls.some(({ name, ok }) => name === 'addFileAttachmentFromBase64Async' && !ok))
    expect(byAddress).toBe(0)
  const shown = contentIds(composeBody(item))
  const names = item.attachments.filter(({ isInline }) => isInline).map(({ name }) => name)
  expect([...shown].sort()).toEqual(names.sort())
  expect(shown.size + byAddress).toBe(count)
}

describe('the signature in the message', () => {
  test('[SAFE-1] is not written again when it is chosen again; another one replaces it', () => {
    const pane = open()
    choose(pane, TO_RICH)
    const before = writes(pane)
    choose(pane, TO_RICH)
    expect(writes(pane)).toBe(before)
    expect(pane.app.state$.value.insertion.latest?.attempt.status).toBe('success')
    choose(pane, TO_PLAIN)
    const found = findSignatures(composeBody(pane.message()))
    expect(found.map(({ combinedIds }) => combinedIds)).toEqual(['c-plain'])
  })

  test('is recognised by the next sign-in after the session expired', () => {
    const pane = open()
    choose(pane, TO_RICH)
    const inMessage = () => pane.app.state$.value.insertion.inMessage
    const before = inMessage()
    pane.app.record(Auth.signOutRequested({ reason: { kind: 'expired' } }))
    expect(inMessage()).toBeNull()
    pane.app.record(Auth.signInRequested({ silent: false }))
    pane.clock.advance(1_000)
    expect(inMessage()).toMatchObject({ combinedIds: 'c-rich', hash: before?.hash, name: 'Rich' })
    expectImagesWhole(pane, 2)
  })

  test('[SAFE-1] is written again when its picture was removed', () => {
    const pane = open()
    choose(pane, TO_LOGO)
    const [attached] = pane.message().attachments
    pane.mailbox.act({ type: 'discardAttachment', id: attached?.id ?? '' })
    choose(pane, TO_LOGO)
    expectImagesWhole(pane, 1)
  })

  test('[SAFE-4] undo restores the previous signature with its pictures; redo reverts that', () => {
    const pane = open()
    choose(pane, TO_RICH)
    choose(pane, TO_PLAIN)
    undo(pane)
    expect(signature(pane)).toContain('<p>Rich</p>')
    expectImagesWhole(pane, 2)
    expect(selectUndoDirection(pane.app.state$.value)).toBe('redo')
    record(pane, Insertion.redoRequested({ itemKey: pane.itemKey() }))
    expect(signature(pane)).toContain('<p>Plain</p>')
    expectImagesWhole(pane, 0)
    expect(selectUndoDirection(pane.app.state$.value)).toBe('undo')
  })

  test.each(['out', 'back'] as const)(
    '[SAFE-4] [SIG-8] a default that Undo takes or puts %s is the choice of the user in the next pane and at launch events',
    (goes) => {
      const pane = open()
      const why = ({ app }: Pane) => selectSignatureReason(app.state$.value)?.kind
      if (goes === 'back') choose(pane, TO_PLAIN)
      undo(pane)
      const expected = goes === 'back' ? 'putBack' : 'takenOut'
      const left = goes === 'back' ? '<p>Standard</p>' : ''
      const expectLeft = () => {
        expect(signature(pane)).toContain(left)
        expect(signature(pane) === '').toBe(goes === 'out')
      }
      expectLeft()
      expect(why(pane)).toBe(expected)
      pane.service.standard = standard('Newer')
      record(pane, Signatures.refreshRequested())
      expectLeft()
      pane.app.stop()
      const launched = startLaunch(pane, 'fromChanged')
      pane.clock.advance(5_000)
      expect(launched.outcome()).toBe('leftToPerson')
      expectLeft()
      const next = openPane({ beside: pane, runtimeId: 'next' })
      next.clock.advance(5_000)
      expectLeft()
      expect(why(next)).toBe(expected)
      // Nothing is known of what was there before.
      expect(selectUndoDirection(next.app.state$.value)).toBeNull()
    },
  )

  test('[SAFE-4] undo of the first signature leaves none, and undo of "no signature" restores it', () => {
    const pane = open({ standard: cachedSignature({ html: '', reply: null }) })
    expect(signature(pane)).toBe('')
    choose(pane, TO_LOGO)
    undo(pane)
    expect(signature(pane)).toBe('')
    expectImagesWhole(pane, 0)
    record(pane, Insertion.noneChosen({ itemKey: pane.itemKey() }))
    choose(pane, TO_RICH)
    record(pane, Insertion.noneChosen({ itemKey: pane.itemKey() }))
    undo(pane)
    expect(signature(pane)).toContain('<p>Rich</p>')
    expectImagesWhole(pane, 2)
  })

  test('[SAFE-5] stays removed after the user removed it, when the default changes and the message reopens', () => {
    const pane = open()
    expect(signature(pane)).toContain('Standard')
    pane.mailbox.act({ type: 'signatureEdited', signature: '' })
    for (const text of ['Changed', 'Changed again']) {
      pane.service.standard = standard(text)
      record(pane, Signatures.refreshRequested())
      expect(signature(pane)).toBe('')
    }
    const { id } = pane.message()
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(1_000)
    expect(signature(pane)).toContain('Changed again')
    pane.mailbox.act({ type: 'switchTo', id })
    pane.clock.advance(1_000)
    expect(signature(pane)).toBe('')
    choose(pane, TO_PLAIN)
    expect(signature(pane)).toContain('Plain')
  })

  test('[SAFE-3] keeps a picture of the quoted thread, and renames its own of the same name', () => {
    const pane = open()
    pane.mailbox.act({ type: 'reply' })
    pane.clock.advance(1_000)
    const [quoted] = pane.message().attachments
    expect(quoted?.name).toBe('lsi-attachlogo.png')
    for (const entryId of [TO_LOGO, TO_RICH, TO_LOGO, TO_PLAIN]) choose(pane, entryId)
    expect(pane.message().attachments).toEqual([quoted])
    choose(pane, TO_LOGO)
    expect(pane.message().attachments.map(({ name }) => name)).toEqual([
      'lsi-attachlogo.png',
      'lsi-attachlogo-2.png',
    ])
    expect(signature(pane)).toContain('cid:lsi-attachlogo-2.png')
  })

  test('[SAFE-3] attaches two pictures with the same last path segment under two names', () => {
    const pane = open()
    choose(pane, TO_RICH)
    expect(pane.message().attachments.map(({ name }) => name)).toEqual([
      'lsi-attacha.png',
      'lsi-attacha-2.png',
    ])
    expectImagesWhole(pane, 2)
  })

  test('[SAFE-6] is text in a plain-text message, without pictures, and replaces the one before', () => {
    const pane = open({ prepare: ({ mailbox }) => mailbox.act({ type: 'setBodyType', bodyType: 'text' }) })
    expect(signature(pane)).toBe('Standard')
    choose(pane, TO_RICH)
    expect(signature(pane)).toBe('Rich')
    expect(pane.message().attachments).toEqual([])
  })

  test('[SAFE-6] is inserted when it fits after shrinking, and refused with its largest parts otherwise', () => {
    const long = { ...PLAIN, html: `<p>Long</p><!--${'x'.repeat(40_000)}-->` }
    const tooLong = {
      ...PLAIN,
      html: `<p style="color:red${';margin:0'.repeat(4_000)}">${'y'.repeat(5_000)}</p>`,
    }
    const pane = open({ own: [long, tooLong] })
    choose(pane, masterId(1, 0))
    expect(signature(pane)).toContain('<p>Long</p>')
    const before = writes(pane)
    choose(pane, masterId(1, 1))
    expect(writes(pane)).toBe(before)
    expect(failureOf(pane.app.state$.value.insertion.latest?.attempt ?? idleStatus)).toMatchObject({
      kind: 'tooLarge',
      limit: 30_000,
      parts: [{ part: 'styles' }, { part: 'text', characters: 5_000 }, { part: 'markup' }],
    })
  })

  test('[CHOOSE-3] "no signature" is kept for this message only, also when it reopens', () => {
    const pane = open()
    record(pane, Insertion.noneChosen({ itemKey: pane.itemKey() }))
    const { id } = pane.message()
    expect(signature(pane)).toBe('')
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(1_000)
    expect(signature(pane)).toContain('Standard')
    pane.mailbox.act({ type: 'switchTo', id })
    pane.clock.advance(1_000)
    pane.service.standard = standard('Changed')
    record(pane, Signatures.refreshRequested())
    expect(signature(pane)).toBe('')
  })

  test('[SIG-8] a forward that copied the stop-push flag of its original gets the default', () => {
    const pane = open({ quirks: ['copiesCustomPropertiesOnForward'] })
    choose(pane, TO_PLAIN)
    const { id } = pane.message()
    pane.mailbox.act({ type: 'setRecipients', to: [{ address: 'a@b.example', name: 'A' }] })
    pane.mailbox.act({ type: 'send', date: 0 })
    pane.mailbox.act({ type: 'forward', message: id })
    pane.clock.advance(1_000)
    expect(pane.message().customProperties).toHaveProperty('lsi_stop_push_signature')
    expect(signature(pane)).toContain('Standard')
  })

  /** Copies what the browser keeps of the first pane. */
  const keptOf =
    (first: Pane) =>
    ({ ports }: Pick<Pane, 'ports'>) => {
      const copies = [
        [first.ports.storage.local, ports.storage.local],
        [first.ports.storage.privateCache('u-alex'), ports.storage.privateCache('u-alex')],
        [first.ports.storage.kept, ports.storage.kept],
      ] as const
      for (const [from, to] of copies)
        for (const [key, value] of Object.entries(from.content())) to.set(key, value).subscribe()
    }

  test('[SIG-9] a warm start inserts the cached reply version with its picture before any response', () => {
    const known = cachedSignature({
      html: '<p>Standard</p>',
      reply: replyVersion(`<p>Short</p>${picture('logo.png')}`),
      images: [image(`${CDN}/logo.png`)],
    })
    const first = open({ standard: known })
    const pane = openPane({
      own: OWN,
      standard: known,
      ms: 400,
      prepare: (world) => {
        keptOf(first)(world)
        world.mailbox.act({ type: 'reply' })
      },
    })
    pane.clock.advance(300)
    expect(pane.ports.api.verify.running()).toBe(1)
    expect(signature(pane)).toContain('<p>Short</p><img src="cid:lsi-attachlogo-2.png">')
    // The quoted message has a picture of the first name.
    expect(pane.message().attachments.map(({ name }) => name)).toContain('lsi-attachlogo-2.png')
  })

  test('[SIG-9] a warm start inserts the cached default, and only a different response replaces it', () => {
    const first = open()
    for (const changed of [false, true]) {
      const pane = openPane({
        own: OWN,
        standard: standard(changed ? 'Changed' : 'Standard'),
        ms: 400,
        prepare: keptOf(first),
      })
      pane.clock.advance(300)
      expect(pane.ports.api.verify.running()).toBe(1)
      expect(signature(pane)).toContain('<p>Standard</p>')
      const before = writes(pane)
      pane.clock.advance(3_000)
      expect(pane.app.state$.value.defaults.load.status).toBe('success')
      expect(writes(pane) - before).toBe(changed ? 1 : 0)
      expect(signature(pane)).toContain(changed ? '<p>Changed</p>' : '<p>Standard</p>')
      expect(pane.app.state$.value.insertion.latest?.replacesOlder).toBe(changed)
    }
  })
})

describe("the mail client's own signature", () => {
  const OWN_SIGNATURE = 'Sent from my mail client'
  const switchOn = (pane: Pane, type: 'newMessage' | 'reply') => {
    pane.mailbox.act({ type: 'setClientSignature', on: true })
    pane.mailbox.act({ type })
  }
  const logged = ({ ports }: Pane) =>
    ports.log.lines.flatMap(({ action }) => (/^(mail_|client_)/.test(action) ? [action] : []))
  const texts = ({ mailbox }: Pane) => mailbox.snapshot().items.map(({ bodyHtml }) => bodyHtml)

  test.each(['newMessage', 'reply'] as const)('is replaced by the default in a message from %s', (type) => {
    const pane = open()
    switchOn(pane, type)
    expect(texts(pane).at(-1)).toContain(OWN_SIGNATURE)
    pane.clock.advance(1_000)
    expect(findSignatures(composeBody(pane.message()))).toHaveLength(1)
    expect(texts(pane).at(-1)).not.toContain(OWN_SIGNATURE)
    expect(pane.app.log.some((event) => event.type === 'insertion/bodyAltered')).toBe(false)
    expect(logged(pane)).toEqual([])
  })

  test('is queried once per message, and is not in the next one', () => {
    const pane = open()
    switchOn(pane, 'newMessage')
    pane.clock.advance(1_000)
    choose(pane, TO_PLAIN)
    pane.mailbox.act({ type: 'newMessage' })
    expect(texts(pane).at(-1)).toBe('')
    pane.clock.advance(1_000)
    const asked = pane.mailbox.calls.filter(({ name }) => name.includes('ClientSignature'))
    expect(asked.map(({ name, item }) => [name, item])).toEqual([
      ['isClientSignatureEnabledAsync', 'item-25'],
      ['isClientSignatureEnabledAsync', 'item-26'],
      ['disableClientSignatureAsync', 'item-26'],
      ['isClientSignatureEnabledAsync', 'item-27'],
    ])
  })

  test.each([
    ['isClientSignatureEnabledAsync', 'mail_client_failed'],
    ['disableClientSignatureAsync', 'client_signature_not_disabled'],
  ] as const)('is replaced when the mail client refuses %s, and the refusal is logged', (call, action) => {
    const pane = open()
    pane.mailbox.fail(call, { code: 9020, name: 'GenericResponseError' })
    switchOn(pane, 'newMessage')
    pane.clock.advance(3_000)
    expect(findSignatures(composeBody(pane.message()))).toHaveLength(1)
    expect(texts(pane).at(-1)).not.toContain(OWN_SIGNATURE)
    expect(pane.app.state$.value.insertion.latest?.attempt.status).toBe('success')
    expect(logged(pane)).toEqual([action])
  })

  test('is removed by "no signature", and its setting stays on', () => {
    const pane = open({ failure: { kind: 'network' } })
    switchOn(pane, 'newMessage')
    pane.clock.advance(1_000)
    expect(texts(pane).at(-1)).toContain(OWN_SIGNATURE)
    record(pane, Insertion.noneChosen({ itemKey: pane.itemKey() }))
    expect(texts(pane).at(-1)).toBe('')
    pane.mailbox.act({ type: 'newMessage' })
    expect(texts(pane).at(-1)).toContain(OWN_SIGNATURE)
  })
})

describe("the author's text", () => {
  test('[SAFE-2] is offered back when the mail client deletes a line of it, and restored', () => {
    const pane = open({ quirks: ['losesLineAbove'] })
    choose(pane, TO_PLAIN)
    const author = '<p>Dear all,</p><p>the figures are in.</p>'
    pane.mailbox.act({ type: 'typed', author })
    choose(pane, TO_RICH)
    expect(pane.message().body.author).not.toContain('figures')
    expect(pane.app.state$.value.insertion.bodyBefore).not.toBeNull()
    record(pane, Insertion.bodyRestoreRequested({ itemKey: pane.itemKey() }))
    const body = composeBody(pane.message())
    expect(body).toContain(author)
    expect(findSignatures(body).map(({ combinedIds }) => combinedIds)).toEqual(['c-plain'])
    expectImagesWhole(pane, 0)
    expect(pane.app.state$.value.insertion.bodyBefore).toBeNull()
  })

  test('[SAFE-2] is restored where session data is refused, too', () => {
    const pane = open({ quirks: ['losesLineAbove'] })
    choose(pane, TO_PLAIN)
    pane.mailbox.act({ type: 'typed', author: '<p>Dear all,</p><p>the figures are in.</p>' })
    choose(pane, TO_RICH)
    pane.mailbox.fail('sessionData.setAsync', { code: 5000, name: 'InternalError' }, Infinity)
    record(pane, Insertion.bodyRestoreRequested({ itemKey: pane.itemKey() }))
    pane.clock.advance(10_000)
    expect(pane.message().body.author).toContain('figures')
    expect(pane.app.state$.value.insertion.bodyBefore).toBeNull()
  })

  test('[SAFE-2] does not count as lost when typed during an insertion or split by the signature', () => {
    const pane = open({ quirks: ['insertsAtCaret'] })
    pane.mailbox.act({ type: 'typed', author: '<p>Dear all, here it is</p>' })
    pane.mailbox.delay('body.setSignatureAsync', 500)
    pane.app.record(Insertion.chosen({ entryId: TO_PLAIN, itemKey: pane.itemKey() }))
    pane.clock.advance(200)
    pane.mailbox.act({ type: 'typed', author: '<p>Dear all, here it is</p><p>Regards</p>' })
    pane.clock.advance(1_000)
    expect(pane.app.state$.value.insertion).toMatchObject({
      bodyBefore: null,
      latest: { attempt: { status: 'success' } },
    })
  })
})

describe('a failed call', () => {
  const CALLS: readonly CallName[] = [
    'body.getTypeAsync',
    'body.getAsync',
    'getAttachmentsAsync',
    'addFileAttachmentFromBase64Async',
    'body.setSignatureAsync',
    'sessionData.setAsync',
    'removeAttachmentAsync',
    'loadCustomPropertiesAsync',
    'customProperties.saveAsync',
  ]
  const QUIRKY = [null, ...QUIRKS]
  const CHANGES = [
    [TO_RICH, TO_LOGO],
    [TO_LOGO, TO_PLAIN],
    [TO_PLAIN, TO_RICH],
  ] as const

  test.each(QUIRKY)(
    '[INS-6] leaves the former signature or the new one, whole, after one to three failures: %s',
    (quirk) => {
      for (const call of CALLS)
        for (const times of [1, 2, 3])
          // In each run, a call fails once, twice and three times, each during another change; a quirk turns them.
          for (const [from, to] of CHANGES.filter(
            (_, index) => IS_LONG || (QUIRKY.indexOf(quirk) + times + index) % CHANGES.length === 0,
          )) {
            const pane = open({ quirks: quirk ? [quirk] : [] })
            choose(pane, from)
            pane.mailbox.fail(call, { code: 9000, name: 'InternalError' }, times)
            choose(pane, to)
            const { latest } = pane.app.state$.value.insertion
            const [found, ...others] = findSignatures(composeBody(pane.message()))
            const at = `${call}, ${times} times`
            expect(others, at).toEqual([])
            expect(latest?.attempt.status, at).not.toBe('pending')
            const shown = contentIds(composeBody(pane.message()))
            const names = pane.message().attachments.map(({ name }) => name)
            if (found) for (const id of shown) expect(names, at).toContain(id)
            // After the message reopens, the signature is whole and no picture is unused.
            pane.mailbox.restore()
            pane.clock.advance(60_000)
            const present = findSignatures(composeBody(pane.message()))
            const entryIds = { 'c-plain': TO_PLAIN, 'c-rich': TO_RICH, 'c-logo': TO_LOGO }
            const entryId = entryIds[present[0]?.combinedIds as keyof typeof entryIds]
            expect(latest?.attempt.status === 'success' ? [to] : [from, to], at).toContain(entryId)
            const { id } = pane.message()
            pane.mailbox.act({ type: 'switchTo', id: null })
            pane.mailbox.act({ type: 'switchTo', id })
            pane.clock.advance(1_000)
            expectImagesWhole(
              pane,
              { 'c-plain': 0, 'c-rich': 2, 'c-logo': 1 }[present[0]?.combinedIds ?? ''] ?? -1,
            )
          }
    },
  )
})

describe('the lists', () => {
  const theirs = (name: string, email: string) =>
    listedSignature({ name, email, combinedIds: `c-${name}`, html: `<p>${name}</p>` })
  const SALES = 'sales@northwind.example'
  const delegated = [
    theirs('Sales', SALES),
    theirs('Team', 'team@northwind.example'),
    theirs('Sales short', SALES),
  ]
  const delegations = ['u-sales', 'u-team']

  test('[SIG-4] loads no shared signatures when no user delegates', () => {
    const pane = open({ delegated })
    record(pane, Signatures.nextPageRequested({ list: 'delegated' }))
    expect(pane.ports.api.delegatedSignatures.calls).toEqual([])
    expect(selectOwnerGroups(pane.app.state$.value)).toEqual([])
  })

  test('[SIG-4] loads shared signatures by the ids of the delegating users, and groups them by owner', () => {
    const pane = open({ delegated, profile: profile({ delegations }) })
    expect(pane.ports.api.delegatedSignatures.calls).toEqual([
      [{ page: 1, withImages: pane.app.state$.value.settings.enableEmbedImages, userIds: delegations }],
    ])
    const groups = selectOwnerGroups(pane.app.state$.value)
    expect(groups.map(({ owner, entries }) => [owner, entries.map(({ entry }) => entry.name)])).toEqual([
      [SALES, ['Sales', 'Sales short']],
      ['team@northwind.example', ['Team']],
    ])
    expect(pane.app.state$.value.signatures.delegated).toMatchObject({ total: 3, offset: 3 })
  })

  test('[CHOOSE-2] offers the signature of the delegated sender that the user writes as, over a choice', () => {
    const pane = open({ delegated, profile: profile({ delegations }) })
    choose(pane, TO_PLAIN)
    expect(selectSendersSignature(pane.app.state$.value)).toBeNull()
    pane.mailbox.act({ type: 'setFrom', from: { address: 'Sales@northwind.example', name: 'Sales' } })
    pane.clock.advance(4_000)
    const offered = selectSendersSignature(pane.app.state$.value)
    expect(offered?.name).toBe('Sales')
    choose(pane, offered?.entryId ?? '')
    expect(signature(pane)).toContain('<p>Sales</p>')
    expect(selectSendersSignature(pane.app.state$.value)).toBeNull()
  })

  test('[SIG-10] an entry does not fit once a recipient outside its audiences is added', () => {
    const forPartners = { ...PLAIN, audiences: ['partner.example'] }
    const pane = open({ own: [forPartners, RICH] })
    const fits = () => selectListedEntries(pane.app.state$.value).map((each) => each.fits)
    const to = (...addresses: string[]) => {
      pane.mailbox.act({ type: 'setRecipients', to: addresses.map((address) => ({ address, name: '' })) })
      pane.clock.advance(1_000)
    }
    expect(fits()).toEqual([true, true])
    to('x@Partner.example')
    expect(fits()).toEqual([true, true])
    to('x@partner.example', 'y@elsewhere.example')
    expect(fits()).toEqual([false, true])
  })

  test('[SIG-6] a reload empties the list, waits 2000 ms, loads default and first page together, and ends', () => {
    const pane = open({ ms: 100 })
    const calls = () => [pane.ports.api.signatures.calls.length, pane.ports.api.signature.calls.length]
    const before = calls()
    record(pane, Picture.deleteRequested(), 1_999)
    expect(pane.app.state$.value.signatures).toMatchObject({
      reloading: true,
      own: { entries: [], pages: [] },
    })
    expect(calls()).toEqual(before)
    pane.clock.advance(1)
    expect(calls()).toEqual(before.map((count) => count + 1))
    expect(pane.app.state$.value.signatures.reloading).toBe(true)
    pane.clock.advance(100)
    expect(pane.app.state$.value.signatures).toMatchObject({ reloading: false, own: { total: 3, offset: 3 } })
  })

  test('[SIG-6] a reload whose answers fail ends, too', () => {
    const pane = open()
    pane.service.failure = { kind: 'network' }
    record(pane, Picture.deleteRequested(), 5_000)
    expect(pane.app.state$.value).toMatchObject({
      signatures: { reloading: false, own: { load: { status: 'fail' } } },
      defaults: { load: { status: 'fail' } },
    })
  })
})

describe('the default', () => {
  const change = Defaults.changeRequested({ combinedIds: 'c-rich', use: 'master' })

  test('[SIG-7] is changed in the metadata, then at the service, and loaded again', () => {
    const pane = open()
    const before = pane.ports.sent.length
    record(pane, change)
    const sent = pane.ports.sent.slice(before).filter(({ name }) => name.startsWith('api.'))
    expect(sent.map(({ name }) => name)).toEqual([
      'api.saveVariables',
      'api.saveDefaultSignature',
      'api.signature',
      'api.user',
    ])
    expect(sent[0]?.args).toMatchObject([
      { metadata: { defaultSignature: { master: 'c-rich', reply: 'c-standard' } } },
    ])
    expect(sent[1]?.args).toEqual(['c-rich'])
    const { pending, made } = pane.app.state$.value.defaults
    expect([pending, made]).toMatchObject([[], change.data])
  })

  test.each([0, 1])('[SIG-7] reports a failure of call %s, and loads the profile again', (failed) => {
    const pane = open({
      prepare: ({ ports: { api } }) => {
        const call = [api.saveVariables, api.saveDefaultSignature][failed]
        call?.answers(failing({ kind: 'network' }))
      },
    })
    const before = pane.ports.api.user.calls.length
    record(pane, change)
    const { pending, refused } = pane.app.state$.value.defaults
    expect([pending, refused]).toMatchObject([[], [{ change: change.data, failure: { kind: 'network' } }]])
    expect(pane.ports.api.saveDefaultSignature.calls).toHaveLength(failed)
    expect(pane.ports.api.user.calls.length).toBe(before + 1)
    expect(pane.app.state$.value.defaults.load.status).toBe('success')
  })
})

describe('copying', () => {
  test('[CHOOSE-7] a second signature replaces the first in the clipboard, and each is told as copied', () => {
    const pane = open({ prepare: ({ mailbox }) => mailbox.act({ type: 'switchTo', id: null }) })
    const [first$, second$] = [new Subject<undefined>(), new Subject<undefined>()]
    pane.ports.clipboard.write.answers(first$.pipe(take(1)), second$.pipe(take(1)))
    record(pane, Signatures.copyRequested({ entryId: TO_LOGO }))
    record(pane, Signatures.copyRequested({ entryId: TO_PLAIN }))
    const copy = () => pane.app.state$.value.signatures.copy
    first$.next(undefined)
    expect(copy()).toEqual({ entryId: TO_LOGO, attempt: { status: 'success' } })
    second$.next(undefined)
    expect(copy()).toEqual({ entryId: TO_PLAIN, attempt: { status: 'success' } })
    expect(pane.ports.clipboard.write.calls.map(([{ html }]) => html)).toEqual([LOGO.html, PLAIN.html])
  })

  test('[CHOOSE-7] writes html and text to the clipboard', () => {
    const pane = open({ prepare: ({ mailbox }) => mailbox.act({ type: 'switchTo', id: null }) })
    record(pane, Signatures.copyRequested({ entryId: TO_LOGO }))
    expect(pane.ports.clipboard.write.calls).toEqual([[{ html: LOGO.html, text: 'Logo' }]])
    expect(pane.app.state$.value.signatures.copy).toEqual({
      entryId: TO_LOGO,
      attempt: { status: 'success' },
    })
  })
})

describe('a signature that has changed since it was inserted', () => {
  const NEWER = { ...PLAIN, html: '<p>Plain, director</p>' }
  const changed = (pane: Pane, own = [NEWER, RICH, LOGO]) => {
    pane.service.own = own
    record(pane, Signatures.refreshRequested())
  }
  const offered = (pane: Pane) => selectNewerVersion(pane.app.state$.value)

  test('is offered in its new version when the user chose it, and goes in only when the user says so', () => {
    const pane = open()
    choose(pane, TO_PLAIN)
    expect(offered(pane)).toBeNull()
    const before = writes(pane)
    changed(pane)
    expect([offered(pane)?.name, writes(pane)]).toEqual(['Plain', before])
    choose(pane, offered(pane)?.entryId ?? '')
    expect(signature(pane)).toContain('<p>Plain, director</p>')
    expect(offered(pane)).toBeNull()
  })

  test('is not offered again once the user has undone the new version', () => {
    const pane = open()
    choose(pane, TO_PLAIN)
    changed(pane)
    choose(pane, offered(pane)?.entryId ?? '')
    undo(pane)
    expect(signature(pane)).toContain('<p>Plain</p>')
    expect([offered(pane), selectUndoDirection(pane.app.state$.value)]).toEqual([null, 'redo'])
  })

  test('is offered when another signature was undone before', () => {
    const pane = open()
    choose(pane, TO_PLAIN)
    choose(pane, TO_LOGO)
    undo(pane)
    changed(pane)
    expect(offered(pane)?.name).toBe('Plain')
  })

  test('is not offered when it is gone, when another one changed, and in a message without a signature', () => {
    const pane = open()
    choose(pane, TO_PLAIN)
    changed(pane, [PLAIN, { ...RICH, html: '<p>Richer</p>' }, LOGO])
    expect(offered(pane)).toBeNull()
    changed(pane, [RICH, LOGO])
    expect(offered(pane)).toBeNull()
    record(pane, Insertion.noneChosen({ itemKey: pane.itemKey() }))
    changed(pane)
    expect(offered(pane)).toBeNull()
  })

  test('follows by itself as the default, and is offered while automatic insertion is off', () => {
    const listed = (html: string) =>
      listedSignature({ name: 'Standard', combinedIds: cachedSignature().combinedIds, html })
    const follows = (isOn: boolean) => {
      const pane = open({ own: [listed('<p>Standard</p>')] })
      record(pane, Settings.updateRequested({ changes: { enableSignaturePush: isOn } }))
      pane.service.standard = standard('Standard, director')
      changed(pane, [listed('<p>Standard, director</p>')])
      return [signature(pane).includes('director'), offered(pane)?.name ?? null]
    }
    expect(follows(true)).toEqual([true, null])
    expect(follows(false)).toEqual([false, 'Standard'])
  })
})
