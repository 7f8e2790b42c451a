/** Selects the data for the views of the area Plan. */
import { loadedValue } from '../../kernel/load.ts'
import { areAllPagesLoaded } from '../../kernel/pages.ts'
import { createSelector } from '../../kernel/selector.ts'
import { changedPeopleCount } from '../../organisation/plan/peopleLimit.ts'
import type { PersonPlan, PlanSummary, SignatureGroup } from '../../organisation/plan/plan.ts'
import {
  type PlaceholderProblem,
  placeholderProblems,
  vocabularyOf,
} from '../../organisation/release/placeholders.ts'
import { CARD_ADDRESS, type ReleaseDocument, templatePartsOf } from '../../organisation/release/release.ts'
import { renderingAddresses } from '../../organisation/rendering/render.ts'
import { isCardNameFree, templateValues, variableNames } from '../../organisation/release/selectors.ts'
import { blocksBySlot } from './blocks.ts'
import type { SourcePlace } from './wordPlaces.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import type { Plan } from '../../wire/administration/publishing.ts'
import { isDraftChanged, type TemplateEntry, templateEntries } from './draft.ts'
import { compiledReleaseOf } from './preview.ts'
import { isPlanCurrent, PEOPLE_PER_PAGE, type PlanPeople, type PlanState } from './reducer.ts'

const selectDebounced = ({ debounced }: PlanState) => debounced

/** The draft's templates at the last pause in typing. */
export const selectTemplates = createSelector(
  [selectDebounced, ({ draft }: PlanState) => draft?.edited],
  (document, edited): readonly TemplateEntry[] =>
    document && edited ? templateEntries(document, edited) : [],
)

/** The words that the editor completes inside braces. */
export type EditorWords = Readonly<{
  variables: readonly string[]
  pictures: readonly string[]
  parts: readonly string[]
  slots: readonly string[]
}>

export const selectEditorWords = createSelector([selectDebounced], (document): EditorWords => {
  if (!document) return { variables: [], pictures: [], parts: [], slots: [] }
  return {
    variables: [...variableNames(document)].sort(),
    pictures: Object.keys(document.pictures).sort(),
    parts: [...templatePartsOf(document.templates).keys()].sort(),
    slots: blocksBySlot(document).map(({ slot }) => slot),
  }
})

const selectVocabulary = createSelector([selectDebounced], (document) => document && vocabularyOf(document))

/** The open template's problems at the last pause in typing. */
export const selectTemplateProblems = createSelector(
  [({ open }: PlanState) => open?.path, selectDebounced, selectVocabulary],
  (path, document, vocabulary): readonly PlaceholderProblem[] =>
    path !== undefined && document && vocabulary
      ? placeholderProblems(path, document.templates[path] ?? '', vocabulary)
      : [],
)

/** The selection in the open template; null if there is none, or if the preview does not show this text yet. */
export function selectShownSelection({ open, selection, draft, debounced }: PlanState): SourcePlace | null {
  if (selection === null || selection.path !== open?.path) return null
  const { path } = selection
  return draft?.document.templates[path] === debounced?.templates[path] ? selection : null
}

/** A field for templates, with its value for the preview's person. */
export type OfferedField = Readonly<{ name: string; value: string }>

/** A document's fields with a person's values. The contact card's address is left out, because it is only for links. */
export const offeredFields = (
  document: ReleaseDocument,
  person: PersonState,
  pictures: string,
): readonly OfferedField[] => {
  const values = templateValues(compiledReleaseOf(document), person, renderingAddresses(pictures, person))
  return [...variableNames(document)]
    .filter((name) => name !== CARD_ADDRESS || !isCardNameFree(document))
    .sort()
    .map((name) => ({ name, value: values[name] ?? '' }))
}

/** The line and column of an offset, both counted from 1. */
export function lineAndColumnAt(text: string, offset: number): Readonly<{ line: number; column: number }> {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: before.length - start + 1 }
}

/** The offset of a line and column. A column beyond the line gives the end of the line. */
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

/** Whether the preview waits for its first person. Showing the sample person briefly would only flicker. */
export const isPreviewPersonAwaited = ({ person: { load } }: PlanState): boolean =>
  load.status === 'pending' && loadedValue(load) === undefined

/** Whether the draft has changed since the plan was made. */
export const isPlanOutdated = ({ made, draft }: PlanState): boolean =>
  made.status === 'success' && draft !== null && made.value.document !== draft.document

/** Whether the published release has changed since the draft was begun. Publishing the draft replaces that release. */
export const isBaseOutdated = ({ made, draft }: PlanState): boolean =>
  made.status === 'success' && draft !== null && made.value.plan.base !== draft.base

/**
 * Whether publishing failed because the plan is outdated: it expired, another release came first, or it now changes too
 * many people.
 */
export const mustPlanAgain = ({ publishing }: PlanState): boolean =>
  publishing.status === 'fail' &&
  publishing.failure.kind === 'http' &&
  (publishing.failure.status === 404 ||
    publishing.failure.code === 'base_moved' ||
    publishing.failure.code === 'beyond_limit')

/** Whether closing the page would lose edits because the browser does not store them. */
export const wouldLoseEdits = ({ draft, kept }: PlanState): boolean =>
  draft !== null && (draft.edited.length > 0 || draft.hasNewRules) && kept !== 'kept'

/** The people on one page. `isLast`: this is the last page. */
export type PeoplePage = Readonly<{ people: readonly PersonPlan[]; from: number; isLast: boolean }>

export function peoplePage(list: PlanPeople): PeoplePage {
  const { items, from } = list
  const read = items ?? []
  const to = from + PEOPLE_PER_PAGE
  return { people: read.slice(from, to), from, isLast: areAllPagesLoaded(list) && read.length <= to }
}

/** A changed signature and its distinct differences. */
export type ChangedSignature = Readonly<{
  signature: string
  name: string
  /** The sum of the people in all differences of the signature. A person counts once in each difference. */
  people: number
  groups: readonly SignatureGroup[]
}>

/** Groups the differences by signature. Signatures and differences are sorted by size, largest first. */
export function changedSignatures({
  signatures,
}: Pick<PlanSummary, 'signatures'>): readonly ChangedSignature[] {
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

/**
 * People for whom publishing does the same. `losing`: they lose every signature. `first`: they had no signature and get
 * one. `signature`: the signatures of each of them change. `other`: their signatures stay, but something else changes,
 * such as their mailboxes. `either`: one or the other.
 */
export type HeadlinePart = Readonly<{
  kind: 'signature' | 'other' | 'either' | 'first' | 'losing'
  /** At least 1. */
  people: number
}>

/**
 * The content of a plan's first sentence. `nothing`: publishing changes nothing for anyone; `nothingToday`: nothing on
 * the day of the plan, but some signatures are for other days. `rules`: only variables change. No person is in two
 * parts of `people`.
 */
export type PlanHeadline =
  | Readonly<{ kind: 'nothing' | 'nothingToday' | 'rules' }>
  | Readonly<{ kind: 'people'; parts: readonly HeadlinePart[]; unchanged: number }>

const peopleIn = (groups: readonly Readonly<{ people: number }>[]): number =>
  groups.reduce((sum, { people }) => sum + people, 0)

/** Sums up a plan for one sentence, which claims only what the summary's groups prove. */
export function planHeadline({
  summary,
  variables,
  closed,
}: Pick<Plan, 'summary' | 'variables' | 'closed'>): PlanHeadline {
  const changed = changedPeopleCount(summary)
  if (changed === 0)
    return { kind: variables.length > 0 ? 'rules' : closed.length > 0 ? 'nothingToday' : 'nothing' }
  const losing = peopleIn(summary.losing)
  const others = changed - losing
  // Everyone with a signature has a default signature, and each person is in at most one group of defaults.
  const first = peopleIn(summary.defaults.filter(({ from }) => from === null))
  const parts: readonly HeadlinePart[] =
    summary.more === undefined
      ? [
          { kind: kindOfChange(summary, others - first, { first, losing }), people: others - first },
          { kind: 'first', people: first },
          { kind: 'losing', people: losing },
        ]
      : [
          { kind: 'either', people: others },
          { kind: 'losing', people: losing },
        ]
  return { kind: 'people', parts: parts.filter(({ people }) => people > 0), unchanged: summary.unchanged }
}

/** What changes for the other people, who neither get a first signature nor lose every signature. */
function kindOfChange(
  summary: PlanSummary,
  others: number,
  { first, losing }: Readonly<{ first: number; losing: number }>,
): 'signature' | 'other' | 'either' {
  const { signatures, defaults, blocks = [], reordered, choosing, asked = [], mailboxes } = summary
  const groupsOf = (kind: SignatureGroup['kind']) => signatures.filter((group) => group.kind === kind)
  const changed = changedSignatures({ signatures: groupsOf('changed') })
  if (
    reordered.length + choosing.length + asked.length + mailboxes.length === 0 ||
    changed.some(({ people }) => people === others)
  )
    return 'signature'
  const mayBeSignature =
    changed.length + blocks.length > 0 ||
    defaults.some(({ from, to }) => from !== null && to !== null) ||
    peopleIn(groupsOf('added')) > first ||
    peopleIn(groupsOf('removed')) > losing
  return mayBeSignature ? 'either' : 'other'
}

/** The number of people without a signature in the new release. Earlier services count only those who lose theirs. */
export const peopleWithout = ({ coverage, losing }: PlanSummary): number =>
  peopleIn(coverage ? coverage.none : losing)

/** The part of a plan that the administrator must see first; null if the plan has no problem. */
export function partToCheck({ coverage, losing, missing }: PlanSummary): 'coverage' | 'problems' | null {
  if (coverage && coverage.none.length > 0) return 'coverage'
  return losing.length + missing.length > 0 ? 'problems' : null
}

/**
 * What the administrator can do next with the draft: nothing, because it is what is published; make a plan; or publish
 * the plan, which is for the current draft.
 */
export function nextStep(state: PlanState): 'nothing' | 'plan' | 'publish' {
  if (!state.draft || !isDraftChanged(state.draft)) return 'nothing'
  return isPlanCurrent(state) && !mustPlanAgain(state) ? 'publish' : 'plan'
}
