/** The interface of the template editor, whose code is a separate chunk. */
import type { ActionResult } from '../../../streams/administration/plan/acts.ts'
import type { TemplateEdit } from '../../../streams/administration/plan/draft.ts'
import type { EditorWords } from '../../../streams/administration/plan/selectors.ts'

/** A problem in the template. `from` and `to` are offsets in UTF-16 code units of the text. */
export type EditorProblem = Readonly<{ from: number; to: number; message: string }>

/** The editor's texts in the administrator's language. */
export type EditorTexts = Readonly<{
  label: string
  /** Explains how to leave the editor with the keyboard. Shown above the editor. */
  hint: string
  completions: string
  selectionDeleted: string
  kinds: Readonly<{ variable: string; picture: string; part: string; slot: string; helper: string }>
}>

export type MountedEditor = Readonly<{
  setWords: (words: EditorWords) => void
  setProblems: (problems: readonly EditorProblem[]) => void
  /** Selects a range, or places the cursor if both offsets are equal. Scrolls there and focuses the editor. */
  goTo: (from: number, to: number) => void
  /** Applies a palette action as one undo step, and focuses the editor. */
  act: (acted: ActionResult) => void
  destroy: () => void
}>

/**
 * Mounts the editor in an empty element, in its own shadow root. Passes each change's edits to `onEdits` at once; each
 * edit applies to the text after the previous edit.
 */
export type MountEditor = (
  place: HTMLElement,
  options: Readonly<{
    text: string
    texts: EditorTexts
    words: EditorWords
    onEdits: (edits: readonly TemplateEdit[]) => void
    /** Receives the cursor or selection after each change to it, and after edits that moved it. */
    onSelected: (from: number, to: number) => void
  }>,
) => MountedEditor
