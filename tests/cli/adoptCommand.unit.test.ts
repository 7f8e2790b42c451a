import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { adoptedText } from '../../src/cli/adoptedText.ts'
import { checkFolder } from '../../src/folder/checkFolder.ts'
import { pictureHash } from '../../src/folder/pictures.ts'
import { MAX_YAML_BYTES } from '../../streams/organisation/release/paths.ts'
import { readFolder } from '../../src/folder/readFolder.ts'
import { GOOD, useFolders } from '../folder/folders.ts'
import { png } from '../folder/pictures.ts'
import { NOW, runSignet } from './runningCommand.ts'

// `signet adopt`: from files to a folder.

const make = useFolders()
const LOGO = png(4, 2)
const LOGO_FILE = `pictures/adopted/${pictureHash(LOGO)}.png`
const SIGNATURE = '<p>Maria<br>+49 30 1234</p><img src="Fresh%20look_files/logo.png" width="40" alt="Logo">'

/** Runs `signet adopt` in a folder without a Chromium. */
const adopt = (...words: readonly string[]) =>
  runSignet(['adopt', ...words], { environment: { CHROMIUM_PATH: join(folder, 'no-chromium') } })

let folder: string
let file: string
beforeAll(async () => {
  folder = await make({
    'Fresh look.htm': SIGNATURE,
    'Fresh look_files/logo.png': LOGO,
    'other.htm': '<p>Tom</p>',
    'people.csv':
      'email,givenName,companyName,businessPhones.0\nmaria@northwind.example,Maria,Northwind,+49 30 1234\n',
    'broken.csv': 'name\nMaria\n',
  })
  file = join(folder, 'Fresh look.htm')
})

const filesIn = async (of: string) =>
  (await readdir(of, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(of.length + 1))
    .sort()

describe('pictures that a signature links to', () => {
  const image = (address: string) => `<img src="${address}" alt="">`
  const linking = ['https://cdn.example/img/Logo.png?v=2', 'https://cdn.example/map.png', 'cid:seal.png@1']
  const mail = (html: string) =>
    `From: Maria <maria@northwind.example>\r\nContent-Type: text/html\r\n\r\n<div class="gmail_signature">${html}</div>\r\n`

  const adoptOfMaria = (path: string, into: string) =>
    adopt(path, '--person', 'maria@northwind.example', '--people', join(folder, 'people.csv'), '--into', into)

  it.each([
    ['a file of html', 'S.htm', (html: string) => html],
    ['a mail', 'S.eml', mail],
  ])('come from the files beside %s, and the others stay linked', async (_, name, write) => {
    const place = await make({
      [name]: write(`<p>Maria</p>${linking.map(image).join('')}`),
      'logo.png': LOGO,
      'seal.png': png(5, 2),
      'unused.png': png(6, 2),
    })
    const into = join(place, 'signatures')
    const { code, out } = await adoptOfMaria(join(place, name), into)
    expect(code).toBe(0)
    const [template = ''] = (await filesIn(into)).filter((path) => path.startsWith('templates/'))
    const html = await readFile(join(into, template), 'utf8')
    expect([...html.matchAll(/src="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      `{{picture adopted/${pictureHash(LOGO)}.png}}`,
      'https://cdn.example/map.png',
      `{{picture adopted/${pictureHash(png(5, 2))}.png}}`,
    ])
    expect(out).toMatch(
      /^Pictures that stay linked .*beside the signature.*:\n {2}https:\/\/cdn\.example\/map\.png$/m,
    )
    expect(out).not.toContain('Files that were not taken')
  })

  it('stay linked when two have the name of the file, which is said', async () => {
    const two = ['https://a.example/logo.png', 'https://b.example/logo.png']
    const place = await make({ 'S.htm': `<p>Maria</p>${two.map(image).join('')}`, 'logo.png': LOGO })
    const { out } = await adoptOfMaria(join(place, 'S.htm'), join(place, 'signatures'))
    for (const address of two) expect(out).toContain(`  ${address}\n`)
    expect(out).toMatch(/^Files that were not taken:\n.*logo\.png.*: several pictures have this name/m)
  })
})

describe('signet adopt', () => {
  it('begins a folder for everyone of the organisation, and checks it [ADOPT-1] [ADOPT-2]', async () => {
    const into = join(await make({}), 'signatures')
    const { code, out } = await adopt(
      file,
      '--person',
      'Maria@northwind.example',
      '--people',
      join(folder, 'people.csv'),
      '--into',
      into,
    )
    expect(code).toBe(0)
    expect(out).toContain('Fresh look: the signature of maria@northwind.example.\n')
    expect(out).toContain('The pictures were not compared: there is no Chromium. Install')
    expect(out).toContain(`${into}: 1 signature, 0 people, no errors`)
    expect(await filesIn(into)).toEqual([LOGO_FILE, 'signet.yaml', 'templates/fresh-look.html'])
    const read = await readFolder(into)
    expect(read.document).toMatchObject({
      organisation: 'Northwind',
      internal: ['northwind.example'],
      signatures: [
        {
          id: 'fresh_look',
          name: 'Fresh look',
          template: 'templates/fresh-look.html',
          selection: { for: 'everyone' },
        },
      ],
    })
    expect(checkFolder(read, NOW).filter(({ level }) => level === 'error')).toEqual([])
  })

  it('lists each placeholder with the text that it replaced, and adds the variables [ADOPT-3]', async () => {
    const into = await make(GOOD)
    const { out } = await adopt(file, '--person', 'maria@northwind.example', '--into', into)
    expect(out).toMatch(
      /Placeholders:\n {2}\{\{\w+\}\} for "Maria": the text is the value; \w+ would fit, too\n/,
    )
    expect(out).toContain('\n  {{phone}} for "+49 30 1234": the text is the value\n')
    expect(out).not.toContain('New variables:')
    expect(await readFile(join(into, 'templates/fresh-look.html'), 'utf8')).toContain('{{phone}}')
    const begun = join(await make({}), 'signatures')
    const first = await adopt(
      file,
      '--person',
      'maria@northwind.example',
      '--people',
      join(folder, 'people.csv'),
      '--into',
      begun,
    )
    expect(first.out).toMatch(/New variables:\n(?: {2}\w+, from the field [\w.]+\n)+/)
    const { document } = await readFolder(begun)
    expect(document.variables.map(({ from }) => from)).toEqual(expect.arrayContaining(['businessPhones.0']))
  })

  it('writes a number in the format of its country, as the signature has it [ADOPT-3]', async () => {
    const from = await make({
      'M.htm': '<p>+49 30 901820</p>',
      'people.csv': 'email,businessPhones.0,country\nm@northwind.example,030 901820,Germany\n',
    })
    const into = join(await make({}), 'signatures')
    const words = ['--people', join(from, 'people.csv'), '--into', into]
    const { code, out } = await adopt(join(from, 'M.htm'), '--person', 'm@northwind.example', ...words)
    expect(code).toBe(0)
    expect(out).toContain(
      '{{phone phone}} for "+49 30 901820", of the value "030 901820": the text is the value\n',
    )
    expect(await readFile(join(into, 'templates/m.html'), 'utf8')).toContain('<p>{{phone phone}}</p>')
  })

  it('says on one line what only the program that wrote it reads, and in plain words what is not known', async () => {
    const from = await make({
      'W.htm':
        '<!-- x --><p style="mso-a:b;mso-c:d" onclick=x()>x<o:p></o:p></p><p style="mso-a:b">y<o:p></o:p></p>',
    })
    const { out } = await adopt(join(from, 'W.htm'), '--into', join(await make({}), 'signatures'))
    expect(out).toContain(
      'W: the signature of a person who is not known.\n' +
        'Taken out:\n' +
        '  1 × attribute "onclick": it may run or load something\n' +
        '  Only the program that wrote it reads it: mso-… (3), o:p (2), comment (1)\n',
    )
    expect(out).toMatch(
      /To decide:\n {2}No person is known for this sample, .*: give --person and --people\.\n/,
    )
  })

  it('counts the names that are too many for a line', () => {
    const takenOut = Array.from({ length: 23 }, (_, index) => ({
      ...({ kind: 'attribute', reason: 'noise' } as const),
      name: `x${String(index)}`,
      count: 30 - index,
    }))
    const none = {
      template: '',
      pictures: [],
      linked: [],
      unusedFiles: [],
      placeholders: [],
      questions: [],
      variables: [],
    }
    const text = adoptedText({ ...none, name: 'W', takenOut, people: [null], original: '' })
    expect(text).toContain(', x19 (11), and 27 others\n')
  })

  it('changes nothing when the signet.yaml would be too large to be read again, and says so', async () => {
    const yaml = String(GOOD['signet.yaml'])
    const whole = `${yaml}# ${'x'.repeat(MAX_YAML_BYTES - yaml.length - 10)}\n`
    const into = await make({ ...GOOD, 'signet.yaml': whole })
    const before = await filesIn(into)
    const { code, complaints } = await adopt(file, '--person', 'maria@northwind.example', '--into', into)
    expect([code, complaints]).toEqual([
      1,
      expect.stringMatching(
        /^signet\.yaml would have 1,000,\d\d\d bytes; it may have 1,000,000\. .+ Nothing was written\.\n$/,
      ),
    ])
    expect(await filesIn(into)).toEqual(before)
    expect(await readFile(join(into, 'signet.yaml'), 'utf8')).toBe(whole)
  })

  it('adds to a folder for the person, and keeps what is written there [ADOPT-1]', async () => {
    const yaml = `# By hand.\n${String(GOOD['signet.yaml'])}`
    const into = await make({ ...GOOD, 'signet.yaml': yaml })
    const { code } = await adopt(file, '--person', 'maria@northwind.example', '--into', into)
    expect(code).toBe(0)
    const written = await readFile(join(into, 'signet.yaml'), 'utf8')
    expect(written.startsWith('# By hand.\n')).toBe(true)
    for (const line of yaml.split('\n')) expect(written).toContain(line)
    const { document } = await readFolder(into)
    expect(document.signatures.map(({ id }) => id)).toEqual(['autumn', 'corporate', 'fresh_look'])
    expect(document.signatures[2]?.selection.for).toEqual([
      [{ by: 'person', values: ['maria@northwind.example'] }],
    ])
  })

  it('writes over no file without --force, and then keeps the rules [ADOPT-7]', async () => {
    const into = await make(GOOD)
    const first = await adopt(file, '--person', 'maria@northwind.example', '--into', into)
    expect(first.code).toBe(0)
    const template = join(into, 'templates/fresh-look.html')
    await writeFile(template, 'mine')
    const before = await readFile(join(into, 'signet.yaml'), 'utf8')
    const again = await adopt(file, '--person', 'maria@northwind.example', '--into', into)
    expect(again).toMatchObject({ code: 1, out: '' })
    expect(again.complaints).toContain('signet.yaml has a signature fresh_look already; nothing was written.')
    expect(await readFile(template, 'utf8')).toBe('mine')

    expect((await adopt(file, '--person', 'maria@northwind.example', '--into', into, '--force')).code).toBe(0)
    expect(await readFile(template, 'utf8')).toContain('{{picture adopted/')
    expect(await readFile(join(into, 'signet.yaml'), 'utf8')).toBe(before)
  })

  it.each([
    ['a template', 'templates/fresh-look.html'],
    ['a picture of another content', LOGO_FILE],
  ])('leaves %s that stands in its way, and writes nothing [ADOPT-7]', async (_, path) => {
    const into = await make({ ...GOOD, [path]: path.endsWith('.png') ? png(9, 9) : '<p>mine</p>' })
    const before = await filesIn(into)
    const { code, complaints } = await adopt(file, '--person', 'maria@northwind.example', '--into', into)
    expect(code).toBe(1)
    expect(complaints).toContain(`${join(into, path)} is there already; nothing was written. Give --force`)
    expect(await filesIn(into)).toEqual(before)
    expect(await readFile(join(into, 'signet.yaml'), 'utf8')).toBe(GOOD['signet.yaml'])
  })

  it.each([
    [
      'a signature that is there',
      `  fresh_look: { name: Fresh, template: templates/corporate.html, for: everyone }`,
      'templates/corporate.html',
      /corporate\.html is the template of corporate, too; nothing was written\. Give fresh_look a template of its own in signet\.yaml\.\n$/,
    ],
    [
      'a new signature',
      `  sales: { name: Sales, template: templates/short.html, reply: templates/fresh-look.html, for: everyone }
blocks:
  news: { slot: news, template: templates/fresh-look.html, for: everyone }`,
      'templates/fresh-look.html',
      /fresh-look\.html is the template of sales and news, too; nothing was written\. Rename the file\.\n$/,
    ],
  ])(
    'replaces no template that others use, even with --force: of %s [ADOPT-7]',
    async (_, entry, path, sentence) => {
      const into = await make({
        ...GOOD,
        'signet.yaml': String(GOOD['signet.yaml']).replace('mailboxes:', `${entry}\nmailboxes:`),
        [path]: '<p>{{first_name}}</p>\n',
      })
      const before = await filesIn(into)
      const { code, out, complaints } = await adopt(
        ...[file, '--person', 'maria@northwind.example', '--into', into, '--force'],
      )
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(complaints).toMatch(sentence)
      expect(await readFile(join(into, path), 'utf8')).toBe('<p>{{first_name}}</p>\n')
      expect(await filesIn(into)).toEqual(before)
    },
  )

  it('adds a signature over a template that others use, when it is the same [ADOPT-7]', async () => {
    const into = await make(GOOD)
    expect((await adopt(file, '--person', 'maria@northwind.example', '--into', into)).code).toBe(0)
    const template = await readFile(join(into, 'templates/fresh-look.html'), 'utf8')
    const entry = '  sales: { name: Sales, template: templates/fresh-look.html, for: everyone }'
    const other = await make({
      ...GOOD,
      'signet.yaml': String(GOOD['signet.yaml']).replace('mailboxes:', `${entry}\nmailboxes:`),
      'templates/fresh-look.html': template,
      [LOGO_FILE]: LOGO,
    })
    const { code, out } = await adopt(file, '--person', 'maria@northwind.example', '--into', other)
    expect({ code, out }).toMatchObject({ code: 0 })
    expect(out).toContain(`Written into ${other}: signet.yaml. `)
  })

  it('writes nothing through a link that leads out of the folder [ADOPT-7]', async () => {
    const elsewhere = await make({})
    const into = join(await make({}), 'signatures')
    await mkdir(into)
    await symlink(elsewhere, join(into, 'templates'))
    const words = ['--people', join(folder, 'people.csv'), '--into', into, '--force']
    const { code, complaints } = await adopt(file, '--person', 'maria@northwind.example', ...words)
    expect(code).toBe(1)
    expect(complaints).toContain(`${join(into, 'templates')} is a link`)
    expect([await filesIn(into), await filesIn(elsewhere)]).toEqual([[], []])
  })

  it('is for the people of the samples while a text that looks personal is open, and says how it is lifted', async () => {
    const from = await make({
      'Work (maria.silva@northwind.example).htm':
        '<p><b>Maria Silva</b><br>Head of Sales<br>T <a href="tel:+4930901820">+49 (0)30 901820</a></p>',
      'people.csv': 'email,givenName,surname\nmaria.silva@northwind.example,Maria,Silva\n',
    })
    const into = join(await make({}), 'signatures')
    const sample = join(from, 'Work (maria.silva@northwind.example).htm')
    const { code, out } = await adopt(sample, '--people', join(from, 'people.csv'), '--into', into)
    expect(code).toBe(0)
    expect(out).toContain('Work: the signature of maria.silva@northwind.example.\n')
    expect(out).toContain('"Head of Sales", "+49 (0)30 901820", "+4930901820"\n')
    expect(out).toContain('When all is decided, write "for: everyone" at work in signet.yaml.\n')
    expect((await readFolder(into)).document.signatures).toMatchObject([
      {
        id: 'work',
        name: 'Work',
        template: 'templates/work.html',
        selection: { for: [[{ by: 'person', values: ['maria.silva@northwind.example'] }]] },
      },
    ])
  })

  it('asks about values of other people, wherever they stand, and is for the samples until then', async () => {
    const from = await make({
      'Sample.htm':
        '<p><b>Maria</b><br>T +49 30 1234567</p><p>When I am away: our pilot in chief, Tom Weber</p>',
      'people.csv':
        'email,givenName,surname,jobTitle,businessPhones.0\nmaria@northwind.example,Maria,,,+49 30 1234567\ntom@northwind.example,Tom,Weber,Pilot in chief,\n',
    })
    const into = join(await make({}), 'signatures')
    const words = ['--people', join(from, 'people.csv'), '--into', into]
    const { out } = await adopt(join(from, 'Sample.htm'), '--person', 'maria@northwind.example', ...words)
    expect(out).toMatch(/These texts look personal [^\n]*: "pilot in chief", "Tom Weber"\n/)
    expect((await readFolder(into)).document.signatures[0]?.selection.for).toEqual([
      [{ by: 'person', values: ['maria@northwind.example'] }],
    ])
  })

  it('keeps no rules for others with --force while a text that looks personal is open [ADOPT-7]', async () => {
    const from = await make({ 'corporate.htm': '<p>Maria</p><p>T +49 171 5556677</p>' })
    const into = await make(GOOD)
    const before = await filesIn(into)
    const force = () =>
      adopt(
        join(from, 'corporate.htm'),
        '--person',
        'maria@northwind.example',
        ...['--into', into, '--force'],
      )
    const refused = await force()
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.complaints).toBe(
      'signet.yaml gives the signature corporate to others than the people of the samples, who would get "+49 171 5556677"; nothing was written. Rename the file, or make corporate in signet.yaml for the people of the samples until all is decided.\n',
    )
    expect(await filesIn(into)).toEqual(before)
    for (const path of ['signet.yaml', 'templates/corporate.html'])
      expect(await readFile(join(into, path), 'utf8')).toBe(GOOD[path])

    const yaml = join(into, 'signet.yaml')
    const rule = (people: string) =>
      String(GOOD['signet.yaml']).replace('for: everyone', `for: [{ ${people} }]`)
    for (const wider of ['department: Sales', 'person: [maria@northwind.example, tom@northwind.example]']) {
      await writeFile(yaml, rule(wider))
      expect((await force()).complaints, wider).toContain('nothing was written.')
    }
    await writeFile(yaml, rule('person: Maria@northwind.example, department: Sales'))
    const narrow = await force()
    expect(narrow.code).toBe(0)
    expect(narrow.out).toContain('The signature corporate is for the same people as before: ')

    // What the template has already was decided by whoever made it for everyone.
    await writeFile(yaml, String(GOOD['signet.yaml']))
    const again = await force()
    expect(again.code).toBe(0)
    expect(again.out).toContain('corporate stays for the people whom signet.yaml names: decide before')
    await writeFile(join(from, 'corporate.htm'), '<p>Maria</p><p>T +49 171 5556677<br>M +49 171 1112223</p>')
    expect((await force()).complaints).toContain('who would get "+49 171 1112223"; nothing was written.')
  })

  it('reads UTF-8 that calls itself windows-1252, and asks where the encoding is not clear', async () => {
    const html =
      '<meta http-equiv=Content-Type content="text/html; charset=windows-1252"><p><b>Jörg Müller</b><br>Geschäftsführer<br>„Mit freundlichen Grüßen“</p>'
    const from = await make({
      'Eins.htm': html,
      'Zwei.htm': Buffer.from('<p><b>J\xf6rg M\xfcller</b></p>', 'latin1'),
      'people.csv': 'email,givenName,surname,jobTitle\njoerg@northwind.example,Jörg,Müller,Geschäftsführer\n',
    })
    const into = join(await make({}), 'signatures')
    const words = [
      '--person',
      'joerg@northwind.example',
      '--people',
      join(from, 'people.csv'),
      '--into',
      into,
    ]
    const { out } = await adopt(join(from, 'Eins.htm'), ...words)
    expect(out).toContain(' for "Geschäftsführer": the text is the value\n')
    expect(out).not.toContain('The encoding')
    expect(await readFile(join(into, 'templates/eins.html'), 'utf8')).toContain('Mit freundlichen Grüßen')
    const second = await adopt(join(from, 'Zwei.htm'), ...words)
    expect(second.out).toContain('adopt it again: "Jörg", "Müller"\n')
    expect(second.out).toContain('name it with --encoding')
    const named = await adopt(join(from, 'Zwei.htm'), ...words, '--force', '--encoding', 'windows-1252')
    expect(named.out).toContain(' for "Jörg Müller": the text is the value')
    expect(named.out).not.toContain('The encoding')
  })

  it('reads a people.csv in the encoding that is named, and else says how to name it', async () => {
    const csv = 'email,givenName\nzoe@northwind.example,Łucja\n'
    const wide = Buffer.from(`\ufeff${csv}`, 'utf16le')
    const polish = Buffer.from(csv.replace('Ł', '\xa3'), 'latin1')
    const from = await make({ 'Z.htm': '<p>Łucja</p>', 'wide.csv': wide, 'polish.csv': polish })
    const into = join(await make({}), 'signatures')
    const withPeople = (people: string, ...more: readonly string[]) =>
      adopt(
        ...[join(from, 'Z.htm'), '--person', 'zoe@northwind.example', '--people', join(from, people)],
        ...['--into', into, '--force', ...more],
      )
    const refused = await withPeople('wide.csv')
    expect(refused.code).toBe(1)
    expect(refused.complaints).toContain(
      'The file is in UTF-16. Save the file in UTF-8, or name its encoding with --encoding.\n',
    )
    const guessed = await withPeople('polish.csv')
    expect(guessed.code).toBe(0)
    expect(guessed.complaints).toContain('here stands "£ucja". Name another encoding with --encoding.\n')
    expect(guessed.out).not.toContain(' for "Łucja"')
    for (const [people, encoding] of [
      ['wide.csv', 'utf-16le'],
      ['polish.csv', 'ISO-8859-2'],
    ] as const) {
      const { out, complaints } = await withPeople(people, '--encoding', encoding)
      expect(out, encoding).toContain(' for "Łucja": the text is the value')
      expect(complaints, encoding).not.toContain('UTF')
    }
    expect(await withPeople('wide.csv', '--encoding', 'klingon')).toMatchObject({
      code: 64,
      complaints: expect.stringContaining('There is no encoding "klingon": give a name such as') as string,
    })
  })

  it('says what is wrong, and writes nothing', async () => {
    const into = await make(GOOD)
    const [people, broken] = [join(folder, 'people.csv'), join(folder, 'broken.csv')]
    const other = join(folder, 'other.htm')
    const cases: readonly (readonly [words: readonly string[], sentence: string, code: number])[] = [
      [[file], '--into is missing: give --into signatures.', 64],
      [[join(folder, 'none.htm'), '--into', into], 'none.htm is no file of at most', 1],
      [
        [file, '--into', into, '--person', 'no@x.example'],
        'There is no person with the address no@x.example. Nothing was written.',
        1,
      ],
      [
        [file, '--into', into, '--person', 'a@x.example,b@x.example'],
        '--person takes one address for each file',
        64,
      ],
      [[file, '--into', into, '--people', broken], '1 error in', 1],
      [[file, '--into', into, '--people', join(folder, 'no.csv')], 'no.csv cannot be read', 1],
      [
        [other, file, '--into', into, '--people', people, '--person', 'maria@northwind.example,no@x.example'],
        'Fresh look.htm: There is no person',
        1,
      ],
    ]
    for (const [words, sentence, code] of cases) {
      const answer = await adopt(...words)
      expect(answer, sentence).toMatchObject({ code, out: '' })
      expect(answer.complaints).toContain(sentence)
    }
    expect(await filesIn(into)).toEqual(Object.keys(GOOD).sort())
  })

  it.each([
    ['a new signature', 'other.htm', []],
    ['one that is there', 'corporate.htm', ['--force']],
  ])(
    'gives the texts of a stranger to no others: %s of a folder that has signatures',
    async (_, name, more) => {
      const strangers = await make({ [name]: '<p>John Doe</p>' })
      const into = await make(GOOD)
      const { code, out, complaints } = await adopt(join(strangers, name), '--into', into, ...more)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(complaints).toMatch(/: give --person, .* Nothing was written\.\n$/)
      expect(await filesIn(into)).toEqual(Object.keys(GOOD).sort())
      for (const path of ['signet.yaml', 'templates/corporate.html'])
        expect(await readFile(join(into, path), 'utf8')).toBe(GOOD[path])
    },
  )

  it('adds a template of another product as the last one, for everyone, without a person', async () => {
    const sample = await make({ 'product.htm': '<p>$CurrentUserGivenName$</p>' })
    const into = await make(GOOD)
    expect((await adopt(join(sample, 'product.htm'), '--into', into)).code).toBe(0)
    const { document } = await readFolder(into)
    expect(document.templates['templates/product.html']).toContain('{{first_name}}')
    expect(document.signatures.map(({ id }) => id)).toEqual(['autumn', 'corporate', 'product'])
    expect(document.signatures[2]?.selection.for).toBe('everyone')
  })

  it.each([
    ['a folder that has signatures', GOOD],
    ['a new folder', {}],
  ])('gives texts that look personal in a template of another product to nobody: in %s', async (_, files) => {
    const sample = await make({ 'product.htm': '<p>$CurrentUserGivenName$</p><p>T +49 30 901820</p>' })
    const people = await make({ 'people.csv': String(GOOD['people.csv']) })
    const into = await make(files)
    const words = [join(sample, 'product.htm'), '--people', join(people, 'people.csv'), '--into', into]
    const { code, out, complaints } = await adopt(...words)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(complaints).toContain('so that all people would get "+49 30 901820": give --person')
    expect(await filesIn(into)).toEqual(Object.keys(files).sort())
    expect((await adopt(...words, '--person', 'maria@northwind.example')).code).toBe(0)
    const { signatures } = (await readFolder(into)).document
    expect(signatures.at(-1)?.selection.for).toEqual([
      [{ by: 'person', values: ['maria@northwind.example'] }],
    ])
  })

  it('begins a folder with the signature of a stranger', async () => {
    const into = join(await make({}), 'signatures')
    const { code, out } = await adopt(join(folder, 'other.htm'), '--into', into)
    expect(code).toBe(0)
    expect(out).toContain('No person is known for this sample')
  })

  it('compares no pictures that are too large together', async () => {
    const sample = await make({
      'a.htm': '<p>Maria</p><img src="a.png">',
      'a.png': Buffer.concat([LOGO, Buffer.alloc(8_000_000)]),
    })
    const { code, out } = await adopt(
      join(sample, 'a.htm'),
      '--person',
      'maria@northwind.example',
      '--into',
      await make(GOOD),
    )
    expect(code).toBe(0)
    expect(out).toContain('The pictures were not compared: those of the original are too large together.\n')
  })

  it('adds nothing to a folder with errors', async () => {
    const into = await make({ ...GOOD, 'signet.yaml': 'version: 2\n' })
    const { code, complaints } = await adopt(file, '--into', into)
    expect(code).toBe(1)
    expect(complaints).toMatch(/errors? in .*; nothing was written\.\n$/)
  })

  it('takes several files as samples of their people [ADOPT-1]', async () => {
    const into = await make(GOOD)
    const { code, out } = await adopt(
      file,
      join(folder, 'other.htm'),
      '--person',
      'maria@northwind.example, tom@northwind.example',
      '--into',
      into,
    )
    expect(code).toBe(0)
    expect(out).toContain('Fresh look: the signature of maria@northwind.example, tom@northwind.example.')
    expect((await readFolder(into)).document.signatures[2]?.selection.for).toEqual([
      [{ by: 'person', values: ['maria@northwind.example', 'tom@northwind.example'] }],
    ])
  })
})
