/** How much of what a person sees of a signature can be selected and changed in Design. */
import { allItems, type DesignItem, outlineOf } from '../../streams/administration/design/outline.ts'
import { piecesIn } from '../../streams/administration/design/typing.ts'
import { draftPreviewOf } from '../../streams/administration/plan/preview.ts'
import {
  placedWords,
  type RenderedPiece,
  type SourcePlace,
  withSourceMarks,
} from '../../streams/administration/plan/wordPlaces.ts'
import { sanitizeMarkup } from '../../streams/html/sanitizeMarkup.ts'
import { attributeOf, decodeReferences, tokensOf } from '../../streams/html/tokens.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { releaseDocument } from './administration/plans.ts'

const PATH = 'templates/a.html'
const DAY = Date.UTC(2026, 9, 15)
const PICTURES = 'https://signet.example/images'

/** The goal for the share of all words and pictures, from 0 to 1. */
export const LEAST_SHARE = 0.95

type Count = Readonly<{ seen: number; changeable: number }>
/** The words and pictures of a drawn signature, and how many of them can be changed. */
export type DesignShare = Readonly<{ words: Count; pictures: Count }>

const sum = (counts: readonly Count[]): Count => ({
  seen: counts.reduce((all, { seen }) => all + seen, 0),
  changeable: counts.reduce((all, { changeable }) => all + changeable, 0),
})

export const sumOfShares = (shares: readonly DesignShare[]): DesignShare => ({
  words: sum(shares.map(({ words }) => words)),
  pictures: sum(shares.map(({ pictures }) => pictures)),
})

/** The share of the words and pictures that can be changed, from 0 to 1. */
export function shareIn({ words, pictures }: DesignShare): number {
  const { seen, changeable } = sum([words, pictures])
  return seen === 0 ? 1 : changeable / seen
}

/** What the preview shows of a signature. */
const drawnPieces = (html: string): readonly RenderedPiece[] => {
  const clean = sanitizeMarkup(sanitizeMarkup(html, 'insert'), 'preview')
  return [...tokensOf(clean)].flatMap((token): readonly RenderedPiece[] => {
    const { kind, start, end } = token
    if (kind === 'text') return [{ kind, text: decodeReferences(clean.slice(start, end)) }]
    return kind === 'open'
      ? [{ kind: 'element', name: token.name, classes: attributeOf(token, 'class') }]
      : []
  })
}

/** Tells whether the word or picture at a place belongs to an item that can be changed. */
function createChangeable({ templates }: ReleaseDocument) {
  const byPath = new Map(
    Object.entries(templates).map(([path, text]) => {
      const items = allItems(outlineOf(text))
      const canType = ({ kind, content }: DesignItem) =>
        kind === 'words' && piecesIn(text, content, decodeReferences) !== null
      return [
        path,
        { text: items.filter(canType), element: items.filter(({ kind }) => kind === 'picture') },
      ] as const
    }),
  )
  return ({ path, from, to }: SourcePlace, kind: RenderedPiece['kind']): boolean =>
    byPath.get(path)?.[kind].some((item) => item.from <= from && to <= item.to) ?? false
}

/**
 * Counts the words and pictures that a person sees of a template. Spaces separate words. A word can be changed if all its
 * characters can.
 */
export function designShareOf(document: ReleaseDocument, path: string, person: PersonState): DesignShare {
  const marked = withSourceMarks(document)
  const draw = (each: ReleaseDocument) =>
    drawnPieces(
      draftPreviewOf(each, { path, person, at: DAY, use: 'signature', recipients: null }, PICTURES).html ??
        '',
    )
  const shown = draw(document)
  const isChangeable = createChangeable(document)
  const changeable = placedWords(draw(marked.document), shown).filter(({ piece, number }) => {
    const [seen, place] = [shown[piece], marked.places[number]]
    return seen !== undefined && place !== undefined && isChangeable(place, seen.kind)
  })
  let words: Count = { seen: 0, changeable: 0 }
  let pictures = words
  for (const [index, piece] of shown.entries()) {
    const inPiece = changeable.filter((word) => word.piece === index)
    if (piece.kind === 'element') {
      if (piece.name === 'img') pictures = sum([pictures, { seen: 1, changeable: inPiece.length }])
      continue
    }
    let rest = piece.text
    for (const { from, to } of inPiece) rest = rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to)
    for (const { 0: word, index: at } of piece.text.matchAll(/\S+/g)) {
      const isWhole = rest.slice(at, at + word.length).trim() === ''
      words = sum([words, { seen: 1, changeable: isWhole ? 1 : 0 }])
    }
  }
  return { words, pictures }
}

/** The share of a signature that is used as a template as it is. */
export const designShareOfTemplate = (html: string, person: PersonState): DesignShare =>
  designShareOf(
    {
      ...releaseDocument,
      signatures: releaseDocument.signatures.filter(({ id }) => id === 'a'),
      blocks: [],
      templates: { ...releaseDocument.templates, [PATH]: html },
    },
    PATH,
    person,
  )
