/** The state of the visual editor, and its acts on the draft. */
import { withChanges } from '../../kernel/changes.ts'
import type { SourceRange } from '../../organisation/template/tree.ts'
import { partName } from '../../organisation/release/release.ts'
import { applyEdits, type Draft, editsBetween, type TemplateEdit, withTemplateEdits } from '../plan/draft.ts'
import type { SourcePlace } from '../plan/wordPlaces.ts'
import { type DesignAct, performDesignAct } from './acts.ts'
import { type DesignHistory, type HistoryMove, NO_HISTORY, redo, undo, withStep } from './history.ts'
import { partPlaces } from './surface.ts'

/** What the editor did last, for people who do not see it. `seq` tells two equal acts apart. */
export type DesignReport = Readonly<{ act: DesignAct['kind'] | 'undone' | 'redone'; seq: number }>

export type DesignState = Readonly<{
  /** The selected item; null if nothing is selected. */
  selection: SourcePlace | null
  /** The words that are typed in, and a number for this typing; null if nobody types. */
  typing: Readonly<{ place: SourcePlace; step: number }> | null
  /** The shared templates and parts that may change in all signatures. */
  everywhere: readonly string[]
  history: DesignHistory
  report: DesignReport | null
}>

export const initialDesign: DesignState = {
  selection: null,
  typing: null,
  everywhere: [],
  history: NO_HISTORY,
  report: null,
}

/** A draft and the editor's state. */
export type Designed = Readonly<{ draft: Draft; design: DesignState }>

const textOf = ({ document: { templates } }: Draft, path: string): string | null =>
  Object.hasOwn(templates, path) ? (templates[path] ?? null) : null

const placeAt = (path: string, { from, to }: SourceRange): SourcePlace => ({ path, from, to })

/** Replaces the text of a template by the smallest edits. */
const withText = (draft: Draft, path: string, text: string, at: number): Draft =>
  withTemplateEdits(draft, path, editsBetween(textOf(draft, path) ?? '', text), at)

/**
 * The template that an act changes, its text, and the item's place in it. With `within`, the text is that template's
 * with the part written into it. Null if a text is missing, or the template does not include the part.
 */
function target(
  draft: Draft,
  place: SourcePlace,
  within: string | null,
): Readonly<{ path: string; text: string; place: SourcePlace }> | null {
  const text = textOf(draft, place.path)
  if (text === null) return null
  if (within === null || within === place.path) return { path: place.path, text, place }
  const around = textOf(draft, within)
  const [include] = around === null ? [] : partPlaces(around, partName(place.path) ?? '')
  if (around === null || !include) return null
  return {
    path: within,
    text: around.slice(0, include.from) + text + around.slice(include.to),
    place: placeAt(within, { from: place.from + include.from, to: place.to + include.from }),
  }
}

/** Replaces a template's text as one step of the history, and selects a place in it. */
function withChange(
  { draft, design }: Designed,
  { text, selected, typing }: Readonly<{ text: string; selected: SourcePlace; typing: number | null }>,
  at: number,
): Designed {
  const { path } = selected
  const before = textOf(draft, path) ?? ''
  const step = { path, before, after: text, selectedBefore: design.selection, selected, typing }
  return {
    draft: withText(draft, path, text, at),
    design: {
      ...design,
      selection: selected,
      typing: typing === null ? null : { place: selected, step: typing },
      history: before === text ? design.history : withStep(design.history, step),
    },
  }
}

/** The draft after an act; null if the act does not fit the item. */
export function withAct(
  designed: Designed,
  { place, act, within }: Readonly<{ place: SourcePlace; act: DesignAct; within: string | null }>,
  { seq, at }: Readonly<{ seq: number; at: number }>,
): Designed | null {
  const meant = target(designed.draft, place, within)
  const result = meant && performDesignAct(meant.text, meant.place, act)
  if (!meant || !result) return null
  const selected = placeAt(meant.path, result.selected)
  const text = applyEdits(meant.text, result.edits)
  const { draft, design } = withChange(designed, { text, selected, typing: null }, at)
  return { draft, design: { ...design, report: { act: act.kind, seq } } }
}

/** The draft when typing begins in these words. */
export function withTypingBegun(
  designed: Designed,
  { place, within }: Readonly<{ place: SourcePlace; within: string | null }>,
  { seq, at }: Readonly<{ seq: number; at: number }>,
): Designed | null {
  const meant = target(designed.draft, place, within)
  return meant && withChange(designed, { text: meant.text, selected: meant.place, typing: seq }, at)
}

/** The draft after typed characters. Ignores edits to other words than those that are typed in. */
export function withTyped(
  designed: Designed,
  { path, edits, range }: Readonly<{ path: string; edits: readonly TemplateEdit[]; range: SourceRange }>,
  at: number,
): Designed | null {
  const { typing } = designed.design
  const before = textOf(designed.draft, path)
  if (typing?.place.path !== path || before === null) return null
  const text = applyEdits(before, edits)
  if (text === before) return null
  return withChange(designed, { text, selected: placeAt(path, range), typing: typing.step }, at)
}

const withMove = (
  { draft, design }: Designed,
  move: HistoryMove | null,
  act: 'undone' | 'redone',
  meta: Readonly<{ seq: number; at: number }>,
): Designed | null =>
  move && {
    draft: withText(draft, move.path, move.text, meta.at),
    design: {
      ...design,
      selection: move.selection,
      typing: null,
      history: move.history,
      report: { act, seq: meta.seq },
    },
  }

export const withUndone = (
  designed: Designed,
  meta: Readonly<{ seq: number; at: number }>,
): Designed | null =>
  withMove(designed, undo(designed.design.history, designed.draft.document.templates), 'undone', meta)

export const withRedone = (
  designed: Designed,
  meta: Readonly<{ seq: number; at: number }>,
): Designed | null =>
  withMove(designed, redo(designed.design.history, designed.draft.document.templates), 'redone', meta)

export const withEverywhere = (design: DesignState, path: string): DesignState =>
  design.everywhere.includes(path) ? design : { ...design, everywhere: [...design.everywhere, path] }

/** Selects a place, and ends the typing. */
export const withSelection = (design: DesignState, selection: SourcePlace | null): DesignState =>
  withChanges(design, { selection, typing: null })
