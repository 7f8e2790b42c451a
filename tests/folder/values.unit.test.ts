/** How the check judges placeholders that write values: where they stand, and for whom they cannot be written. */
import { describe, expect, it } from 'vitest'
import { checkFolder } from '../../src/folder/checkFolder.ts'
import type { Finding } from '../../src/folder/finding.ts'
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

  it('names the people whose link dials no number, or the first of several', async () => {
    const people = withPeople(
      'maria@northwind.example,Maria,Silva,Head,Sales,DE,sales-emea,+49 (0)30 901820,,,',
      'cfo@northwind.example,Carl,Boss,CFO,Finance,CA,board,+1 604 555 0123 ext. 212,,,',
      'tom@northwind.example,Tom,Low,Clerk,Legal,DE,board,+49 30 901820 / +49 171 5550123,,,',
      "ann@northwind.example,Ann,Lee,Clerk,Legal,DE,board,'+49 30 901820,,,",
    )
    const html = '<p>{{first_name}}</p><p><a href="tel:{{tel phone}}">{{phone phone}}</a></p>'
    expect(await inTemplate(html, people)).toEqual(['1:38 warning notANumber', '1:53 warning notANumber'])
    const two = '"+49 30 901820 / +49 171 5550123" is more than one phone number alone'
    expect((await sentences(html, people)).slice(-2)).toEqual([
      `${two}; the link dials +4930901820: for tom@northwind.example.`,
      `${two}; it is shown as it is: for tom@northwind.example.`,
    ])
    expect((await sentences(html, PEOPLE)).slice(-2)[0]).toBe(
      '"1234" is no phone number, or lacks its country; the link dials its digits: for cfo@northwind.example.',
    )
  })

  it('says nothing of a number that no signature shows, or that is none as a text', async () => {
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

describe('[ADOPT-10] the check of the addresses of cards', () => {
  const yaml = (cards: string, variable = '{ edit: true }'): Files => ({
    'signet.yaml': (GOOD['signet.yaml'] as string)
      .replace('signatures:', `cards: ${cards}\nsignatures:`)
      .replace('  phone:', `  no_card: ${variable}\n  phone:`),
  })
  const ALLOWED = yaml('{ unless: no_card }')
  const LINK = '{{#if card}}<p>{{first_name}}<a href="{{card}}">My card</a></p>{{/if}}'

  it('reads the variable by which users refuse, and has no field without cards', async () => {
    expect((await reading(ALLOWED)).document.cards).toEqual({ unless: 'no_card' })
    expect(Object.hasOwn((await reading({})).document, 'cards')).toBe(false)
  })

  it('takes the address as the whole address of a link, and nowhere else where addresses stand', async () => {
    expect(await inTemplate(LINK, ALLOWED)).toEqual([])
    expect(await inTemplate(LINK, { ...ALLOWED, 'people.csv': null })).toEqual([])
    const places = async (html: string, more: Files = ALLOWED) =>
      (await inTemplate(`<p>{{first_name}}</p>{{#if card}}${html}{{/if}}`, more)).map((each) =>
        each.replace(/^\S+ /, ''),
      )
    expect(await places('<a href=" {{card}} ">x</a>')).toEqual([])
    for (const wrong of [
      '<a href="{{card}}?a">x</a>',
      '<a href="x{{card}}">x</a>',
      '<a href={{card}}>x</a>',
      '<img src="{{card}}" alt="x">',
    ])
      expect([wrong, await places(wrong)]).toEqual([wrong, expect.arrayContaining(['error placeholder'])])
    const declared = yaml('{ unless: no_card }', '{ edit: true }\n  card: { from: jobTitle }')
    expect(await places('<a href="{{card}}">x</a>', declared)).toEqual(['error placeholder'])
  })

  it('warns of a link that stays for users who refuse', async () => {
    const bare = '<p>{{first_name}}<a href="{{card}}">My card</a></p>'
    expect(await inTemplate(bare, ALLOWED)).toEqual(['1:27 warning cardRefused'])
    expect(await sentences(bare, ALLOWED)).toContain(
      'Users who refuse have no card: put {{#if card}} and {{/if}} around the link.',
    )
    for (const [html, ...found] of [
      [`{{#if card}}<p>{{first_name}}</p>{{else}}${bare}{{/if}}`, '1:68 warning cardRefused'],
      [`{{#if phone}}${bare}{{/if}}`, '1:40 warning cardRefused'],
      [`{{#if card}}<p>x</p>{{/if}}${bare}`, '1:54 warning cardRefused'],
      [`{{#if card}}{{#if phone}}${bare}{{else}}${bare}{{/if}}{{/if}}`],
    ] as const)
      expect([html, await inTemplate(html, ALLOWED)]).toEqual([html, found])
  })

  it('warns where no person has an address, and finds the link that leads nowhere then', async () => {
    expect(await inTemplate(LINK)).toEqual(['1:1 warning noCards', '1:39 warning noCards'])
    expect(await sentences(LINK)).toContain(
      '{{card}} is empty: signet.yaml allows no cards. To allow them, write cards: { unless: no_card }.',
    )
    expect(await inTemplate('<p>{{first_name}}<a href="{{card}}">x</a></p>')).toEqual([
      '1:27 warning noCards',
      '1:27 error emptyLink',
    ])
    const variable = (GOOD['signet.yaml'] as string).replace(
      '  phone:',
      '  card: { from: jobTitle }\n  phone:',
    )
    expect(await inTemplate('<p>{{first_name}} {{card}}</p>', { 'signet.yaml': variable })).toEqual([])
  })

  it('refuses cards without a way to refuse them', async () => {
    const said = async (files: Files) =>
      (await checking(files))
        .filter(({ level }) => level === 'error')
        .map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`)
    const HOW =
      'cards: "cards" says how users refuse: cards: { unless: no_card }, a variable with "edit: true". Without it, no card has an address.'
    for (const value of ['true', 'false', '[no_card]', 'no_card'])
      expect([value, await said(yaml(value))]).toEqual([value, [`9:1 ${HOW}`]])
    expect(await said(yaml(''))).toEqual([`9:1 ${HOW}`])
    const NEEDS = '9:1 cards: "cards" needs "unless": the variable by which users refuse, with "edit: true".'
    expect(await said(yaml('{}'))).toEqual([NEEDS])
    expect(await said(yaml('{ other: x }'))).toEqual([
      NEEDS,
      '9:10 unknownKey: "other" is not known here. "cards" may have unless.',
    ])
    expect(await said(yaml('{ unless: gone }'))).toEqual([
      '9:18 unknownVariable: There is no variable "gone", by which users refuse.',
    ])
    expect(await said(yaml('{ unless: "no card" }'))).toEqual([
      '9:10 unknownVariable: There is no variable "no card".',
    ])
    for (const variable of ['{}', '{ edit: true, hidden: true }'])
      expect(await said(yaml('{ unless: no_card }', variable))).toEqual([
        '9:18 noRefusal: Users refuse by filling in "no_card" in the pane: write "edit: true" at the variable, and not "hidden".',
      ])
  })

  it('refuses an address of a card where the signature itself shows no name', async () => {
    const bare = '{{#if card}}<p>Northwind <a href="{{card}}">My card</a></p>{{/if}}'
    expect(await inTemplate(bare, ALLOWED)).toEqual([])
    const all = await checking({ ...ALLOWED, 'templates/corporate.html': bare })
    expect(all.map(({ file, code }) => `${file} ${code}`)).toContain(
      'templates/corporate.html cardWithoutName',
    )
    const numbered = bare.replace('Northwind', 'Call {{phone phone}}')
    const none = await checking({ 'templates/corporate.html': numbered })
    expect(none.map(({ code }) => code)).not.toContain('cardWithoutName')
  })

  it('refuses the address as a value of a mailbox', async () => {
    const own = (GOOD['signet.yaml'] as string).replace('values: {', 'values: { card: x,')
    expect((await checking({ 'signet.yaml': own })).map(({ message }) => message)).toContain(
      'There is no variable "card".',
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
        givenName: 'A',
        jobTitle: 'Clerk',
        manager: 'B@northwind.example',
        'manager.mail': 'b@northwind.example',
        'manager.givenName': 'B',
        'manager.jobTitle': 'Boss',
      },
      { givenName: 'B', jobTitle: 'Boss' },
      {
        givenName: 'C',
        manager: 'b@northwind.example',
        'manager.jobTitle': 'Chief',
        'manager.mail': 'b@northwind.example',
        'manager.givenName': 'B',
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
