/** Selects the data for the views of the area Plan. */
import { failureCodeOf } from '../../kernel/failure.ts'
import { loadedValue } from '../../kernel/load.ts'
import { areAllPagesLoaded } from '../../kernel/pages.ts'
import { createSelector } from '../../kernel/selector.ts'
import { changedPeopleCount } from '../../organisation/plan/peopleLimit.ts'
import type { BlockGroup, PersonPlan, PlanSummary, SignatureGroup } from '../../organisation/plan/plan.ts'
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
 * Whether publishing failed because the plan is outdated: it expired, another release came first, it now changes too
 * many people, or something else than what was approved.
 */
export const mustPlanAgain = ({ publishing }: PlanState): boolean =>
  publishing.status === 'fail' &&
  publishing.failure.kind === 'http' &&
  (publishing.failure.status === 404 ||
    publishing.failure.code === 'base_moved' ||
    publishing.failure.code === 'beyond_limit' ||
    isApprovalLapsed({ publishing }))

/** Whether publishing failed because the plan is no longer the approved one. */
export const isApprovalLapsed = ({ publishing }: Pick<PlanState, 'publishing'>): boolean =>
  publishing.status === 'fail' && failureCodeOf(publishing.failure) === 'approval_lapsed'

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

/** A changed signature or block, and its distinct differences, largest first. */
export type ChangedItem<Group> = Readonly<{
  id: string
  name: string
  /** The number of people for whom it changes. Each of them is in one of the groups. */
  people: number
  groups: readonly Group[]
}>

/** Groups differences by signature or block. The items are in the order of their largest difference. */
function groupedBy<Group extends Readonly<{ name: string; people: number }>>(
  all: readonly Group[],
  idOf: (group: Group) => string,
): readonly ChangedItem<Group>[] {
  const byId = new Map<string, Group[]>()
  for (const group of all) {
    const groups = byId.get(idOf(group))
    if (groups) groups.push(group)
    else byId.set(idOf(group), [group])
  }
  return [...byId].map(([id, groups]) => ({
    id,
    name: groups[0]?.name ?? id,
    people: peopleIn(groups),
    groups,
  }))
}

export type ChangedSignature = ChangedItem<SignatureGroup>
export type ChangedBlock = ChangedItem<BlockGroup>

export const changedSignatures = ({
  signatures,
}: Pick<PlanSummary, 'signatures'>): readonly ChangedSignature[] =>
  groupedBy(signatures, ({ signature }) => signature)

export const changedBlocks = ({ blocks = [] }: Pick<PlanSummary, 'blocks'>): readonly ChangedBlock[] =>
  groupedBy(blocks, ({ block }) => block)

/**
 * What changes for someone. `default`: who gets which default signature; `other`: anything else, such as mailboxes or
 * the order of signatures.
 */
export type HeadlinePart =
  Readonly<{ kind: 'signatures' | 'blocks'; count: number }> | Readonly<{ kind: 'default' | 'other' }>

/**
 * The content of a plan's first sentence. `nothing`: publishing changes nothing for anyone; `nothingToday`: nothing on
 * the day of the plan, but some signatures are for other days. `rules`: only variables change. Otherwise, the parts
 * change for `changed` of all people, and `losing` of them lose every signature. There are no parts if the plan leaves
 * out groups, because it does not prove them.
 */
export type PlanHeadline =
  | Readonly<{ kind: 'nothing' | 'nothingToday' | 'rules' }>
  | Readonly<{
      kind: 'people'
      parts: readonly HeadlinePart[]
      changed: number
      all: number
      losing: number
    }>

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
  return {
    kind: 'people',
    parts: summary.more === undefined ? headlineParts(summary) : [],
    changed,
    all: summary.people,
    losing: peopleIn(summary.losing),
  }
}

function headlineParts(summary: PlanSummary): readonly HeadlinePart[] {
  const { defaults, reordered, choosing, asked = [], mailboxes } = summary
  const signatures = changedSignatures(summary).length
  const blocks = changedBlocks(summary).length
  return [
    ...(signatures > 0 ? [{ kind: 'signatures', count: signatures } as const] : []),
    ...(blocks > 0 ? [{ kind: 'blocks', count: blocks } as const] : []),
    // A first default comes with a new signature, and the last one goes with the signature.
    ...(defaults.some(({ from, to }) => from !== null && to !== null) ? [{ kind: 'default' } as const] : []),
    ...(reordered.length + choosing.length + asked.length + mailboxes.length > 0
      ? [{ kind: 'other' } as const]
      : []),
  ]
}

/** The number of people without a signature in the new release. Earlier services count only those who lose theirs. */
export const peopleWithout = ({ coverage, losing }: PlanSummary): number =>
  peopleIn(coverage ? coverage.none : losing)

/** Whether a plan names people who have no signature or lack values, so that the administrator must see them. */
export const namesProblems = ({ coverage, losing, missing }: PlanSummary): boolean =>
  (coverage?.none.length ?? 0) + losing.length + missing.length > 0

/**
 * What the administrator can do next with the draft: nothing, because it is what is published; make a plan; or publish
 * the plan, which is for the current draft.
 */
export function nextStep(state: PlanState): 'nothing' | 'plan' | 'publish' {
  if (!state.draft || !isDraftChanged(state.draft)) return 'nothing'
  return isPlanCurrent(state) && !mustPlanAgain(state) ? 'publish' : 'plan'
}
