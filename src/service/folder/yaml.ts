/**
 * Reads YAML 1.2 with positions: maps, lists and texts only. Tags, anchors, aliases and further documents are findings,
 * and nothing beyond the limits is composed.
 */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  visit,
} from 'yaml'
import { createLocator, type Finding, findError, listed, type Place, quote } from './finding.ts'
import { isText } from '../../../streams/organisation/names.ts'

/** Of maps and lists in each other; the reader composes them recursively. */
const MAX_DEPTH = 60
const MAX_TOKENS = 400_000
const MAX_TEXT_CHARACTERS = 10_000

export type YamlNode = Node | null

export const isList = (node: YamlNode): boolean => isSeq(node)
export const isRecord = (node: YamlNode): boolean => isMap(node)
/** An empty node, or `null`. */
export const isEmpty = (node: YamlNode): boolean =>
  node === null || (isScalar(node) && node.value === null) || (isMap(node) && node.items.length === 0)

/** An entry of a map; `place` is that of the key. */
export type Entry = Readonly<{ key: string; place: Place; value: YamlNode }>

/** Reads the nodes of one file. A node of another kind is a finding, and reads as null or empty. */
export type YamlReader = Readonly<{
  root: YamlNode
  refuse: (place: Place, code: string, message: string) => null
  /** The place of a node; `otherwise` for an empty one. */
  placeOf: (node: YamlNode, otherwise: Place) => Place
  /** The entries of a map, each key once. `what` names the map in the sentence: "A signature". */
  entries: (node: YamlNode, at: Place, what: string) => readonly Entry[]
  /** The same with these keys only. */
  record: (
    node: YamlNode,
    at: Place,
    what: string,
    keys: readonly string[],
  ) => Readonly<Partial<Record<string, Entry>>>
  items: (node: YamlNode, at: Place, what: string) => readonly YamlNode[]
  /** A text as it is written; a number or `true` reads as its text. */
  text: (node: YamlNode, at: Place, what: string) => string | null
  flag: (node: YamlNode, at: Place, what: string) => boolean | null
}>

/** @param problems findings are added here */
export function readYaml(file: string, text: string, problems: Finding[]): YamlReader {
  const locate = createLocator(file, text)
  const start = locate(0)
  const refuse = (place: Place, code: string, message: string) => {
    problems.push(findError(place, code, message))
    return null
  }
  const placeOf = (node: YamlNode, otherwise: Place) => (node?.range ? locate(node.range[0]) : otherwise)

  const tokens = tokensWithin(text, (offset, code, message) => refuse(locate(offset), code, message))
  const root = tokens === null ? null : composed(tokens)

  function composed(parsed: readonly CST.Token[]): YamlNode {
    const [document, another] = [
      ...new Composer({
        version: '1.2',
        schema: 'core',
        merge: false,
        resolveKnownTags: false,
        // The library compares each key with all others; `entries` looks them up.
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: 'silent',
      }).compose(parsed, true, text.length),
    ] as Document.Parsed[]
    if (document === undefined) return null
    if (another !== undefined)
      return refuse(locate(another.range[0]), 'yaml', 'There is a second document in this file.')
    const [error] = document.errors
    if (error?.code === 'TAB_AS_INDENT')
      return refuse(
        locate(error.pos[0]),
        'yaml',
        'A tab stands before the text of the line; put blanks there.',
      )
    if (error)
      return refuse(locate(error.pos[0]), 'yaml', `This is not YAML: ${error.message.replace(/\s+/g, ' ')}.`)
    const before = problems.length
    visit(document, {
      Node(_, node) {
        const place = placeOf(node, start)
        if (isAlias(node)) refuse(place, 'yamlAlias', 'An alias is not read; write the value once more.')
        else if (node.anchor !== undefined)
          refuse(place, 'yamlAnchor', `The anchor ${quote(node.anchor)} is not read.`)
        else if (node.tag !== undefined) refuse(place, 'yamlTag', `The tag ${quote(node.tag)} is not read.`)
      },
    })
    return problems.length === before ? document.contents : null
  }

  const entries: YamlReader['entries'] = (node, at, what) => {
    if (!isMap(node)) {
      refuse(placeOf(node, at), 'notMap', `${what} is written as "key: value".`)
      return []
    }
    const found = new Map<string, Entry>()
    for (const { key, value } of node.items) {
      const keyNode = key as Node
      const place = placeOf(keyNode, at)
      const name = isScalar(keyNode) ? textOf(keyNode.value, keyNode.source) : null
      if (name === null) refuse(place, 'key', 'A key is a text.')
      else if (found.has(name)) refuse(place, 'twice', `${quote(name)} is here twice.`)
      else found.set(name, { key: name, place, value: value as YamlNode })
    }
    return [...found.values()]
  }

  return {
    root,
    refuse,
    placeOf,
    entries,
    record(node, at, what, keys) {
      const known: Record<string, Entry> = {}
      for (const entry of entries(node, at, what))
        if (keys.includes(entry.key)) known[entry.key] = entry
        else
          refuse(
            entry.place,
            'unknownKey',
            `${quote(entry.key)} is not known here. ${what} may have ${listed(keys)}.`,
          )
      return known
    },
    items(node, at, what) {
      if (isSeq(node)) return node.items as readonly YamlNode[]
      refuse(placeOf(node, at), 'notList', `${what} is written as a list: [a, b].`)
      return []
    },
    text(node, at, what) {
      const text = isScalar(node) ? textOf(node.value, node.source) : null
      if (text === null) return refuse(placeOf(node, at), 'notText', `${what} is a text.`)
      if (text.length > MAX_TEXT_CHARACTERS || !isText(text))
        return refuse(
          placeOf(node, at),
          'notText',
          `${what} is longer than ${MAX_TEXT_CHARACTERS} characters, or is not text.`,
        )
      return text
    },
    flag(node, at, what) {
      if (isScalar(node) && typeof node.value === 'boolean') return node.value
      return refuse(placeOf(node, at), 'notFlag', `${what} is true or false.`)
    },
  }
}

function textOf(value: unknown, source: string | undefined): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? (source ?? String(value)) : null
}

/** The tokens of a text that is neither too deep nor too long; null otherwise, before more of it is read. */
function tokensWithin(
  text: string,
  refuse: (offset: number, code: string, message: string) => null,
): readonly CST.Token[] | null {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let lexemes = 0
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > MAX_DEPTH)
      return refuse(parser.offset, 'tooDeep', `There are more than ${MAX_DEPTH} levels in each other.`)
    if (++lexemes > MAX_TOKENS) return refuse(parser.offset, 'tooLong', 'There is too much in this file.')
  }
  for (const token of parser.end()) tokens.push(token)
  return tokens
}
