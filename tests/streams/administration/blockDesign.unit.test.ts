import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawBlock } from '../../../streams/administration/plan/blockPreview.ts'
import { slotSignatureCount } from '../../../streams/administration/plan/blocks.ts'
import {
  placedElements,
  placedWords,
  type RenderedPiece,
  withSourceMarks,
} from '../../../streams/administration/plan/wordPlaces.ts'
import { attributeOf, decodeReferences, tokensOf } from '../../../streams/html/tokens.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { designTemplate } from '../../support/administration/design.ts'
import { alex, releaseDocument } from '../../support/administration/plans.ts'
import { block } from '../../support/blocks.ts'
import { cases } from '../../support/cases.ts'

const A = 'templates/a.html'
const FAIR = 'templates/fair.html'
const PICTURES = 'https://signet.example/images'

/** A document whose signature has the block between these texts. Both can include the part `legal`. */
const documentOf = (before: string, text: string, after: string): ReleaseDocument => ({
  ...releaseDocument,
  blocks: [
    block({ id: 'other', slot: 'banner', template: FAIR }),
    block({ id: 'fair', name: 'Fair', slot: 'notice', template: FAIR }),
  ],
  templates: { ...releaseDocument.templates, [A]: `${before}{{block notice}}${after}`, [FAIR]: text },
})

const piecesOf = (html: string): readonly RenderedPiece[] =>
  [...tokensOf(html)].flatMap((token): RenderedPiece[] => {
    if (token.kind === 'text')
      return [{ kind: 'text', text: decodeReferences(html.slice(token.start, token.end)) }]
    return token.kind === 'open'
      ? [{ kind: 'element', name: token.name, classes: attributeOf(token, 'class') }]
      : []
  })

/** The drawing of the block, and the sources of its words and elements with the shown text of each word. */
function drawn(document: ReleaseDocument, use: 'signature' | 'meeting' = 'signature', at = 0) {
  const marked = withSourceMarks(document)
  const drawing = drawBlock(marked, 'fair', { person: alex, at, use, recipients: null }, PICTURES)
  const shown = piecesOf(drawing?.html ?? '')
  const withMarks = piecesOf(drawing?.marked ?? '')
  const placed = (number: number, text: string) => {
    const place = marked.places[number]
    return place ? [[place.path, place.from, text]] : []
  }
  return {
    drawing,
    words: placedWords(withMarks, shown).flatMap(({ piece, from, to, number }) => {
      const of = shown[piece]
      return placed(number, of?.kind === 'text' ? of.text.slice(from, to) : '')
    }),
    elements: [...placedElements(withMarks, shown)].flatMap(([piece, number]) => {
      const of = shown[piece]
      return placed(number, of?.kind === 'element' ? of.name : '')
    }),
  }
}

/** The same block where no signature shows its slot. */
const byItself = (document: ReleaseDocument): ReleaseDocument => ({
  ...document,
  templates: { ...document.templates, [A]: '' },
})

describe('the drawing of a block', () => {
  test('is the message that shows it', () => {
    const { drawing, words } = drawn(documentOf('<p>Hello</p>', '<b>Meet us</b>', '<p>Bye</p>'))
    expect(drawing).toMatchObject({
      standing: { code: 'stands' },
      signature: { id: 'a', name: 'Corporate', kind: 'signature' },
      html: '<p>Hello</p><b>Meet us</b><p>Bye</p>',
    })
    expect(words).toEqual([
      [FAIR, 3, 'Meet'],
      [FAIR, 8, 'us'],
    ])
  })

  test('is the block by itself while the message does not show it', () => {
    const { drawing, words, elements } = drawn(byItself(documentOf('', '<b>Meet us</b>', '')))
    expect(drawing).toMatchObject({ standing: { code: 'slot' }, signature: null, html: '<b>Meet us</b>' })
    expect(words).toHaveLength(2)
    expect(elements).toEqual([[FAIR, 0, 'b']])
    const closed = { from: '2026-10-01', to: '2026-10-02', timeZone: 'UTC' }
    const { blocks = [], ...rest } = documentOf('<p>Hello</p>', '<b>Meet us</b>', '')
    const later = { ...rest, blocks: blocks.map((each) => ({ ...each, during: closed })) }
    expect(drawn(later).drawing).toMatchObject({
      standing: { code: 'day' },
      signature: { id: 'a' },
      html: '<b>Meet us</b>',
    })
    expect(drawn(later, 'signature', Date.UTC(2026, 9, 1, 12)).drawing?.standing).toEqual({ code: 'stands' })
  })

  test('is none of a block that the document does not have', () => {
    expect(drawn(releaseDocument).drawing).toBeNull()
  })

  test('has the places of the block and of no words around it, even of the same part or in the same text', () => {
    fc.assert(
      fc.property(designTemplate, designTemplate, designTemplate, (before, text, after) => {
        const document = documentOf(before, text, after)
        const inMessage = drawn(document)
        const alone = drawn(byItself(document))
        expect(inMessage.drawing?.standing).toEqual({ code: 'stands' })
        expect([inMessage.words, inMessage.elements]).toEqual([alone.words, alone.elements])
      }),
      cases(60),
    )
  })

  test('ends the last word of the block where it ends', () => {
    const { words } = drawn(documentOf('Hello ', 'Meet > us', ' there, <b>and</b> bye'))
    expect(words.map(([, , text]) => text)).toEqual(['Meet', '>', 'us'])
  })
})

describe('the number of signatures with a slot', () => {
  test('counts a signature once, for any of its versions', () => {
    const document = documentOf('', '', '')
    // The template is the first signature's, and the other's version for replies.
    expect(slotSignatureCount(document, 'notice')).toBe(2)
    expect(slotSignatureCount(document, 'banner')).toBe(0)
    const { signatures, templates } = document
    const twice = {
      ...document,
      signatures: signatures.slice(0, 1).map((each) => ({ ...each, reply: 'templates/b.html' })),
      templates: { ...templates, 'templates/b.html': '{{block notice}}' },
    }
    expect(slotSignatureCount(twice, 'notice')).toBe(1)
  })
})
