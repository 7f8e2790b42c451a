import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { checkFolder } from '../../src/folder/checkFolder.ts'
import { readCsv } from '../../src/folder/csv.ts'
import { documentSchema } from '../../streams/wire/administration/document.ts'
import { createLocator } from '../../src/folder/finding.ts'
import { readPeople } from '../../src/folder/people.ts'
import { pictureHash } from '../../src/folder/pictures.ts'
import { readFolder } from '../../src/folder/readFolder.ts'
import { createReading, type Files, found, GOOD, useFolders } from './folders.ts'
import { GIF, png } from './pictures.ts'

const AT = Date.parse('2026-10-01T12:00:00Z')

const make = useFolders()
const reading = createReading(make)
const yaml = (more: string, from = GOOD['signet.yaml'] as string): Files => ({
  'signet.yaml': `${from}${more}`,
})
/** The good description with one piece replaced. */
const changed = (before: string, after: string): Files => {
  const good = GOOD['signet.yaml'] as string
  expect(good).toContain(before)
  return { 'signet.yaml': good.replace(before, after) }
}

describe('a folder', () => {
  it('reads into a document that passes its schema', async () => {
    const { document, problems, people, pictures } = await reading({})
    expect(problems).toEqual([])
    expect(documentSchema.read(document, '')).toEqual(document)
    expect(document.signatures.map(({ id, selection }) => [id, selection])).toEqual([
      [
        'autumn',
        {
          for: [
            [
              { by: 'field', field: 'department', values: ['Sales'] },
              { by: 'field', field: 'country', values: ['DE', 'AT'] },
            ],
            [{ by: 'group', values: ['sales-emea'] }],
          ],
          not: [[{ by: 'person', values: ['cfo@northwind.example'] }]],
        },
      ],
      ['corporate', { for: 'everyone', not: [] }],
    ])
    expect(document.signatures[0]).toMatchObject({
      during: { from: '2026-09-01', to: '2026-11-30', timeZone: 'Europe/Berlin' },
      recipients: 'external',
      reply: null,
    })
    expect(document.mailboxes).toEqual([
      {
        address: 'sales@northwind.example',
        selection: { for: [[{ by: 'group', values: ['sales-emea'] }]], not: [] },
        values: { first_name: 'Sales' },
      },
    ])
    expect(document.variables.map(({ path, group }) => [path, group])).toEqual([
      ['first_name', null],
      ['job_title', 'mapped'],
      ['phone', 'mapped'],
    ])
    expect(document.plan).toEqual({ from: null, value: 'full' })
    const hash = pictureHash(GOOD['pictures/banners/autumn.png'] as Buffer)
    expect(document.pictures).toEqual({ 'banners/autumn.png': hash })
    expect(pictures.get(hash)?.mediaType).toBe('image/png')
    expect(people?.map(({ id, line, record }) => [id, line, record.addresses, record.groups])).toEqual([
      ['u-1', 2, ['maria@northwind.example'], []],
      ['u-2', 3, ['cfo@northwind.example'], ['sales-emea', 'board']],
      ['u-3', 4, ['tom@northwind.example'], ['board']],
    ])
  })

  it.each([
    [true, { for: 'everyone', not: [] }],
    [false, { for: [], not: [] }],
    ['{ for: [{ group: a }] }', { for: [[{ by: 'group', values: ['a'] }]], not: [] }],
  ])('reads choose-default: %s', async (written, selection) => {
    const { document, problems } = await reading(yaml(`choose-default: ${written}\n`))
    expect(problems).toEqual([])
    expect(document.chooseDefault).toEqual(selection)
  })

  it('reads tests of fields, the language, and conditions on the manager', async () => {
    const { document, problems } = await reading(
      yaml(
        `choose-default:
  for:
    - { jobTitle: { starts: [Head of, Director], any: true }, language: [de, pt-BR] }
    - { hired: { after: 2025-12-31, before: "2026-02-01" }, mobilePhone: any, manager: Ann }
    - manager:
        department: Sales
        jobTitle: { ends: '2026', contains: true }
        person: Bo@northwind.example
        address: ["*@sales.northwind.example"]
`,
      ),
    )
    expect(problems).toEqual([])
    expect(documentSchema.read(document, '')).toEqual(document)
    expect(document.chooseDefault.for).toEqual([
      [
        {
          by: 'test',
          field: 'jobTitle',
          tests: [{ is: 'starts', values: ['Head of', 'Director'] }, { is: 'any' }],
        },
        { by: 'language', values: ['de', 'pt-BR'] },
      ],
      [
        {
          by: 'test',
          field: 'hired',
          tests: [
            { is: 'after', day: '2025-12-31' },
            { is: 'before', day: '2026-02-01' },
          ],
        },
        { by: 'field', field: 'mobilePhone', values: ['any'] },
        { by: 'field', field: 'manager', values: ['Ann'] },
      ],
      [
        {
          by: 'manager',
          conditions: [
            { by: 'field', field: 'department', values: ['Sales'] },
            {
              by: 'test',
              field: 'jobTitle',
              tests: [
                { is: 'ends', values: ['2026'] },
                { is: 'contains', values: ['true'] },
              ],
            },
            { by: 'person', values: ['bo@northwind.example'] },
            { by: 'address', values: ['*@sales.northwind.example'] },
          ],
        },
      ],
    ])
  })

  it('reads blocks and counting', async () => {
    const { document, problems } = await reading(
      yaml(
        'counting: true\nblocks:\n' +
          '  autumn:\n    slot: banner\n    template: templates/short.html\n' +
          '  fair: { name: Fair, slot: banner, template: templates/short.html, for: [{ country: DE }],' +
          ' not: [{ group: board }], during: 2026-10-01/2026-10-31, time-zone: Europe/Berlin,' +
          ' recipients: [x.example], replies: false, share: 1 }\n',
      ),
    )
    expect(problems).toEqual([])
    expect(documentSchema.read(document, '')).toEqual(document)
    expect(document.counting).toBe(true)
    expect(document.blocks).toEqual([
      {
        id: 'autumn',
        name: 'autumn',
        slot: 'banner',
        template: 'templates/short.html',
        selection: { for: 'everyone', not: [] },
        during: null,
        recipients: 'everyone',
        replies: true,
        share: 100,
      },
      {
        id: 'fair',
        name: 'Fair',
        slot: 'banner',
        template: 'templates/short.html',
        selection: {
          for: [[{ by: 'field', field: 'country', values: ['DE'] }]],
          not: [[{ by: 'group', values: ['board'] }]],
        },
        during: { from: '2026-10-01', to: '2026-10-31', timeZone: 'Europe/Berlin' },
        recipients: ['x.example'],
        replies: false,
        share: 1,
      },
    ])
  })

  it.each([
    ['10%', { people: { most: 10, of: 'percent' } }],
    ['50', { people: { most: 50, of: 'people' } }],
  ])(
    '[ADOPT-13] reads limits: { people: %s }, and keeps the id of a release without',
    async (written, limits) => {
      const { document } = await reading(yaml(`limits: { people: ${written} }\n`))
      expect(document.limits).toEqual(limits)
      expect(Object.keys((await reading(yaml(''))).document)).not.toContain('limits')
    },
  )

  it('reads that pictures are linked, and keeps the id of a release without', async () => {
    const { document, problems } = await reading(yaml('pictures: linked\n'))
    expect([document.linked, problems]).toEqual([true, []])
    expect(Object.keys((await reading(yaml(''))).document)).not.toContain('linked')
  })

  it.each(['blocks:\ncounting: false\n', 'blocks: {}\n', ''])('has no blocks of %j', async (written) => {
    const { document, problems } = await reading(yaml(written))
    expect(problems).toEqual([])
    expect(Object.keys(document)).not.toContain('blocks')
    expect(Object.keys(document)).not.toContain('counting')
  })

  it.each([
    ['an unknown key', 'slot: banner, template: templates/short.html, solt: x', '25:57 unknownKey'],
    ['no slot', 'template: templates/short.html', '25:3 noSlot'],
    ['no template', 'slot: banner', '25:3 noTemplate'],
    ['a bad slot', 'slot: the banner, template: templates/short.html', '25:11 slot'],
    ['a template that is none', 'slot: banner, template: banner.html', '25:25 path'],
    ['a share of none', 'slot: banner, template: templates/short.html, share: 0', '25:57 share'],
    ['a share of more than all', 'slot: banner, template: templates/short.html, share: 101', '25:57 share'],
    ['a share that is not whole', 'slot: banner, template: templates/short.html, share: 33.3', '25:57 share'],
    ['a share with a unit', 'slot: banner, template: templates/short.html, share: 50%', '25:57 share'],
    ['a list of no users', 'slot: banner, template: templates/short.html, for: []', '25:57 noFor'],
    ['replies of some', 'slot: banner, template: templates/short.html, replies: some', '25:66 notFlag'],
    ['another name', 'slot: banner, template: templates/short.html }\n  B: {', '26:3 name'],
    ['a block twice', 'slot: a, template: templates/short.html }\n  fair: {', '26:3 twice'],
  ])('tells the place of %s in a block', async (_, fields, place) => {
    expect(found(await reading(yaml(`blocks:\n  fair: { ${fields} }\n`)))).toEqual([`signet.yaml:${place}`])
  })

  it('takes numbers and true for the texts that are written', async () => {
    const { document } = await reading(changed('Sales, country: [DE, AT]', '0420, flag: true, country: [NO]'))
    expect(document.signatures[0]?.selection.for[0]).toMatchObject([
      { values: ['0420'] },
      { field: 'flag', values: ['true'] },
      { values: ['NO'] },
    ])
  })

  it('ignores a byte order mark and the files of desktops', async () => {
    const read = await reading({
      'signet.yaml': `\uFEFF${GOOD['signet.yaml'] as string}`,
      'templates/.DS_Store': 'x',
      'README.md': '# Signatures',
    })
    expect(read.problems).toEqual([])
  })

  it.each([
    ['an unknown key', 'template: templates/corporate.html', 'tempalte: x.html', '19:5 unknownKey'],
    ['a key twice', '  job_title: {', '  first_name: {', '6:3 twice'],
    ['a signature without users', '    for: everyone\n', '', '17:3 noFor'],
    ['a list of no users', 'for: everyone', 'for: []', '21:5 noFor'],
    ['an empty condition', 'for: everyone', 'for: [{}]', '21:11 noValue'],
    ['a condition without values', 'country: [DE, AT]', 'country: []', '12:32 noValue'],
    ['a day that does not exist', '2026-11-30', '2026-11-31', '14:5 during'],
    ['an unknown time zone', 'Europe/Berlin', 'Europe/Berlyn', '15:5 timeZone'],
    ['an address that is none', 'cfo@northwind.example', 'cfo', '13:13 value'],
    ['other recipients', 'external', 'outside', '16:5 value'],
    ['another version', 'version: 1', 'version: 2', '1:1 version'],
    ['a tag', 'name: Corporate', 'name: !!binary Q29ycA==', '18:20 yamlTag'],
    ['an anchor', 'name: Corporate', 'name: &a Corporate', '18:14 yamlAnchor'],
    ['an alias', 'name: Corporate', 'name: *a', '18:11 yamlAlias'],
    ['a merge key', 'name: Corporate', '<<: { name: Corporate }', '18:5 unknownKey'],
    ['a second document', 'mailboxes:', '---\nmailboxes:', '22:1 yaml'],
    ['a variable that templates read otherwise', '  job_title: {', '  else: {', '6:3 name'],
    ['a reset without a field', 'from: businessPhones.0, edit', 'edit', '7:24 resync'],
  ])('tells the place of %s', async (_, before, after, place) => {
    expect(found(await reading(changed(before, after)))).toContain(`signet.yaml:${place}`)
  })

  it('says that there is no description', async () => {
    expect(found(await reading({ 'signet.yaml': null }))).toEqual(['signet.yaml:1:1 noFile'])
  })

  it.each([
    ['in flow', '['],
    ['in blocks', '- '],
    ['in maps', 'a: {'],
  ])('stops at lists and maps too deep in each other, %s', async (_, one) => {
    const read = await reading(yaml(`readers: ${one.startsWith('-') ? '\n  ' : ''}${one.repeat(100_000)}`))
    expect(read.problems.map(({ code }) => code)).toContain('tooDeep')
  })

  it('stops at a description that is too long', async () => {
    expect(found(await reading(yaml(`# ${'x'.repeat(1_000_000)}`)))).toContain('signet.yaml:1:1 tooLarge')
    expect((await reading(yaml(`readers: [${'a,'.repeat(300_000)}]`))).problems[0]?.code).toBe('tooLong')
  })

  it('refuses bytes that are no text', async () => {
    const at = async (content: string | Uint8Array) =>
      (await reading({ 'templates/short.html': content })).problems.map(({ line, column, message }) => [
        `${line}:${column}`,
        message,
      ])
    expect(await at('a\0b')).toEqual([['1:2', 'The file is not text in UTF-8. Save the file in UTF-8.']])
    expect(await at(Buffer.from([0x3c, 0x81, 0x3e]))).toMatchObject([
      ['1:2', 'The file is not text in UTF-8. Save the file in UTF-8.'],
    ])
  })
})

describe('what another program wrote', () => {
  /** Characters of Latin-1, but two that Windows-1252 has where Latin-1 has controls. */
  const windows1252 = (text: string) =>
    Buffer.from(text.replaceAll('€', '\x80').replaceAll('’', '\x92'), 'latin1')
  const told = async (files: Files): Promise<readonly string[]> =>
    checkFolder(await reading(files), AT)
      .filter(({ level, code }) => level === 'error' || code.startsWith('csv'))
      .map(({ file, line, column, level, code }) => `${file}:${line}:${column} ${level} ${code}`)

  it('is told at its first character that is no UTF-8, and nothing else is', async () => {
    const files = { 'templates/short.html': windows1252('<p>\n {{first_name}} grüßt</p>') }
    expect(await told(files)).toEqual(['templates/short.html:2:19 error notUtf8'])
    const { problems } = await reading(files)
    expect(problems[0]?.message).toContain('read in Windows-1252, here stands "grüßt"')
    const price = await reading({ 'templates/short.html': windows1252('{{first_name}} O’Neil€') })
    expect(price.problems[0]?.message).toContain('read in Windows-1252, here stands "O’Neil"')
    const utf16 = Buffer.from('\uFEFF<p>a</p>', 'utf16le')
    expect(await told({ 'templates/short.html': utf16 })).toEqual(['templates/short.html:1:1 error notUtf8'])
    const description = windows1252(`${GOOD['signet.yaml'] as string}# Grüße\n`)
    expect(await told({ 'signet.yaml': description })).toEqual(['signet.yaml:24:5 error notUtf8'])
  })

  it('does not make its parts and pictures unknown', async () => {
    expect(await told({ 'templates/legal.part.html': windows1252('Größe') })).toEqual([
      'templates/legal.part.html:1:3 error notUtf8',
    ])
    expect(await told({ 'pictures/banners/autumn.png': 'x' })).toEqual([
      'pictures/banners/autumn.png:1:1 error pictureInvalid',
    ])
  })

  it.each([
    ['at the beginning of a line', '    name: Corporate', '\tname: Corporate', '18:1'],
    ['behind blanks', '    reply: ', '  \treply: ', '20:3'],
    ['before a key', '  corporate:', '\tcorporate:', '17:1'],
    ['everywhere', /^ +/gm, '\t', '5:1'],
  ])('is told once: a tab %s', async (_, before, after, place) => {
    const text = (GOOD['signet.yaml'] as string).replace(before, after)
    expect(await told({ 'signet.yaml': text })).toEqual([`signet.yaml:${place} error yaml`])
    expect(await told({ 'expect.yaml': '- everyone:\n\thas-default: true' })).toEqual([
      'expect.yaml:2:1 error yaml',
    ])
  })

  const EXCEL = (GOOD['people.csv'] as string)
    .replace('sales-emea;board', '"sales-emea;board"')
    .replaceAll(',', ';')
    .replaceAll('\n', '\r\n')

  it.each([
    ['semicolons', EXCEL],
    ['semicolons and a byte order mark', `\uFEFF${EXCEL}`],
    ['semicolons and a line before', `\r\n${EXCEL}`],
  ])('is read: %s', async (_, text) => {
    const [excel, good] = [await reading({ 'people.csv': text }), await reading({})]
    expect(excel.problems).toEqual([])
    expect(excel.people?.map(({ record }) => record)).toEqual(good.people?.map(({ record }) => record))
  })

  it('is read by its headings, also with semicolons in one of them', () => {
    const { rows, problems } = readPeople('email,a;b;c\nm@a.example,x;y', 'people.csv', null)
    expect(problems).toEqual([])
    expect(rows[0]?.record.fields).toEqual({ 'a;b;c': 'x;y' })
  })

  it('is read in Windows-1252 where spreadsheets write so, with a warning at its first character', async () => {
    const text = EXCEL.replace('Maria;', 'Mária;').replace('Tom;', '"M\u00fcller; Tom";')
    const files = { 'people.csv': windows1252(text) }
    expect(await told(files)).toEqual(['people.csv:2:30 warning csv.windows1252'])
    const { people, problems } = await reading(files)
    expect(people?.map(({ record }) => record.fields['givenName'])).toEqual(['Mária', 'Carl', 'Müller; Tom'])
    expect(problems[0]?.message).toContain('"Mária"')
  })

  it('is told once where no people can be read of it', async () => {
    expect(await told({ 'people.csv': 'E-Mail;givenName\nmaria@northwind.example;Maria\n' })).toEqual([
      'people.csv:1:1 error csv.noEmail',
    ])
    expect(await told({ 'people.csv': Buffer.from('\uFEFFemail', 'utf16le') })).toEqual([
      'people.csv:1:1 error notUtf8',
    ])
  })

  it.each([
    ['2026-09-01/2026-11-31', '2026-11-31 is not a day: 2026-11 has 30 days.'],
    ['2026-02-29/2026-11-30', '2026-02-29 is not a day: 2026-02 has 28 days.'],
    ['2026-13-01/2026-11-30', '2026-13-01 is not a day: there is no month 13.'],
    ['2026-09-00/2026-11-30', '2026-09-00 is not a day: 2026-09 has 30 days.'],
    ['2026-09-01', '"during" is two days: 2026-09-01/2026-11-30.'],
    ['1.9.2026/30.11.2026', '"during" is two days: 2026-09-01/2026-11-30.'],
  ])('is told as what it is: %s', async (during, message) => {
    const { problems } = await reading(changed('2026-09-01/2026-11-30', during))
    expect(problems).toMatchObject([{ line: 14, column: 5, code: 'during', message }])
  })
})

describe('paths', () => {
  it.each([
    '../outside.html',
    'templates/../../outside.html',
    '/etc/passwd.html',
    'templates\\short.html',
    'templates/a\u0001.html',
    'templates//short.html',
    'file:///templates/short.html',
    'pictures/short.html',
  ])('refuse %j', async (path) => {
    const read = await reading(changed('reply: templates/short.html', `reply: ${JSON.stringify(path)}`))
    expect(found(read)).toContain('signet.yaml:20:5 path')
    expect(read.document.signatures[1]?.reply).toBe(null)
  })

  it.each([
    'signet.yaml',
    'people.csv',
    'expect.yaml',
    'templates/short.html',
    'pictures/banners/autumn.png',
  ])('do not follow the link %s', async (file) => {
    const folder = await make({ ...GOOD, 'expect.yaml': '[]' })
    const outside = await make({ kept: 'SECRET' })
    await rm(join(folder, file))
    await symlink(join(outside, 'kept'), join(folder, file))
    const read = await readFolder(folder)
    expect(found(read)).toContain(`${file}:1:1 link`)
    expect(JSON.stringify(read)).not.toContain('SECRET')
  })

  it('do not follow a linked folder', async () => {
    const folder = await make(GOOD)
    await rename(join(folder, 'templates'), `${folder}-templates`)
    await symlink(`${folder}-templates`, join(folder, 'templates'))
    const read = await readFolder(folder)
    await rm(`${folder}-templates`, { recursive: true })
    expect(found(read)).toContain('templates:1:1 link')
    expect(read.document.templates).toEqual({})
  })

  it('name files by letters, digits and few signs', async () => {
    const folder = await make(GOOD)
    await writeFile(join(folder, 'templates', 'a b.html'), 'x')
    await mkdir(join(folder, 'pictures', 'ä'))
    const codes = (await readFolder(folder)).problems.map(({ code }) => code)
    expect(codes).toEqual(['fileName', 'fileName'])
  })
})

describe('pictures', () => {
  it.each([
    ['SVG', 'logo.svg', Buffer.from('<svg/>'), 'pictureFormat'],
    ['another content', 'logo.png', Buffer.from('<svg/>'), 'pictureInvalid'],
    ['another format than the name says', 'logo.png', GIF, 'pictureFormat'],
    ['more than 1 MB', 'logo.png', png(1, 1, 1024 * 1024), 'tooLarge'],
    ['more than 4,096 pixels', 'logo.png', png(4097, 1), 'pictureInvalid'],
    ['something behind it', 'logo.gif', Buffer.concat([GIF, Buffer.from('x')]), 'pictureInvalid'],
  ])('refuse %s', async (_, name, bytes, code) => {
    const read = await reading({ [`pictures/${name}`]: bytes })
    expect(found(read)).toEqual([`pictures/${name}:1:1 ${code}`])
    expect(Object.keys(read.document.pictures)).toEqual(['banners/autumn.png'])
  })
})

const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', ';', '=1+1', 'ß') })
const asCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

describe('comma-separated values', () => {
  property.prop([
    fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }))),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  ])('are read as they were written', (rows, end, hasMark) => {
    const text = rows.map((row) => row.map(asCell).join(',')).join(end)
    const kept = rows.filter((row) => row.some((each) => each.trim() !== ''))
    const read = readCsv((hasMark ? '\uFEFF' : '') + text)
    expect(read).toMatchObject({ problem: null, rows: kept.map((cells) => ({ cells })) })
  })

  it('have the line of each row, also behind a cell of several lines', () => {
    expect(readCsv('a\r\n"b\nb"\n\nc').rows.map(({ line }) => line)).toEqual([1, 2, 5])
  })

  it.each([
    ['a,b"c', 1, 4, 'quote'],
    ['a\n"b"c', 2, 4, 'afterQuote'],
    ['a,"b\nc', 1, 3, 'unclosed'],
    ['a,'.repeat(300), 1, 402, 'tooManyCells'],
    [`"${'a'.repeat(20_000)}"`, 1, 20_003, 'longCell'],
  ])('tell the place of what is wrong: %j', (text, line, column, code) => {
    expect(readCsv(text.slice(0, 30_000)).problem).toEqual({ line, column, code })
  })
})

describe('people', () => {
  const people = (rows: string, headings = 'email,id,tenant,oid,language,picture,jobTitle') =>
    readPeople(`${headings}\n${rows}`, 'people.csv', new Map([['maria.png', 'abc.png']]))

  it('have addresses in lower case, the mail address first, each once', () => {
    const { rows } = people(
      'M@A.example,N@a.example,"o@a.example; m@a.example"',
      'email,sign_in_name,addresses',
    )
    expect(rows[0]?.record.addresses).toEqual(['m@a.example', 'n@a.example', 'o@a.example'])
  })

  it('have what the columns say; a formula is text', () => {
    const { rows, problems } = people('m@a.example,u-1,T-1,O-1,pt-BR,maria.png,"=HYPERLINK(""http://x"")"')
    expect(problems).toEqual([])
    expect(rows).toEqual([
      {
        id: 'u-1',
        line: 2,
        record: {
          addresses: ['m@a.example'],
          account: { tenant: 't-1', oid: 'o-1' },
          language: 'pt-BR',
          fields: { jobTitle: '=HYPERLINK("http://x")' },
          groups: [],
          picture: 'abc.png',
        },
      },
    ])
  })

  it.each([
    ['m,,,,,,', 'csv.address'],
    [',,,,,,Pilot', 'csv.address'],
    ['m@a.example,a b,,,,,', 'csv.id'],
    ['m@a.example,,t,,,,', 'csv.account'],
    ['m@a.example,,,,English,,', 'csv.language'],
    ['m@a.example,,,,,../maria.png,', 'csv.picture'],
    ['m@a.example,,,,,,,x', 'csv.cells'],
    ['m@a.example,u-1,,,,,', 'csv.twice'],
    ['FIRST@a.example,u-2,,,,,', 'csv.twice'],
  ])('without %j, which is told with its line', (row, code) => {
    const { rows, problems } = people(`first@a.example,u-1,,,,,\n${row}\nlast@a.example,,,,,,`)
    expect(problems).toMatchObject([{ file: 'people.csv', line: 3, level: 'error', code }])
    expect(rows.map(({ line }) => line)).toEqual([2, 4])
  })

  it('should have ids that do not say who they are', () => {
    const headings = 'email,id,givenName,surname'
    const warned = (id: string, address = 'maria.silva@a.example') => {
      const { rows, problems } = people(`x@a.example,7,X,Y\n${address},${id},Maria,Sílva`, headings)
      expect(rows).toHaveLength(2)
      return problems.map(({ level, line, code }) => `${level} ${line} ${code}`)
    }
    for (const id of ['maria.silva', 'Silva-Maria', 'MARIA_SILVA', 'silva', 'maria.silva_a.example'])
      expect([id, warned(id)]).toEqual([id, ['warning 3 csv.idNames']])
    for (const id of ['', 'u-42', '6f1c0a52-9d3b', 'sales', 'm.s']) expect([id, warned(id)]).toEqual([id, []])
    expect(warned('u1042', 'u1042@a.example')).toEqual([])
    const many = people('a@a.example,a,,\nb@a.example,b,,\nc@a.example,c1,,', headings).problems
    expect(many.map(({ line, message }) => [line, message.includes('and so is one other')])).toEqual([
      [2, true],
    ])
    expect(people('m@a.example,m@a.example,,', headings).problems).toMatchObject([
      { code: 'csv.id', message: expect.stringContaining('is an address') as string },
    ])
  })

  describe('without text', () => {
    const BLANK = '\u00A0\u200B\t '
    const MARIA = { givenName: 'Maria', surname: 'Silva' }
    const fieldsIn = (text: string) => {
      const { rows, fields, problems } = readPeople(text, 'people.csv', null)
      return { people: rows.map(({ line, record }) => [line, record.fields]), fields, problems }
    }
    const whole = { people: [[2, MARIA]], fields: ['givenName', 'surname'], problems: [] }
    const declared = { ...whole, people: [[3, MARIA]] }

    it.each([
      ['rows', 'email,givenName,surname\nm@a.example,Maria,Silva\n,,\n,,\n', whole],
      ['rows of spaces', `email,givenName,surname\nm@a.example,Maria,Silva\n${BLANK},"${BLANK}",\n`, whole],
      ['a column', 'email;givenName;surname;\r\nm@a.example;Maria;Silva;\r\n;;;\r\n', whole],
      ['a column of spaces', `email,givenName,surname,${BLANK}\nm@a.example,Maria,Silva,${BLANK}\n`, whole],
      ['a column between others', 'email,,givenName,"",surname\nm@a.example,,Maria,,Silva\n', whole],
      ['cells beyond the headings', 'email,givenName,surname\nm@a.example,Maria,Silva,,,\n', whole],
      [
        '500 columns',
        `email,givenName,surname${',,'.repeat(250)}\nm@a.example,Maria,Silva${',,'.repeat(250)}`,
        whole,
      ],
      [
        'cells of spaces',
        `email,givenName,surname,city\nm@a.example,Maria,Silva,${BLANK}\n`,
        {
          ...whole,
          fields: ['givenName', 'surname', 'city'],
        },
      ],
      ['the first row', ';;\nemail;givenName;surname\nm@a.example;Maria;Silva\n', declared],
      ['tabs between cells', 'email\tgivenName\tsurname\r\nm@a.example\tMaria\tSilva\r\n\t\t\r\n', whole],
      ['a line for Excel', 'sep=;\nemail;givenName;surname\nm@a.example;Maria;Silva\n', declared],
      [
        'a line for Excel, with a mark',
        '\uFEFF"SEP=,"\r\nemail,givenName,surname\r\nm@a.example,Maria,Silva',
        declared,
      ],
      [
        'a line for Excel, with a tab',
        'sep=\t\nemail\tgivenName\tsurname\nm@a.example\tMaria\tSilva\n',
        declared,
      ],
      [
        'a line for Excel that was saved again',
        'sep=;;;\nemail;givenName;surname\nm@a.example;Maria;Silva\n',
        declared,
      ],
    ])('are none: %s', (_, text, expected) => {
      expect(fieldsIn(text)).toEqual(expected)
    })

    it('have no apostrophe of Excel before a number or a formula', () => {
      const text = `email,phone,city,title\nm@a.example,'+49 30 901820,'s-Hertogenbosch,'=1+1\n`
      expect(fieldsIn(text).people).toEqual([
        [2, { phone: '+49 30 901820', city: "'s-Hertogenbosch", title: '=1+1' }],
      ])
    })

    it('count at the end of a row where a spreadsheet leaves them out, which is told once', () => {
      const text =
        'email,givenName,surname\nm@a.example,Maria,Silva\nb@a.example,Bo\nc@a.example\nd@a.example,Di\n'
      const { people: read, problems } = fieldsIn(text)
      expect(read).toEqual([
        [2, MARIA],
        [3, { givenName: 'Bo' }],
        [4, {}],
        [5, { givenName: 'Di' }],
      ])
      expect(problems).toMatchObject([{ line: 3, level: 'warning', code: 'csv.cells' }])
      expect(problems[0]?.message).toBe(
        'The row has 2 cells, the headings are 3: the last ones count as empty, and so in 2 other rows.',
      )
    })

    it.each([
      ['goes on in the next line', 'a@a.example,Ann,Report\nm@a.example,Maria\nSilva,Pilot\n', [3, 4]],
      ['is cut off at the end of the file', 'a@a.example,Ann,Report\nm@a.example,Mar', [3]],
    ])('are not what a row lacks that %s', (_, rows, lines) => {
      const { people: read, problems } = fieldsIn(`email,givenName,surname\n${rows}`)
      expect(read).toEqual([[2, { givenName: 'Ann', surname: 'Report' }]])
      expect(problems.filter(({ level }) => level === 'error').map(({ line }) => line)).toEqual(lines)
    })

    it('have no heading, which a text below it needs', () => {
      const { people: read, problems } = fieldsIn(
        'email,,surname\nm@a.example,,Silva\nb@a.example,Bo,Lee\nc@a.example,Cy,Lee\n',
      )
      expect(read).toEqual([])
      expect(problems).toMatchObject([{ line: 3, level: 'error', code: 'csv.column' }])
      expect(problems[0]?.message).toBe('Column 2 has a text here, and no heading.')
    })

    it('are not separated by another character than commas, semicolons and tabs', () => {
      expect(fieldsIn('sep=|\nemail|surname\nm@a.example|Silva\n')).toMatchObject({
        people: [],
        problems: [{ line: 1, level: 'error', code: 'csv.separator' }],
      })
    })
  })

  it('need a column of addresses, and each column once', () => {
    expect(readPeople('mail\na@b.example', 'p.csv', null).problems).toMatchObject([
      { code: 'csv.noEmail', line: 1 },
    ])
    expect(readPeople('email,x,x\n', 'p.csv', null).problems).toMatchObject([{ code: 'csv.twice' }])
    expect(readPeople('email,__proto__\n', 'p.csv', null).problems).toMatchObject([{ code: 'csv.column' }])
  })
})

property.prop([fc.string({ unit: fc.constantFrom('a', '\n', 'ß') }), fc.nat()])(
  'an offset stands where the lines before it end',
  (text, some) => {
    const offset = some % (text.length + 1)
    const lines = text.slice(0, offset).split('\n')
    const { line, column } = createLocator('f', text)(offset)
    expect([line, column]).toEqual([lines.length, (lines.at(-1) ?? '').length + 1])
  },
)
