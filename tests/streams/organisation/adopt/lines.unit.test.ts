import fc from 'fast-check'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkFolder } from '../../../../src/folder/checkFolder.ts'
import type { PeopleRow } from '../../../../src/folder/personRow.ts'
import { readFolder } from '../../../../src/folder/readFolder.ts'
import { emptyDocument } from '../../../../src/adopt/intoFolder.ts'
import { deriveTemplate } from '../../../../streams/organisation/adopt/template.ts'
import { plainSignature } from '../../../../streams/organisation/release/firstRelease.ts'
import { cases } from '../../../support/cases.ts'
import { variableOf } from '../../../support/variables.ts'
import { asDrawn, maria, personOf, renderFor } from './adopting.ts'

// Lines with several values that may be empty.

const folder = await readFolder(join(import.meta.dirname, '../../../../src/service/demonstration/signatures'))

/** What is written before, and the field whose value follows. */
const FIELDS = {
  'T ': 'businessPhones.0',
  'M: ': 'mobilePhone',
  '': 'jobTitle',
  'at ': 'companyName',
  'in ': 'city',
  '(': 'department',
} as const
const ADDRESS = 'maria.silva@northwind.example'
const value = (field: string): string => (maria.directory[field] ?? '').replace('&', '&amp;')
const WAYS: readonly ((label: string, text: string) => string)[] = [
  (label, text) => label + text,
  (label, text) => `<b>${label}</b>${text}`,
  (label, text) => `${label}<i>${text}</i>`,
  (label, text) => `<span>${label}<u>${text}</u></span>`,
]
const SEPARATORS = [' | ', ' ', ', ', '; ', ' – ', ' / ', ' <span>|</span> ', '&nbsp;· ', '<u> </u>| ']

const line: fc.Arbitrary<string> = fc
  .tuple(
    fc.uniqueArray(
      fc.tuple(
        fc.constantFrom(...(Object.keys(FIELDS) as (keyof typeof FIELDS)[])),
        fc.constantFrom(...WAYS),
        fc.constantFrom(...SEPARATORS),
      ),
      { minLength: 1, maxLength: 4, selector: ([label]) => label },
    ),
    fc.constantFrom('', '', 'Maria Silva, ', '<b>Maria Silva</b> | ', 'Northwind | '),
  )
  .map(([parts, before]) => {
    const values = parts.map(([label, write, separator], index) => {
      const text = write(label, value(FIELDS[label])) + (label === '(' ? ')' : '')
      return index === 0 ? text : separator + text
    })
    return (parts.length === 1 ? '' : before) + values.join('')
  })
const AROUND: readonly ((lines: readonly string[]) => string)[] = [
  (lines) => `<p>Maria Silva<br>${lines.join('<br>')}</p>`,
  (lines) => `<p>${lines.join('<br>')}<br>Maria Silva</p>`,
  (lines) => `<div>Maria Silva<br><i>${lines.join('<br>')}</i></div>`,
  (lines) => lines.map((each) => `<div><p style="margin:0">${each}</p></div>`).join('\n'),
  (lines) => lines.map((each) => `<p><span style="color:red"><b>${each}</b></span></p>`).join(''),
  (lines) => `<table>${lines.map((each) => `<tr><td>${each}</td></tr>`).join('')}</table>`,
  (lines) =>
    `<table><tr><td>Maria Silva</td>${lines.map((each) => `<td>${each}</td>`).join('')}</tr></table>`,
]
const signature = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 3 }), fc.constantFrom(...AROUND))
  .map(([lines, around]) => around(lines))

/** The person without some of the fields. */
const without = (fields: readonly string[]) =>
  personOf(
    Object.fromEntries(
      Object.entries(maria.directory).map(([field, text]) => [field, fields.includes(field) ? '' : text]),
    ),
    ADDRESS,
  )
const subsets = fc.array(fc.subarray(Object.values(FIELDS)), { minLength: 1, maxLength: 8 })

const VARIABLES = [
  variableOf('first_name', { from: 'givenName' }),
  variableOf('last_name', { from: 'surname' }),
]

test('a line without some of its values, or without all, is no finding of the check', () => {
  fc.assert(
    fc.property(signature, subsets, (html, missing) => {
      const found = deriveTemplate([{ html, person: maria }], VARIABLES)
      const people = missing.map(without)
      const document = {
        ...emptyDocument(maria),
        variables: [...VARIABLES, ...found.variables.map(({ path, from }) => variableOf(path, { from }))],
        signatures: [plainSignature('adopted', 'Adopted', 'templates/adopted.html')],
        templates: { 'templates/adopted.html': found.template },
      }
      const rows = people.map(({ directory }, index): PeopleRow => ({
        id: null,
        line: index + 2,
        record: {
          account: null,
          language: null,
          groups: [],
          picture: null,
          addresses: [`p${String(index)}@northwind.example`],
          fields: directory,
        },
      }))
      const read = { ...folder, document, people: rows, expectations: [], pictures: new Map(), problems: [] }
      const codes = checkFolder(read, 0)
        .filter(({ code, level }) => level === 'error' || code === 'emptyLine' || code === 'condition')
        .map(({ code, message }) => `${code}: ${message}`)
      expect(codes, found.template).toEqual([])
    }),
    cases(150),
  )
})

test('a line is drawn as before for its person, and leaves no label, no separator and no line behind [ADOPT-6]', () => {
  fc.assert(
    fc.property(signature, fc.subarray(Object.values(FIELDS)), (html, missing) => {
      const { template, variables } = deriveTemplate([{ html, person: maria }], VARIABLES)
      expect(asDrawn(renderFor(template, maria, variables, VARIABLES))).toBe(asDrawn(html))
      const text = (of: string) =>
        asDrawn(of)
          .replace(/<\/?(?:[bui]|span)\b[^>]*>/g, '')
          .replace(/&nbsp;/g, ' ')
      const rendered = text(renderFor(template, without(missing), variables, VARIABLES))
      for (const [label, field] of Object.entries(FIELDS))
        if (missing.includes(field) && label !== '') expect(rendered).not.toContain(label)
      // Nothing that separates stands at the edge of a line, or beside another one.
      expect(rendered, template).not.toMatch(/(?:^|>)\s*[|·,;–/](?!\w)|[|·,;–/]\s*(?:<|$|[|·,;–/])/)
      expect(rendered, template).not.toMatch(/<p[^>]*>\s*<\/p>|<br><br>/)
    }),
    cases(200),
  )
})
