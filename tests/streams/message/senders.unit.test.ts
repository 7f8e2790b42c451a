import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { selectSenderChoice } from '../../../streams/pane/defaults/selectors.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { dueContentHash } from '../../../streams/message/insertion/rules.ts'
import {
  selectSendersSignature,
  selectShownInMessage,
  selectSignatureReason,
} from '../../../streams/pane/insertion/selectors.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { SendersRead } from '../../../streams/message/senders/events.ts'
import { selectDueSignature } from '../../../streams/message/senders/selectors.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import type { AppEvent } from '../../../streams/pane/events.ts'
import type { MailAddress, Message } from '../../../streams/message/mailbox/events.ts'
import { recipientAddresses } from '../../../streams/message/mailbox/rules.ts'
import { type KnownSignatures, dueSignatureFor, toSenders } from '../../../streams/message/senders/rules.ts'
import {
  type Senders,
  type SenderSignature,
  storedSenders,
} from '../../../streams/message/senders/senders.ts'
import { orNull } from '../../../streams/kernel/schema.ts'
import { OWN_OWNER, toEntries, toListedSignatures } from '../../../streams/message/signatures/entry.ts'
import { fitsAudience } from '../../../streams/html/slots.ts'
import type { InsertionReason } from '../../../streams/message/signatures/signature.ts'
import type { CachedSignature } from '../../../streams/wire/signatures.ts'
import { listedSignature as anyListed, senders as anySenders } from '../../support/arbitraries.ts'
import {
  cachedSignature,
  listedSignature,
  profile,
  settingsLoaded,
  signedInWriting,
  stateAfter,
  throughJson,
} from '../../support/state.ts'

const parseSenders = (value: unknown) => orNull(storedSenders).read(value, '')

const ME = 'me@own.example'
const SENDERS = ['sales@own.example', 'press@own.example']
const DOMAINS = ['own.example', 'partner.example', 'else.example']

// Small pools, so that owners, senders, recipients and choices meet.
const audiences = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.subarray(DOMAINS, { minLength: 1 }) },
  { weight: 1, arbitrary: fc.constant(['!own.example']) },
)
const others: fc.Arbitrary<readonly SenderSignature[]> = fc
  .array(
    fc.record({
      owner: fc.constantFrom(OWN_OWNER, OWN_OWNER, ...SENDERS, ME),
      order: fc.nat(3),
      audiences,
      hasReply: fc.boolean(),
      isForMeetings: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((each) =>
    each.map(({ hasReply, isForMeetings, ...given }, index) => ({
      ...given,
      name: `Other ${index}`,
      combinedIds: `c-${index}`,
      html: `<p>${index}</p>`,
      reply: hasReply ? `<p>${index}, in reply</p>` : null,
      ...(isForMeetings && { meeting: { html: `<p>${index}, in meetings</p>` } }),
      images: [],
    })),
  )
/** Of the default and its reply version; `c-0` is also one of the others. */
const ids = fc.constantFrom('c-standard', 'c-0')
const signature: fc.Arbitrary<CachedSignature> = fc
  .record({
    combinedIds: ids,
    reply: fc.constantFrom(null, 'c-standard', 'c-1', undefined),
    meeting: fc.constantFrom(null, 'c-standard', 'c-0', 'c-1'),
  })
  .map(({ combinedIds, reply, meeting }) =>
    cachedSignature({
      ...(meeting !== null && {
        meeting: { name: 'M', combinedIds: meeting, html: '<p>default, in meetings</p>' },
      }),
      combinedIds,
      html: '<p>default</p>',
      reply:
        reply === null
          ? null
          : {
              html: '<p>default, in reply</p>',
              of: reply === undefined ? null : { name: 'R', combinedIds: reply },
            },
    }),
  )
const senders: fc.Arbitrary<Senders> = fc.record({
  at: fc.constant(0),
  audiences: fc.record({ 'c-standard': audiences, 'c-0': audiences, 'c-1': audiences }),
  bySender: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.dictionary(fc.constantFrom(ME, ...SENDERS), fc.constantFrom('c-0', 'c-1', 'c-standard', 'gone')),
  ),
  others,
})
const known: fc.Arbitrary<KnownSignatures> = fc.record({
  signature: fc.oneof({ weight: 9, arbitrary: signature }, fc.constant(null)),
  senders,
  own: fc.constant(ME),
})
const recipients = fc.array(
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...DOMAINS))
    .map(([name, domain]): MailAddress => ({ address: `${name}@${domain}`, name: '' })),
  { maxLength: 4 },
)
const from = fc.oneof(
  fc.constant(null),
  fc
    .constantFrom(ME, ...SENDERS, 'unknown@own.example')
    .map((address): MailAddress => ({ address, name: '' })),
)
type Addressed = Pick<Message, 'composeType' | 'from' | 'to' | 'cc'>
const message: fc.Arbitrary<Addressed> = fc.record({
  composeType: fc.constantFrom(
    'newMail' as const,
    'reply' as const,
    'forward' as const,
    'meeting' as const,
    null,
  ),
  from,
  to: recipients,
  cc: recipients,
})

const addressOf = ({ from }: Addressed): string => (from?.address ?? ME).toLowerCase()
const isReply = ({ composeType }: Addressed) => composeType === 'reply' || composeType === 'forward'
/** In a meeting, there is nothing but versions for meetings. */
const isThere = ({ meeting }: SenderSignature, { composeType }: Addressed) =>
  composeType !== 'meeting' || meeting !== undefined
const choiceOf = ({ senders, signature }: KnownSignatures, written: Addressed): string | null => {
  const chosen = senders.bySender[addressOf(written)]
  const standard = written.composeType === 'meeting' ? signature?.meeting : signature
  const isKnown =
    senders.others.some((other) => other.combinedIds === chosen && isThere(other, written)) ||
    standard?.combinedIds === chosen
  return chosen !== undefined && isKnown ? chosen : null
}
const ofSender = ({ senders }: KnownSignatures, written: Addressed): readonly SenderSignature[] =>
  addressOf(written) === ME
    ? []
    : senders.others.filter((other) => other.owner === addressOf(written) && isThere(other, written))
const without = (given: KnownSignatures, over: Partial<Senders>): KnownSignatures => ({
  ...given,
  senders: { ...given.senders, ...over },
})

describe('the signature that a message is due', () => {
  test('[AUTO-12] is the user’s choice for this sender, if that signature is known', () => {
    fc.assert(
      fc.property(known, message, (given, written) => {
        const due = dueSignatureFor(given, written)
        const choice = choiceOf(given, written)
        expect(due?.by === 'choice').toBe(choice !== null)
        if (choice === null) {
          // An unknown choice, and one for another sender, counts for nothing.
          expect(due).toEqual(dueSignatureFor(without(given, { bySender: {} }), written))
          return
        }
        const other = given.senders.others.find(
          (each) => each.combinedIds === choice && isThere(each, written),
        )
        if (other) expect([due?.name, due?.combinedIds]).toEqual([other.name, choice])
        else expect(due?.html).toContain('default')
      }),
      { numRuns: 300 },
    )
  })

  test('[AUTO-12] is one of the sender’s, exactly when the sender’s are delegated to the user', () => {
    fc.assert(
      fc.property(known, message, (given, written) => {
        fc.pre(choiceOf(given, written) === null)
        const theirs = ofSender(given, written)
        const due = dueSignatureFor(given, written)
        expect(due?.by === 'sender').toBe(theirs.length > 0)
        if (theirs.length === 0) {
          // Those of other senders count for nothing.
          const mine = given.senders.others.filter(({ owner }) => owner === OWN_OWNER)
          expect(due).toEqual(dueSignatureFor(without(given, { others: mine }), written))
          return
        }
        expect(theirs.map(({ combinedIds }) => combinedIds)).toContain(due?.combinedIds)
        // The user's default has no part in it.
        expect(due).toEqual(dueSignatureFor({ ...given, signature: null }, written))
      }),
      { numRuns: 300 },
    )
  })

  test('[AUTO-13] is the default when that is meant for all recipients, or when nothing is', () => {
    fc.assert(
      fc.property(known, message, (given, written) => {
        const due = dueSignatureFor(given, written)
        const { signature: standard, senders } = given
        fc.pre(standard !== null && due !== null && (due.by === 'default' || due.by === 'audience'))
        const isMeeting = written.composeType === 'meeting'
        const ids =
          (isMeeting ? standard.meeting?.combinedIds : isReply(written) && standard.reply?.of?.combinedIds) ||
          standard.combinedIds
        const recipients = recipientAddresses(written)
        const fits = (of: readonly string[]) => fitsAudience({ audiences: of }, recipients)
        const candidates = senders.others.filter(
          (each) =>
            each.owner === OWN_OWNER &&
            each.combinedIds !== ids &&
            isThere(each, written) &&
            fits(each.audiences),
        )
        const isDefault = fits(senders.audiences[ids] ?? []) || candidates.length === 0
        expect(due.by).toBe(isDefault ? 'default' : 'audience')
        if (isDefault) {
          expect([due.combinedIds, due.html]).toEqual([
            ids,
            isMeeting
              ? '<p>default, in meetings</p>'
              : isReply(written) && standard.reply
                ? '<p>default, in reply</p>'
                : '<p>default</p>',
          ])
          return
        }
        // The first by order; of equal order the first of the list.
        const first = [...candidates].sort((one, other) => one.order - other.order)[0]
        expect(due.combinedIds).toBe(first?.combinedIds)
        expect(recipients).not.toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('[AUTO-13] is the default for outsiders as soon as one recipient is outside', () => {
    const inside: MailAddress = { address: 'a@own.example', name: '' }
    const outside: MailAddress = { address: 'b@partner.example', name: '' }
    const outsiders = cachedSignature({ combinedIds: 'c-0', html: '', reply: null })
    const forAll: SenderSignature = {
      name: 'All',
      combinedIds: 'c-all',
      owner: OWN_OWNER,
      order: 1,
      audiences: [],
      html: '',
      reply: null,
      images: [],
    }
    const dueFor = (to: readonly MailAddress[]) =>
      dueSignatureFor(
        {
          signature: outsiders,
          senders: { at: 0, audiences: { 'c-0': ['!own.example'] }, bySender: {}, others: [forAll] },
          own: ME,
        },
        { composeType: 'newMail', from: null, to, cc: [] },
      )?.combinedIds
    expect([[], [outside], [inside, outside]].map(dueFor)).toEqual(['c-0', 'c-0', 'c-0'])
    expect(dueFor([inside])).toBe('c-all')
  })

  test('[AUTO-13] of a sender is their first for everyone, else the first that is meant for all recipients', () => {
    fc.assert(
      fc.property(known, message, (given, written) => {
        const due = dueSignatureFor(given, written)
        fc.pre(due?.by === 'sender')
        const byOrder = [...ofSender(given, written)].sort((one, other) => one.order - other.order)
        const recipients = recipientAddresses(written)
        const expected =
          byOrder.find(({ audiences }) => audiences.length === 0) ??
          byOrder.find((each) => fitsAudience(each, recipients)) ??
          byOrder[0]
        expect(due.combinedIds).toBe(expected?.combinedIds)
      }),
      { numRuns: 300 },
    )
  })

  test('[AUTO-14] is the reply version in replies and forwards, where there is one', () => {
    fc.assert(
      fc.property(known, message, (given, written) => {
        const due = dueSignatureFor(given, written)
        const other = given.senders.others.find(({ combinedIds }) => combinedIds === due?.combinedIds)
        fc.pre(due !== null && other !== undefined && !due.html.includes('default'))
        if (written.composeType === 'meeting') return
        const hasVersion = isReply(written) && other.reply !== null
        expect([due.reply, due.html]).toEqual([hasVersion, hasVersion ? other.reply : other.html])
      }),
      { numRuns: 300 },
    )
  })

  test('[MEET-1] is a version for meetings in a meeting, and nowhere else', () => {
    fc.assert(
      fc.property(known, message, (given, written) => {
        const due = dueSignatureFor(given, written)
        const isMeeting = written.composeType === 'meeting'
        fc.pre(due !== null || isMeeting)
        if (due) {
          expect([due.html.includes('in meetings'), due.code]).toEqual(
            isMeeting ? [true, 'meeting'] : [false, undefined],
          )
          if (isMeeting) expect(due.reply).toBe(false)
        }
        // Without versions for meetings, a meeting has nothing, and messages have what they have.
        const { meeting: _, ...standard } = given.signature ?? cachedSignature({})
        const plain = {
          ...without(given, { others: given.senders.others.map(({ meeting: __, ...other }) => other) }),
          signature: given.signature && standard,
        }
        expect(dueSignatureFor(plain, written)).toEqual(isMeeting ? null : due)
      }),
      { numRuns: 500 },
    )
  })

  test('does not depend on the order of the recipients, on case, on duplicates, or on who is in Cc', () => {
    fc.assert(
      fc.property(known, message, fc.boolean(), (given, written, upper) => {
        const cased = (each: MailAddress): MailAddress => ({
          ...each,
          address: upper ? each.address.toUpperCase() : each.address,
        })
        const all = [...written.to, ...written.cc].reverse().map(cased)
        const varied = {
          ...written,
          from: written.from && cased(written.from),
          to: [...all, ...all.slice(1)],
          cc: all.slice(0, 1),
        }
        const due = dueSignatureFor(given, written)
        const others = given.senders.others.map((each) => ({
          ...each,
          owner: upper && each.owner !== OWN_OWNER ? each.owner.toUpperCase() : each.owner,
        }))
        const own = upper ? ME.toUpperCase() : ME
        const same = dueSignatureFor({ ...without(given, { others }), own }, varied)
        expect(same && { ...same, sender: '' }).toEqual(due && { ...due, sender: '' })
      }),
      { numRuns: 300 },
    )
  })

  test('does not change while recipients are added that it is meant for', () => {
    fc.assert(
      fc.property(known, message, (given, written) => {
        const due = dueSignatureFor(given, written)
        fc.pre(written.to.length > 0)
        const again = { address: `x@${written.to[0]?.address.split('@')[1] ?? ''}`, name: '' }
        expect(dueSignatureFor(given, { ...written, to: [...written.to, again] })).toEqual(due)
      }),
    )
  })

  test('is none without a default and without one for the sender', () => {
    const nothing = {
      signature: null,
      senders: toSenders([], { defaults: [], bySender: {}, at: 0 }),
      own: ME,
    }
    expect(dueSignatureFor(nothing, { composeType: 'newMail', from: null, to: [], cc: [] })).toBeNull()
  })
})

describe('what may ever be due', () => {
  const bySender = { [ME]: 'c-chosen' }
  const listed = (combinedIds: string, over: Parameters<typeof listedSignature>[0] = {}) =>
    listedSignature({ name: combinedIds, combinedIds, ...over })
  const namesOf = ({ others }: Senders) => others.map(({ name }) => name)
  const all = [
    listed('c-standard'),
    listed('c-chosen'),
    listed('c-plain'),
    listed('c-partner', { audiences: ['partner.example'] }),
    listed('d-sales', { email: 'sales@own.example', variants: [{ code: 'reply', html: '<p>Re</p>' }] }),
  ]

  test('is of other users and chosen; the user’s other signatures only if a default is not for everyone', () => {
    const found = toSenders(all, { defaults: ['c-standard'], bySender, at: 7 })
    expect(namesOf(found)).toEqual(['c-chosen', 'd-sales'])
    expect(found).toMatchObject({ at: 7, bySender, audiences: { 'c-standard': [] } })
    expect(found.others[1]).toMatchObject({ owner: 'sales@own.example', reply: '<p>Re</p>' })
    expect(found.others[0]).toMatchObject({ owner: OWN_OWNER, reply: null })
    const inner = [listed('c-standard', { audiences: ['own.example'] }), ...all.slice(1)]
    const more = toSenders(inner, { defaults: ['c-standard', 'c-gone'], bySender, at: 7 })
    expect(namesOf(more)).toEqual(inner.map(({ name }) => name))
    expect(more.audiences).toEqual({ 'c-standard': ['own.example'], 'c-gone': [] })
  })

  test('decides as all signatures would: what is left out is never due', () => {
    const objects = fc.array(anyListed, { maxLength: 6 })
    const choices = fc.dictionary(fc.constantFrom(ME, ...SENDERS), fc.constantFrom('c-1', 'c-2', 'c-3'))
    const senderOf = (each: SenderSignature) => ({ address: each.owner, name: '' })
    fc.assert(
      fc.property(objects, choices, signature, message, (listed, chosen, standard, written) => {
        const defaults = [
          standard.combinedIds,
          ...(standard.reply?.of ? [standard.reply.of.combinedIds] : []),
        ]
        const some = toSenders(listed, { defaults, bySender: chosen, at: 0 })
        // A default of each owner makes `toSenders` keep everything.
        const everything = toSenders(
          [...listed, listedSignature({ combinedIds: 'c-all', audiences: ['nowhere.example'] })],
          { defaults: ['c-all'], bySender: chosen, at: 0 },
        ).others.filter(({ combinedIds }) => combinedIds !== 'c-all')
        const [from = null] = some.others.filter(({ owner }) => owner !== OWN_OWNER).map(senderOf)
        for (const each of [written, { ...written, from }])
          expect(dueSignatureFor({ signature: standard, senders: some, own: ME }, each)).toEqual(
            dueSignatureFor({ signature: standard, senders: { ...some, others: everything }, own: ME }, each),
          )
      }),
      { numRuns: 300 },
    )
  })

  test('comes back from storage as it was; another shape is none', () => {
    fc.assert(
      fc.property(anySenders, (each) => {
        expect(parseSenders(throughJson(each))).toEqual(throughJson(each))
      }),
    )
    const [other] = toSenders(all, { defaults: [], bySender, at: 0 }).others
    const good = { at: 0, audiences: {}, bySender: {}, others: [other] }
    expect(parseSenders(good)).toEqual(good)
    const bad: readonly unknown[] = [
      ...[null, undefined, 'junk', [], {}],
      ...[
        { ...good, at: '0' },
        { ...good, audiences: [] },
        { ...good, audiences: { c: 'x' } },
      ],
      ...[
        { ...good, bySender: { a: 1 } },
        { ...good, bySender: null },
        { ...good, others: {} },
      ],
      ...['name', 'combinedIds', 'owner', 'html', 'order', 'reply', 'audiences', 'images'].map((field) => ({
        ...good,
        others: [{ ...other, [field]: undefined }],
      })),
      { ...good, others: [{ ...other, images: [{}] }] },
      { ...good, others: [null] },
    ]
    for (const each of bad) expect(parseSenders(each)).toBeNull()
  })

  test('is in the objects that the entries of a list were made of', () => {
    fc.assert(
      fc.property(fc.array(anyListed, { maxLength: 4 }), (objects) => {
        expect(toListedSignatures(toEntries(1, objects))).toEqual(objects)
      }),
    )
  })
})

describe('the open message', () => {
  const SALES = 'sales@own.example'
  const fromSales = { from: { address: 'Sales@own.example', name: 'Sales desk' } }
  const standard = cachedSignature()
  const sales = listedSignature({ name: 'Sales', combinedIds: 'd-sales', email: SALES, html: '<p>Sales</p>' })
  const offer = listedSignature({
    ...sales,
    name: 'Offer',
    combinedIds: 'd-offer',
    html: '<p>Offer</p>',
    order: 1,
  })
  const short = listedSignature({ name: 'Short', combinedIds: 'c-short', html: '<p>A. K.</p>' })
  const page = (list: 'own' | 'delegated', ...objects: readonly ReturnType<typeof listedSignature>[]) =>
    Signatures.pageLoaded({ list, epoch: 0, page: { page: 1, total: objects.length, objects } })
  const lists = [page('own', listedSignature(), short), page('delegated', sales, offer)]
  const chose = (bySender: Readonly<Record<string, string>>) =>
    Profile.loaded({
      value: profile({
        metadata: { defaultSignature: { master: 'c-standard', reply: null, bySender }, others: {} },
      }),
    })
  const read = (over: Partial<Senders> = {}) =>
    SendersRead.loaded({
      senders: { at: 1, audiences: { 'c-standard': [] }, bySender: {}, others: [], ...over },
    })
  const writing = (message: Parameters<typeof signedInWriting>[1], ...events: readonly AppEvent[]) =>
    stateAfter(...signedInWriting('item-1', message), Defaults.loaded({ value: standard }), ...events)
  const dueIn = (...given: Parameters<typeof writing>) => {
    const { by, combinedIds } = selectDueSignature(writing(...given)) ?? {}
    return [by, combinedIds]
  }
  const inserted = (combinedIds: string, html: string, origin: InsertionReason['origin']) => ({
    inserted: { combinedIds, hash: contentHash(html), name: combinedIds, reply: false, origin },
  })

  test('[AUTO-12] is due what the lists say, before it is read and where that is older than they are', () => {
    expect(dueIn(fromSales)).toEqual(['default', 'c-standard'])
    expect(dueIn(fromSales, ...lists)).toEqual(['sender', 'd-sales'])
    expect(dueIn(fromSales, ...lists, read())).toEqual(['sender', 'd-sales'])
    const kept = toSenders([offer], { defaults: ['c-standard'], bySender: {}, at: 1 })
    expect(dueIn(fromSales, read(kept))).toEqual(['sender', 'd-offer'])
  })

  test('is due the choice in the profile; until that is loaded, the one that is kept', () => {
    const bySender = { [SALES]: 'c-short' }
    expect(dueIn(fromSales, ...lists, chose(bySender))).toEqual(['choice', 'c-short'])
    expect(dueIn(fromSales, ...lists, chose(bySender), read())).toEqual(['choice', 'c-short'])
    expect(dueIn(fromSales, ...lists, read({ bySender }))).toEqual(['choice', 'c-short'])
    expect(dueIn(fromSales, ...lists, read({ bySender }), chose({}))).toEqual(['sender', 'd-sales'])
  })

  test('[AUTO-13] does not judge a new default by the audiences of the former one', () => {
    const outside = { to: [{ address: 'x@else.example', name: '' }] }
    const others = toSenders([short], { defaults: [], bySender: { [SALES]: 'c-short' }, at: 1 }).others
    const inner = (ids: string) => read({ audiences: { [ids]: ['own.example'] }, others })
    expect(dueIn(outside, inner('c-standard'))).toEqual(['audience', 'c-short'])
    expect(dueIn(outside, inner('c-former'))).toEqual(['default', 'c-standard'])
    // The lists know the new one.
    const listed = [listedSignature({ audiences: ['own.example'] }), short]
    expect(dueIn(outside, page('own', ...listed), read({ audiences: {} }))).toEqual(['audience', 'c-short'])
  })

  test('[CHOOSE-2] offers what is due for the sender exactly where it does not go in automatically', () => {
    const offered = (...given: Parameters<typeof writing>) => selectSendersSignature(writing(...given))?.name
    const chosen = inserted('c-short', short.html, 'manual')
    expect(offered(fromSales, ...lists)).toBeUndefined()
    expect(offered({ ...fromSales, stopPush: true }, ...lists)).toBe('Sales')
    expect(offered({ ...fromSales, ...chosen }, ...lists)).toBe('Sales')
    expect(offered(fromSales, ...lists, settingsLoaded({ enableSignaturePush: false }))).toBe('Sales')
    // It is in already, or another one of the sender.
    for (const { combinedIds, html } of [sales, offer])
      expect(offered({ ...fromSales, ...inserted(combinedIds, html, 'manual') }, ...lists)).toBeUndefined()
    const choice = chose({ [SALES]: 'd-offer' })
    expect(offered({ ...fromSales, ...inserted('d-sales', sales.html, 'manual') }, ...lists, choice)).toBe(
      'Offer',
    )
    expect(
      offered({ ...fromSales, ...inserted('d-offer', offer.html, 'manual') }, ...lists, choice),
    ).toBeUndefined()
    // Not what only the recipients decide.
    const alias = {
      from: { address: 'alias@own.example', name: '' },
      to: [{ address: 'x@else.example', name: '' }],
    }
    const inner = page('own', listedSignature({ audiences: ['own.example'] }), short)
    expect(dueIn({ ...alias, stopPush: true }, inner)[0]).toBe('audience')
    expect(offered({ ...alias, stopPush: true }, inner)).toBeUndefined()
  })

  test('[CHOOSE-1] says why, and nothing once the reason is gone', () => {
    const why = (...given: Parameters<typeof writing>) => selectSignatureReason(writing(...given))
    const bySales = inserted('d-sales', sales.html, 'default')
    expect(why({ ...fromSales, ...bySales }, ...lists)).toEqual({ kind: 'sender', sender: 'Sales desk' })
    expect(why(bySales, ...lists)).toBeNull()
    expect(why({ ...fromSales, ...bySales }, ...lists, chose({ [SALES]: 'd-sales' }))).toEqual({
      kind: 'senderChoice',
      sender: 'Sales desk',
    })
    expect(why(inserted('c-standard', 'of yesterday', 'default'), ...lists)).toEqual({
      kind: 'default',
      by: null,
    })
  })

  test('shows the content of what was inserted automatically by an earlier pane, without a list', () => {
    const reply = '<p>Sales, in short</p>'
    const versions = { ...sales, variants: [{ code: 'reply', html: reply }] }
    const kept = toSenders([versions], { defaults: ['c-standard'], bySender: {}, at: 1 })
    for (const html of [sales.html, reply]) {
      const state = writing({ ...fromSales, ...inserted('d-sales', html, 'default') }, read(kept))
      expect(selectShownInMessage(state)?.content?.html).toBe(html)
    }
  })

  const hashes = [standard, sales].map(({ html }) => contentHash(html)) as [string, string]
  const itemKey = 'item-1'
  test('[AUTO-12] gets a signature back that was asked for when the sender changed on the way', () => {
    // The default was asked for, and the signature of the sender of that moment was inserted.
    const after = writing(
      {},
      Insertion.defaultDue({ itemKey, hash: hashes[0] }),
      Insertion.succeeded({
        id: -2,
        itemKey,
        target: { kind: 'default' },
        content: { html: sales.html, images: [] },
        inMessage: {
          name: 'Sales',
          combinedIds: 'd-sales',
          hash: hashes[1],
          reason: { origin: 'default', composeType: 'newMail', reply: false },
        },
      }),
    )
    expect(after.insertion.inMessage?.hash).toBe(hashes[1])
    expect(dueContentHash(after.insertion, selectDueSignature(after), itemKey, { stopPush: false })).toBe(
      hashes[0],
    )
  })

  test('gets nothing automatically after the user restored their text', () => {
    const events = [Insertion.defaultDue({ itemKey, hash: hashes[0] }), Insertion.bodyRestored({ itemKey })]
    const state = writing(fromSales, ...events)
    const latest = state.insertion.latest && {
      ...state.insertion.latest,
      attempt: { status: 'success' } as const,
    }
    const restored = { ...state.insertion, latest }
    expect(dueContentHash(restored, { html: sales.html }, itemKey, { stopPush: false })).toBeNull()
    expect(dueContentHash(restored, { html: sales.html }, 'item-2', { stopPush: false })).toBe(hashes[1])
  })

  test('[AUTO-12] shows a change of the choice for its sender while it is being saved', () => {
    const asked = Defaults.senderChoiceRequested({ address: SALES, combinedIds: 'c-short' })
    const statuses = (...events: readonly AppEvent[]) => {
      const state = writing(fromSales, ...lists, ...events)
      return ['c-short', 'd-sales', 'd-offer'].map((ids) => selectSenderChoice(ids)(state))
    }
    expect(statuses()).toEqual([null, null, null])
    expect(statuses(chose({}))).toEqual(['offered', 'offered', 'offered'])
    expect(statuses(chose({ [SALES]: 'd-sales' }))).toEqual(['offered', 'chosen', 'offered'])
    expect(statuses(chose({ [SALES]: 'd-sales' }), asked)).toEqual(['pending', 'pending', null])
    const elsewhere = Defaults.senderChoiceRequested({ address: 'press@own.example', combinedIds: 'c-short' })
    expect(statuses(chose({}), elsewhere)).toEqual(['offered', 'offered', 'offered'])
  })
})
