import { compareManifests } from '../../src/build/compareManifests.ts'
import { contentOfXml } from '../../src/build/manifestXml.ts'
import { contentOfUnified } from '../../src/build/unifiedManifest.ts'
import { htmlToText as playgroundText, textToHtml } from '../../src/playground/mailbox/text.ts'
import { withEmbeddedPictures } from '../../src/adopt/asItWas.ts'
import { cleanSignature } from '../../src/adopt/cleanSignature.ts'
import { NotAdopted } from '../../src/adopt/sample.ts'
import { pictureAddressesIn } from '../../src/adopt/pictureFiles.ts'
import { picturesNamedIn } from '../../src/adopt/sampleFiles.ts'
import { signatureInMail } from '../../src/adopt/signatureInMail.ts'
import { checkBlocks } from '../../src/folder/blocks.ts'
import { changingYaml } from '../../src/folder/changedYaml.ts'
import { releaseWithDecodedReferences, withDecodedReferences } from '../../src/service/people/characters.ts'
import { readCsv } from '../../src/folder/csv.ts'
import { createNearestFinder } from '../../src/folder/near.ts'
import { readPeople } from '../../src/folder/people.ts'
import { createTemplateTexts, expandTemplate } from '../../src/folder/expanded.ts'
import { startOfFile } from '../../src/folder/finding.ts'
import { checkMarkup } from '../../src/folder/markup.ts'
import { readSignetYaml } from '../../src/folder/signetYaml.ts'
import { writingYaml } from '../../src/folder/writtenYaml.ts'
import { imageAddresses } from '../../src/service/answers/signatures.ts'
import { toLinkAddress, toPictureAddress } from '../../streams/html/address.ts'
import { changeBetween } from '../../streams/html/change.ts'
import { contentHash } from '../../streams/html/hash.ts'
import { pictureWriter } from '../../streams/html/markup.ts'
import {
  contentIds,
  findInsertedSignature,
  findSignatures,
  hasSignatureWords,
  type MessageFacts,
  distinctPieces,
  preservesText,
  type ReadBody,
  visibleTextOf,
  createThreadSearch,
  createWordSearch,
} from '../../streams/html/message.ts'
import { planInsertion } from '../../streams/html/plan.ts'
import { base64ByteSize, readRaster } from '../../streams/html/raster.ts'
import { readabilityIssues, WHITE } from '../../streams/html/readability.ts'
import { sanitizeMarkup } from '../../streams/html/sanitizeMarkup.ts'
import { contentPartsOf } from '../../streams/html/parts.ts'
import { asClassicOutlook } from '../../streams/html/classicOutlook.ts'
import { shrink } from '../../streams/html/shrink.ts'
import { cleanDeclarations, cleanStyleSheet } from '../../streams/html/styles.ts'
import { htmlToText } from '../../streams/html/text.ts'
import { decodeReferences, tokensOf } from '../../streams/html/tokens.ts'
import { cleanComment } from '../../streams/html/wordMarkup.ts'
import { withPicture } from '../../streams/administration/plan/brand.ts'
import { withColour } from '../../streams/administration/plan/brandColours.ts'
import { readOutline } from '../../streams/administration/design/outline.ts'
import { typedEdits } from '../../streams/administration/design/typing.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import { deriveTemplate } from '../../streams/organisation/adopt/template.ts'
import { addPersonalQuestion, createValueSearch } from '../../streams/organisation/adopt/valuesOfOthers.ts'
import { compileRelease, type ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { matchesAddressPattern } from '../../streams/organisation/rules/rules.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import {
  misbracedPlaceholders,
  parseTemplate,
  renderTemplate,
} from '../../streams/organisation/template/template.ts'
import { templateTree } from '../../streams/organisation/template/tree.ts'
import { searchWords, personWordsOf } from '../../streams/organisation/facts/searchTerms.ts'
import { htmlWithEdits } from '../../streams/pane/variables/preview.ts'
import { fromShownText, linkAddressOf, toShownText } from '../../streams/pane/variables/sanitizeText.ts'
import { base64, png } from '../support/pictures.ts'
import { image } from '../support/state.ts'
import { largeDocument, person } from './largeDocument.ts'
import { compareReleases, planFor } from '../support/planned.ts'

/** The most steps that twice the length may cost. Linear work costs 2 times as many, quadratic work 4. */
export const MAX_GROWTH = 2.2

/** Work that grows with the length of what is read. `length`: of the shorter of the two inputs that are compared. */
export type Case = Readonly<{
  title: string
  /** An input of this length, or of so many parts. */
  make: (length: number) => never
  run: (input: never) => unknown
  length: number
}>

/** Long enough that quadratic work outgrows the linear work around it. */
const LENGTH = 600
/** Beyond the most lines that are compared (`change.ts`). */
const BEYOND_LINES = 4_800
/** So many elements are more than are written within each other (`nesting.ts`). */
const BEYOND_DEPTH = 400

const row = (unit: string) => (length: number) => unit.repeat(length / unit.length)

const changed = (html: string) =>
  changeBetween({ html: html.replaceAll('x', 'y'), images: [] }, { html, images: [image('x')] })

const NONE: MessageFacts = { marks: [], isAnswer: false, inserted: null }
const asRead = (body: string): ReadBody => ({ body, known: NONE, type: 'html' })
const hasHalf = (body: string, type: 'html' | 'text') => {
  const content = `${body.slice(body.length / 2)}y`
  return hasSignatureWords({ body, type }, content, { content, type })
}
/** A signature that a body ends with, and what it is recorded to hold. */
const RECORDED = '<p>Alex Kim of Northwind Traders<img src="cid:x"></p>'
const recorded: MessageFacts = (() => {
  const written = {
    type: 'html',
    content: RECORDED,
    images: [{ name: 'x' }],
    hash: 'h',
    combinedIds: 'c',
  } as const
  const { trace } = findInsertedSignature(written, RECORDED, { ...NONE, marks: ['m'] })
  return { ...NONE, inserted: { combinedIds: 'c', hash: 'h', trace } }
})()

/** A signature, or why there is none. */
const adopting = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    if (error instanceof NotAdopted) return error.code
    throw error
  }
}

const readers: Readonly<Record<string, (html: string) => unknown>> = {
  toText: htmlToText,
  findSignatures,
  visibleTextOf,
  preservesText: (html) => preservesText(asRead(html), asRead(html)),
  'findSignatures, by what is recorded': (html) => findSignatures(html + RECORDED, recorded),
  'findSignatures, in text': (html) => findSignatures(html + RECORDED, recorded, 'text'),
  'hasWords, in text': (html) => hasHalf(html, 'text'),
  hasWords: (html) => hasHalf(html, 'html'),
  hasInOrder: (html) => createThreadSearch({ body: html, type: 'html' }).hasInOrder([html, html]),
  hasInOrderText: (text) => createThreadSearch({ body: `> ${text}`, type: 'text' }).hasInOrder([RECORDED]),
  hasPiece: (html) => createWordSearch({ body: html, type: 'html' }).hasPiece(distinctPieces([html], [html])),
  'hasPiece, of others': (html) =>
    createWordSearch({ body: html, type: 'html' }).hasPiece(distinctPieces([RECORDED], [])),
  contentIds,
  shrink,
  asClassicOutlook,
  partsOf: contentPartsOf,
  contentHash,
  'changeBetween, from nothing': (html) => changeBetween(null, { html, images: [] }),
  withEdits: (html) => htmlWithEdits(html, { name: 'xx' }, { name: { value: 'Alex', resync: false } }),
  htmlToText: playgroundText,
  textToHtml,
  'adopt: signatureInMail': (html) => adopting(() => signatureInMail(html, null)),
  'adopt: signatureInMail, from a text': (html) => adopting(() => signatureInMail(html, 'x')),
  'adopt: asItWas': (html) => withEmbeddedPictures({ html, pictures: new Map() }),
  'adopt: picturesNamedIn': picturesNamedIn,
  'adopt: pictureAddressesIn': pictureAddressesIn,
  imageAddresses: (html) => imageAddresses(html, 'x'),
}

/** Each made to begin something again and again that never ends, or that ends in another way than it should. */
const MARKUP = [
  ...['<', '<!--', '<div ', '<a href="x', '<div id="Signature">', '&nbsp;', '"', '{{#if x}}'],
  ...['<!-- x -->', '<!-->', '<div>x', '</div>', '<div></div>\n', '<a href="x">', '<a>x</a>', '<hr>\n'],
  ...['<img src="', '<img src="x">', '<td></td>', '<br> ', '<p>x</p> ', '<style>', '<style ', '&', '&#'],
  ...['<span style="_MailAutoSig">', '<div data-signet-hash="x">', '<p type=x class="x ', "'", ';', 'x'],
  ...['<p style="x:0px ; ', '<p style=";;', ' ', '\t\n', 'cid:', 'data:', 'url('],
  ...['{{', '{{x}}', '{{/if}}'],
]

/** Those that are drawn as lines with words. */
const MANY_LINES = ['<div>x', '<p>x</p> ']

/** Those that begin elements within each other. */
const NESTED = [
  ...['<b>', '<p><b>', '<x>', '<pre>\n', '<div>x'],
  ...['<div id="Signature">', '<span style="_MailAutoSig">', '<div data-signet-hash="x">'],
]

const TOKENS = [
  '<',
  '<!--',
  '<!',
  '</',
  '<a ',
  '<a b="',
  "<a b='",
  '<a b=',
  '<a/',
  '<style>',
  '<a ="',
  '<a b ',
  '&',
  '&#',
  '&a',
]
const NAMES = ['&middot;', '&notit;', '&copy', '&copy=', '<a b="&reg" c=\'&copy;\'>']
const SANITISED = [
  '<style></style>',
  '<p style="color:red">x</p>',
  '<a href="#x-1" id="x-1">x</a>',
  '<!--[if mso]><br><![endif]-->',
  '<svg>',
  '<p a b c d>',
  '&lt;',
  '<b>',
  '<p><b>',
  '<b><p></b>',
  '<x>',
  '</x>',
  '<table>',
  '<table><td>',
  '<td>',
  '<li>',
  '<a>',
  '<!--',
  '-',
  '<pre>\n',
]
const STYLES = [
  'a{b:c}',
  'a{',
  'a{b:(',
  'a{b:c;',
  '@media a{b{c:d}}',
  '@media a{',
  'url(',
  'url("a" ',
  '(',
  '[',
  ')',
  '"\n',
  '\\\n',
  '\\61 ',
  '/*',
  '/**/',
  '<!--',
  '--',
  '-->',
  '!important',
  'a:b!important;',
  ' ',
  'a ',
  'a:b,',
  '#',
  '1e1',
  'calc(1px)',
  'a:calc(',
  'var(--a,',
]
const FOR_WORD = [
  '-',
  '<',
  '[if',
  '<p a="',
  '<p a=',
  '<p ',
  '<a href="&',
  '&#',
  '&a',
  '<style>',
  '<style>a{b:c}</style>',
  '<script>',
  '</script>',
  '<svg>',
  '<!',
  '<?',
  '</',
  '/',
  '=',
  ' ',
  '<p style="color:red">x',
  '<v:fill src="https://cdn.example/a.png">',
  '--',
  '>',
]
const TEMPLATES = [
  '{{',
  '{{#if a}}',
  '{{/if}}',
  '{{else}}',
  '{{a}}',
  '{{> part}}',
  '{{picture ',
  '{{block a}}',
  '{{#block a}}',
  '{{block}}',
  '{{/block}}',
  '{{#block a}}{{#if a}}{{block}}{{block a}}',
  '}}',
  '{{x ',
  '{',
]
const CHECKED = [
  '{{block a}}',
  '{{#block a}}{{block}}{{/block}}',
  '<a href="{{counted https://a.example/}}">',
  '<a href="#a">',
  '<a href="https://a.example/">',
  '{{#if v}}',
  '<p title="{{v}}">',
  '<p style="color:red;',
  '<style>a{',
  '<!--[if mso]>',
  '<a href="{{web v}}">{{v}}</a>',
  '&amp',
]
const ADDRESSES = [' ', '%61', '%25', '&', '/', '\n', '; ', '?', '+']
const VALUES = ['<', '<<x>', '\u202e', 'java', 'j ', '[U+', '[U+202E]', 'data:']

/** Texts that begin a value, a number or a name again and again, and markup around them. */
const ADOPTED = [
  'Maria ',
  'Maria Silva ',
  'a ',
  '+49 ',
  '+49 30 1234-5670 ',
  '030 ',
  '(0',
  '(',
  '{',
  '{First ',
  '%%',
  '$CurrentUser',
  '<b>Maria</b> ',
  '<b>a</b>',
  '<span>',
  '<br>Berlin',
  '<p>Berlin',
  '<tr><td>Berlin',
  '</p>',
  '<img alt="Maria">',
  '<a href="tel:+493012345670">x</a>',
  '<p title="Maria Silva a b">',
  '{{',
  '&#97;',
  ' | ',
  ', a | ',
]
const adopter: PersonState = {
  ...person,
  directory: {
    givenName: 'Maria',
    surname: 'Silva',
    city: 'Berlin',
    'businessPhones.0': '+49 30 1234-5670',
    motto: 'a a a a a a a a b',
    notes: 'Maria Maria Maria Silva Silva',
  },
}
/** The texts of a signature, and values of people who have the same. */
const lookUpIn = (text: string) => {
  const looking = createValueSearch([text])
  looking.add({ ...adopter, directory: { displayName: text, jobTitle: text, mobilePhone: text, city: text } })
  return [looking.found(), addPersonalQuestion([text], [{ kind: 'personal', texts: [text] }])]
}
const adoptTwo = (html: string) => {
  const other = { ...adopter, directory: { ...adopter.directory, city: 'Porto' } }
  return [
    deriveTemplate([{ html, person: adopter }], []),
    deriveTemplate(
      [
        { html, person: adopter },
        { html: html.replaceAll('Berlin', 'Porto').replaceAll('a ', 'b c '), person: other },
      ],
      [],
    ),
  ]
}

const readPicture = (content: string) => [readRaster(content), base64ByteSize(content)]
const write = pictureWriter(undefined)
const render = (text: string): string =>
  renderTemplate(parseTemplate(text, new Map([['part', 'x']])).template, {
    values: { a: 'Alex' },
    pictureUrl: (path) => path,
  })

const reading = <Input>(
  title: string,
  make: (length: number) => Input,
  run: (input: Input) => unknown,
  length = LENGTH,
): Case => ({ title, make: make as Case['make'], run, length })
const readingRows = (
  title: string,
  units: readonly string[],
  run: (text: string) => unknown,
  lengthOf = (_: string): number => LENGTH,
) => units.map((unit) => reading(`${title}: ${JSON.stringify(unit)}`, row(unit), run, lengthOf(unit)))
const asNested = (unit: string): number => (NESTED.includes(unit) ? BEYOND_DEPTH * unit.length : LENGTH)

export const CASES: readonly Case[] = [
  ...Object.entries(readers).flatMap(([name, read]) => readingRows(name, MARKUP, read)),
  ...MARKUP.map((unit) =>
    reading(
      `changeBetween, to something else: ${JSON.stringify(unit)}`,
      row(unit),
      changed,
      MANY_LINES.includes(unit) ? BEYOND_LINES : LENGTH,
    ),
  ),
  reading(
    'findSignatures: an id that is almost a mark',
    (length) => `<p id="signet_${'a_'.repeat(length / 2)}\n">`,
    findSignatures,
  ),
  ...readingRows('tokens and references', TOKENS, (html) => [[...tokensOf(html)], decodeReferences(html)]),
  ...readingRows('characters in place of names', [...TOKENS, ...NAMES], withDecodedReferences),
  ...readingRows(
    'characters of a template',
    ['{{a}}', '&not{{a}}', '{{#if a}}&middot;{{/if}}', '{{> p}}'],
    (html) =>
      releaseWithDecodedReferences(
        compileRelease('r', {
          ...largeDocument({}),
          templates: { 'templates/a.html': html, 'templates/p.part.html': '&middot;{{a}}' },
        }),
      ).templateOf('templates/a.html'),
  ),
  ...readingRows(
    'the sanitiser without a document',
    SANITISED,
    (html) => sanitizeMarkup(html, 'insert'),
    asNested,
  ),
  ...readingRows(
    'adopt: cleanSignature',
    MARKUP,
    (html) => adopting(() => cleanSignature(html, new Map())),
    asNested,
  ),
  ...readingRows('adopt: cleanSignature, a style sheet', STYLES, (css) =>
    adopting(() => cleanSignature(`<style>${css}</style><p class="a">x</p>`, new Map())),
  ),
  ...readingRows('asClassicOutlook, a style sheet', STYLES, (css) =>
    asClassicOutlook(`<style>${css}</style><p style="${css}">`),
  ),
  ...readingRows('styles', STYLES, (css) => [
    cleanStyleSheet(css, toPictureAddress),
    cleanDeclarations(css, toPictureAddress),
    cleanDeclarations(`a:${css}`, toPictureAddress),
  ]),
  ...readingRows('a comment for Word', FOR_WORD, (markup) => [
    cleanComment(`[if mso]>${markup}<![endif]`, write),
    cleanComment(`[if mso]><a href="${markup}<![endif]`, write),
    cleanComment(markup, write),
  ]),
  ...readingRows('an address', ADDRESSES, (text) => [
    toLinkAddress(`mailto:a?b${text}x`),
    toPictureAddress(`mailto:a?b${text}x`),
    toLinkAddress(`a?b${text}x`),
  ]),
  ...readingRows('[VAR-8] a value as it is shown', VALUES, (given) => [
    fromShownText(toShownText(given), given),
    linkAddressOf(given),
  ]),
  ...readingRows('a template', TEMPLATES, render),
  ...readingRows(
    'a colour in a template',
    [
      ...MARKUP,
      ...FOR_WORD,
      ...STYLES,
      ...TEMPLATES,
      '<td bgcolor="red">',
      '<p style="color:red',
      'red ',
      '{{#',
    ],
    (text) => [
      withColour(text, 'red', 'blue'),
      withColour(`<style>${text}</style>`, 'red', 'blue'),
      withColour(`<p style="color:${text}">`, 'red', 'blue'),
      withColour(`<!--[if mso]>${text}<![endif]-->`, 'red', 'blue'),
    ],
  ),
  reading(
    'a picture in a template',
    (length) => '{{picture a.png}}'.repeat(length),
    (text) => withPicture(text, 'a.png', 'b.png'),
  ),
  ...[...TEMPLATES, '<p>', '<b><p>', '<table><tr><td>', '<li>', '</b>', '<style>'].map((unit) =>
    reading(
      `the tree of a template: ${JSON.stringify(unit)}`,
      row(unit),
      templateTree,
      4 * BEYOND_DEPTH * unit.length,
    ),
  ),
  ...[...TEMPLATES, 'a <b>c</b><br>', '<p><b>a', '<tr><td>a', '{{#if a}}<br>b{{/if}}', '<span>', ' '].map(
    (unit) =>
      reading(
        `the outline of a template: ${JSON.stringify(unit)}`,
        row(unit),
        readOutline,
        4 * BEYOND_DEPTH * unit.length,
      ),
  ),
  ...readingRows('words that are typed', ['a', ' ', '&', '&lt;', '{{a}}', '<br>', '{', '&a'], (text) =>
    [`${text}b`, `b${text}`, text.slice(0, -1)].map((words) =>
      typedEdits(text, { from: 0, to: text.length }, [{ kind: 'text', text: words }], decodeReferences),
    ),
  ),
  reading(
    'the tree of a template with conditions within conditions',
    (length) => `${'{{#if a}}x{{else}}y'.repeat(length / 26)}${'{{/if}}'.repeat(length / 26)}`,
    templateTree,
  ),
  ...readingRows('a signature that becomes a template', ADOPTED, adoptTwo),
  ...readingRows('values of other people in a signature', [...ADOPTED, 'a.', 'a@b.example '], lookUpIn),
  reading(
    'a template with conditions within conditions',
    (length) => `${'{{#if a}}x{{else}}y'.repeat(length / 26)}${'{{/if}}'.repeat(length / 26)}`,
    render,
  ),
  ...CHECKED.map((unit) =>
    reading(
      `the markup of a template that is checked: ${JSON.stringify(unit)}`,
      // Below the number of tags that is read at all.
      (length) => unit.repeat(Math.ceil(length / 8)),
      (html) => {
        const expanded = expandTemplate(
          'templates/a.html',
          createTemplateTexts({ 'templates/a.html': html }, new Map()),
        )
        if (expanded !== null) checkMarkup(expanded)
      },
    ),
  ),
  reading(
    'slots within conditions that are checked',
    (length) => {
      const [begin, end] = ['{{#if a}}', '{{else}}{{block x}}{{/if}}']
      const slots = Array.from({ length }, (_, index) => `{{block s${index}}}`).join('')
      const html = begin.repeat(length) + slots + end.repeat(length)
      const document: ReleaseDocument = {
        ...largeDocument({ signatures: 1, templates: 1 }),
        templates: { 'templates/t0.html': html },
      }
      const texts = createTemplateTexts(document.templates, new Map())
      const expandedOf = new Map([['templates/t0.html', expandTemplate('templates/t0.html', texts)]])
      return { document, expandedOf }
    },
    ({ document, expandedOf }) =>
      runSteps(
        checkBlocks(
          document,
          expandedOf,
          () => startOfFile('x'),
          () => null,
        ),
      ),
    300,
  ),
  reading(
    'a table of people',
    (length) => 'a,"b"\n'.repeat(length),
    (text) => readCsv(text),
  ),
  ...['email;a;b\n', ';', '"', '\n'].map((unit) =>
    reading(
      `people of a spreadsheet: ${JSON.stringify(unit)}`,
      (length) => unit.repeat(Math.ceil(length / unit.length)),
      (text) => readPeople(text, 'people.csv', null),
    ),
  ),
  ...readingRows('the words of a value', ['a-', "a'", 'ä', 'a ', '-', 'ß'], (value) =>
    personWordsOf({ ...person, directory: { displayName: value } }),
  ),
  reading(
    'the words of many values',
    (length) => ({ ...person, values: Object.fromEntries(Array.from({ length }, (_, at) => [at, 'Ana'])) }),
    personWordsOf,
  ),
  // Words of one letter each, of which none begins another.
  reading(
    'the words of a search',
    (length) => Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(' '),
    searchWords,
    200,
  ),
  reading(
    'names that resemble each other',
    (length) => Array.from({ length }, (_, index) => `name-${index}@northwind.example`),
    (names) => {
      const nearest = createNearestFinder(() => names)
      for (const name of names) runSteps(nearest(`${name}x`))
    },
  ),
  ...readingRows('braces of a template', ['{', '}', '{a', '{a}', '{{{a}}}', '}{a}{'], (text) =>
    misbracedPlaceholders(text),
  ),
  reading(
    'templates that share a long part',
    (length) => largeDocument({ templates: length / 20, lines: 1, partLines: length / 20 }),
    (document) => compileRelease('r', document),
  ),
  reading(
    'comparing signatures that share long templates',
    (length) => {
      const document = largeDocument({ signatures: length / 20, templates: 2, lines: length / 20 })
      return compileRelease('r', document)
    },
    (release) => compareReleases(release, release, ''),
  ),
  reading(
    'who writes for many mailboxes',
    (length) => compileRelease('r', largeDocument({ mailboxes: length })),
    (release) => planFor(compareReleases(null, release, ''), person, new Map(), 0),
  ),
  reading(
    'who wrote for many mailboxes',
    (length) => compileRelease('r', largeDocument({ mailboxes: length })),
    (release) => planFor(compareReleases(release, release, ''), person, new Map(), 0),
  ),
  reading(
    'a signet.yaml whose mailboxes and comments all change their places',
    (length) => largeDocument({ mailboxes: length / 4 }),
    (document) => {
      const text = runSteps(writingYaml(document)).replaceAll('\n  a', '\n  # x\n  # y\n  a')
      runSteps(changingYaml(text, { ...document, mailboxes: document.mailboxes.toReversed() }))
    },
    200,
  ),
  reading(
    'a signet.yaml with many comments and blank lines, whose conditions change',
    (length) => length,
    (length) => {
      const lines = '# x\n \n# y\n'.repeat(length)
      const list = (group: string) => `[${`{ group: ${group} }, `.repeat(length / 4)}]`
      const text = (group: string) =>
        `version: 1\n${lines}organisation: X\nchoose-default:\n${lines}  for: ${list(group)}\n`
      const { document } = readSignetYaml(text('b'), [])
      runSteps(changingYaml(text('a'), { ...document, templates: {}, pictures: {} }))
    },
    200,
  ),
  reading(
    'a pattern of addresses',
    (length) => `${'*a'.repeat(length / 2)}b`,
    (pattern) => matchesAddressPattern('a'.repeat(320), pattern),
  ),
  reading('a picture: padding', (length) => '='.repeat(length), readPicture),
  reading('a picture: padding in the middle', (length) => `${'='.repeat(length)}A`, readPicture),
  reading(
    'a picture: a PNG',
    (length) => png(1, 1).slice(0, 32) + 'A'.repeat(length - (length % 4)),
    readPicture,
  ),
  reading(
    'a picture: segments of a JPEG',
    (length) => base64([0xff, 0xd8, 0xff], `\xe0\0\x02\xff`.repeat(length / 4)),
    readPicture,
  ),
  reading(
    'a picture: filling of a JPEG',
    (length) => base64([0xff, 0xd8], '\xff'.repeat(length)),
    readPicture,
  ),
  ...(
    [
      [1, 1],
      [9, 1],
      [1, 9],
    ] as const
  ).map(([address, words]) =>
    reading(
      `an address of one link that its text almost contains, ${String(address)} to ${String(words)}`,
      (length) =>
        `<a href="y${'x'.repeat((length * address) / 10)}">${'x'.repeat((length * words) / 10)}</a>`,
      htmlToText,
    ),
  ),
  reading(
    'what may not be readable',
    (length) => Array.from({ length: length / 10 }, (_, index) => ` ${String(index)} ${' '.repeat(10)}`),
    (texts) =>
      readabilityIssues(
        {
          texts: texts.map((text) => ({ text, colour: WHITE, background: WHITE, size: 3, bold: false })),
          images: texts.map((name) => ({ name, alternative: null, isAllOfLink: false, loading: 'failed' })),
          width: 9,
          room: 1,
        },
        'light',
      ),
  ),
  reading(
    '[INS-2] unique names of images',
    (length) => {
      const urls = Array.from({ length }, (_, index) => `https://cdn.example/${String(index)}/logo.png`)
      const html = urls.map((url) => `<img src="${url}">`).join('')
      return { html, images: urls.map((url) => image(url)) }
    },
    ({ html, images }) =>
      planInsertion(
        { combinedIds: 'c-1', html: 'x', images },
        'html',
        [],
        (_, __, replacePicture = () => null) => {
          for (const { url } of images) replacePicture(url)
          return html.slice(0, 1)
        },
      ),
  ),
  ...(
    [
      ['overrides in overrides', '<VersionOverrides>', '</VersionOverrides>'],
      [
        'texts',
        '<Resources><LongStrings><String id="x" DefaultValue="x"><Override/></String></LongStrings></Resources>',
        '',
      ],
      [
        'events',
        '<Hosts><Host><DesktopFormFactor><ExtensionPoint><LaunchEvents><LaunchEvent/></LaunchEvents></ExtensionPoint></DesktopFormFactor></Host></Hosts>',
        '',
      ],
      ['groups in groups', '<Group><Control/>', '</Group>'],
    ] as const
  ).map(([what, begin, end]) =>
    reading(
      `a deployed manifest: ${what}`,
      (length) =>
        `<OfficeApp xsi:type="MailApp"><VersionOverrides>${begin.repeat(length)}${end.repeat(length)}</VersionOverrides></OfficeApp>`,
      contentOfXml,
    ),
  ),
  reading(
    'a deployed manifest: buttons, which are compared',
    (length) =>
      `<OfficeApp xsi:type="MailApp"><VersionOverrides><Hosts><Host><DesktopFormFactor><ExtensionPoint><OfficeTab>${Array.from(
        { length },
        (_, index) => `<Group><Control id="${String(index)}"/></Group>`,
      ).join(
        '',
      )}</OfficeTab></ExtensionPoint></DesktopFormFactor></Host></Hosts></VersionOverrides></OfficeApp>`,
    (xml) => compareManifests(contentOfXml(xml), contentOfXml(xml.replaceAll('id="', 'id="a'))),
  ),
  reading(
    'a deployed unified manifest: buttons, with their places and actions',
    (length) => {
      const ids = Array.from({ length }, (_, index) => String(index))
      const controls = ids.map((id) => ({ id, actionId: id, label: 'x' }))
      const runtimes = ids.map((id) => ({ actions: [{ id }] }))
      const ribbons = [{ contexts: ids, tabs: [{ groups: [{ controls }] }] }]
      return { id: 'a', extensions: [{ runtimes, ribbons }] }
    },
    (manifest) => contentOfUnified(manifest, null),
  ),
]
