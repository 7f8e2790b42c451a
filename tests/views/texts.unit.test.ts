import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { refusalTexts } from '../../src/server/refusalTexts.ts'
import { type Language, languages } from '../../streams/wire/languages.ts'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

type Group = Readonly<{ [key: string]: string | Group }>
const flat = (group: Group, before = ''): (readonly [string, string])[] =>
  Object.entries(group).flatMap(([key, value]) =>
    typeof value === 'string' ? [[before + key, value] as const] : flat(value, `${before}${key}.`),
  )
const textsOf = (language: string, folder = 'views/pane'): ReadonlyMap<string, string> =>
  new Map(flat(JSON.parse(read(`${folder}/text/${language}.json`)) as Group))
const PLURAL = /_(zero|one|two|few|many|other)$/
/** The version of a text for meetings. */
const MEETING = /_meeting$/
const stems = (texts: ReadonlyMap<string, string>) =>
  [...new Set([...texts.keys()].map((key) => key.replace(PLURAL, '')))].sort()
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).sort()

/** The folders of the texts of each program that draws these views. */
const PROGRAMS = ['views/pane', 'views/administration'] as const

/** The texts of all programs that have a folder for them, and of the pages that servers write. */
const everyTextIn = (language: Language): readonly (readonly [key: string, text: string])[] => [
  ...[...PROGRAMS, 'src/playground'].flatMap((folder) =>
    [...textsOf(language, folder)].map(([key, text]) => [`${folder} ${key}`, text] as const),
  ),
  ...flat(refusalTexts[language], 'src/server '),
]

test('the pages of servers never shout, and leave no text empty', () => {
  for (const language of languages)
    for (const [key, text] of flat(refusalTexts[language], `${language} `)) {
      expect(text.trim(), key).not.toBe('')
      expect(text, key).not.toMatch(/[!¡]/)
    }
})

describe.each(PROGRAMS.flatMap((folder) => languages.map((language) => [folder, language] as const)))(
  '%s/text/%s.json',
  (folder, language) => {
    const english = textsOf('en', folder)
    const texts = textsOf(language, folder)

    test('[I18N-7] has every text that English has, and no other', () => {
      // Two lists, so that a failure shows the missing keys alone.
      const [own, all] = [stems(texts), stems(english)]
      expect({
        missing: all.filter((key) => !own.includes(key)),
        unknown: own.filter((key) => !all.includes(key)),
      }).toEqual({ missing: [], unknown: [] })
    })

    test('[I18N-7] has every plural form that the language knows', () => {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
      for (const stem of stems(texts)) {
        const own = [...texts.keys()].filter((key) => PLURAL.test(key) && key.replace(PLURAL, '') === stem)
        if (own.length > 0)
          expect(own.map((key) => PLURAL.exec(key)?.[1]).sort(), `${language} ${stem}`).toEqual(forms)
      }
    })

    test('has a version for meetings only beside the text for messages, and without the word for these', () => {
      const word = { de: /Nachricht/, en: /message/i, es: /mensaje/i, fr: /message/i, it: /messaggi/i }
      const others = { nl: /bericht/i, pt: /mensage/i, 'pt-BR': /mensage/i }
      for (const [key, text] of texts) {
        if (!key.endsWith('_meeting')) continue
        expect(texts.has(key.replace(MEETING, '')), key).toBe(true)
        expect(text, key).not.toMatch({ ...word, ...others }[language])
      }
    })

    test('has the same placeholders as English, is never empty, and has no exclamation mark', () => {
      for (const [key, text] of texts) {
        const other = english.get(key) ?? english.get(key.replace(PLURAL, '_other')) ?? ''
        expect(placeholders(text), `${language} ${key}`).toEqual(placeholders(other))
        expect(text.trim(), `${language} ${key}`).not.toBe('')
        expect(text, `${language} ${key}`).not.toMatch(/[!¡]/)
      }
    })
  },
)

// Whole words, or what they begin with: `\b` knows ASCII letters only.
const wordsLike = (stems: string) => new RegExp(`(?:^|[^\\p{L}])(?:${stems})`, 'iu')
const PORTUGAL = wordsLike(
  [
    ...['predefinid', 'definições', 'ficheiro', 'ecrã', 'telemóvel', 'utilizador', 'partilh', 'guard'],
    ...['noutr', 'píxe', 'reencaminh', 'ligaç', 'sítio', 'registo', 'contact', 'porquê', 'apelido'],
    ...[
      'iniciar sessão',
      'terminar sessão',
      'pré-visualiz',
      'eliminar',
      '(?:está|estão) a \\p{L}+r(?!\\p{L})',
    ],
  ].join('|'),
)
const BRAZIL = wordsLike(
  [
    ...['você', 'padrão', 'tela(?!\\p{L})', 'arquivo', 'celular', 'sobrenome', 'salv', 'exclu', 'compartilh'],
    ...['usuário', 'conexão', 'configuraç', 'login', 'desfaz', 'encaminh', 'contat', 'em outr', 'pixels'],
    ...['(?:está|estão|estava) \\p{L}+ndo(?!\\p{L})', 'prévia(?!\\p{L})'],
  ].join('|'),
)

test.each([
  ['pt-BR', 'Portugal', PORTUGAL, /[«»]|^A \p{L}+r(?!\p{L})/u],
  ['pt', 'Brazil', BRAZIL, /[“”]|^\p{L}+(?:ando|endo|indo)(?!\p{L})/u],
] as const)('[I18N-7] %s has no words of %s', (language, _country, words, forms) => {
  for (const [key, text] of everyTextIn(language)) {
    expect(text, key).not.toMatch(words)
    expect(text, key).not.toMatch(forms)
  }
})

test('French breaks no line before its punctuation', () => {
  for (const [key, text] of everyTextIn('fr'))
    expect(text, key).not.toMatch(/«[^\u202f]|[^\u202f]»|[ \u00a0][:;?]/)
})

const sources = ['views', 'src']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.posix.join(folder, file.replaceAll('\\', '/')),
    ),
  )
  // The playground and the service have texts of their own.
  .filter((file) => /^(views|src\/(?:engine|pane|administration))\/.*\.tsx?$/.test(file))
  .map((file) => ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true))

function visit(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node)
  node.forEachChild((child) => {
    visit(child, each)
  })
}

const isOfAdministration = (source: ts.SourceFile) => /^(views|src)\/administration\//.test(source.fileName)
/** The views of a program; those that are shared count to the pane. */
const sourcesOf = (folder: (typeof PROGRAMS)[number]) =>
  sources.filter((source) => (folder === 'views/pane') !== isOfAdministration(source))

test.each(PROGRAMS)('every text of %s is used in the code', (folder) => {
  const said = new Set<string>()
  /** What keys begin with that are put together: `frame.${area}`. */
  const begun: string[] = []
  for (const source of folder === 'views/pane' ? sourcesOf(folder) : sources)
    visit(source, (node) => {
      if (ts.isStringLiteralLike(node)) said.add(node.text)
      if (ts.isTemplateExpression(node) && node.head.text.includes('.')) begun.push(node.head.text)
    })
  const unused = stems(textsOf('en', folder)).filter((key) => !said.has(key.replace(MEETING, '')))
  expect(unused.filter((key) => !begun.some((beginning) => key.startsWith(beginning)))).toEqual([])
})

test.each(PROGRAMS)('every literal key of %s in the code exists', (folder) => {
  const keys = new Set(stems(textsOf('en', folder)))
  const asked: string[] = []
  for (const source of sourcesOf(folder))
    visit(source, (node) => {
      if (!ts.isCallExpression(node) || !/(^|\.)t$/.test(node.expression.getText())) return
      const [key] = node.arguments
      if (key && ts.isStringLiteralLike(key)) asked.push(key.text)
    })
  expect(asked.length).toBeGreaterThan(20)
  expect(asked.filter((key) => !keys.has(key))).toEqual([])
})

test('no view contains text of its own', () => {
  const spoken = new Set(['alt', 'aria-label', 'aria-description', 'placeholder', 'title', 'label'])
  const words: string[] = []
  for (const source of sources)
    visit(source, (node) => {
      if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) words.push(node.text.trim())
      if (
        ts.isJsxAttribute(node) &&
        spoken.has(node.name.getText()) &&
        node.initializer &&
        ts.isStringLiteral(node.initializer) &&
        node.initializer.text.includes(' ')
      )
        words.push(node.initializer.text)
    })
  expect(words).toEqual([])
})
