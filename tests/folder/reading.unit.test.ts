import { describe, expect, it } from 'vitest'
import { legibilityProblems } from '../../src/folder/legibility.ts'
import { readPeople } from '../../src/folder/people.ts'
import { readFolder } from '../../src/folder/readFolder.ts'
import { GOOD, useFolders } from './folders.ts'

// What the pieces of a folder are read as.

const writeFiles = useFolders()

describe('a signet.yaml with problems', () => {
  const GOOD_YAML = GOOD['signet.yaml'] as string

  // Where there is nothing to go on with, what would follow from it is not told as well.
  it.each([
    ['that is missing', null, ['1 noFile']],
    ['in another encoding', Buffer.from([0xff, 0xfe, 0x61, 0x00]), ['1 notUtf8']],
    ['that is no YAML', 'version: 1\norganisation: [x\nplan: {', ['3 yaml']],
    ['that is empty', '', ['1 notMap', '1 version', '1 organisation']],
    [
      'with a key twice and an unknown one',
      `${GOOD_YAML}colour: red\nversion: 1\n`,
      ['24 unknownKey', '25 twice'],
    ],
    ['with a key twice, and without a name', 'version: 1\nversion: 1\n', ['1 organisation', '2 twice']],
    ['with a blank name', GOOD_YAML.replace('Northwind Trading', '" "'), ['2 organisation']],
    ['of another version', GOOD_YAML.replace('version: 1', 'version: 2'), ['1 version']],
  ])('%s is read as far as it can be', async (_, yaml, told) => {
    const { problems } = await readFolder(await writeFiles({ ...GOOD, 'signet.yaml': yaml }))
    expect(problems.map(({ line, code }) => `${String(line)} ${code}`)).toEqual(told)
  })
})

describe('a line of signet.yaml', () => {
  const FOR = 'for: [{ department: Sales, country: [DE, AT] }, { group: sales-emea }]'

  it.each([
    [FOR, 'for: [{ __proto__: 44 }]', 'value', '"__proto__" is not a field of a directory.'],
    [FOR, 'for: [{ country: [] }]', 'noValue', '"country" has no value, so it fits no user.'],
    [FOR, 'for: [{}]', 'noValue', 'An empty condition would fit every user; say "everyone".'],
    [FOR, 'for: [{ person: maria }]', 'value', '"maria" is not a mail address.'],
    ['{ from: jobTitle }', '{ from: __proto__ }', 'value', '"__proto__" is not a field of a directory.'],
    [
      '{ from: jobTitle }',
      '{ value: x, resync: true }',
      'resync',
      '"resync" needs "from": the field of the directory.',
    ],
    ['Sales@northwind.example:', 'Sales:', 'value', '"Sales" is not a mail address.'],
    ['{ first_name: Sales }', '{ a b: Sales }', 'unknownVariable', 'There is no variable "a b".'],
  ])('instead of %s, %s is told', async (good, wrong, code, message) => {
    const yaml = (GOOD['signet.yaml'] as string).replace(good, wrong)
    const { problems } = await readFolder(await writeFiles({ ...GOOD, 'signet.yaml': yaml }))
    expect(problems.filter(({ level }) => level === 'error')).toMatchObject([{ code, message }])
  })
})

describe('a row of people.csv', () => {
  const HEADINGS = 'email,id,sign_in_name,addresses,groups,tenant,oid,language,picture,city'
  const PICTURES = new Map([['m.png', 'abc.png']])
  const read = (row: string, before = '') => readPeople(`${HEADINGS}\n${before}${row}\n`, 'p.csv', PICTURES)

  it('is a person with everything that it tells', () => {
    const row = ' M@a.example ,u-1,mail@a.example,x@a.example; m@a.example,b;a;b,T-1,O-1,pt-BR,m.png, Porto '
    expect(read(row)).toEqual({
      rows: [
        {
          id: 'u-1',
          record: {
            addresses: ['m@a.example', 'mail@a.example', 'x@a.example'],
            account: { tenant: 't-1', oid: 'o-1' },
            language: 'pt-BR',
            fields: { city: 'Porto' },
            groups: ['b', 'a'],
            picture: 'abc.png',
          },
          line: 2,
        },
      ],
      fields: ['city'],
      problems: [],
    })
  })

  it('is a person without what it leaves empty', () => {
    expect(read('m@a.example,,,,,,,,,').rows).toEqual([
      {
        id: null,
        record: {
          addresses: ['m@a.example'],
          account: null,
          language: null,
          fields: {},
          groups: [],
          picture: null,
        },
        line: 2,
      },
    ])
  })

  it.each([
    ['m@a.example,,,,,,,,,,x', 'The row has 11 cells, the headings are 10.'],
    ['m,,,,,,,,,', '"m" is not a mail address.'],
    ['m@a.example,m@a.example,,,,,,,,', 'The id "m@a.example" is an address.'],
    ['m@a.example,a b,,,,,,,,', 'The id "a b" has other characters than letters, digits, "_", "." and "-".'],
    ['m@a.example,,,,,t,,,,', 'Of "tenant" and "oid" only one is here; they belong together.'],
    ['m@a.example,,,,,,o,,,', 'Of "tenant" and "oid" only one is here; they belong together.'],
    ['m@a.example,,,,,t,o o,,,', '"tenant" and "oid" are ids of the directory.'],
    ['m@a.example,,,,,t t,o,,,', '"tenant" and "oid" are ids of the directory.'],
    ['m@a.example,,,,,,,English,,', '"English" is not a language; write "de" or "pt-BR".'],
    ['m@a.example,,,,,,,,x.png,', 'There is no picture "pictures/x.png".'],
    ['m@a.example,,,,,,,,,a\u0000b', 'A cell of the row is not text.'],
    ['first@a.example,,,,,,,,,', 'The address "first@a.example" is that of line 2, too.'],
    ['m@a.example,u-1,,,,,,,,', 'The id "u-1" is that of line 2, too.'],
    ['m@a.example,,,,,T,O,,,', 'The account "t/o" is that of line 2, too.'],
  ])('%j is refused by a sentence, and the others are read', (row, sentence) => {
    const { rows, problems } = read(row, 'first@a.example,u-1,,,,t,o,,,\n')
    expect(rows.map(({ id, record }) => [id, record.account])).toEqual([['u-1', { tenant: 't', oid: 'o' }]])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ line: 3, column: 1, level: 'error' })
    expect(problems[0]?.message.startsWith(sentence)).toBe(true)
  })

  it.each([
    [['maria'], 'The id "maria" is the name or address of its person. '],
    [['maria', 'tom'], 'The id "maria" is the name or address of its person, and so is one other. '],
    [['maria', 'tom', 'al'], 'The id "maria" is the name or address of its person, and so are 2 others. '],
  ])('whose id is a name is told once, with how many others: %j', (names, sentence) => {
    const text = ['email,id', ...names.map((name) => `${name}@a.example,${name}`), 'z@a.example,u-9'].join(
      '\n',
    )
    const { rows, problems } = readPeople(text, 'p.csv', null)
    expect(rows).toHaveLength(names.length + 1)
    expect(problems).toMatchObject([{ code: 'csv.idNames', level: 'warning', line: 2 }])
    expect(problems[0]?.message.startsWith(sentence)).toBe(true)
  })

  it('has no picture where none come with the text, which is told once', () => {
    const { rows, problems } = readPeople(
      'email,picture\nm@a.example,m.png\nx@a.example,y.png',
      'p.csv',
      null,
    )
    expect(rows.map(({ record }) => record.picture)).toEqual([null, null])
    expect(problems).toMatchObject([{ code: 'csv.pictureLeftOut', level: 'warning', line: 1 }])
  })
})

describe('a text that is hard to read', () => {
  const grey = (text: string) => `${JSON.stringify(text)} is hard to read: its contrast is`
  const small = (text: string, size: string) =>
    `${JSON.stringify(text)} is hard to read: it is ${size} pixels high.`

  it.each([
    ['<p style="color:#ccc">a</p>', [grey('a')]],
    ['<p style="color:#333">a</p>', []],
    ['<font color="#cccccc">a</font>', [grey('a')]],
    ['<p style="background-color:#222">a</p>', [grey('a')]],
    ['<p style="background:#222">a</p>', [grey('a')]],
    ['<table><tr><td bgcolor="#222222">a</td></tr></table>', [grey('a')]],
    // What is behind it is a picture: its colour is not known.
    ['<table><tr><td bgcolor="#222222" background="a.png">a</td></tr></table>', []],
    ['<p style="background:#222;background-image:url(a.png)">a</p>', []],
    // Its colour is that of a link, or of a style sheet.
    ['<p style="color:#ccc"><a href="https://a.example">a</a></p>', []],
    ['<p style="color:#ccc"><b class="x">a</b></p>', []],
    ['<p style="color:#ccc"><br>a<p style="color:#333">b</p></p>', [grey('a')]],
    ['<p style="color:#ccc">a</p></p>b', [grey('a')]],
    ['<ul><li style="color:#ccc">a<li>b</ul>', [grey('a')]],
    ['<p style="font-size:5px">a</p>', [small('a', '5.0')]],
    ['<p style="font-size:4.5pt">a</p>', [small('a', '6.0')]],
    ['<p style="font-size:12px">a</p>', []],
    ['<p style="font-size:5em">a</p>', []],
    // In a size that only a mail client knows.
    ['<p style="font-size:5px"><font size="7">a</font></p>', []],
    ['<p style="font-size:5px" size="7">a</p>', [small('a', '5.0')]],
    ['<p style="font-size:5px;font:large serif">a</p>', []],
    ['<div style="font-size:5px"><h1>a</h1></div>', []],
    ['<style>p { color: #ccc }</style><p>a</p>', []],
  ])('is told with its reason: %s', (html, sentences) => {
    const told = legibilityProblems(html)
    expect(
      told.map((sentence) => (sentence.includes('contrast') ? sentence.replace(/ \d.*/, '') : sentence)),
    ).toEqual(sentences)
  })

  it('needs less contrast when it is large, or bold and nearly so', () => {
    // 3.5 to 1.
    const told = (style: string, tag = 'p') =>
      legibilityProblems(`<${tag} style="color:#888;${style}">a</${tag}>`)
    expect(told('')).toEqual(['"a" is hard to read: its contrast is 3.5 to 1, 4.5 is needed.'])
    expect(legibilityProblems('<p style="color:#777777">a</p>')).toEqual([
      '"a" is hard to read: its contrast is 4.4 to 1, 4.5 is needed.',
    ])
    expect(told('font-size:24px')).toEqual([])
    expect(told('font-size:20px')).toHaveLength(1)
    for (const weight of ['bold', '600', '700', '900'])
      expect(told(`font-size:20px;font-weight:${weight}`)).toEqual([])
    expect(told('font-size:20px;font-weight:500')).toHaveLength(1)
    expect(told('font-size:20px', 'b')).toEqual([])
    expect(told('font-size:20px;font-weight:normal', 'b')).toHaveLength(1)
  })
})
