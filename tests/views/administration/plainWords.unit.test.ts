/** Keeps the words of `signet.yaml` and of the code out of what administrators read. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/folder/finding.ts'
import { readSignetYaml } from '../../../src/folder/signetYaml.ts'
import { type Language, languages } from '../../../streams/wire/languages.ts'

type Step = string | number

/** The keys that a map at this place of `signet.yaml` may have: its reader lists them when it finds an unknown key. */
function keysAt(place: readonly Step[]): readonly string[] {
  const problems: Finding[] = []
  const unknown = place.reduceRight<unknown>(
    (inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }),
    { 'no-such-key': '' },
  )
  readSignetYaml(JSON.stringify(unknown), problems)
  return problems.flatMap(
    ({ message }) => /^"no-such-key" .* may have ([^.]+)\./.exec(message)?.[1]?.split(/, | and /) ?? [],
  )
}

/** A key's value is a map with keys, a map of named entries, or a list of either. */
const INSIDE: readonly (readonly Step[])[] = [[], ['name'], [0], [0, 'name']]

const keysFrom = (place: readonly Step[]): readonly string[] =>
  keysAt(place).flatMap((key) => [key, ...INSIDE.flatMap((inside) => keysFrom([...place, key, ...inside]))])

const KEYS = [...new Set(keysFrom([]))]

/** Keys that are words of a language. In English, all are that have only letters, except for `resync`. */
const WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: KEYS.filter((key) => /^[a-z]+$/.test(key) && key !== 'resync'),
  de: ['mobile'],
  es: ['plan', 'variables'],
  fr: ['logos', 'mobile', 'organisation', 'plan', 'signature', 'signatures', 'variables', 'version'],
  it: ['mobile'],
  nl: ['plan'],
  pt: ['for'],
  'pt-BR': ['for'],
}

/** The word is the first group: what is before it matches, too, because Safari 16.0 knows no lookbehind. */
const wholeWord = (words: readonly string[]) =>
  `(?:^|[^\\p{L}\\p{N}_.-])(${words.join('|')})(?![\\p{L}\\p{N}_@-])`

/** `counting: true`, `limits: { people: 10% }` */
const SETTING = new RegExp(`${wholeWord(KEYS)}: ?(?:true|false|null|[\\p{N}"'[{])`, 'u')
/** `timeZone`, `time_zone` */
const NAME_IN_CODE = /(?:^|[^\p{L}])(\p{Ll}{2,}\p{Lu}\p{L}*|\p{Ll}+_\p{Ll}+)/u

/** What of a text, without its values, belongs into code. */
const codeIn = (text: string, language: Language): readonly string[] => {
  const foreign = KEYS.filter((key) => !WORDS[language].includes(key))
  return [SETTING, NAME_IN_CODE, new RegExp(wholeWord(foreign), 'u')].flatMap(
    (code) => code.exec(text)?.[1] ?? [],
  )
}

const folder = path.join(import.meta.dirname, '../../../views/administration')

type Group = Readonly<{ [key: string]: string | Group }>
const flat = (group: Group, before = ''): readonly (readonly [key: string, text: string])[] =>
  Object.entries(group).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[before + key, value.replaceAll(/\{\{[^}]*\}\}/g, '…')] as const]
      : flat(value, `${before}${key}.`),
  )
const textsOf = (language: Language) =>
  flat(JSON.parse(readFileSync(path.join(folder, `text/${language}.json`), 'utf8')) as Group)

test('the keys of signet.yaml come from its reader, from every place', () => {
  expect(KEYS).toEqual(
    expect.arrayContaining(['counting', 'choose-default', 'time-zone', 'resync', 'slot', 'unless', 'starts']),
  )
})

describe.each(languages)('%s', (language) => {
  test('has no key of signet.yaml and no name of the code in a sentence', () => {
    const found = textsOf(language).flatMap(([key, text]) =>
      codeIn(text, language).map((code) => `${key}: ${code}`),
    )
    expect(found).toEqual([])
  })

  test('says place, who gets a signature, and example', () => {
    const unsaid = new RegExp(`(?:^|[^\\p{L}])(?:${UNSAID[language].join('|')})(?!\\p{L})`, 'iu')
    expect(textsOf(language).filter(([, text]) => unsaid.test(text))).toEqual([])
  })
})

/** The words for which the texts say what people say: slot, coverage and sample, with their counterparts. */
const UNSAID: Readonly<Record<Language, readonly string[]>> = {
  en: ['slots?', 'coverage', 'samples?'],
  de: ['slots?', 'platz für banner', 'plätze', 'abdeckung', 'musterwerte?', 'stichproben?'],
  es: ['slots?', 'cobertura', 'muestreo', '(?:de|una) muestra'],
  fr: ['slots?', 'couverture', 'échantillons?'],
  it: ['slots?', 'copertura', 'campion[ei]'],
  nl: ['slots?', 'dekking', 'steekproef', 'monsters?'],
  pt: ['slots?', 'cobertura', 'amostras?'],
  'pt-BR': ['slots?', 'cobertura', 'amostras?'],
}

test.each([
  ['Mit counting: true in signet.yaml', 'de', 'counting'],
  ['With counting: true in signet.yaml', 'en', 'counting'],
  ['Set limits: { people: 10% }', 'en', 'limits'],
  ['The choose-default of the organisation', 'en', 'choose-default'],
  ['Cambia time-zone', 'es', 'time-zone'],
  ['For example officeLocation', 'en', 'officeLocation'],
  ['Le share du bloc', 'fr', 'share'],
] as const)('“%s” (%s) has code: %s', (text, language, code) => {
  expect(codeIn(text, language)).toContain(code)
})

test('no view puts a setting or a placeholder into a sentence', () => {
  const found: string[] = []
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue
    const source = ts.createSourceFile(
      file,
      readFileSync(path.join(folder, file), 'utf8'),
      ts.ScriptTarget.Latest,
    )
    const visit = (node: ts.Node) => {
      const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isJsxText(node)
      if (isText && (SETTING.test(node.text) || /\{\{[#>]? ?\w/.test(node.text)))
        found.push(`${file}: ${node.text}`)
      node.forEachChild(visit)
    }
    visit(source)
  }
  expect(found).toEqual([])
})
