import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkingDocument } from '../../../src/folder/checkFolder.ts'
import {
  boxesOf,
  canCopy,
  type DesignAct,
  linkOf,
  moveTarget,
  performDesignAct,
  pixelsIn,
  stepOver,
  variablesOfItem,
  wholeLine,
} from '../../../streams/administration/design/acts.ts'
import {
  allItems,
  type DesignItem,
  elementOf,
  findItem,
  type FoundItem,
  outlineOf,
} from '../../../streams/administration/design/outline.ts'
import { piecesIn, typedEdits } from '../../../streams/administration/design/typing.ts'
import { applyEdits, editsBetween } from '../../../streams/administration/plan/draft.ts'
import { sanitizeMarkup } from '../../../streams/html/sanitizeMarkup.ts'
import { decodeReferences, tokensOf } from '../../../streams/html/tokens.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { runSteps } from '../../../streams/kernel/steps.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { parseTemplate, renderTemplate } from '../../../streams/organisation/template/template.ts'
import {
  childrenOf,
  type SourceRange,
  templateTree,
  type TreeNode,
} from '../../../streams/organisation/template/tree.ts'
import { largeDocument } from '../../growth/largeDocument.ts'
import { anyDesignAct, designTemplate } from '../../support/administration/design.ts'
import { cases } from '../../support/cases.ts'
import { realTemplates } from '../../support/templates.ts'
import { variableOf } from '../../support/variables.ts'

/** The item whose source is between brackets, and the text without them. */
function read(marked: string): readonly [text: string, range: SourceRange] {
  const from = marked.indexOf('[')
  const to = marked.indexOf(']') - 1
  return [marked.replace('[', '').replace(']', ''), { from, to }]
}
const after = (marked: string, act: DesignAct): string => {
  const [text, range] = read(marked)
  const result = performDesignAct(text, range, act)
  return result ? applyEdits(text, result.edits) : 'refused'
}

const hullOf = (ranges: readonly SourceRange[]): SourceRange => ({
  from: Math.min(...ranges.map(({ from }) => from)),
  to: Math.max(...ranges.map(({ to }) => to)),
})

/** The start tags of the elements directly around a range, from the innermost, in the text without the range. */
function elementAround(nodes: readonly TreeNode[], range: SourceRange): SourceRange | null {
  const around = nodes.find(({ from, to }) => from < range.from && range.to < to)
  if (!around) return null
  const inner = elementAround(childrenOf(around), range)
  return inner ?? (around.kind === 'element' ? { from: around.from, to: around.to } : null)
}

const wordsIn = (item: DesignItem): readonly DesignItem[] =>
  item.kind === 'words' ? [item] : item.children.flatMap(wordsIn)

/**
 * The range that an act on an item may change:
 * - a style: the item, and the element directly around its words
 * - a link: the item, or the link that contains it
 * - alignment, room, background and border: the item, or the cell or block that contains it
 * - a removal or a condition: the item with the line break that goes with it
 * - a move: from the first to the last of the places
 * - a copy or an insertion: nothing, at the end or the beginning of the item or of what contains it
 */
function rangeOf(text: string, found: FoundItem, act: DesignAct): SourceRange {
  const { item, parents, siblings, index } = found
  switch (act.kind) {
    case 'style': {
      const tree = templateTree(text)
      const around = wordsIn(item).flatMap(({ content }) => elementAround(tree, content) ?? [])
      return hullOf([item, ...around])
    }
    case 'link':
      return hullOf([item, linkOf(found) ?? item])
    case 'align':
    case 'room':
    case 'background':
    case 'border':
      return hullOf([item, ...boxesOf(found)])
    case 'condition':
    case 'remove':
      return wholeLine(text, found)
    case 'move':
      return hullOf(
        siblings.slice(Math.max(0, Math.min(index, index + act.by)), Math.max(index, index + act.by) + 1),
      )
    case 'insert':
      return hullOf([item, ...parents])
    default:
      return item
  }
}

/** The characters that are read, in order, whatever the values. */
const wordsOf = (text: string): string =>
  Array.from(tokensOf(text), ({ kind, start, end }) => (kind === 'text' ? text.slice(start, end) : ''))
    .join('')
    .replace(/\{\{\s*(?:#if\s[^{}]*|\/if)\}\}/g, '')
const sorted = (text: string): string => Array.from(text).sort().join('')

/** Fails unless the act on the item keeps what the rows promise. Returns the text afterwards. */
function expectAct(text: string, found: FoundItem, act: DesignAct): string {
  const { item } = found
  const result = performDesignAct(text, item, act)
  if (!result) return text
  const range = rangeOf(text, found, act)
  let last = text.length
  for (const { from, to, insert } of result.edits) {
    expect(to).toBeLessThanOrEqual(last)
    expect(from).toBeGreaterThanOrEqual(range.from)
    expect(to).toBeLessThanOrEqual(range.to)
    expect(from).toBeLessThanOrEqual(to)
    if (act.kind === 'insert' || act.kind === 'copy') {
      expect([from, insert === '']).toEqual([to, false])
      expect(
        act.kind === 'copy' ? [item.to] : [item, ...found.parents].flatMap((each) => [each.from, each.to]),
      ).toContain(from)
    }
    last = from
  }
  const changed = applyEdits(text, result.edits)
  expect(applyEdits(changed, editsBetween(changed, text))).toBe(text)
  expect(result.selected.from).toBeGreaterThanOrEqual(0)
  expect(result.selected.to).toBeGreaterThanOrEqual(result.selected.from)
  expect(result.selected.to).toBeLessThanOrEqual(changed.length)
  if (
    [
      'style',
      'link',
      'align',
      'room',
      'background',
      'border',
      'condition',
      'picture',
      'linkedPicture',
      'size',
      'alternative',
    ].includes(act.kind)
  )
    expect(wordsOf(changed)).toBe(wordsOf(text))
  if (act.kind === 'move') expect(sorted(changed)).toBe(sorted(text))
  return changed
}

const foundIn = (text: string, item: SourceRange): FoundItem => {
  const found = findItem(outlineOf(text), item)
  if (!found) throw new Error(`There is no item ${text.slice(item.from, item.to)}.`)
  return found
}

/** An act on an item; the number chooses the item. Null types after the words of the item. */
type Step = readonly [item: number, act: DesignAct | null]
const anyStep: fc.Arbitrary<Step> = fc.tuple(
  fc.nat(1_000),
  fc.option<DesignAct>(anyDesignAct, { freq: 8, nil: null }),
)

/** The text after a step: the act is done if it fits the item. */
function stepped(text: string, [number, act]: Step): string {
  const items = allItems(outlineOf(text))
  const item = items[number % Math.max(1, items.length)]
  if (!item) return text
  const found = foundIn(text, item)
  if (act) return expectAct(text, found, act)
  if (item.kind !== 'words') return text
  const pieces = piecesIn(text, item.content, decodeReferences) ?? []
  const typed = [...pieces, { kind: 'text', text: ' <{{&\n' } as const]
  return applyEdits(text, typedEdits(text, item.content, typed, decodeReferences) ?? [])
}

const VARIABLES = ['phone', 'title', 'empty', 'website'].map((name) => variableOf(name))
const PICTURES = { 'logo.png': 'a'.repeat(64) }
const document = (template: string): ReleaseDocument => ({
  ...largeDocument({ signatures: 1, templates: 1, lines: 1 }),
  variables: VARIABLES,
  templates: { 'templates/t0.html': template, 'templates/legal.part.html': '<p>Legal</p>' },
  pictures: PICTURES,
})
/** The codes of the errors that `signet check` finds. */
const errorsIn = (of: ReleaseDocument): readonly string[] =>
  runSteps(checkingDocument(of, 0)).flatMap(({ level, code }) => (level === 'error' ? [code] : []))

const rendered = (template: string): string =>
  renderTemplate(parseTemplate(template, new Map([['legal', '<p>Legal</p>']])).template, {
    values: { phone: '+49 30', title: 'Head', website: 'https://n.example' },
    pictureUrl: (path) => `https://p.example/${path}`,
    qrUrl: () => 'https://p.example/qr.png',
    blocksIn: () => [],
  })
/** The tags and words of a signature, without attributes, comments, and the bodies that every table has. */
const skeletonOf = (html: string): string =>
  Array.from(tokensOf(html), (token) => {
    if ((token.kind === 'open' || token.kind === 'close') && token.name === 'tbody') return ''
    if (token.kind === 'open') return `<${token.name}>`
    if (token.kind === 'close') return `</${token.name}>`
    return token.kind === 'text' ? decodeReferences(html.slice(token.start, token.end)) : ''
  }).join('')
const isKept = (template: string): boolean => {
  const html = rendered(template)
  return skeletonOf(sanitizeMarkup(html, 'insert')) === skeletonOf(html)
}

const accepted = designTemplate.filter((text) => errorsIn(document(text)).length === 0 && isKept(text))

describe('an act on any item', () => {
  test('changes nothing outside its range, and is undone to the same bytes [EDIT-2]', () => {
    fc.assert(
      fc.property(designTemplate, anyDesignAct, (text, act) => {
        for (const item of allItems(outlineOf(text))) expectAct(text, foundIn(text, item), act)
      }),
      cases(150),
    )
  })

  test('of a real signature, the gallery or the demonstration does so, too [EDIT-2]', async () => {
    const acts = fc.sample(anyDesignAct, { seed: 51, numRuns: 60 })
    for (const [index, { text }] of (await realTemplates()).entries())
      for (const [place, item] of allItems(outlineOf(text)).slice(0, 12).entries()) {
        const act = acts[(index + 7 * place) % acts.length]
        if (act) expectAct(text, foundIn(text, item), act)
      }
  })

  test('leaves, after any 50, a template that the check accepts and the sanitiser keeps [EDIT-5]', () => {
    fc.assert(
      fc.property(accepted, fc.array(anyStep, { minLength: 50, maxLength: 50 }), (text, steps) => {
        let now = text
        for (const step of steps) if (now.length < 6_000) now = stepped(now, step)
        expect(errorsIn(document(now))).toEqual([])
        expect(skeletonOf(sanitizeMarkup(rendered(now), 'insert'))).toBe(skeletonOf(rendered(now)))
      }),
      cases(40),
    )
  })

  test('leaves, after any 50, a template of the gallery or the demonstration accepted [EDIT-5]', async () => {
    const { document: demonstration } = await readDemonstration()
    const names = new Set(demonstration.variables.map(({ path }) => path))
    const parts = Object.entries(demonstration.templates).filter(([path]) => path.endsWith('.part.html'))
    const within = (template: string): ReleaseDocument => ({
      ...document(template),
      organisation: demonstration.organisation,
      variables: [...demonstration.variables, ...VARIABLES.filter(({ path }) => !names.has(path))],
      templates: { 'templates/t0.html': template, ...Object.fromEntries(parts) },
      pictures: { ...demonstration.pictures, ...PICTURES, 'gallery/logo.png': 'b'.repeat(64) },
    })
    const templates = (await realTemplates()).filter(
      ({ name, text }) => /^(?:gallery|templates)/.test(name) && errorsIn(within(text)).length === 0,
    )
    expect(templates.length).toBeGreaterThan(25)
    fc.assert(
      fc.property(
        fc.constantFrom(...templates),
        fc.array(anyStep, { minLength: 50, maxLength: 50 }),
        ({ text }, steps) => {
          const now = steps.reduce(
            (before, step) => (before.length < 12_000 ? stepped(before, step) : before),
            text,
          )
          expect(errorsIn(within(now))).toEqual([])
        },
      ),
      cases(15),
    )
  })

  test('leaves, each time, a template that the check accepts and the sanitiser keeps [EDIT-5]', () => {
    fc.assert(
      fc.property(accepted, anyStep, (text, step) => {
        const now = stepped(text, step)
        expect(errorsIn(document(now))).toEqual([])
        expect(skeletonOf(sanitizeMarkup(rendered(now), 'insert'))).toBe(skeletonOf(rendered(now)))
      }),
      cases(150),
    )
  })

  test('and its opposite are nothing: copy and remove, move there and back, on and off [EDIT-2]', () => {
    const then = (text: string, item: SourceRange, ...acts: readonly DesignAct[]): string | null => {
      let [now, selected] = [text, item]
      for (const act of acts) {
        const result = performDesignAct(now, selected, act)
        if (!result) return null
        now = applyEdits(now, result.edits)
        selected = result.selected
      }
      return now
    }
    fc.assert(
      fc.property(designTemplate, (text) => {
        const outline = outlineOf(text)
        for (const item of allItems(outline)) {
          const found = findItem(outline, item)
          // Copied words are one item with those that they stand beside.
          const isOfWords = item.kind === 'words' || item.kind === 'line'
          if (!isOfWords && canCopy(text, item) && !text.slice(item.from, item.to).includes('block'))
            expect(then(text, item, { kind: 'copy' }, { kind: 'remove' })).toBe(text)
          if (found && moveTarget(text, found, 1) !== null && !hasWordsBeside(found))
            expect(then(text, item, { kind: 'move', by: 1 }, { kind: 'move', by: -1 })).toBe(text)
          if (item.nodes[0]?.kind !== 'condition')
            expect(
              then(text, item, { kind: 'condition', names: ['phone'] }, { kind: 'condition', names: [] }),
            ).toBe(text)
          if (found && !linkOf(found) && ['words', 'picture'].includes(item.kind))
            expect(
              then(
                text,
                item,
                { kind: 'link', target: { kind: 'tel', name: 'phone' } },
                { kind: 'link', target: null },
              ),
            ).toBe(text)
        }
      }),
      cases(40),
    )
  })
})

/** Whether what changes places could join a line, or leave one. */
const hasWordsBeside = ({ siblings, index }: FoundItem): boolean =>
  siblings
    .slice(Math.max(0, index - 1), index + 3)
    .some(({ kind }) => ['words', 'line', 'link', 'picture', 'condition'].includes(kind))

const phone = { kind: 'valueLine', name: 'phone' } as const
const words = { kind: 'text', text: 'New' } as const
const insert = (
  where: 'before' | 'after',
  element: Extract<DesignAct, { kind: 'insert' }>['element'],
): DesignAct => ({
  kind: 'insert',
  where,
  element,
})
const navy: DesignAct = { kind: 'style', property: 'color', value: '#1f3a5f' }
const link: DesignAct = { kind: 'link', target: { kind: 'address', address: 'https://n.example/?a&"{{b}}' } }
const room: DesignAct = { kind: 'room', side: 'left', px: 8 }
const ifPhone: DesignAct = { kind: 'condition', names: ['phone'] }
const always: DesignAct = { kind: 'condition', names: [] }
const TABLE = '<table role="presentation" cellpadding="0" cellspacing="0" border="0">'

describe('one act', () => {
  test.each<readonly [name: string, marked: string, act: DesignAct, expected: string]>([
    ['colours words', '<p>[a]</p>', navy, '<p style="color:#1f3a5f">a</p>'],
    ['colours words among others', 'a <i>b</i> [c]', navy, 'a <i>b</i> <span style="color:#1f3a5f">c</span>'],
    [
      'colours all words of a row',
      '<table>[<tr><td>a</td><td>b</td></tr>]<tr><td>c</td></tr></table>',
      navy,
      '<table><tr><td style="color:#1f3a5f">a</td><td style="color:#1f3a5f">b</td></tr><tr><td>c</td></tr></table>',
    ],
    [
      'links words',
      '<p>[a]</p>',
      link,
      '<p><a href="https://n.example/?a&amp;&quot;&#123;&#123;b&#125;&#125;">a</a></p>',
    ],
    [
      'links words inside their condition',
      '[{{#if phone}}<br>{{phone}}{{/if}}]',
      { kind: 'link', target: { kind: 'tel', name: 'phone' } },
      '{{#if phone}}<br><a href="tel:{{tel phone}}">{{phone}}</a>{{/if}}',
    ],
    [
      'links a picture',
      '<p>[<img alt="">]</p>',
      { kind: 'link', target: { kind: 'web', name: 'w' } },
      '<p><a href="{{web w}}"><img alt=""></a></p>',
    ],
    [
      'changes a link',
      '<a href=x class="y">[a]</a>',
      { kind: 'link', target: { kind: 'mailto', name: 'm' } },
      '<a href="mailto:{{m}}" class="y">a</a>',
    ],
    ['removes a link', '[<a href="x">a<br>b</a>]', { kind: 'link', target: null }, 'a<br>b'],
    ['links no table', '[<hr>]', link, 'refused'],
    ['removes no link that is not there', '<p>[a]</p>', { kind: 'link', target: null }, 'refused'],
    [
      'aligns a cell',
      '<table><tr><td align="left" style="text-align:left">[a]</td></tr></table>',
      { kind: 'align', to: 'right' },
      '<table><tr><td align="right" style="text-align:right">a</td></tr></table>',
    ],
    [
      'aligns a cell without a style',
      '<table><tr><td>[a]</td></tr></table>',
      { kind: 'align', to: 'center' },
      '<table><tr><td align="center">a</td></tr></table>',
    ],
    [
      'aligns a paragraph',
      '<p>[a]</p>',
      { kind: 'align', to: 'center' },
      '<p style="text-align:center">a</p>',
    ],
    ['aligns nothing without a block', '[a]', { kind: 'align', to: 'center' }, 'refused'],
    [
      'shows a picture with its ratio',
      '<p>[<img src="a.png" width="80" height="10" style="width:80px;height:10px" alt="">]</p>',
      { kind: 'picture', path: 'b.png', size: { width: 200, height: 100 } },
      '<p><img src="{{picture b.png}}" width="80" height="40" style="width:80px;height:40px" alt=""></p>',
    ],
    [
      'shows a picture without a known size',
      '<p>[<img src="a.png" width="80" height="10">]</p>',
      { kind: 'picture', path: 'b.png', size: null },
      '<p><img src="{{picture b.png}}" width="80" height="10"></p>',
    ],
    [
      'shows a picture without a width',
      '<p>[<img src="a.png">]</p>',
      { kind: 'picture', path: 'b.png', size: { width: 2, height: 1 } },
      '<p><img src="{{picture b.png}}"></p>',
    ],
    [
      'shows a flat picture',
      '<p>[<img src="a.png" width=8px>]</p>',
      { kind: 'picture', path: 'b.png', size: { width: 900, height: 1 } },
      '<p><img height="1" src="{{picture b.png}}" width="8"></p>',
    ],
    [
      'shows another picture that is linked, too',
      '<p>[<img src="{{ picture a.png  linked }}">]</p>',
      { kind: 'picture', path: 'b.png', size: null },
      '<p><img src="{{picture b.png linked}}"></p>',
    ],
    [
      'links a picture in place of attaching it',
      '<p>[<img alt="" src="{{picture a.png}}" width="8">]</p>',
      { kind: 'linkedPicture', isLinked: true },
      '<p><img alt="" src="{{picture a.png linked}}" width="8"></p>',
    ],
    [
      'attaches a picture in place of linking it',
      '<p>[<img src="{{picture a.png linked}}">]</p>',
      { kind: 'linkedPicture', isLinked: false },
      '<p><img src="{{picture a.png}}"></p>',
    ],
    [
      'links no picture of another place',
      '[<img src="https://a.example/{{picture a.png}}">]',
      { kind: 'linkedPicture', isLinked: true },
      'refused',
    ],
    ['links no picture in words', '[a]', { kind: 'linkedPicture', isLinked: true }, 'refused'],
    ['shows no picture in words', '[a]', { kind: 'picture', path: 'b.png', size: null }, 'refused'],
    [
      'sizes a picture',
      '<p>[<img alt="" style="max-width:9px">]</p>',
      { kind: 'size', width: 20, height: 10 },
      '<p><img height="10" width="20" alt="" style="max-width:9px"></p>',
    ],
    [
      'sizes a picture whose height follows',
      '<p>[<img width="9" height="8" style="width:9px;height:auto">]</p>',
      { kind: 'size', width: 20, height: null },
      '<p><img width="20" height="8" style="width:20px;height:auto"></p>',
    ],
    ['sizes no words', '[a]', { kind: 'size', width: 20, height: null }, 'refused'],
    [
      'describes a picture',
      '<p>[<img alt="">]</p>',
      { kind: 'alternative', text: 'A "B"' },
      '<p><img alt="A &quot;B&quot;"></p>',
    ],
    [
      'describes a picture with the values that it has, and no others',
      '[<img src="#" alt="Photo of {{name}}">]',
      { kind: 'alternative', text: '{{name}} & {{phone}} {' },
      '<img src="#" alt="{{name}} &amp; &#123;&#123;phone&#125;&#125; &#123;">',
    ],
    [
      'describes with braces that the description has as characters',
      '[<img src="a" alt="&#123;&#123;phone&#125;&#125; {{name}}">]',
      { kind: 'alternative', text: 'b {{phone}} {{name}}' },
      '<img src="a" alt="b &#123;&#123;phone&#125;&#125; {{name}}">',
    ],
    ['describes no words', '[a]', { kind: 'alternative', text: 'b' }, 'refused'],
    [
      'gives room after a shorthand',
      '<table><tr><td style="padding-left:2px;padding:4px">[a]</td></tr></table>',
      room,
      '<table><tr><td style="padding-left:2px;padding:4px;padding-left:8px">a</td></tr></table>',
    ],
    [
      'gives room to all cells of a row',
      '<table>[<tr><td>a</td>{{#if b}}<th>b</th>{{/if}}</tr>]<tr><td>c</td></tr></table>',
      room,
      '<table><tr><td style="padding-left:8px">a</td>{{#if b}}<th style="padding-left:8px">b</th>{{/if}}</tr><tr><td>c</td></tr></table>',
    ],
    [
      'gives room to the cell around a link',
      '<table><tr><td><a href="#">[a]</a></td></tr></table>',
      room,
      '<table><tr><td style="padding-left:8px"><a href="#">a</a></td></tr></table>',
    ],
    [
      'gives room to a table of rows',
      '[<table><tr><td>a</td></tr><tr><td>b</td></tr></table>]',
      room,
      '<table style="padding-left:8px"><tr><td>a</td></tr><tr><td>b</td></tr></table>',
    ],
    [
      'gives a background',
      '<table><tr><td bgcolor=red>[a]</td></tr></table>',
      { kind: 'background', colour: '#ffffff' },
      '<table><tr><td style="background-color:#ffffff" bgcolor="#ffffff">a</td></tr></table>',
    ],
    [
      'takes a background away',
      '<table><tr><td bgcolor="red">[a]</td></tr></table>',
      { kind: 'background', colour: null },
      '<table><tr><td style="background-color:transparent">a</td></tr></table>',
    ],
    ['gives no background without a block', '[a]', { kind: 'background', colour: null }, 'refused'],
    [
      'draws a border',
      '<div>[a]</div>',
      { kind: 'border', side: 'top', px: 2, colour: '#cccccc' },
      '<div style="border-top:2px solid #cccccc">a</div>',
    ],
    [
      'takes a border away',
      '<div style="border-top:2px solid red">[a]</div>',
      { kind: 'border', side: 'top', px: 0, colour: '#cccccc' },
      '<div style="border-top:none">a</div>',
    ],
    [
      'draws no border without a block',
      '[a]',
      { kind: 'border', side: 'top', px: 0, colour: '#cccccc' },
      'refused',
    ],
    [
      'removes a line with the break before it',
      'a<br>[<a href="#">b</a><i>x</i>]<br>c',
      { kind: 'remove' },
      'a<br>c',
    ],
    [
      'removes a line with its line break',
      '<p>[<a href="#">a</a>]<br>\n<b>b</b></p>',
      { kind: 'remove' },
      '<p>\n<b>b</b></p>',
    ],
    [
      'removes the last line with the break before it',
      '<p><b>a</b><br>\n[<a href="#">b</a>] </p>',
      { kind: 'remove' },
      '<p><b>a</b> </p>',
    ],
    ['removes the last line of all', '<b>a</b><br>[<a href="#">b</a>]\n', { kind: 'remove' }, '<b>a</b>\n'],
    [
      'removes what is in a line without the break',
      'a <b>b</b>[<a href="#">c</a>]<br>d',
      { kind: 'remove' },
      'a <b>b</b><br>d',
    ],
    [
      'removes a line with the break in its condition',
      'a{{b}}[{{#if b}}<br>{{b}}{{/if}}]<br>c',
      { kind: 'remove' },
      'a{{b}}<br>c',
    ],
    [
      'removes a row',
      '<table><tr><td>a</td></tr>[{{#if b}}<tr><td>b</td></tr>{{/if}}]</table>',
      { kind: 'remove' },
      '<table><tr><td>a</td></tr></table>',
    ],
    [
      'copies a line',
      'a<br>[<a href="#">b</a>]<br>c',
      { kind: 'copy' },
      'a<br><a href="#">b</a><br><a href="#">b</a><br>c',
    ],
    ['copies words that have a line', '<p>[a]</p>', { kind: 'copy' }, '<p>a<br>a</p>'],
    ['copies words in a line', '<p>[a] <b>b</b></p>', { kind: 'copy' }, '<p>aa <b>b</b></p>'],
    ['copies a line between blocks', '<hr>a <b>[b]</b><hr>', { kind: 'copy' }, '<hr>a <b>bb</b><hr>'],
    ['copies no slot', '[<div>{{block banner}}</div>]', { kind: 'copy' }, 'refused'],
    ['copies no part, which may have a slot', '[<div>{{> notice}}</div>]', { kind: 'copy' }, 'refused'],
    [
      'removes no place of a block',
      '{{#block b}}a[<p>{{block}}</p>]{{/block}}',
      { kind: 'remove' },
      'refused',
    ],
    [
      'removes a slot with its place',
      '<p>a</p>[{{#block b}}<p>{{block}}</p>{{/block}}]',
      { kind: 'remove' },
      '<p>a</p>',
    ],
    [
      'inserts no slot twice',
      '[<p>a</p>]{{block b}}',
      insert('after', { kind: 'slot', name: 'b' }),
      'refused',
    ],
    [
      'copies a cell',
      '<table><tr>[<td>a</td>]<td>b</td></tr></table>',
      { kind: 'copy' },
      '<table><tr><td>a</td><td>a</td><td>b</td></tr></table>',
    ],
    [
      'copies a line with the break in its condition',
      'a[{{#if b}}<br>{{b}}{{/if}}]',
      { kind: 'copy' },
      'a{{#if b}}<br>{{b}}{{/if}}{{#if b}}<br>{{b}}{{/if}}',
    ],
    [
      'moves a row',
      '<table>[<tr><td>a</td></tr>]\n<tr><td>b</td></tr></table>',
      { kind: 'move', by: 1 },
      '<table><tr><td>b</td></tr>\n<tr><td>a</td></tr></table>',
    ],
    [
      'moves a cell over two',
      '<table><tr><td>a</td> <td>b</td>\t[<td>c</td>]</tr></table>',
      { kind: 'move', by: -2 },
      '<table><tr><td>c</td> <td>a</td>\t<td>b</td></tr></table>',
    ],
    [
      'moves a line, not its break',
      '<b>a</b> x<br>[<i>b</i> y]',
      { kind: 'move', by: -1 },
      '<i>b</i> y<br><b>a</b> x',
    ],
    [
      'moves no line past a break in a condition',
      '[<b>a</b>]{{#if b}}<br>b{{/if}}',
      { kind: 'move', by: 1 },
      'refused',
    ],
    [
      'moves nothing past a break at the end',
      '[{{#if a}}a<br>{{/if}}]<b>b</b>',
      { kind: 'move', by: 1 },
      'refused',
    ],
    [
      'moves nothing across a comment for Word',
      '[<p>a</p>]<!--[if mso]>x<![endif]--><p>b</p>',
      { kind: 'move', by: 1 },
      'refused',
    ],
    [
      'moves nothing into what Word leaves out',
      '[<p>a</p>]<![if !mso]><p>b</p><![endif]>',
      { kind: 'move', by: 1 },
      'refused',
    ],
    [
      'moves nothing over what stands across one',
      '<p>a</p><!--[if !mso]><!--><p>b</p><!--<![endif]-->[<p>c</p>]',
      { kind: 'move', by: -1 },
      'refused',
    ],
    [
      'moves nothing into another branch',
      '{{#if a}}[<p>a</p>]{{else}}<p>b</p>{{/if}}',
      { kind: 'move', by: 1 },
      'refused',
    ],
    ['moves nothing past the end', '<p>a</p>[<p>b</p>]', { kind: 'move', by: 1 }, 'refused'],
    ['moves nothing past the beginning', '[<p>a</p>]<p>b</p>', { kind: 'move', by: -1 }, 'refused'],
    ['moves nothing by nothing', '[<p>a</p>]<p>b</p>', { kind: 'move', by: 0 }, 'refused'],
    [
      'makes a line conditional with its break',
      'a<br>[<a href="#">b</a>]<br>c',
      ifPhone,
      'a{{#if phone}}<br><a href="#">b</a>{{/if}}<br>c',
    ],
    [
      'makes a row conditional',
      '<table>[<tr><td>a</td></tr>]<tr><td>b</td></tr></table>',
      ifPhone,
      '<table>{{#if phone}}<tr><td>a</td></tr>{{/if}}<tr><td>b</td></tr></table>',
    ],
    [
      'changes a condition',
      '[{{#if a}}b{{/if}}]',
      { kind: 'condition', names: ['c', 'd'] },
      '{{#if c d}}b{{/if}}',
    ],
    [
      'changes a condition with two branches',
      '[{{#if a}}b{{else}}c{{/if}}]',
      ifPhone,
      '{{#if phone}}b{{else}}c{{/if}}',
    ],
    ['takes a condition away', '[{{#if a}}<br>b{{/if}}]', always, '<br>b'],
    ['takes no condition with two branches away', '[{{#if a}}b{{else}}c{{/if}}]', always, 'refused'],
    ['takes no condition away that is not there', '<p>[b]</p>', always, 'refused'],
    [
      'shows another value, also in the link and the condition',
      '[{{#if phone}}<a href="tel:{{tel phone}}">{{ phone }} {{first phone fax}} {{phone phone}}</a>{{/if}}]{{phone}}',
      { kind: 'value', from: 'phone', to: 'manager.fax' },
      '{{#if manager.fax}}<a href="tel:{{tel manager.fax}}">{{ manager.fax }} {{first manager.fax fax}} {{phone manager.fax}}</a>{{/if}}{{phone}}',
    ],
    [
      'shows another value than the words before it',
      '[{{first first b}}{{#if if}}x{{/if}}]',
      { kind: 'value', from: 'first', to: 'c' },
      'refused',
    ],
    [
      'shows another value only where it is named',
      '[<img src="{{picture phone}}" alt="{{phone}}">]',
      { kind: 'value', from: 'phone', to: 'c' },
      '<img src="{{picture phone}}" alt="{{c}}">',
    ],
    [
      'shows no other value than is there',
      '<p>[a {{b}}]</p>',
      { kind: 'value', from: 'c', to: 'd' },
      'refused',
    ],
    [
      'inserts a row after a row',
      '<table>[<tr><td style="color:red">a</td></tr>]<tr><td>b</td></tr></table>',
      insert('after', words),
      '<table><tr><td style="color:red">a</td></tr><tr><td style="color:red">New</td></tr><tr><td>b</td></tr></table>',
    ],
    [
      'inserts a row as wide as the cells',
      '<table>[<tr><td>a</td><td>b</td></tr>]<tr><td>c</td></tr></table>',
      insert('before', { kind: 'space', height: 8 }),
      '<table><tr><td colspan="2" height="8" style="font-size:1px;mso-line-height-rule:exactly;line-height:8px;">&nbsp;</td></tr><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>',
    ],
    [
      'inserts a row behind a conditional row',
      '<table><tr><td>a</td></tr>[{{#if b}}<tr><td>b</td></tr>{{/if}}]</table>',
      insert('after', phone),
      '<table><tr><td>a</td></tr>{{#if b}}<tr><td>b</td></tr>{{/if}}{{#if phone}}<tr><td>{{phone}}</td></tr>{{/if}}</table>',
    ],
    [
      'inserts a row among conditional rows',
      '<table>{{#if b}}[<tr><td>a</td></tr>]<tr><td>b</td></tr>{{/if}}</table>',
      insert('before', words),
      '<table>{{#if b}}<tr><td>New</td></tr><tr><td>a</td></tr><tr><td>b</td></tr>{{/if}}</table>',
    ],
    [
      'inserts a row below the row of a value, and not under its condition',
      '<table><tr><td>a</td></tr>{{#if phone}}<tr><td>T</td><td><a href="#">[{{phone}}]</a></td></tr>{{/if}}</table>',
      insert('after', words),
      '<table><tr><td>a</td></tr>{{#if phone}}<tr><td>T</td><td><a href="#">{{phone}}</a></td></tr>{{/if}}<tr><td colspan="2">New</td></tr></table>',
    ],
    [
      'inserts a row below words that share their line',
      '<table><tr><td>[T] <a href="#">1</a></td></tr><tr><td>b</td></tr></table>',
      insert('after', words),
      '<table><tr><td>T <a href="#">1</a></td></tr><tr><td>New</td></tr><tr><td>b</td></tr></table>',
    ],
    [
      'inserts a row in a part of rows',
      '{{#if b}}<tr><td>a</td></tr>{{/if}}[<tr><td>b</td></tr>]',
      insert('after', words),
      '{{#if b}}<tr><td>a</td></tr>{{/if}}<tr><td>b</td></tr><tr><td>New</td></tr>',
    ],
    [
      'inserts a cell',
      '<table><tr>[<td>a</td>]<td>b</td></tr></table>',
      insert('after', words),
      '<table><tr><td>a</td><td>New</td><td>b</td></tr></table>',
    ],
    [
      'inserts a cell beside conditional cells',
      '<table><tr>[{{#if a}}<td>a</td><td>b</td>{{/if}}]<td>c</td></tr></table>',
      insert('after', words),
      '<table><tr>{{#if a}}<td>a</td><td>b</td>{{/if}}<td>New</td><td>c</td></tr></table>',
    ],
    ['inserts a line after a line', '<p>[a]</p>', insert('after', words), '<p>a<br>New</p>'],
    [
      'inserts a line before a line',
      '<p>[a]</p>',
      insert('before', phone),
      '<p>{{#if phone}}{{phone}}<br>{{/if}}a</p>',
    ],
    [
      'inserts a line beside one with a break in it',
      '<p>a[{{#if b}}<br>b{{/if}}]</p>',
      insert('before', words),
      '<p>a<br>New{{#if b}}<br>b{{/if}}</p>',
    ],
    [
      'inserts a line behind one that ends with a break',
      '<p>[{{#if b}}b<br>{{/if}}]a</p>',
      insert('after', words),
      '<p>{{#if b}}b<br>{{/if}}New<br>a</p>',
    ],
    [
      'inserts a line beside the line of a link',
      '<p>a: <a href="#">[b]</a><br>c</p>',
      insert('after', words),
      '<p>a: <a href="#">b</a><br>New<br>c</p>',
    ],
    [
      'inserts a paragraph beside a paragraph',
      '[<p style="margin:0">a</p>]',
      insert('after', words),
      '<p style="margin:0">a</p><p style="margin:0">New</p>',
    ],
    [
      'inserts a block beside a block',
      '[<div>a</div>]',
      insert('before', phone),
      '{{#if phone}}<div>{{phone}}</div>{{/if}}<div>a</div>',
    ],
    [
      'inserts a table beside the paragraph around words',
      '<p>a <a href="#">[b]</a></p>',
      insert('after', { kind: 'columns', texts: ['<', 'b'] }),
      `<p>a <a href="#">b</a></p>${TABLE}<tr><td valign="top">&lt;</td><td width="16">&nbsp;</td><td valign="top">b</td></tr></table>`,
    ],
    [
      'inserts a point of a list',
      '<ul>[<li>a</li>]<li>b</li></ul>',
      insert('after', words),
      '<ul><li>a</li><li>New</li><li>b</li></ul>',
    ],
    [
      'inserts a term’s description',
      '<dl>[<dt>a</dt>]<dd>b</dd></dl>',
      insert('after', words),
      '<dl><dt>a</dt><dd>New</dd><dd>b</dd></dl>',
    ],
    ['inserts words at the root', '[a]', insert('after', words), `a${TABLE}<tr><td>New</td></tr></table>`],
    [
      'inserts a divider',
      '[a]',
      insert('after', { kind: 'divider', colour: '#cccccc' }),
      `a${TABLE}<tr><td style="font-size:1px;mso-line-height-rule:exactly;line-height:1px;border-top:1px solid #cccccc;">&nbsp;</td></tr></table>`,
    ],
    [
      'inserts a slot',
      '[<p>a</p>]',
      insert('after', { kind: 'slot', name: 'banner' }),
      '<p>a</p>{{block banner}}',
    ],
    [
      'inserts no slot in a slot',
      '{{#block b}}[<p>a</p>]{{block}}{{/block}}',
      insert('after', { kind: 'slot', name: 'banner' }),
      'refused',
    ],
    [
      'inserts a picture',
      '<div>[a]</div>',
      insert('after', { kind: 'picture', path: 'a.png', alternative: '"', width: 9, height: 8 }),
      '<div>a<br><img src="{{picture a.png}}" alt="&quot;" width="9" height="8" border="0"></div>',
    ],
    [
      'inserts a code of the card',
      '<div>[a]</div>',
      insert('before', { kind: 'code', address: null, alternative: 'Card' }),
      '<div><img src="{{qr vcard}}" alt="Card" width="96" height="96" border="0"><br>a</div>',
    ],
    [
      'inserts a button',
      '[<hr>]',
      insert('before', { kind: 'button', text: 'Go', address: 'https://n.example/?a&b', colour: '#1f3a5f' }),
      `${TABLE}<tr><td bgcolor="#1f3a5f" style="background-color:#1f3a5f;padding:9px 18px;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px;"><a href="https://n.example/?a&amp;b" style="color:#ffffff;text-decoration:none;">Go</a></td></tr></table><hr>`,
    ],
    [
      'inserts a social row with the line ends of the text',
      '\r\n[<hr>]',
      insert('before', {
        kind: 'social',
        links: [{ name: 'X', address: 'https://x.example', picture: null }],
      }),
      `\r\n${TABLE}<tr>\r\n  <td><a href="https://x.example">X</a></td>\r\n</tr></table><hr>`,
    ],
    [
      'inserts into an empty template',
      '[] ',
      insert('after', words),
      ` ${TABLE}<tr><td>New</td></tr></table>`,
    ],
    ['inserts nothing beside what is not there', '<p>a[</p>]', insert('after', words), 'refused'],
    ['acts on nothing that is not there', '<p>a[</p>]', { kind: 'remove' }, 'refused'],
  ])('%s', (_, marked, act, expected) => {
    expect(after(marked, act)).toBe(expected)
  })

  test('selects what it changed', () => {
    const selected = (marked: string, act: DesignAct) => {
      const [text, range] = read(marked)
      const result = performDesignAct(text, range, act)
      return result && applyEdits(text, result.edits).slice(result.selected.from, result.selected.to)
    }
    expect(selected('<p>[a]</p>', insert('after', words))).toBe('New')
    expect(selected('<p>[a]</p>', insert('after', phone))).toBe('{{#if phone}}<br>{{phone}}{{/if}}')
    expect(selected('<p>[a]</p>', navy)).toBe('a')
    expect(selected('<p>[a]</p>', link)).toBe('a')
    expect(selected('<p>[a]</p>', { kind: 'copy' })).toBe('a')
    expect(selected('<p>a</p>[<p>b</p>]<p>c</p>', { kind: 'move', by: -1 })).toBe('<p>b</p>')
    expect(selected('<p>a</p>[<p>b</p>]<p>cc</p>', { kind: 'move', by: 1 })).toBe('<p>b</p>')
    expect(selected('<p>a</p>[<p>b</p>]', { kind: 'copy' })).toBe('<p>b</p>')
    // The next one, the previous one, or the place within what is around.
    expect(selected('<p>a</p>[<p>b</p>] <p>c</p>', { kind: 'remove' })).toBe('<p>c</p>')
    expect(selected('<p>a</p> [<p>b</p>]', { kind: 'remove' })).toBe('<p>a</p>')
    expect(selected('a<br>[<a href="#">b</a>]<br>c', { kind: 'remove' })).toBe('c')
    expect(selected('[<p>b</p>]', { kind: 'remove' })).toBe('')
    expect(selected('<p>a</p>[<p>b</p>]', ifPhone)).toBe('{{#if phone}}<p>b</p>{{/if}}')
  })

  test('knows the variables of an item, and the pixels of a picture', () => {
    const text = '{{#if a}}{{b}}{{tel c}}{{first d a}}{{picture e}}{{> f}}{{/if}}{{g}}'
    expect(variablesOfItem(text, { from: 0, to: text.length - 5 })).toEqual(['a', 'b', 'c', 'd'])
    const pixels = (tag: string) => {
      const [item] = outlineOf(tag)
      const element = item && elementOf(item)
      return element && pixelsIn(element, 'width')
    }
    expect(['<img width=" 12PX ">', '<img width="50%">', '<img height="1">'].map(pixels)).toEqual([
      12,
      null,
      null,
    ])
  })
})

test('a step ends behind the next sibling that is drawn, or is none', () => {
  const stepFrom = (marked: string, direction: -1 | 1): number => {
    const [text, range] = read(marked)
    const found = findItem(outlineOf(text), range)
    if (!found) throw new Error('There is no such item')
    return stepOver(text, found, direction, ({ from, to }) => !text.slice(from, to).includes('unseen'))
  }
  expect(stepFrom('[<p>a</p>]<p>unseen</p><p>unseen</p><p>b</p>', 1)).toBe(3)
  expect(stepFrom('<p>b</p><p>unseen</p>[<p>a</p>]<p>c</p>', -1)).toBe(-2)
  expect(stepFrom('<p>b</p>[<p>a</p>]<p>c</p>', -1)).toBe(-1)
  expect(stepFrom('<p>b</p>[<p>a</p>]<p>unseen</p>', 1)).toBe(0)
  expect(stepFrom('[<p>a</p>]', -1)).toBe(0)
})
