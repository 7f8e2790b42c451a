/**
 * Edits the text of a `signet.yaml` so that it describes another document. Only changed values are replaced: comments,
 * the order of lines, quotes and spaces elsewhere stay.
 */
import { normaliseAddress } from '../values/mailAddress.ts'
import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Steps } from '../../streams/kernel/steps.ts'
import { MAX_YAML_BYTES, SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import { canonicalText, type ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { type Finding, hasErrorFinding } from './finding.ts'
import { withoutListFiles } from './recipientLists.ts'
import { type DescribedDocument, readSignetYaml } from './signetYaml.ts'
import {
  areEqualTrees,
  soleItemOf,
  keyOfTree,
  type TreeList,
  EMPTY_MAP,
  type TreePairs,
  type MapPart,
  type YamlTree,
  yamlTreeOf,
  writingYaml,
} from './writtenYaml.ts'
import { readYaml } from './yaml.ts'
import {
  applyEdits,
  createYamlSource,
  type TextEdit,
  InexpressibleEdit,
  isBlockScalar,
  isMissingNode,
  type CollectionItem,
  collectionItems,
  type CollectionLayout,
  layoutOf,
  type YamlSource,
} from './yamlLayout.ts'
import {
  blockStyleText,
  flowStyleText,
  listItemText,
  keyText,
  literalText,
  yamlPairLines,
  valueText,
} from './yamlText.ts'
import { PlainError } from '../server/reasons.ts'

/**
 * Edits the text of a `signet.yaml` as little as possible so that it describes the document, in steps. If the text
 * cannot be read or edited, `writingYaml` writes a new one.
 *
 * @throws YamlTooLarge when the edited text is too large, because a new text would lose its comments
 */
export function* changingYaml(text: string, document: ReleaseDocument): Steps<string> {
  const before = described(text)
  yield
  if (before === null) return yield* writingYaml(withoutListFiles(document, null))
  const wanted = withoutListFiles(document, before)
  if (isSame(before, wanted)) return text
  const changed = yield* changing(text, before, wanted)
  yield
  if (changed !== null) refuseTooLarge(changed)
  const after = changed === null ? null : described(changed)
  return changed !== null && after !== null && isSame(after, wanted) ? changed : yield* writingYaml(wanted)
}

/** Thrown when a `signet.yaml` would exceed the size limit for reading. The message is a sentence. */
export class YamlTooLarge extends PlainError {
  constructor(readonly bytes: number) {
    super(
      `${SIGNET_FILE} would have ${COUNT.format(bytes)} bytes; it may have ${COUNT.format(MAX_YAML_BYTES)}. Name groups in place of long lists of people.`,
    )
  }
}

const COUNT = new Intl.NumberFormat('en')

/**
 * Writes the `signet.yaml` of a document, in steps: edits the given text, or writes a new one if it is null.
 *
 * @throws YamlTooLarge when the result would be too large to read back
 */
export function* writingSignetYaml(document: ReleaseDocument, text: string | null): Steps<string> {
  const written = yield* text === null
    ? writingYaml(withoutListFiles(document, null))
    : changingYaml(text, document)
  refuseTooLarge(written)
  return written
}

function refuseTooLarge(text: string): void {
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_YAML_BYTES) throw new YamlTooLarge(bytes)
}

/** The description in a file with this text; null if the text has an error. */
function described(text: string): DescribedDocument | null {
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) return null
  const problems: Finding[] = []
  const { document } = readSignetYaml(text, problems)
  return hasErrorFinding(problems) ? null : document
}

const isSame = (one: DescribedDocument, { templates: _, pictures: __, ...other }: ReleaseDocument): boolean =>
  canonicalText(one) === canonicalText(other)

function* changing(text: string, before: DescribedDocument, document: ReleaseDocument): Steps<string | null> {
  // During the edit, the last line has a line end too, so that all lines are alike.
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const isEnded = text.endsWith('\n')
  const whole = isEnded ? text : text + lineBreak
  const { root } = readYaml(SIGNET_FILE, whole, [])
  yield
  if (!isMap(root.value)) return null
  try {
    const edits = yield* changingPairs(
      createYamlSource(whole),
      root.value,
      yamlTreeOf(before),
      yamlTreeOf(document),
      0,
    )
    const changed = applyEdits(whole, edits)
    return isEnded || !changed.endsWith(lineBreak) ? changed : changed.slice(0, -lineBreak.length)
  } catch (error) {
    if (error instanceof InexpressibleEdit) return null
    throw error
  }
}

/** Pairs the new entries with the old ones, by index. Paired entries stay in place or move. */
type Alignment = Readonly<{
  /** For each new entry, the old entry with the same key; null if there is none. */
  same: readonly (number | null)[]
  stays: ReadonlySet<number>
}>

/** Aligns two lists of unique keys so that as few entries as possible move. */
function align(before: readonly string[], after: readonly string[]): Alignment {
  const indexes = new Map(before.map((key, index) => [key, index]))
  const same = after.map((key) => indexes.get(key) ?? null)
  return { same, stays: new Set(longestRise(same.filter((index) => index !== null))) }
}

/** Finds a longest increasing subsequence of some numbers. */
function longestRise(numbers: readonly number[]): readonly number[] {
  /** `ends[length - 1]` is the position of the smallest number that ends an increasing subsequence of that length. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [position, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    previous.push(ends[low - 1])
    ends[low] = position
  }
  const rise: number[] = []
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) rise.push(numbers[at] ?? 0)
  return rise.reverse()
}

/** A change of one entry. Steps follow the order of the new entries. */
type Step =
  | Readonly<{ kind: 'stays' | 'moves'; index: number; edits: readonly TextEdit[] }>
  | Readonly<{ kind: 'new'; text: string }>

/** The edits for entries that stay, move or are new. Entries without a step are removed. */
function editsOf(
  source: YamlSource,
  layout: CollectionLayout,
  steps: readonly Step[],
  spaced: 'all' | 'some',
): readonly TextEdit[] {
  const edits: TextEdit[] = []
  const stays = new Set<number>()
  const added = new Map<number, string[]>()
  let after = -1
  for (const step of steps) {
    if (step.kind === 'stays') {
      after = step.index
      stays.add(after)
      for (const edit of step.edits) edits.push(edit)
      continue
    }
    const texts = added.get(after) ?? []
    added.set(after, texts)
    if (step.kind === 'new') texts.push(step.text)
    else {
      const [from, to] = layout.rangeOf(step.index)
      texts.push(applyEdits(source.text.slice(from, to), step.edits, from))
    }
  }
  // If no entry stays, the whole collection is written anew.
  if (stays.size === 0) throw new InexpressibleEdit()
  const isSpaced = layout.spaced(spaced)
  for (const [at, texts] of added) {
    const apart = texts.map((one) => {
      if (!isSpaced || (spaced === 'some' && one.indexOf('\n') === one.length - 1)) return one
      return at < 0 ? one + source.lineBreak : source.lineBreak + one
    })
    for (const edit of layout.add(at, apart)) edits.push(edit)
  }
  for (const edit of layout.remove((index) => !stays.has(index))) edits.push(edit)
  return edits
}

/** Whether the text needs a pair: its value differs from the reader's default for a missing pair. */
const isNeeded = ({ value, absent }: MapPart): boolean => value !== undefined && !areEqualTrees(value, absent)

function nameOf({ key }: CollectionItem, parts: TreePairs['parts']): string {
  if (!isScalar(key)) throw new InexpressibleEdit()
  const name = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
  return parts.has(name) ? name : normaliseAddress(name)
}

/** @param floor the end of the line with the map's key */
function* changingPairs(
  source: YamlSource,
  node: YAMLMap,
  before: TreePairs,
  after: TreePairs,
  floor: number,
): Steps<readonly TextEdit[]> {
  const layout = layoutOf(source, node, floor)
  const items = collectionItems(node)
  const names = items.map((item) => nameOf(item, before.parts))
  /** The edits of the pair at an index; null if the pair is removed. */
  function* changingPair(index: number, part: MapPart): Steps<readonly TextEdit[] | null> {
    const [item, was] = [items[index], before.parts.get(names[index] ?? '')?.value]
    if (item === undefined || was === undefined) throw new InexpressibleEdit()
    if (areEqualTrees(was, part.value)) return []
    if (!isNeeded(part) || part.value === undefined) return null
    return yield* changingValue(source, layout, item, was, part.value)
  }
  const newPair = (name: string, value: YamlTree): string => {
    const sibling = items[0]?.value
    const isFlow = layout.isFlow || (after.isOrdered && isMap(sibling) && sibling.flow === true)
    if (layout.isFlow) return `${keyText(name)}: ${flowStyleText(value)}`
    const lines =
      isFlow && value.kind === 'pairs'
        ? [`${layout.indent}${keyText(name)}: ${flowStyleText(value)}`]
        : yamlPairLines(name, value, layout.indent)
    return lines.map((line) => line + source.lineBreak).join('')
  }
  return after.isOrdered ? yield* changingOrdered() : yield* changingFixed()

  function* changingOrdered(): Steps<readonly TextEdit[]> {
    const wanted = [...after.parts.keys()]
    const { same, stays } = align(names, wanted)
    const isKept = new Set(same)
    const steps: Step[] = []
    /** The first old entry that the next new entry may have been renamed from. */
    let free = 0
    for (const [position, name] of wanted.entries()) {
      yield
      const part = after.parts.get(name)
      const index = same[position] ?? null
      if (part?.value === undefined) throw new InexpressibleEdit()
      if (index !== null) {
        const kind = stays.has(index) ? 'stays' : 'moves'
        if (kind === 'stays') free = index + 1
        steps.push({ kind, index, edits: (yield* changingPair(index, part)) ?? [] })
        continue
      }
      const item = isKept.has(free) ? undefined : items[free]
      const was = before.parts.get(names[free] ?? '')?.value
      if (item?.key?.range && was !== undefined && areEqualTrees(was, part.value)) {
        const [from, to] = item.key.range
        const edits = yield* changingValue(source, layout, item, was, part.value)
        steps.push({ kind: 'stays', index: free, edits: [{ from, to, insert: keyText(name) }, ...edits] })
        free++
      } else steps.push({ kind: 'new', text: newPair(name, part.value) })
    }
    return editsOf(source, layout, steps, 'all')
  }

  function* changingFixed(): Steps<readonly TextEdit[]> {
    const inText = new Set(names)
    /** The new pairs, by the name of the existing pair that they follow; null for the start of the map. */
    const added = new Map<string | null, string[]>()
    const edits = new Map<number, readonly TextEdit[]>()
    for (const [index, name] of names.entries()) {
      yield
      const part = after.parts.get(name)
      // The document does not contain keys such as `readers`, so they stay.
      if (part === undefined && !before.parts.has(name)) edits.set(index, [])
      else {
        const changed = part === undefined ? null : yield* changingPair(index, part)
        if (changed !== null) edits.set(index, changed)
        else inText.delete(name)
      }
    }
    let last: string | null = null
    for (const [name, part] of after.parts)
      if (inText.has(name)) last = name
      else if (isNeeded(part) && part.value !== undefined) {
        const texts = added.get(last) ?? []
        added.set(last, texts)
        texts.push(newPair(name, part.value))
      }
    const steps: Step[] = (added.get(null) ?? []).map((text) => ({ kind: 'new', text }))
    for (const [index, name] of names.entries()) {
      const changed = edits.get(index)
      if (changed === undefined) continue
      steps.push({ kind: 'stays', index, edits: changed })
      for (const text of added.get(name) ?? []) steps.push({ kind: 'new', text })
    }
    return editsOf(source, layout, steps, 'some')
  }
}

/** Makes keys unique: prefixes each key with its number among equal keys. */
function numbered(keys: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  return keys.map((key) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return `${count} ${key}`
  })
}

/** The text of an item after its dash. If `isBlock`, each pair of a map has its own line. */
function lineItem(tree: YamlTree, isBlock: boolean, indent: string, lineBreak: string): string {
  const lines = isBlock && tree.kind === 'pairs' ? blockStyleText(tree, '', indent) : listItemText(tree)
  return typeof lines === 'string' ? lines : lines.join(lineBreak).trimStart()
}

/** Edits the items of a list. A new item in place of a removed item counts as a change of that item. */
function* changingItems(
  source: YamlSource,
  node: YAMLSeq,
  before: TreeList,
  after: TreeList,
  floor: number,
): Steps<readonly TextEdit[]> {
  const layout = layoutOf(source, node, floor)
  const items = collectionItems(node)
  if (items.length !== before.items.length) throw new InexpressibleEdit()
  const keys = (list: TreeList) => numbered(list.items.map(keyOfTree))
  const { same, stays } = align(keys(before), keys(after))
  const isKept = new Set(same)
  const newItem = (tree: YamlTree): string => {
    if (layout.isFlow) return flowStyleText(tree)
    const first = items[0]?.value
    const isBlock = isMap(first) && first.flow !== true
    return `${layout.indent}- ${lineItem(tree, isBlock, layout.indent, source.lineBreak)}${source.lineBreak}`
  }
  const steps: Step[] = []
  let free = 0
  for (const [position, tree] of after.items.entries()) {
    yield
    const index = same[position] ?? null
    if (index !== null) {
      if (stays.has(index)) free = index + 1
      steps.push({ kind: stays.has(index) ? 'stays' : 'moves', index, edits: [] })
      continue
    }
    const [item, was] = [items[free], before.items[free]]
    if (item !== undefined && was !== undefined && !isKept.has(free)) {
      steps.push({ kind: 'stays', index: free, edits: yield* changingValue(source, layout, item, was, tree) })
      free++
    } else steps.push({ kind: 'new', text: newItem(tree) })
  }
  return editsOf(source, layout, steps, 'all')
}

/** The edits of a pair's value or of a list item. */
function* changingValue(
  source: YamlSource,
  layout: CollectionLayout,
  item: CollectionItem,
  before: YamlTree,
  after: YamlTree,
): Steps<readonly TextEdit[]> {
  const { value } = item
  try {
    if (!isMissingNode(value)) {
      const floor =
        item.key === null ? (value.range?.[0] ?? 0) : source.lineEnd(source.afterColon(item.key) ?? 0)
      if (isMap(value) && before.kind === 'pairs' && after.kind === 'pairs')
        return yield* changingPairs(source, value, before, after, floor)
      if (isSeq(value) && before.kind === 'list' && after.kind === 'list')
        return yield* changingItems(source, value, before, after, floor)
    } else if (before.kind === 'pairs' && areEqualTrees(after, EMPTY_MAP)) return []
  } catch (error) {
    if (!(error instanceof InexpressibleEdit)) throw error
  }
  return isMissingNode(value)
    ? fill(source, layout, item, after)
    : replace(source, layout, item, value, after)
}

/** Writes a value after a key without a value. */
function fill(
  { afterColon, lineBreak }: YamlSource,
  layout: CollectionLayout,
  { key }: CollectionItem,
  tree: YamlTree,
): readonly TextEdit[] {
  if (!key?.range) throw new InexpressibleEdit()
  const colon = afterColon(key)
  const at = colon ?? key.range[1]
  const text = layout.isFlow ? flowStyleText(tree) : blockStyleText(tree, '', layout.indent)
  const insert = typeof text === 'string' ? ` ${text}` : lineBreak + text.join(lineBreak)
  return [{ from: at, to: at, insert: colon === null ? `:${insert}` : insert }]
}

/** Replaces an entire value. */
function replace(
  source: YamlSource,
  layout: CollectionLayout,
  item: CollectionItem,
  value: Node,
  tree: YamlTree,
): readonly TextEdit[] {
  const { lineEnd, lineBreak } = source
  const [from, to] = [value.range?.[0] ?? 0, source.endOf(item)]
  const alone = soleItemOf(tree) ?? tree
  if (isScalar(value) && alone.kind === 'value') {
    const literal =
      isBlockScalar(value) && typeof alone.value === 'string'
        ? literalText(alone.value, source.text.slice(from, to), lineBreak)
        : null
    return [{ from, to, insert: literal ?? valueText(alone, layout.isFlow, value) }]
  }
  if (layout.isFlow) return [{ from, to, insert: flowStyleText(tree) }]
  const isBlock = (isMap(value) || isSeq(value)) && value.flow !== true
  const colon = item.key === null ? null : source.afterColon(item.key)
  if (item.key === null || colon === null)
    return [{ from, to, insert: lineItem(tree, isBlock, layout.indent, lineBreak) }]
  const text = blockStyleText(tree, keyText(String((item.key as { value?: unknown }).value)), layout.indent)
  if (!isBlock)
    return typeof text === 'string'
      ? [{ from, to, insert: text }]
      : [{ from: colon, to, insert: lineBreak + text.join(lineBreak) }]
  // The lines of the block are removed, and a comment on the key's line stays.
  return [
    { from: colon, to: colon, insert: typeof text === 'string' ? ` ${text}` : '' },
    {
      from: lineEnd(colon),
      to: lineEnd(to),
      insert: typeof text === 'string' ? '' : text.map((line) => line + lineBreak).join(''),
    },
  ]
}
