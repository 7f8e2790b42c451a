import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { describe, expect, it } from 'vitest'
import { checkFolder } from '../../src/folder/checkFolder.ts'
import { createTemplateTexts, expandTemplate } from '../../src/folder/expanded.ts'
import type { Finding } from '../../src/folder/finding.ts'
import { checkMarkup } from '../../src/folder/markup.ts'
import { initFolder } from '../../src/folder/writeFolder.ts'
import { readFolder } from '../../src/folder/readFolder.ts'
import { USER_PROPERTIES } from '../../src/service/directory/graphEntries.ts'
import { withoutUnsupported } from '../../src/folder/readers.ts'
import { parseTemplate, renderTemplate } from '../../streams/organisation/template/template.ts'
import { COMPANIES } from '../support/companySignatures.ts'
import { createReading, type Files, GOOD, useFolders } from './folders.ts'
import { png } from './pictures.ts'

/** Properties of Microsoft Graph that say who a person is, or have parts. */
const NO_VALUES = ['accountEnabled', 'userType', 'proxyAddresses', 'onPremisesExtensionAttributes']

const make = useFolders()
const reading = createReading(make)
const AT = Date.parse('2026-10-01T12:00:00Z')

const lines = (findings: readonly Finding[], level: Finding['level'] = 'error'): readonly string[] =>
  findings
    .filter((finding) => finding.level === level)
    .map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)

const checking = async (files: Files): Promise<readonly Finding[]> => checkFolder(await reading(files), AT)
const errors = async (files: Files): Promise<readonly string[]> => lines(await checking(files))
/** What is wrong with a template, by line and column. */
const inTemplate = async (html: string, more: Files = {}): Promise<readonly string[]> =>
  (await errors({ 'templates/short.html': html, ...more })).map((line) =>
    line.replace(/^templates\/short\.html:/, ''),
  )
const changed = (before: string, after: string): Files => {
  const good = GOOD['signet.yaml'] as string
  expect(good).toContain(before)
  return { 'signet.yaml': good.replace(before, after) }
}

describe('a check', () => {
  it('[SRV-15] finds nothing in a folder that is right', async () => {
    expect(await errors({})).toEqual([])
  })

  it('[SRV-15] finds nothing in a folder that was just begun', async () => {
    const folder = await make({})
    await initFolder(folder, { organisation: 'Northwind: "Trading"', domain: 'Northwind.example' })
    expect(checkFolder(await readFolder(folder), AT).filter(({ level }) => level === 'error')).toEqual([])
  })

  it('[SRV-15] finds nothing new in the signatures of the demonstration', async () => {
    const folder = join(import.meta.dirname, '../../src/service/demonstration/signatures')
    const codes = checkFolder(await readFolder(folder), AT).map(({ code }) => code)
    expect([...new Set(codes)].sort()).toEqual(['linkedPicture', 'notShown'])
  })

  it.each(COMPANIES.map(({ kind, html }) => [kind, html] as const))(
    'finds no links and pictures that are wrong in what companies write: %s',
    (_, html) => {
      const expanded = expandTemplate(
        'templates/a.html',
        createTemplateTexts({ 'templates/a.html': html }, new Map()),
      )
      const codes = expanded === null ? [] : checkMarkup(expanded).map(({ code }) => code)
      expect(codes.filter((code) => ['address', 'emptyLink', 'noLabel'].includes(code))).toEqual([])
    },
  )

  it('tells what reading found', async () => {
    expect(await errors(changed('name: Corporate', 'nome: Corporate'))).toEqual([
      'signet.yaml:18:5 unknownKey',
    ])
  })
})

describe('[SRV-15] markup that mail does not take', () => {
  it.each([
    ['<p>a</p>\n <script>x</script>', '2:2 element'],
    ['<form action="x"><input></form>', '1:1 element'],
    ['<p>\n<iframe src="x"></iframe>', '2:1 element'],
    ['<object data="x"></object>', '1:1 element'],
    ['<svg><a></a></svg>', '1:1 element'],
    ['<link rel="stylesheet" href="https://a.example/a.css">', '1:1 element'],
    ['<style>\n p { color: red }\n @import "https://a.example/a.css"; </style>', '3:2 element'],
    ['<p title="a" onclick="x">', '1:14 handler'],
    ['<p title="a" OnClick = x>', '1:14 handler'],
    ['<!--[if mso]><p onclick="x"></p><![endif]-->', '1:17 handler'],
    ['<a href="javascript:alert(1)">', '1:4 address'],
    ['<a\n href=" jav&#x09;ascript:x">', '2:2 address'],
    ['<a href="{{#if phone}}https://a.example/{{else}}javascript:x{{/if}}">', '1:10 placeholder'],
    ['<img alt="" src="logo.png">', '1:13 address'],
    ['<p style="color:red; behavior:url(x)">', '1:22 activeStyle'],
    ['<p style="width: expression(x)">', '1:11 activeStyle'],
    ['<img src="https://a.example/a.png">', '1:1 noAlternative'],
    ['<img alt="a"\n src="http://a.example/a.png">', '2:2 address'],
    ['<img alt="a" src="">', '1:14 address'],
    ['<td background=" HTTP://a.example/a.png">', '1:5 address'],
    ['<p style="color:red; background:url(http://a.example/a.png)">', '1:22 address'],
    ['<style>\np { background: url( "http://a.example/a.png" ) }</style>', '2:5 address'],
    ['<a href="">a</a>', '1:4 emptyLink'],
    ['<a title="a" href=" ">a</a>', '1:14 emptyLink'],
    ['<a href="#">a</a>', '1:4 emptyLink'],
    ['<p id="top-1">a</p>\n<a href="#tip-1">a</a>', '2:4 emptyLink'],
    ['<p id="top">a</p>\n<a href="#top">a</a>', '2:4 emptyLink'],
    ['<a href="mailto:">a</a>', '1:4 emptyLink'],
    ['<a href="tel: ">a</a>', '1:4 emptyLink'],
    ['<a href="https://">a</a>', '1:4 emptyLink'],
    ['<p>\r\n\r\n<meta charset="utf-8">', '3:1 element'],
    ['<p>{{first_name}}</p>{{first_name}}<base href="x">', '1:36 element'],
  ])('%j is refused at its place', async (html, place) => {
    expect(await inTemplate(html)).toContain(place)
  })

  it('is told at its place in a part, once', async () => {
    const found = await errors({
      'templates/legal.part.html': '<p>ok</p>\n<script></script>',
      'templates/short.html': '<i>a</i>{{> legal}}{{first_name}}{{> legal}}<embed>',
    })
    expect(found).toEqual(['templates/legal.part.html:2:1 element', 'templates/short.html:1:45 element'])
  })

  it.each([
    '<table role="presentation"><tr><td style="padding:0">{{first_name}}</td></tr></table>',
    '<p>{{first_name}} <a href="tel:{{tel phone}}">{{first phone job_title}}</a></p>',
    '<p>{{first_name}} <a href="mailto:{{email}}?subject=a">b</a></p>',
    `<a href='{{web website}}'>a</a>`,
    '<a href="https://a.example/?q={{first_name}}">a</a>',
    '{{#if picture_url}}<img src="{{picture_url}}" alt="{{display_name}}">{{/if}}',
    '<p title="{{#if phone}}{{phone}}{{else}}-{{/if}}">{{first_name}}</p>',
    '<td background="{{picture banners/autumn.png}}" style="background:url({{picture banners/autumn.png}})">a</td>',
    '<p style="{{#if phone}}color:red{{/if}}">{{first_name}}</p>',
    '<!--[if mso]><v:roundrect href="{{web phone}}"><center>{{first_name}}</center></v:roundrect><![endif]-->',
    '<!--[if !mso]><!--><a href="{{web website}}">{{first_name}}</a><!--<![endif]-->',
    '<!-- a remark -->{{first_name}}',
    '<p id="top-1">{{first_name}}</p><a href="#top-1">Up</a>',
    '<style>.name,td>p{margin:0 4px}</style><p class="name">{{first_name}}</p>',
    '<a href="mailto:?to=a@b.example&subject=c">a</a>',
    '<p>{us} {{first_name}} { phone: 1 }</p>',
  ])('%j is taken', async (html) => {
    const website = 'job_title: { from: jobTitle }\n  website: { value: "https://northwind.example" }'
    expect(await inTemplate(html, changed('job_title: { from: jobTitle }', website))).toEqual([])
  })
})

describe('[SRV-15] what would cover or hide the words of a message', () => {
  it.each<readonly [html: string, place: string]>([
    ...[
      'margin-top:-9px',
      'margin:0 0 calc(0px - 9px)',
      'transform:translateY(-9px)',
      'translate:0 -9px',
      'scale:9',
      'top:-9px',
      'inset:-9px 0 0',
      'offset-path:none',
      'box-shadow:0 -99px #fff',
      'height:99999px',
      'content:url(https://a.example/a.png)',
    ].flatMap((style) => [
      [`<p\n style="color:red; ${style}">{{first_name}}</p>`, '2:20 styleLeftOut'] as const,
      [`<style>\n\np { color:red; ${style} }</style>{{first_name}}`, '3:16 styleLeftOut'] as const,
    ]),
    ['<style>p{color:red}\nbody *{display:none!important}</style>{{first_name}}', '2:1 styleBound'],
    ['<style>html,body{visibility:hidden}</style>{{first_name}}', '1:8 styleBound'],
    ['<style>@media screen{ * {color:red}}</style>{{first_name}}', '1:23 styleBound'],
    ['<style>p{color:red}\n ~ p{display:none}</style>{{first_name}}', '2:2 styleLeftOut'],
    ['<!--[if mso]><style>td, body{color:red}</style><![endif]-->{{first_name}}', '1:21 styleBound'],
  ])('is told at its place: %j', async (html, place) => {
    const warnings = lines(await checking({ 'templates/short.html': html }), 'warning')
    expect(warnings).toContain(`templates/short.html:${place}`)
  })
})

describe('[SRV-15] a link that cannot be found or followed', () => {
  it.each([
    ['<p>{{first_name}}</p>\n<a href="https://a.example/"> &nbsp; </a>', '2:1 noLabel'],
    ['<a href="https://a.example/"><img alt="" src="{{picture banners/autumn.png}}"></a>', '1:1 noLabel'],
    ['<a href="https://a.example/"><a href="https://a.example/">a</a>', '1:1 noLabel'],
    ['<a href="mailto:?subject=a">a</a>', '1:4 emptyLink'],
  ])('%j is warned of', async (html, place) => {
    const found = await checking({ 'templates/short.html': html })
    expect(lines(found, 'warning')).toContain(`templates/short.html:${place}`)
    expect(lines(found)).toEqual([])
  })

  it.each([
    '<a href="https://a.example/">{{first_name}}</a>',
    '<a href="https://a.example/"><b>a</b></a>',
    '<a href="https://a.example/"><img alt="a" src="{{picture banners/autumn.png}}"></a>',
    '<a href="https://a.example/" aria-label="a"><img alt="" src="{{picture banners/autumn.png}}"></a>',
    '<a name="_MailSignature"></a>{{first_name}}',
    '<a href="https://a.example/"><!--[if mso]><a href="https://a.example/"></a><![endif]-->{{first_name}}</a>',
  ])('%j is not', async (html) => {
    const found = await checking({ 'templates/short.html': html })
    expect(found.filter(({ code }) => code === 'noLabel' || code === 'emptyLink')).toEqual([])
  })
})

describe('[SRV-15] a placeholder with other braces than two on each side', () => {
  it.each([
    ['<p>\n {phone}</p>', '2:2'],
    ['<p>{ tel phone }</p>', '1:4'],
    ['<p>{{{phone}}}</p>', '1:4'],
    ['<p>{{phone}</p>', '1:4'],
    ['<p>{phone}}</p>', '1:4'],
    ['<p>{{phone}}}</p>', '1:4'],
    ['<p>{#if phone}}a</p>', '1:4'],
    ['<p>{> legal}</p>', '1:4'],
    ['<img alt="a" src="{picture banners/autumn.png}">', '1:19'],
  ])('%j is told once', async (html, place) => {
    const found = await inTemplate(html)
    expect(found.filter((line) => /braces|unknown/.test(line))).toEqual([`${place} braces`])
  })

  it('is told with the right writing', async () => {
    const found = await checking({ 'templates/short.html': '{ tel  phone }' })
    expect(found.find(({ code }) => code === 'braces')?.message).toBe(
      'A placeholder has two braces on each side: "{{tel phone}}".',
    )
  })
})

describe('[SRV-15] a placeholder whose value could become markup', () => {
  it.each([
    ['<p title={{phone}}>', '1:10 placeholder'],
    ['<p {{phone}}>', '1:4 placeholder'],
    ['<p\n  {{phone}}="a">', '2:3 placeholder'],
    ['<{{phone}}>', '1:2 placeholder'],
    ['<p></{{phone}}>', '1:6 placeholder'],
    ['<b{{phone}}>', '1:3 placeholder'],
    ['<!-- {{phone}} -->', '1:6 placeholder'],
    ['<!--[if {{phone}}]>a<![endif]-->', '1:9 placeholder'],
    ['<!--[if mso]>{{phone}}> a<![endif]-->', '1:14 placeholder'],
    ['<!--[if mso]><p title="{{phone}}>"></p><![endif]-->', '1:24 placeholder'],
    ['<!--[if mso]><p title={{phone}}></p><![endif]-->', '1:23 placeholder'],
    ['<p style="color:{{phone}}">', '1:17 placeholder'],
    ['<style>p { color: {{phone}} }</style>', '1:19 placeholder'],
    ['<a href="{{phone}}">', '1:10 placeholder'],
    ['<a href="{{tel phone}}">', '1:10 placeholder'],
    ['<a href="https://{{phone}}">', '1:18 placeholder'],
    ['<a href="https://{{web phone}}">', '1:18 placeholder'],
    ['<a href="java{{phone}}">', '1:14 placeholder'],
    ['<img alt="" src="{{phone}}">', '1:18 placeholder'],
    ['<p title="a" title="{{phone}}">', '1:21 placeholder'],
    ['<p onclick="{{phone}}">', '1:13 placeholder'],
    ['<textarea>{{phone}}</textarea>', '1:11 placeholder'],
    ['<p {{#if phone}}title="a"{{/if}}>', '1:4 placeholder'],
  ])('%j is refused at its place', async (html, place) => {
    expect(await inTemplate(html)).toContain(place)
  })

  it.each([
    ['{{#if phone}}<p title="{{/if}}a">', '1:24 condition'],
    ['<p title="{{#if phone}}a">{{/if}}', '1:27 condition'],
    ['<p title="{{#if phone}}" class="{{else}}b">{{/if}}', '1:33 condition'],
  ])('%j has a condition that cuts through the markup', async (html, place) => {
    expect(await inTemplate(html)).toContain(place)
  })

  /** Pieces of markup that are often near each other where something goes wrong. */
  const piece = fc.constantFrom(
    ...[
      '<p>',
      '</p>',
      '<a href="',
      '">',
      '<b title="',
      "<i title='",
      "'>",
      '"',
      '>',
      '<',
      ' ',
      'x',
      '=',
      '/',
    ],
    ...[
      '<!--',
      '-->',
      '<!--[if mso]>',
      '<![endif]-->',
      '--',
      '-',
      '!',
      'tel:',
      'https://a.example/',
      '&',
      ';',
    ],
    ...[
      '{{v}}',
      '{{web v}}',
      '{{tel v}}',
      '{{#if v}}',
      '{{else}}',
      '{{/if}}',
      '<style>',
      '</style>',
      'style="',
    ],
    ...[
      '</b>',
      '<td class="{{v}}">',
      '<a href="{{web v}}">',
      '<a href="tel:{{tel v}}">',
      '<b title="{{v}}">',
    ],
  )
  const HOSTILE = [
    '-',
    '--',
    '>',
    '"><img>',
    "'",
    '</p>',
    '<!--',
    '-->',
    ' onclick=x ',
    'javascript:x',
    '{{v}}',
    'http://x',
  ]

  property.prop([fc.array(piece, { maxLength: 12 }), fc.constantFrom(...HOSTILE)], { numRuns: 1000 })(
    'never remains in a template that is taken: no value changes its structure',
    (pieces, value) => {
      const html = pieces.join('')
      const texts = createTemplateTexts({ 'templates/a.html': html }, new Map())
      const expanded = expandTemplate('templates/a.html', texts)
      const { template, problems } = parseTemplate(html, new Map())
      fc.pre(problems.length === 0)
      if (expanded === null || checkMarkup(expanded).some(({ level }) => level === 'error')) return
      const render = (v: string) => renderTemplate(template, { values: { v }, pictureUrl: () => '' })
      expect(structure(render(value))).toEqual(structure(render('x')))
    },
  )
})

/** Elements, the names of their attributes, and the schemes of links, as a browser reads them. */
function structure(html: string): unknown {
  const read = (node: DefaultTreeAdapterTypes.ChildNode): unknown => {
    if (node.nodeName === '#comment') {
      const word = /^\[if mso\]>([^]*)<!\[endif\]$/.exec((node as DefaultTreeAdapterTypes.CommentNode).data)
      return ['comment', word === null ? null : structure(word[1] ?? '')]
    }
    if (!('tagName' in node)) return 'text'
    const attributes = node.attrs.map(({ name, value }) => [
      name,
      name === 'href' ? /^\s*(?:javascript|data)\s*:/i.test(value) : null,
    ])
    return [node.tagName, attributes, node.childNodes.map(read)]
  }
  return parseFragment(html).childNodes.map(read)
}

describe('[SRV-15] names that are unknown, alike or without effect', () => {
  it.each<[string, Files, string]>([
    ['a variable', { 'templates/short.html': '<p>\n{{fone}}' }, 'templates/short.html:2:1 unknownVariable'],
    [
      'a variable of a condition',
      { 'templates/short.html': '{{#if fone}}a{{/if}}' },
      'templates/short.html:1:1 unknownVariable',
    ],
    ['a part', { 'templates/short.html': 'a {{> lagal}}' }, 'templates/short.html:1:3 unknownPart'],
    [
      'a part in a part',
      { 'templates/legal.part.html': 'a{{> legal}}' },
      'templates/legal.part.html:1:2 partInPart',
    ],
    [
      'a picture',
      { 'templates/short.html': '{{picture logo.png}}' },
      'templates/short.html:1:1 unknownPicture',
    ],
    [
      'a picture elsewhere',
      { 'templates/short.html': '{{picture ../logo.png}}' },
      'templates/short.html:1:1 unknownPicture',
    ],
    [
      'a placeholder',
      { 'templates/short.html': 'a{{ph one}}' },
      'templates/short.html:1:2 unknownPlaceholder',
    ],
    ['an open condition', { 'templates/short.html': 'a{{#if phone}}' }, 'templates/short.html:1:2 unclosed'],
    [
      'a template',
      changed('reply: templates/short.html', 'reply: templates/shirt.html'),
      'signet.yaml:20:12 unknownTemplate',
    ],
    [
      'a part as a template',
      changed('reply: templates/short.html', 'reply: templates/legal.part.html'),
      'signet.yaml:20:12 unknownTemplate',
    ],
    [
      'a group',
      changed('{ group: sales-emea }]\n    not', '{ group: sales }]\n    not'),
      'signet.yaml:12:53 unknownGroup',
    ],
    ['a person', changed('cfo@northwind.example', 'ceo@northwind.example'), 'signet.yaml:13:11 fitsNobody'],
    ['a value of a field', changed('department: Sales', 'department: Legal'), 'signet.yaml:12:11 fitsNobody'],
    [
      "a mailbox's value",
      changed('{ first_name: Sales }', '{ fon: Sales }'),
      'signet.yaml:23:70 unknownVariable',
    ],
    [
      "a mailbox's value of the directory",
      changed('{ first_name: Sales }', '{ email: a }'),
      'signet.yaml:23:70 unknownVariable',
    ],
    [
      'a value of a list that resembles another',
      changed('country: [DE, AT]', 'country: [DE, AT], givenName: [Maria, Carol]'),
      'signet.yaml:12:70 fitsNobody',
    ],
    [
      'an address of a list in a mistyped domain',
      changed('cfo@northwind.example', '[cfo@northwind.example, max@nortwind.example]'),
      'signet.yaml:13:45 fitsNobody',
    ],
    [
      'a mailbox in a mistyped domain',
      changed('Sales@northwind.example:', 'Sales@northwnid.example:'),
      'signet.yaml:23:3 unknownDomain',
    ],
    [
      'an internal domain that is mistyped',
      changed('internal: [northwind.example]', 'internal: [a.example, northwind.exampel]'),
      'signet.yaml:3:23 unknownDomain',
    ],
    [
      'a field that no person has',
      changed('from: jobTitle', 'from: jobTitel'),
      'signet.yaml:6:22 unknownField',
    ],
    [
      'a field that is a list',
      changed('from: jobTitle', 'from: businessPhones'),
      'signet.yaml:6:22 unknownField',
    ],
    [
      'a field that resembles a column',
      changed('from: jobTitle', 'from: given_name'),
      'signet.yaml:6:22 unknownField',
    ],
    [
      'a field of the manager that no directory fills',
      changed('from: jobTitle', 'from: manager.jobTitel'),
      'signet.yaml:6:22 unknownField',
    ],
    ['two names alike', changed('name: Corporate', 'name: " autumn FAIR"'), 'signet.yaml:18:11 nameTwice'],
    [
      'a window that never opens',
      changed('2026-09-01/2026-11-30', '2026-09-01/2026-08-31'),
      'signet.yaml:14:13 neverOpens',
    ],
  ])('%s', async (_, files, place) => {
    expect(await errors(files)).toContain(place)
  })

  it.each([
    ['northwind.de', 'northwnd.de', true],
    ['abcd.northwind.de', 'abce.northwind.de', true],
    ['abc.northwind.de', 'abd.northwind.de', false],
    ['northwind.fr', 'northwind.de', false],
    ['northwind.de', 'north.wind.de', false],
    ['northwind.de', 'sales.northwind.de', false],
  ])('of %s and %s takes one for a slip of the other: %s', async (known, domain, isSlip) => {
    const { 'signet.yaml': yaml } = changed('internal: [northwind.example]', `internal: [${known}]`)
    const files = { 'signet.yaml': String(yaml).replace('Sales@northwind.example:', `Sales@${domain}:`) }
    const found = await errors(files)
    expect(found.filter((place) => place.endsWith(' unknownDomain'))).toHaveLength(isSlip ? 1 : 0)
  })

  it('knows no groups without people', async () => {
    const found = await errors({
      ...changed('cfo@northwind.example', 'ceo@northwind.example'),
      'people.csv': null,
    })
    expect(found).toEqual([])
  })

  it('knows the values of the writer, and suggests the one that was meant', async () => {
    const found = async (corporate: string) =>
      (await checking({ 'templates/corporate.html': corporate })).map(({ message }) => message)
    expect(await found('<p>{{first_name}}{{writer.phnoe}}</p>')).toContain(
      'There is no variable "writer.phnoe". Did you mean "writer.phone"?',
    )
    const line = (name: string) =>
      `<p>{{first_name}}</p><a href="tel:{{tel ${name}}}">Call</a><p>{{phone ${name}}}</p>`
    // Of three people two have no number. Nobody writes for a mailbox in the check: its writer's values are labels.
    expect((await found(line('writer.phone'))).join()).toContain('The link leads nowhere for 2 people')
    const filled = (GOOD['people.csv'] as string)
      .replaceAll(',\n', ',+49 30 901820\n')
      .replace('1234', '901820')
    const ofMailbox = `${filled}sales@northwind.example,u-4,Desk,Legal,DE,board,\n`
    const checked = async (name: string) =>
      (await checking({ 'templates/corporate.html': line(name), 'people.csv': ofMailbox })).map(
        ({ code }) => code,
      )
    expect(await checked('phone')).toContain('emptyLink')
    const codes = await checked('writer.phone')
    for (const code of ['emptyLink', 'emptyLine', 'notANumber']) expect(codes).not.toContain(code)
  })

  it('reads the field of a variable that only the writer shows', async () => {
    const text = 'email,businessPhones.0,telephoneNumber\nmaria@northwind.example,,+49 30 1234\n'
    const corporate = '<p>{{first_name}} {{first writer.phone first_name}}</p>'
    const found = await checking({ 'people.csv': text, 'templates/corporate.html': corporate })
    expect(found.map(({ code, line }) => [line, code])).toContainEqual([7, 'otherField'])
  })

  it('takes a directory extension as a field, also of the manager', async () => {
    const extension = 'extension_0a21f0f28d2a4f8ebf987363c4aed4ef_costCentre'
    for (const from of [extension, `manager.${extension}`])
      expect(await errors(changed('from: jobTitle', `from: ${from}`))).toEqual([])
    for (const from of [extension.slice(0, -11), `other.${extension}`])
      expect(await errors(changed('from: jobTitle', `from: ${from}`))).toContain(
        'signet.yaml:6:22 unknownField',
      )
  })

  it('suggests what was meant', async () => {
    const suggested = async (files: Files): Promise<string | undefined> =>
      (await checking(files)).flatMap(({ message }) => / Did you mean (".*")\?$/.exec(message)?.[1] ?? [])[0]
    expect(await suggested(changed('from: jobTitle', 'from: jobTitel'))).toBe('"jobTitle"')
    expect(await suggested(changed('from: jobTitle', 'from: businessPhones'))).toBe('"businessPhones.0"')
    for (const from of ['manager', 'manager.display_name'])
      expect(await suggested(changed('from: jobTitle', `from: ${from}`))).toBe('"manager.displayName"')
    expect(await suggested(changed('department: Sales', 'department: sales'))).toBe('"Sales"')
    expect(await suggested(changed('cfo@northwind.example', 'carla@nortwind.example'))).toBe(
      '"carla@northwind.example"',
    )
    expect(
      await suggested(changed('{ group: sales-emea }]\n    not', '{ group: Sales EMEA }]\n    not')),
    ).toBe('"sales-emea"')
    expect(await suggested({ 'templates/short.html': '{{fone}}{{phnoe}}' })).toBe('"phone"')
  })

  it('warns of a value of a list that fits no person, and of none that resembles a listed one', async () => {
    expect(lines(await checking({}), 'warning')).toContain('signet.yaml:12:46 fitsNobody')
    const listed = changed('country: [DE, AT]', 'country: [DE], givenName: [Maria, Marai, Hall 2]')
    expect(lines(await checking(listed), 'warning')).toEqual(
      expect.arrayContaining(['signet.yaml:12:66 fitsNobody', 'signet.yaml:12:73 fitsNobody']),
    )
    expect(lines(await checking(listed))).toEqual([])
  })

  describe('knows the other names of a field', () => {
    const PEOPLE = GOOD['people.csv'] as string
    const found = async (files: Files) =>
      (await checking(files))
        .filter(({ code }) => code === 'otherField' || code === 'unknownField')
        .map(({ line, level, code, message }) => [
          line,
          level,
          code,
          [...message.matchAll(/"([^"]*)"/g)].map(([, name]) => name).at(-1),
        ])
    const withHeading = (from: string, to: string): Files => ({ 'people.csv': PEOPLE.replace(from, to) })

    it.each([
      ['telephoneNumber', 'telephoneNumber'],
      ['phone', 'phone'],
      ['Telephone Number', 'Telephone Number'],
    ])('that people have in the place of the one that a variable reads: %s', async (heading, name) => {
      expect(await found(withHeading('businessPhones.0', heading))).toEqual([
        [7, 'warning', 'otherField', name],
      ])
    })

    it('that people have where the column of the variable is empty', async () => {
      const text = 'email,businessPhones.0,telephoneNumber\nmaria@northwind.example,,+49 30 1234\n'
      expect(await found({ 'people.csv': text })).toContainEqual([
        7,
        'warning',
        'otherField',
        'telephoneNumber',
      ])
      const filled = text.replace(',,', ',+49 30 1,')
      expect((await found({ 'people.csv': filled })).map(([, , code]) => code)).not.toContain('otherField')
    })

    it('when no directory has the one that a variable reads', async () => {
      const variable = changed('from: businessPhones.0', 'from: telephoneNumber')
      const error = [7, 'error', 'unknownField', 'businessPhones.0']
      expect(await found(variable)).toEqual([error])
      // A file that is imported elsewhere may have it.
      expect(await found({ ...variable, 'people.csv': null })).toEqual([
        [7, 'warning', 'unknownField', 'businessPhones.0'],
      ])
    })

    it('of the manager, too', async () => {
      const text = `email,telephoneNumber,manager\nmaria@northwind.example,+49 30 1,\ntom@northwind.example,+49 30 2,maria@northwind.example\n`
      const variable = changed('from: businessPhones.0', 'from: manager.businessPhones.0')
      expect(await found({ ...variable, 'people.csv': text })).toContainEqual([
        ...[7, 'warning', 'otherField', 'manager.telephoneNumber'],
      ])
    })

    it('only for what a used template reads: by itself, in a condition or in a part', async () => {
      const renamed = withHeading('businessPhones.0', 'telephoneNumber')
      const warning = [7, 'warning', 'otherField', 'telephoneNumber']
      const shows = (corporate: string, more: Files = {}) =>
        found({ ...renamed, 'templates/corporate.html': corporate, ...more })
      for (const read of ['{{phone}}', '{{tel phone}}', '{{phone phone}}', '{{first job_title phone}}'])
        expect([read, await shows(`<p>${read}</p>`)]).toEqual([read, [warning]])
      expect(await shows('<p>{{#if phone}}T{{/if}}</p>')).toEqual([warning])
      expect(await shows('{{> legal}}', { 'templates/legal.part.html': '<p>{{phone}}</p>' })).toEqual([
        warning,
      ])
      // No template reads the variable, or only a template that no signature uses.
      expect(await shows('<p>{{first_name}}</p>')).toEqual([])
      expect(await shows('<p>Hello</p>', { 'templates/unused.html': '<p>{{phone}}</p>' })).toEqual([])
    })

    it('of the manager, whose field no variable reads', async () => {
      const text =
        'email,businessPhones.0,Phone,manager\nmaria@northwind.example,,+49 30 1,\ntom@northwind.example,+49 30 2,,maria@northwind.example\n'
      const corporate = '<p>{{first_name}}</p>\n<p>{{phone}} {{manager.phone}}</p>'
      expect(await found({ 'people.csv': text, 'templates/corporate.html': corporate })).toContainEqual([
        ...[2, 'warning', 'otherField', 'manager.Phone'],
      ])
    })

    it('of the postal address, whose fields a template reads without a variable', async () => {
      const text = 'email,street,postalCode,town\nmaria@northwind.example,Kai 1,5003,Bergen\n'
      const files = { 'people.csv': text, 'templates/corporate.html': '<p>Us</p>\n<p>{{address}}</p>' }
      const ofAddress = (await found(files)).filter(([line]) => line === 2)
      expect(ofAddress).toEqual([
        [2, 'warning', 'otherField', 'street'],
        [2, 'warning', 'otherField', 'town'],
      ])
      const variables = changed(
        'job_title: { from: jobTitle }',
        'job_title: { from: jobTitle }\n  address: { from: officeLocation }',
      )
      expect((await found({ ...files, ...variables })).filter(([line]) => line === 2)).toEqual([])
    })

    it('and says nothing of a field that people lack under every name', async () => {
      expect(await found({})).toEqual([])
      expect(await found(withHeading('businessPhones.0', 'badge'))).toEqual([])
    })
  })

  it('takes names that differ in a digit, and domains beside the right one, as they are', async () => {
    const halls = changed('department: Sales', 'department: [Sales, Legal 2]')
    expect(lines(await checking(halls))).toEqual([])
    const both = changed('internal: [northwind.example]', 'internal: [northwind.example, northwind.exampel]')
    expect(lines(await checking(both))).toEqual([])
  })

  it('knows without people which domains and fields resemble others', async () => {
    const alone = async (files: Files) => {
      const found = await checking({ ...files, 'people.csv': null })
      return found
        .filter(({ code }) => code.startsWith('unknown'))
        .map(({ level, code, message }) => [level, code, message.includes(' Did you mean')])
    }
    expect(await alone({})).toEqual([])
    expect(await alone(changed('cfo@northwind.example', 'cfo@nortwind.example'))).toEqual([
      ['warning', 'unknownDomain', true],
    ])
    expect(await alone(changed('Sales@northwind.example', 'sales@other.example'))).toEqual([
      ['warning', 'unknownDomain', false],
    ])
    expect(await alone(changed('Sales@northwind.example', 'sales@uk.northwind.example'))).toEqual([])
    expect(await alone(changed('external', '[nortwind.example, partner.example]'))).toEqual([
      ['warning', 'unknownDomain', true],
    ])
    expect(await alone(changed('from: jobTitle', 'from: jobTitel'))).toEqual([
      ['error', 'unknownField', true],
    ])
    expect(await alone(changed('from: jobTitle', 'from: badge'))).toEqual([
      ['warning', 'unknownField', false],
    ])
  })

  it('takes the fields of the directory and of the file', async () => {
    const people = (GOOD['people.csv'] as string).replace('givenName', 'vorname')
    const found = await checking({ ...changed('from: givenName', 'from: vorname'), 'people.csv': people })
    expect(lines(found)).toEqual([])
    for (const property of USER_PROPERTIES) {
      const field = { businessPhones: 'businessPhones.0' }[property] ?? property
      if (NO_VALUES.includes(field)) continue
      expect([field, await errors(changed('from: jobTitle', `from: ${field}`))]).toEqual([field, []])
    }
    expect(await errors(changed('from: jobTitle', 'from: manager.displayName'))).toEqual([])
  })

  it('warns of a signature for some below one for everyone', async () => {
    const good = GOOD['signet.yaml'] as string
    const [before = '', rest = ''] = good.split('  autumn:\n')
    const [autumn = '', after = ''] = rest.split('  corporate:\n')
    const [corporate = '', mailboxes = ''] = after.split('mailboxes:\n')
    const ordered = (...parts: readonly string[]) =>
      checking({ 'signet.yaml': [before, ...parts, `mailboxes:\n${mailboxes}`].join('') })
    const [some, all] = [`  autumn:\n${autumn}`, `  corporate:\n${corporate}`]
    const other = all.replace('corporate:', 'other:').replace('Corporate', 'Other')
    const found = async (...parts: readonly string[]) =>
      lines(await ordered(...parts), 'warning').filter((line) => line.endsWith('neverDefault'))
    expect(await found(some, all)).toEqual([])
    expect(await found(all, some)).toEqual(['signet.yaml:14:3 neverDefault'])
    // One for some addresses decides for mail from these.
    const brand = other.replace('for: everyone', 'for: [{ address: "*@brand-b.example" }]')
    expect(brand).not.toBe(other)
    expect(await found(all, brand)).toEqual([])
    // Who may choose chooses among those for everyone.
    expect(await found(all, other)).toEqual([])
    const fixed = before.replace('variables:', 'choose-default: false\nvariables:')
    const withoutChoice = await checking({ 'signet.yaml': [fixed, all, other].join('') })
    expect(lines(withoutChoice, 'warning')).toContain('signet.yaml:15:3 neverDefault')
    expect(await found(all.replace('everyone', 'everyone\n    recipients: external'), some)).toEqual([])
  })

  it('warns of a signature whose id is the name of a person', async () => {
    const people = (GOOD['people.csv'] as string)
      .replace('country', 'surname')
      .replaceAll(',DE,', ',Silva,')
      .replace(',PT,', ',,')
    const found = async (id: string) => {
      const files = changed('  corporate:', `  ${id}:`)
      return lines(await checking({ ...files, 'people.csv': people }), 'warning').filter((line) =>
        line.endsWith('idNames'),
      )
    }
    expect(await found('silva_maria')).toEqual(['signet.yaml:17:3 idNames'])
    expect(await found('silva')).toEqual([])
    // A first or last name that stands alone is no name of a person.
    expect(await found('tom')).toEqual([])
  })

  it('warns of words for users that are empty', async () => {
    const found = await checking(changed('resync: true }', 'resync: true, label: "" }'))
    expect(lines(found, 'warning')).toContain('signet.yaml:7:69 emptyLabel')
  })

  it('warns of a window that is over, and of a list that fits everybody', async () => {
    const over = await checking(changed('2026-09-01/2026-11-30', '2026-09-01/2026-09-30'))
    expect(lines(over, 'warning')).toContain('signet.yaml:14:13 isOver')
    const all = await checking(changed('department: Sales, country: [DE, AT]', 'country: [DE, PT]'))
    expect(lines(all, 'warning')).toContain('signet.yaml:12:5 fitsEverybody')
    expect(lines(await checking({}), 'warning')).not.toContain('signet.yaml:12:5 fitsEverybody')
  })
})

describe('[SRV-15] what people would get', () => {
  it.each([
    ['a label alone', '<p>{{first_name}}<br>T {{phone}}</p>', '1:24 emptyLine'],
    [
      'an empty line',
      '<table><tr><td>{{first_name}}</td></tr>\n<tr><td>{{phone}}</td></tr></table>',
      '2:9 emptyLine',
    ],
    ['a label before a link', '<p>T <a href="tel:{{tel phone}}">{{phone}}</a></p>', '1:34 emptyLine'],
    [
      'a label in the other branch',
      '{{#if phone}}{{phone}}{{else}}<p>T {{phone}}</p>{{/if}}',
      '1:36 emptyLine',
    ],
    [
      'a line that another value keeps',
      '{{#if first_name phone}}<p>T {{phone}}</p>{{/if}}',
      '1:30 emptyLine',
    ],
  ])('must not show %s', async (_, html, place) => {
    expect(await inTemplate(html)).toEqual([place])
  })

  it.each([
    '<p>{{first_name}}{{#if phone}}<br>T {{phone}}{{/if}}</p>',
    '<p>{{first_name}}, {{phone}}</p>',
    '{{#if phone job_title}}<p>{{phone}}{{job_title}}</p>{{/if}}',
    '<p>{{first phone first_name}}</p>',
    '<p>This message and its attachments are confidential. {{phone}}</p>',
    '<p><img src="{{picture banners/autumn.png}}" alt="a">{{phone}}</p>',
  ])('may be %j', async (html) => {
    expect(await inTemplate(html)).toEqual([])
  })

  it.each([
    ['<p>{{first_name}} <a href="{{web job_title}}">Site</a></p>', '1:28 emptyLink'],
    ['<p>{{first_name}} <a href="tel:{{tel phone}}">Call</a></p>', '1:32 emptyLink'],
    [
      '<p>{{first_name}} <a href="mailto:{{phone}}"><img alt="a" src="{{picture banners/autumn.png}}"></a></p>',
      '1:35 emptyLink',
    ],
    ['<p>{{first_name}} <a href="{{web first_name}}/de">Site</a></p>', '1:28 emptyLink'],
    ['<p>{{first_name}} <a href="tel:{{tel first_name}}">Call</a></p>', '1:32 emptyLink'],
  ])('must not show a link that leads nowhere for a person: %j', async (html, place) => {
    expect(await inTemplate(html)).toEqual([place])
  })

  it.each([
    '<p>{{first_name}} {{#if phone}}<a href="tel:{{tel phone}}">Call</a>{{/if}}</p>',
    '<p>{{first_name}} <a href="tel:{{tel phone}}">{{phone}}</a></p>',
    '<p>{{first_name}} <a href="https://a.example/{{phone}}">Site</a></p>',
  ])('may show %j', async (html) => {
    expect(await inTemplate(html)).toEqual([])
  })

  it('names one for whom a link leads nowhere', async () => {
    const people = (GOOD['people.csv'] as string)
      .replace('+49 30 1234', 'https://a.example/')
      .replace('sales-emea;board,', 'sales-emea;board,www.b.example')
    const html = '{{#if phone}}<a href="{{web phone}}">Site</a>{{/if}}'
    const found = await checking({ 'templates/short.html': html, 'people.csv': people })
    expect(found.find(({ code }) => code === 'emptyLink')?.message).toBe(
      'The link leads nowhere for cfo@northwind.example: "www.b.example" is not a complete address.',
    )
  })

  it('says for how many a label is alone', async () => {
    const found = await checking({ 'templates/short.html': '<p>T {{job_title}}</p>' })
    expect(found.find(({ code }) => code === 'emptyLine')?.message).toContain(
      'shows "T" with nothing behind it for 3 people (maria@northwind.example is one)',
    )
  })

  it('must not be longer than Outlook takes, for any person', async () => {
    const long = `${'a'.repeat(29_985)} {{first_name}}`
    const found = await errors({ 'templates/short.html': long })
    expect(found).toEqual([])
    const people = `${GOOD['people.csv'] as string}x@northwind.example,u-4,${'X'.repeat(20)},,,,\n`
    const more = await errors({ 'templates/short.html': long, 'people.csv': people })
    expect(more).toEqual(['signet.yaml:20:12 tooLong'])
  })

  it('must not have more pictures than Outlook attaches', async () => {
    const names = [1, 2, 3, 4, 5].map((number) => `${number}.png`)
    const big = Object.fromEntries(
      names.map((name, index) => [`pictures/${name}`, png(1 + index, 1, 1024 * 1024 - 200)]),
    )
    const html = (those: readonly string[]) =>
      those.map((name) => `<img alt="a" src="{{picture ${name}}}">`).join('')
    expect(await errors({ ...big, 'templates/short.html': html(names.slice(1)) })).toEqual([])
    expect(await errors({ ...big, 'templates/short.html': html(names) })).toEqual([
      'signet.yaml:20:12 picturesTooLarge',
    ])
    const linked = html(names).replace('1.png', '1.png linked')
    expect(await errors({ ...big, 'templates/short.html': linked })).toEqual([])
    const all = { 'signet.yaml': `${GOOD['signet.yaml'] as string}pictures: linked\n` }
    expect(await errors({ ...big, ...all, 'templates/short.html': html(names) })).toEqual([])
  })

  it.each([
    ['<p style="color:#777777">{{first_name}}</p>', 1],
    ['<p style="color:#767676">{{first_name}}</p>', 0],
    ['<td bgcolor="#0f3d5e"><p style="color:#0f3d5e">{{first_name}}</p></td>', 1],
    ['<td bgcolor="#0f3d5e"><p style="color:white">{{first_name}}</p></td>', 0],
    ['<p style="font-size:8px">{{first_name}}</p>', 1],
    ['<p style="font-size:8pt">{{first_name}}</p>', 0],
    ['<p style="color:#777777;font-size:24px">{{first_name}}</p>', 0],
    ['<p class="a" style="background:url({{picture banners/autumn.png}})">{{first_name}}</p>', 0],
  ])('should not be hard to read: %j', async (html, count) => {
    const found = await checking({ 'templates/short.html': html })
    expect(found.filter(({ code }) => code === 'hardToRead')).toHaveLength(count)
  })
})

describe('expect.yaml', () => {
  const expecting = (text: string): Promise<readonly string[]> => errors({ 'expect.yaml': text })

  it.each([
    '- { person: Maria@northwind.example, on: 2026-10-01, default: autumn, contains: [Maria] }',
    '- { person: maria@northwind.example, on: 2026-12-01, default: corporate, reply: corporate, contains: ["+49 30 1234"] }',
    '- { person: cfo@northwind.example, default: corporate }',
    '- everyone: { has-default: true, at-most: { characters: 300 } }',
  ])('%s is so', async (text) => {
    expect(await expecting(text)).toEqual([])
  })

  it.each([
    '- { person: maria@northwind.example, on: 2026-12-01, default: autumn }',
    '- { person: cfo@northwind.example, default: none }',
    '- { person: maria@northwind.example, reply: corporate }',
    '- { person: maria@northwind.example, contains: [Carl] }',
    '- { person: unknown@northwind.example, default: corporate }',
    '- everyone: { has-default: false }',
    '- everyone: { at-most: { characters: 20 } }',
  ])('%s is not', async (text) => {
    expect(await expecting(`# first\n${text}`)).toEqual(['expect.yaml:2:3 expectation'])
  })

  it.each([
    ['- { person: maria }', '1:5 value'],
    ['- { person: a@b.example, defualt: a }', '1:26 unknownKey'],
    ['- { everyone: { has-default: true }, default: a }', '1:38 unknownKey'],
    ['- { everyone: { at-most: { characters: many } } }', '1:28 value'],
    ['- { person: a@b.example, on: tomorrow }', '1:26 value'],
    ['person: a@b.example', '1:1 notList'],
  ])('%s cannot be read', async (text, place) => {
    expect(await expecting(text)).toContain(`expect.yaml:${place}`)
  })

  it('needs people', async () => {
    const found = await errors({ 'expect.yaml': '- everyone: { has-default: true }', 'people.csv': null })
    expect(found).toEqual(['expect.yaml:1:3 noPeople'])
  })
})

describe('mail clients', () => {
  const warnings = async (html: string, readers: string) =>
    (
      await checking({
        'templates/short.html': html,
        'signet.yaml': `${GOOD['signet.yaml'] as string}readers: [${readers}]\n`,
      })
    ).flatMap(({ code, file, line, column, message }) =>
      code === 'notShown' && file === 'templates/short.html' ? [`${line}:${column} ${message}`] : [],
    )

  it('[SRV-29] are told for what they do not show, with its place', async () => {
    const html = '<p\n style="color:red; border-radius:4px">{{first_name}}</p>'
    expect(await warnings(html, 'outlook-windows, gmail')).toEqual([
      '2:20 "border-radius" is not supported by classic Outlook, says Can I email.',
    ])
    expect(await warnings(html, 'apple-mail')).toEqual([])
  })

  it('[SRV-29] are told for style sheets, at the rule', async () => {
    const html =
      '<style>\np { color: red }\n@media (max-width: 1px) { p { border-radius: 1px } }\n</style>{{first_name}}'
    expect(await warnings(html, 'outlook-windows')).toEqual([
      '3:1 "@media" is not supported by classic Outlook, says Can I email.',
      '3:31 "border-radius" is not supported by classic Outlook, says Can I email.',
    ])
  })

  describe('get linked pictures in different ways', () => {
    const linkedIn = async (files: Files, ofYaml = '') =>
      (await checking({ ...files, 'signet.yaml': `${GOOD['signet.yaml'] as string}${ofYaml}` })).flatMap(
        ({ code, level, file, line, column, message }) =>
          code === 'linkedPicture' ? [`${file}:${line}:${column} ${level} ${message}`] : [],
      )
    const linking = (text: string): Files => ({
      'templates/autumn.html':
        '<p>{{first_name}}</p>\n{{> legal}}<img src="{{picture banners/autumn.png}}" alt="a">',
      'templates/legal.part.html': text,
    })
    const LINKED = '<p>Ltd</p><img src="{{picture banners/autumn.png linked}}" alt="Autumn fair">'
    const TOLD = 'A linked picture is not in the mail. Mail clients ask your service for it: '

    it('which is said once, at the first one', async () => {
      expect(await linkedIn(linking(LINKED))).toEqual([
        `templates/legal.part.html:1:21 warning ${TOLD}after a question to the reader in classic Outlook; through a server of their own in new Outlook and Gmail; through a relay in Apple Mail.`,
      ])
    })

    it('for each of the readers', async () => {
      expect(
        await linkedIn(
          linking(LINKED),
          'readers: [outlook-mac, thunderbird, outlook-mobile, samsung, yahoo, proton]\n',
        ),
      ).toEqual([
        `templates/legal.part.html:1:21 warning ${TOLD}after a question to the reader in Outlook for Mac and Thunderbird; through a server of their own in Yahoo Mail and Proton Mail; as the reader has set it in Outlook mobile and Samsung Email.`,
      ])
      expect(await linkedIn(linking(LINKED), 'readers: []\n')).toEqual([])
    })

    it('at the setting that links all', async () => {
      expect(await linkedIn({}, 'readers: [gmail]\npictures: linked\n')).toEqual([
        `signet.yaml:25:11 warning ${TOLD}through a server of their own in Gmail.`,
      ])
      const none = { 'templates/autumn.html': '<p>{{first_name}}</p>' }
      expect(await linkedIn(none, 'pictures: linked\n')).toEqual([])
    })

    it('but not attached ones', async () => {
      expect(await linkedIn(linking(LINKED.replace(' linked', '')))).toEqual([])
    })

    it('and a linked picture that is missing is told as any other', async () => {
      const found = await errors({ 'templates/short.html': '<img alt="a" src="{{picture b.png linked}}">' })
      expect(found).toEqual(['templates/short.html:1:19 unknownPicture'])
    })
  })

  it('are those that are known', async () => {
    const { problems } = await reading({ 'signet.yaml': `${GOOD['signet.yaml'] as string}readers: [pine]\n` })
    expect(problems).toMatchObject([{ line: 24, code: 'value' }])
  })

  it('[SRV-29] lose what the data says classic Outlook does not know', () => {
    expect(
      withoutUnsupported(
        '<style>@media (max-width:1px) { p { color:red } } p { border-radius:1px; color:blue }</style>' +
          '<div style="color:red;border-radius:4px;margin:0"><video>a</video></div>' +
          '<!--[if mso]><b>Word</b><![endif]--><!--[if !mso]><!--><i>others</i><!--<![endif]-->',
        'outlook-windows',
      ),
    ).toBe('<style> p { ; color:blue }</style><div style="color:red;;margin:0">a</div><b>Word</b>')
    expect(withoutUnsupported('<p style="border-radius:4px">', 'apple-mail')).toBe(
      '<p style="border-radius:4px">',
    )
  })
})

describe('the examples of the documentation', () => {
  /** The blocks of one language, in order. */
  const examples = async (language: string): Promise<readonly string[]> => {
    const text = await readFile(join(import.meta.dirname, '../../docs/signatures-as-a-folder.md'), 'utf8')
    return Array.from(
      text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm')),
      ([, block = '']) => block,
    )
  }

  it('[SRV-15] are right: the smallest folder', async () => {
    const [yaml] = await examples('yaml')
    const [html] = await examples('html')
    const folder = await make({ 'signet.yaml': yaml ?? '', 'templates/standard.html': html ?? '' })
    expect(lines(checkFolder(await readFolder(folder), AT))).toEqual([])
  })

  it('[ADOPT-10] are right: the codes', async () => {
    const codes = (await examples('html')).find((text) => text.includes('{{qr ')) ?? ''
    expect(codes).toContain('{{qr vcard}}')
    expect(await inTemplate(`<p>{{first_name}}</p>${codes}`)).toEqual([])
  })

  it('[SRV-15] are right: the large one, with a brand, and with what is expected of it', async () => {
    const all = await examples('yaml')
    const brand = all.find((text) => text.includes('\nbrand:')) ?? ''
    const expected = all.find((text) => text.startsWith('- person:')) ?? ''
    const folder = await make({
      'signet.yaml': `${all[1] ?? ''}${brand}`,
      'expect.yaml': expected,
      ...LARGE,
      'pictures/logo.png': png(120, 40),
    })
    expect(lines(checkFolder(await readFolder(folder), AT))).toEqual([])
  })

  it('[SRV-15] are right: the conditions that test, and those on the language and the manager', async () => {
    const conditions = (await examples('yaml')).find((text) => text.startsWith('for:')) ?? ''
    const chosen = `choose-default:\n${conditions.replace(/^/gm, '  ')}`
    const { problems, document } = await reading({
      'signet.yaml': `${GOOD['signet.yaml'] as string}${chosen}`,
    })
    expect(problems).toEqual([])
    const groups = document.chooseDefault.for
    const kinds = groups === 'everyone' ? [] : groups.map((group) => group.map(({ by }) => by))
    expect(kinds).toEqual([['test', 'field'], ['test'], ['test', 'language'], ['manager']])
  })

  it('[SRV-15] are right: the blocks, when they stand, and what is asked before sending', async () => {
    const example = async (language: string, begins: string) =>
      (await examples(language)).find((text) => text.startsWith(begins)) ?? ''
    const yaml = await example('yaml', 'version: 1\norganisation: Northwind Trading\ninternal')
    const blocks = await example('yaml', '# in signet.yaml\ncounting')
    const guard = await example('yaml', '# in signet.yaml\nguard')
    const corporate = await example('html', '<!-- templates/corporate.html')
    const banner = await example('html', '<!-- templates/blocks/')
    const plain = '<p>A line</p>'
    const check = async (expected: string) => {
      const folder = await make({
        ...LARGE,
        'signet.yaml': yaml + blocks + guard,
        'expect.yaml': expected,
        'templates/corporate.html': corporate,
        'templates/blocks/harbour-days.html': banner,
        'pictures/banners/harbour-days.png': png(600, 100),
        'templates/blocks/careers.html': plain,
        'templates/blocks/award.html': plain,
        'templates/blocks/notice-de.html': plain,
      })
      // Two people are too few for the conditions of the example.
      const ofPeople = ['fitsEverybody', 'fitsNobody', 'notShown']
      return checkFolder(await readFolder(folder), AT).filter(({ code }) => !ofPeople.includes(code))
    }
    const maria = 'person: maria.silva@northwind.example, on: 2026-12-15'
    expect(await check(`- { ${maria}, recipients: external, blocks: [careers, notice_de] }`)).toEqual([])
    expect(await check(`- { ${maria}, recipients: internal, blocks: [careers] }`)).toEqual([])
  })

  const template = '<p>{{display_name}}{{#if phone}}, T {{phone}}{{/if}}</p>'
  const LARGE: Files = {
    'templates/autumn.html': template,
    'templates/corporate.html': template,
    'templates/short.html': template,
    'people.csv': `email,givenName,department,country,businessPhones.0,groups
maria.silva@northwind.example,Maria,Sales,DE,+49 30 1234,
cfo@northwind.example,Carl,Finance,DE,,sales-emea
`,
  }
})
