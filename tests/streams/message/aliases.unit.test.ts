import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitsAudience } from '../../../streams/html/slots.ts'
import type { MailAddress } from '../../../streams/message/mailbox/events.ts'
import { recipientAddresses } from '../../../streams/message/mailbox/rules.ts'
import {
  type AddressedMessage,
  type DueReason,
  dueSignatureFor,
  idsOfDefaults,
  toSenders,
} from '../../../streams/message/senders/rules.ts'
import { storedSenders } from '../../../streams/message/senders/senders.ts'
import type { CachedSignature, ListedSignature } from '../../../streams/wire/signatures.ts'
import { cachedSignature, listedSignature, throughJson } from '../../support/state.ts'

// Signatures for some of one's own addresses. What is due is found again by another way: all that could be due, in
// the order in which it is preferred.

const ME = 'me@brand-a.example'
const ALIAS = 'me@brand-b.example'
const OTHER = 'me@brand-c.example'
const DESK = 'desk@brand-a.example'
const STANDARD = 'c-0'

const addresses = fc.option(fc.subarray([ME, ALIAS, OTHER]), { nil: undefined })
const audiences = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  fc.constantFrom(['in.example'], ['out.example'], ['!in.example']),
)
const own = fc
  .array(
    fc.record({
      order: fc.nat(3),
      senders: addresses,
      audiences,
      email: fc.constantFrom(null, null, null, DESK),
    }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((all) =>
    all.map(({ senders, email, ...given }, index): ListedSignature => {
      const isOwn = email === null || index === 0
      return listedSignature({
        ...given,
        name: `Signature ${String(index)}`,
        combinedIds: `c-${String(index)}`,
        html: `<p>${String(index)}</p>`,
        email: isOwn ? null : email,
        variants: [],
        ...(isOwn && senders && { senders }),
      })
    }),
  )
const bySender = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.dictionary(fc.constantFrom(ME, ALIAS), fc.constantFrom('c-0', 'c-1', 'gone')),
)
const from = fc.option(
  fc
    .tuple(fc.constantFrom(ME, ALIAS, OTHER, DESK, 'unknown@brand-a.example'), fc.boolean())
    .map(([address, upper]): MailAddress => ({ address: upper ? address.toUpperCase() : address, name: '' })),
)
const message: fc.Arbitrary<AddressedMessage> = fc.record({
  composeType: fc.constant('newMail'),
  from,
  to: fc.array(
    fc.constantFrom('x@in.example', 'y@out.example').map((address) => ({ address, name: '' })),
    {
      maxLength: 2,
    },
  ),
  cc: fc.constant([]),
})

const standardOf = (listed: readonly ListedSignature[]): CachedSignature => {
  const [first] = listed
  return cachedSignature({
    ...(first && { name: first.name, html: first.html }),
    combinedIds: STANDARD,
    reply: null,
  })
}
const known = (listed: readonly ListedSignature[], chosen: Readonly<Record<string, string>>) => {
  const signature = standardOf(listed)
  const senders = toSenders(listed, { defaults: idsOfDefaults(signature), bySender: chosen, at: 0 })
  return { signature, senders, own: ME }
}

/** Everything that could be due, the most preferred first. */
function preferred(
  listed: readonly ListedSignature[],
  chosen: Readonly<Record<string, string>>,
  written: AddressedMessage,
): readonly Readonly<{ ids: string; by: DueReason }>[] {
  const sender = (written.from?.address ?? ME).toLowerCase()
  const recipients = recipientAddresses(written)
  const ordered = [...listed].sort((one, other) => one.order - other.order)
  const isFor = (each: ListedSignature) => fitsAudience(each, recipients)
  const fits = (each: ListedSignature) => isFor(each) && (each.senders?.includes(sender) ?? true)
  const all = (by: DueReason, of: readonly ListedSignature[]) =>
    of.map(({ combinedIds: ids }) => ({ ids, by }))
  const mine = ordered.filter(({ email }) => email === null)
  const theirs = ordered.filter(({ email }) => email === sender)
  const standard = listed.filter(({ combinedIds }) => combinedIds === STANDARD)
  const isAlias = sender !== ME
  /** The service chose the default for the primary address. */
  const isForSender = !isAlias || (standard[0]?.senders?.includes(sender) ?? true)
  const choice = listed.filter(({ combinedIds }) => combinedIds === chosen[sender])
  return [
    ...all('choice', choice),
    ...all(
      'sender',
      [theirs.filter(({ audiences: of }) => of.length === 0), theirs.filter(isFor), theirs].flat(),
    ),
    ...all('sender', isAlias ? mine.filter((each) => each.senders?.includes(sender) && isFor(each)) : []),
    ...all('default', isForSender ? standard.filter(isFor) : []),
    ...all(
      isForSender ? 'audience' : 'sender',
      mine.filter((each) => fits(each) && each.combinedIds !== STANDARD),
    ),
    ...all('default', standard),
  ]
}

describe('[PERSON-5] writing from one’s own addresses', () => {
  test('has the signature for that address, in the order of preference', () => {
    fc.assert(
      fc.property(own, bySender, message, (listed, chosen, written) => {
        const due = dueSignatureFor(known(listed, chosen), written)
        const [first] = preferred(listed, chosen, written)
        expect([due?.combinedIds, due?.by]).toEqual([first?.ids, first?.by])
      }),
      { numRuns: 1_000 },
    )
  })

  test('has the same from what is kept, and from what is known of all signatures', () => {
    fc.assert(
      fc.property(own, bySender, message, (listed, chosen, written) => {
        const found = known(listed, chosen)
        const kept = storedSenders.read(throughJson(found.senders), '')
        expect(dueSignatureFor({ ...found, senders: kept }, written)).toEqual(dueSignatureFor(found, written))
        // A default for some recipients makes `toSenders` keep every signature.
        const probe = listedSignature({ combinedIds: 'c-probe', audiences: ['nowhere.example'] })
        const { others } = toSenders([...listed, probe], { defaults: ['c-probe'], bySender: chosen, at: 0 })
        const everything = others.filter(({ combinedIds }) => combinedIds !== 'c-probe')
        expect(everything).toHaveLength(listed.length)
        expect(
          dueSignatureFor({ ...found, senders: { ...found.senders, others: everything } }, written),
        ).toEqual(dueSignatureFor(found, written))
      }),
      { numRuns: 300 },
    )
  })

  test('has what it had where no signature is for an address', () => {
    fc.assert(
      fc.property(own, message, (listed, written) => {
        const plain = listed.map(({ senders: _, ...each }) => each)
        fc.pre(written.from?.address.toLowerCase() !== DESK)
        const alias = dueSignatureFor(known(plain, {}), { ...written, from: { address: ALIAS, name: '' } })
        const due = dueSignatureFor(known(plain, {}), written)
        expect(alias && { ...alias, sender: '' }).toEqual(due && { ...due, sender: '' })
        expect(known(plain, {}).senders).not.toHaveProperty('limits')
      }),
    )
  })
})
