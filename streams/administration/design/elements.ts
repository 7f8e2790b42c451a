/** New elements for a template. Their markup is what all mail clients draw: tables, and styles on cells. */
import { type ActionResult, escapedText, pictureTag, type SocialLink, socialRow } from '../plan/acts.ts'
import { VCARD_NAME } from '../../organisation/template/template.ts'
import type { ElementNode } from '../../organisation/template/tree.ts'
import type { DesignItem, FoundItem } from './outline.ts'

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

/** The innermost cell around the first words of an item; null without one. */
function cellWithWords(item: DesignItem, around: ElementNode | null): ElementNode | null {
  const own = item.nodes.findLast(
    (node): node is ElementNode =>
      node.kind === 'element' && (node.tag.name === 'td' || node.tag.name === 'th'),
  )
  const cell = own ?? around
  if (item.kind === 'words') return cell
  for (const child of item.children) {
    const found = cellWithWords(child, cell)
    if (found) return found
  }
  return null
}

/** The content of an element, and the attributes of the cell that contains it. */
function contentOf(
  element: NewElement,
  cellStyle: string,
  lineEnd: string,
): Readonly<{ content: string; cell: string; isInline: boolean }> {
  const plain = (content: string, isInline: boolean) => ({ content, cell: '', isInline })
  switch (element.kind) {
    case 'text':
      return { content: escapedText(element.text), cell: cellStyle, isInline: true }
    case 'valueLine':
      return { content: `{{${element.name}}}`, cell: cellStyle, isInline: true }
    case 'picture': {
      const { path, alternative, width, height } = element
      const size = [
        ...(width === null ? [] : [` width="${String(width)}"`]),
        ...(height === null ? [] : [` height="${String(height)}"`]),
      ].join('')
      return plain(pictureTag(path, alternative, `${size} border="0"`), true)
    }
    case 'code': {
      const { address, alternative } = element
      const px = String(CODE_PX)
      const of = address ?? VCARD_NAME
      return plain(
        `<img src="{{qr ${of}}}" alt="${escapedText(alternative)}" width="${px}" height="${px}" border="0">`,
        true,
      )
    }
    case 'button': {
      const { text, address, colour } = element
      const label = `<a href="${escapedText(address)}" style="color:#ffffff;text-decoration:none;">${escapedText(text)}</a>`
      const style = `background-color:${colour};padding:9px 18px;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px;`
      return plain(`${TABLE}<tr><td bgcolor="${colour}" style="${style}">${label}</td></tr></table>`, false)
    }
    case 'social':
      return plain(socialRow(element.links, lineEnd), false)
    case 'divider':
      return {
        content: '&nbsp;',
        cell: ` style="${FLAT}line-height:1px;border-top:1px solid ${element.colour};"`,
        isInline: false,
      }
    case 'space': {
      const height = String(element.height)
      return {
        content: '&nbsp;',
        cell: ` height="${height}" style="${FLAT}line-height:${height}px;"`,
        isInline: false,
      }
    }
    case 'columns': {
      const [first, second] = element.texts
      const style = cellStyle === '' ? '' : cellStyle
      return plain(
        `${TABLE}<tr><td valign="top"${style}>${escapedText(first)}</td><td width="16">&nbsp;</td><td valign="top"${style}>${escapedText(second)}</td></tr></table>`,
        false,
      )
    }
    case 'slot':
      return plain(`{{block ${element.name}}}`, false)
  }
}

/** The number of cells in the item's row; 1 if the item is no row with cells. */
function cellsIn(item: DesignItem): number {
  const count = item.children.filter(({ kind }) => kind === 'cell').length
  return item.kind === 'row' && count > 1 ? count : 1
}

/** Whether the item stands between rows of a table. */
function isAmongRows({ item, siblings, parents }: FoundItem): boolean {
  if (item.kind === 'row') return true
  const parent = parents.at(-1)
  const isInTable = parent?.nodes.findLast((node) => node.kind === 'element')?.tag.name === 'table'
  return isInTable || siblings.some(({ kind }) => kind === 'row')
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

/**
 * Inserts an element before or after an item, in the markup that its place needs: a row between rows, a cell between
 * cells, a line between lines. New words look like those beside them. Selects the new element.
 */
export function insertedElement(
  text: string,
  found: FoundItem,
  where: 'before' | 'after',
  element: NewElement,
): ActionResult | null {
  const { item, parents, siblings } = found
  const around = parents.flatMap(({ nodes }) => nodes)
  const outerCell =
    around.findLast(
      (node): node is ElementNode =>
        node.kind === 'element' && (node.tag.name === 'td' || node.tag.name === 'th'),
    ) ?? null
  const model = cellWithWords(item, outerCell) ?? outerCell
  const cellStyle = written(text, model, 'style')
  const { content, cell, isInline } = contentOf(element, cellStyle, text.includes('\r\n') ? '\r\n' : '\n')
  const at = where === 'after' ? item.to : item.from
  let [before, after] = ['', '']
  const isCellPlace = item.kind === 'cell' || siblings.some(({ kind }) => kind === 'cell')
  if (isCellPlace) [before, after] = [`<td${cell}>`, '</td>']
  else if (isAmongRows(found)) {
    const cells = cellsIn(item)
    const span = cells > 1 ? ` colspan="${String(cells)}"` : ''
    ;[before, after] = [`<tr><td${span}${cell}>`, '</td></tr>']
  } else if (isInline && parents.length > 0 && item.kind !== 'group' && item.kind !== 'table') {
    if (item.breaks.first || (where === 'after' && !item.breaks.last)) before = '<br>'
    else after = '<br>'
  } else if (item.kind === 'group' && isInline && item.nodes.at(-1)?.kind === 'element') {
    const tag = item.nodes.findLast((node): node is ElementNode => node.kind === 'element')
    const name = tag?.tag.name ?? 'div'
    const like = name === 'p' || name === 'div' || name === 'li' ? name : 'div'
    ;[before, after] = [`<${like}${written(text, tag ?? null, 'style')}>`, `</${like}>`]
  } else if (element.kind === 'text' || element.kind === 'valueLine' || cell !== '')
    [before, after] = [`${TABLE}<tr><td${cell}>`, '</td></tr></table>']
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
