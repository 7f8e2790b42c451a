import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { EXCUSED, slowPartsOf } from './expressions.ts'

const PROJECT = join(import.meta.dirname, '../..')
/** Programs of development: they read the files of this project. */
const DEVELOPMENT = ['build', 'playground', 'programs'].map((folder) => join('src', folder) + sep)

const FILES = ['streams', 'effects', 'views', 'src']
  .flatMap((folder) => readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
  .map((entry) => relative(PROJECT, join(entry.parentPath, entry.name)))
  .filter((file) => !DEVELOPMENT.some((folder) => file.startsWith(folder)))

/** The regular expressions of a file, as they are written. Those that are composed are judged where they run. */
function* expressionsOf(file: string): Generator<string> {
  const source = ts.createSourceFile(file, readFileSync(join(PROJECT, file), 'utf8'), ts.ScriptTarget.Latest)
  const nodes: ts.Node[] = [source]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (ts.isRegularExpressionLiteral(node)) yield node.text
    ts.forEachChild(node, (child) => void nodes.push(child))
  }
}

/** A literal in two: `/a/g` is `a` and `g`. */
const parsed = (literal: string) => {
  const end = literal.lastIndexOf('/')
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) }
}

test('each regular expression takes steps in proportion to what it searches, or is excused with a reason', () => {
  const filesOf = new Map<string, string>()
  for (const file of FILES) for (const literal of expressionsOf(file)) filesOf.set(literal, file)
  expect(filesOf.size).toBeGreaterThan(400)
  const slow = Array.from(filesOf, ([literal, file]) => ({
    literal,
    file,
    slow: slowPartsOf(parsed(literal)),
  })).filter((each) => each.slow.length > 0)
  expect(slow.filter(({ literal }) => !EXCUSED.has(literal))).toEqual([])
  // No excuse for what is linear, or is gone.
  const found = new Set(slow.map(({ literal }) => literal))
  expect([...EXCUSED.keys()].filter((literal) => !found.has(literal))).toEqual([])
})

test.each([
  /a*b/g,
  /a*b/y,
  /a[^]*?b/g,
  /^(?:a*)(?:a*)$/,
  /^(?:a+)+b/,
  /a(?=a*b)/g,
  /\s+$/,
  /<!--[^]*?-->/g,
  /https?:\/\/[^ ]+\.png/,
])('%s is found', (expression) => {
  expect(slowPartsOf(expression)).not.toEqual([])
})

test.each([/a/g, /(?:ab|a(?=a|$))/g, /^a*b/, /<a [^<>]*>/g, /a{0,99}b/g, /^(?:a|b)*$/, /\ba+b/])(
  '%s is not',
  (expression) => {
    expect(slowPartsOf(expression)).toEqual([])
  },
)
