/**
 * Acts on a selected item of a template. Each act is the smallest edit of the source: it changes no byte outside the
 * item, and a move none outside the two places.
 */
import { nameSet, type OpenTag } from '../../html/tokens.ts'
import type { TemplateEdit } from '../plan/draft.ts'
import {
  type ActionResult,
  escapedText,
  moved,
  performAction,
  type StyleDeclaration,
  styledTag,
} from '../plan/acts.ts'
import {
  parseTemplate,
  picturePlaceholder,
  splitAtPlaceholders,
  variablesIn,
} from '../../organisation/template/template.ts'
import {
  childrenOf,
  type ElementNode,
  isCell,
  type SourceRange,
  type TreeNode,
} from '../../organisation/template/tree.ts'
import { emptyPlace, insertedElement, isInlineElement, type NewElement } from './elements.ts'
import {
  conditionsOf,
  type DesignItem,
  elementOf,
  type FoundItem,
  findItem,
  isInlineItem,
  outlineOf,
  pictureIn,
  wordsIn,
} from './outline.ts'

/** The target of a link: an address, or a value of a person. */
export type LinkTarget =
  Readonly<{ kind: 'address'; address: string }> | Readonly<{ kind: 'web' | 'mailto' | 'tel'; name: string }>

export type BoxSide = 'top' | 'right' | 'bottom' | 'left'

export type DesignAct =
  /** Styles the words of the item, or all words in it. */
  | Readonly<{ kind: 'style'; property: WordProperty; value: string }>
  /** Styles some words of the item. `words` is their range in the text. */
  | Readonly<{ kind: 'styleWords'; words: SourceRange; property: WordProperty; value: string }>
  /** Links the item, or changes its link. Null removes the link and keeps its content. */
  | Readonly<{ kind: 'link'; target: LinkTarget | null }>
  | Readonly<{ kind: 'align'; to: 'left' | 'center' | 'right' }>
  /** Shows another picture. Its height follows from the ratio, in pixels of the file; null if it is unknown. */
  | Readonly<{ kind: 'picture'; path: string; size: Readonly<{ width: number; height: number }> | null }>
  /** Shows the picture by its address, or attaches it to messages. */
  | Readonly<{ kind: 'linkedPicture'; isLinked: boolean }>
  /** Both in CSS pixels. A height of null follows the width. */
  | Readonly<{ kind: 'size'; width: number; height: number | null }>
  | Readonly<{ kind: 'alternative'; text: string }>
  | Readonly<{ kind: 'insert'; where: 'before' | 'after'; element: NewElement }>
  /** Moves the item among its siblings. `by` is negative for a move towards the start. */
  | Readonly<{ kind: 'move'; by: number }>
  | Readonly<{ kind: 'copy' | 'remove' }>
  /** Inner room on one side, in CSS pixels. */
  | Readonly<{ kind: 'room'; side: BoxSide; px: number }>
  /** A null colour removes the background. */
  | Readonly<{ kind: 'background'; colour: string | null }>
  | Readonly<{ kind: 'border'; side: BoxSide; px: number; colour: string }>
  /** Shows the item only while one of the values has text. Without names, always. */
  | Readonly<{ kind: 'condition'; names: readonly string[] }>
  /** Shows another value, also in the item's links and conditions. */
  | Readonly<{ kind: 'value'; from: string; to: string }>

export type WordProperty =
  'color' | 'font-family' | 'font-size' | 'font-style' | 'font-weight' | 'text-decoration'

const descending = (edits: readonly TemplateEdit[]): readonly TemplateEdit[] =>
  [...edits].sort((one, other) => other.from - one.from || other.to - one.to)

/** The result of edits, with the item still selected. */
const kept = (item: SourceRange, edits: readonly TemplateEdit[]): ActionResult => {
  const sorted = descending(edits)
  return { edits: sorted, selected: moved(item, sorted) }
}

/** The edit that sets an attribute. The value is written as it is, so it must be escaped. */
function withAttribute(tag: OpenTag, name: string, value: string): TemplateEdit {
  const found = tag.attributes.find((attribute) => attribute.name === name)
  if (found) return { from: found.start, to: found.end, insert: `${name}="${value}"` }
  const at = tag.start + 1 + tag.name.length
  return { from: at, to: at, insert: ` ${name}="${value}"` }
}

/** The edits that set an attribute if the tag has it, or remove it with the blank before it. */
const changedAttribute = (
  text: string,
  tag: OpenTag,
  name: string,
  value: string | null,
): readonly TemplateEdit[] =>
  tag.attributes
    .filter((attribute) => attribute.name === name)
    .slice(0, 1)
    .map(({ start, end }) =>
      value === null
        ? { from: start - (/\s/.test(text.charAt(start - 1)) ? 1 : 0), to: end, insert: '' }
        : withAttribute(tag, name, value),
    )

const styleOf = ({ attributes }: OpenTag): string =>
  attributes.find(({ name }) => name === 'style')?.value ?? ''

const LINE_BREAK = /^<br[^<>]*>[\t\n\f\r ]*$/i
const LINE_BREAK_AFTER = /^[\t\n\f\r ]*<br[^<>]*>$/i

/** The line break directly before or after an offset, apart from blanks; null if something else is there. */
function lineBreakAt(text: string, offset: number, isBefore: boolean): SourceRange | null {
  if (isBefore) {
    const from = text.lastIndexOf('<', offset - 1)
    return from >= 0 && offset > 0 && LINE_BREAK.test(text.slice(from, offset)) ? { from, to: offset } : null
  }
  const to = text.indexOf('>', offset) + 1
  return to > 0 && LINE_BREAK_AFTER.test(text.slice(offset, to)) ? { from: offset, to } : null
}

/**
 * The range that a removal takes, or that a condition encloses: the item, and one line break if the item is a whole
 * line between line breaks.
 */
export function wholeLine(text: string, { item, parents }: FoundItem): SourceRange {
  const { from, to, breaks } = item
  const [before, after] = [lineBreakAt(text, from, true), lineBreakAt(text, to, false)]
  if (breaks.first || breaks.last || (!before && !after)) return { from, to }
  const around = parents.at(-1)?.content ?? { from: 0, to: text.length }
  const isAtStart = text.slice(around.from, from).trim() === ''
  const isAtEnd = text.slice(to, around.to).trim() === ''
  if (before && (after || isAtEnd)) return { from: before.from, to }
  return after && isAtStart ? { from, to: after.to } : { from, to }
}

const elementsIn = (nodes: readonly TreeNode[]): readonly ElementNode[] =>
  nodes.flatMap((node) =>
    node.kind === 'element' ? [node] : node.kind === 'condition' ? elementsIn(childrenOf(node)) : [],
  )

/** The elements that carry inner room, background and border of an item: its cell, its row's cells, or its block. */
export function boxesOf({ item, parents }: FoundItem): readonly ElementNode[] {
  const elements = item.nodes.filter((node): node is ElementNode => node.kind === 'element')
  const cell = elements.findLast(isCell)
  if (cell) return [cell]
  const row = elements.findLast(({ tag }) => tag.name === 'tr')
  if (row) return elementsIn(row.children).filter(isCell)
  const block = elements.findLast(({ tag }) => tag.name !== 'a' && tag.name !== 'img' && tag.name !== 'hr')
  if (block) return [block]
  const parent = parents.at(-1)
  return parent ? boxesOf({ item: parent, parents: parents.slice(0, -1), siblings: [], index: 0 }) : []
}

/** The link that the item is, or that contains it; null outside a link. */
export function linkOf({ item, parents }: FoundItem): ElementNode | null {
  const nodes = [...parents.flatMap((parent) => parent.nodes), ...item.nodes]
  return (
    nodes.findLast((node): node is ElementNode => node.kind === 'element' && node.tag.name === 'a') ?? null
  )
}

const hrefOf = (target: LinkTarget): string =>
  target.kind === 'address'
    ? escapedText(target.address)
    : target.kind === 'mailto'
      ? `mailto:{{${target.name}}}`
      : target.kind === 'tel'
        ? `tel:{{tel ${target.name}}}`
        : `{{web ${target.name}}}`

function styled(text: string, item: DesignItem, property: WordProperty, value: string): ActionResult {
  const edits = wordsIn(item).flatMap(
    ({ content }) => performAction(text, content, { kind: 'style', property, value }).edits,
  )
  return kept(item, edits)
}

function linked(found: FoundItem, target: LinkTarget | null): ActionResult | null {
  const { item } = found
  const link = linkOf(found)
  if (link && target) return kept(item, [withAttribute(link.tag, 'href', hrefOf(target))])
  if (link)
    return kept(item, [
      { from: link.from, to: link.inner.from, insert: '' },
      { from: link.inner.to, to: link.to, insert: '' },
    ])
  if (!target) return null
  if (item.kind === 'picture') {
    const image = elementOf(item)
    return image && kept(item, wrapped(image, `<a href="${hrefOf(target)}">`, '</a>'))
  }
  if (item.kind !== 'words') return null
  return kept(item, wrapped(item.content, `<a href="${hrefOf(target)}">`, '</a>'))
}

const wrapped = ({ from, to }: SourceRange, before: string, after: string): readonly TemplateEdit[] => [
  { from: to, to, insert: after },
  { from, to: from, insert: before },
]

function aligned(text: string, found: FoundItem, to: string): ActionResult | null {
  const boxes = boxesOf(found)
  if (boxes.length === 0) return null
  return kept(
    found.item,
    boxes.flatMap((box): readonly TemplateEdit[] => {
      const styles = (): TemplateEdit => styledTag(text, box.tag, [['text-align', to]])
      if (!isCell(box)) return [styles()]
      const attribute = withAttribute(box.tag, 'align', to)
      return /(?:^|;)\s*text-align\s*:/i.test(styleOf(box.tag)) ? [attribute, styles()] : [attribute]
    }),
  )
}

/** The edits that set the size of a picture, in its attributes and, where it has them, in its style. */
function sizeEdits(
  text: string,
  { tag }: ElementNode,
  width: number,
  height: number | null,
): readonly TemplateEdit[] {
  const edits = [withAttribute(tag, 'width', String(width))]
  if (height !== null) edits.push(withAttribute(tag, 'height', String(height)))
  const style = styleOf(tag)
  const declarations: StyleDeclaration[] = []
  if (/(?:^|;)\s*width\s*:/i.test(style)) declarations.push(['width', `${String(width)}px`])
  if (/(?:^|;)\s*height\s*:\s*\d/i.test(style) && height !== null)
    declarations.push(['height', `${String(height)}px`])
  if (declarations.length > 0) edits.push(styledTag(text, tag, declarations))
  return edits
}

/** A length in CSS pixels in an attribute; null for other values. */
export function pixelsIn({ tag }: ElementNode, name: 'width' | 'height'): number | null {
  const value = tag.attributes.find((attribute) => attribute.name === name)?.value.trim() ?? ''
  return /^\d{1,4}(?:px)?$/i.test(value) ? Number.parseInt(value, 10) : null
}

function replacedPicture(
  text: string,
  item: DesignItem,
  path: string,
  size: Readonly<{ width: number; height: number }> | null,
): ActionResult | null {
  const image = elementOf(item)
  if (item.kind !== 'picture' || !image) return null
  const source = withAttribute(
    image.tag,
    'src',
    picturePlaceholder(path, pictureIn(image)?.isLinked === true),
  )
  const width = pixelsIn(image, 'width')
  const height =
    size && width !== null && size.width > 0
      ? Math.max(1, Math.round((size.height * width) / size.width))
      : null
  const sized = width !== null && height !== null ? sizeEdits(text, image, width, height) : []
  return kept(item, [source, ...sized])
}

function linkedPicture(item: DesignItem, isLinked: boolean): ActionResult | null {
  const image = item.kind === 'picture' ? elementOf(item) : null
  const picture = image && pictureIn(image)
  return picture && kept(item, [withAttribute(image.tag, 'src', picturePlaceholder(picture.path, isLinked))])
}

/** Whether two siblings can change places: line breaks at their ends would move to the wrong side. */
const canSwap = (one: DesignItem, other: DesignItem): boolean =>
  one.breaks.first === other.breaks.first && one.breaks.last === other.breaks.last

/** Whether nothing may move across this: a comment for Word, or the border between two branches. */
const isBorder = (between: string): boolean => /<!(?:--)?\[if|<!\[endif|\{\{\s*else\s*\}\}/i.test(between)

/** The sibling index that a move of the item ends at; null if the item cannot move there. */
export function moveTarget(text: string, { siblings, index }: FoundItem, by: number): number | null {
  const to = index + by
  const [item, target] = [siblings[index], siblings[to]]
  if (by === 0 || !item || !target) return null
  const [first, last] = by < 0 ? [to, index] : [index, to]
  const range = siblings.slice(first, last + 1)
  if (!range.every((each) => canSwap(each, item))) return null
  const isFree = range
    .slice(1)
    .every((each, at) => !isBorder(text.slice(range[at]?.to ?? each.from, each.from)))
  return isFree ? to : null
}

/**
 * How far the item moves past the next sibling that is drawn, because a move past one that is not drawn shows nothing; 0
 * if it cannot move there.
 */
export function stepOver(
  text: string,
  found: FoundItem,
  direction: -1 | 1,
  isDrawn: (item: DesignItem) => boolean,
): number {
  const { siblings, index } = found
  const others = direction < 0 ? siblings.slice(0, index).reverse() : siblings.slice(index + 1)
  const by = direction * (others.findIndex(isDrawn) + 1)
  return moveTarget(text, found, by) === null ? 0 : by
}

/** Moves an item among its siblings. The text between siblings, such as a line break, stays where it is. */
function movedItem(text: string, found: FoundItem, by: number): ActionResult | null {
  const { siblings, index, item } = found
  const to = moveTarget(text, found, by)
  if (to === null) return null
  const [first, last] = by < 0 ? [to, index] : [index, to]
  const places = siblings.slice(first, last + 1)
  const contents = by < 0 ? [item, ...places.slice(0, -1)] : [...places.slice(1), item]
  const sourceOf = ({ from, to: end }: SourceRange) => text.slice(from, end)
  const [from, end] = [places[0]?.from ?? 0, places.at(-1)?.to ?? 0]
  let insert = ''
  let begin = from
  let selected: SourceRange = item
  for (const [at, content] of contents.entries()) {
    const place = places[at]
    if (!place) return null
    insert += text.slice(begin, place.from)
    if (content === item)
      selected = { from: from + insert.length, to: from + insert.length + item.to - item.from }
    insert += sourceOf(content)
    begin = place.to
  }
  return { edits: [{ from, to: end, insert }], selected }
}

/** Selects the next item, or else the previous one: a second press must not remove all that is around. */
function removed(text: string, found: FoundItem): ActionResult | null {
  const { from, to } = wholeLine(text, found)
  // A slot must keep the place of its block.
  const isInSlot = found.parents.some(({ kind }) => kind === 'slot')
  if (isInSlot && placeholdersIn(text, { from, to }).some(({ kind }) => kind === 'block')) return null
  const { siblings, index } = found
  const [previous, next] = [siblings[index - 1], siblings[index + 1]]
  const length = to - from
  const neighbour =
    next && next.from >= to
      ? { from: next.from - length, to: next.to - length }
      : previous && previous.to <= from
        ? { from: previous.from, to: previous.to }
        : null
  return { edits: [{ from, to, insert: '' }], selected: neighbour ?? { from, to: from } }
}

/** Whether the item has a line of its own, so that a copy needs another. */
function isOwnLine(text: string, found: FoundItem): boolean {
  const { item, siblings, index, parents } = found
  const whole = wholeLine(text, found)
  if (item.kind === 'line' || whole.from < item.from || item.to < whole.to) return true
  const isInline = (other: DesignItem | undefined) =>
    other !== undefined && ['words', 'link', 'picture', 'condition'].includes(other.kind)
  const isAlone = !isInline(siblings[index - 1]) && !isInline(siblings[index + 1])
  return item.kind === 'words' && parents.at(-1)?.kind !== 'line' && isAlone
}

/** Whether an item can be copied. A template has each slot once, and a part may have one, too. */
export const canCopy = (text: string, range: SourceRange): boolean =>
  placeholdersIn(text, range).every(({ kind }) => kind !== 'slot' && kind !== 'slotStart' && kind !== 'part')

function copied(text: string, found: FoundItem): ActionResult | null {
  const { from, to, breaks } = found.item
  if (!canCopy(text, found.item)) return null
  const lineBreak = isOwnLine(text, found) && !breaks.first && !breaks.last ? '<br>' : ''
  const insert = lineBreak + text.slice(from, to)
  const begin = to + lineBreak.length
  return { edits: [{ from: to, to, insert }], selected: { from: begin, to: begin + to - from } }
}

/** The smallest edits that make the item conditional, change its condition, or remove it. */
function conditional(text: string, found: FoundItem, names: readonly string[]): ActionResult | null {
  const { item } = found
  const [condition] = conditionsOf(item)
  const begin = `{{#if ${names.join(' ')}}}`
  if (condition) {
    if (names.length > 0)
      return kept(item, [{ from: condition.from, to: condition.inner.from, insert: begin }])
    if (condition.otherwise !== null) return null
    return kept(item, [
      { from: condition.inner.to, to: condition.to, insert: '' },
      { from: condition.from, to: condition.inner.from, insert: '' },
    ])
  }
  if (names.length === 0) return null
  const { from, to } = wholeLine(text, found)
  const edits = wrapped({ from, to }, begin, '{{/if}}')
  return { edits, selected: { from, to: to + begin.length + '{{/if}}'.length } }
}

/** The placeholders in the item that name this variable, with the name replaced. */
function withValue(text: string, item: DesignItem, from: string, to: string): ActionResult | null {
  const edits = placeholdersIn(text, item).flatMap((placeholder): readonly TemplateEdit[] => {
    if (!variablesIn(placeholder).includes(from)) return []
    const { kind, at, end } = placeholder
    // A variable can have the name of the word before it: `{{phone phone}}`.
    const [begin = ''] = kind === 'text' ? ['{{'] : (/^\{\{\s*[#\w]+/.exec(text.slice(at, end)) ?? [])
    const names = text.slice(at + begin.length, end).replace(/[\w.]+/g, (name) => (name === from ? to : name))
    return [{ from: at, to: end, insert: begin + names }]
  })
  return edits.length === 0 ? null : kept(item, edits)
}

const placeholdersIn = (text: string, { from, to }: SourceRange) =>
  parseTemplate(text, new Map()).template.placeholders.filter(({ at, end }) => from <= at && end <= to)

/** The variables that the item shows, tests or links, in order. */
export const variablesOfItem = (text: string, range: SourceRange): readonly string[] => [
  ...new Set(placeholdersIn(text, range).flatMap(variablesIn)),
]

/**
 * A typed description of a picture. Values that the description has stay values. Other braces are characters, even if
 * the description already has the same braces as characters.
 */
function describedBy(text: string, { attributes }: OpenTag): string {
  const source = attributes.find(({ name }) => name === 'alt')?.value ?? ''
  const values = new Set(splitAtPlaceholders(source).filter((_, index) => index % 2 === 1))
  return splitAtPlaceholders(text)
    .map((each) => (values.has(each) ? each : escapedText(each)))
    .join('')
}

/**
 * The edits of an act on the item in a range, and its range afterwards. Null if the item is not there, or the act does
 * not fit it.
 */
export function performDesignAct(text: string, range: SourceRange, act: DesignAct): ActionResult | null {
  const outline = outlineOf(text)
  if (act.kind === 'insert') return inserted(text, outline, range, act)
  const found = findItem(outline, range)
  if (!found) return null
  const { item } = found
  switch (act.kind) {
    case 'style':
      return styled(text, item, act.property, act.value)
    case 'styleWords':
      return performAction(text, act.words, { kind: 'style', property: act.property, value: act.value })
    case 'link':
      return linked(found, act.target)
    case 'align':
      return aligned(text, found, act.to)
    case 'picture':
      return replacedPicture(text, item, act.path, act.size)
    case 'linkedPicture':
      return linkedPicture(item, act.isLinked)
    case 'size': {
      const image = item.kind === 'picture' ? elementOf(item) : null
      return image && kept(item, sizeEdits(text, image, act.width, act.height))
    }
    case 'alternative': {
      const image = item.kind === 'picture' ? elementOf(item) : null
      return image && kept(item, [withAttribute(image.tag, 'alt', describedBy(act.text, image.tag))])
    }
    case 'move':
      return movedItem(text, found, act.by)
    case 'copy':
      return copied(text, found)
    case 'remove':
      return removed(text, found)
    case 'room':
      return boxed(text, found, [[`padding-${act.side}`, `${String(act.px)}px`]])
    case 'background':
      return background(text, found, act.colour)
    case 'border':
      return boxed(text, found, [
        [`border-${act.side}`, act.px === 0 ? 'none' : `${String(act.px)}px solid ${act.colour}`],
      ])
    case 'condition':
      return conditional(text, found, act.names)
    case 'value':
      return withValue(text, item, act.from, act.to)
  }
}

/** Elements with words, but without tables in them. */
const OF_WORDS = nameSet('a p h1 h2 h3 h4 h5 h6 pre dt')

/** Inserts beside the item, or beside the line, link or paragraph that contains it. An empty template gets an element. */
function inserted(
  text: string,
  outline: readonly DesignItem[],
  range: SourceRange,
  { where, element }: Extract<DesignAct, { kind: 'insert' }>,
): ActionResult | null {
  if (outline.length === 0) return insertedElement(text, emptyPlace(text), where, element)
  const found = findItem(outline, range)
  if (!found) return null
  const isInWords = ({ kind, nodes }: DesignItem) =>
    kind === 'link' ||
    (!isInlineElement(element) &&
      nodes.some((node) => node.kind === 'element' && OF_WORDS.has(node.tag.name)))
  const outermost = found.parents.find(isInWords)
  let at = outermost ? findItem(outline, outermost) : found
  for (let parent = at?.parents.at(-1); at && parent; parent = at?.parents.at(-1)) {
    const isInside = sharesLine(text, at) || (at.item.kind === 'cell' && at.item !== found.item)
    if (!isInside && !isWrapper(parent)) break
    at = findItem(outline, parent)
  }
  return at && insertedElement(text, at, where, element)
}

/** Whether the item is in one line with its siblings. */
function sharesLine(text: string, { item, siblings, parents }: FoundItem): boolean {
  if (parents.at(-1)?.kind === 'line') return true
  return (
    siblings.length > 1 &&
    siblings.every(isInlineItem) &&
    !lineBreakAt(text, item.from, true) &&
    !lineBreakAt(text, item.to, false)
  )
}

/** Whether what is added beside the only content of this item belongs beside the item: a cell, or under a condition. */
const isWrapper = (parent: DesignItem): boolean =>
  parent.children.length === 1 && (parent.kind === 'cell' || conditionsOf(parent).length > 0)

function boxed(
  text: string,
  found: FoundItem,
  declarations: readonly StyleDeclaration[],
): ActionResult | null {
  const boxes = boxesOf(found)
  return boxes.length === 0
    ? null
    : kept(
        found.item,
        boxes.map(({ tag }) => styledTag(text, tag, declarations)),
      )
}

function background(text: string, found: FoundItem, colour: string | null): ActionResult | null {
  const boxes = boxesOf(found)
  if (boxes.length === 0) return null
  return kept(
    found.item,
    boxes.flatMap(({ tag }) => [
      styledTag(text, tag, [['background-color', colour ?? 'transparent']]),
      ...changedAttribute(text, tag, 'bgcolor', colour),
    ]),
  )
}
