import fc from 'fast-check'
import { MARKUP_SIGNS } from './arbitraries.ts'

// Markup for testing sanitisers: valid signatures, and hostile or broken markup.

export const PICTURES = ['a.png', 'a(1).png', '*/a.png', 'a;b.png', 'a,b.png'].map(
  (name) => `https://cdn.example/${name}`,
)

const piece = fc.constantFrom(
  ...MARKUP_SIGNS,
  ...[
    '<p ',
    '<p>',
    '</p>',
    '<a ',
    '</a>',
    '<table>',
    '<tr><td>',
    '<b>',
    '</b>',
    '<div>',
    '</div>',
    '<img ',
    '<br>',
  ],
  ...[
    '<svg>',
    '</svg>',
    '<math><mtext>',
    '</math>',
    '<desc>',
    '<mglyph>',
    '<foreignObject>',
    '<annotation-xml>',
  ],
  ...[
    '<style>',
    '</style>',
    '<title>',
    '<noscript>',
    '</noscript>',
    '<template>',
    '<textarea>',
    '<plaintext>',
  ],
  ...[
    '<select>',
    '<form>',
    '<form id=a>',
    '<frameset>',
    '<body ',
    '<html ',
    '<v:fill ',
    '<xmp>',
    '<![CDATA[',
  ],
  ...[
    'style="',
    "style='",
    'title="',
    'href="',
    'src="',
    'background="',
    'id=a',
    'name=a',
    'onerror=a()',
    'x="',
  ],
  ...['color:red', ';', '{', '}', '@import', 'url(', ')', 'b{color:red}', '/*', '*/', '\\', 'position:fixed'],
  ...[
    'javascript:a()',
    '//evil.example',
    'data:image/png;base64,AAAA',
    'cid:a',
    '#a',
    '\ud800',
    '\u202e',
    'Alex',
  ],
  ...PICTURES,
)

/** Pieces of markup in any order, which only a tokenizer and a tree builder can interpret. */
export const brokenMarkup: fc.Arbitrary<string> = fc
  .array(piece, { maxLength: 30 })
  .map((pieces) => pieces.join(''))

const words = (text: string) => fc.constantFrom(...text.split(' '))

const nastyName = fc.oneof(
  {
    weight: 6,
    arbitrary: words(
      'a b div p span table tbody tr td th caption colgroup ul ol li dl dt dd h1 h2 pre font i',
    ),
  },
  {
    weight: 2,
    arbitrary: words('center blockquote section form button style col br img hr thead tfoot u em q cite'),
  },
  {
    weight: 1,
    arbitrary: words('svg math select template object video noscript textarea script title iframe plaintext'),
  },
  {
    weight: 1,
    arbitrary: words('x-y o:p html head body frameset option nobr marquee image input base mglyph mtext'),
  },
)

const nastyValue = fc.constantFrom(
  ...[
    '',
    ' a ',
    '&nbsp;a',
    'a-1',
    '#a-1',
    'a',
    '#a',
    'title',
    '#title',
    'https://cdn.example/?a=1&b=2&lt=3',
    '\\\\evil.example\\a',
  ],
  ...[
    'javascript:a()',
    'java&Tab;script:a()',
    'java&#9;script:a()',
    'javascript&colon;a()',
    ' https://x.example/a b',
  ],
  ...[
    'color:red',
    'color:red;position:fixed',
    'position:f&#105;xed',
    'width:expression(a())',
    'background:url(//evil.example)',
  ],
  ...[
    'font-family:&quot;A&quot;',
    "font-family:'A'",
    'background:url(https://cdn.example/a.png)',
    'c&eacute;',
  ],
  ...[
    '-->',
    '--&gt;',
    '--&gt',
    ']&gt;',
    '&rsqb;>',
    '/>',
    '/&gt;',
    '</style>',
    '&lt;/style',
    '&lt/title',
    '<b>',
    '&#60;b',
    '`',
  ],
  ...['presentation', 'dialog', 'true', '&amp;lt;', '&amp', '&copy', '&#146;', '&#0;', '\0', '\n'],
)
const nastyAttribute = fc
  .tuple(
    words(
      'href src style title alt class id name background role aria-hidden value cite onerror srcset data-x',
    ),
    nastyValue,
    fc.constantFrom('"', "'", ''),
  )
  .map(([name, value, quote]) => {
    if (quote === '') return ` ${name}=${value.replace(/[\s>"'`]/g, '') || 'x'}`
    return ` ${name}=${quote}${value.replaceAll(quote, '')}${quote}`
  })

const nastyText = fc.constantFrom(
  ...[
    'Alex',
    ' ',
    '\n',
    'a &lt; b',
    '&lt;b',
    '&lt',
    '&#60;i>',
    '<',
    '< b',
    '<!',
    '&amp;',
    '&nbsp;',
    'é',
    '😀',
    '\0',
    ']]>',
  ],
  ...[
    '<!-- x -->',
    '<!--[if mso]>&nbsp;<![endif]-->',
    '<!--[if mso]><table><tr><td><![endif]-->',
    '<!--[if !mso]><!-->',
  ],
  ...[
    '<!--<![endif]-->',
    '<![if !mso]>',
    '<?xml a?>',
    '<!-->',
    '<!--a--!>',
    '</p>',
    '</br>',
    '</b>',
    '</a>',
    '</table>',
  ],
  ...[
    '</div>',
    '</td>',
    '</li>',
    '<br/>',
    '<hr>',
    '<style>a{color:red}</style>',
    '<style>@import "x"',
    '</style>',
    '<p/>',
  ],
  ...['<a href="#title">a</a>', '<p id=title>b</p>', '<a href="#a-1">c</a>', '<a name=a-1>d</a>'],
  ...[
    '<svg/>',
    '<svg><style><img src=x onerror=a()></style></svg>',
    '<title></title>',
    '<textarea></textarea>',
  ],
)

/** Nested elements, allowed and misplaced, some without an end tag or with another element's end tag. */
export const nastyMarkup: fc.Arbitrary<string> = fc.letrec<{ content: string; element: string }>((tie) => ({
  content: fc
    .array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, nastyText, tie('element')), {
      maxLength: 5,
    })
    .map((parts) => parts.join('')),
  element: fc
    .tuple(
      nastyName,
      fc.array(nastyAttribute, { maxLength: 3 }),
      tie('content'),
      fc.option(fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: nastyName })),
    )
    .map(
      ([name, attributes, content, end]) =>
        `<${name}${attributes.join('')}>${content}${end === null ? '' : `</${end || name}>`}`,
    ),
})).content

const attributesOf = (...known: readonly string[]) =>
  fc.subarray([...known], { maxLength: 3 }).map((attributes) => attributes.map((each) => ` ${each}`).join(''))
const decoration = attributesOf(
  'style="color:#0a5;font-family:&quot;Segoe UI&quot;, Arial"',
  "style='margin:0 0 4px; background:url(https://cdn.example/a.png)'",
  'class=name',
  'align="left"',
  'title="R&amp;D &lt; all"',
  'lang=de',
  'dir="rtl"',
)
const ofLink = attributesOf('href="https://b.example/?a=1&amp;b=2"', 'title="a &#8217; b"', 'target="_blank"')
const ofPicture = attributesOf(
  'src="https://cdn.example/a.png"',
  'width=40',
  'alt="Logo &amp; name"',
  'border="0"',
)

const phrase = fc.constantFrom(
  'Alex',
  ' ',
  ' Kim ',
  '&nbsp;',
  'R&amp;D',
  'caf&eacute;',
  '&copy; 2026',
  '1 &lt; 2',
  '\n',
  '😀',
)
const optionalEnd = (name: string) => fc.constantFrom(`</${name}>`, '')

/** Legal markup as in signatures, including omitted optional tags. */
export const harmlessMarkup: fc.Arbitrary<string> = fc.letrec<{
  inline: string
  link: string
  inLink: string
  block: string
  blocks: string
  list: string
  table: string
}>((tie) => ({
  inLink: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        phrase,
        fc.constant('<br>'),
        ofPicture.map((attributes) => `<img${attributes}>`),
        fc
          .tuple(words('b i u em strong span font small sup abbr'), decoration, tie('inLink'))
          .map(([name, attributes, content]) => `<${name}${attributes}>${content}</${name}>`),
      ),
      { maxLength: 3 },
    )
    .map((parts) => parts.join('')),
  link: fc.tuple(ofLink, tie('inLink')).map(([attributes, content]) => `<a${attributes}>${content}</a>`),
  inline: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        tie('inLink'),
        tie('link'),
        fc
          .tuple(words('b i span font'), decoration, tie('inline'))
          .map(([name, attributes, content]) => `<${name}${attributes}>${content}</${name}>`),
        fc.constantFrom(
          '<!--[if mso]><br><![endif]-->',
          '<!--[if !mso]><!--><!--<![endif]-->',
          '<o:p></o:p>',
        ),
      ),
      { maxLength: 3 },
    )
    .map((parts) => parts.join('')),
  block: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(words('h1 h2 h3 address'), decoration, tie('inline'))
      .map(([name, attributes, content]) => `<${name}${attributes}>${content}</${name}>`),
    fc.tuple(decoration, tie('inline')).map(([attributes, content]) => `<p${attributes}>${content}</p>`),
    fc
      .tuple(words('div center blockquote section'), decoration, tie('blocks'))
      .map(([name, attributes, content]) => `<${name}${attributes}>${content}</${name}>`),
    fc
      .tuple(decoration, tie('inline'), words('div ul table hr h2 p'))
      // Before these, a paragraph's end tag is optional.
      .map(
        ([attributes, content, next]) =>
          `<p${attributes}>${content}<${next}>${next === 'hr' ? '' : `</${next}>`}`,
      ),
    tie('list'),
    tie('table'),
    fc.constantFrom('<hr>', '<style>.name{color:red}</style>', '<!--[if mso]><table><tr><td><![endif]-->'),
  ),
  blocks: fc
    .array(fc.oneof({ depthSize: 'small' }, tie('inline'), tie('block')), { maxLength: 3 })
    .map((parts) => parts.join('')),
  list: fc.oneof(
    fc
      .tuple(
        words('ul ol'),
        decoration,
        fc.array(fc.tuple(tie('blocks'), optionalEnd('li')), { maxLength: 3 }),
      )
      .map(
        ([name, attributes, items]) =>
          `<${name}${attributes}>${items.map(([content, end]) => `<li>${content}${end}`).join('')}</${name}>`,
      ),
    fc
      .array(fc.tuple(words('dt dd'), tie('inline'), fc.boolean()), { maxLength: 3 })
      .map(
        (items) =>
          `<dl>${items.map(([name, content, ends]) => `<${name}>${content}${ends ? `</${name}>` : ''}`).join('')}</dl>`,
      ),
  ),
  table: fc
    .tuple(
      attributesOf('cellpadding="0"', 'border=0', 'width="420"', 'bgcolor="#ffffff"', 'role="presentation"'),
      fc.constantFrom(
        '',
        '<caption>Northwind</caption>',
        '<colgroup><col width=80><col></colgroup>',
        '<col width=80>',
      ),
      fc.boolean(),
      fc.array(
        fc.tuple(
          fc.array(fc.tuple(words('td th'), decoration, tie('blocks'), fc.boolean()), {
            minLength: 1,
            maxLength: 2,
          }),
          optionalEnd('tr'),
        ),
        { maxLength: 2 },
      ),
    )
    .map(([attributes, head, hasBody, rows]) => {
      const written = rows.map(([cells, end]) => {
        const inner = cells.map(
          ([name, more, content, ends]) => `<${name}${more}>${content}${ends ? `</${name}>` : ''}`,
        )
        return `<tr>${inner.join('')}${end}`
      })
      return `<table${attributes}>${head}${hasBody ? '<tbody>' : ''}\n${written.join('')}</table>`
    }),
})).blocks
