import type { AppState } from '../state.ts'
import { escapeText, tokensOf } from '../../html/tokens.ts'
import { createSelector } from '../../kernel/selector.ts'
import type { VariableDrafts } from './events.ts'
import type { VariableValues } from '../../wire/user.ts'
import { variableValueOf } from './rules.ts'
import { linkAddressOf, toShownText } from './sanitizeText.ts'

// The service renders signatures, so the result of an edit is known only after it is saved. Until then the preview
// replaces the old value in the html with the new one. This is an estimate: it misses a value that the template changes
// (capitals, a part of the value), and it also replaces equal text that is not a variable.

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const withoutBlanks = (text: string): string => text.replace(/\s/g, '')

const ENDS_IN_A_WORD = /[\p{L}\p{N}&#]$/u

/**
 * The longest value that the preview looks for. Comparing longer values with every place in the html would take too
 * long.
 */
const MAX_VALUE_CHARACTERS = 1_000

/** Replaces whole words in one pass, so that no replacement is replaced again. Of several matches, the longest wins. */
function createReplacer(replacements: ReadonlyMap<string, string>): (text: string) => string {
  const longestFirst = [...replacements.keys()].sort((one, other) => other.length - one.length)
  const pattern = new RegExp(`(?:${longestFirst.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  return (text) => {
    let replaced = ''
    let end = 0
    pattern.lastIndex = 0
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      const [match] = found
      if (ENDS_IN_A_WORD.test(text.slice(Math.max(0, found.index - 2), found.index))) {
        // This match begins inside a word. The next match may overlap it, so the search continues after its first
        // character.
        pattern.lastIndex = found.index + ((text.codePointAt(found.index) ?? 0) > 0xffff ? 2 : 1)
        continue
      }
      replaced += text.slice(end, found.index) + (replacements.get(match) ?? match)
      end = pattern.lastIndex
    }
    return replaced + text.slice(end)
  }
}

/**
 * The signature's html with the edits: only for a preview, never for a message. Escaped values are replaced in text and
 * in `href` and `alt` attributes. A link that would become harmful stays unchanged.
 */
export function htmlWithEdits(html: string, saved: VariableValues, edits: VariableDrafts): string {
  const changed = Object.entries(edits).flatMap(([path, { value }]) => {
    const before = variableValueOf(saved, path)
    const isFound = before.trim() !== '' && before !== value && before.length <= MAX_VALUE_CHARACTERS
    return isFound ? [[before, value] as const] : []
  })
  if (changed.length === 0) return html
  const inText = new Map(
    changed.map(([before, after]) => [escapeText(before), escapeText(toShownText(after))]),
  )
  const inLinks = new Map([
    ...changed.map(
      ([before, after]) => [escapeText(withoutBlanks(before)), escapeText(withoutBlanks(after))] as const,
    ),
    ...changed.map(([before, after]) => [escapeText(before), escapeText(after)] as const),
  ])

  const inTextOf = createReplacer(inText)
  const inLinksOf = createReplacer(inLinks)
  const withLink = (value: string): string => {
    const link = inLinksOf(value)
    return linkAddressOf(link) === null ? value : link
  }
  const parts: string[] = []
  let end = 0
  const replace = (start: number, length: number, change: (text: string) => string) => {
    parts.push(html.slice(end, start), change(html.slice(start, start + length)))
    end = start + length
  }
  for (const token of tokensOf(html)) {
    if (token.kind === 'text') replace(token.start, token.end - token.start, inTextOf)
    if (token.kind !== 'open') continue
    for (const { name, value, valueStart } of token.attributes)
      if (html[valueStart - 1] === '"' && (name === 'alt' || name === 'href'))
        replace(valueStart, value.length, name === 'alt' ? inTextOf : withLink)
  }
  return parts.join('') + html.slice(end)
}

/** `htmlWithEdits` with the user's values and edits. It is in this file so that only the details page loads it. */
export const selectEditsPreview = createSelector(
  [({ variables }: AppState) => variables.values, ({ variables }: AppState) => variables.drafts],
  (saved, edits) =>
    (html: string): string =>
      htmlWithEdits(html, saved, edits),
)
