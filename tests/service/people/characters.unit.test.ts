import { fc, test as property } from '@fast-check/vitest'
import { parseFragment, serialize } from 'parse5'
import { describe, expect, it } from 'vitest'
import {
  releaseWithDecodedReferences,
  withDecodedReferences,
} from '../../../src/service/people/characters.ts'
import { createTemplateTexts, expandTemplate } from '../../../src/folder/expanded.ts'
import { checkMarkup } from '../../../src/folder/markup.ts'
import { htmlToText } from '../../../streams/html/text.ts'
import { compileRelease, templatePartsOf } from '../../../streams/organisation/release/release.ts'
import { renderTemplate } from '../../../streams/organisation/template/template.ts'

/** What a browser reads. */
const parsed = (html: string): string => serialize(parseFragment(html))

const MARKUP = ['<p>', '</p>', '<b title="', "<b title='", '<b title=', '">', "'>", '>', '<', '<!--', '-->']
const SIGNS = [
  '&',
  '#',
  ';',
  '=',
  ' ',
  'a',
  'in',
  'x1',
  '65',
  '·',
  '"',
  '/',
  '{',
  '\n',
  '<style>',
  '</style>',
]
const NAMES = [
  ...['&middot;', '&eacute;', '&notin;', '&notit;', '&copy', '&copy;', '&COPY', '&not', '&para=', '&frac12x'],
  ...['&amp;', '&lt;', '&gt;', '&quot;', '&apos;', '&nbsp;', '&amp', '&lt', '&AMP;', '&GT', '&nbsp', '&Amp;'],
  ...[
    '&fjlig;',
    '&num;',
    '&semi;',
    '&sol;',
    '&lbrace;',
    '&Tab;',
    '&NewLine;',
    '&equals;',
    '&grave;',
    '&excl;',
  ],
  ...[
    '&nvlt;',
    '&bne;',
    '&Ascr;',
    '&unknown;',
    '&CounterClockwiseContourIntegral;',
    '&#183;',
    '&#x1',
    '&#65',
  ],
]
const htmlOf = (...more: readonly string[]) =>
  fc
    .array(fc.constantFrom(...MARKUP, ...SIGNS, ...NAMES, ...NAMES, ...more), { maxLength: 14 })
    .map((pieces) => pieces.join(''))

describe('html with characters', () => {
  it.each([
    [
      '<p title="a &middot; b">Kai &Eacute;rard &mdash; &copy; 2026</p>',
      '<p title="a · b">Kai Érard — © 2026</p>',
    ],
    [
      '&amp; &lt; &gt; &quot; &apos; &nbsp; &#183; &#xB7;',
      '&amp; &lt; &gt; &quot; &apos; &nbsp; &#183; &#xB7;',
    ],
    ['R&D, Q&A; &unknown; & &', 'R&D, Q&A; &unknown; & &'],
    ['&copy 2026, &notit; &ampmiddot;', '© 2026, ¬it; &#38;middot;'],
    ['<a href="?a=1&copy=2&middotx&reg">&copy=&middotx</a>', '<a href="?a=1&copy=2&middotx®">©=·x</a>'],
    ['&AMP;&LT;&lbrace;&Tab;&nvlt;', '&#38;&#60;&#123;&#9;&#60;\u20D2'],
    ['<!-- &middot; --><style>a::after{content:"&middot;"}</style>', null],
  ])('%s', (html, written) => {
    expect(withDecodedReferences(html)).toBe(written ?? html)
  })

  it('shows no name in plain text', () => {
    const html = '<p>Alex &middot; Northwind<br>&copy 2026 &ndash; <img alt="Caf&eacute;"></p>'
    expect(htmlToText(withDecodedReferences(html))).toBe('Alex · Northwind\n© 2026 – Café')
  })

  property.prop([htmlOf()], { numRuns: 2000 })('is the same document, and stays as it is', (html) => {
    const once = withDecodedReferences(html)
    expect(parsed(once)).toBe(parsed(html))
    expect(withDecodedReferences(once)).toBe(once)
  })
})

const EVERYONE = { for: 'everyone', not: [] } as const
const releaseOf = (templates: Readonly<Record<string, string>>) =>
  compileRelease('r-1', {
    version: 1,
    organisation: 'Northwind',
    internal: [],
    plan: { from: null, value: null },
    variables: [],
    chooseDefault: EVERYONE,
    signatures: [],
    mailboxes: [],
    templates,
    pictures: {},
  })

describe('a release for the add-in', () => {
  const FILE = 'templates/a.html'
  const documentOf = (html: string, part: string) => ({ [FILE]: html, 'templates/part.part.html': part })
  const render = (release: ReturnType<typeof releaseOf>, v: string): string => {
    const template = release.templateOf(FILE)
    return template
      ? renderTemplate(template, { values: { v }, pictureUrl: (path) => `https://x/${path}` })
      : ''
  }
  const PLACEHOLDERS = ['{{v}}', '{{> part}}', '{{#if v}}', '{{else}}', '{{/if}}', '{{picture a&copy.png}}']

  property.prop(
    [htmlOf(...PLACEHOLDERS), htmlOf('{{v}}'), fc.constantFrom('', 'x', 'in;', '=1', ';', '<&')],
    {
      numRuns: 3000,
    },
  )('says what the organisation wrote, to each person', (html, part, value) => {
    const templates = documentOf(html, part)
    const release = releaseOf(templates)
    const expanded = expandTemplate(FILE, createTemplateTexts(templates, templatePartsOf(templates)))
    fc.pre(expanded !== null && checkMarkup(expanded).every(({ level }) => level !== 'error'))
    expect(parsed(render(releaseWithDecodedReferences(release), value))).toBe(parsed(render(release, value)))
  })

  it('reads a part where it stands', () => {
    const release = releaseOf(
      documentOf('<a href="?a=1{{> part}}">{{> part}}</a>', '&copy=2&middot;{{v}}&copy.'),
    )
    expect(render(releaseWithDecodedReferences(release), 'é')).toBe('<a href="?a=1&copy=2·é©.">©=2·é©.</a>')
  })

  it('leaves a name alone that a value may complete, a template that has the sign for placeholders, and one whose part is in the name of a tag', () => {
    expect(render(releaseWithDecodedReferences(releaseOf(documentOf('&not{{v}} &middot;', ''))), 'in;')).toBe(
      '&notin; ·',
    )
    const tag = releaseOf(documentOf('<{{> part}}', 'in&num;<p>'))
    expect(render(releaseWithDecodedReferences(tag), 'x')).toBe('<in&num;<p>')
    const odd = releaseOf(documentOf('\uFDD0&middot;{{v}}', ''))
    expect(render(releaseWithDecodedReferences(odd), 'x')).toBe('\uFDD0&middot;x')
  })

  it('reads each template once, and changes no document', () => {
    const release = releaseOf(documentOf('&middot;', ''))
    const once = releaseWithDecodedReferences(release).templateOf(FILE)
    expect(releaseWithDecodedReferences(release).templateOf(FILE)).toBe(once)
    expect(releaseWithDecodedReferences(release).document).toBe(release.document)
    expect(releaseWithDecodedReferences(release).templateOf('templates/none.html')).toBeNull()
  })
})
