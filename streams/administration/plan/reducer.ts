import type { RollBack } from '../overview/events.ts'
import type { OnePerson } from '../people/events.ts'
import type { StoredPlan } from '../approving/events.ts'
import type { Place } from '../place/events.ts'
import type { Session } from '../session/events.ts'
import {
  type Adoption,
  type DraftPersistence,
  type ExportSource,
  type FolderExport,
  PlannedPeople,
  type Planning,
  Publishing,
  type WorkbenchSide,
} from './events.ts'
import {
  type Designed,
  type DesignState,
  initialDesign,
  withAct,
  withEverywhere,
  withPage,
  withRedone,
  withSelection,
  withTyped,
  withTypingBegun,
  withUndone,
} from '../design/design.ts'
import type { Designing } from '../design/events.ts'
import { withChanges } from '../../kernel/changes.ts'
import type { Failure } from '../../kernel/failure.ts'
import {
  dropPending,
  type BeginEvent,
  type Attempt,
  attemptOnce,
  settlePending,
  failedStatus,
  idleStatus,
  type Load,
  loadAgain,
  loadSucceeded,
  pendingStatus,
  retryFailed,
  successStatus,
} from '../../kernel/load.ts'
import { loadNextPage, noPages, type Pages } from '../../kernel/pages.ts'
import type { Handle } from '../../kernel/handle.ts'
import { defineSlice, handlersWithin } from '../../kernel/slice.ts'
import type { FoundPerson } from '../../wire/administration/people.ts'
import type { FolderFinding, Plan } from '../../wire/administration/publishing.ts'
import { SIGNET_FILE } from '../../organisation/release/paths.ts'
import type { PersonPlan } from '../../organisation/plan/plan.ts'
import type { ReleaseDocument, Selection, Signature } from '../../organisation/release/release.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import type { SampleRecipients } from '../../organisation/release/supposed.ts'
import { type Draft, isDraftChanged, templatesOf, withDocument, withTemplateEdits } from './draft.ts'
import type { FolderRefusal } from './folder.ts'
import {
  BANNER_PATH,
  type BannerAudience,
  type BannerPicture,
  FOR_EVERYONE,
  type PictureRefusal,
  withBanner,
} from './banners.ts'
import {
  blockAt,
  blocksOf,
  withBlock,
  withBlockOrder,
  withClickCounting,
  withNewBlock,
  withoutBlock,
} from './blocks.ts'
import type { PreviewLook, PreviewUse, PreviewWidth } from './preview.ts'
import {
  draftPictureAt,
  NOTHING_ADDED,
  type PictureAdding,
  withoutUnusedPictures,
  withPending,
  withPicture,
  withSmallerPicture,
  withLinkedPictures,
} from './draftPictures.ts'
import { withBrandEdit } from './brandEdit.ts'
import { type CardFilter, NO_FILTER } from './cardFilter.ts'
import { adoption } from './adopting.ts'
import { fitting } from './fitting.ts'
import { rulesFile } from './rulesFile.ts'
import { suggestions } from './suggestions.ts'
import type { RulesFileApplying } from './events.ts'
import { withAddedTemplate } from './taken.ts'
import type { SourcePlace } from './wordPlaces.ts'
import {
  signatureAt,
  withNewSignature,
  withSignatureOrder,
  withoutSignature,
  withSignature,
} from './signatures.ts'

/** The state of beginning a draft: `idle` without a request, `pending`, or the reason for a failure. */
export type DraftBeginning =
  | Readonly<{ status: 'idle' }>
  /** `itself`: the page begins the draft automatically. */
  | Readonly<{ status: 'pending'; asked: number; from: 'itself' | 'published' | 'folder' }>
  | Readonly<{ status: 'fail'; failure: Failure }>
  | Readonly<{ status: 'refused'; refusal: FolderRefusal }>
  | Readonly<{ status: 'notRead'; findings: readonly FolderFinding[] }>

/**
 * The template in the editor. The editor moves the cursor to the line and column in `place`, or selects the text from
 * `from` to `to`. `asked` is the `seq` of the event that opened the template.
 */
export type OpenTemplate = Readonly<{
  path: string
  place: Readonly<{ line: number; column: number }> | Readonly<{ from: number; to: number }> | null
  asked: number
}>

/** The picture for a banner. `refused`: a release cannot contain the file. */
export type BannerReading =
  | Readonly<{ status: 'idle' | 'pending' }>
  | Readonly<{ status: 'success'; value: BannerPicture }>
  | Readonly<{ status: 'refused'; refusal: PictureRefusal }>

/** The person in the preview: the administrator, the sample person, or the person with this id. */
export type PreviewPerson = 'self' | 'sample' | Readonly<{ id: string }>

/** A plan and its document. */
export type PlannedDraft = Readonly<{ plan: Plan; document: ReleaseDocument }>

/** The people in the plan that is shown, in the service's order. `from` is the index of the first shown person. */
export type PlanPeople = Pages<string, PersonPlan> & Readonly<{ from: number }>

export type PlanState = Readonly<{
  /** Whether the draft was restored from an earlier visit; null until the browser has answered. */
  wasRestored: boolean | null
  draft: Draft | null
  kept: DraftPersistence
  beginning: DraftBeginning
  /** The service's findings about the draft, except for templates edited since then. */
  findings: readonly FolderFinding[]
  /** The search and the filter of the cards of all signatures. */
  filter: CardFilter
  /** The signature whose page is open; null on other pages. */
  signature: string | null
  /** The block whose page is open; null on other pages. */
  block: string | null
  /** The picture for the new banner. */
  banner: BannerReading
  /** The pictures that are being added to the draft. */
  adding: PictureAdding
  /** The people for the new banner. */
  audience: BannerAudience
  open: OpenTemplate | null
  /** The cursor or selection in the source; null if the open template had none yet. */
  selection: SourcePlace | null
  /** Whether the list of templates is open. If null, the available width decides. */
  isListShown: boolean | null
  side: WorkbenchSide
  /** The visual editor of the open page. */
  design: DesignState
  /** The document of the draft when the typing last paused; null without a draft. */
  debounced: ReleaseDocument | null
  search: Readonly<{ text: string; found: Load<readonly FoundPerson[]> }>
  /** The person of the preview. While the wanted person loads, the value is the previous person. */
  person: Readonly<{ wanted: PreviewPerson; load: Load<PersonState> }>
  /** The id of the person who writes for a previewed mailbox, and this person; null for nobody in particular. */
  writer: Readonly<{ wanted: string | null; load: Load<PersonState> }>
  /** A person whom these rules of a signature select, to be offered for the preview; null if nobody was found. */
  holder: Readonly<{ selection: Selection | null; load: Load<FoundPerson | null> }>
  /** The day of the preview, such as `2026-10-01`; null for today. */
  day: string | null
  use: PreviewUse
  /** The recipients of the preview's message; null for no recipients. */
  recipients: SampleRecipients | null
  look: PreviewLook
  width: PreviewWidth
  made: Load<PlannedDraft>
  people: PlanPeople
  publishing: Attempt
  /** The release that this page published last; null after the next request for a plan. */
  published: string | null
  exporting: Readonly<{ source: ExportSource; attempt: Attempt }> | null
}>

/** The people in the plan with this id, before any are loaded. */
export const noPeople = (plan: string): PlanPeople => ({ ...noPages(plan), from: 0 })
const NONE_READ = noPeople('')

const initial: PlanState = {
  wasRestored: null,
  draft: null,
  kept: 'kept',
  beginning: { status: 'idle' },
  findings: [],
  filter: NO_FILTER,
  signature: null,
  block: null,
  banner: idleStatus,
  adding: NOTHING_ADDED,
  audience: FOR_EVERYONE,
  open: null,
  selection: null,
  isListShown: null,
  side: 'source',
  design: initialDesign,
  debounced: null,
  search: { text: '', found: idleStatus },
  person: { wanted: 'self', load: idleStatus },
  writer: { wanted: null, load: idleStatus },
  holder: { selection: null, load: idleStatus },
  day: null,
  use: 'signature',
  recipients: null,
  look: 'light',
  width: 'computer',
  made: idleStatus,
  people: NONE_READ,
  publishing: idleStatus,
  published: null,
  exporting: null,
}

/** A new draft resets the state, except for the settings of the lists and the preview. */
const withDraft = (state: PlanState, draft: Draft | null): PlanState => ({
  ...initial,
  filter: state.filter,
  isListShown: state.isListShown,
  side: state.side,
  signature: state.signature,
  block: state.block,
  design: { ...initialDesign, page: state.design.page },
  search: state.search,
  person: state.person,
  writer: state.writer,
  day: state.day,
  use: state.use,
  recipients: state.recipients,
  look: state.look,
  width: state.width,
  wasRestored: false,
  draft,
  debounced: draft?.document ?? null,
})

/**
 * Opens a template of the signature or block whose page is open. On other pages it opens the template of the first
 * signature, unless a template of the draft is open already.
 */
function withOpenTemplate(state: PlanState): PlanState {
  if (!state.draft) return state
  const { document } = state.draft
  const shown =
    document.signatures.find(({ id }) => id === state.signature) ??
    blocksOf(document).find(({ id }) => id === state.block)
  const isOpen = (paths: readonly string[]) => state.open !== null && paths.includes(state.open.path)
  if (isOpen(shown ? templatesOf(document, shown) : Object.keys(document.templates))) return state
  const path = (shown ?? document.signatures[0])?.template
  if (path === undefined || !Object.hasOwn(document.templates, path))
    return withChanges(state, { open: null })
  return { ...state, open: { path, place: null, asked: 0 } }
}

/**
 * Edits the draft's document. Drops findings about signet.yaml, because they may be about the earlier rules, and about
 * templates whose text changed.
 */
function withRules(
  state: PlanState,
  edit: (document: ReleaseDocument) => ReleaseDocument,
  at: number,
): PlanState {
  if (!state.draft) return state
  const { document } = state.draft
  const draft = withDocument(state.draft, edit(document), at)
  if (draft === state.draft) return state
  const isSame = (file: string) => draft.document.templates[file] === document.templates[file]
  return {
    ...state,
    draft,
    findings: state.findings.filter(({ file }) => file !== SIGNET_FILE && isSame(file)),
  }
}

/** Drops the service's findings about templates that changed, because the change shifted them. */
function withEditedTemplates(state: PlanState, draft: Draft): PlanState {
  const [before, after] = [state.draft?.document.templates ?? {}, draft.document.templates]
  const findings = state.findings.filter(({ file }) => before[file] === after[file])
  return {
    ...state,
    draft,
    findings: findings.length === state.findings.length ? state.findings : findings,
  }
}

/** Draws the draft as it is, without waiting for a pause in typing. */
const drawn = (state: PlanState): PlanState =>
  withChanges(state, { debounced: state.draft?.document ?? null })

/** An act of the visual editor. It is drawn at once. */
function designed(state: PlanState, act: (before: Designed) => Designed | null): PlanState {
  const after = state.draft && act({ draft: state.draft, design: state.design })
  if (!after) return state
  return {
    ...withEditedTemplates(state, after.draft),
    design: after.design,
    debounced: after.draft.document,
  }
}

/** Forgets a picture beyond the limits; the same reference if there is none of this file. */
function withoutLargePicture(state: PlanState, picture: Handle): PlanState {
  const large = state.adding.large.filter((each) => each.picture !== picture)
  return large.length === state.adding.large.length ? state : { ...state, adding: { ...state.adding, large } }
}

/** Adds a picture that is pending. A result that belongs to an earlier draft has nothing pending, and is ignored. */
function withAddedPicture(
  state: PlanState,
  add: (draft: Draft) => ReturnType<typeof withPicture>,
  at: number,
): PlanState {
  const { draft, adding } = state
  if (!draft || adding.pending === 0) return state
  const { draft: after, path, isNew } = add(draft)
  return {
    ...withRules({ ...state, draft: { ...draft, pictures: after.pictures } }, () => after.document, at),
    adding: { ...adding, pending: adding.pending - 1, added: { path, isNew } },
  }
}

const plan = defineSlice<
  PlanState,
  | typeof Adoption
  | typeof Designing
  | typeof FolderExport
  | typeof OnePerson
  | typeof Place
  | typeof PlannedPeople
  | typeof Planning
  | typeof Publishing
  | typeof RollBack
  | typeof RulesFileApplying
  | typeof Session
  | typeof StoredPlan
>()(initial, {
  'place/entered': (state, { data: { path } }) =>
    withOpenTemplate(
      withChanges(state, {
        signature: signatureAt(path),
        block: blockAt(path),
        banner: path === BANNER_PATH ? state.banner : idleStatus,
        design: withPage(state.design, signatureAt(path) === null && blockAt(path) === null ? null : path),
        adding: state.adding.pending === 0 ? NOTHING_ADDED : state.adding,
        audience: path === BANNER_PATH ? state.audience : FOR_EVERYONE,
      }),
    ),

  'plan/draftNeeded': (state, event) => ({
    ...state,
    beginning: { ...pendingStatus(event), from: 'itself' },
  }),
  'plan/publishedChosen': (state, event) => ({
    ...state,
    beginning: { ...pendingStatus(event), from: 'published' },
  }),
  'plan/folderChosen': (state, event) => ({
    ...state,
    beginning: { ...pendingStatus(event), from: 'folder' },
  }),
  'plan/draftBegun': (state, event) => {
    const { draft, findings } = event.data
    // Keeps an edited draft, and a draft that equals the fresh copy, because a template may be open.
    const isCopy = !isDraftChanged(draft)
    if (state.draft && isCopy && (isDraftChanged(state.draft) || state.draft.base === draft.base))
      return withChanges(state, { beginning: initial.beginning })
    return readingPerson(withOpenTemplate({ ...withDraft(state, draft), findings }), event)
  },
  'plan/folderRefused': (state, { data }) => ({
    ...state,
    beginning: { status: 'refused', refusal: data.refusal },
  }),
  'plan/folderNotRead': (state, { data }) => ({
    ...state,
    beginning: { status: 'notRead', findings: data.findings },
  }),
  'plan/beginFailed': (state, { data }) => ({
    ...state,
    beginning: { status: 'fail', failure: data.failure },
  }),
  // The administrator may begin a draft before the browser responds. That draft is kept.
  'plan/draftRestored': (state, event) => {
    const { draft } = event.data
    return state.wasRestored !== null || state.draft !== null
      ? withChanges(state, { wasRestored: state.wasRestored ?? false })
      : draft === null
        ? withChanges(state, { wasRestored: false })
        : readingPerson(withOpenTemplate({ ...withDraft(state, draft), wasRestored: true }), event)
  },
  'plan/draftWritten': (state, { data }) => withChanges(state, { kept: data.kept }),
  'plan/discarded': (state) => withDraft(state, null),

  'plan/signatureChanged': (state, { data: { signature, changes }, meta }) =>
    withOpenTemplate(withRules(state, (document) => withSignature(document, signature, changes), meta.at)),
  'plan/signatureMoved': (state, { data: { signature, to }, meta }) =>
    withRules(state, (document) => withSignatureOrder(document, signature, to), meta.at),
  'plan/signatureAdded': (state, { data: { signature, name, like }, meta }) =>
    drawn(withRules(state, (document) => withNewSignature(document, signature, name, like), meta.at)),
  'plan/templateTaken': (state, { data: { signature, taken }, meta }) => {
    if (!state.draft) return state
    const { document, pictures } = withAddedTemplate(state.draft, taken, signature)
    return drawn(withRules({ ...state, draft: { ...state.draft, pictures } }, () => document, meta.at))
  },
  'plan/signatureRemoved': (state, { data: { signature }, meta }) =>
    withOpenTemplate(withRules(state, (document) => withoutSignature(document, signature), meta.at)),
  'plan/cardsFiltered': (state, { data: { text, show } }) =>
    withChanges(state, { filter: withChanges(state.filter, { text, show }) }),

  'plan/blockChanged': (state, { data: { block, changes }, meta }) =>
    withOpenTemplate(withRules(state, (document) => withBlock(document, block, changes), meta.at)),
  'plan/blockMoved': (state, { data: { block, to }, meta }) =>
    withRules(state, (document) => withBlockOrder(document, block, to), meta.at),
  'plan/blockAdded': (state, { data: { block, name, like }, meta }) =>
    withRules(state, (document) => withNewBlock(document, block, name, like), meta.at),
  'plan/blockRemoved': (state, { data: { block }, meta }) =>
    withOpenTemplate(withRules(state, (document) => withoutBlock(document, block), meta.at)),
  'plan/countingSwitched': (state, { data: { isOn }, meta }) =>
    withRules(state, (document) => withClickCounting(document, isOn), meta.at),
  'plan/linkingSwitched': (state, { data: { isOn }, meta }) =>
    withRules(state, (document) => withLinkedPictures(document, isOn), meta.at),

  'plan/brandChanged': (state, { data: { edit }, meta }) =>
    withRules(state, (document) => withBrandEdit(document, edit), meta.at),

  'plan/pictureChosen': (state) => ({ ...state, banner: { status: 'pending' } }),
  'plan/pictureRead': (state, { data: { picture } }) => ({
    ...state,
    banner: { status: 'success', value: picture },
  }),
  'plan/pictureRefused': (state, { data: { refusal } }) => ({
    ...state,
    banner: { status: 'refused', refusal },
  }),
  'plan/audienceChosen': (state, { data: { audience } }) => ({ ...state, audience }),
  'plan/draftPictureChosen': (state, { data: { path } }) => {
    const picture = state.draft && draftPictureAt(state.draft, path)
    return picture ? { ...state, banner: { status: 'success', value: picture } } : state
  },
  'plan/bannerAdded': (state, { data: { block, banner }, meta }) => {
    if (!state.draft || state.banner.status !== 'success') return state
    const { document, pictures } = withBanner(state.draft, banner, state.banner.value, block)
    const draft = { ...state.draft, pictures }
    return {
      ...withRules({ ...state, draft }, () => document, meta.at),
      banner: idleStatus,
      audience: FOR_EVERYONE,
    }
  },

  'plan/pictureGiven': (state) => (state.draft ? { ...state, adding: withPending(state.adding) } : state),
  'plan/pictureTooLarge': (state, { data }) => {
    const { pending, large } = state.adding
    return pending === 0
      ? state
      : { ...state, adding: { ...state.adding, pending: pending - 1, large: [...large, data] } }
  },
  'plan/largePictureWanted': (state, { data: { picture } }) => {
    const without = withoutLargePicture(state, picture)
    return without === state ? state : { ...without, adding: withPending(without.adding) }
  },
  'plan/largePictureLeftOut': (state, { data: { picture } }) => withoutLargePicture(state, picture),
  'plan/smallerPictureWanted': (state, { data: { path } }) =>
    state.draft && draftPictureAt(state.draft, path)
      ? { ...state, adding: withPending(state.adding) }
      : state,
  'plan/pictureAdded': (state, { data: { picture }, meta }) =>
    withAddedPicture(state, (draft) => withPicture(draft, picture), meta.at),
  'plan/smallerPictureAdded': (state, { data: { path, picture }, meta }) =>
    withAddedPicture(state, (draft) => withSmallerPicture(draft, path, picture), meta.at),
  'plan/pictureNotAdded': (state, { data: { name, refusal } }) => {
    const { pending, refused } = state.adding
    return pending === 0
      ? state
      : {
          ...state,
          adding: { ...state.adding, pending: pending - 1, refused: [...refused, { name, refusal }] },
        }
  },
  'plan/picturesRemoved': (state, { data: { paths }, meta }) => {
    if (!state.draft) return state
    const { document, pictures } = withoutUnusedPictures(state.draft, paths)
    return document === state.draft.document
      ? state
      : withRules({ ...state, draft: { ...state.draft, pictures } }, () => document, meta.at)
  },

  'rulesFileTaking/done': (state, { data: { yaml, document }, meta }) => {
    if (document === null) return state
    const after = withOpenTemplate(withRules(state, () => document, meta.at))
    // The file's comments may differ, so comparing documents no longer shows whether the file is unchanged.
    return after.draft
      ? { ...after, draft: { ...after.draft, yaml, original: null, hasNewRules: true } }
      : after
  },

  'plan/templateOpened': (state, { data: { path, line, column }, meta }) =>
    state.draft && Object.hasOwn(state.draft.document.templates, path)
      ? {
          ...state,
          open: {
            path,
            place: line === null ? null : { line, column: column ?? 1 },
            asked: meta.seq,
          },
          // The line and column are in the source, so the source is shown.
          side: line === null ? state.side : 'source',
        }
      : state,
  'plan/wordChosen': (state, { data: { path, from, to }, meta }) =>
    state.draft && Object.hasOwn(state.draft.document.templates, path)
      ? {
          ...state,
          open: { path, place: { from, to }, asked: meta.seq },
          selection: { path, from, to },
          side: 'source',
        }
      : state,
  'plan/selected': (state, { data: { path, from, to } }) => {
    const { open, selection } = state
    if (open?.path !== path) return state
    const isSame = selection?.path === path && selection.from === from && selection.to === to
    return isSame ? state : { ...state, selection: { path, from, to } }
  },
  'plan/listShown': (state, { data }) => withChanges(state, { isListShown: data.isShown }),
  'plan/sideChosen': (state, { data }) => withChanges(state, { side: data.side }),
  'plan/edited': (state, { data: { path, edits }, meta }) => {
    if (!state.draft) return state
    const draft = withTemplateEdits(state.draft, path, edits, meta.at)
    // The editor itself shows problems with placeholders.
    return draft === state.draft ? state : withEditedTemplates(state, draft)
  },
  'plan/paused': drawn,

  'design/selected': (state, { data: { place } }) =>
    withChanges(state, {
      design: withSelection(state.design, place),
      // What was typed is drawn at once.
      debounced: state.design.typing ? (state.draft?.document ?? null) : state.debounced,
    }),
  'design/acted': (state, { data, meta }) => designed(state, (before) => withAct(before, data, meta)),
  'design/typingBegan': (state, { data: { place }, meta }) =>
    state.draft && Object.hasOwn(state.draft.document.templates, place.path)
      ? { ...state, design: withTypingBegun(state.design, place, meta.seq) }
      : state,
  'design/typed': (state, { data, meta }) => {
    const after = designed(state, (before) => withTyped(before, data, meta.at))
    // The words are shown where they are typed, and drawn when the typing pauses.
    return after === state ? state : { ...after, debounced: state.debounced }
  },
  'design/typingEnded': (state) =>
    state.design.typing
      ? {
          ...state,
          design: withSelection(state.design, state.design.selection),
          debounced: state.draft?.document ?? null,
        }
      : state,
  'design/undone': (state, { meta }) => designed(state, (before) => withUndone(before, meta)),
  'design/redone': (state, { meta }) => designed(state, (before) => withRedone(before, meta)),
  'design/everywhereChosen': (state, { data: { path } }) =>
    withChanges(state, { design: withEverywhere(state.design, path) }),

  'plan/personSearched': (state, event) => ({
    ...state,
    search: { text: event.data.text, found: loadAgain(state.search.found, event) },
  }),
  'plan/peopleFound': (state, { data }) => withFound(state, loadSucceeded(idleStatus, data.people)),
  'plan/searchFailed': (state, { data }) => withFound(state, failedStatus(data.failure)),
  'plan/personChosen': (state, event) =>
    withWanted(state, { id: event.data.person }, loadAgain(state.person.load, event)),
  'plan/selfChosen': (state, event) => withWanted(state, 'self', loadAgain(state.person.load, event)),
  'plan/sampleChosen': (state) => withWanted(state, 'sample', idleStatus),
  // Choosing a person closes the search on the page that adopts an existing signature.
  'adopting/personGiven': (state) => withChanges(state, { search: initial.search }),
  'onePerson/writerChosen': (state) => withChanges(state, { search: initial.search }),
  'plan/personRead': (state, { data }) => withPerson(state, loadSucceeded(idleStatus, data.person)),
  'plan/personFailed': (state, { data }) => withPerson(state, failedStatus(data.failure)),
  'plan/writerChosen': (state, event) => {
    const { person: wanted } = event.data
    const load = wanted === null ? idleStatus : loadAgain(state.writer.load, event)
    return { ...state, writer: { wanted, load }, search: initial.search }
  },
  'plan/writerRead': (state, { data }) => withWriter(state, loadSucceeded(idleStatus, data.person)),
  'plan/writerFailed': (state, { data }) => withWriter(state, failedStatus(data.failure)),
  'plan/holderNeeded': (state, event) => {
    const signature = state.debounced?.signatures.find(({ id }) => id === event.data.signature)
    // Several events can show the need before the search begins.
    return signature && holderOf(state, signature).status === 'idle'
      ? { ...state, holder: { selection: signature.selection, load: pendingStatus(event) } }
      : state
  },
  'plan/holderRetried': (state, event) =>
    withChanges(state, {
      holder: withChanges(state.holder, { load: retryFailed(state.holder.load, event) }),
    }),
  'plan/holderFound': (state, { data }) => withHolder(state, loadSucceeded(idleStatus, data.person)),
  'plan/holderFailed': (state, { data }) => withHolder(state, failedStatus(data.failure)),
  'plan/dayChosen': (state, { data }) => withChanges(state, { day: data.day }),
  'plan/kindChosen': (state, { data }) => withChanges(state, { use: data.use }),
  'plan/recipientsChosen': (state, { data }) => withChanges(state, { recipients: data.recipients }),
  'plan/lookChosen': (state, { data }) => withChanges(state, { look: data.look }),
  'plan/widthChosen': (state, { data }) => withChanges(state, { width: data.width }),

  // No new plan may replace a plan that is being published.
  'plan/planRequested': (state, event) =>
    state.draft && state.publishing.status !== 'pending'
      ? {
          ...state,
          made: loadAgain(state.made, event),
          people: NONE_READ,
          publishing: idleStatus,
          published: null,
          debounced: state.draft.document,
        }
      : state,
  'plan/planned': (state, { data: { plan: made, document } }) =>
    state.made.status === 'pending'
      ? {
          ...state,
          made: { status: 'success', value: { plan: made, document } },
          people: noPeople(made.id),
          findings: state.findings.some(({ level }) => level === 'error') ? [] : state.findings,
        }
      : state,
  'plan/draftRefused': (state, { data }) =>
    state.made.status === 'pending' ? { ...state, made: idleStatus, findings: data.findings } : state,
  'plan/planFailed': (state, { data }) =>
    withChanges(state, { made: settlePending(state.made, failedStatus(data.failure)) }),

  ...handlersWithin('people', PlannedPeople.handlers),
  'plannedPeople/pageLoaded': (state, event) => {
    const people = PlannedPeople.handlers['plannedPeople/pageLoaded'](state.people, event)
    return people === state.people ? state : { ...state, people: readOn(people, event) }
  },
  'plannedPeople/shown': (state, event) => {
    const { plan: id, from } = event.data
    const people = state.people.query === id ? state.people : noPeople(id)
    return { ...state, people: readOn({ ...people, from: Math.max(0, Math.floor(from)) }, event) }
  },
  // The people of a plan that was made again are others.
  'storedPlan/loaded': (state, { data: { value } }) =>
    state.people.query === value.plan.id ? { ...state, people: NONE_READ } : state,

  ...handlersWithin('publishing', Publishing.handlers),
  'publishing/requested': (state, event) =>
    isPlanCurrent(state) ? withChanges(state, { publishing: attemptOnce(state.publishing, event) }) : state,
  'publishing/done': (state, { data: { release } }) => {
    if (state.publishing.status !== 'pending' || state.made.status !== 'success') return state
    const { document } = state.made.value
    return {
      ...state,
      publishing: successStatus,
      published: release,
      made: idleStatus,
      people: NONE_READ,
      // Text typed while publishing becomes a draft based on the new release.
      draft: state.draft && {
        ...state.draft,
        base: release,
        folder: null,
        original: document,
        edited: state.draft.document === document ? [] : state.draft.edited,
        hasNewRules: state.draft.document !== document && state.draft.hasNewRules,
      },
    }
  },

  'session/opened': (state, event) => readingPerson(state, event),
  // A copy of the earlier release is obsolete; an edited draft is kept.
  'rollBack/done': (state) => (state.draft && !isDraftChanged(state.draft) ? withDraft(state, null) : state),

  // The end of the session cancels pending requests; the draft is kept.
  'session/expired': (state) => ({
    ...state,
    beginning: state.beginning.status === 'pending' ? initial.beginning : state.beginning,
    search: { ...state.search, found: dropPending(state.search.found) },
    person: { ...state.person, load: dropPending(state.person.load) },
    writer: { ...state.writer, load: dropPending(state.writer.load) },
    holder: initial.holder,
    made: dropPending(state.made),
    people: { ...state.people, load: dropPending(state.people.load) },
    publishing: dropPending(state.publishing),
    exporting: state.exporting?.attempt.status === 'pending' ? null : state.exporting,
  }),

  'folderExport/requested': (state, event) => ({
    ...state,
    exporting: { source: event.data.source, attempt: pendingStatus(event) },
  }),
  'folderExport/done': (state) => withExport(state, successStatus),
  'folderExport/failed': (state, { data }) => withExport(state, failedStatus(data.failure)),
})

export const planSlices = { plan, fitting, suggestions, rulesFile, adopting: adoption }

const withFound = (state: PlanState, found: PlanState['search']['found']): PlanState =>
  withChanges(state, {
    search: withChanges(state.search, { found: settlePending(state.search.found, found) }),
  })

/** Choosing a person closes the search. */
const withWanted = (
  state: PlanState,
  wanted: PreviewPerson,
  load: PlanState['person']['load'],
): PlanState => ({ ...state, person: { wanted, load }, search: initial.search })

/** Starts loading the preview's person, once there is a draft to preview. */
const readingPerson = (state: PlanState, event: BeginEvent): PlanState =>
  state.draft && state.person.wanted !== 'sample' && state.person.load.status === 'idle'
    ? { ...state, person: { ...state.person, load: pendingStatus(event) } }
    : state

const withPerson = (state: PlanState, load: PlanState['person']['load']): PlanState =>
  withChanges(state, { person: withChanges(state.person, { load: settlePending(state.person.load, load) }) })

const withWriter = (state: PlanState, load: PlanState['writer']['load']): PlanState =>
  withChanges(state, { writer: withChanges(state.writer, { load: settlePending(state.writer.load, load) }) })

/** The search for a person who has a signature; `idle` if the last search was for other rules. */
export const holderOf = ({ holder }: PlanState, { selection }: Signature): PlanState['holder']['load'] =>
  holder.selection === selection ? holder.load : idleStatus

const withHolder = (state: PlanState, load: PlanState['holder']['load']): PlanState =>
  withChanges(state, { holder: withChanges(state.holder, { load: settlePending(state.holder.load, load) }) })

const withExport = (state: PlanState, outcome: Attempt): PlanState =>
  state.exporting
    ? {
        ...state,
        exporting: { ...state.exporting, attempt: settlePending(state.exporting.attempt, outcome) },
      }
    : state

/** The number of people per page. */
export const PEOPLE_PER_PAGE = 50

/** Loads pages until there are enough people to show. An empty page is not always the last one. */
const readOn = (people: PlanPeople, event: BeginEvent): PlanPeople =>
  (people.items?.length ?? 0) < people.from + PEOPLE_PER_PAGE ? loadNextPage(people, event) : people

/** Whether the plan is for the current draft. */
export const isPlanCurrent = ({ made, draft }: PlanState): boolean =>
  made.status === 'success' && draft !== null && made.value.document === draft.document
