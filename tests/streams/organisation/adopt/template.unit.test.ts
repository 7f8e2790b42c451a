import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UNSEALED_FORMATS } from '../../../../src/values/formats.ts'
import { type CleanSample, deriveTemplate } from '../../../../streams/organisation/adopt/template.ts'
import { misbracedPlaceholders, parseTemplate } from '../../../../streams/organisation/template/template.ts'
import { cases } from '../../../support/cases.ts'
import { variableOf } from '../../../support/variables.ts'
import {
  asDrawn,
  ben,
  maria,
  personOf,
  renderFor,
  sameText,
  signature,
  VARIABLES,
  withText,
} from './adopting.ts'

const find = (html: string, person: CleanSample['person'] = maria, variables = VARIABLES) =>
  deriveTemplate([{ html, person }], variables, UNSEALED_FORMATS)
const templateOf = (html: string) => find(html).template
const because = (html: string) => find(html).placeholders.map((each) => [each.placeholder, each.because])

describe('a text that is a value of the person', () => {
  test.each([
    ['<p>Maria Silva</p>', '<p>{{display_name}}</p>'],
    ['<p>Maria\n Silva, PhD</p>', '<p>{{display_name}}, PhD</p>'],
    [
      '<p>Head of Sales &#38; Trade, in this house since 1998</p>',
      '<p>{{job_title}}, in this house since 1998</p>',
    ],
    ['<b>Maria</b> <i>Silva</i>', '<b>{{first_name}}</b> <i>{{last_name}}</i>'],
    ['<b>Maria</b><b> Silva</b>!', '<b>{{display_name}}</b>!'],
    ['<span>Ma</span>ria <span class="SpellE">Silva</span>', '<span>{{display_name}}</span>'],
    [
      '<span>Maria</span> <span lang="de">Silva, PhD</span>',
      '<span>{{display_name}}</span><span lang="de">, PhD</span>',
    ],
    ['Phone: +49 30 1234-5670.', 'Phone: {{phone}}.'],
    ['<p>DE</p><hr>', '{{#if country}}<p>{{country}}</p>{{/if}}<hr>'],
    ['<img alt="Photo of Maria Silva">', '<img alt="Photo of {{display_name}}">'],
    ['<p title="Maria Silva" lang="pt">x</p>', '<p title="{{display_name}}" lang="pt">x</p>'],
    [
      '<a href="mailto:maria.silva@northwind.example?subject=x">Mail</a>',
      '<a href="mailto:{{email}}?subject=x">Mail</a>',
    ],
    ['<a href="mailto:maria.silva%40northwind.example">Mail</a>', '<a href="mailto:{{email}}">Mail</a>'],
    ['<a href="https://www.northwind.example/team">Team</a>', '<a href="{{web website}}">Team</a>'],
    ['<a href="https://WWW.northwind.example/team/">Team</a>', '<a href="{{web website}}">Team</a>'],
    [
      'Team <a href="tel:+4930 12345670">of us</a>',
      'Team {{#if phone}}<a href="tel:{{tel phone}}">of us</a>{{/if}}',
    ],
  ])('%s becomes %s', (html, template) => {
    expect(templateOf(html)).toBe(template)
  })

  test.each([
    'Marias Silvana',
    'maria@other.example',
    'maria.silva@northwind.example.org',
    'www.northwind.example/silva',
    'Maria-Luise',
    'a silva of the woods',
    'made in DE',
    '<p>Berlin-Mitte</p>',
    '<a href="https://www.northwind.example/team/maria">Team</a>',
    '<a href="mailto:info@northwind.example">Mail</a>',
    '<p title=Maria>x</p>',
    '<style>.Maria { color: red }</style>',
    '<!-- Maria Silva -->',
    '+49 30 1234567',
    '+1 30 12345670',
    '+49 30 1234567012',
    '12345670-5',
    '+49 30 1234-5670-1',
    '+49 30 1234-5670 1',
    '1 30 12345670',
  ])('is not in %s', (html) => {
    expect(find(html)).toMatchObject({ template: html, placeholders: [], variables: [] })
  })

  test.each([
    '+49 30 1234 5670',
    '+49 (0)30 12345670',
    '0049 30 12345670',
    '0049 (0)30 12345670',
    '(030) 1234 5670',
    '030/12345670',
    '+49.30.1234.5670',
    '+49\u201030\u20101234\u20105670',
  ])('in another format is the number %s, which is said', (text) => {
    const placeholder = { placeholder: '{{phone}}', replaced: text, value: '+49 30 1234-5670' }
    expect(find(`<p>(${text}) and more of this text in a long line</p>`)).toMatchObject({
      template: '<p>({{phone}}) and more of this text in a long line</p>',
      placeholders: [{ ...placeholder, because: 'written', others: [] }],
    })
  })

  test('that is written with capitals only keeps them, and one with more spaces or another case is said to be written', () => {
    expect(find('MARIA SILVA, PhD')).toMatchObject({
      template: '<span style="text-transform:uppercase">{{display_name}}</span>, PhD',
      placeholders: [{ replaced: 'MARIA SILVA', because: 'written' }],
    })
    expect(because('Maria&nbsp;Silva, PhD')).toEqual([['{{display_name}}', 'same']])
    expect(because('Maria&nbsp; Silva, PhD')).toEqual([['{{display_name}}', 'written']])
    expect(because('maria silva, PhD')).toEqual([['{{display_name}}', 'written']])
    expect(because('<p>pilot | silva</p>')).toEqual([['{{last_name}}', 'written']])
    expect(because('<img alt="MARIA SILVA">')).toEqual([['{{display_name}}', 'written']])
  })

  test('that is the right address of a number becomes a placeholder that writes the same address', () => {
    const of = (mobilePhone: string, address: string) =>
      find(
        `<p>M <a href="tel:${address}">${mobilePhone}</a> and more words here</p>`,
        personOf({ ...maria.directory, mobilePhone, country: 'DE' }, 'm@a.example'),
      ).placeholders.flatMap(({ placeholder, because }) =>
        placeholder.startsWith('{{tel') ? [[placeholder, because]] : [],
      )
    // Below a link with its own text, the address follows the text.
    const follows = [['{{tel mobile_phone}}', 'follows']]
    expect(of('+49 (0)30 901820', '+4930901820')).toEqual(follows)
    expect(of('030 901820', '+49-30-901820')).toEqual(follows)
    const alone = (mobilePhone: string, address: string) =>
      find(
        `<p>M <a href="tel:${address}">Call me</a> and more words here</p>`,
        personOf({ ...maria.directory, mobilePhone, country: 'CA' }, 'm@a.example'),
      ).placeholders.map(({ placeholder, because }) => [placeholder, because])
    expect(alone('+1 604 555 0123 ext. 212', '+16045550123;ext=212')).toEqual([
      ['{{tel mobile_phone}}', 'same'],
    ])
    expect(alone('+1 604 555 0123 ext. 212', '+16045550123')).toEqual([['{{tel mobile_phone}}', 'written']])
    expect(alone('+1 604 555 0123 ext. 212', '+16045550199')).toEqual([])
  })

  test('that is a number as `{{phone …}}` writes it is drawn as before by it [ADOPT-3]', () => {
    const mobile = personOf(
      { ...maria.directory, mobilePhone: '01712345678', country: 'Germany' },
      'm@a.example',
    )
    for (const text of ['+49 171 2345678', '+49&nbsp;171 2345678', '+49&#xa0;171&nbsp;2345678'])
      expect(
        find(`<p>M ${text}, <a href="tel:+491712345678">x</a> and more words here</p>`, mobile),
      ).toMatchObject({
        template:
          '{{#if mobile_phone}}<p>M {{phone mobile_phone}}, <a href="tel:{{tel mobile_phone}}">x</a> and more words here</p>{{/if}}',
        placeholders: [
          { placeholder: '{{phone mobile_phone}}', value: '01712345678', because: 'same', others: [] },
          { placeholder: '{{tel mobile_phone}}', because: 'same' },
        ],
      })
    expect(because('<p>+49 171 2345678</p>')).toEqual([['{{mobile_phone}}', 'same']])
    expect(because('<p>+49 171 234-5678</p>')).toEqual([['{{mobile_phone}}', 'written']])
    expect(deriveTemplate([{ html: '+49 171 2345678', person: mobile }], VARIABLES)).toMatchObject({
      placeholders: [{ placeholder: '{{mobile_phone}}', because: 'written' }],
    })
  })

  test('that several fields share is the first of them, and the others are named', () => {
    const shared = personOf(
      { ...maria.directory, mobilePhone: '+49 30 12345670', fax: '+49 30 1234-5670' },
      'm@a.example',
    )
    expect(find('<p>+49 30 1234-5670</p>', shared).placeholders).toMatchObject([
      { placeholder: '{{phone}}', because: 'same', others: ['fax', 'mobilePhone'] },
    ])
    expect(find('<p>+49 30 12345670</p>', shared)).toMatchObject({
      placeholders: [{ placeholder: '{{mobile_phone}}', because: 'same', others: ['phone', 'fax'] }],
    })
  })

  test('of a field without a variable gets a new one, whose name is free', () => {
    const told = {
      jobTitle: 'Pilot of ships',
      fax: '+49 30 99',
      'ext.maritalStatus': 'at sea',
      telephoneNumber: '+49 1 2345678',
    }
    const variables = [variableOf('job_title'), variableOf('phone', { from: 'businessPhones.0' })]
    const html = '<i>Pilot of ships</i>, <b>at sea</b>, +49 1 2345678, a b c d e f g h i j k l m n o p q r'
    expect(find(html, personOf(told, 'a@b.example'), variables)).toMatchObject({
      template:
        '<i>{{job_title_2}}</i>, <b>{{ext_marital_status}}</b>, {{phone_2}}, a b c d e f g h i j k l m n o p q r',
      variables: [
        { path: 'job_title_2', from: 'jobTitle' },
        { path: 'ext_marital_status', from: 'ext.maritalStatus' },
        { path: 'phone_2', from: 'telephoneNumber' },
      ],
    })
  })

  test('of a document without variables of a name is the name of the directory', () => {
    expect(find('<p>Maria Silva</p>', maria, [])).toMatchObject({
      template: '<p>{{display_name}}</p>',
      variables: [{ path: 'display_name', from: 'displayName' }],
    })
    const doctor = personOf({ ...maria.directory, displayName: 'Dr. Maria Silva' }, 'm@a.example')
    expect(find('<p>Dr. Maria Silva</p>', doctor)).toMatchObject({
      template: '<p>{{full_name}}</p>',
      variables: [{ path: 'full_name', from: 'displayName' }],
    })
  })

  test('stands in an address that follows it', () => {
    const html =
      '<a href="tel:03012345670">+49 30 1234-5670</a>, <a href="mailto:maria.silva@northwind.example">Mail</a>'
    expect(because(html)).toEqual([
      ['{{tel phone}}', 'follows'],
      ['{{phone}}', 'same'],
      ['{{email}}', 'same'],
    ])
  })
})

test('braces of the html become no placeholder, but for the pictures that the cleaning has put in', () => {
  const html =
    '{{phone}} {a} {{picture adopted/a.png}}{<img src="{{picture adopted/a1.png}}" alt="{{x}}"><p {{x}} a={{x}}>' +
    '<style>@media{{a}}</style><!-- {{x}} -->}Maria Silva{'
  const { template } = find(html)
  expect(template).toBe(
    '&#123;&#123;phone&#125;&#125; &#123;a&#125; &#123;&#123;picture adopted/a.png&#125;&#125;&#123;' +
      '<img src="{{picture adopted/a1.png}}" alt="&#123;&#123;x&#125;&#125;"><p __x__ a=&#123;&#123;x&#125;&#125;>' +
      '<style>@media{ {;a}}</style><!-- &#123;&#123;x&#125;&#125; -->&#125;{{display_name}}&#123;',
  )
  expect(parseTemplate(template, new Map()).problems).toEqual([])
})

test('styles of the html and of its comments for Word keep their braces, where these are no placeholder', () => {
  const html =
    '<style>.a{color:red}@media print{.b{x:y}}</style>' +
    '<!--[if mso]><style>.c{a:b}{{phone}}{phone}{{{phone}}}</style><v:shape a="{x}">{phone}</v:shape><![endif]-->x'
  const { template } = find(html)
  expect(template).toBe(
    '<style>.a{color:red}@media print{.b{x:y}}</style>' +
      '<!--[if mso]><style>.c{a:b}{ {;phone}}{;phone}{ { {;phone}}}</style>' +
      '<v:shape a="&#123;x&#125;">&#123;phone&#125;</v:shape><![endif]-->x',
  )
  expect(misbracedPlaceholders(template)).toEqual([])
  expect(parseTemplate(template, new Map()).problems).toEqual([])
})

describe('a line that is empty without its value goes with it', () => {
  test.each([
    [
      '<tr><td>Maria Silva</td></tr><tr><td>T</td><td><b>+49 30 1234-5670</b></td></tr>',
      '<tr><td>{{display_name}}</td></tr>{{#if phone}}<tr><td>T</td><td><b>{{phone}}</b></td></tr>{{/if}}',
    ],
    [
      '<p>Maria Silva<br>T +49 30 1234-5670<br>M: +49 171 2345678<br>x</p>',
      '<p>{{display_name}}{{#if phone}}<br>T {{phone}}{{/if}}{{#if mobile_phone}}<br>M: {{mobile_phone}}{{/if}}<br>x</p>',
    ],
    [
      '<p>Trade<br>T +49 30 1234-5670</p>',
      '<p>{{#if department}}{{department}}<br>{{/if}}{{#if phone}}T {{phone}}{{/if}}</p>',
    ],
    ['<p><i>A<br>Berlin<br></i><b>x</b></p>', '<p><i>A{{#if city}}<br>{{city}}{{/if}}<br></i><b>x</b></p>'],
    ['<p>Berlin</p>', '{{#if city}}<p>{{city}}</p>{{/if}}'],
    [
      '<tr><td><img width="200"></td><td>Berlin</td></tr>',
      '<tr><td><img width="200"></td><td>{{#if city}}{{city}}{{/if}}</td></tr>',
    ],
    ['<tr><td rowspan="2">Berlin</td></tr>', '<tr><td rowspan="2">{{#if city}}{{city}}{{/if}}</td></tr>'],
    [
      '<tr><td>T +49 30 1234-5670</td><td>M +49 171 2345678</td></tr>',
      '<tr><td>{{#if phone}}T {{phone}}{{/if}}</td><td>{{#if mobile_phone}}M {{mobile_phone}}{{/if}}</td></tr>',
    ],
    ['<ul><li>Berlin</li></ul>', '<ul>{{#if city}}<li>{{city}}</li>{{/if}}</ul>'],
    [
      '<div><p><img width="16"> Berlin</p></div>',
      '{{#if city}}<div><p><img width="16"> {{city}}</p></div>{{/if}}',
    ],
    [
      '<a href="https://www.northwind.example/me"><img width="24"></a>x',
      '{{#if page}}<a href="{{web page}}"><img width="24"></a>{{/if}}x',
    ],
  ])('%s becomes %s', (html, template) => {
    const person = personOf({ ...maria.directory, page: 'https://www.northwind.example/me' }, 'm@a.example')
    expect(find(html, person).template).toBe(template)
  })

  test.each([
    ['<p>Our office is in Berlin by the river</p>'],
    ['<p>Maria Silva, Berlin</p>'],
    ['<p>maria.silva@northwind.example</p>'],
    ['<tr><td>Name</td><td>A<br>Berlin, x Maria<br></td></tr>'],
    [
      '<div><p>Northwind</p><p>and 2 Berlin 3 in one of many more</p><hr></div><td>Our office is in Berlin by the river</td>',
    ],
    ['<b>A<br>Berlin</b> x'],
    ['<p>A<br><b>Berlin<br></p></b>'],
  ])('%s stays in every line', (html) => {
    expect(templateOf(html).replace(/\{\{\/?#?if[^}]*\}\}/g, '<if>')).not.toContain('<if>')
  })
})

describe('of a line with several values, each goes with its label and its separator', () => {
  const PHONE = 'T +49 30 1234-5670'
  const MOBILE = 'M +49 171 2345678'
  test.each([
    [
      `<p>${PHONE} | ${MOBILE}</p>`,
      '{{#if phone mobile_phone}}<p>' +
        '{{#if phone}}T {{phone}}{{/if}}{{#if mobile_phone}}{{#if phone}} | {{/if}}M {{mobile_phone}}{{/if}}' +
        '</p>{{/if}}',
    ],
    [
      `<p>x<br>${PHONE} ${MOBILE}</p>`,
      '<p>x{{#if phone mobile_phone}}<br>' +
        '{{#if phone}}T {{phone}}{{/if}}{{#if mobile_phone}}{{#if phone}} {{/if}}M {{mobile_phone}}{{/if}}{{/if}}</p>',
    ],
    [
      `<p>${PHONE} | ${MOBILE}<br>x</p>`,
      '<p>{{#if phone mobile_phone}}{{#if phone}}T {{phone}}{{/if}}' +
        '{{#if mobile_phone}}{{#if phone}} | {{/if}}M {{mobile_phone}}{{/if}}<br>{{/if}}x</p>',
    ],
    [
      '<p>Maria Silva, Trade, Berlin</p>',
      '<p>{{display_name}}{{#if department}}, {{department}}{{/if}}{{#if city}}, {{city}}{{/if}}</p>',
    ],
    [
      `<p>Hi | ${PHONE} | yes | ${MOBILE} · Berlin | x</p>`,
      '<p>Hi{{#if phone}} | T {{phone}}{{/if}} | yes{{#if mobile_phone}} | M {{mobile_phone}}{{/if}}' +
        '{{#if city}} · {{city}}{{/if}} | x</p>',
    ],
    [
      '<p><b>Trade</b> (10115) / <i>in</i> <u>Berlin</u>, x | y</p>',
      '<p>{{#if department}}<b>{{department}}</b>{{/if}}' +
        '{{#if postal_code}}{{#if department}} {{/if}}({{postal_code}}){{/if}}' +
        '{{#if city}}{{#if department postal_code}} / {{/if}}<i>in</i> <u>{{city}}</u>, x{{/if}}' +
        '{{#if department postal_code city}} | {{/if}}y</p>',
    ],
    [
      '<td><a href="tel:+493012345670">+49 30 1234-5670</a><span> | </span>Berlin<wbr></td>',
      '<td>{{#if phone}}<a href="tel:{{tel phone}}">{{phone}}</a>{{/if}}' +
        '{{#if city}}{{#if phone}}<span> | </span>{{/if}}{{city}}{{/if}}<wbr></td>',
    ],
  ])('%s becomes %s', (html, template) => {
    expect(find(html).template).toBe(template)
  })

  test.each([
    '<p>In <b>Trade |</b> for Berlin</p>',
    '<p>We work for Trade by the sea and in the middle of Berlin</p>',
    `<p>${PHONE} <img width="200"> ${MOBILE}</p>`,
    `<p>${PHONE} <b>| ${MOBILE}</p>`,
  ])('but %s stays, because it is no list of values', (html) => {
    expect(templateOf(html)).not.toContain('{{#if')
  })
})

describe('samples of several people', () => {
  const two = (one: string, other: string, first = maria as CleanSample['person']) =>
    deriveTemplate(
      [
        { html: one, person: first },
        { html: other, person: ben },
      ],
      VARIABLES,
    )

  test('tell a value of each from a text of all', () => {
    const found = two('<p>Silva, Berlin 1. Trade</p>', '<p>Lindqvist, Stockholm 1. Trade</p>')
    expect(found).toMatchObject({ template: '<p>{{last_name}}, {{city}} 1. Trade</p>', questions: [] })
    expect(found.placeholders.map((each) => each.because)).toEqual(['differs', 'differs'])
  })

  test('tell of several fields the one that all have', () => {
    const html = '<p>T +49 30 1234-5670</p>'
    const shared = personOf({ ...maria.directory, mobilePhone: '+49 30 1234-5670' }, 'm@a.example')
    const found = two(html, '<p>T +46 70 555 12 99</p>', shared)
    expect(found.placeholders).toMatchObject([{ placeholder: '{{mobile_phone}}', others: [] }])
  })

  test('ask about what differs and is no value of each', () => {
    expect(
      two(
        '<p>Maria Silva | Room 12 | <a href="https://a.example/1">x</a></p>',
        '<p>Ben Lindqvist | Room B 7 | <a href="https://a.example/2">x</a></p>',
      ),
    ).toMatchObject({
      template: '<p>{{display_name}} | Room 12 | <a href="https://a.example/1">x</a></p>',
      questions: [
        { kind: 'differs', texts: ['12', 'B 7'] },
        { kind: 'differs', texts: ['https://a.example/1', 'https://a.example/2'] },
      ],
    })
    expect(two('<p>Berlin</p>', '<p>Malmö</p>')).toMatchObject({
      template: '<p>Berlin</p>',
      placeholders: [],
      questions: [{ kind: 'differs', texts: ['Berlin', 'Malmö'] }],
    })
  })

  test('take a short value where it differs', () => {
    expect(two('Made in DE <hr>', 'Made in SE <hr>').template).toBe('Made in {{country}} <hr>')
    expect(two('<p>We are Maria Silva DE</p>', '<p>We are Ben Lindqvist DE</p>')).toMatchObject({
      template: '<p>We are {{display_name}} DE</p>',
      questions: [],
    })
  })

  test('compare addresses and labels as texts', () => {
    expect(
      two(
        '<img alt="Photo of Maria Silva"><a href="tel:+493012345670">Call</a>, dear reader',
        '<img alt="Photo of Ben Lindqvist"><a href="tel:+46855512340">Call</a>, dear reader',
      ),
    ).toMatchObject({
      template:
        '<img alt="Photo of {{display_name}}">{{#if phone}}<a href="tel:{{tel phone}}">Call</a>{{/if}}, dear reader',
      questions: [],
    })
  })

  test('infer what an unknown person has from the others', () => {
    const found = two(
      '<p>Ana de Souza<br>T +55 11 5555-0100 | M 55 11 9999 | Northwind Trading</p>',
      '<p>Ben Lindqvist<br>T +46 8 555 123 40 | M +46 70 555 12 99 | Northwind Trading</p>',
      null,
    )
    expect(found.template).toContain(
      '{{#if phone}}T {{phone}}{{/if}}{{#if mobile_phone}}{{#if phone}} | {{/if}}M {{mobile_phone}}{{/if}}',
    )
    expect(found.placeholders).toMatchObject([{ replaced: 'Ana de Souza', value: null }, {}, {}, {}])
  })

  test('whose markup differs are one sample and a question', () => {
    for (const other of [
      '<p>Ben <b>Lindqvist</b></p>',
      '<p>Ben Lindqvist</p><p></p>',
      '<p class="x">Ben Lindqvist</p>',
    ])
      expect(two('<p>Maria Silva</p>', other)).toMatchObject({
        template: '<p>{{display_name}}</p>',
        questions: [{ kind: 'differentMarkup', texts: [] }],
      })
  })

  test('write a number in its format where the texts of all are in it', () => {
    const of = (person: typeof ben, mobilePhone: string) =>
      personOf({ ...person.directory, mobilePhone }, person.addresses[0] ?? '')
    const [one, other] = [of(maria, '+491712345678'), of(ben, '+46 70 555 12 99')]
    const found = (html: string, second: string) =>
      deriveTemplate(
        [
          { html, person: one },
          { html: second, person: other },
        ],
        VARIABLES,
        UNSEALED_FORMATS,
      ).placeholders.map((each) => [each.placeholder, each.because])
    expect(found('<p>+49 171 2345678</p>', '<p>+46 70 555 12 99</p>')).toEqual([
      ['{{phone mobile_phone}}', 'differs'],
    ])
    expect(found('<p>+49 171 2345678</p>', '<p>+46-70-555 12 99</p>')).toEqual([
      ['{{mobile_phone}}', 'written'],
    ])
    expect(found('<p>+491712345678</p>', '<p>+46 70 555 12 99</p>')).toEqual([
      ['{{mobile_phone}}', 'differs'],
    ])
  })

  test('without a person ask for one', () => {
    expect(find('<p>Maria Silva</p>', null)).toMatchObject({
      template: '<p>Maria Silva</p>',
      questions: [
        { kind: 'noPerson', texts: [] },
        { kind: 'personal', texts: ['Maria Silva'] },
      ],
    })
  })
})

describe('another product’s name of a field', () => {
  test.each([
    ['$CurrentUserGivenName$', '{{first_name}}'],
    ['$CURRENTMAILBOXSURNAME$', '{{last_name}}'],
    ['<b>$</b><b>CurrentUserMail</b><b>$</b>', '<b>{{email}}</b>'],
    ['{Display name}, {E-mail}', '{{display_name}}, {{email}}'],
    ['{FirstName} %%LastName%%', '{{first_name}} {{last_name}}'],
    ['%%PhoneNumber%%, Dr. {Last name}', '{{phone}}, Dr. {{last_name}}'],
    ['<a href="mailto:{E-mail}">x</a>', '<a href="mailto:{{email}}">x</a>'],
    ['<i title="{Title}">x</i>', '<i title="{{job_title}}">x</i>'],
    ['a {Mobile} b', 'a {{mobile_phone}} b'],
    ['$CurrentUserExtAttr7$ here', '{{extension_attribute7}} here'],
  ])('%s becomes %s without a person', (html, template) => {
    const found = find(html, null)
    expect(found.template).toBe(template)
    for (const { because: reason, value } of found.placeholders)
      expect([reason, value]).toEqual(['named', null])
    expect(found.questions).toEqual([])
  })

  test('that is unknown is a question, and stays', () => {
    expect(find('$CurrentUserShoeSize$ {Shoe size} {Shoe size} %%Shoe%% {1} {{a}}', maria)).toMatchObject({
      placeholders: [],
      questions: [{ kind: 'unknownName', texts: ['$CurrentUserShoeSize$', '{Shoe size}', '%%Shoe%%'] }],
    })
  })
})

test('[ADOPT-3] each placeholder is listed with the text that it replaced, and nothing but a value of the person becomes one', () => {
  fc.assert(
    fc.property(signature(maria), (html) => {
      const { template, placeholders } = find(html)
      const used = parseTemplate(template, new Map()).template.placeholders.filter(
        ({ kind }) => kind !== 'if' && kind !== 'else' && kind !== 'end',
      )
      expect(used.map(({ at, end }) => template.slice(at, end))).toEqual(
        placeholders.map((each) => each.placeholder),
      )
      for (const { replaced, value } of placeholders) expect(sameText(replaced)).toBe(sameText(value ?? ''))
    }),
    cases(200),
  )
})

test('what a found template renders for the same person is what was adopted', () => {
  fc.assert(
    fc.property(signature(maria), (html) => {
      const { template, variables, placeholders } = find(html)
      const hasOtherBlanks = placeholders.some(
        ({ because: reason, placeholder, replaced }) =>
          reason === 'written' || placeholder.startsWith('{{phone ') || replaced.includes('\u00a0'),
      )
      // Of these signatures, a value is written with other spaces only; a blank in it may be one that does not break.
      const drawn = (text: string) =>
        hasOtherBlanks ? asDrawn(text).replace(/(?:&nbsp;| )+/g, ' ') : asDrawn(text)
      expect(drawn(renderFor(template, maria, variables, VARIABLES, UNSEALED_FORMATS))).toBe(drawn(html))
      expect(parseTemplate(template, new Map()).problems).toEqual([])
    }),
    cases(200),
  )
})

test('[ADOPT-4] two samples of two people give the same template as one sample and the directory', () => {
  fc.assert(
    fc.property(withText, (written) => {
      const [one, other] = [written(maria), written(ben)]
      const both = deriveTemplate(
        [
          { html: one, person: maria },
          { html: other, person: ben },
        ],
        VARIABLES,
      )
      expect(both.template).toBe(deriveTemplate([{ html: one, person: maria }], VARIABLES).template)
      expect(both.template).toBe(deriveTemplate([{ html: other, person: ben }], VARIABLES).template)
      expect(both.questions.filter(({ kind }) => kind !== 'unknownName')).toEqual([])
    }),
    cases(200),
  )
})

test('any html ends in a template that renders it', () => {
  const part = fc.constantFrom(
    ...[
      '<',
      '>',
      '"',
      "'",
      '=',
      '{',
      '}',
      '{{',
      '}}',
      '{{#if phone}}',
      '<p ',
      '<br>',
      '</p>',
      '<b>',
      '</b>',
      '<!--',
      '-->',
    ],
    ...[
      '<a href="tel:',
      '<style>',
      'Maria',
      ' Silva',
      '+49 30',
      ' 1234-5670',
      '&#',
      '&nbsp;',
      '<tr>',
      '<td>',
      '</tr>',
      '%%',
      '$',
    ],
  )
  const html = fc.array(fc.oneof(part, fc.string()), { maxLength: 30 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(html, html, (one, other) => {
      for (const samples of [[one], [one, other], [one, one]]) {
        const { template, variables } = deriveTemplate(
          samples.map((each, index) => ({ html: each, person: index === 0 ? maria : ben })),
          VARIABLES,
        )
        expect(parseTemplate(template, new Map()).problems).toEqual([])
        expect(typeof renderFor(template, maria, variables)).toBe('string')
      }
    }),
    cases(300),
  )
})
