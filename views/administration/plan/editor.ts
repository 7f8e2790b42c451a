/** What the page asks of the editor of templates, whose code is a chunk of its own. */
import type { Edit } from '../../../streams/administration/plan/draft.ts'
import type { EditorWords } from '../../../streams/administration/plan/selectors.ts'

/** Offsets are UTF-16 code units of the text. */
export type EditorProblem = Readonly<{ from: number; to: number; message: string }>

/** The texts of the editor in the person's language. */
export type EditorTexts = Readonly<{
  label: string
  /** How the keyboard leaves it. Stands above the text. */
  hint: string
  completions: string
  selectionDeleted: string
  kinds: Readonly<{ variable: string; picture: string; part: string; helper: string }>
}>

export type MountedEditor = Readonly<{
  setWords: (words: EditorWords) => void
  setProblems: (problems: readonly EditorProblem[]) => void
  /** Puts the cursor there, in sight, and the focus into the editor. */
  goTo: (offset: number) => void
  destroy: () => void
}>

/**
 * Draws the editor into an empty element, in a shadow root of its own. `onEdits` gets each change at once; the edits of
 * one change follow each other.
 */
export type MountEditor = (
  place: HTMLElement,
  options: Readonly<{
    text: string
    texts: EditorTexts
    words: EditorWords
    onEdits: (edits: readonly Edit[]) => void
  }>,
) => MountedEditor
