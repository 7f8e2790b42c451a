/** Reads a sample as lines of units, for comparison with other samples. */
import type { FoundValue } from './finding.ts'
import type { PersonState } from '../facts/state.ts'
import { type Atom, isLineEdge, type ReadHtml } from './reading.ts'
import type { Token } from '../../html/tokens.ts'

export type PersonSample = Readonly<{
  read: ReadHtml
  person: PersonState | null
  found: readonly FoundValue[]
}>

export type Tag = Extract<Token, { kind: 'open' }>

/** A unit of a line: an atom, a found value or a tag. Atoms and tags are compared by `text`. */
export type LineUnit = Readonly<{
  kind: 'atom' | 'tag' | 'found'
  text: string
  start: number
  end: number
}> &
  Readonly<{ atom?: Atom; found?: FoundValue; tag?: Tag }>

/** A line of units, and the tag that ends it; null at the end of the html. */
export type Line = Readonly<{ units: readonly LineUnit[]; edge: LineUnit | null }>

/** Attributes whose values may differ between people. */
export const PERSONAL_ATTRIBUTES = new Set('href src alt title aria-label background width height'.split(' '))

function tagUnit(html: string, token: Exclude<Token, { kind: 'text' }>): LineUnit {
  const { start, end } = token
  if (token.kind !== 'open') {
    const text = token.kind === 'close' ? `/${token.name}` : html.slice(start, end)
    return { kind: 'tag', text, start, end }
  }
  const attributes = token.attributes.map(({ name, value }) =>
    PERSONAL_ATTRIBUTES.has(name) ? name : `${name}=${value}`,
  )
  return { kind: 'tag', text: [token.name, ...attributes].join('\n'), start, end, tag: token }
}

export function linesOf({ read: { html, tokens, atoms }, found }: PersonSample): readonly Line[] {
  const lines: Line[] = []
  const inText = found.filter(({ attribute }) => attribute === null)
  let units: LineUnit[] = []
  let nextAtom = 0
  let nextFound = 0
  /** The end of the last unit. A tag inside a text belongs to the text. */
  let covered = 0
  const addTexts = (until: number) => {
    for (let atom = atoms[nextAtom]; atom && atom.start < until; atom = atoms[nextAtom]) {
      const placeholder = inText[nextFound]
      if (placeholder?.from === nextAtom) {
        const { start, end, replaced } = placeholder
        units.push({ kind: 'found', text: replaced, start, end, found: placeholder })
        nextAtom = placeholder.to
        nextFound++
        covered = end
      } else {
        nextAtom++
        if (atom.kind === 'picture') continue
        const { start, end } = atom
        units.push({ kind: 'atom', text: atom.text, start, end, atom })
        covered = end
      }
    }
  }
  for (const token of tokens) {
    if (token.kind === 'text') addTexts(token.end)
    else if (token.kind !== 'comment' && token.end > covered) {
      const unit = tagUnit(html, token)
      if (isLineEdge(token)) {
        lines.push({ units, edge: unit })
        units = []
      } else units.push(unit)
    }
  }
  return [...lines, { units, edge: null }]
}
