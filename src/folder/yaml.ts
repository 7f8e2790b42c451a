/**
 * Reads YAML 1.2 maps, lists and texts with their positions. Tags, anchors, aliases and further documents are findings.
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
import {
  createLocator,
  type Finding,
  andList,
  type Place,
  quoteUntrusted,
  createFindingReport,
} from './finding.ts'
import { isStorableText } from '../../streams/organisation/release/names.ts'

/** The maximum nesting of maps and lists. It is limited because the reader composes them recursively. */
const MAX_DEPTH = 60
const MAX_TOKENS = 400_000
const MAX_TEXT_CHARACTERS = 10_000

type YamlNode = Node | null

export const isListEntry = ({ value }: YamlEntry): boolean => isSeq(value)
export const isRecordEntry = ({ value }: YamlEntry): boolean => isMap(value)
/** Whether an entry has no content: its value is missing, `null` or an empty map. */
export const isEmptyEntry = ({ value }: YamlEntry): boolean =>
  value === null || (isScalar(value) && value.value === null) || (isMap(value) && value.items.length === 0)

/** A map entry with the place of its key; or a list item with its own place and the list's key. */
export type YamlEntry = Readonly<{ key: string; place: Place; value: YamlNode }>
export type EntryFields = Readonly<Partial<Record<string, YamlEntry>>>

/**
 * Returns functions that read the nodes of one file. A node of the wrong kind adds a finding and reads as null or
 * empty, like a missing node. `what` names the node in the sentence, such as "A signature"; the default is the node's
 * key.
 *
 * @param problems the list that receives the findings
 */
export function readYaml(file: string, content: string, problems: Finding[]) {
  const locate = createLocator(file, content)
  const { error } = createFindingReport(problems)
  const placeOf = ({ value, place }: YamlEntry) => (value?.range ? locate(value.range[0]) : place)
  const tokens = tokensWithin(content, (offset, code, message) => error(locate(offset), code, message))
  /** The root value is null for an unreadable or empty file. */
  const root: YamlEntry = { key: file, place: locate(0), value: tokens === null ? null : composed(tokens) }

  function composed(parsed: readonly CST.Token[]): YamlNode {
    const [document, another] = [
      ...new Composer({
        version: '1.2',
        schema: 'core',
        merge: false,
        resolveKnownTags: false,
        // `entries` finds repeated keys. The library's own check compares every key with all others, which is slow.
        uniqueKeys: false,
        prettyErrors: false,
        logLevel: 'silent',
      }).compose(parsed, true, content.length),
    ] as Document.Parsed[]
    if (document === undefined) return null
    if (another !== undefined)
      return error(locate(another.range[0]), 'yaml', 'There is a second document in this file.')
    const [problem] = document.errors
    if (problem)
      return error(
        locate(problem.pos[0]),
        'yaml',
        problem.code === 'TAB_AS_INDENT'
          ? 'A tab stands before the text of the line; put blanks there.'
          : `This is not YAML: ${problem.message.replace(/\s+/g, ' ')}.`,
      )
    const before = problems.length
    visit(document, {
      Node(_, node) {
        const place = locate(node.range?.[0] ?? 0)
        if (isAlias(node)) error(place, 'yamlAlias', 'An alias is not read; write the value once more.')
        else if (node.anchor !== undefined)
          error(place, 'yamlAnchor', `The anchor ${quoteUntrusted(node.anchor)} is not read.`)
        else if (node.tag !== undefined)
          error(place, 'yamlTag', `The tag ${quoteUntrusted(node.tag)} is not read.`)
      },
    })
    return problems.length === before ? document.contents : null
  }

  /** The entries of a map. A repeated key is a finding. */
  function entries(map: YamlEntry | undefined, what = quoteUntrusted(map?.key ?? '')): readonly YamlEntry[] {
    if (map === undefined) return []
    if (!isMap(map.value)) {
      error(placeOf(map), 'notMap', `${what} is written as "key: value".`)
      return []
    }
    const found = new Map<string, YamlEntry>()
    for (const { key, value } of map.value.items) {
      const keyNode = key as Node
      const place = placeOf({ ...map, value: keyNode })
      const name = isScalar(keyNode) ? textOf(keyNode.value, keyNode.source) : null
      if (name === null) error(place, 'key', 'A key is a text.')
      else if (found.has(name)) error(place, 'twice', `${quoteUntrusted(name)} is here twice.`)
      else found.set(name, { key: name, place, value: value as YamlNode })
    }
    return [...found.values()]
  }

  /** The entries of a map by key. A key that is not in `keys` is a finding. */
  function record(
    map: YamlEntry | undefined,
    keys: readonly string[],
    what = quoteUntrusted(map?.key ?? ''),
  ): EntryFields {
    const known: Record<string, YamlEntry> = {}
    for (const entry of entries(map, what))
      if (keys.includes(entry.key)) known[entry.key] = entry
      else {
        const message = `${quoteUntrusted(entry.key)} is not known here. ${what} may have ${andList(keys)}.`
        error(entry.place, 'unknownKey', message)
      }
    return known
  }

  function items(list: YamlEntry | undefined, what = quoteUntrusted(list?.key ?? '')): readonly YamlEntry[] {
    if (list === undefined) return []
    if (isSeq(list.value))
      return (list.value.items as readonly YamlNode[]).map((value) => {
        const item = { ...list, value }
        return { ...item, place: placeOf(item) }
      })
    error(placeOf(list), 'notList', `${what} is written as a list: [a, b].`)
    return []
  }

  /** The text of a scalar. Numbers and `true` keep their written form. */
  function text(entry: YamlEntry | undefined): string | null {
    if (entry === undefined) return null
    const { key, value } = entry
    const found = isScalar(value) ? textOf(value.value, value.source) : null
    if (found !== null && found.length <= MAX_TEXT_CHARACTERS && isStorableText(found)) return found
    const problem =
      found === null ? 'is a text' : `is longer than ${MAX_TEXT_CHARACTERS} characters, or is not text`
    return error(placeOf(entry), 'notText', `${quoteUntrusted(key)} ${problem}.`)
  }

  function flag(entry: YamlEntry | undefined): boolean | null {
    if (entry === undefined) return null
    const { key, value } = entry
    if (isScalar(value) && typeof value.value === 'boolean') return value.value
    return error(placeOf(entry), 'notFlag', `${quoteUntrusted(key)} is true or false.`)
  }

  return { root, error, placeOf, entries, record, items, text, flag }
}

function textOf(value: unknown, source: string | undefined): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? (source ?? String(value)) : null
}

/** The tokens of a text. Reading stops at the depth or length limit with a finding, and the result is null. */
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
