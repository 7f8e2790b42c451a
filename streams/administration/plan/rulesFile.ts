/** The draft's signet.yaml as editable text. */
import {
  dropPending,
  type Attempt,
  attemptOnce,
  idleStatus,
  type Load,
  loadAgain,
  loadSucceeded,
  retryFailed,
  successStatus,
} from '../../kernel/load.ts'
import { defineSlice, handlersWithin } from '../../kernel/slice.ts'
import type { FolderFinding } from '../../wire/administration/publishing.ts'
import type { Place } from '../place/events.ts'
import type { Session } from '../session/events.ts'
import { type Planning, RulesFile, type RulesFileEdits, RulesFileApplying } from './events.ts'
import { isRulesFilePath } from './signatures.ts'

export type RulesFileState = Readonly<{
  /** Whether the page of the file is open. */
  isOpen: boolean
  load: Load<string>
  /** Typed text that the draft does not have yet; null if there is none. */
  typed: string | null
  taking: Attempt
  /** Why the draft rejected the text; empty if it accepted it. */
  findings: readonly FolderFinding[]
}>

const initial: RulesFileState = {
  isOpen: false,
  load: idleStatus,
  typed: null,
  taking: idleStatus,
  findings: [],
}

export const rulesFile = defineSlice<
  RulesFileState,
  | typeof Place
  | typeof Planning
  | typeof RulesFile
  | typeof RulesFileEdits
  | typeof RulesFileApplying
  | typeof Session
>()(initial, {
  ...handlersWithin('load', { ...RulesFile.handlers, 'place/retryRequested': retryFailed }),
  // Forms may have changed the rules, so the service writes the text again. Typed text is kept.
  'place/entered': (state, event) => {
    const isOpen = isRulesFilePath(event.data.path)
    return { ...state, isOpen, load: isOpen ? loadAgain(state.load, event) : state.load, taking: idleStatus }
  },
  'plan/draftBegun': (state, event) => ({
    ...initial,
    isOpen: state.isOpen,
    load: state.isOpen ? loadAgain<string>(idleStatus, event) : idleStatus,
  }),
  'plan/draftRestored': (state, event) =>
    state.isOpen && event.data.draft ? { ...state, load: loadAgain(state.load, event) } : state,
  'rulesFileEdits/typed': (state, { data: { text } }) => ({
    ...state,
    typed: text,
    taking: idleStatus,
    findings: [],
  }),
  ...handlersWithin('taking', RulesFileApplying.handlers),
  'rulesFileTaking/requested': (state, event) => ({
    ...state,
    taking: attemptOnce(state.taking, event),
    findings: [],
  }),
  'rulesFileTaking/done': (state, { data: { yaml: text, document, findings } }) => {
    if (state.taking.status !== 'pending') return state
    if (document === null) return { ...state, taking: idleStatus, findings }
    // Keeps text that was typed while the service read the file.
    const isWhole = state.typed === null || state.typed === text
    return {
      ...state,
      taking: successStatus,
      findings,
      load: loadSucceeded(state.load, text),
      typed: isWhole ? null : state.typed,
    }
  },
  'session/expired': (state) => ({
    ...state,
    load: dropPending(state.load),
    taking: dropPending(state.taking),
  }),
})
