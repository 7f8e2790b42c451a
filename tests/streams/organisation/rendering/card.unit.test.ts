import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Formats, PLAIN_FORMATS } from '../../../../streams/organisation/template/formats.ts'
import {
  compileRelease,
  type ReleaseDocument,
  type Signature,
} from '../../../../streams/organisation/release/release.ts'
import { renderCard, renderFrame } from '../../../../streams/organisation/rendering/render.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { escapeHtml } from '../../../../streams/organisation/template/template.ts'
import { cases } from '../../../support/cases.ts'
import { variableOf } from '../../../support/variables.ts'
import { EVERYONE } from '../arbitraries.ts'

const VARIABLES = [
  ['first_name', 'givenName'],
  ['last_name', 'surname'],
  ['job_title', 'jobTitle'],
  ['department', 'department'],
  ['company', 'companyName'],
  ['phone', 'businessPhones.0'],
  ['mobile_phone', 'mobilePhone'],
  ['fax', 'faxNumber'],
  ['street', 'streetAddress'],
  ['town', 'city'],
  ['website', 'wWWHomePage'],
  ['pager', 'pager'],
  ['hobby', 'hobby'],
  ['boss_phone', 'manager.mobilePhone'],
  ['boss_page', 'manager.wWWHomePage'],
] as const
const REFUSAL = variableOf('no_card', { edit: true })

/** A code is the text itself, so that the html tells the card. */
const FORMATS: Formats = {
  ...PLAIN_FORMATS,
  phone: (text) => (text === '' ? null : `int ${text}`),
  /** As some countries do: without the state, and with another name of the country. */
  address: ({ state: _, country, ...parts }) =>
    PLAIN_FORMATS.address({
      ...parts,
      state: '',
      country: country === '' ? '' : `The land of ${Array.from(country).slice(1).join('')}`,
    }),
  qr: (text) => encodeURIComponent(text).replaceAll("'", '%27'),
  card: (id) => `https://s.example/card/${id}.vcf`,
}

const signature: Signature = {
  id: 's',
  name: 'S',
  template: 'templates/a.html',
  reply: null,
  mobile: null,
  selection: EVERYONE,
  during: null,
  recipients: 'everyone',
  collection: null,
}
const person = (directory: PersonState['directory'], address = 'maria@in.example'): PersonState => ({
  id: 'p-1',
  revision: 1,
  account: null,
  active: true,
  language: null,
  groups: [],
  values: {},
  addresses: [address],
  picture: null,
  directoryPicture: null,
  metadata: {},
  directory,
})

const START = 'https://s.example/images/'

/** What a template shows to a person, without its codes; and its card. */
function shownBy(
  template: string,
  directory: PersonState['directory'],
  parts: Readonly<Record<string, string>> = {},
) {
  const templates = { 'templates/a.html': `${template}<img src="{{qr vcard}}" alt="">`, ...parts }
  const release = compileRelease(
    'r',
    {
      version: 1,
      organisation: 'Northwind',
      internal: [],
      chooseDefault: EVERYONE,
      mailboxes: [],
      plan: { from: null, value: '' },
      signatures: [signature],
      templates,
      pictures: {},
      variables: [...VARIABLES.map(([path, from]) => variableOf(path, { from })), REFUSAL],
      cards: { unless: REFUSAL.path },
    },
    FORMATS,
  )
  const addresses = { pictures: 'https://s.example/images', pictureUrl: '' }
  const html = renderFrame(release, signature, 'signature', person(directory), addresses) ?? ''
  const [text = '', code = ''] = html.split('<img src="')
  const address = code.slice(0, code.indexOf('"'))
  const served = renderCard(release, signature, person(directory), addresses)
  const card = address.startsWith(START) ? decodeURIComponent(address.slice(START.length)) : address
  return { text, card, served }
}

/** The lines of a card, unfolded. */
const linesOf = (card: string): readonly string[] => card.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
/** The values of a line, as they were before they were escaped. */
const valuesOf = (line: string): readonly string[] =>
  Array.from(line.slice(line.indexOf(':') + 1).matchAll(/(?:\\.|[^;\\])+/gs), ([value]) =>
    value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char)),
  )

const FIELDS = [...VARIABLES.map(([, from]) => from), 'state', 'postalCode', 'country']

const FULL = {
  givenName: 'Maria',
  surname: 'Silva',
  jobTitle: 'Head, Sales; EMEA',
  department: 'Sales',
  companyName: 'Northwind',
  'businessPhones.0': '1',
  mobilePhone: '2',
  faxNumber: '3',
  streetAddress: 'Rua A 5',
  city: 'Lisboa',
  postalCode: '1000-001',
  country: 'PT',
  wWWHomePage: 'https://m.example/?a=1',
  pager: '4',
  hobby: 'sailing',
}

describe('a card', () => {
  it('[ADOPT-10] has each value that the template shows, at its place', () => {
    const all = VARIABLES.map(([path]) =>
      path === 'website' ? '{{web website}}' : path === 'phone' ? '{{phone phone}}' : `{{${path}}}`,
    )
    const { card } = shownBy(
      `{{display_name}} {{email}} ${all.join(' ')} {{tel mobile_phone}}{{tel pager}}`,
      FULL,
    )
    expect(linesOf(card)).toEqual([
      ...['BEGIN:VCARD', 'VERSION:3.0', 'FN:Maria Silva', 'N:Silva;Maria;;;', 'EMAIL:maria@in.example'],
      ...['TITLE:Head\\, Sales\\; EMEA', 'TEL;TYPE=WORK:int 1', 'TEL;TYPE=CELL:2', 'TEL;TYPE=FAX:3'],
      ...['URL:https://m.example/?a=1', 'TEL;TYPE=WORK:int 4', 'ORG:Northwind;Sales'],
      ...['ADR;TYPE=WORK:;;Rua A 5;Lisboa;;;', 'END:VCARD'],
    ])
  })

  it.each([
    ['{{display_name}}', 'FN:Maria Silva', 'N:Silva;Maria;;;'],
    ['{{first_name}} {{last_name}}', 'FN:Maria Silva', 'N:Silva;Maria;;;'],
    ['{{last_name}}', 'FN:Silva', 'N:;Silva;;;'],
    ['{{display_name}}{{company}}', 'FN:Maria Silva', 'N:Silva;Maria;;;', 'ORG:Northwind'],
    ['{{display_name}}{{department}}', 'FN:Maria Silva', 'N:Silva;Maria;;;', 'ORG:;Sales'],
    ['{{display_name}}{{web hobby}}', 'FN:Maria Silva', 'N:Silva;Maria;;;'],
    ['{{display_name}}{{tel phone}}{{phone}}', 'FN:Maria Silva', 'N:Silva;Maria;;;', 'TEL;TYPE=WORK:1'],
    ['{{display_name}}{{tel phone}}', 'FN:Maria Silva', 'N:Silva;Maria;;;', 'TEL;TYPE=WORK:int 1'],
    [
      '{{display_name}}{{first nothing mobile_phone}}',
      'FN:Maria Silva',
      'N:Silva;Maria;;;',
      'TEL;TYPE=CELL:2',
    ],
    ['{{display_name}}{{#if phone}}x{{else}}{{mobile_phone}}{{/if}}', 'FN:Maria Silva', 'N:Silva;Maria;;;'],
    ['{{display_name}}{{#if phone}}{{fax}}{{/if}}', 'FN:Maria Silva', 'N:Silva;Maria;;;', 'TEL;TYPE=FAX:3'],
    ['{{display_name}}{{#block b}}{{phone}}{{block}}{{/block}}', 'FN:Maria Silva', 'N:Silva;Maria;;;'],
    ['{{display_name}}{{manager.phone}}', 'FN:Maria Silva', 'N:Silva;Maria;;;'],
    [
      '{{display_name}}{{boss_phone}}{{tel boss_phone}}{{phone boss_phone}}{{web boss_page}}',
      ...['FN:Maria Silva', 'N:Silva;Maria;;;'],
    ],
    [
      '{{display_name}}{{address}}',
      ...['FN:Maria Silva', 'N:Silva;Maria;;;', 'ADR;TYPE=WORK:;;Rua A 5;Lisboa;;1000-001;The land of T'],
    ],
    ['{{> name}}', 'FN:Maria Silva', 'N:Silva;Maria;;;', 'TITLE:Head\\, Sales\\; EMEA'],
  ])('[ADOPT-10] of %s has nothing else', (template, ...lines) => {
    const { card } = shownBy(
      template,
      {
        ...FULL,
        'manager.businessPhones.0': '9',
        'manager.mobilePhone': '8',
        'manager.wWWHomePage': 'https://boss.example',
      },
      {
        'templates/name.part.html': '{{display_name}}{{job_title}}',
      },
    )
    expect(linesOf(card).slice(2, -1)).toEqual(lines)
  })

  it('is none where no name is shown', () => {
    expect(shownBy('{{phone}}{{email}}', FULL).card).toBe('')
    expect(shownBy('{{display_name}}', {}).card).toBe('')
  })

  const value = fc.oneof(
    fc.constant(''),
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.constantFrom('a;b,c\\d', 'a\r\nb\nc', '\\', 'https://a.example/;', '+49 30 1'),
  )
  const directory = fc
    .tuple(...FIELDS.map(() => value))
    .map((values) => Object.fromEntries(FIELDS.map((from, index) => [from, values[index] ?? ''])))
  const names = fc.constantFrom(...VARIABLES.map(([path]) => path), 'display_name', 'email')
  const piece = fc.oneof(
    names.map((name) => `{{${name}}}`),
    names.map((name) => `{{phone ${name}}}`),
    fc.constant('{{address}}'),
    fc.constantFrom('{{card}}', '{{web card}}', '{{phone card}}', '{{first card pager}}'),
    names.map((name) => `{{web ${name}}}`),
    fc.tuple(names, names).map(([name, other]) => `{{first ${name} ${other}}}`),
    fc.tuple(names, names, names).map(([a, b, c]) => `{{#if ${a}}}{{${b}}}{{else}}{{${c}}}{{/if}}`),
  )

  it('[ADOPT-10] holds only what the signature shows, in lines that any program reads', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), directory, (pieces, given) => {
        const { text, card, served } = shownBy(pieces.join('\n'), given)
        expect(served).toBe(card)
        expect(card).not.toContain('s.example/card')
        if (card === '') return
        expect(Buffer.byteLength(card)).toBeLessThanOrEqual(1_000)
        for (const line of card.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        const lines = linesOf(card)
        expect([lines.slice(0, 2), lines.at(-1)]).toEqual([['BEGIN:VCARD', 'VERSION:3.0'], 'END:VCARD'])
        const plain = (each: string) => each.replace(/[\p{Cc}\s]+/gu, ' ')
        for (const line of lines.slice(2, -1))
          // A name may be made of a first and a last name that stand at two places.
          for (const each of line.startsWith('FN:') ? valuesOf(line).join().split(/\s/) : valuesOf(line))
            expect(plain(text)).toContain(plain(escapeHtml(each)))
      }),
      cases(300),
    )
  })
})

describe('[ADOPT-10] the address of a card', () => {
  const LINK = '{{#if card}}<a href="{{card}}">{{display_name}}</a>{{else}}none{{/if}}'
  const linkOf = (
    over: Partial<ReleaseDocument>,
    { values = {}, ...rest }: Partial<PersonState> = {},
    html = LINK,
    areAllowed = true,
  ) => {
    const release = compileRelease(
      'r',
      {
        version: 1,
        organisation: 'Northwind',
        internal: [],
        chooseDefault: EVERYONE,
        mailboxes: [],
        plan: { from: null, value: '' },
        signatures: [signature],
        pictures: {},
        templates: { 'templates/a.html': html },
        variables: [REFUSAL],
        ...(areAllowed && { cards: { unless: 'no_card' } }),
        ...over,
      },
      FORMATS,
    )
    const owner = { ...person({}), values, ...rest }
    return renderFrame(release, signature, 'signature', owner, { pictures: '', pictureUrl: '' })
  }
  const THERE = '<a href="https://s.example/card/p-1.vcf"></a>'

  it('is there where the organisation allows it, until the person says anything', () => {
    expect(linkOf({})).toBe(THERE)
    expect(linkOf({}, {}, LINK, false)).toBe('none')
    for (const value of ['x', ' ', 'no']) expect(linkOf({}, { values: { no_card: value } })).toBe('none')
    expect(linkOf({}, { values: { no_card: '' } })).toBe(THERE)
  })

  it('is none where users cannot refuse, and for a mailbox that is in no directory', () => {
    for (const over of [{ edit: false }, { hidden: true }, { path: 'other' }])
      expect(linkOf({ variables: [{ ...REFUSAL, ...over }] })).toBe('none')
    expect(linkOf({ cards: { unless: 'email' }, variables: [{ ...REFUSAL, path: 'email' }] })).toBe('none')
    expect(linkOf({}, { revision: 0 })).toBe('none')
  })

  it('follows the directory and the mailbox where these refuse, unless the user says otherwise', () => {
    const variables = [{ ...REFUSAL, from: 'noCard' }]
    expect(linkOf({ variables }, { directory: { noCard: 'yes' } })).toBe('none')
    expect(linkOf({ variables }, { directory: { noCard: 'yes' }, values: { no_card: '' } })).toBe(THERE)
    const mailboxes = [{ address: 'maria@in.example', selection: EVERYONE, values: { no_card: 'x' } }]
    expect(linkOf({ mailboxes })).toBe('none')
  })

  it('is the variable of this name where there is one', () => {
    const variables = [REFUSAL, variableOf('card', { value: 'Visa' })]
    expect(linkOf({ variables })).toBe('<a href="Visa"></a>')
    expect(linkOf({ variables }, {}, '{{card}}')).toBe('Visa')
  })
})
