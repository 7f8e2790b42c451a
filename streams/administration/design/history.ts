/** The acts of the visual editor that can be undone, as texts of templates before and after them. */
import type { SourcePlace } from '../plan/wordPlaces.ts'

/**
 * One act. `before` and `after` are the template's texts. `typing` is the same number for everything typed without
 * leaving the words, and null for other acts.
 */
export type DesignStep = Readonly<{
  path: string
  before: string
  after: string
  selectedBefore: SourcePlace | null
  selected: SourcePlace | null
  typing: number | null
}>

/** The undoable acts, the last one at the end, and the undone acts, the next one to redo at the end. */
export type DesignHistory = Readonly<{ done: readonly DesignStep[]; undone: readonly DesignStep[] }>

export const NO_HISTORY: DesignHistory = { done: [], undone: [] }

/** Older acts can no longer be undone. */
const MAX_STEPS = 100

/** The history after an act. Everything typed without leaving the words is one step; none if it is taken back there. */
export function withStep({ done }: DesignHistory, step: DesignStep): DesignHistory {
  const last = done.at(-1)
  if (last && step.typing !== null && last.typing === step.typing && last.path === step.path) {
    const typed = last.before === step.after ? [] : [{ ...last, after: step.after, selected: step.selected }]
    return { done: [...done.slice(0, -1), ...typed], undone: [] }
  }
  return { done: [...done.slice(1 - MAX_STEPS), step], undone: [] }
}

type Texts = Readonly<Record<string, string>>

/** A template's text, and its selection, after an undone or redone act. */
export type HistoryMove = Readonly<{
  history: DesignHistory
  path: string
  text: string
  selection: SourcePlace | null
}>

/** Undoes the last act; null without one, or if its template has changed in another way since. */
export function undo({ done, undone }: DesignHistory, texts: Texts): HistoryMove | null {
  const step = done.at(-1)
  if (!step || !Object.hasOwn(texts, step.path) || texts[step.path] !== step.after) return null
  return {
    history: { done: done.slice(0, -1), undone: [...undone, step] },
    path: step.path,
    text: step.before,
    selection: step.selectedBefore,
  }
}

/** Redoes the act that was undone last; null without one, or if its template has changed in another way since. */
export function redo({ done, undone }: DesignHistory, texts: Texts): HistoryMove | null {
  const step = undone.at(-1)
  if (!step || !Object.hasOwn(texts, step.path) || texts[step.path] !== step.before) return null
  return {
    history: { done: [...done, step], undone: undone.slice(0, -1) },
    path: step.path,
    text: step.after,
    selection: step.selected,
  }
}
