import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTemplate, showsByItself } from '../../../../streams/organisation/template/template.ts'
import {
  childrenOf,
  isCell,
  type SourceRange,
  templateTree,
  type TreeNode,
} from '../../../../streams/organisation/template/tree.ts'
import { cases } from '../../../support/cases.ts'
import { realTemplates } from '../../../support/templates.ts'

const allNodes = (nodes: readonly TreeNode[]): readonly TreeNode[] =>
  nodes.flatMap((node) => [node, ...allNodes(childrenOf(node))])

/** The nodes that leave a gap in this range, or in the inner range of their parent, or that are not what they enclose. */
function misplaced(text: string, nodes: readonly TreeNode[], { from, to }: SourceRange): readonly TreeNode[] {
  let at = from
  const wrong: TreeNode[] = []
  for (const node of nodes) {
    if (node.from !== at || node.to <= at || node.to > to || !isWhole(text, node)) wrong.push(node)
    at = node.to
    for (const inside of insideOf(text, node)) wrong.push(...misplaced(text, ...inside))
  }
  return nodes.at(-1) && at !== to ? [...wrong, ...nodes.slice(-1)] : wrong
}

/** Whether an element's tags and a condition's placeholders stand where the ranges say. */
function isWhole(text: string, node: TreeNode): boolean {
  if (node.kind === 'element') {
    const end = text.slice(node.inner.to, node.to).toLowerCase()
    const hasEnd = end === '' || (end.startsWith(`</${node.tag.name}`) && end.indexOf('>') === end.length - 1)
    return node.from === node.tag.start && node.inner.from === node.tag.end && hasEnd
  }
  if (node.kind !== 'condition') return true
  const rest = text.slice(node.inner.to, node.to)
  return (
    /^\{\{\s*#if\s[^{}]*\}\}$/.test(text.slice(node.from, node.inner.from)) &&
    /^\{\{\s*else\s*\}\}/.test(rest) === (node.otherwise !== null) &&
    /\{\{\s*\/if\s*\}\}$/.test(rest)
  )
}

/** The lists of nodes inside a node, each with the range that it covers. */
function insideOf(text: string, node: TreeNode): readonly (readonly [readonly TreeNode[], SourceRange])[] {
  if (node.kind === 'element') return [[node.children, node.inner]]
  if (node.kind !== 'condition' && node.kind !== 'slot') return []
  const last = text.lastIndexOf('{{', node.to - 1)
  if (node.kind === 'condition') {
    const from = text.indexOf('}}', node.inner.to) + 2
    return [
      [node.children, node.inner],
      ...(node.otherwise ? [[node.otherwise, { from, to: last }] as const] : []),
    ]
  }
  return node.from < last ? [[node.children, { from: text.indexOf('}}', node.from) + 2, to: last }]] : []
}

const expectTree = (text: string): readonly TreeNode[] => {
  const tree = templateTree(text)
  expect(misplaced(text, tree, { from: 0, to: text.length })).toEqual([])
  expect(tree.length).toBeGreaterThan(text === '' ? -1 : 0)
  return tree
}

/** The tree in short: elements as `name[…]`, controls as `if(…|…)` and `slot(…)`, others as `kind:source`. */
const shown = (text: string, nodes: readonly TreeNode[] = expectTree(text)): string =>
  nodes
    .map((node) => {
      if (node.kind === 'element') return `${node.tag.name}[${shown(text, node.children)}]`
      if (node.kind === 'condition') {
        const otherwise = node.otherwise ? `|${shown(text, node.otherwise)}` : ''
        return `if ${node.names.join(' ')}(${shown(text, node.children)}${otherwise})`
      }
      if (node.kind === 'slot') return `slot ${node.name}(${shown(text, node.children)})`
      if (node.kind === 'words') return text.slice(node.from, node.to)
      return `${node.kind}:${text.slice(node.from, node.to)}`
    })
    .join(' ')

const fragment = fc.constantFrom(
  ...[
    'words',
    ' ',
    '\n',
    'é',
    '<',
    '>',
    '&',
    '&amp;',
    '&#x26',
    '{',
    '}',
    '{{',
    '}}',
    '"',
    "'",
    '</',
    '<!',
    '<b',
  ],
  ...[
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<i class="a">',
    '</i>',
    '<div>',
    '</div>',
    '<a href="{{web w}}">',
    '</a>',
  ],
  ...['<table>', '</table>', '<tbody>', '</tbody>', '<tr>', '</tr>', '<td>', '</td>', '<th>', '<colgroup>'],
  ...[
    '<ul>',
    '</ul>',
    '<li>',
    '</li>',
    '<dl>',
    '<dt>',
    '<dd>',
    '<br>',
    '<br/>',
    '</br>',
    '<img alt=">">',
    '<hr>',
  ],
  ...['<!-- a -->', '<!--', '-->', '<!--[if mso]>', '<![endif]-->', '<!-- {{a}} -->', '<!-- {{#if a}} -->'],
  ...[
    '<style>',
    'p{}',
    '</style>',
    '<style>{{a}}</style>',
    '<title>',
    '</title>',
    '<textarea>',
    '</textarea>',
  ],
  ...[
    '<td {{a}}>',
    '<a title="{{#if a}}">',
    '{{#if a}}',
    '{{#if a b}}',
    '{{else}}',
    '{{/if}}',
    '{{a}}',
    '{{ b }}',
  ],
  ...[
    '{{> legal}}',
    '{{> <b>}}',
    '{{picture a<b.png}}',
    '{{block banner}}',
    '{{#block banner}}',
    '{{block}}',
  ],
  ...['{{/block}}', '{{tel a}}', '{{first a b}}', '{{qr vcard}}', '{{no such thing}}', '</style', '<p cla'],
)
const markupish = fc.array(fragment, { maxLength: 24 }).map((parts) => parts.join(''))

describe('the tree of a template', () => {
  test('covers any text without gaps [EDIT-1]', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: markupish }, fc.string({ unit: 'binary' })), (text) => {
        expectTree(text)
      }),
      cases(1_000),
    )
  })

  test('covers real signatures, the gallery and the demonstration [EDIT-1]', async () => {
    const templates = await realTemplates()
    expect(templates.length).toBeGreaterThan(60)
    for (const { name, text } of templates) {
      const nodes = allNodes(expectTree(text))
      const opaque = nodes.filter(({ kind }) => kind === 'opaque').map(({ from, to }) => text.slice(from, to))
      expect({ name, opaque: opaque.filter((each) => each.includes('{{')) }).toEqual({ name, opaque: [] })
    }
  })

  test('has each placeholder of the text that shows something as a value, in order', () => {
    fc.assert(
      fc.property(markupish, (text) => {
        const nodes = allNodes(templateTree(text))
        const values = nodes.flatMap((node) => (node.kind === 'value' ? [node.placeholder] : []))
        const all = parseTemplate(text, new Map()).template.placeholders.filter(showsByItself)
        const inMarkup = nodes.filter(({ kind }) => !['value', 'element', 'condition', 'slot'].includes(kind))
        const isElsewhere = (at: number) =>
          inMarkup.some(({ from, to, kind }) => kind !== 'words' && from <= at && at < to) ||
          nodes.some((node) => node.kind === 'element' && node.from <= at && at < node.inner.from)
        expect(values).toEqual(all.filter(({ at }) => !isElsewhere(at)))
      }),
      cases(500),
    )
  })

  test('is one opaque node if conditions and slots do not nest', () => {
    for (const text of [
      '{{#if a}}b',
      'a{{/if}}',
      'a{{else}}b',
      '{{#if a}}b{{else}}c{{else}}d{{/if}}',
      '{{#if a}}{{#block b}}{{/if}}{{block}}{{/block}}',
      '{{#block b}}{{#if a}}{{block}}{{/block}}{{/if}}',
      '{{#block b}}{{else}}{{/block}}',
      '<td title="{{#if a}}">b{{/if}}',
      'a<!-- {{#if a}} -->b<!-- {{/if}} -->',
      'a{{> <b>}}c',
    ])
      expect(templateTree(text)).toEqual([{ kind: 'opaque', from: 0, to: text.length }])
    expect(templateTree('')).toEqual([])
  })

  test('is read however deep tags or conditions nest', () => {
    const depth = 10_000
    for (const [open, close] of [
      ['<b>', '</b>'],
      ['<p><b>', ''],
      ['<table><tr><td>', '</td></tr></table>'],
      ['{{#if a}}', '{{/if}}'],
    ] as const) {
      const text = `${open.repeat(depth)}x${close.repeat(depth)}`
      expectTree(text)
      expectTree(`${text}{{a}}`)
    }
    expect(templateTree(`${'{{#if a}}'.repeat(10_000)}x${'{{/if}}'.repeat(10_000)}`)).toHaveLength(1)
  })

  test.each([
    ['a<b>c</b>d', 'a b[c] d'],
    ['<p>a<br>b {{phone}}</p>', 'p[a br[] b  value:{{phone}}]'],
    ['<p>a<p>b</p>', 'p[a] p[b]'],
    ['<p><b>a</b><div>b</div></p>', 'p[b[a]] div[b] opaque:</p>'],
    ['<p><b>a<div>b</div>', 'p[opaque:<b> a] div[b]'],
    ['<ul><li>a<li><b>b</b></ul>', 'ul[li[a] li[b[b]]]'],
    ['<ul><li>a<ul><li>b</ul><li>c</ul>', 'ul[li[a ul[li[b]]] li[c]]'],
    ['<dl><dt>a<dd>b<dt>c</dl>', 'dl[dt[a] dd[b] dt[c]]'],
    ['<table><tr><td>a<td>b<tr><th>c</table>', 'table[tr[td[a] td[b]] tr[th[c]]]'],
    ['<table><tbody><tr><td>a<tfoot><tr><td>b</table>', 'table[tbody[tr[td[a]]] tfoot[tr[td[b]]]]'],
    ['<table><colgroup><col><tr><td>a</table>', 'table[colgroup[col[]] tr[td[a]]]'],
    ['<table><tr><td><b>a<td>b</table>', 'table[tr[td[opaque:<b> a] td[b]]]'],
    [
      '<table><tr><td><table><tr><td>a<td>b</table></td></tr></table>',
      'table[tr[td[table[tr[td[a] td[b]]]]]]',
    ],
    ['<table><tr><td>a</tr></b></table>', 'table[tr[td[a]] opaque:</b>]'],
    ['<b><table><tr><td>a</b></td></tr></table></b>', 'b[table[tr[td[a opaque:</b>]]]]'],
    ['<table><tr><td><p>a</td><td></table>b', 'table[tr[td[p[a]] td[]]] b'],
    ['<ul><li><ul></li></ul></li></ul>', 'ul[li[ul[opaque:</li>]]]'],
    ['<p>a<table><tr><td>b<p>c</table>', 'p[a] table[tr[td[b p[c]]]]'],
    ['<p><table><tr><td><table></table></table>', 'p[] table[tr[td[table[]]]]'],
    ['<b>a<i>b</b>c</i>', 'b[a opaque:<i> b] c opaque:</i>'],
    ['<b>a', 'opaque:<b> a'],
    ['a</br>b', 'a opaque:</br> b'],
    ['{{#if a}}<b>{{/if}}c</b>', 'if a(opaque:<b>) c opaque:</b>'],
    ['<p>{{#if a b}}c{{else}}<b>d</b>{{/if}}</p>', 'p[if a b(c|b[d])]'],
    ['{{#if a}}{{else}}{{/if}}', 'if a(|)'],
    ['{{#block b}}<p>{{block}}</p>{{/block}}{{block}}', 'slot b(p[block:{{block}}]) value:{{block}}'],
    ['{{block banner}}{{> legal}}', 'slot banner() part:{{> legal}}'],
    ['<td {{#if a}}width="1"{{/if}}>b</td>', 'td[b]'],
    [
      'a<!-- {{a}} --><!--[if mso]>b<![endif]-->',
      'a comment:<!-- {{a}} --> comment:<!--[if mso]>b<![endif]-->',
    ],
    ['a<!-- b', 'a opaque:<!-- b'],
    ['<style>p{{a}}</style>b{{a}}', 'styles:<style>p{{a}}</style> b value:{{a}}'],
    ['<style></style>a', 'styles:<style></style> a'],
    ['<style>p{}</style', 'opaque:<style>p{} opaque:</style'],
    ['<style>', 'opaque:<style>'],
    ['<style>{{a}}', 'opaque:<style>{{a}}'],
    ['a<textarea><b></textarea>c', 'a opaque:<textarea><b></textarea> c'],
    ['a{{no such}}b', 'a{{no such}}b'],
    ['a <b', 'a  opaque:<b'],
    ['a <', 'a <'],
    ['<P>a</P >', 'p[a]'],
  ])('%s is %s', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  test('tells the names of conditions, and cells from other elements', () => {
    const nodes = allNodes(templateTree('<table><tr><td>a</td><th>b</th></tr></table>'))
    const cells = nodes.flatMap((node) => (node.kind === 'element' && isCell(node) ? [node.tag.name] : []))
    expect(cells).toEqual(['td', 'th'])
  })
})
