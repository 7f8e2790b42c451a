/** What the views of the plan draw. */
import { isAtEnd } from '../../kernel/pages.ts'
import type { PersonPlan, PlanSummary, SignatureGroup } from '../../organisation/plan.ts'
import {
  type PlaceholderProblem,
  placeholderProblems,
  vocabularyOf,
} from '../../organisation/placeholders.ts'
import { partsOf, type ReleaseDocument } from '../../organisation/release.ts'
import { variableNames } from '../../organisation/selectors.ts'
import { type TemplateEntry, templateEntries } from './draft.ts'
import { PEOPLE_SHOWN, type PlanPeople, type PlanState } from './reducer.ts'

/** A value that is computed once for each object. */
function once<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Readonly<{ value: Value }>>()
  return (key) => {
    const kept = known.get(key) ?? { value: compute(key) }
    known.set(key, kept)
    return kept.value
  }
}

const NO_TEMPLATES: readonly TemplateEntry[] = []
const entriesOf = once((document: ReleaseDocument) => {
  const byEdited = once((edited: readonly string[]) => templateEntries(document, edited))
  return byEdited
})

/** The templates of the draft when the typing last paused. */
export const selectTemplates = ({ draft, debounced }: PlanState): readonly TemplateEntry[] =>
  draft && debounced ? entriesOf(debounced)(draft.edited) : NO_TEMPLATES

/** The words that an editor completes between braces. */
export type EditorWords = Readonly<{
  variables: readonly string[]
  pictures: readonly string[]
  parts: readonly string[]
}>

const NO_WORDS: EditorWords = { variables: [], pictures: [], parts: [] }
const wordsOf = once((document: ReleaseDocument): EditorWords => ({
  variables: [...variableNames(document)].sort(),
  pictures: Object.keys(document.pictures).sort(),
  parts: [...partsOf(document.templates).keys()].sort(),
}))

export const selectWords = ({ debounced }: PlanState): EditorWords =>
  debounced ? wordsOf(debounced) : NO_WORDS

const NO_PROBLEMS: readonly PlaceholderProblem[] = []
const problemsOf = once((document: ReleaseDocument) => {
  const vocabulary = vocabularyOf(document)
  const byPath = new Map<string, readonly PlaceholderProblem[]>()
  return (path: string) => {
    const known = byPath.get(path) ?? placeholderProblems(path, document.templates[path] ?? '', vocabulary)
    byPath.set(path, known)
    return known
  }
})

/** What is wrong in the open template, when the typing last paused. */
export const selectProblems = ({ open, debounced }: PlanState): readonly PlaceholderProblem[] =>
  open && debounced ? problemsOf(debounced)(open.path) : NO_PROBLEMS

/** Line and column of an offset, from 1. */
export function placeAt(text: string, offset: number): Readonly<{ line: number; column: number }> {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: before.length - start + 1 }
}

/** The offset of a line and a column, within the text. */
export function offsetAt(text: string, line: number, column: number): number {
  let start = 0
  for (let passed = 1; passed < line; passed += 1) {
    const end = text.indexOf('\n', start)
    if (end < 0) return text.length
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return Math.min(start + Math.max(0, column - 1), end < 0 ? text.length : end)
}

/** The plan is of an earlier state of the draft. */
export const isPlanOld = ({ made, draft }: PlanState): boolean =>
  made.status === 'success' && draft !== null && made.value.document !== draft.document

/** Another release than the draft's base is published: publishing replaces it. */
export const hasOtherBase = ({ made, draft }: PlanState): boolean =>
  made.status === 'success' && draft !== null && made.value.plan.base !== draft.base

/** Publishing was refused because the plan does not hold any more: only planning again helps. */
export const mustPlanAgain = ({ publishing }: PlanState): boolean =>
  publishing.status === 'fail' &&
  publishing.failure.kind === 'http' &&
  (publishing.failure.status === 404 || publishing.failure.code === 'base_moved')

/** Edits would be lost with the page: the browser does not keep them. */
export const wouldLoseEdits = ({ draft, kept }: PlanState): boolean =>
  draft !== null && draft.edited.length > 0 && kept !== 'kept'

/** What the page of people draws. `isLast`: no people come after these. */
export type PeoplePage = Readonly<{ people: readonly PersonPlan[]; from: number; isLast: boolean }>

export function peoplePage(list: PlanPeople): PeoplePage {
  const { items, from } = list
  const read = items ?? []
  const to = from + PEOPLE_SHOWN
  return { people: read.slice(from, to), from, isLast: isAtEnd(list) && read.length <= to }
}

/** A signature, with each distinct difference of it. */
export type ChangedSignature = Readonly<{
  signature: string
  name: string
  /** Of all its differences; a person counts once in each. */
  people: number
  groups: readonly SignatureGroup[]
}>

/** The signatures that change, each once, in the order of the largest difference; so are the differences of each. */
export const changedSignatures = once(({ signatures }: PlanSummary): readonly ChangedSignature[] => {
  const bySignature = new Map<string, SignatureGroup[]>()
  for (const group of signatures) {
    const groups = bySignature.get(group.signature)
    if (groups) groups.push(group)
    else bySignature.set(group.signature, [group])
  }
  return [...bySignature].map(([signature, groups]) => ({
    signature,
    name: groups[0]?.name ?? signature,
    people: groups.reduce((sum, { people }) => sum + people, 0),
    groups,
  }))
})

/** Whether publishing changes anything at all. */
export const changesNothing = ({ people, unchanged }: PlanSummary, variables: readonly unknown[]): boolean =>
  people === unchanged && variables.length === 0
