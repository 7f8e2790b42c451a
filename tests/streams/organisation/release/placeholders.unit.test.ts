import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeholderProblems, vocabularyOf } from '../../../../streams/organisation/release/placeholders.ts'
import type { ReleaseDocument } from '../../../../streams/organisation/release/release.ts'
import { document as arbitraryDocument } from '../arbitraries.ts'
import { variableOf } from '../../../support/variables.ts'

const [some] = fc.sample(arbitraryDocument, { seed: 1, numRuns: 1 }) as [ReleaseDocument]
const document: ReleaseDocument = {
  ...some,
  variables: [variableOf('phone', { group: null })],
  templates: { 'templates/legal.part.html': 'Ltd', 'templates/a.html': '' },
  pictures: { 'a b.png': 'c0ffee' },
}

type Told = readonly [code: string, name: string, part: string]

function told(text: string, path = 'templates/a.html'): readonly Told[] {
  return placeholderProblems(path, text, vocabularyOf(document)).map(({ at, end, code, name }) => [
    code,
    name,
    text.slice(at, end),
  ])
}

test.each<readonly [text: string, problems: readonly Told[]]>([
  ['', []],
  ['{{phone}}{{display_name}}{{email}}{{picture_url}}{{picture a b.png}}{{> legal}}', []],
  ['{{#if phone}}a{{else}}b{{/if}}', []],
  ['{{fone}}', [['unknownVariable', 'fone', '{{fone}}']]],
  [
    '{{first fone phone mobile}}',
    [
      ['unknownVariable', 'fone', '{{first fone phone mobile}}'],
      ['unknownVariable', 'mobile', '{{first fone phone mobile}}'],
    ],
  ],
  ['{{#if fone}}{{/if}}', [['unknownVariable', 'fone', '{{#if fone}}']]],
  [
    '{{picture phone}}{{picture constructor}}',
    [
      ['unknownPicture', 'phone', '{{picture phone}}'],
      ['unknownPicture', 'constructor', '{{picture constructor}}'],
    ],
  ],
  ['{{picture a b.png linked}}', []],
  ['{{picture phone linked}}', [['unknownPicture', 'phone', '{{picture phone linked}}']]],
  ['{{> lagal}}', [['unknownPart', 'lagal', '{{> lagal}}']]],
  ['{{a b}} x', [['unknownPlaceholder', 'a b', '{{a b}}']]],
  ['x{{/if}}', [['unexpectedClose', '/if', '{{/if}}']]],
  ['{{else}}', [['unexpectedElse', 'else', '{{else}}']]],
  ['{{#if phone}}x', [['unclosed', 'phone', '{{#if phone}}']]],
  // Without its end, up to that of the line.
  ['a{{b\nc}}', [['unknownPlaceholder', 'b\nc', '{{b']]],
  ['{{a', [['unknownPlaceholder', 'a', '{{a']]],
  ['{{a\n{{phone}}', [['unknownPlaceholder', 'a\n', '{{a']]],
  ['{{a b}}\n', [['unknownPlaceholder', 'a b', '{{a b}}']]],
  // With other braces, and only where it names something.
  [
    '{phone} {fone} {> legal} {picture a b.png} {picture a b.png linked}',
    [
      ['braces', '{{phone}}', '{phone}'],
      ['braces', '{{> legal}}', '{> legal}'],
      ['braces', '{{picture a b.png}}', '{picture a b.png}'],
      ['braces', '{{picture a b.png linked}}', '{picture a b.png linked}'],
    ],
  ],
  ['{{phone}', [['braces', '{{phone}}', '{{phone}']]],
  ['{{{phone}}}', [['braces', '{{phone}}', '{{{phone}}}']]],
  ['{else}', [['braces', '{{else}}', '{else}']]],
  [
    '{{#if phone}}}x',
    [
      ['unclosed', 'phone', '{{#if phone}}'],
      ['braces', '{{#if phone}}', '{{#if phone}}}'],
    ],
  ],
  // The names of slots are free, and an address is no name.
  ['{{block phone}}{{#block b}}{{block}}{{/block}}{{counted https://a.example/}}', []],
  ['{{block}}', [['unknownVariable', 'block', '{{block}}']]],
  ['{{#block b}}{{block}}', [['unclosedSlot', 'b', '{{#block b}}']]],
  ['{{#block b}}{{/block}}', [['slotWithoutBlock', 'b', '{{#block b}}']]],
  ['{{counted a.example}}', [['unknownPlaceholder', 'counted a.example', '{{counted a.example}}']]],
  [
    '{block b} {counted https://a.example/} {block}',
    [
      ['braces', '{{block b}}', '{block b}'],
      ['braces', '{{counted https://a.example/}}', '{counted https://a.example/}'],
    ],
  ],
  // In the order: grammar, braces, names.
  [
    '{{fone}}{phone}{{/if}}',
    [
      ['unexpectedClose', '/if', '{{/if}}'],
      ['braces', '{{phone}}', '{phone}'],
      ['unknownVariable', 'fone', '{{fone}}'],
    ],
  ],
])('of %j the problems are told with their part of the text', (text, problems) => {
  expect(told(text)).toEqual(problems)
})

test('a part includes no part, and its variables are known as those of a template', () => {
  expect(told('{{> legal}}{{phone}}{{fone}}', 'templates/legal.part.html')).toEqual([
    ['partInPart', 'legal', '{{> legal}}'],
    ['unknownVariable', 'fone', '{{fone}}'],
  ])
})
