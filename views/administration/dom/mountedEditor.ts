/** The interface of the template editor, whose code is a chunk of its own. */
import type { Acted } from '../../../streams/administration/plan/acts.ts'
import type { Edit } from '../../../streams/administration/plan/draft.ts'
import type { EditorWords } from '../../../streams/administration/plan/selectors.ts'

/** A problem in the template. `from` and `to` are offsets in UTF-16 code units of the text. */
export type EditorProblem = Readonly<{ from: number; to: number; message: string }>

/** The texts of the editor in the person's language. */
export type EditorTexts = Readonly<{
  label: string
  /** Says how to leave the editor with the keyboard. This text is shown above the editor. */
  hint: string
  completions: string
  selectionDeleted: string
  kinds: Readonly<{ variable: string; picture: string; part: string; slot: string; helper: string }>
}>

export type MountedEditor = Readonly<{
  setWords: (words: EditorWords) => void
  setProblems: (problems: readonly EditorProblem[]) => void
  /** Selects from one offset to another, which is a cursor if both are the same; scrolls there; focuses the editor. */
  goTo: (from: number, to: number) => void
  /** Does an act of the palette as one step of the history, so that one undo takes it back; focuses the editor. */
  act: (acted: Acted) => void
  destroy: () => void
}>

/**
 * Draws the editor into an empty element, in a shadow root of its own. `onEdits` gets the edits of each change at once;
 * each edit applies to the text that the previous edit has produced.
 */
export type MountEditor = (
  place: HTMLElement,
  options: Readonly<{
    text: string
    texts: EditorTexts
    words: EditorWords
    onEdits: (edits: readonly Edit[]) => void
    /** Gets the cursor, or what is selected, after each change of it, and after the edits that moved it. */
    onSelected: (from: number, to: number) => void
  }>,
) => MountedEditor
