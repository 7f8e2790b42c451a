import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitCopyToLimit, MAX_CACHED_CHARACTERS } from '../../../streams/launch/cachedDefault.ts'
import type { ComposeType } from '../../../streams/message/mailbox/events.ts'
import { dueSignatureFor, idsOfDefaults, toSenders } from '../../../streams/message/senders/rules.ts'
import { storedSenders } from '../../../streams/message/senders/senders.ts'
import { senderVersions, knownVersions } from '../../../streams/message/senders/versions.ts'
import { storedSignature } from '../../../streams/message/signatures/signature.ts'
import { toEntries, toListedSignatures } from '../../../streams/message/signatures/entry.ts'
import {
  type CachedSignature,
  type ListedSignature,
  READ_SIGNATURES,
  type SenderCopy,
} from '../../../streams/wire/signatures.ts'
import { cachedSignature, listedSignature, message, throughJson } from '../../support/state.ts'

// The html of each version names the address that it is for, so that a test sees which copy is due.

const ME = 'me@brand-a.example'
const ALIASES = ['me@brand-b.example', 'me@brand-c.example']
const CODES = ['master', 'reply', 'meeting'] as const
type Code = (typeof CODES)[number]

const htmlOf = (name: string, code: Code, sender: string) => `<p>${name} ${code} ${sender}</p>`
const slots = [
  {
    name: 'banner',
    start: 3,
    end: 3,
    candidates: [
      { id: 'b', name: 'B', html: '!', audiences: [], replies: true, everyone: true, closes: null },
    ],
  },
]
/** The versions and copies of one signature. */
type Made = Readonly<{ codes: readonly Code[]; copied: readonly string[]; hasSlots: boolean }>
const made: fc.Arbitrary<Made> = fc.record({
  codes: fc
    .subarray([...CODES])
    .map((codes) => ['master' as const, ...codes.filter((each) => each !== 'master')]),
  copied: fc.subarray(ALIASES),
  hasSlots: fc.boolean(),
})
const versionOf = (name: string, { hasSlots }: Made, code: Code, sender: string) => ({
  html: htmlOf(name, code, sender),
  ...(hasSlots && { slots }),
})
const copiesOf = (name: string, given: Made): readonly SenderCopy[] =>
  given.copied.map((sender) => ({
    sender,
    ...versionOf(name, given, 'master', sender),
    variants: given.codes
      .filter((code) => code !== 'master')
      .map((code) => ({ code, ...versionOf(name, given, code, sender) })),
  }))
const withCopies = (name: string, given: Made) => {
  const copies = copiesOf(name, given)
  return copies.length > 0 ? { copies } : {}
}

const standardOf = (given: Made): CachedSignature => ({
  ...cachedSignature({ name: 'S', combinedIds: 'c-s' }),
  ...versionOf('S', given, 'master', ME),
  reply: given.codes.includes('reply')
    ? { ...versionOf('S', given, 'reply', ME), of: { name: 'S', combinedIds: 'c-s' } }
    : null,
  ...(given.codes.includes('meeting') && {
    meeting: { name: 'S', combinedIds: 'c-s', ...versionOf('S', given, 'meeting', ME) },
  }),
  ...withCopies('S', given),
})
const listedOf = (name: string, given: Made, more: Partial<ListedSignature> = {}): ListedSignature => ({
  ...listedSignature({ name, combinedIds: `c-${name.toLowerCase()}`, ...more }),
  ...versionOf(name, given, 'master', ME),
  variants: given.codes
    .filter((code) => code !== 'master')
    .map((code) => ({ code, ...versionOf(name, given, code, ME) })),
  ...withCopies(name, given),
})

const composeTypes = fc.constantFrom<ComposeType>('newMail', 'reply', 'forward', 'meeting')
const codeFor = (composeType: ComposeType, { codes }: Made): Code | null => {
  const wanted = composeType === 'meeting' ? 'meeting' : composeType === 'newMail' ? 'master' : 'reply'
  if (codes.includes(wanted)) return wanted
  return wanted === 'meeting' ? null : 'master'
}
const from = fc
  .tuple(fc.constantFrom(ME, ...ALIASES, 'other@brand-a.example'), fc.boolean())
  .map(([address, upper]) => (upper ? address.toUpperCase() : address))
const filled = (html: string, { hasSlots }: Made) => (hasSlots ? html.replace('<p>', '<p>!') : html)

describe('[PERSON-5] a signature that shows the sender', () => {
  test('is the copy for the address that one writes from, and the main one from any other', () => {
    fc.assert(
      fc.property(
        made,
        made,
        from,
        composeTypes,
        fc.boolean(),
        (ofStandard, ofChosen, address, kind, isChosen) => {
          const signature = standardOf(ofStandard)
          const bySender = isChosen ? { [address.toLowerCase()]: 'c-t' } : {}
          const listed = [listedOf('S', ofStandard), listedOf('T', ofChosen, { order: 1 })]
          const senders = toSenders(listed, { defaults: idsOfDefaults(signature), bySender, at: 0 })
          const kept = {
            signature: storedSignature.read(throughJson(signature), ''),
            senders: storedSenders.read(throughJson(senders), ''),
            own: ME,
          }
          const written = message({ composeType: kind, from: { address, name: '' } })
          const due = dueSignatureFor({ signature, senders, own: ME }, written)
          expect(dueSignatureFor(kept, written)).toEqual(due)

          const ofChoice = isChosen ? codeFor(kind, ofChosen) : null
          const [name, given] = ofChoice === null ? (['S', ofStandard] as const) : (['T', ofChosen] as const)
          const code = ofChoice ?? codeFor(kind, given)
          const sender = given.copied.find((each) => each === address.toLowerCase()) ?? ME
          expect(due?.html).toBe(code === null ? undefined : filled(htmlOf(name, code, sender), given))
          expect(due?.blocks).toEqual(code !== null && given.hasSlots ? ['b'] : undefined)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('is known again in each copy, and comes back from the entries of the list', () => {
    fc.assert(
      fc.property(made, made, (ofStandard, ofOther) => {
        const other = listedOf('T', ofOther, { order: 1 })
        const senders = toSenders([other], { defaults: [], bySender: { [ME]: 'c-t' }, at: 0 })
        const entries = toEntries(1, [other])
        expect(toListedSignatures(entries)).toEqual([other])
        const htmls = (name: string, given: Made) =>
          given.codes.flatMap((code) => [ME, ...given.copied].map((sender) => htmlOf(name, code, sender)))
        const known = (...all: Parameters<typeof knownVersions>) =>
          knownVersions(...all)
            .flatMap(senderVersions)
            .map(({ html }) => html)
            .sort()
        expect(known(standardOf(ofStandard), [], [])).toEqual(htmls('S', ofStandard).sort())
        expect(known(null, senders.others, [])).toEqual(htmls('T', ofOther).sort())
        expect(known(null, [], entries)).toEqual(htmls('T', ofOther).sort())
      }),
    )
  })

  test('loses only its copies where these are damaged', () => {
    const one = { name: 'One', signature: '<p>1</p>', combined_ids: 'c-1', base64_embedded_images: [] }
    const read = (by_sender: unknown) =>
      READ_SIGNATURES.answer.read({ objects: [{ ...one, by_sender }], total: 1, page: 1 }, '').objects[0]
    for (const damaged of [1, {}, null, [{ sender: 'a@b.example' }], [{ signature: '<p>2</p>' }], [[]]])
      expect(read(damaged)).toEqual(listedSignature({ name: 'One', html: '<p>1</p>', combinedIds: 'c-1' }))
    expect(read([{ sender: 'a@b.example', signature: '<p>2</p>' }])?.copies).toEqual([
      { sender: 'a@b.example', html: '<p>2</p>', variants: [] },
    ])
  })

  test('keeps its copies without blocks where the copy on the device is too large', () => {
    const given: Made = { codes: ['master', 'reply'], copied: ALIASES, hasSlots: true }
    const long = [
      { ...slots[0], candidates: [{ ...slots[0]?.candidates[0], html: 'x'.repeat(MAX_CACHED_CHARACTERS) }] },
    ]
    const other = {
      ...listedOf('T', given),
      copies: copiesOf('T', given).map((each) => ({ ...each, slots: long as typeof slots })),
    }
    const senders = toSenders([other], { defaults: [], bySender: { [ME]: 'c-t' }, at: 0 })
    const fitted = fitCopyToLimit({ email: ME, at: 0, signature: cachedSignature(), senders })
    expect(fitted?.senders.others[0]?.copies).toEqual(copiesOf('T', { ...given, hasSlots: false }))
  })
})
