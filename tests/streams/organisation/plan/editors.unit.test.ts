import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editedItems, lockedItems } from '../../../../streams/organisation/plan/editors.ts'
import type { ReleaseDocument, Signature } from '../../../../streams/organisation/release/release.ts'
import { block } from '../../../support/blocks.ts'
import { cases } from '../../../support/cases.ts'
import { person } from '../../../growth/largeDocument.ts'

const signature = (id: string, more: Partial<Signature> = {}): Signature => ({
  id,
  name: `Named ${id}`,
  template: `templates/${id}.html`,
  reply: null,
  mobile: null,
  selection: { for: 'everyone', not: [] },
  during: null,
  recipients: 'everyone',
  collection: null,
  ...more,
})

/** `one` and `two` share a template for replies, and each shows a picture of its own and one of both. */
const published: ReleaseDocument = {
  version: 1,
  organisation: 'Northwind',
  internal: [],
  plan: { from: null, value: 'full' },
  variables: [],
  chooseDefault: { for: 'everyone', not: [] },
  mailboxes: [],
  signatures: [
    signature('one', { reply: 'templates/reply.html', editors: ['Ones'] }),
    signature('two', { reply: 'templates/reply.html', editors: ['Twos'] }),
    signature('three'),
  ],
  blocks: [block({ id: 'fair', name: 'Fair', template: 'templates/fair.html', editors: ['Fairs'] })],
  templates: {
    'templates/one.html': '{{picture one.png}}{{picture both.png}}{{> foot}}',
    'templates/two.html': '{{picture two.png}}{{picture both.png}}',
    'templates/three.html': '<p>three</p>',
    'templates/reply.html': '<p>reply</p>',
    'templates/fair.html': '<p>fair</p>',
    'templates/foot.part.html': '{{picture foot.png}}',
  },
  pictures: {
    'one.png': 'a',
    'two.png': 'a',
    'both.png': 'a',
    'foot.png': 'a',
    'logo.png': 'a',
    'none.png': 'a',
  },
  brand: { colours: {}, fonts: [], logos: ['logo.png'] },
  editors: ['Top'],
}

type Change = (document: ReleaseDocument) => ReleaseDocument
const template =
  (path: string, text: string | null): Change =>
  ({ templates: { [path]: _, ...others }, ...document }) => ({
    ...document,
    templates: text === null ? others : { ...others, [path]: text },
  })
const picture =
  (path: string, hash: string): Change =>
  (document) => ({ ...document, pictures: { ...document.pictures, [path]: hash } })
const item =
  (id: string, more: Partial<Signature>): Change =>
  (document) => ({
    ...document,
    signatures: document.signatures.map((each) => (each.id === id ? { ...each, ...more } : each)),
  })
const inBlock =
  (share: number): Change =>
  (document) => ({ ...document, blocks: (document.blocks ?? []).map((each) => ({ ...each, share })) })

/** Each change with the items that it belongs to. */
const CHANGES: readonly (readonly [what: string, change: Change, items: readonly string[]])[] = [
  ['a name', item('one', { name: 'Other' }), ['one']],
  ['a rule of one', item('two', { recipients: 'internal' }), ['two']],
  ['a template', template('templates/one.html', '<p>other</p>'), ['one']],
  ['a template of two', template('templates/reply.html', '<p>other</p>'), ['one', 'two']],
  ['a template that is gone', template('templates/two.html', null), ['two']],
  ['a part', template('templates/foot.part.html', '<p>x</p>'), ['']],
  ['a template of nobody', template('templates/new.html', '<p>x</p>'), ['']],
  ['a picture', picture('one.png', 'b'), ['one']],
  ['a picture of two', picture('both.png', 'b'), ['one', 'two']],
  ['a picture of a part', picture('foot.png', 'b'), ['']],
  ['a logo', picture('logo.png', 'b'), ['']],
  ['a picture of nobody', picture('none.png', 'b'), ['']],
  ['a block', inBlock(50), ['fair']],
  ['the template of a block', template('templates/fair.html', '<p>x</p>'), ['fair']],
  ['a signature without editors', item('three', { name: 'Other' }), ['three']],
  ['the editors of one', item('one', { editors: ['Others'] }), ['']],
  ['a new signature', (at) => ({ ...at, signatures: [...at.signatures, signature('new')] }), ['']],
  [
    'a signature that is gone',
    (at) => ({ ...at, signatures: at.signatures.filter(({ id }) => id !== 'two') }),
    ['two'],
  ],
  ['the order', (at) => ({ ...at, signatures: [...at.signatures].reverse() }), ['']],
  ['a domain', (at) => ({ ...at, internal: ['northwind.example'] }), ['']],
  ['the approval', (at) => ({ ...at, approval: { by: ['Ones'] } }), ['']],
  ['the editors', ({ editors: _, ...at }) => at, ['']],
]

const changed = (draft: ReleaseDocument) => editedItems(published, draft).map(({ id }) => id)

describe('the parts that a draft changes', () => {
  it.each(CHANGES)('are, with %s, those that it belongs to', (_, change, items) => {
    expect(changed(change(published))).toEqual(items)
  })

  it('include a new template and its new picture of a signature', () => {
    const draft = [
      item('one', { mobile: 'templates/mobile.html' }),
      template('templates/mobile.html', '{{picture new.png}}'),
      picture('new.png', 'n'),
    ].reduce((document, change) => change(document), published)
    expect(changed(draft)).toEqual(['one'])
  })

  it('are named with their own editors, or those of the whole', () => {
    const draft = [inBlock(50), item('three', { name: 'x' }), picture('none.png', 'b')].reduce(
      (document, change) => change(document),
      published,
    )
    expect(editedItems(published, draft)).toEqual([
      { kind: 'signature', id: 'three', name: 'Named three', editors: ['Top'] },
      { kind: 'block', id: 'fair', name: 'Fair', editors: ['Fairs'] },
      { kind: 'rest', id: '', name: '', editors: ['Top'] },
    ])
    const { editors: _, ...open } = published
    expect(editedItems(open, inBlock(50)(open)).map(({ id }) => id)).toEqual(['fair'])
    expect(editedItems(open, item('three', { name: 'x' })(open))).toEqual([])
    expect(editedItems(null, published)).toEqual([])
  })

  it('[PERSON-11] let the editor of one signature publish exactly what differs in its own things', () => {
    fc.assert(
      fc.property(
        fc.subarray([...CHANGES]),
        fc.constantFrom('Ones', 'Twos', 'Fairs', 'Top'),
        (changes, group) => {
          const draft = changes.reduce((document, [, change]) => change(document), published)
          const mine = { Ones: ['one'], Twos: ['two'], Fairs: ['fair'], Top: ['three', ''] }[group]
          const isMine = changes.every(([, , items]) => items.every((id) => mine.includes(id)))
          const locked = lockedItems(editedItems(published, draft), { ...person, groups: [group] })
          expect(locked.length === 0).toBe(isMine)
        },
      ),
      cases(200),
    )
  })

  it('are locked for somebody without a person, and for a person who left', () => {
    const edited = editedItems(published, inBlock(50)(published))
    expect(lockedItems(edited, null)).toEqual(edited)
    expect(lockedItems(edited, { ...person, groups: ['Fairs'], active: false })).toEqual(edited)
    expect(lockedItems(edited, { ...person, groups: ['Fairs'] })).toEqual([])
  })
})
