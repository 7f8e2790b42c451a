/** How the check judges placeholders that write values: where they stand, and for whom they cannot be written. */
import { describe, expect, it } from 'vitest'
import { checkFolder } from '../../src/service/folder/checkFolder.ts'
import type { Finding } from '../../src/service/folder/finding.ts'
import { createReading, type Files, GOOD, useFolders } from './folders.ts'

const reading = createReading(useFolders())
const AT = Date.parse('2026-10-01T12:00:00Z')

const checking = async (files: Files): Promise<readonly Finding[]> => checkFolder(await reading(files), AT)
/** What is found in the template of replies, which everyone has. */
const inTemplate = async (html: string, more: Files = {}): Promise<readonly string[]> =>
  (await checking({ 'templates/short.html': html, ...more }))
    .filter(({ code }) => code !== 'notShown' && code !== 'fitsNobody')
    .map(({ file, line, column, level, code }) =>
      [file === 'templates/short.html' ? '' : file, `${line}:${column}`, level, code].join(' ').trim(),
    )
const sentences = async (html: string, more: Files = {}): Promise<readonly string[]> =>
  (await checking({ 'templates/short.html': html, ...more })).map(({ message }) => message)

const withPeople = (...rows: readonly string[]): Files => ({
  'people.csv': `email,givenName,surname,jobTitle,department,country,groups,businessPhones.0,streetAddress,city,manager\n${rows.join('\n')}\n`,
})
const PEOPLE = withPeople(
  'maria@northwind.example,Maria,Silva,Head,Sales,DE,sales-emea,030 901820,Hauptstr. 5,Berlin,cfo@northwind.example',
  'cfo@northwind.example,Carl,Boss,CFO,Finance,AT,board,1234,,,',
  'tom@northwind.example,Tom,Low,Clerk,Legal,Narnia,board,+49 30 901820,Pier 1,Bonn,gone@northwind.example',
)

describe('[ADOPT-9] the check', () => {
  it('names the people whose number is none, at the placeholder', async () => {
    const html = '<p>{{first_name}}</p>\n<p>{{#if phone}}{{phone phone}}{{/if}}</p>'
    expect(await inTemplate(html, PEOPLE)).toEqual([
      'people.csv 4:1 warning csv.manager',
      '2:17 warning notANumber',
    ])
    expect(await sentences(html, PEOPLE)).toContain(
      '"1234" is no phone number, or lacks its country; it is shown as it is: for cfo@northwind.example.',
    )
  })

  it('says nothing of a number that nobody is shown, or that is none as a text', async () => {
    const html = '<p>{{first_name}}{{#if website}}{{phone phone}}{{/if}}{{phone}}</p>'
    const yaml = (GOOD['signet.yaml'] as string).replace('  phone:', '  website: { edit: true }\n  phone:')
    expect(await inTemplate(html, { ...PEOPLE, 'signet.yaml': yaml })).toEqual([
      'people.csv 4:1 warning csv.manager',
    ])
  })

  it('names the people whose address has no known country', async () => {
    const html = '<p>{{first_name}}</p>{{#if address}}<p>{{address}}</p>{{/if}}'
    expect(await inTemplate(html, PEOPLE)).toEqual([
      'people.csv 4:1 warning csv.manager',
      '1:40 warning noCountry',
    ])
    expect((await sentences(html, PEOPLE)).at(-1)).toContain('for tom@northwind.example.')
  })

  it('names at most five people, and how many others', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(
      (name) => `${name}@northwind.example,${name},x,,Sales,DE,sales-emea,12,,,`,
    )
    const people = withPeople('cfo@northwind.example,Carl,Boss,,Finance,AT,board,,,,', ...rows)
    expect((await sentences('<p>{{phone phone}}x</p>', people)).at(-1)).toBe(
      '"12" is no phone number, or lacks its country; it is shown as it is: for a@northwind.example, b@northwind.example, c@northwind.example, d@northwind.example, e@northwind.example and 2 others.',
    )
  })

  it('knows no people whose values could be wrong without people.csv', async () => {
    expect(
      await inTemplate('<p>{{phone phone}} {{address}} {{manager.job_title}}</p>', { 'people.csv': null }),
    ).toEqual([])
  })

  it('finds an empty line where nothing is left of an address', async () => {
    expect(await inTemplate('<p>{{first_name}}<br>{{address}}</p>', PEOPLE)).toContain('1:22 error emptyLine')
  })
})

describe('[ADOPT-10] the check', () => {
  it('takes a QR code as a whole picture, and refuses it elsewhere', async () => {
    const code = (html: string) => inTemplate(`<p>{{first_name}}</p>${html}`)
    expect(await code('<img src="{{qr vcard}}" alt="Card" width="96">')).toEqual([])
    expect(await code('<img src=" {{qr https://a.example/?b=1&amp;c=2}} " alt="Site">')).toEqual([])
    expect(await code('<img src="{{qr vcard}}">')).toEqual(['1:22 error noAlternative'])
    for (const wrong of [
      '<p>{{qr vcard}}</p>',
      '<p title="{{qr vcard}}">x</p>',
      '<p style="background:url({{qr vcard}})">x</p>',
      '<a href="https://a.example/{{qr vcard}}">x</a>',
    ])
      expect((await code(wrong)).map((each) => each.replace(/^\S+ /, ''))).toEqual(['error placeholder'])
    expect(await code('<img src="{{qr vcard}}.png" alt="x">')).toContain('1:32 error placeholder')
  })

  it('refuses a card where no name is shown, and says for whom', async () => {
    const html = '<p>Northwind</p><img src="{{qr vcard}}" alt="Card">'
    expect(await inTemplate(html)).toEqual(['1:27 error cardWithoutName'])
    expect(await inTemplate(html, { 'people.csv': null })).toEqual(['1:27 error cardWithoutName'])
    const people = withPeople(
      'maria@northwind.example,Maria,Silva,,Sales,DE,sales-emea,,,,',
      'cfo@northwind.example,,,,Finance,AT,board,,,,',
    )
    expect(
      (await sentences('<p>{{first_name}}x</p><img src="{{qr vcard}}" alt="Card">', people)).at(-1),
    ).toBe(
      'The template shows no name, which a card needs: for cfo@northwind.example. A card has only what the same template shows.',
    )
  })

  it('asks for digits in a link to a number', async () => {
    expect(await inTemplate('<p>{{first_name}}<a href="tel:{{phone phone}}">call</a></p>')).toContain(
      '1:31 error placeholder',
    )
  })
})

describe('the manager in people.csv', () => {
  it('gives a person the fields of the row with that address, which own cells win over', async () => {
    const { people } = await reading({
      'people.csv': `email,givenName,jobTitle,manager,manager.jobTitle
a@northwind.example,A,Clerk,B@northwind.example,
b@northwind.example,B,Boss,,
c@northwind.example,C,,b@northwind.example,Chief
d@northwind.example,D,,Mia Boss,
`,
    })
    expect(people?.map(({ record }) => record.fields)).toEqual([
      {
        ...{ givenName: 'A', jobTitle: 'Clerk', manager: 'B@northwind.example' },
        ...{ 'manager.mail': 'b@northwind.example', 'manager.givenName': 'B', 'manager.jobTitle': 'Boss' },
      },
      { givenName: 'B', jobTitle: 'Boss' },
      {
        ...{ givenName: 'C', manager: 'b@northwind.example', 'manager.jobTitle': 'Chief' },
        ...{ 'manager.mail': 'b@northwind.example', 'manager.givenName': 'B' },
      },
      { givenName: 'D', manager: 'Mia Boss' },
    ])
  })

  it('is known to templates and to the check', async () => {
    expect(
      await inTemplate('<p>{{first_name}}{{#if manager.job_title}}{{manager.job_title}}{{/if}}</p>'),
    ).toEqual([])
    expect(await inTemplate('<p>{{first_name}}{{manager.job_titel}}</p>')).toEqual([
      '1:18 error unknownVariable',
    ])
    const yaml = (GOOD['signet.yaml'] as string).replace('from: jobTitle', 'from: manager.deck')
    const people = (GOOD['people.csv'] as string)
      .replace('department', 'deck,manager,department')
      .replaceAll(/,(?=Sales|Finance|Legal)/g, ',1,,')
    expect(await inTemplate('<p>{{first_name}}</p>', { 'signet.yaml': yaml, 'people.csv': people })).toEqual(
      [],
    )
  })
})
