/**
 * What an act and the beginning of typing change in the draft's texts. The page computes it when it records the gesture, so
 * that the reducer, which is loaded first, does not need the rules of the acts.
 */
import { partName, type ReleaseDocument } from '../../organisation/release/release.ts'
import type { SourceRange } from '../../organisation/template/tree.ts'
import { applyEdits, editsBetween, type TemplateEdit } from '../plan/draft.ts'
import type { SourcePlace } from '../plan/wordPlaces.ts'
import { type DesignAct, performDesignAct } from './acts.ts'
import { partPlaces } from './surface.ts'

/** Edits to the template or part at `path`. `selected` is the range that is selected afterwards. */
export type DesignChange = Readonly<{ path: string; edits: readonly TemplateEdit[]; selected: SourceRange }>

const textOf = ({ templates }: ReleaseDocument, path: string): string | null =>
  Object.hasOwn(templates, path) ? (templates[path] ?? null) : null

/**
 * The template that an act changes, its text before and with the part written into it, and the item's place in that.
 * Without `within`, the two texts are equal. Null if a text is missing, or the template does not include the part.
 */
function target(
  document: ReleaseDocument,
  { path, from, to }: SourcePlace,
  within: string | null,
): Readonly<{ path: string; before: string; text: string; range: SourceRange }> | null {
  const text = textOf(document, path)
  if (text === null) return null
  if (within === null || within === path) return { path, before: text, text, range: { from, to } }
  const before = textOf(document, within)
  const [include] = before === null ? [] : partPlaces(before, partName(path) ?? '')
  if (before === null || !include) return null
  return {
    path: within,
    before,
    text: before.slice(0, include.from) + text + before.slice(include.to),
    range: { from: from + include.from, to: to + include.from },
  }
}

/**
 * What an act on the item at a place changes; null if the act does not fit the item.
 *
 * @param within the template that gets its own copy of the part first, so that other signatures stay as they are; null to
 *   change the template or part itself
 */
export function changeByAct(
  document: ReleaseDocument,
  { place, act, within }: Readonly<{ place: SourcePlace; act: DesignAct; within: string | null }>,
): DesignChange | null {
  const meant = target(document, place, within)
  const result = meant && performDesignAct(meant.text, meant.range, act)
  if (!meant || !result) return null
  const { path, before, text } = meant
  return { path, edits: editsBetween(before, applyEdits(text, result.edits)), selected: result.selected }
}

/** What changes when typing begins in the words at a place; nothing but with `within`, which is as for an act. */
export function changeByTyping(
  document: ReleaseDocument,
  { place, within }: Readonly<{ place: SourcePlace; within: string | null }>,
): DesignChange | null {
  const meant = target(document, place, within)
  return meant && { path: meant.path, edits: editsBetween(meant.before, meant.text), selected: meant.range }
}
