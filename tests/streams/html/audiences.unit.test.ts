import { createHash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
// The default export of `ohash/crypto`, for programs other than Node.
import { digest as digestInMailClients } from '../../../node_modules/ohash/dist/crypto/js/index.mjs'
import { createSealedFormats } from '../../../src/service/people/values.ts'
import { UNSEALED_FORMATS } from '../../../src/values/formats.ts'
import { normaliseAddress } from '../../../src/values/mailAddress.ts'
import { isSealedList, nameOfSealed, sealList } from '../../../streams/html/sealedList.ts'
import { fitsAudience } from '../../../streams/html/slots.ts'
import { compileRelease, type Signature } from '../../../streams/organisation/release/release.ts'
import { comparedRecipients, recipientAudiences } from '../../../streams/organisation/rules/rules.ts'
import { releaseDocument } from '../../support/administration/plans.ts'

/** SHA-256 in base64url. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

const domain = fc.constantFrom('a.example', 'b.example', 'm\u00FCller.example', 'stra\u00DFe.example')
const local = fc.constantFrom('anna', 'bo', '\u00FCmit')
const address = fc.tuple(local, domain).map(([name, at]) => `${name}@${at}`)
const entry = fc.oneof(domain, address)
const lists = { Partners: [] as readonly string[], Others: [] as readonly string[] }
const domainIn = (text: string) => text.slice(text.lastIndexOf('@') + 1)
const inAscii = (one: string) => {
  const at = one.lastIndexOf('@') + 1
  return one.slice(0, at) + domainToASCII(one.slice(at))
}

describe('[PERSON-6] a sealed list', () => {
  property.prop([fc.string(), fc.uniqueArray(fc.string({ unit: 'binary' }))])(
    'has a salt of its content, and the first 36 bits of each salted entry in order',
    (given, entries) => {
      const name = given.replaceAll(':', '')
      const sorted = [...entries].sort()
      const salt = digest([name, ...sorted].join('\n')).slice(0, 12)
      const codes = sorted.map((one) => digest(salt + one).slice(0, 6)).sort()
      const audience = sealList(name, entries)
      expect(audience).toBe(`#${name}:${salt}:${codes.join('')}`)
      expect(sealList(name, [...entries, ...entries].reverse())).toBe(audience)
      expect([isSealedList(audience), nameOfSealed(audience)]).toEqual([true, name])
    },
  )

  property.prop([fc.uniqueArray(entry, { maxLength: 8 }), fc.array(address, { minLength: 1, maxLength: 4 })])(
    'is for the recipients whose address or domain it has',
    (entries, recipients) => {
      const isIn = (one: string) => entries.includes(one) || entries.includes(domainIn(one))
      expect(fitsAudience({ audiences: [sealList('Partners', entries)] }, recipients)).toBe(
        recipients.every(isIn),
      )
    },
  )

  property.prop([fc.string({ unit: 'grapheme', maxLength: 200 })])(
    'has the same codes from the code that ships to mail clients, which have no crypto of their own',
    (text) => {
      expect(digestInMailClients(text)).toBe(digest(text))
    },
  )

  it('finds each of 10,000 entries, and no other', () => {
    const all = Array.from({ length: 10_000 }, (_, index) => `person${String(index)}@a.example`)
    const audiences = [sealList('Partners', all)]
    expect(all.filter((one) => !fitsAudience({ audiences }, [one]))).toEqual([])
    // More recipients than are remembered.
    expect(all.filter((one) => fitsAudience({ audiences }, [`x${one}`]))).toEqual([])
    expect(fitsAudience({ audiences }, all)).toBe(true)
  })

  it.each(['#Partners', '#Partners:salt', '#', '#Partners:salt:12345'])(
    '%s, which is damaged, is for nobody',
    (audience) => {
      expect(fitsAudience({ audiences: [audience] }, ['anna@a.example'])).toBe(false)
    },
  )
})

describe('[PERSON-6] recipients', () => {
  const wanted = fc.record({
    recipients: fc.uniqueArray(fc.oneof(entry, fc.constantFrom('Partners', 'Others', 'Unknown')), {
      minLength: 1,
    }),
    lists: fc.record({ Partners: fc.uniqueArray(entry), Others: fc.uniqueArray(entry) }),
  })
  const sealed = createSealedFormats(Buffer.alloc(32), () => 'https://signet.example')

  property.prop([wanted, fc.array(fc.tuple(address, fc.boolean()), { maxLength: 4 }), fc.boolean()])(
    'are in a domain, an address or a list, whether Outlook writes their domains in Unicode or in ASCII',
    ({ recipients, lists: named }, written, isService) => {
      const formats = isService ? sealed.formats : UNSEALED_FORMATS
      const release = compileRelease('r', { ...releaseDocument, lists: named }, formats)
      const entries = recipients.flatMap((each): readonly string[] =>
        each in lists ? named[each as keyof typeof named] : [each],
      )
      const isMeant = (one: string) => entries.includes(one) || entries.includes(domainIn(one))
      const audiences = recipientAudiences(release, { recipients })
      const inMessage = written.map(([one, isAscii]) => (isAscii ? inAscii(one) : normaliseAddress(one)))
      expect(fitsAudience({ audiences }, inMessage)).toBe(written.every(([one]) => isMeant(one)))
      for (const audience of audiences)
        if (isSealedList(audience))
          for (const one of entries) if (one.includes('.')) expect(audience).not.toContain(one)
    },
  )

  const few = fc.constantFrom('a.example', 'b.example')
  const fewLists = fc.record({ A: fc.array(few, { maxLength: 3 }), B: fc.array(few, { maxLength: 2 }) })
  const fewRecipients = fc.oneof(
    fc.constantFrom('everyone' as const, 'internal' as const, 'external' as const),
    fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'a.example'), { minLength: 1, maxLength: 2 }),
  )
  const side = fc.record({ recipients: fewRecipients, lists: fewLists })

  property.prop([side, side])('are compared without seals as they are with seals', (...sides) => {
    const [before, after] = sides.map(({ recipients, lists: named }) => {
      const release = compileRelease('r', { ...releaseDocument, lists: named })
      return [comparedRecipients, recipientAudiences].map((of) => of(release, { recipients }).join())
    })
    expect(before?.[0] === after?.[0]).toBe(before?.[1] === after?.[1])
  })

  it('are other ones once a list has another entry or name, and the same ones after a change elsewhere', () => {
    const of = (over: Partial<typeof releaseDocument>, recipients: Signature['recipients']) =>
      recipientAudiences(compileRelease('r', { ...releaseDocument, ...over }), { recipients }).join()
    const before = of({ lists: { A: ['a.example'] } }, ['A'])
    expect(of({ lists: { A: ['a.example'], B: ['b.example'] }, organisation: 'X' }, ['A'])).toBe(before)
    expect(of({ lists: { A: ['a.example', 'b.example'] } }, ['A'])).not.toBe(before)
    expect(of({ lists: { B: ['a.example'] } }, ['B'])).not.toBe(before)
    // The same list of names in two drafts, one with another list.
    const names = ['A']
    expect(of({ lists: { A: ['a.example'] } }, names)).not.toBe(of({ lists: { A: ['b.example'] } }, names))
  })

  it('in audiences with "!" need a domain that is none of them', () => {
    const audiences = ['!a.example', '!B.example']
    expect(fitsAudience({ audiences }, ['anna@a.example', 'bo@b.example'])).toBe(false)
    expect(fitsAudience({ audiences }, ['anna@a.example', 'bo@c.example'])).toBe(true)
    expect(fitsAudience({ audiences }, [])).toBe(true)
  })
})
