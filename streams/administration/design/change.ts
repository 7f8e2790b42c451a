/**
 * What an act, or typing in a part, changes in the draft's texts. The page computes it when it records the gesture, so that
 * the reducer, which is loaded first, does not need the rules of the acts.
 */
import { partName, type ReleaseDocument } from '../../organisation/release/release.ts'
import type { SourceRange } from '../../organisation/template/tree.ts'
import { applyEdits, editsBetween, type TemplateEdit } from '../plan/draft.ts'
import type { SourcePlace } from '../plan/wordPlaces.ts'
import { type DesignAct, performDesignAct } from './acts.ts'
import { type DesignItem, findItem, outlineOf } from './outline.ts'
import { partPlaces } from './surface.ts'

/** Edits to the template or part at `path`. `selected` is the range that is selected afterwards. */
export type DesignChange = Readonly<{ path: string; edits: readonly TemplateEdit[]; selected: SourceRange }>

/** A template's text, and an item in it: in the first copy of a part. */
type Written = Readonly<{ path: string; text: string; range: SourceRange }>

/**
 * Writes the text of a part into a template that includes it, instead of all placeholders of the part. Only in some of
 * them would surprise people: each shows the same words, a drawn signature does not tell which of them was clicked, and
 * the question promises a copy for the signature. Returns the same text if `within` is null or its own path; null if the
 * template does not include the part.
 */
export function writtenWithin(
  templates: ReleaseDocument['templates'],
  { path, text, range }: Written,
  within: string | null,
): Written | null {
  if (within === null || within === path) return { path, text, range }
  const around = Object.hasOwn(templates, within) ? (templates[within] ?? '') : ''
  const includes = partPlaces(around, partName(path) ?? '')
  const [first] = includes
  if (!first) return null
  const edits = includes.map((include) => ({ ...include, insert: text }))
  return {
    path: within,
    text: applyEdits(around, edits.reverse()),
    range: { from: first.from + range.from, to: first.from + range.to },
  }
}

/** The place of the first words in what a change selects, in the text after it; null if there are none. */
export function newWords(
  { templates }: ReleaseDocument,
  { path, edits, selected }: DesignChange,
): SourcePlace | null {
  const found = findItem(outlineOf(applyEdits(templates[path] ?? '', edits)), selected)
  const words = found && firstWords(found.item)
  return words && { path, ...words.content }
}

const firstWords = (item: DesignItem): DesignItem | null =>
  item.kind === 'words'
    ? item
    : item.children.reduce<DesignItem | null>((found, child) => found ?? firstWords(child), null)

/**
 * What an act on the item at a place changes; null if the act does not fit the item.
 *
 * @param within the template that gets its own copy of the part, so that other signatures stay as they are; null to change
 *   the template or part itself
 */
export function changeByAct(
  { templates }: ReleaseDocument,
  { place, act, within }: Readonly<{ place: SourcePlace; act: DesignAct; within: string | null }>,
): DesignChange | null {
  const { path } = place
  const before = Object.hasOwn(templates, path) ? templates[path] : undefined
  const result = before === undefined ? null : performDesignAct(before, place, act)
  if (before === undefined || !result) return null
  const changed = { path, text: applyEdits(before, result.edits), range: result.selected }
  const written = writtenWithin(templates, changed, within)
  return (
    written && {
      path: written.path,
      edits: editsBetween(templates[written.path] ?? '', written.text),
      selected: written.range,
    }
  )
}
