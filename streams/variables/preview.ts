import type { AppState } from '../app/state.ts'
import { createSelector } from '../kernel/selector.ts'
import type { Drafts, Values } from './events.ts'
import { valueOf } from './rules.ts'
import { toLink } from './sanitizeText.ts'

// The service renders signatures, so the result of an edit is known only after it is saved. Until then the preview
// replaces the old value by the new one. That is an estimate: a value that the template changes (capitals, a part of
// it) is not found, and an equal text that is not a variable is replaced too.

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

const withoutBlanks = (text: string): string => text.replace(/\s/g, '')

const ENDS_IN_A_WORD = /[\p{L}\p{N}&#]$/u

/** Replaces every whole occurrence in one pass, the longest first, so that no replacement is replaced again. */
function replaceAllOf(text: string, replacements: ReadonlyMap<string, string>): string {
  if (replacements.size === 0) return text
  const longestFirst = [...replacements.keys()].sort((one, other) => other.length - one.length)
  const pattern = new RegExp(`(?:${longestFirst.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  let replaced = ''
  let end = 0
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [match] = found
    if (ENDS_IN_A_WORD.test(text.slice(Math.max(0, found.index - 2), found.index))) {
      // The next match may overlap this one.
      pattern.lastIndex = found.index + ((text.codePointAt(found.index) ?? 0) > 0xffff ? 2 : 1)
      continue
    }
    replaced += text.slice(end, found.index) + (replacements.get(match) ?? match)
    end = pattern.lastIndex
  }
  return replaced + text.slice(end)
}

const TEXT_OR_TAG = /<!--[\s\S]*?-->|<(style|script|title)\b[\s\S]*?<\/\1\s*>|<[^>]*>|[^<]+/gi

/**
 * The signature's html with the edits in it: for a preview only, never for a message. Values are replaced in text and
 * in `href` and `alt` attributes, escaped; a link that would become harmful stays unchanged.
 */
export function withEdits(html: string, saved: Values, edits: Drafts): string {
  const changed = Object.entries(edits).flatMap(([path, { value }]) => {
    const before = valueOf(saved, path)
    return before.trim() === '' || before === value ? [] : [[before, value] as const]
  })
  if (changed.length === 0) return html
  const inText = new Map(changed.map(([before, after]) => [escapeHtml(before), escapeHtml(after)]))
  const inLinks = new Map([
    ...changed.map(
      ([before, after]) => [escapeHtml(withoutBlanks(before)), escapeHtml(withoutBlanks(after))] as const,
    ),
    ...inText,
  ])

  const attribute = (_: string, name: string, value: string): string => {
    if (/^\s*alt/i.test(name)) return `${name}="${replaceAllOf(value, inText)}"`
    const link = replaceAllOf(value, inLinks)
    return `${name}="${toLink(link) === null ? value : link}"`
  }
  return html.replace(TEXT_OR_TAG, (part) => {
    if (!part.startsWith('<')) return replaceAllOf(part, inText)
    return /^<(?:!--|style|script|title)/i.test(part)
      ? part
      : part.replace(/(\s(?:href|alt))\s*=\s*"([^"]*)"/gi, attribute)
  })
}

/** `withEdits` with the user's values and edits. In this file, so that only the page of the details loads it. */
export const selectEditsPreview = createSelector(
  [({ variables }: AppState) => variables.values, ({ variables }: AppState) => variables.drafts],
  (saved, edits) =>
    (html: string): string =>
      withEdits(html, saved, edits),
)
