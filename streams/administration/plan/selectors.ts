/** The data that the views of the area Plan draw. */
import { valueOf } from '../../kernel/load.ts'
import { isAtEnd } from '../../kernel/pages.ts'
import { createSelector } from '../../kernel/selector.ts'
import type { PersonPlan, PlanSummary, SignatureGroup } from '../../organisation/plan/plan.ts'
import {
  type PlaceholderProblem,
  placeholderProblems,
  vocabularyOf,
} from '../../organisation/release/placeholders.ts'
import { CARD_ADDRESS, partsOf, type ReleaseDocument } from '../../organisation/release/release.ts'
import { addressesOf } from '../../organisation/rendering/render.ts'
import { isCardAddress, templateValues, variableNames } from '../../organisation/release/selectors.ts'
import { blocksBySlot } from './blocks.ts'
import type { SourcePlace } from './wordPlaces.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import { type TemplateEntry, templateEntries } from './draft.ts'
import { releaseOf } from './preview.ts'
import { PEOPLE_SHOWN, type PlanPeople, type PlanState } from './reducer.ts'

const selectDebounced = ({ debounced }: PlanState) => debounced

/** The templates of the draft when the typing last paused. */
export const selectTemplates = createSelector(
  [selectDebounced, ({ draft }: PlanState) => draft?.edited],
  (document, edited): readonly TemplateEntry[] =>
    document && edited ? templateEntries(document, edited) : [],
)

/** The words that an editor completes between braces. */
export type EditorWords = Readonly<{
  variables: readonly string[]
  pictures: readonly string[]
  parts: readonly string[]
  slots: readonly string[]
}>

export const selectWords = createSelector([selectDebounced], (document): EditorWords => {
  if (!document) return { variables: [], pictures: [], parts: [], slots: [] }
  return {
    variables: [...variableNames(document)].sort(),
    pictures: Object.keys(document.pictures).sort(),
    parts: [...partsOf(document.templates).keys()].sort(),
    slots: blocksBySlot(document).map(({ slot }) => slot),
  }
})

const selectVocabulary = createSelector([selectDebounced], (document) => document && vocabularyOf(document))

/** The problems of the open template when the typing last paused. */
export const selectProblems = createSelector(
  [({ open }: PlanState) => open?.path, selectDebounced, selectVocabulary],
  (path, document, vocabulary): readonly PlaceholderProblem[] =>
    path !== undefined && document && vocabulary
      ? placeholderProblems(path, document.templates[path] ?? '', vocabulary)
      : [],
)

/**
 * What is selected in the open template, where the preview shows this text; null while the preview is older, and when
 * nothing of the template was selected yet.
 */
export function selectShownSelection({ open, selection, draft, debounced }: PlanState): SourcePlace | null {
  if (selection === null || selection.path !== open?.path) return null
  const { path } = selection
  return draft?.document.templates[path] === debounced?.templates[path] ? selection : null
}

/** A field that templates may show, with its value for the person of the preview. */
export type OfferedField = Readonly<{ name: string; value: string }>

/** The fields of a document, with the values of a person. The address of a card is none: it stands in links alone. */
export const offeredFields = (
  document: ReleaseDocument,
  person: PersonState,
  pictures: string,
): readonly OfferedField[] => {
  const values = templateValues(releaseOf(document), person, addressesOf(pictures, person))
  return [...variableNames(document)]
    .filter((name) => name !== CARD_ADDRESS || !isCardAddress(document))
    .sort()
    .map((name) => ({ name, value: values[name] ?? '' }))
}

/** The line and the column of an offset, both counted from 1. */
export function placeAt(text: string, offset: number): Readonly<{ line: number; column: number }> {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: before.length - start + 1 }
}

/** The offset of a line and a column. A column beyond the line gives the end of the line. */
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

/** Whether the service does not know the administrator as a person: many administrators have no signature. */
export const isSelfUnknown = ({ person: { wanted, load } }: PlanState): boolean =>
  wanted === 'self' && load.status === 'fail' && load.failure.kind === 'http' && load.failure.status === 404

/** Whether the preview waits for its first person. A sample that is replaced at once would only flicker. */
export const isPersonAwaited = ({ person: { load } }: PlanState): boolean =>
  load.status === 'pending' && valueOf(load) === undefined

/** Whether the draft has changed since the plan was made. */
export const isPlanOld = ({ made, draft }: PlanState): boolean =>
  made.status === 'success' && draft !== null && made.value.document !== draft.document

/** Whether another release was published after the draft was begun. Publishing the draft replaces that release. */
export const hasOtherBase = ({ made, draft }: PlanState): boolean =>
  made.status === 'success' && draft !== null && made.value.plan.base !== draft.base

/**
 * Whether publishing was refused because the plan is outdated, so that a new plan is needed: it changes more people by
 * now than it said, too.
 */
export const mustPlanAgain = ({ publishing }: PlanState): boolean =>
  publishing.status === 'fail' &&
  publishing.failure.kind === 'http' &&
  (publishing.failure.status === 404 ||
    publishing.failure.code === 'base_moved' ||
    publishing.failure.code === 'beyond_limit')

/** Whether closing the page would lose edits, because the browser does not store them. */
export const wouldLoseEdits = ({ draft, kept }: PlanState): boolean =>
  draft !== null && (draft.edited.length > 0 || draft.hasNewRules) && kept !== 'kept'

/** The people on one page. `isLast`: no people come after this page. */
export type PeoplePage = Readonly<{ people: readonly PersonPlan[]; from: number; isLast: boolean }>

export function peoplePage(list: PlanPeople): PeoplePage {
  const { items, from } = list
  const read = items ?? []
  const to = from + PEOPLE_SHOWN
  return { people: read.slice(from, to), from, isLast: isAtEnd(list) && read.length <= to }
}

/** A signature that changes, with each of its distinct differences. */
export type ChangedSignature = Readonly<{
  signature: string
  name: string
  /** The sum over all differences of the signature; a person counts once in each difference. */
  people: number
  groups: readonly SignatureGroup[]
}>

/** Each signature that changes, once. Signatures, and the differences of each, are sorted with the largest first. */
export function changedSignatures({ signatures }: PlanSummary): readonly ChangedSignature[] {
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
}

/** Whether publishing would change nothing. */
export const changesNothing = ({ people, unchanged }: PlanSummary, variables: readonly unknown[]): boolean =>
  people === unchanged && variables.length === 0
