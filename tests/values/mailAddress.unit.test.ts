import { describe, expect, it } from 'vitest'
import { checkFolder } from '../../src/folder/checkFolder.ts'
import { readPeople } from '../../src/folder/people.ts'
import { addressForms, domainForms, normaliseAddress, normaliseDomain } from '../../src/values/mailAddress.ts'
import { createSealedFormats } from '../../src/service/people/values.ts'
import { UNSEALED_FORMATS } from '../../src/values/formats.ts'
import { fitsAudience } from '../../streams/html/slots.ts'
import { compileRelease, type Signature } from '../../streams/organisation/release/release.ts'
import { recipientAudiences } from '../../streams/organisation/rules/rules.ts'
import { releaseDocument } from '../support/administration/plans.ts'
import { createReading, type Files, useFolders } from '../folder/folders.ts'

// A domain in Unicode and the same in ASCII are one, wherever domains and addresses are compared.

const ASCII = 'xn--mller-kva.example'
const UNICODE = 'm\u00FCller.example'
const AT = Date.parse('2026-10-01T12:00:00Z')
type Recipients = Signature['recipients']
const reading = createReading(useFolders())

describe('a domain', () => {
  it.each([
    [ASCII, UNICODE],
    [UNICODE, UNICODE],
    ['MU\u0308LLER.Example', UNICODE],
    ['XN--MLLER-KVA.example', UNICODE],
    [`*.${ASCII}`, `*.${UNICODE}`],
    ['Northwind.example', 'northwind.example'],
    ['a b.example', 'a b.example'],
    ['xn--\u00FC.example', 'xn--\u00FC.example'],
  ])('%s is %s', (domain, one) => {
    expect([normaliseDomain(domain), normaliseDomain(normaliseDomain(domain))]).toEqual([one, one])
    expect(normaliseAddress(`Anna@${domain}`)).toBe(`anna@${one}`)
  })

  it('has two forms in mail clients, and one without other letters than those of ASCII', () => {
    expect([domainForms(ASCII), domainForms(UNICODE)]).toEqual([
      [ASCII, UNICODE],
      [UNICODE, ASCII],
    ])
    expect(UNSEALED_FORMATS.domains(UNICODE)).toEqual([UNICODE, ASCII])
    for (const forms of [domainForms, UNSEALED_FORMATS.domains])
      expect(forms('northwind.example')).toEqual(['northwind.example'])
    expect(UNSEALED_FORMATS.domains('\u00FC b')).toEqual(['\u00FC b'])
  })

  it('is sent to mail clients in both forms, for recipients inside and outside', () => {
    const { formats } = createSealedFormats(Buffer.alloc(32), () => 'https://signet.example')
    for (const internal of [ASCII, UNICODE]) {
      const release = compileRelease('r', { ...releaseDocument, internal: [internal] }, formats)
      const of = (recipients: Recipients) => [...recipientAudiences(release, { recipients })].sort()
      expect(of('internal')).toEqual([UNICODE, ASCII].sort())
      expect(of('external')).toEqual([`!${UNICODE}`, `!${ASCII}`].sort())
      expect(of([internal])).toEqual([UNICODE, ASCII].sort())
      for (const domain of [ASCII, UNICODE]) {
        expect(fitsAudience({ audiences: of('internal') }, [domain])).toBe(true)
        expect(fitsAudience({ audiences: of('external') }, [domain])).toBe(false)
        expect(fitsAudience({ audiences: of('external') }, [domain, 'other.example'])).toBe(true)
      }
    }
  })

  it('is looked for in each form in an address', () => {
    const both = [`anna@${UNICODE}`, `anna@${ASCII}`]
    expect([addressForms(`Anna@${ASCII}`), addressForms(both[0] ?? '')]).toEqual([both, both])
    expect(addressForms('Anna@northwind.example')).toEqual(['anna@northwind.example'])
  })
})

describe('a folder', () => {
  const files = (domain: string, more: Files = {}): Files => ({
    'signet.yaml': `version: 1
organisation: M\u00FCller
internal: [${domain}]
variables: { first_name: { from: givenName }, last_name: { from: surname } }
signatures:
  standard: { template: templates/standard.html, for: [{ person: [anna@${domain}] }] }
blocks:
  notice: { slot: notice, template: templates/blocks/notice.html, recipients: external }
mailboxes:
  info@${domain}: { for: everyone, values: { display_name: Info } }
`,
    'templates/standard.html': '<p>{{display_name}}</p>\n{{block notice}}\n',
    'templates/blocks/notice.html': '<p>EXTERNAL</p>\n',
    'templates/corporate.html': null,
    'templates/short.html': null,
    'templates/legal.part.html': null,
    'people.csv': `email,givenName,surname\nanna@${UNICODE},Anna,Berg\n`,
    'expect.yaml': [UNICODE, ASCII]
      .map((recipients) => `- person: anna@${ASCII}\n  recipients: ${recipients}\n  blocks: []\n`)
      .join(''),
    ...more,
  })

  it.each([UNICODE, ASCII])(
    'with the domain %s knows recipients and people inside in both forms',
    async (domain) => {
      expect(checkFolder(await reading(files(domain)), AT).filter(({ level }) => level === 'error')).toEqual(
        [],
      )
      const outside = '- person: anna@M\u00DCLLER.example\n  recipients: other.example\n  blocks: [notice]\n'
      const expected = await reading(files(domain, { 'expect.yaml': outside }))
      expect(checkFolder(expected, AT).filter(({ level }) => level === 'error')).toEqual([])
    },
  )

  it('has one person for an address in both forms, which is told as twice', () => {
    const { rows, problems } = readPeople(`email\nanna@${UNICODE}\nanna@${ASCII}\n`, 'people.csv', null)
    expect(rows.map(({ record }) => record.addresses)).toEqual([[`anna@${UNICODE}`]])
    expect(problems).toMatchObject([{ line: 3, level: 'error', code: 'csv.twice' }])
  })

  it('finds a manager by the address in the other form', () => {
    const text = `email,displayName,manager\nanna@${UNICODE},Anna,\nbo@${UNICODE},Bo,anna@${ASCII}\n`
    expect(readPeople(text, 'people.csv', null).rows[1]?.record.fields['manager.displayName']).toBe('Anna')
  })
})
