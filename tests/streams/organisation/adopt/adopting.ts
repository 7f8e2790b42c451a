/** People, signatures and templates with which adopting is tested. */
import fc from 'fast-check'
import { parseFragment, serialize } from 'parse5'
import type { NewVariable } from '../../../../streams/organisation/adopt/adopted.ts'
import { PLAIN_FORMATS } from '../../../../streams/organisation/template/formats.ts'
import {
  compileRelease,
  type ReleaseDocument,
  type Variable,
} from '../../../../streams/organisation/release/release.ts'
import { renderingAddresses, renderContextOf } from '../../../../streams/organisation/rendering/render.ts'
import { templateValues } from '../../../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import {
  escapeHtml,
  parseTemplate,
  renderTemplate,
} from '../../../../streams/organisation/template/template.ts'
import { UNSEALED_FORMATS } from '../../../../src/values/formats.ts'
import { variableOf } from '../../../support/variables.ts'

export const VARIABLES: readonly Variable[] = [
  variableOf('first_name', { from: 'givenName' }),
  variableOf('last_name', { from: 'surname' }),
  variableOf('job_title', { from: 'jobTitle' }),
  variableOf('phone', { from: 'businessPhones.0' }),
  variableOf('website', { value: 'https://www.northwind.example/team' }),
]

export const personOf = (directory: PersonState['directory'], address: string): PersonState => ({
  id: 'p-1',
  revision: 1,
  account: null,
  active: true,
  language: null,
  groups: [],
  addresses: [address],
  picture: null,
  directoryPicture: null,
  values: {},
  metadata: {},
  directory,
})

export const maria = personOf(
  {
    displayName: 'Maria Silva',
    givenName: 'Maria',
    surname: 'Silva',
    jobTitle: 'Head of Sales & Trade',
    department: 'Trade',
    companyName: 'Northwind Trading',
    'businessPhones.0': '+49 30 1234-5670',
    mobilePhone: '+49 171 2345678',
    mail: 'maria.silva@northwind.example',
    country: 'DE',
    city: 'Berlin',
    postalCode: '10115',
    streetAddress: 'Hafenstraße 12',
  },
  'maria.silva@northwind.example',
)

export const ben = personOf(
  {
    displayName: 'Ben Lindqvist',
    givenName: 'Ben',
    surname: 'Lindqvist',
    jobTitle: 'Pilot',
    department: 'Harbour',
    companyName: 'Northwind Trading',
    'businessPhones.0': '+46 8 555 123 40',
    mobilePhone: '+46 70 555 12 99',
    mail: 'ben.lindqvist@northwind.example',
    country: 'SE',
    city: 'Stockholm',
    postalCode: '111 30',
    streetAddress: 'Skeppsbron 4',
  },
  'ben.lindqvist@northwind.example',
)

/** What a template renders for a person, with the variables of a document and new ones. */
export function renderFor(
  template: string,
  person: PersonState,
  added: readonly NewVariable[] = [],
  variables = VARIABLES,
  formats = PLAIN_FORMATS,
): string {
  const all = [...variables, ...added.map(({ path, from }) => variableOf(path, { from }))]
  const document: ReleaseDocument = {
    version: 1,
    organisation: 'N',
    internal: [],
    chooseDefault: { for: 'everyone', not: [] },
    plan: { from: null, value: null },
    variables: all,
    signatures: [],
    mailboxes: [],
    templates: {},
    pictures: {},
  }
  const release = compileRelease('r', document, formats)
  return renderTemplate(parseTemplate(template, new Map()).template, {
    ...renderContextOf(release, person, renderingAddresses('https://a.example', person)),
    values: templateValues(release, person, { pictureUrl: '' }),
    pictureUrl: (path) => `{{picture ${path}}}`,
  })
}

/** Html as a browser reads it, with blanks as they are drawn. */
export const asDrawn = (html: string): string => serialize(parseFragment(html)).replace(/[\t\n\f\r ]+/g, ' ')

/** A text without what the ways of writing it may change. */
export const sameText = (text: string): string =>
  /^\+?[\d\s()/.-]+$/.test(text) ? text.replace(/\D/g, '') : text.toLowerCase().replace(/\s+/g, ' ')

const byNumber = (text: string): string =>
  Array.from(text, (each) =>
    /\w| /.test(each) ? each : `&#x${(each.codePointAt(0) ?? 0).toString(16)};`,
  ).join('')

/** The ways in which html may write a text without drawing it differently. */
const WAYS: readonly ((text: string) => string)[] = [
  escapeHtml,
  byNumber,
  (text) => escapeHtml(text).replaceAll(' ', '\n  '),
  (text) => `<b>${escapeHtml(text)}</b>`,
  (text) => `<span style="color:red">${byNumber(text)}</span>`,
]

/** A value that is as short as a country is only one where it stands alone. */
const FIELDS: readonly string[] = Object.keys(maria.directory).filter((field) => field !== 'country')
const WORDS = [
  'Yours',
  'since long ago',
  'T',
  'Mobile:',
  '|',
  '·',
  ',',
  '{x}',
  'a & b'.replace('&', '&amp;'),
  '&nbsp;',
]
const BLANKS = [' ', ' ', '\n', '&nbsp;']

/** A part of a line, as it is for a person. */
type Part = (person: PersonState) => string

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...WORDS).map((word) => () => word) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...WAYS)).map(
      ([field, write]) =>
        ({ directory }: PersonState) =>
          write(directory[field] ?? ''),
    ),
  },
  fc.constant(({ directory: { mobilePhone = '', country = '' } }: PersonState) =>
    (UNSEALED_FORMATS.phone(mobilePhone, country) ?? '').replaceAll(' ', '&nbsp;'),
  ),
  fc.constant(({ directory: { mail = '' } }: PersonState) => `<a href="mailto:${mail}">${mail}</a>`),
  fc.constant(({ directory }: PersonState) => {
    const phone = directory['businessPhones.0'] ?? ''
    return `<a href="tel:${phone.replace(/[^\d+]/g, '')}">${phone}</a>`
  }),
  fc.constant(({ directory: { displayName = '' } }: PersonState) => `<img alt="${displayName}" width="96">`),
)
const line: fc.Arbitrary<Part> = fc
  .array(fc.tuple(part, fc.constantFrom(...BLANKS)), { minLength: 1, maxLength: 4 })
  .map((parts) => (person: PersonState) => parts.map(([each, blank]) => each(person) + blank).join(''))
const AROUND: readonly ((lines: readonly string[]) => string)[] = [
  (lines) => `<p>${lines.join('<br>')}</p>`,
  (lines) => lines.map((each) => `<div>${each}</div>`).join(''),
  (lines) => `<table><tbody>${lines.map((each) => `<tr><td>${each}</td></tr>`).join('')}</tbody></table>`,
  (lines) => `<table><tbody><tr>${lines.map((each) => `<td>${each}</td>`).join('')}</tr></tbody></table>`,
  (lines) => `<div><i>${lines.join('<br>')}<br></i>x</div>`,
]

/** A signature as it is for each person. */
export const withText: fc.Arbitrary<Part> = fc
  .array(fc.tuple(fc.array(line, { minLength: 1, maxLength: 4 }), fc.constantFrom(...AROUND)), {
    maxLength: 3,
  })
  .map(
    (blocks) => (person: PersonState) =>
      blocks.map(([lines, around]) => around(lines.map((each) => each(person)))).join(''),
  )

export const signature = (person: PersonState): fc.Arbitrary<string> => withText.map((write) => write(person))
