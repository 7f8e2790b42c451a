import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitsAudience } from '../../../streams/html/slots.ts'
import { bodyReader } from '../../../streams/kernel/schema.ts'
import {
  type CachedDefault,
  fitCopyToLimit,
  MAX_CACHED_CHARACTERS,
  parseCachedDefault,
} from '../../../streams/launch/cachedDefault.ts'
import { dueSignatureFor, toSenders } from '../../../streams/message/senders/rules.ts'
import { noSenders } from '../../../streams/message/senders/senders.ts'
import { fillForMessage } from '../../../streams/message/signatures/blocks.ts'
import { toEntries, toListedSignatures } from '../../../streams/message/signatures/entry.ts'
import { recipientAddresses as recipientsOf } from '../../../streams/message/mailbox/rules.ts'
import { renderSignature, slottedSignature } from '../../../streams/organisation/rendering/render.ts'
import { READ_SIGNATURE, READ_SIGNATURES, SIGN_IN } from '../../../streams/wire/signatures.ts'
import {
  cachedSignature,
  candidate,
  image,
  listedSignature,
  replyVersion,
  throughJson,
  withSlot,
} from '../../support/state.ts'
import { person as anyPerson, release as anyRelease } from '../organisation/arbitraries.ts'

// Blocks between the service and the message: on the wire, in the rules, in the kept copy.

const read = bodyReader(READ_SIGNATURE.answer)
const readPage = bodyReader(READ_SIGNATURES.answer)

const address = fc
  .constantFrom('leo@in.example', 'tess@out.example', 'no address')
  .map((each) => ({ address: each, name: '' }))
const message = fc.record({
  composeType: fc.constantFrom('newMail', 'reply', 'forward', null),
  from: fc.constant(null),
  to: fc.array(address, { maxLength: 3 }),
  cc: fc.array(address, { maxLength: 1 }),
  thread: fc.constantFrom('first' as const, 'later' as const),
})

const answer = (more: object = {}) => ({
  name: 'Standard',
  user_id: 'u-1',
  signature: '<p>One</p>',
  reply: null,
  combined_ids: 'c-1',
  base64_embedded_images: [],
  ...more,
})

describe('one rule', () => {
  test('[BLOCK-2] the pane shows what the service renders for a message, whatever the release', () => {
    fc.assert(
      fc.property(
        anyRelease,
        anyPerson,
        message,
        fc.nat(2_000_000_000_000),
        (release, person, written, at) => {
          const addresses = { pictures: 'https://s.example/images', pictureUrl: '' }
          for (const signature of release.document.signatures) {
            const { html, slots } = slottedSignature(
              release,
              signature,
              'signature',
              person,
              addresses,
              at,
            ) ?? { html: '' }
            const received = read(throughJson(answer({ signature: html, ...(slots && { blocks: slots }) })))
            const due = dueSignatureFor({ signature: received, senders: noSenders, own: '' }, written)
            const isReply = written.composeType === 'reply' || written.composeType === 'forward'
            expect(due?.html).toBe(
              renderSignature(release, signature, 'signature', person, addresses, at, {
                isReply,
                recipients: recipientsOf(written),
                thread: isReply ? written.thread : 'first',
              }),
            )
            const [entry] = toEntries(
              1,
              readPage(
                throughJson({
                  objects: [{ ...answer({ signature: html, ...(slots && { blocks: slots }) }) }],
                  total: 1,
                  page: 1,
                }),
              ).objects,
            )
            expect(entry && fillForMessage(entry, written).html).toBe(due?.html)
            // The ids are those of blocks for this person that fit.
            for (const id of due?.blocks ?? []) {
              const block = slots?.flatMap(({ candidates }) => candidates).find((each) => each.id === id)
              expect(
                block && (block.audiences.length === 0 || fitsAudience(block, recipientsOf(written))),
              ).toBe(true)
            }
          }
        },
      ),
    )
  })
})

describe('a period', () => {
  test('[BLOCK-3] ends at the moment that the service told, wherever the block is kept', () => {
    const slotted = withSlot(
      '<p>One</p>',
      candidate({ id: 'a', closes: 5, html: 'A' }),
      candidate({ id: 'b', html: 'B' }),
    )
    const filledAt = (readAt?: number) =>
      fillForMessage(slotted, {
        composeType: 'newMail',
        to: [],
        cc: [],
        ...(readAt !== undefined && { readAt }),
      })
    expect([undefined, 0, 4, 5, 6].map((at) => filledAt(at).blocks)).toEqual([
      ['a'],
      ['a'],
      ['a'],
      ['b'],
      ['b'],
    ])
    expect(filledAt(5).html).toBe('<p>One</p>B')
  })
})

describe('on the wire', () => {
  const slotted = withSlot(
    '<p>One</p>',
    candidate({ id: 'a', audiences: ['!in.example'] }),
    candidate({ id: 'b' }),
  )
  const wire = { signature: slotted.html, blocks: slotted.slots }

  test('[BLOCK-6] an answer without slots is read as before there were blocks', () => {
    expect(read(answer())).toEqual({
      name: 'Standard',
      userId: 'u-1',
      combinedIds: 'c-1',
      html: '<p>One</p>',
      reply: null,
      images: [],
    })
    expect(Object.keys(read(answer()))).not.toContain('slots')
  })

  test('slots are read for a signature, its reply version, and each version of a list', () => {
    const { slots, reply } = read(answer({ ...wire, reply: slotted.html, reply_blocks: slotted.slots }))
    expect([slots, reply?.slots]).toEqual([slotted.slots, slotted.slots])
    const [listed] = readPage({
      objects: [{ ...answer(wire), variants: [{ code: 'reply', ...wire }] }],
      total: 1,
      page: 1,
    }).objects
    expect([listed?.slots, listed?.variants[0]?.slots]).toEqual([slotted.slots, slotted.slots])
  })

  const damaged: readonly unknown[] = [
    ...[null, 'x', {}, [null], [{ name: 'notice' }]],
    [{ ...slotted.slots[0], start: -1 }],
    [{ ...slotted.slots[0], start: 0.5 }],
    [{ ...slotted.slots[0], end: slotted.html.length + 1 }],
    [{ ...slotted.slots[0], end: 1 }],
    [slotted.slots[0], { ...slotted.slots[0], start: 0 }],
    [{ ...slotted.slots[0], candidates: [{ id: 'a' }] }],
  ]
  test.each(damaged.map((blocks) => [blocks]))('damaged blocks cost only the blocks: %j', (blocks) => {
    const whole = read(answer({ signature: slotted.html, reply: slotted.html, reply_blocks: blocks, blocks }))
    expect(whole).toEqual(read(answer({ signature: slotted.html, reply: slotted.html })))
    const { data } = bodyReader(SIGN_IN.answer)({
      data: { access_token: 'token', signature: answer({ signature: slotted.html, blocks }) },
    })
    expect(data.signature?.html).toBe(slotted.html)
    const page = {
      objects: [
        { ...answer({ signature: slotted.html, blocks }), variants: [{ code: 'reply', ...wire, blocks }] },
      ],
    }
    const [listed] = readPage({ ...page, total: 1, page: 1 }).objects
    expect([listed?.html, listed?.slots, listed?.variants]).toEqual([
      slotted.html,
      undefined,
      [{ code: 'reply', html: slotted.html }],
    ])
  })

  test('any offsets are places of the html, or cost the blocks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -2, max: 14 }), fc.integer({ min: -2, max: 14 })), {
          maxLength: 3,
        }),
        message,
        (places, written) => {
          const blocks = places.map(([start, end]) => ({
            name: 's',
            start,
            end,
            candidates: [candidate({ html: '#' })],
          }))
          const received = read(answer({ blocks }))
          const arePlaces = places.every(
            ([start, end], index) => start >= (places[index - 1]?.[1] ?? 0) && end >= start && end <= 10,
          )
          expect(received.slots).toEqual(arePlaces ? blocks : undefined)
          const { html } = fillForMessage(received, written)
          const removed = places.reduce((sum, [start, end]) => sum + end - start - 1, 0)
          expect(html.length).toBe(arePlaces ? 10 - removed : 10)
        },
      ),
    )
  })
})

describe('entries', () => {
  test('have the slots of their own version, and make the same objects again', () => {
    const slotted = withSlot('<p>One</p>', candidate())
    const objects = [
      listedSignature({ ...slotted, variants: [{ code: 'reply', html: '<p>Re</p>' }] }),
      listedSignature({ variants: [{ code: 'reply', ...slotted }] }),
    ]
    const entries = toEntries(1, objects)
    expect(entries.map(({ slots }) => slots !== undefined)).toEqual([true, false, false, true])
    expect(toListedSignatures(entries)).toEqual(objects)
  })
})

describe('the kept copy', () => {
  const slotted = (html: string, ...closes: readonly (number | null)[]) =>
    withSlot(
      html,
      ...closes.map((each, index) =>
        candidate({ id: `b${String(index)}`, closes: each, audiences: ['x.example'] }),
      ),
    )
  const copyOf = (
    signature: CachedDefault['signature'],
    others: CachedDefault['senders']['others'] = [],
  ): CachedDefault => ({
    email: 'a@in.example',
    at: 0,
    signature,
    senders: { ...noSenders, others },
  })
  const sender = (over: object) => {
    const [other] = toSenders([listedSignature({ email: 'x@in.example', ...over })], {
      defaults: [],
      bySender: {},
      at: 0,
    }).others
    return other ?? expect.fail('no sender')
  }

  test('keeps slots through storage, for default, reply and other signatures', () => {
    const variants = [{ code: 'reply', ...slotted('<p>r</p>', 5) }]
    const kept = copyOf(
      cachedSignature({
        ...slotted('<p>s</p>', 5),
        reply: { ...replyVersion(''), ...slotted('<p>q</p>', null) },
      }),
      [sender({ ...slotted('<p>o</p>', 5), variants })],
    )
    expect(parseCachedDefault(throughJson(kept))).toEqual(kept)
  })

  test('loses the blocks of other signatures before it is too large, and keeps those of the default', () => {
    const large = 'x'.repeat(MAX_CACHED_CHARACTERS / 2)
    const own = slotted('<p>s</p>', null)
    const block = (html: string) => withSlot('<p>o</p>', candidate({ html, audiences: ['x.example'] }))
    const kept = copyOf(cachedSignature(own), [
      sender({
        ...block(large),
        variants: [{ code: 'reply', ...block(large) }],
        images: [image('https://a.example/a.png')],
      }),
    ])
    const [other] = fitCopyToLimit(kept)?.senders.others ?? []
    expect(fitCopyToLimit(kept)?.signature.slots).toEqual(own.slots)
    expect([other?.slots, other?.replySlots, other?.images]).toEqual([undefined, undefined, []])
    const small = copyOf(cachedSignature(own), [sender(block('small'))])
    expect(fitCopyToLimit(small)).toBe(small)
    const alone = copyOf(cachedSignature(block('y'.repeat(MAX_CACHED_CHARACTERS))))
    expect(fitCopyToLimit(alone)).toBeNull()
  })
})

describe('signatures for certain messages', () => {
  test('[BLOCK-5] include every one with slots, for the user may choose it by hand', () => {
    const slotted = withSlot('<p>One</p>', candidate())
    const objects = [
      listedSignature({ combinedIds: 'plain' }),
      listedSignature({ combinedIds: 'slotted', ...slotted }),
      listedSignature({ combinedIds: 'in-reply', variants: [{ code: 'reply', ...slotted }] }),
    ]
    const { others } = toSenders(objects, { defaults: ['plain'], bySender: {}, at: 0 })
    expect(others.map(({ combinedIds, slots, replySlots }) => [combinedIds, !!slots, !!replySlots])).toEqual([
      ['slotted', true, false],
      ['in-reply', false, true],
    ])
  })
})
