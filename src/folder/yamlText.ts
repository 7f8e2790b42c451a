/** Formats parts of a `signet.yaml` for an existing text: on one line in flow style, or as lines of a block. */
import { Scalar, stringify } from 'yaml'
import { soleItemOf, type YamlTree, type TreeValue, pairsToWrite, YAML_STYLE } from './writtenYaml.ts'

/** A list that would exceed this line length is written with one item per line. */
const MAX_LINE_CHARACTERS = 100

const ONE_LINE = {
  ...YAML_STYLE,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  collectionStyle: 'flow',
  flowCollectionPadding: false,
} as const

const BREAKS = /[\p{Cc}\u0085\u2028\u2029]/u
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/
const QUOTED: readonly unknown[] = [Scalar.QUOTE_SINGLE, Scalar.QUOTE_DOUBLE]

/** A value on one line, in the quotes of the replaced scalar if possible. */
export function valueText({ value }: TreeValue, isFlow: boolean, before?: Scalar): string {
  const isNumber = typeof before?.value === 'number'
  // The reader returns a number as written, so a text that looks like a number may replace it without quotes.
  if (typeof value === 'string' && isNumber && NUMBER.test(value)) return value
  const scalar = new Scalar(value)
  if (typeof value === 'string') {
    if (BREAKS.test(value)) scalar.type = Scalar.QUOTE_DOUBLE
    else if (before?.type !== undefined && QUOTED.includes(before.type)) scalar.type = before.type
  }
  return isFlow
    ? stringify([scalar], ONE_LINE).slice(1, -2)
    : stringify(new Map([['k', scalar]]), { ...ONE_LINE, collectionStyle: 'block' }).slice(3, -1)
}

export const keyText = (key: string): string => stringify(new Map([[key, 0]]), ONE_LINE).slice(1, -5)

/** `{ a: 1, b: [c, d] }` */
export function flowStyleText(tree: YamlTree): string {
  const alone = soleItemOf(tree)
  if (alone !== null) return flowStyleText(alone)
  if (tree.kind === 'value') return valueText(tree, true)
  if (tree.kind === 'list') return `[${tree.items.map(flowStyleText).join(', ')}]`
  const pairs = pairsToWrite(tree).map(([key, value]) => `${keyText(key)}: ${flowStyleText(value)}`)
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}

/** Formats a tree that follows a key in a block: as text for the key's line, or as lines below it. */
export function blockStyleText(tree: YamlTree, key: string, indent: string): string | readonly string[] {
  if (tree.kind === 'value') return valueText(tree, false)
  if (tree.kind === 'pairs') {
    const pairs = pairsToWrite(tree)
    return pairs.length === 0
      ? '{}'
      : pairs.flatMap(([name, value]) => yamlPairLines(name, value, `${indent}  `))
  }
  const alone = soleItemOf(tree)
  const line = alone === null ? flowStyleText(tree) : listItemText(alone)
  return `${indent}${key}: ${line}`.length <= MAX_LINE_CHARACTERS || tree.items.length === 0
    ? line
    : tree.items.map((item) => `${indent}  - ${listItemText(item)}`)
}

/** A list item on one line of a block. */
export const listItemText = (item: YamlTree): string =>
  item.kind === 'value' ? valueText(item, false) : flowStyleText(item)

/** A pair as lines of a block, without line ends. */
export function yamlPairLines(key: string, tree: YamlTree, indent: string): readonly string[] {
  const text = blockStyleText(tree, keyText(key), indent)
  const head = `${indent}${keyText(key)}:`
  return typeof text === 'string' ? [`${head} ${text}`] : [head, ...text]
}

/**
 * The text of a literal or folded scalar, in the style and indentation of the replaced scalar.
 *
 * @returns null if the value needs quotes
 */
export function literalText(value: string, before: string, lineBreak: string): string | null {
  const [, style = '', comment = '', lines = ''] =
    /^([|>])[-+]?([ \t]+#[^\r\n]*|[ \t]*)\r?\n([^]*)$/.exec(before) ?? []
  const indent = /^ +(?=\S)/m.exec(lines)?.[0] ?? ''
  const isEnded = value.endsWith('\n')
  const text = isEnded ? value.slice(0, -1) : value
  const isPlain = /^\S/.test(text) && !text.endsWith('\n') && !BREAKS.test(text.replaceAll('\n', ''))
  if (indent === '' || !isPlain || (style === '>' && text.includes('\n'))) return null
  const written = text.split('\n').map((line) => (line === '' ? '' : indent + line))
  return `${style}${isEnded ? '' : '-'}${comment}${lineBreak}${written.join(lineBreak)}`
}
