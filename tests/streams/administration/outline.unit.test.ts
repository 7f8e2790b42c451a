import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allItems,
  conditionsOf,
  type DesignItem,
  elementOf,
  findItem,
  nearestItem,
  outlineOf,
} from '../../../streams/administration/design/outline.ts'
import { piecesIn } from '../../../streams/administration/design/typing.ts'
import { decodeReferences } from '../../../streams/html/tokens.ts'
import { template } from '../../support/administration/acts.ts'
import { designTemplate } from '../../support/administration/design.ts'
import { cases } from '../../support/cases.ts'
import { realTemplates } from '../../support/templates.ts'

/** The outline in short: `kind(children)`, words as they are written, `?` before what is shown on a condition. */
const shown = (text: string, items: readonly DesignItem[] = outlineOf(text)): string =>
  items
    .map((item) => {
      const breaks = `${item.breaks.first ? '^' : ''}${item.breaks.last ? '$' : ''}`
      const sign = conditionsOf(item).length > 0 ? `?${breaks}` : ''
      const { from, to } = item.content
      if (item.kind === 'words') return `${sign}'${text.slice(from, to)}'`
      const name = item.name === '' ? '' : `:${item.name}`
      return `${sign}${item.kind}${name}(${shown(text, item.children)})`
    })
    .join(' ')

describe('the outline of a template', () => {
  test.each([
    ['a', "'a'"],
    [' a b\n', "'a b'"],
    ['<p>a</p>', "group('a')"],
    ['a <b>b</b> c', "'a' 'b' 'c'"],
    ['<p>a <b>b</b><br>c</p>', "group(line('a' 'b') 'c')"],
    ['a<br>b<br><br>{{c}}', "'a<br>b<br><br>{{c}}'"],
    ['a<br><b>b</b><br>c', "'a' 'b' 'c'"],
    ['a<!-- b --><br>c', "'a' 'c'"],
    ['a<br><b></b>c', "'a' 'c'"],
    ['a<br>{{#if d}}{{/if}}c', "'a' 'c'"],
    ['a<br><p>b</p>c', "'a' group('b') 'c'"],
    ['a: <a href="#">b</a><br>c', "line('a:' link('b')) 'c'"],
    ['<a href="#"><img alt=""></a>', 'link(picture())'],
    ['<img alt="">', 'picture()'],
    ['<hr>', 'divider()'],
    ['<span><b>a</b></span>', "'a'"],
    ['<span><table><tr><td>a</td></tr></table></span>', "table('a')"],
    ['<table><tr><td>a</td></tr></table>', "table('a')"],
    ['<table><tbody><tr><td>a</td></tr></tbody></table>', "table('a')"],
    ['<table><tr><td>a</td><th>b</th></tr></table>', "table(cell('a') cell('b'))"],
    ['<table><tr><td>a</td></tr><tr><td>b</td></tr></table>', "table(row('a') row('b'))"],
    ['<table><colgroup><col></colgroup><tr><td>a</td></tr></table>', "table('a')"],
    ['<div><div><div>a</div></div></div>', "group('a')"],
    ['<div><a href="#">a</a></div>', "group(link('a'))"],
    ['<div></div>', 'group()'],
    ['{{#if a}}b{{/if}}', "?'b'"],
    ['{{#if a}}<br>b{{/if}}', "?^'b'"],
    ['{{#if a}}b<br>{{/if}}', "?$'b'"],
    ['{{#if a}}<!-- c --> <b><br>b</b>{{/if}}', "?^'b'"],
    ['{{#if a}}{{#if b}}<br>c{{/if}}{{/if}}', "?^'c'"],
    ['{{#if a}}{{#if b}}<br>c{{/if}}d{{/if}}', "?^condition(?^'c' 'd')"],
    ['{{#if a}}<p>b</p>{{/if}}', "?group('b')"],
    ['{{#if a}}b{{else}}c{{/if}}', "?condition('b' 'c')"],
    ['{{#if a}}b{{else}}{{/if}}', "?condition('b')"],
    ['{{#if a}}{{else}}<br>b{{/if}}', "?condition('b')"],
    ['{{#if a}}b<hr>{{/if}}', "?condition('b' divider())"],
    ['{{#if a}} {{/if}}', ''],
    ['x {{#if a}}b{{/if}} y<br>z', "line('x' ?'b' 'y') 'z'"],
    ['x{{#if a}}<br>b{{/if}}<br>z', "'x' ?^'b' 'z'"],
    ['<table>{{#if a}}<tr><td>b</td></tr>{{/if}}<tr><td>c</td></tr></table>', "table(?row('b') row('c'))"],
    ['<table>{{#if a}}<tr><td>b</td></tr>{{/if}}</table>', "table(?row('b'))"],
    ['{{> legal}}{{block banner}}', 'part:legal() slot:banner()'],
    ['{{#block b}}<p>c {{block}}</p>{{/block}}', "slot:b(group('c'))"],
    ['<!-- a --><style>p{}</style>', ''],
    ['<b>a', "'a'"],
    ['{{#if a}}b', ''],
    ['<div>{{#block b}}{{block}}{{/block}}</div>', 'group(slot:b())'],
  ])('of %s is %s', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  test('has the ranges of the source', () => {
    const text = '<table> {{#if a}}<tr><td>b <b>c</b></td></tr>{{/if}} </table>'
    const [table] = outlineOf(text)
    const [row] = table?.children ?? []
    const [words] = row?.children ?? []
    const sourceOf = ({ from, to }: { from: number; to: number } = { from: 0, to: 0 }) => text.slice(from, to)
    expect(sourceOf(table)).toBe(text)
    expect(sourceOf(table?.content)).toBe(text.slice(7, -8))
    expect(sourceOf(row)).toBe('{{#if a}}<tr><td>b <b>c</b></td></tr>{{/if}}')
    expect(sourceOf(row?.content)).toBe('b <b>c</b>')
    expect(row?.nodes.map(({ kind }) => kind)).toEqual(['condition', 'element', 'element'])
    expect(row && elementOf(row)?.tag.name).toBe('td')
    expect(sourceOf(words)).toBe('b')
    expect(words && elementOf(words)).toBeNull()
    const branches = '{{#if a}}b{{else}}c{{/if}}'
    expect(outlineOf(branches)[0]?.content).toEqual({ from: 9, to: branches.length - 7 })
    const slot = '{{#block b}}<p>{{block}}</p>{{/block}}'
    expect(outlineOf(slot)[0]?.content).toEqual({ from: 12, to: slot.length - 10 })
  })

  test('has lines of whole elements, or none', () => {
    const lines = (text: string) =>
      outlineOf(text).map(({ kind, from, to }) => `${kind} ${text.slice(from, to)}`)
    expect(lines('a <b>b</b><br><i>c</i> d')).toEqual(['line a <b>b</b>', 'line <i>c</i> d'])
    expect(lines('<b>a <i>b</i></b><br>c')).toEqual(['line a <i>b</i>', 'words c'])
    expect(lines('<b><i>a</i> b<br>c</b> d')).toEqual(['line <i>a</i> b', 'words c', 'words d'])
    expect(lines('<b>a<br>b</b> c<br>d')).toEqual(['words a', 'words b', 'words c', 'words d'])
  })

  test('leads from a range to the nearest item', () => {
    const text = '<p>a <b>b</b></p><p>c</p>'
    const at = (from: number, to: number) => {
      const item = nearestItem(outlineOf(text), { from, to })
      return item && text.slice(item.from, item.to)
    }
    expect(at(3, 4)).toBe('a')
    expect(at(0, 17)).toBe('<p>a <b>b</b></p>')
    expect(at(3, 13)).toBe('a')
    expect(at(5, 12)).toBe('b')
    expect(at(6, 7)).toBe('<p>a <b>b</b></p>')
    expect(at(0, text.length)).toBe('<p>a <b>b</b></p>')
    expect(at(10, 20)).toBeNull()
    expect(nearestItem([], { from: 0, to: 0 })).toBeNull()
  })

  test('is findable, item by item, with the parents of each', () => {
    const text = '<p>a <b>b</b></p><p>c</p>'
    const outline = outlineOf(text)
    const found = findItem(outline, { from: 8, to: 9 })
    expect(found).toMatchObject({ index: 1, item: { kind: 'words' }, parents: [{ kind: 'group' }] })
    expect(found?.siblings).toBe(outline[0]?.children)
    expect(findItem(outline, { from: 8, to: 8 })).toBeNull()
  })
})

/** Fails unless the items lie within the range, in order, without overlap, and so do their children. */
function expectNested(text: string, items: readonly DesignItem[], from: number, to: number): void {
  let at = from
  for (const item of items) {
    const { content, children } = item
    expect(item.from).toBeGreaterThanOrEqual(at)
    expect(item.to).toBeGreaterThan(item.from)
    expect(content.from).toBeGreaterThanOrEqual(item.from)
    expect(content.to).toBeLessThanOrEqual(item.to)
    at = item.to
    if (item.kind === 'words') {
      const words = text.slice(content.from, content.to)
      expect(words).not.toMatch(/^[\t\n\f\r ]|^$|[\t\n\f\r ]$/)
      expect(children).toEqual([])
      expect(piecesIn(text, content, decodeReferences)).not.toBeNull()
    } else expectNested(text, children, content.from, content.to)
  }
  expect(at).toBeLessThanOrEqual(to)
}
const expectOutline = (text: string): void => {
  const outline = outlineOf(text)
  expectNested(text, outline, 0, text.length)
  for (const item of allItems(outline)) {
    const found = findItem(outline, item)
    expect(found?.item).toBe(item)
    expect(found?.siblings[found.index]).toBe(item)
    expect(nearestItem(outline, item)).toBe(item)
  }
}

describe('every outline', () => {
  test('has items in the order of the text, each within its parent, all of which can be found', () => {
    fc.assert(fc.property(fc.oneof(template, designTemplate), expectOutline), cases(300))
  })

  test('of a real signature, of the gallery and of the demonstration has such items', async () => {
    for (const { text } of await realTemplates()) expectOutline(text)
  })
})

test('the outlines of the last eight texts are kept', () => {
  const texts = Array.from({ length: 9 }, (_, index) => `<p>${String(index)}</p>`)
  const [first, ...others] = texts.map(outlineOf)
  texts.slice(1).forEach((text, index) => expect(outlineOf(text)).toBe(others[index]))
  const again = outlineOf(texts[0] ?? '')
  expect(again).not.toBe(first)
  expect(again).toEqual(first)
  // What was asked for last is kept longest.
  outlineOf(texts[2] ?? '')
  outlineOf('<p>new</p>')
  expect(outlineOf(texts[2] ?? '')).toBe(others[1])
})
