/**
 * Finds markup that mail clients do not support, using the data from Can I email. The data lists elements, attributes
 * and properties but few values, so the result is an approximation.
 */
import { createRequire } from 'node:module'
import type { DoIUseEmail } from '@jsx-email/doiuse-email'
import { readDeclarations, readStyleSheet } from '../../streams/html/declarations.ts'
import type { ExpandedTemplate } from './expanded.ts'
import { type Finding, warningFinding, andList, type Place, quoteUntrusted } from './finding.ts'
import { type HtmlToken, htmlTokens, wordMarkup } from './htmlTokens.ts'
import { READER_TITLES, READERS, type ReaderName } from './readerNames.ts'

/** A piece of markup to look up in the data from Can I email. */
type Piece =
  | Readonly<{ kind: 'element'; name: string }>
  | Readonly<{ kind: 'attribute'; name: string; element: string; value: string }>
  | Readonly<{ kind: 'declaration'; property: string; value: string }>
  | Readonly<{ kind: 'selector'; text: string }>
  | Readonly<{ kind: 'atRule'; name: string }>

/** Returns the features in a piece of markup that a mail client does not support. */
type Lookup = (piece: Piece) => readonly string[]

const lookups = new Map<string, Lookup>()

/** Returns the lookup for a mail client. The first call loads 1 MB of data. */
function lookupOf(client: string): Lookup {
  const known = lookups.get(client)
  if (known) return known
  const library = createRequire(import.meta.url)('@jsx-email/doiuse-email') as {
    DoIUseEmail: typeof DoIUseEmail
  }
  const checker = new library.DoIUseEmail({ emailClients: ['outlook.windows'] })
  // The library's constructor rejects some clients in its data, such as outlook.com, so the client is set here.
  checker.emailClients = [client as (typeof checker.emailClients)[number]]
  const answers = new Map<string, readonly string[]>()
  const lookup: Lookup = (piece) => {
    const key = JSON.stringify(piece)
    const answered = answers.get(key)
    if (answered) return answered
    checker.errors = []
    try {
      ask(checker, piece)
    } catch {
      // The library throws if its data lacks this client and feature.
    }
    const features = checker.errors.flatMap((error) => /^`(.+)` is not supported by /.exec(error)?.[1] ?? [])
    answers.set(key, features)
    return features
  }
  lookups.set(client, lookup)
  return lookup
}

type Node = Parameters<DoIUseEmail['checkHtmlNode']>[0]

function ask(checker: DoIUseEmail, piece: Piece): void {
  switch (piece.kind) {
    case 'element':
      return checker.checkHtmlNode({ tagName: piece.name } as unknown as Node)
    case 'attribute': {
      const node = { tagName: piece.element, attributes: [{ name: piece.name, value: piece.value }] }
      return checker.checkHtmlNode(node as unknown as Node)
    }
    case 'declaration':
      return checker.checkCSSDeclarations([{ property: piece.property, value: piece.value }])
    case 'selector':
      return checker.checkCSSSelectors([piece.text])
    case 'atRule':
      return checker.checkFeaturesSupport(`@${piece.name}`)
  }
}

/** A piece of markup with its range in the text. The range of an element is its start tag. */
type Placed = Readonly<{ piece: Piece; at: number; end: number }>

/** Attributes that are not looked up: `style` is checked by its declarations, and the others have no visible effect. */
const NOT_JUDGED: ReadonlySet<string> = new Set(['style', 'class', 'id', 'role', 'lang'])

function piecesOf(html: string, tokens: readonly HtmlToken[]): readonly Placed[] {
  const found: Placed[] = []
  for (const token of tokens)
    if (token.kind === 'open') {
      found.push({ piece: { kind: 'element', name: token.name }, at: token.at, end: token.end })
      for (const { name, value, at, end, from, to } of token.attributes) {
        if (!NOT_JUDGED.has(name))
          found.push({ piece: { kind: 'attribute', name, element: token.name, value }, at, end })
        if (name !== 'style') continue
        // Decoding shifts offsets, so a place is exact only in values that decoding leaves unchanged.
        const offset = value === html.slice(from, to) ? from : null
        for (const { property, value: of, at: start, end: stop } of readDeclarations(value))
          found.push({
            piece: { kind: 'declaration', property, value: of },
            at: offset === null ? at : offset + start,
            end: offset === null ? at : offset + stop,
          })
      }
    } else if (token.kind === 'text' && token.raw === 'style') {
      const { declarations, selectors, atRules } = readStyleSheet(html.slice(token.at, token.end))
      for (const { property, value, at, end } of declarations)
        found.push({
          piece: { kind: 'declaration', property, value },
          at: token.at + at,
          end: token.at + end,
        })
      for (const { text, at } of selectors)
        found.push({ piece: { kind: 'selector', text }, at: token.at + at, end: token.at + at })
      for (const { name, at, end } of atRules)
        found.push({ piece: { kind: 'atRule', name }, at: token.at + at, end: token.at + end })
    }
  return found
}

/** Returns one warning for each feature in a template that mail clients do not support, with the clients' names. */
export function checkReaders(
  { masked, placeOf }: Pick<ExpandedTemplate, 'masked' | 'placeOf'>,
  readers: readonly string[],
): readonly Finding[] {
  const features = new Map<string, { place: Place; readers: Set<string> }>()
  for (const { piece, at } of piecesOf(masked, htmlTokens(masked)))
    for (const reader of readers)
      for (const client of Object.hasOwn(READERS, reader) ? READERS[reader as ReaderName] : [])
        for (const feature of lookupOf(client)(piece)) {
          const known = features.get(feature) ?? { place: placeOf(at), readers: new Set() }
          known.readers.add(READER_TITLES[reader as ReaderName])
          features.set(feature, known)
        }
  return Array.from(features, ([feature, { place, readers: those }]) =>
    warningFinding(
      place,
      'notShown',
      `${quoteUntrusted(feature)} is not supported by ${andList([...those])}, says Can I email.`,
    ),
  )
}

const NOT_FOR_WORD = /^\[if\s+!mso\]><!(?:--)?$/i
const ENDS_SKIPPED = /<!\[endif\]$/i

/**
 * The html as classic Outlook reads it: with the content of conditional comments, and without markup that is only for
 * other clients.
 */
function asWordReads(html: string): string {
  let result = ''
  let end = 0
  let isSkipped = false
  for (const token of htmlTokens(html)) {
    if (token.kind !== 'comment') continue
    const word = wordMarkup(token)
    if (!isSkipped) result += html.slice(end, token.at) + (word?.html ?? '')
    if (word === null) isSkipped = isSkipped ? !ENDS_SKIPPED.test(token.text) : NOT_FOR_WORD.test(token.text)
    end = token.end
  }
  return isSkipped ? result : result + html.slice(end)
}

/**
 * Removes attributes, styles, at-rules and tags that a mail client does not support from rendered html. The content of
 * removed elements stays. For classic Outlook, conditional comments are resolved. The result is an approximation.
 */
export function withoutUnsupported(html: string, reader: ReaderName): string {
  const text = reader === 'outlook-windows' ? asWordReads(html) : html
  const [client] = READERS[reader]
  const lookup = lookupOf(client)
  const tokens = htmlTokens(text)
  const leftOut = new Set<string>()
  const ranges: (readonly [from: number, to: number])[] = []
  for (const { piece, at, end } of piecesOf(text, tokens)) {
    if (piece.kind === 'selector' || lookup(piece).length === 0) continue
    ranges.push([at, end])
    if (piece.kind === 'element') leftOut.add(piece.name)
  }
  for (const token of tokens)
    if (token.kind === 'close' && leftOut.has(token.name)) ranges.push([token.at, token.end])
  let result = ''
  let kept = 0
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (to <= kept) continue
    result += text.slice(kept, Math.max(kept, from))
    kept = to
  }
  return result + text.slice(kept)
}
