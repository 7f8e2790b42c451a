/** New elements for a template. Their markup is what all mail clients draw: tables, and styles on cells. */
import { type ActionResult, escapedText, pictureTag, type SocialLink, socialRow } from '../plan/acts.ts'
import { parseTemplate, VCARD_NAME } from '../../organisation/template/template.ts'
import { type ElementNode, isCell, type TreeNode } from '../../organisation/template/tree.ts'
import { type DesignItem, elementOf, type FoundItem } from './outline.ts'

/** Texts are shown as they are. Sizes are in CSS pixels, colours as in CSS. */
export type NewElement =
  | Readonly<{ kind: 'text'; text: string }>
  /** A line with a value, which is there only while the value has text. */
  | Readonly<{ kind: 'valueLine'; name: string }>
  | Readonly<{
      kind: 'picture'
      path: string
      alternative: string
      width: number | null
      height: number | null
    }>
  | Readonly<{ kind: 'button'; text: string; address: string; colour: string }>
  | Readonly<{ kind: 'social'; links: readonly SocialLink[] }>
  | Readonly<{ kind: 'divider'; colour: string }>
  | Readonly<{ kind: 'space'; height: number }>
  | Readonly<{ kind: 'columns'; texts: readonly [string, string] }>
  /** An address, or null for the person's contact card. */
  | Readonly<{ kind: 'code'; address: string | null; alternative: string }>
  | Readonly<{ kind: 'slot'; name: string }>

const TABLE = '<table role="presentation" cellpadding="0" cellspacing="0" border="0">'
const FLAT = 'font-size:1px;mso-line-height-rule:exactly;'
const CODE_PX = 96

/** The attribute as it is written in the tag, with a space before it; empty without it. */
function written(text: string, element: ElementNode | null, name: string): string {
  const found = element?.tag.attributes.find((attribute) => attribute.name === name)
  return found ? ` ${text.slice(found.start, found.end)}` : ''
}

const lastCell = (nodes: readonly TreeNode[]): ElementNode | null =>
  nodes.findLast((node): node is ElementNode => node.kind === 'element' && isCell(node)) ?? null

/** The innermost cell around the first words of an item; null without one. */
function cellWithWords(item: DesignItem, around: ElementNode | null): ElementNode | null {
  const own = lastCell(item.nodes)
  const cell = own ?? around
  if (item.kind === 'words') return cell
  for (const child of item.children) {
    const found = cellWithWords(child, cell)
    if (found) return found
  }
  return null
}

/** Whether an element can be in a line of words. */
export const isInlineElement = ({ kind }: NewElement): boolean =>
  ['text', 'valueLine', 'picture', 'code'].includes(kind)

/** The content of an element, and the attributes of the cell that contains it. */
function contentOf(
  element: NewElement,
  cellStyle: string,
  lineEnd: string,
): Readonly<{ content: string; cell: string }> {
  const plain = (content: string) => ({ content, cell: '' })
  switch (element.kind) {
    case 'text':
      return { content: escapedText(element.text), cell: cellStyle }
    case 'valueLine':
      return { content: `{{${element.name}}}`, cell: cellStyle }
    case 'picture': {
      const { path, alternative, width, height } = element
      const size = [
        ...(width === null ? [] : [` width="${String(width)}"`]),
        ...(height === null ? [] : [` height="${String(height)}"`]),
      ].join('')
      return plain(pictureTag(path, alternative, `${size} border="0"`))
    }
    case 'code': {
      const { address, alternative } = element
      const px = String(CODE_PX)
      const of = address ?? VCARD_NAME
      return plain(
        `<img src="{{qr ${of}}}" alt="${escapedText(alternative)}" width="${px}" height="${px}" border="0">`,
      )
    }
    case 'button': {
      const { text, address, colour } = element
      const label = `<a href="${escapedText(address)}" style="color:#ffffff;text-decoration:none;">${escapedText(text)}</a>`
      const style = `background-color:${colour};padding:9px 18px;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px;`
      return plain(`${TABLE}<tr><td bgcolor="${colour}" style="${style}">${label}</td></tr></table>`)
    }
    case 'social':
      return plain(socialRow(element.links, lineEnd))
    case 'divider':
      return {
        content: '&nbsp;',
        cell: ` style="${FLAT}line-height:1px;border-top:1px solid ${element.colour};"`,
      }
    case 'space': {
      const height = String(element.height)
      return {
        content: '&nbsp;',
        cell: ` height="${height}" style="${FLAT}line-height:${height}px;"`,
      }
    }
    case 'columns': {
      const [first, second] = element.texts
      return plain(
        `${TABLE}<tr><td valign="top"${cellStyle}>${escapedText(first)}</td><td width="16">&nbsp;</td><td valign="top"${cellStyle}>${escapedText(second)}</td></tr></table>`,
      )
    }
    case 'slot':
      return plain(`{{block ${element.name}}}`)
  }
}

const hasSlot = (text: string, name: string): boolean =>
  parseTemplate(text, new Map()).template.placeholders.some(
    ({ kind, names }) => (kind === 'slot' || kind === 'slotStart') && names[0] === name,
  )

/** The number of cells in the item's row; 1 if the item is no row with cells. */
function cellsIn(item: DesignItem): number {
  const count = item.children.filter(({ kind }) => kind === 'cell').length
  return item.kind === 'row' && count > 1 ? count : 1
}

type Place = 'cells' | 'rows' | 'points' | 'terms' | 'flow'
const PLACES: ReadonlyMap<string, Place> = new Map<string, Place>([
  ['tr', 'cells'],
  ['table', 'rows'],
  ['ul', 'points'],
  ['ol', 'points'],
  ['dl', 'terms'],
])

/** What stands beside the item: by the element around it, or, at the root of a part, by its siblings. */
function placeOf({ siblings, parents }: FoundItem): Place {
  const around = parents.map(elementOf).findLast((element) => element !== null)
  if (around) return PLACES.get(around.tag.name) ?? 'flow'
  const names = siblings.flatMap((item) => [item, ...item.children]).map((item) => item.kind)
  const [first = ''] = names.filter((kind) => kind !== 'condition')
  return first === 'cell' ? 'cells' : first === 'row' ? 'rows' : 'flow'
}

/** The end of a template in which nothing can be selected. */
export function emptyPlace({ length }: string): FoundItem {
  const end = { from: length, to: length }
  const breaks = { first: false, last: false }
  return {
    item: { ...end, kind: 'table', nodes: [], content: end, children: [], name: '', breaks },
    parents: [],
    siblings: [],
    index: 0,
  }
}

/** The tags around a new element, or the line break beside it, that its place needs. */
function tagsFor(
  text: string,
  found: FoundItem,
  where: 'before' | 'after',
  element: NewElement,
  cell: string,
): readonly [before: string, after: string] {
  const { item, parents } = found
  const place = placeOf(found)
  if (place === 'cells') return [`<td${cell}>`, '</td>']
  if (place === 'rows') {
    const cells = cellsIn(item)
    const span = cells > 1 ? ` colspan="${String(cells)}"` : ''
    return [`<tr><td${span}${cell}>`, '</td></tr>']
  }
  if (place === 'points') return ['<li>', '</li>']
  if (place === 'terms') return ['<dd>', '</dd>']
  const last = item.nodes.at(-1)
  if (isInlineElement(element) && item.kind === 'group' && last?.kind === 'element') {
    const { name } = last.tag
    const like = name === 'p' ? name : 'div'
    return [`<${like}${written(text, last, 'style')}>`, `</${like}>`]
  }
  if (isInlineElement(element) && parents.length > 0 && item.kind !== 'table')
    return item.breaks.first || (where === 'after' && !item.breaks.last) ? ['<br>', ''] : ['', '<br>']
  return element.kind === 'text' || element.kind === 'valueLine' || cell !== ''
    ? [`${TABLE}<tr><td${cell}>`, '</td></tr></table>']
    : ['', '']
}

/**
 * Inserts an element before or after an item, in the markup that its place needs: a row between rows, a cell between
 * cells, a line between lines. New words look like those beside them. Selects the new element. Null for a slot in a
 * slot, or one that the template has.
 */
export function insertedElement(
  text: string,
  found: FoundItem,
  where: 'before' | 'after',
  element: NewElement,
): ActionResult | null {
  const { item, parents } = found
  if (element.kind === 'slot' && (parents.some(({ kind }) => kind === 'slot') || hasSlot(text, element.name)))
    return null
  const outerCell = lastCell(parents.flatMap(({ nodes }) => nodes))
  const model = cellWithWords(item, outerCell) ?? outerCell
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const { content, cell } = contentOf(element, written(text, model, 'style'), lineEnd)
  const at = where === 'after' ? item.to : item.from
  const [before, after] = tagsFor(text, found, where, element, cell)
  const condition = element.kind === 'valueLine' ? `{{#if ${element.name}}}` : ''
  const whole = condition + before + content + after + (condition === '' ? '' : '{{/if}}')
  const begin = at + condition.length + before.length
  return {
    edits: [{ from: at, to: at, insert: whole }],
    selected:
      element.kind === 'text'
        ? { from: begin, to: begin + content.length }
        : { from: at, to: at + whole.length },
  }
}
