import fc from 'fast-check'
import { defer, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import { selectSenderChoice } from '../../streams/pane/defaults/selectors.ts'
import { findSignatures } from '../../streams/html/message.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { selectSendersSignature, selectSignatureReason } from '../../streams/pane/insertion/selectors.ts'
import type { Message } from '../../streams/message/mailbox/events.ts'
import { dueSignatureFor, toSenders } from '../../streams/message/senders/rules.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { selectListedEntries, selectOwnerGroups } from '../../streams/pane/signatures/selectors.ts'
import { openPane, type Pane, type PaneOptions } from '../support/pane.ts'
import { failing } from '../support/ports.ts'
import { cachedSignature, image, listedSignature, masterId, profile } from '../support/state.ts'

// Sender and recipients decide, end to end: the whole application over the mailbox model and a service that keeps what
// it is told.

const ME = 'alex.kim@northwind.example'
const SALES = 'sales@northwind.example'
/** Another address of the user: it has no signatures of its own. */
const ALIAS = 'alex@northwind.example'
const INSIDE = 'northwind.example'
const LOGO = 'https://cdn.northwind.example/sales.png'

const listed = (name: string, over: Parameters<typeof listedSignature>[0] = {}) =>
  listedSignature({ name, combinedIds: `c-${name}`, html: `<p>${name}</p>`, ...over })
const reply = (name: string) => [{ code: 'reply', html: `<p>${name}, in reply</p>` }]
/** The last one is on the second page of the pane's list. */
const OWN = [
  listed('Internal', { audiences: [INSIDE], variants: reply('Internal') }),
  ...['One', 'Two', 'Three', 'Four'].map((name, index) => listed(name, { order: 10 + index })),
  listed('Outsiders', { order: 1, variants: reply('Outsiders') }),
]
const SALES_HTML = `<p>Sales</p><img src="${LOGO}">`
const DELEGATED = [
  listed('Sales', { email: SALES, html: SALES_HTML, images: [image(LOGO)], variants: reply('Sales') }),
  listed('Offer', { email: SALES, order: 1 }),
]
const STANDARD = cachedSignature({
  name: 'Internal',
  combinedIds: 'c-Internal',
  html: '<p>Internal</p>',
  reply: { html: '<p>Internal, in reply</p>', of: { name: 'Internal', combinedIds: 'c-Internal' } },
})

/** Opens a pane; `profile` is what an earlier pane left at the service. */
function open(options: PaneOptions = {}): Pane {
  const pane = openPane({
    own: OWN,
    delegated: DELEGATED,
    standard: STANDARD,
    profile: profile({ delegations: ['u-sales'] }),
    ...options,
    prepare: (made) => {
      const { ports, service } = made
      ports.api.saveVariables.answers(({ metadata }) =>
        defer(() => {
          if (metadata) service.profile = { ...service.profile, metadata }
          return of({ values: {}, changedFields: [] })
        }),
      )
      options.prepare?.(made)
    },
  })
  pane.clock.advance(1_000)
  return pane
}
const state = ({ app }: Pane) => app.state$.value
const inMessage = ({ message }: Pane) =>
  findSignatures(composeBody(message())).map((each) => each.combinedIds)
const html = ({ message }: Pane) => message().body.signature
const why = (pane: Pane) => selectSignatureReason(state(pane))?.kind
const writes = ({ mailbox }: Pane) =>
  mailbox.calls.filter(({ name }) => name === 'body.setSignatureAsync').length
/** The pane looks at the sender every three seconds. */
const writeAs = (pane: Pane, address: string, ms = 4_000) => {
  pane.mailbox.act({ type: 'setFrom', from: { address, name: '' } })
  pane.clock.advance(ms)
}
const writeTo = (pane: Pane, ...to: readonly string[]) => {
  pane.mailbox.act({ type: 'setRecipients', to: to.map((address) => ({ address, name: '' })) })
  pane.clock.advance(1_500)
}
const choose = (pane: Pane, entryId: string) => {
  pane.app.record(Insertion.chosen({ entryId, itemKey: pane.itemKey() }))
  pane.clock.advance(1_000)
}
const chooseFor = (pane: Pane, address: string, combinedIds: string | null) => {
  pane.app.record(Defaults.senderChoiceRequested({ address, combinedIds }))
  pane.clock.advance(1_000)
}
const begin = (pane: Pane, type: 'newMessage' | 'reply') => {
  pane.mailbox.act({ type })
  pane.mailbox.act({ type: 'endSwitch' })
  pane.clock.advance(1_000)
}

describe('the sender', () => {
  test('[AUTO-12] who shares signatures gets theirs with its images, and the user’s own come back with them', () => {
    const pane = open()
    expect([inMessage(pane), why(pane)]).toEqual([['c-Internal'], 'default'])
    for (let round = 0; round < 2; round += 1) {
      writeAs(pane, SALES.toUpperCase())
      expect([inMessage(pane), why(pane)]).toEqual([['c-Sales'], 'sender'])
      expect(html(pane)).toContain('cid:lsi-attachsales.png')
      // What goes in automatically needs no offer.
      expect(selectSendersSignature(state(pane))).toBeNull()
      writeAs(pane, ME)
      expect([inMessage(pane), why(pane)]).toEqual([['c-Internal'], 'default'])
      expect(pane.message().attachments).toEqual([])
      // This is no newer version of the default.
      expect(state(pane).insertion.latest?.replacesOlder).toBe(false)
    }
    writeAs(pane, ALIAS)
    expect(inMessage(pane)).toEqual(['c-Internal'])
  })

  test('is shown by a signature that shows the sender: by itself, by hand and in the list', () => {
    const shown = (name: string) => (sender: string) => `<p>${name}, ${sender}</p>`
    const [standard, one] = [shown('Internal'), shown('One')]
    const copies = (html: (sender: string) => string) => ({
      html: html(ME),
      copies: [{ sender: ALIAS, html: html(ALIAS), variants: [] }],
    })
    const pane = open({
      standard: { ...STANDARD, reply: null, ...copies(standard) },
      own: [listed('Internal', copies(standard)), listed('One', { ...copies(one), order: 1 })],
    })
    const listedHtmls = () =>
      selectListedEntries(state(pane)).flatMap(({ entry }) => (entry.owner === 'user' ? [entry.html] : []))
    expect(html(pane)).toContain(`Internal, ${ME}`)
    expect(listedHtmls()).toEqual([standard(ME), one(ME)])
    writeAs(pane, ALIAS.toUpperCase())
    expect([inMessage(pane), why(pane)]).toEqual([['c-Internal'], 'default'])
    expect(html(pane)).toContain(`Internal, ${ALIAS}`)
    expect(listedHtmls()).toEqual([standard(ALIAS), one(ALIAS)])
    choose(pane, masterId(1, 1))
    expect(html(pane)).toContain(`One, ${ALIAS}`)
    // The user's choice stays as it was chosen.
    writeAs(pane, ME)
    expect(html(pane)).toContain(`One, ${ALIAS}`)
    choose(pane, masterId(1, 1))
    expect(html(pane)).toContain(`One, ${ME}`)
  })

  test('stays in a signature that was chosen by hand while its blocks follow the recipients', () => {
    const candidate = { id: 'b', name: 'B', html: '<b>Fair</b>', audiences: ['elsewhere.example'] }
    const slots = [
      {
        ...{ name: 'banner', start: 0, end: 0 },
        candidates: [{ ...candidate, replies: true, everyone: false, closes: null }],
      },
    ]
    const version = (sender: string) => ({ html: `<p>One, ${sender}</p>`, slots })
    const copies = [{ sender: ALIAS, ...version(ALIAS), variants: [] }]
    const pane = open({ own: [listed('Internal'), listed('One', { ...version(ME), copies, order: 1 })] })
    writeAs(pane, ALIAS)
    choose(pane, masterId(1, 1))
    expect(html(pane)).not.toContain('Fair')
    writeTo(pane, 'a@elsewhere.example')
    expect(html(pane)).toContain('Fair')
    expect(html(pane)).toContain(`One, ${ALIAS}`)
  })

  test('[AUTO-12] decides from the start, also when the lists cannot be read as a whole', () => {
    const asSales: PaneOptions['prepare'] = ({ mailbox }) => {
      mailbox.act({ type: 'setFrom', from: { address: SALES, name: '' } })
    }
    const pane = open({ prepare: asSales })
    expect([inMessage(pane), why(pane)]).toEqual([['c-Sales'], 'sender'])
    const unread = open({
      prepare: (made) => {
        asSales(made)
        const { answers } = made.ports.api.signatures
        answers(({ perPage }) =>
          perPage === undefined
            ? of({ page: 1, total: 6, objects: OWN.slice(0, 5) })
            : failing({ kind: 'network' }),
        )
      },
    })
    expect([inMessage(unread), why(unread)]).toEqual([['c-Sales'], 'sender'])
    expect(state(unread).senders).toMatchObject({ known: null, load: { status: 'fail' } })
  })

  test('[AUTO-14] gets the reply version in a reply', () => {
    const pane = open()
    begin(pane, 'reply')
    expect(html(pane)).toContain('Internal, in reply')
    writeAs(pane, SALES)
    expect(html(pane)).toContain('Sales, in reply')
    expect(why(pane)).toBe('sender')
  })

  test('[AUTO-9] that is chosen again is no second write', () => {
    const pane = open()
    writeAs(pane, SALES)
    const before = writes(pane)
    writeAs(pane, SALES)
    writeAs(pane, 'Sales@Northwind.Example')
    expect(writes(pane)).toBe(before)
  })

  test('counts when it changes while a signature is being inserted', () => {
    const pane = open()
    writeAs(pane, SALES, 3_000)
    for (const address of [ME, SALES, ME]) {
      pane.mailbox.act({ type: 'setFrom', from: { address, name: '' } })
      pane.clock.advance(3_001)
    }
    pane.clock.advance(4_000)
    expect(inMessage(pane)).toEqual(['c-Internal'])
  })

  test('decides nothing while automatic insertion is switched off; theirs is offered', () => {
    const pane = open()
    pane.app.record(Settings.updateRequested({ changes: { enableSignaturePush: false } }))
    writeAs(pane, SALES)
    expect(inMessage(pane)).toEqual(['c-Internal'])
    expect(selectSignatureReason(state(pane))).toEqual({ kind: 'default', by: 'organisation' })
    expect(selectSendersSignature(state(pane))?.name).toBe('Sales')
  })
})

describe('the recipients', () => {
  test('[AUTO-13] outside the default’s audience get the first signature that is meant for all of them', () => {
    const pane = open()
    writeTo(pane, `a@${INSIDE}`)
    expect([inMessage(pane), why(pane)]).toEqual([['c-Internal'], 'default'])
    writeTo(pane, `a@${INSIDE}`, 'b@elsewhere.example')
    expect([inMessage(pane), why(pane)]).toEqual([['c-Outsiders'], 'audience'])
    const reasons = selectListedEntries(state(pane)).map(({ entry, why: { kind } }) => [entry.name, kind])
    expect(reasons.slice(0, 3)).toEqual([
      ['Internal', 'notHere'],
      ['Internal', 'forReplies'],
      ['One', 'own'],
    ])
    writeTo(pane)
    expect([inMessage(pane), why(pane)]).toEqual([['c-Internal'], 'default'])
  })

  test('[AUTO-13] that are added one after the other cause one write', () => {
    const pane = open()
    const before = writes(pane)
    const to = Array.from({ length: 10 }, (_, index) => ({
      address: `r${index}@p${index}.example`,
      name: '',
    }))
    for (let count = 1; count <= to.length; count += 1) {
      pane.mailbox.act({ type: 'setRecipients', to: to.slice(0, count) })
      pane.clock.advance(200)
    }
    expect(writes(pane)).toBe(before)
    pane.clock.advance(2_000)
    expect([inMessage(pane), writes(pane)]).toEqual([['c-Outsiders'], before + 1])
  })

  test('[AUTO-9] that decide nothing cause no write', () => {
    const pane = open()
    const before = writes(pane)
    writeTo(pane, `a@${INSIDE}`)
    writeTo(pane, `a@${INSIDE}`, `b@${INSIDE}`)
    writeAs(pane, SALES)
    writeTo(pane, 'c@elsewhere.example')
    expect(writes(pane)).toBe(before + 1)
  })

  test('[AUTO-14] of a reply get the reply version', () => {
    const pane = open()
    begin(pane, 'reply')
    writeTo(pane, 'b@elsewhere.example')
    expect(html(pane)).toContain('Outsiders, in reply')
    expect(why(pane)).toBe('audience')
  })
})

describe('the choice for a sender', () => {
  const choiceOf = (pane: Pane, name: string) => selectSenderChoice(`c-${name}`)(state(pane))
  const kept = ({ service }: Pane) => service.profile.metadata.defaultSignature

  test('[AUTO-12] is one action, followed at once, kept with the default, and followed by the next pane', () => {
    const pane = open()
    expect(choiceOf(pane, 'One')).toBeNull()
    writeAs(pane, ALIAS)
    expect(choiceOf(pane, 'One')).toBe('offered')
    chooseFor(pane, ALIAS.toUpperCase(), 'c-One')
    expect([inMessage(pane), why(pane), choiceOf(pane, 'One')]).toEqual([['c-One'], 'senderChoice', 'chosen'])
    expect(kept(pane)).toEqual({ master: null, reply: null, bySender: { [ALIAS]: 'c-One' } })
    writeAs(pane, ME)
    expect(inMessage(pane)).toEqual(['c-Internal'])

    const next = open({ profile: pane.service.profile })
    writeAs(next, ALIAS)
    expect([inMessage(next), why(next)]).toEqual([['c-One'], 'senderChoice'])
    // Another choice in place of it, then none.
    chooseFor(next, ALIAS, 'c-Outsiders')
    expect([inMessage(next), choiceOf(next, 'One')]).toEqual([['c-Outsiders'], 'offered'])
    chooseFor(next, ALIAS, null)
    expect([inMessage(next), why(next)]).toEqual([['c-Internal'], 'default'])
    expect(kept(next)).toBeNull()
    for (const { ports } of [pane, next]) expect(ports.api.saveDefaultSignature.calls).toEqual([])
  })

  test('[CHOOSE-2] leaves the default to the organisation: why says so, and a new one is followed', () => {
    const pane = open()
    chooseFor(pane, ALIAS, 'c-One')
    begin(pane, 'newMessage')
    expect(selectSignatureReason(state(pane))).toEqual({ kind: 'default', by: 'organisation' })
    pane.service.standard = cachedSignature({
      name: 'Two',
      combinedIds: 'c-Two',
      html: '<p>Two</p>',
      reply: null,
    })
    pane.app.record(Signatures.refreshRequested())
    pane.clock.advance(3_000)
    expect([inMessage(pane), selectSignatureReason(state(pane))]).toEqual([
      ['c-Two'],
      { kind: 'default', by: 'organisation' },
    ])
    writeAs(pane, ALIAS)
    expect([inMessage(pane), why(pane)]).toEqual([['c-One'], 'senderChoice'])
  })

  test('[AUTO-12] goes before what the sender shares, and is told where it is listed', () => {
    const pane = open()
    writeAs(pane, SALES)
    chooseFor(pane, SALES, 'c-Offer')
    expect([inMessage(pane), why(pane)]).toEqual([['c-Offer'], 'senderChoice'])
    const [sales] = selectOwnerGroups(state(pane))
    expect(sales?.entries.map(({ entry, why: { kind } }) => [entry.name, kind])).toEqual([
      ['Sales', 'sender'],
      ['Sales', 'sender'],
      ['Offer', 'senderChoice'],
    ])
  })

  test('is offered to a user who chose by hand, also for their own address', () => {
    const pane = open()
    choose(pane, masterId(1, 1))
    expect(choiceOf(pane, 'One')).toBe('offered')
    chooseFor(pane, ME, 'c-One')
    begin(pane, 'newMessage')
    expect([inMessage(pane), why(pane)]).toEqual([['c-One'], 'senderChoice'])
  })

  test('that cannot be saved says so like a default, and changes nothing', () => {
    const pane = open()
    writeAs(pane, ALIAS)
    pane.ports.api.saveVariables.answers(failing({ kind: 'network' }))
    chooseFor(pane, ALIAS, 'c-One')
    expect(state(pane).defaults.refused).toMatchObject([
      { change: { use: 'sender', address: ALIAS, combinedIds: 'c-One' }, failure: { kind: 'network' } },
    ])
    expect([inMessage(pane), choiceOf(pane, 'One')]).toEqual([['c-Internal'], 'offered'])
  })

  test('stays when a default changes, and two changes in a row both count', () => {
    const pane = open()
    for (const event of [
      Defaults.senderChoiceRequested({ address: ALIAS, combinedIds: 'c-One' }),
      Defaults.senderChoiceRequested({ address: SALES, combinedIds: 'c-Two' }),
      Defaults.changeRequested({ combinedIds: 'c-Three', use: 'reply' }),
    ])
      pane.app.record(event)
    pane.clock.advance(1_000)
    expect(kept(pane)).toEqual({
      master: 'c-Internal',
      reply: 'c-Three',
      bySender: { [ALIAS]: 'c-One', [SALES]: 'c-Two' },
    })
  })
})

describe('a choice by hand', () => {
  test.each<[string, (pane: Pane) => void]>([
    [
      'of a signature',
      (pane) => {
        choose(pane, masterId(1, 2))
      },
    ],
    [
      'of no signature',
      (pane) => {
        pane.app.record(Insertion.noneChosen({ itemKey: pane.itemKey() }))
      },
    ],
    [
      'that took the signature out of the text',
      (pane) => {
        pane.mailbox.act({ type: 'signatureEdited', signature: '' })
      },
    ],
    [
      'that took back what the sender brought',
      (pane) => {
        writeAs(pane, SALES)
        pane.app.record(Insertion.undoRequested({ itemKey: pane.itemKey() }))
        pane.clock.advance(1_000)
        writeAs(pane, ME)
      },
    ],
  ])('[AUTO-12] [AUTO-13] %s stays with every sender and recipient', (_, act) => {
    const pane = open()
    act(pane)
    pane.clock.advance(1_000)
    const before = inMessage(pane)
    writeAs(pane, SALES)
    expect(inMessage(pane)).toEqual(before)
    writeTo(pane, 'b@elsewhere.example')
    writeAs(pane, ME)
    chooseFor(pane, ME, 'c-Four')
    expect(inMessage(pane)).toEqual(before)
    // The next message is another matter.
    begin(pane, 'newMessage')
    expect(inMessage(pane)).toEqual(['c-Four'])
  })
})

test('[AUTO-12] [AUTO-13] whatever happens in whatever order, the rule has the message at the end, unless the user chose', () => {
  type Act =
    | Readonly<{ kind: 'from'; address: string }>
    | Readonly<{ kind: 'to'; domains: readonly string[] }>
    | Readonly<{ kind: 'choose'; index: number }>
    | Readonly<{ kind: 'chooseFor'; address: string; combinedIds: string | null }>
  const address = fc.constantFrom(ME, SALES, ALIAS)
  const act: fc.Arbitrary<Act> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('from' as const), address }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('to' as const),
        domains: fc.subarray([INSIDE, 'a.example', 'b.example']),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('chooseFor' as const),
        address,
        combinedIds: fc.constantFrom(null, 'c-One', 'c-Internal', 'c-Offer'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('choose' as const), index: fc.nat(2) }) },
  )
  const acts = fc.array(fc.tuple(act, fc.constantFrom(0, 5, 300, 900, 3_000)), { maxLength: 8 })
  fc.assert(
    fc.property(acts, fc.constantFrom('newMessage' as const, 'reply' as const), (given, kind) => {
      const pane = open()
      begin(pane, kind)
      let chosen: string | null = null
      for (const [each, ms] of given) {
        if (each.kind === 'from')
          pane.mailbox.act({ type: 'setFrom', from: { address: each.address, name: '' } })
        else if (each.kind === 'to') {
          const to = each.domains.map((domain) => ({ address: `x@${domain}`, name: '' }))
          pane.mailbox.act({ type: 'setRecipients', to })
        } else if (each.kind === 'chooseFor')
          pane.app.record(
            Defaults.senderChoiceRequested({ address: each.address, combinedIds: each.combinedIds }),
          )
        else {
          chosen = OWN[each.index]?.combinedIds ?? null
          pane.app.record(
            Insertion.chosen({
              entryId:
                selectListedEntries(state(pane))
                  .map(({ entry }) => entry)
                  .find((entry) => entry.type === 'master' && entry.combinedIds === chosen)?.entryId ?? '',
              itemKey: pane.itemKey(),
            }),
          )
        }
        pane.clock.advance(ms)
      }
      pane.clock.advance(10_000)
      const { from, to, cc } = pane.message()
      const bySender = pane.service.profile.metadata.defaultSignature?.bySender ?? {}
      const senders = toSenders([...OWN, ...DELEGATED], { defaults: ['c-Internal'], bySender, at: 0 })
      const written: Pick<Message, 'composeType' | 'from' | 'to' | 'cc'> = {
        composeType: kind === 'reply' ? 'reply' : 'newMail',
        from,
        to,
        cc,
      }
      const due = dueSignatureFor({ signature: STANDARD, senders, own: ME }, written)
      expect(inMessage(pane)).toEqual([chosen ?? due?.combinedIds])
    }),
    { numRuns: 40 },
  )
})
