import { describe, expect, it } from 'vitest'
import { checkFolder, checkingDocument } from '../../src/folder/checkFolder.ts'
import { filesInRequest } from '../../src/folder/files.ts'
import { readFolderFiles } from '../../src/folder/readFolder.ts'
import { yamlInThisThread } from '../../src/folder/yamlApart.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import type { Files } from './folders.ts'
import { png } from './pictures.ts'

// What a check says of blocks and slots, word by word, with its place.

const AT = Date.parse('2026-10-01T12:00:00Z')

/** A folder with two blocks and no finding. */
const GOOD = {
  'signet.yaml': `version: 1
organisation: Northwind
internal: [northwind.example]
counting: true
variables: { phone: { from: mobilePhone } }
signatures:
  standard: { template: templates/standard.html, reply: templates/short.html, for: everyone }
blocks:
  autumn:
    slot: banner
    template: templates/autumn.html
    for: [{ department: Sales }]
    during: 2026-09-01/2026-11-30
    recipients: external
  careers: { slot: banner, template: templates/careers.html, share: 50 }
`,
  'templates/standard.html':
    '<p>{{display_name}}{{email}}</p>\n{{#block banner}}<div>{{block}}</div>{{/block}}\n',
  'templates/short.html': '<p>{{email}}</p>{{> foot}}\n',
  'templates/foot.part.html': '<p>Northwind</p>\n',
  'templates/autumn.html':
    '<a href="{{counted https://a.example/}}"><img src="{{picture fair.png}}" width="300" alt="Fair"></a>\n',
  'templates/careers.html': '<p>We are hiring.</p>\n',
  'people.csv': `email,department,mobilePhone
maria@northwind.example,Sales,+49 30 1234
tom@northwind.example,Legal,
anna@northwind.example,Legal,
`,
} as const

/** A text of the good folder with a piece replaced. */
function changed(path: keyof typeof GOOD, before: string, after: string): Files {
  expect(GOOD[path]).toContain(before)
  return { [path]: GOOD[path].replace(before, after) }
}
const yaml = (before: string, after: string) => changed('signet.yaml', before, after)
/** With one more block, behind the others. */
const block = (fields: string): Files => ({ 'signet.yaml': `${GOOD['signet.yaml']}  more: { ${fields} }\n` })
const others = 'slot: banner, template: templates/careers.html'
const standard = (html: string): Files => ({ 'templates/standard.html': `<p>{{email}}</p>${html}` })
const careers = (html: string): Files => ({ 'templates/careers.html': html })

const reading = (files: Files) => {
  const all: Files = { ...GOOD, 'pictures/fair.png': png(600, 96), ...files }
  const sent = Object.entries(all).flatMap(([path, content]) =>
    content === null ? [] : [[path, Buffer.from(content)] as const],
  )
  return readFolderFiles(filesInRequest(new Map(sent)), yamlInThisThread)
}
const check = async (files: Files): Promise<readonly string[]> =>
  checkFolder(await reading(files), AT).flatMap(({ file, line, column, level, code, message }) =>
    code === 'notShown' ? [] : [`${file}:${line}:${column} ${level} ${code}: ${message}`],
  )

it.each<readonly [what: string, files: Files]>([
  ['as it is', {}],
  ['without people', { 'people.csv': null }],
  ['with a block in a part', { ...standard('{{> foot}}'), 'templates/foot.part.html': '{{block banner}}' }],
  [
    'with one slot in both branches of a condition',
    standard('{{#if phone}}{{block banner}}{{else}}<div>{{block banner}}</div>{{/if}}'),
  ],
  [
    'with one slot in a branch of a branch and in the other one',
    standard(
      '{{#if phone}}{{#if email}}{{block banner}}{{/if}}{{else}}{{#if email}}x{{else}}{{block banner}}{{/if}}{{/if}}',
    ),
  ],
  [
    'with a block for two signatures',
    yaml(
      'signatures:\n',
      'signatures:\n  b: { name: B, template: templates/standard.html, for: [{ department: Sales }] }\n',
    ),
  ],
  ['with a template of a block and of a signature', yaml('templates/short.html', 'templates/careers.html')],
  [
    'with a gap only for people who do not get the block',
    changed('templates/autumn.html', 'Fair">', 'Fair"> {{phone}}'),
  ],
  ['with a slot beside a missing value', standard('<p>T {{phone}}{{block banner}}</p>')],
  ['with a picture that adapts', careers('<img src="{{picture fair.png}}" style="max-width:100%" alt="F">')],
  ['with a picture as wide as a phone', careers('<img src="{{picture fair.png}}" width="375" alt="F">')],
  ['with a picture in percent', careers('<img src="{{picture fair.png}}" width="100%" alt="F">')],
  [
    'with a picture whose style says less',
    careers('<img src="{{picture fair.png}}" width="600" style="width:300px" alt="F">'),
  ],
  [
    'with a picture that has a limit',
    careers('<img src="{{picture fair.png}}" style="max-width:300px" alt="F">'),
  ],
  [
    'with a wide picture in a signature',
    standard('<img src="{{picture fair.png}}" width="600" alt="F">{{block banner}}'),
  ],
  [
    'with a picture behind a cell',
    careers('<table><tr><td background="{{picture fair.png}}">a</td></tr></table>'),
  ],
  ['with a picture from elsewhere', careers('<img src="https://a.example/a.png" alt="F">')],
])('a folder with blocks is right %s', async (_, files) => {
  expect(await check(files)).toEqual([])
})

const COUNTED_WHERE = 'What is counted is the whole address of a link: href="{{counted https://…}}".'
const SLOT_WHERE = 'A block is markup: its slot stands between elements, in the text.'

describe('a check of blocks', () => {
  it.each<readonly [sentence: string, files: Files]>([
    [
      'signet.yaml:16:17 warning unknownSlot: No template of a signature shows the slot "notice": {{block notice}}.',
      block('slot: notice, template: templates/careers.html'),
    ],
    [
      'signet.yaml:16:17 error unknownSlot: No template of a signature shows the slot "baner": {{block baner}}. Did you mean "banner"?',
      block('slot: baner, template: templates/careers.html'),
    ],
    [
      'signet.yaml:16:3 warning neverReached: It is never shown: "careers" above it always stands in its place. Put it above, or limit the other one.',
      { 'signet.yaml': `${GOOD['signet.yaml'].replace(', share: 50', '')}  more: { ${others} }\n` },
    ],
    [
      'signet.yaml:16:67 warning neverReached: It is never shown: new messages are the first of their thread, and it is not for replies.',
      block(`${others}, thread: later, replies: false`),
    ],
    [
      'signet.yaml:13:13 warning isOver: The last day is over: the block is not shown any more.',
      yaml('2026-11-30', '2026-09-30'),
    ],
    [
      'signet.yaml:13:13 error neverOpens: The last day is before the first one: it never opens.',
      yaml('2026-11-30', '2026-08-30'),
    ],
    [
      'signet.yaml:15:62 error share: "share" is a percentage of the people, from 1 to 100, or of the messages, such as "30 each mail": "0" is neither.',
      yaml('share: 50', 'share: 0'),
    ],
  ])('[BLOCK-12] says %s', async (sentence, files) => {
    expect(await check(files)).toEqual([sentence])
  })

  it.each<readonly [sentence: string, files: Files]>([
    ['signet.yaml:16:59 error value: "thread" is first or later.', block(`${others}, thread: never`)],
    [
      'signet.yaml:16:3 error noSlot: A block needs a slot: slot: banner, which templates show by {{block banner}}.',
      block('template: templates/careers.html'),
    ],
    [
      'signet.yaml:16:3 error noTemplate: A block needs a template: templates/blocks/autumn.html.',
      block('slot: banner'),
    ],
    [
      'signet.yaml:16:11 error slot: A slot is named by letters, digits and "_": "the banner" is not.',
      block('slot: the banner, template: templates/careers.html'),
    ],
    [
      'signet.yaml:16:59 error unknownKey: "shere" is not known here. A block may have name, slot, template, for, not, during, time-zone, recipients, thread, replies, share and editors.',
      block(`${others}, shere: 50`),
    ],
    [
      'signet.yaml:16:3 error name: A block is named by a to z, digits and "_": "B" is not.',
      { 'signet.yaml': `${GOOD['signet.yaml']}  B: { ${others} }\n` },
    ],
    [
      'signet.yaml:16:35 error unknownTemplate: There is no file "templates/gone.html".',
      block('slot: banner, template: templates/gone.html'),
    ],
    [
      'signet.yaml:16:35 error unknownTemplate: "templates/foot.part.html" is a part, no template.',
      block('slot: banner, template: templates/foot.part.html'),
    ],
    [
      'signet.yaml:12:11 error fitsNobody: The condition fits none of the people. Of the people, none has the department "Sale". Did you mean "Sales"?',
      yaml('department: Sales', 'department: Sale'),
    ],
    [
      'signet.yaml:14:18 warning unknownDomain: "nortwind.example" is the domain of no person, and not of "internal". Did you mean "northwind.example"?',
      yaml('recipients: external', 'recipients: [nortwind.example]'),
    ],
    [
      'signet.yaml:13:17 error noDomains: "recipients: external" needs "internal", the organisation\'s own domains.',
      yaml('internal: [northwind.example]\n', ''),
    ],
    [
      'signet.yaml:16:65 warning emptyLabel: Users read this, and it is empty; leave it out.',
      block(`${others}, name: ""`),
    ],
  ])('says %s', async (sentence, files) => {
    expect(await check(files)).toEqual([sentence])
  })

  it('refuses more of them than a release may have', async () => {
    const yaml = (count: number) =>
      GOOD['signet.yaml'] +
      Array.from({ length: count }, (_, index) => `  b${index}: { ${others}, share: 1 }\n`).join('')
    expect(await check({ 'signet.yaml': yaml(198) })).toEqual([])
    const [finding, ...more] = await check({ 'signet.yaml': yaml(199) })
    expect(finding).toMatch(/^signet\.yaml:1:1 error limit: /)
    expect(more).toEqual([])
  })

  it('names no slot that no template shows while a template is not there', async () => {
    const files = { ...yaml('templates/short.html', 'templates/gone.html'), ...standard('x') }
    expect(await check(files)).toEqual([
      'signet.yaml:7:57 error unknownTemplate: There is no file "templates/gone.html".',
    ])
  })
})

describe('a check of slots', () => {
  it.each<readonly [html: string, sentence: string]>([
    ['{{block banner}}{{block notice}}', '1:33 warning noBlock: There is no block for the slot "notice".'],
    [
      '{{block banner}}\n{{#block Banner}}{{block}}{{/block}}',
      '2:1 warning noBlock: There is no block for the slot "Banner". Did you mean "banner"?',
    ],
    [
      '{{block banner}}\n{{block banner}}',
      '2:1 error slotTwice: The slot "banner" is here twice; the same block would stand in both.',
    ],
    [
      '{{block banner}}{{#if phone}}{{else}}{{block banner}}{{/if}}',
      '1:54 error slotTwice: The slot "banner" is here twice; the same block would stand in both.',
    ],
    [
      '{{#if phone}}{{block banner}}{{/if}}{{#if email}}{{block banner}}{{/if}}',
      '1:66 error slotTwice: The slot "banner" is here twice; the same block would stand in both.',
    ],
    [
      '{{#if phone}}a{{else}}{{#if email}}{{block banner}}{{/if}}{{block banner}}{{/if}}',
      '1:75 error slotTwice: The slot "banner" is here twice; the same block would stand in both.',
    ],
    [
      '{{#if phone}}{{block banner}}{{else}}a{{/if}}\n{{block banner}}',
      '2:1 error slotTwice: The slot "banner" is here twice; the same block would stand in both.',
    ],
    [
      '{{block banner}}{{#if phone}}{{block other}}\n{{block banner}}{{/if}}',
      '2:1 error slotTwice: The slot "banner" is here twice; the same block would stand in both.',
    ],
    [
      '{{block banner}}{{block other}}\n{{#if phone}}{{block banner}}{{/if}}',
      '2:14 error slotTwice: The slot "banner" is here twice; the same block would stand in both.',
    ],
    [
      '{{block banner}}\n{{#if phone}}{{block banner}}{{else}}{{block banner}}{{/if}}',
      '2:14 error slotTwice: The slot "banner" is here twice; the same block would stand in both.',
    ],
    [
      '{{#block banner}}{{block}}{{block other}}{{/block}}',
      '1:43 error slotInSlot: The slot "other" stands inside of another slot.',
    ],
    ['<p>a</p>\n{{#block banner}}{{block}}', '2:1 error unclosedSlot: {{#block banner}} has no {{/block}}.'],
    [
      '{{#block banner}}a{{/block}}',
      '1:17 error slotWithoutBlock: {{#block banner}} has no {{block}} before {{/block}}.',
    ],
    ['{{block banner}}{{/block}}', '1:33 error unexpectedClose: {{/block}} closes nothing.'],
    ['<p title="{{block banner}}">a</p>', `1:27 error placeholder: ${SLOT_WHERE}`],
    ['<a href="{{block banner}}">a</a>', `1:26 error placeholder: ${SLOT_WHERE}`],
    ['<!--[if mso]>{{block banner}}<![endif]-->', `1:30 error placeholder: ${SLOT_WHERE}`],
    ['{{block banner}}\n{{counted https://a.example/}}', `2:1 error placeholder: ${COUNTED_WHERE}`],
    [
      '{{block banner}}\n<p style="color:red;{{block other}}">a</p>',
      '2:21 error placeholder: A value in a style could become another style.',
    ],
  ])('in %j says %s', async (html, sentence) => {
    const found = await check(standard(html))
    const of = found.filter((line) => !/ (?:address|notCounted): |no block for the slot "other"/.test(line))
    expect(of).toEqual([`templates/standard.html:${sentence}`])
  })

  it('tells each slot that is here again', async () => {
    const html = '{{block banner}}\n{{#if phone}}{{block banner}}\n{{block banner}}{{/if}}'
    const places = (await check(standard(html))).map((line) => line.slice(0, line.indexOf(':', 31)))
    expect(places).toEqual([
      'templates/standard.html:2:14 error slotTwice',
      'templates/standard.html:3:1 error slotTwice',
    ])
  })

  it('finds them in parts', async () => {
    const part = (html: string, template: string): Files => ({
      'templates/foot.part.html': `<p>a</p>\n${html}`,
      ...standard(template),
      ...yaml('templates/short.html', 'templates/standard.html'),
    })
    expect(await check(part('{{block banner}}', '{{block banner}}{{> foot}}'))).toEqual([
      'templates/foot.part.html:2:1 error slotTwice: The slot "banner" is here twice; the same block would stand in both.',
    ])
    expect(await check(part('{{block banner}}', '{{> foot}}{{> foot}}'))).toEqual([
      'templates/foot.part.html:2:1 error slotTwice: The slot "banner" is here twice; the same block would stand in both.',
    ])
    const other = '{{#block banner}}{{block}}{{> foot}}{{/block}}'
    expect(await check(part('{{block notice}}', other))).toEqual([
      'templates/foot.part.html:2:1 error slotInSlot: The slot "notice" stands inside of another slot.',
      'templates/foot.part.html:2:1 warning noBlock: There is no block for the slot "notice".',
    ])
  })

  it('refuses them in the template of a block, and in its parts', async () => {
    const sentence = 'error slotInBlock: This is the template of a block, which has no slot.'
    expect(await check(careers('<p>a</p>{{block banner}}'))).toEqual([
      `templates/careers.html:1:9 ${sentence}`,
    ])
    expect(
      await check({ ...careers('<p>a</p>{{> foot}}'), 'templates/foot.part.html': '{{block banner}}' }),
    ).toEqual([`templates/foot.part.html:1:1 ${sentence}`])
    // Its slot would be right in the signature alone.
    const both = block('slot: banner, template: templates/standard.html')
    expect(await check(both)).toEqual([`templates/standard.html:2:1 ${sentence}`])
  })
})

describe('a check of links that are counted', () => {
  const DIRECTLY = 'this one leads to its address directly.'

  it('tells that they are not counted', async () => {
    expect(await check(yaml('counting: true\n', ''))).toEqual([
      'templates/autumn.html:1:10 warning notCounted: Clicks are not counted without "counting: true": the link leads to its address directly.',
    ])
    expect(await check(standard('<a href="{{counted https://a.example}}">a</a>{{block banner}}'))).toEqual([
      `templates/standard.html:1:26 warning notCounted: Only clicks on links of blocks are counted: ${DIRECTLY}`,
    ])
  })

  it.each([
    ['<a href="{{counted https://a.example}}?b">a</a>', '1:10'],
    ['<a href="https://a.example/{{counted https://a.example}}">a</a>', '1:28'],
    ['<img alt="a" src="{{counted https://a.example/a.png}}">', '1:19'],
    ['<p title="{{counted https://a.example}}">a</p>', '1:11'],
    ['<p>{{counted https://a.example}}</p>', '1:4'],
  ])('refuses them elsewhere than in a link: %j', async (html, place) => {
    const found = await check(careers(html))
    expect(found).toContain(`templates/careers.html:${place} error placeholder: ${COUNTED_WHERE}`)
  })

  it('takes them with blanks, and refuses addresses that mail does not take', async () => {
    expect(await check(careers('<a href=" {{counted https://a.example}} ">a</a>'))).toEqual([])
    expect(await check(careers('<a href="{{counted https://}}">a</a>'))).toEqual([
      'templates/careers.html:1:4 error address: The address "{{counted https://}}" is not taken by mail.',
      'templates/careers.html:1:10 error unknownPlaceholder: "{{counted https://}}" is not a placeholder.',
    ])
    expect(await check(careers('<a href="{{counted https:///}}">a</a>'))).toEqual([
      'templates/careers.html:1:4 error emptyLink: The link "{{counted https:///}}" leads nowhere.',
    ])
  })
})

describe('a check of what a block shows', () => {
  const away = (variables: string, html: string): Files => ({
    'signet.yaml': GOOD['signet.yaml']
      .replace('variables: {', `variables: { ${variables},`)
      .replace('share: 50', 'during: { from: away_from, to: away_to }, time-zone: UTC'),
    'templates/careers.html': `<p>{{away_from}}</p><p>{{phone}}</p><p>until {{away_to}}</p>`.replace(
      'phone',
      html,
    ),
  })
  const lines = async (files: Files) => (await check(files)).map((line) => line.replace(/: The line.*/, ''))

  it('on own days is of people who have entered days', async () => {
    const entered = 'away_from: { edit: true }, away_to: { edit: true }'
    expect(await lines(away(entered, 'away_to'))).toEqual([])
    expect(await lines(away(entered, 'phone'))).toEqual(['templates/careers.html:1:24 error emptyLine'])
    // Nobody gets the block: nobody has days, and nobody can enter them.
    expect(await lines(away('away_from: { value: "" }, away_to: { value: "" }', 'phone'))).toEqual([])
  })

  it.each<readonly [html: string, sentence: string]>([
    ['<script>a</script>', '1:1 error element: Mail does not take <script>.'],
    [
      '<img src="{{picture fair.png}}" width="100">',
      '1:1 error noAlternative: A picture needs a text for those who do not see it: alt="Northwind".',
    ],
    ['{{shirt}}', '1:1 error unknownVariable: There is no variable "shirt".'],
    [
      '<p>a</p><p>{{phone}}</p>',
      '1:12 error emptyLine: The line is empty for anna@northwind.example: put {{#if …}} around it.',
    ],
    [
      '<p>a</p>\n<img src="{{picture fair.png}}" alt="a">',
      '2:1 warning tooWide: It is 600 pixels wide, and a phone has 375: let it shrink with style="max-width:100%;height:auto".',
    ],
    [
      '<img width="376" src="https://a.example/a.png" alt="a">',
      '1:1 warning tooWide: It is 376 pixels wide, and a phone has 375: let it shrink with style="max-width:100%;height:auto".',
    ],
    [
      '<table style="width: 600px"><tr><td>a</td></tr></table>',
      '1:1 warning tooWide: It is 600 pixels wide, and a phone has 375: let it shrink with style="max-width:100%;height:auto".',
    ],
    [
      '<img src="https://a.example/a.png" alt="a"><img src="{{picture fair.png}}" style="max-width:500px" alt="a">',
      '1:44 warning tooWide: It is 500 pixels wide, and a phone has 375: let it shrink with style="max-width:100%;height:auto".',
    ],
  ])('in %j says %s', async (html, sentence) => {
    expect(await check(careers(html))).toEqual([`templates/careers.html:${sentence}`])
  })

  it('names what is hard to read at the block', async () => {
    expect(await check(careers('<p style="font-size:8px">Hiring</p>'))).toEqual([
      'signet.yaml:15:38 warning hardToRead: "Hiring" is hard to read: it is 8.0 pixels high.',
    ])
  })

  it('[PERSON-8] opens on days from variables, which exist', async () => {
    const during = 'during: { from: phone, to: phon }'
    expect(await check(block(`${others}, ${during}`))).toEqual([
      'signet.yaml:16:86 error unknownVariable: There is no variable "phon". Did you mean "phone"?',
    ])
    expect(await check(block(`${others}, ${during.replace('phon }', 'phone }')}`))).toEqual([])
  })

  it('is for mail clients, too', async () => {
    const found = checkFolder(await reading(careers('<p style="border-radius:4px">a</p>')), AT)
    expect(found).toMatchObject([{ file: 'templates/careers.html', code: 'notShown' }])
  })

  it('counts the longest block of each slot to the length of a signature', async () => {
    const long = (length: number) => `<p>${'a'.repeat(length)}</p>`
    const autumn = (length: number): Files => ({
      ...careers(long(length)),
      ...standard(`${long(15_000)}{{block banner}}{{> foot}}{{block other}}`),
      ...block('slot: other, template: templates/foot.html, during: 2027-01-01/2027-01-31'),
      'templates/foot.html': long(1_000),
    })
    expect(await check(autumn(13_900))).toEqual([])
    expect(await check(autumn(14_000))).toEqual([
      'signet.yaml:7:25 error tooLong: With more than 30000 characters, with the longest block of each slot, the signature is too long for Outlook: for anna@northwind.example.',
    ])
    expect(await check(careers(long(30_000)))).toContain(
      'signet.yaml:15:38 error tooLong: With more than 30000 characters the block is too long for Outlook: for anna@northwind.example.',
    )
  })

  it('counts the pictures of the largest block of each slot to those of a signature', async () => {
    const size = 1024 * 1024 - 200
    const pictures = Object.fromEntries(
      [1, 2, 3, 4, 5].map((edge) => [`pictures/${edge}.png`, png(edge, 1, size)]),
    )
    const html = (...names: readonly number[]) =>
      names.map((name) => `<img alt="a" src="{{picture ${name}.png}}">`).join('')
    const of = (signature: readonly number[], one: readonly number[]) =>
      check({ ...pictures, ...standard(`${html(...signature)}{{block banner}}`), ...careers(html(...one)) })
    expect(await of([1, 2, 3], [3, 4])).toEqual([])
    expect(await of([1, 2, 3], [4, 5])).toEqual([
      expect.stringMatching(
        /^signet\.yaml:7:25 error picturesTooLarge: The pictures of this signature are \d+ bytes/,
      ),
    ])
    // Pictures that the signature has already make no block larger.
    const more = {
      ...block('slot: banner, template: templates/more.html'),
      'templates/more.html': html(1, 2, 3),
    }
    const files = { ...pictures, ...more, ...careers(html(4, 5)) }
    expect((await check({ ...files, ...standard(`${html(1, 2, 3)}{{block banner}}`) })).join()).toContain(
      ' error picturesTooLarge: ',
    )
    expect(await of([], [1, 2, 3, 4, 5])).toEqual([
      expect.stringContaining('signet.yaml:7:25 error picturesTooLarge: The pictures of this signature are '),
      expect.stringContaining('signet.yaml:15:38 error picturesTooLarge: The pictures of this block are '),
    ])
  })

  it('is the same of a document that was sent, without the sizes of pictures', async () => {
    const { document } = await reading({
      ...careers('<img src="{{picture fair.png}}" alt="a">'),
      ...block('slot: a, template: templates/foot.html'),
    })
    const codes = runSteps(checkingDocument(document, AT)).map(({ file, code }) => `${file} ${code}`)
    expect(codes).toEqual(['signet.yaml unknownTemplate', 'signet.yaml unknownSlot'])
  })
})

describe('what is expected of blocks', () => {
  const expecting = (fields: string): Promise<readonly string[]> =>
    check({
      'signet.yaml': GOOD['signet.yaml']
        .replace(', share: 50', ', replies: false')
        .replace('  careers:', `  news: { ${others}, recipients: internal }\n  careers:`),
      'expect.yaml': `- { person: maria@northwind.example, ${fields} }`,
    })

  it.each([
    'on: 2026-10-01, recipients: external, blocks: [autumn], contains: ["Fair"]',
    'on: 2026-10-01, recipients: partner.example, blocks: [autumn]',
    'on: 2026-10-01, recipients: internal, blocks: [news]',
    'on: 2026-10-01, blocks: [careers], contains: [We are hiring.]',
    'on: 2026-12-01, recipients: external, blocks: [careers]',
  ])('is so: %s', async (fields) => {
    expect(await expecting(fields)).toEqual([])
  })

  it.each([
    [
      'recipients: external, blocks: [careers]',
      '"blocks" of maria@northwind.example are [autumn], not [careers].',
    ],
    ['recipients: internal, blocks: []', '"blocks" of maria@northwind.example are [news], not [].'],
    ['contains: [Fair]', 'The default of maria@northwind.example does not contain "Fair".'],
  ])('is not so: %s', async (fields, sentence) => {
    expect(await expecting(fields)).toEqual([`expect.yaml:1:3 error expectation: ${sentence}`])
  })

  it('is read with the recipients that there are', async () => {
    expect(await expecting('recipients: others')).toEqual([
      'expect.yaml:1:38 error value: "recipients" is internal, external, a domain or an address.',
    ])
  })

  it('counts characters with the longest block', async () => {
    const most = (characters: number) =>
      check({ 'expect.yaml': `- everyone: { at-most: { characters: ${characters} } }` })
    expect(await most(200)).toEqual([])
    expect(await most(199)).toEqual([
      'expect.yaml:1:3 error expectation: "standard" of maria@northwind.example has 200 characters, more than 199.',
    ])
  })
})

describe('a check of what is asked before a message leaves', () => {
  const guard = (rules: string, of: string = GOOD['signet.yaml']): Files => ({
    'signet.yaml': `${of}guard:${rules}`,
  })

  it.each<readonly [what: string, rules: string]>([
    ['of a signature and a block', '\n  - signature: missing\n    recipients: external\n  - block: autumn\n'],
    ['for some', ' [{ signature: missing, for: [{ department: Sales }], recipients: [customer.example] }]\n'],
    ['that is empty', ' []\n'],
    ['without a value', '\n'],
  ])('[MEET-6] finds nothing in a guard %s', async (_, rules) => {
    expect(await check(guard(rules))).toEqual([])
  })

  it.each<readonly [sentence: string, files: Files]>([
    [
      'signet.yaml:17:12 error unknownBlock: There is no block "autum". Did you mean "autumn"?',
      guard('\n  - block: autum\n'),
    ],
    [
      'signet.yaml:18:12 error unknownBlock: There is no block "spring_banner".',
      guard('\n  - signature: missing\n  - block: spring_banner\n'),
    ],
    [
      'signet.yaml:17:5 error guard: A rule of "guard" is "signature: missing", or "block:" and the id of a block.',
      guard('\n  - recipients: external\n'),
    ],
    [
      'signet.yaml:17:5 error guard: A rule of "guard" is "signature: missing", or "block:" and the id of a block.',
      guard('\n  - { signature: missing, block: autumn }\n'),
    ],
    [
      'signet.yaml:18:5 error guard: "recipients" stands at the block: it is asked for where it is due.',
      guard('\n  - block: autumn\n    recipients: external\n'),
    ],
    [
      'signet.yaml:17:5 error value: "signature" is "missing": what is asked about.',
      guard('\n  - signature: there\n'),
    ],
    [
      'signet.yaml:17:27 error unknownKey: "during" is not known here. A rule of "guard" may have signature, block, for, not and recipients.',
      guard('\n  - { signature: missing, during: 2026-10-01/2026-10-31 }\n'),
    ],
    [
      'signet.yaml:17:33 error fitsNobody: The condition fits none of the people. Of the people, none has the department "Sale". Did you mean "Sales"?',
      guard('\n  - { signature: missing, for: [{ department: Sale }] }\n'),
    ],
    [
      'signet.yaml:17:40 warning unknownDomain: "nortwind.example" is the domain of no person, and not of "internal". Did you mean "northwind.example"?',
      guard('\n  - { signature: missing, recipients: [nortwind.example] }\n'),
    ],
    ['signet.yaml:16:8 error notList: "guard" is written as a list: [a, b].', guard(' missing\n')],
  ])('says %s', async (sentence, files) => {
    expect(await check(files)).toEqual([sentence])
  })

  it('says that inside and outside need the domains of the organisation', async () => {
    const text = GOOD['signet.yaml']
      .replace('internal: [northwind.example]\n', '')
      .replace('    recipients: external\n', '')
    expect(await check(guard('\n  - { signature: missing, recipients: internal }\n', text))).toEqual([
      'signet.yaml:15:39 error noDomains: "recipients: internal" needs "internal", the organisation\'s own domains.',
    ])
  })
})
