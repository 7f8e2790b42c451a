import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { id, listOf, open, orNull, shape } from '../../kernel/field.ts'
import type { Handle } from '../../kernel/handle.ts'
import { defineAttempt, defineLoad } from '../../kernel/load.ts'
import { definePages } from '../../kernel/pages.ts'
import type { FoundPerson } from '../../wire/administration/people.ts'
import type { FolderFinding, Plan, PlanPage, Releases } from '../../wire/administration/publishing.ts'
import type { ReleaseDocument } from '../../organisation/release/release.ts'
import type { FirstTemplate } from '../../organisation/release/firstRelease.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import type { SampleRecipients } from '../../organisation/release/supposed.ts'
import type { Draft, Edit } from './draft.ts'
import type { FolderRefusal } from './folder.ts'
import type { Banner, BannerPicture, PictureRefusal } from './banners.ts'
import type { BlockChanges } from './blocks.ts'
import type { PreviewUse } from './preview.ts'
import type { AdoptedSamples, ReadSample, SampleRefusal } from './samples.ts'
import type { SignatureChanges } from './signatures.ts'
import type { TakenTemplate } from './taken.ts'

/**
 * How the browser keeps the draft. `kept`: available at a later visit. `untilClosed`: lost when the page closes.
 * `refused`: the browser did not store it.
 */
export type DraftKept = 'kept' | 'untilClosed' | 'refused'

/** The open template's source and its preview. A wide page shows both; a narrow page shows the chosen one. */
export type WorkbenchSide = 'source' | 'preview'

export type ExportSource = 'draft' | 'published'

export const Planning = defineEvents('plan', {
  // A draft begins.
  /** The administrator opened a page of the draft, and no draft exists. It begins from the published release. */
  draftNeeded: fact({}),
  /** The administrator retries to begin a draft from the published release. */
  publishedChosen: gesture({}),
  /**
   * The administrator begins with a first signature, because nothing is published. `template` is from the gallery; null
   * means a short template.
   */
  firstChosen: gesture({ template: orNull(shape<FirstTemplate>()('taken')) }),
  /** The administrator dropped or chose a folder or an archive. */
  folderChosen: gesture({ folder: open<Handle>() }),
  draftBegun: fact({ draft: shape<Draft>()('draft'), findings: listOf(open<FolderFinding>()) }),
  folderRefused: fact({ refusal: open<FolderRefusal>() }),
  /** The folder's signet.yaml cannot be read, so no draft begins. */
  folderNotRead: fact({ findings: listOf(open<FolderFinding>()) }),
  beginFailed: fact({ failure: failureField }),
  /** The draft that the browser stored at an earlier visit; null if there was none. */
  draftRestored: fact({ draft: orNull(shape<Draft>()('draft')) }),
  draftWritten: fact({ kept: open<DraftKept>() }),
  discarded: gesture({}),

  // Edits to the draft's signatures.
  signatureChanged: gesture({
    signature: open<string>(),
    changes: shape<SignatureChanges>()('signatureChanges'),
  }),
  /** `to` is the new index among the signatures, from 0. */
  signatureMoved: gesture({ signature: open<string>(), to: open<number>() }),
  /** `signature` is the new signature's id. `like` is the signature to copy; null means a short template. */
  signatureAdded: gesture({ signature: id('signature'), name: id('name'), like: orNull(open<string>()) }),
  /** The administrator adds a template from the gallery, or an adopted template, as a new signature with this id. */
  templateTaken: gesture({ signature: id('signature'), taken: shape<TakenTemplate>()('taken') }),
  signatureRemoved: gesture({ signature: open<string>() }),

  // Edits to the draft's blocks.
  blockChanged: gesture({ block: open<string>(), changes: shape<BlockChanges>()('blockChanges') }),
  /** `to` is the new index among the slot's blocks, from 0. */
  blockMoved: gesture({ block: open<string>(), to: open<number>() }),
  /** `block` is the new block's id. `like` is the block to copy; null means a short template. */
  blockAdded: gesture({ block: id('block'), name: id('name'), like: orNull(open<string>()) }),
  blockRemoved: gesture({ block: open<string>() }),
  countingSwitched: gesture({ isOn: open<boolean>() }),

  // A banner is made.
  /** The administrator dropped or chose the picture of a banner. */
  pictureChosen: gesture({ picture: open<Handle>() }),
  pictureRead: fact({ picture: shape<BannerPicture>()('picture') }),
  pictureRefused: fact({ refusal: open<PictureRefusal>() }),
  /** The administrator adds a banner with the chosen picture. `block` is the new block's id. */
  bannerAdded: gesture({ block: id('block'), banner: shape<Banner>()('banner') }),

  // Edits to the draft's templates.
  /** `line` and `column` place the cursor. If null, the cursor keeps its place, or moves to the beginning. */
  templateOpened: gesture({
    path: open<string>(),
    line: orNull(open<number>()),
    column: orNull(open<number>()),
  }),
  /** The administrator clicked a word or picture in the preview. `from` and `to` are its place in the source. */
  wordChosen: gesture({ path: open<string>(), from: open<number>(), to: open<number>() }),
  /** The cursor or selection in the source moved. */
  selected: gesture({ path: open<string>(), from: open<number>(), to: open<number>() }),
  edited: gesture({ path: open<string>(), edits: listOf(open<Edit>()) }),
  /** The user paused typing, so the preview and the problems are recomputed. */
  paused: fact({}),
  /** The administrator opened or closed the list of templates. */
  listShown: gesture({ isShown: open<boolean>() }),
  /** On a narrow page, the administrator switched between a template's source and its preview. */
  sideChosen: gesture({ side: open<WorkbenchSide>() }),

  // The preview of the draft.
  personSearched: gesture({ text: id('search') }),
  peopleFound: fact({ people: listOf(shape<FoundPerson>()('person')) }),
  searchFailed: fact({ failure: failureField }),
  personChosen: gesture({ person: id('person') }),
  /** The administrator chose their own data for the preview. */
  selfChosen: gesture({}),
  sampleChosen: gesture({}),
  personRead: fact({ person: shape<PersonState>()('person') }),
  personFailed: fact({ failure: failureField }),
  dayChosen: gesture({ day: orNull(open<string>()) }),
  kindChosen: gesture({ use: open<PreviewUse>() }),
  /** The administrator chose the recipients of the preview's message; null for no recipients. */
  recipientsChosen: gesture({ recipients: orNull(open<SampleRecipients>()) }),
  darkChosen: gesture({ isDark: open<boolean>() }),

  // The plan of the draft.
  planRequested: gesture({}),
  planned: fact({ plan: shape<Plan>()('plan'), document: shape<ReleaseDocument>()('document') }),
  /** The service rejected the draft. `findings` lists the mistakes and their places. */
  draftRefused: fact({ findings: listOf(open<FolderFinding>()) }),
  planFailed: fact({ failure: failureField }),
})

/** The people in a plan. Each request's query is the plan's id. */
export const PlannedPeople = {
  ...definePages(
    'plannedPeople',
    { query: open<string>(), after: orNull(open<string>()), page: shape<PlanPage>()('people') },
    ({ people }) => people,
  ),
  ...defineEvents('plannedPeople', {
    /** The administrator moves to another page of people. `from` is the index of the page's first person, from 0. */
    shown: gesture({ from: open<number>() }),
  }),
}

export const Publishing = defineAttempt(
  'publishing',
  /** `all`: the administrator allows more changed people than the plan's limit. */
  { note: id('note'), all: open<boolean>() },
  {
    release: open<string>(),
    history: shape<Releases['history']>()('releases'),
  },
)

/** Exports the draft, or the published release, as an archive of its folder. */
export const FolderExport = defineAttempt('folderExport', { source: open<ExportSource>() }, {})

/** Makes a template from an existing signature. */
export const Adopting = {
  ...defineLoad('adopting', shape<AdoptedSamples>()('adopted')),
  ...defineEvents('adopting', {
    /** The administrator dropped, chose or pasted existing signatures. */
    chosen: gesture({ files: open<Handle>() }),
    read: fact({ samples: listOf(shape<ReadSample>()('sample')) }),
    refused: fact({ refusal: open<SampleRefusal>() }),
    /** `sample` is an index among the samples, from 0. */
    sampleRemoved: gesture({ sample: open<number>() }),
    /** `person` is the address of the signature's owner; null to search the sample for the owner. */
    personGiven: gesture({ sample: open<number>(), person: orNull(id('person')) }),
    beginningTyped: gesture({ from: shape<string>()('text') }),
    requested: gesture({}),
  }),
}

const yaml = shape<string>()('text')

/** The draft's signet.yaml, as written by the service. */
export const RulesFile = defineLoad('rulesFile', yaml)

/** Applies an edited signet.yaml to the draft. `document` is null if the text has mistakes; `findings` lists them. */
export const RulesFileTaking = defineAttempt(
  'rulesFileTaking',
  { yaml },
  {
    yaml,
    document: orNull(shape<ReleaseDocument>()('document')),
    findings: shape<readonly FolderFinding[]>()('findings'),
  },
)

export const RulesFileEdits = defineEvents('rulesFileEdits', { typed: gesture({ text: yaml }) })

export const planDomains = [
  Planning,
  PlannedPeople,
  Publishing,
  FolderExport,
  RulesFile,
  RulesFileEdits,
  RulesFileTaking,
  Adopting,
] as const
