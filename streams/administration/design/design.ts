/** The state of the visual editor, and its acts on the draft. */
import { withChanges } from '../../kernel/changes.ts'
import type { SourceRange } from '../../organisation/template/tree.ts'
import { applyEdits, type Draft, withTemplateEdits } from '../plan/draft.ts'
import type { SourcePlace } from '../plan/wordPlaces.ts'
import type { DesignAct } from './acts.ts'
import type { DesignChange } from './change.ts'
import { type DesignHistory, type HistoryMove, NO_HISTORY, redo, undo, withStep } from './history.ts'

/** What the editor did last, for people who do not see it. `seq` tells two equal acts apart. */
export type DesignReport = Readonly<{ act: DesignAct['kind'] | 'undone' | 'redone'; seq: number }>

export type DesignState = Readonly<{
  /** The selected item; null if nothing is selected. */
  selection: SourcePlace | null
  /** The words that are typed in, and a number for this typing; null if nobody types. */
  typing: Readonly<{ place: SourcePlace; step: number }> | null
  /** The shared templates and parts that may change in all signatures. */
  everywhere: readonly string[]
  /** The path of the page on which the acts in `history` were done; null before the first page with Design. */
  page: string | null
  history: DesignHistory
  /** The acts on other pages, by their paths. */
  elsewhere: Readonly<Record<string, DesignHistory>>
  report: DesignReport | null
}>

export const initialDesign: DesignState = {
  selection: null,
  typing: null,
  everywhere: [],
  page: null,
  history: NO_HISTORY,
  elsewhere: {},
  report: null,
}

/** A draft and the editor's state. */
export type Designed = Readonly<{ draft: Draft; design: DesignState }>

const textOf = ({ document: { templates } }: Draft, path: string): string | null =>
  Object.hasOwn(templates, path) ? (templates[path] ?? null) : null

const placeAt = (path: string, { from, to }: SourceRange): SourcePlace => ({ path, from, to })

/** Replaces the whole text of a template. */
const withText = (draft: Draft, path: string, text: string, at: number): Draft =>
  withTemplateEdits(draft, path, [{ from: 0, to: Infinity, insert: text }], at)

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

/** The draft after a change of these texts; null if the template is missing. */
function withDesignChange(
  designed: Designed,
  { path, edits, selected }: DesignChange,
  typing: number | null,
  at: number,
): Designed | null {
  const before = textOf(designed.draft, path)
  if (before === null) return null
  return withChange(
    designed,
    { text: applyEdits(before, edits), selected: placeAt(path, selected), typing },
    at,
  )
}

/** The draft after an act. */
export function withAct(
  designed: Designed,
  { act, ...change }: DesignChange & Readonly<{ act: DesignAct }>,
  { seq, at }: Readonly<{ seq: number; at: number }>,
): Designed | null {
  const after = withDesignChange(designed, change, null, at)
  return after && { ...after, design: { ...after.design, report: { act: act.kind, seq } } }
}

/** Begins to type in these words, which changes nothing yet. */
export const withTypingBegun = (design: DesignState, place: SourcePlace, step: number): DesignState => ({
  ...design,
  selection: place,
  typing: { place, step },
})

/**
 * The draft after typed characters; null if nobody types. Typing goes on in the template at `path`: another one than
 * before, if it has its own copy of a part now.
 */
export function withTyped(designed: Designed, change: DesignChange, at: number): Designed | null {
  const { typing } = designed.design
  const after = typing && withDesignChange(designed, change, typing.step, at)
  return after?.draft === designed.draft ? null : after
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

/**
 * Begins on a page with nothing selected. Each page has its own acts, because undo would otherwise change what is not in
 * sight.
 *
 * @param page the path of the page; null for one without Design
 */
export function withPage(design: DesignState, page: string | null): DesignState {
  const fresh = withChanges(design, { selection: null, typing: null, report: null })
  if (page === null || page === design.page) return fresh
  const { [page]: history = NO_HISTORY, ...others } = design.elsewhere
  const elsewhere = design.page === null ? others : { ...others, [design.page]: design.history }
  return { ...fresh, page, history, elsewhere }
}
