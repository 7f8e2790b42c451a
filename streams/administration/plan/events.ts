import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { idField, listField, openField, nullableField, redactedField } from '../../kernel/field.ts'
import type { Raster } from '../../html/raster.ts'
import type { Handle } from '../../kernel/handle.ts'
import { defineAttempt, defineLoad } from '../../kernel/load.ts'
import { definePages } from '../../kernel/pages.ts'
import type { FittingPeople, FoundPerson } from '../../wire/administration/people.ts'
import type { FolderFinding, Plan, PlanPage, ReleaseHistory } from '../../wire/administration/publishing.ts'
import type { ReleaseDocument, Selection } from '../../organisation/release/release.ts'
import type { FieldValues, SuggestedField } from '../../organisation/rules/fieldValues.ts'
import type { FirstTemplate } from '../../organisation/release/firstRelease.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import type { SampleRecipients } from '../../organisation/release/supposed.ts'
import type { Draft, TemplateEdit } from './draft.ts'
import type { FolderRefusal } from './folder.ts'
import type { Banner, BannerAudience, BannerPicture, PictureRefusal } from './banners.ts'
import type { BlockChanges } from './blocks.ts'
import type { PreviewLook, PreviewUse, PreviewWidth } from './preview.ts'
import type { AddingRefusal } from './draftPictures.ts'
import type { BrandEdit } from './brandEdit.ts'
import type { CardChoice } from './cardFilter.ts'
import type { AdoptedSamples, ReadSample, SampleRefusal } from './samples.ts'
import type { SignatureChanges } from './signatures.ts'
import type { AddedTemplate } from './taken.ts'

/**
 * How the browser keeps the draft. `kept`: available at a later visit. `untilClosed`: lost when the page closes.
 * `refused`: the browser did not store it.
 */
export type DraftPersistence = 'kept' | 'untilClosed' | 'refused'

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
  firstChosen: gesture({ template: nullableField(redactedField<FirstTemplate>()('taken')) }),
  /** The administrator dropped or chose a folder or an archive. */
  folderChosen: gesture({ folder: openField<Handle>() }),
  draftBegun: fact({
    draft: redactedField<Draft>()('draft'),
    findings: listField(openField<FolderFinding>()),
  }),
  folderRefused: fact({ refusal: openField<FolderRefusal>() }),
  /** The folder's signet.yaml cannot be read, so no draft begins. */
  folderNotRead: fact({ findings: listField(openField<FolderFinding>()) }),
  beginFailed: fact({ failure: failureField }),
  /** The draft that the browser stored at an earlier visit; null if there was none. */
  draftRestored: fact({ draft: nullableField(redactedField<Draft>()('draft')) }),
  draftWritten: fact({ kept: openField<DraftPersistence>() }),
  discarded: gesture({}),

  // Edits to the draft's signatures.
  signatureChanged: gesture({
    signature: openField<string>(),
    changes: redactedField<SignatureChanges>()('signatureChanges'),
  }),
  /** `to` is the new index among the signatures, from 0. */
  signatureMoved: gesture({ signature: openField<string>(), to: openField<number>() }),
  /** `signature` is the new signature's id. `like` is the signature to copy; null means a short template. */
  signatureAdded: gesture({
    signature: idField('signature'),
    name: idField('name'),
    like: nullableField(openField<string>()),
  }),
  /** The administrator adds a template from the gallery, or an adopted template, as a new signature with this id. */
  templateTaken: gesture({ signature: idField('signature'), taken: redactedField<AddedTemplate>()('taken') }),
  signatureRemoved: gesture({ signature: openField<string>() }),
  /** The administrator searched or filtered the cards of all signatures. */
  cardsFiltered: gesture({ text: idField('search'), show: openField<CardChoice>() }),

  // Edits to the draft's blocks.
  blockChanged: gesture({
    block: openField<string>(),
    changes: redactedField<BlockChanges>()('blockChanges'),
  }),
  /** `to` is the new index among the slot's blocks, from 0. */
  blockMoved: gesture({ block: openField<string>(), to: openField<number>() }),
  /** `block` is the new block's id. `like` is the block to copy; null means a short template. */
  blockAdded: gesture({
    block: idField('block'),
    name: idField('name'),
    like: nullableField(openField<string>()),
  }),
  blockRemoved: gesture({ block: openField<string>() }),
  countingSwitched: gesture({ isOn: openField<boolean>() }),
  /** Links every picture, or only the pictures that a template links itself. */
  linkingSwitched: gesture({ isOn: openField<boolean>() }),

  // Edits to the draft's brand.
  brandChanged: gesture({ edit: redactedField<BrandEdit>()('brandEdit') }),

  // A banner is made.
  /** The administrator dropped or chose the picture of a banner. */
  pictureChosen: gesture({ picture: openField<Handle>() }),
  pictureRead: fact({ picture: redactedField<BannerPicture>()('picture') }),
  pictureRefused: fact({ refusal: openField<PictureRefusal>() }),
  /** The administrator chose the draft's picture at this path for a banner. */
  draftPictureChosen: gesture({ path: openField<string>() }),
  /** The administrator changed the rules for who gets the new banner. */
  audienceChosen: gesture({ audience: redactedField<BannerAudience>()('audience') }),
  /** The administrator adds a banner with the chosen picture. `block` is the new block's id. */
  bannerAdded: gesture({ block: idField('block'), banner: redactedField<Banner>()('banner') }),

  // Edits to the draft's pictures.
  /** The administrator dropped, chose or pasted a picture with this file name for the draft. */
  pictureGiven: gesture({ name: idField('name'), picture: openField<Handle>() }),
  pictureAdded: fact({ picture: redactedField<BannerPicture>()('picture') }),
  /** A given picture exceeds the limits, and can be scaled down. `bytes` is the size of its file. */
  pictureTooLarge: fact({
    name: idField('name'),
    picture: openField<Handle>(),
    bytes: openField<number>(),
    raster: openField<Raster>(),
  }),
  /** The administrator wants a picture beyond the limits at this size, in pixels. */
  largePictureWanted: gesture({
    name: idField('name'),
    picture: openField<Handle>(),
    width: openField<number>(),
    height: openField<number>(),
  }),
  /** The administrator does without a picture beyond the limits. */
  largePictureLeftOut: gesture({ picture: openField<Handle>() }),
  pictureNotAdded: fact({ name: idField('name'), refusal: openField<AddingRefusal>() }),
  /** The administrator wants a smaller copy of the picture at this path. `width` and `height` are in pixels. */
  smallerPictureWanted: gesture({
    path: openField<string>(),
    width: openField<number>(),
    height: openField<number>(),
  }),
  /** `path` is the path of the original. */
  smallerPictureAdded: fact({
    path: openField<string>(),
    picture: redactedField<BannerPicture>()('picture'),
  }),
  /** The administrator removed the pictures at these paths. Those that are used stay. */
  picturesRemoved: gesture({ paths: listField(openField<string>()) }),

  // Edits to the draft's templates.
  /** `line` and `column` place the cursor. If null, the cursor keeps its place, or moves to the beginning. */
  templateOpened: gesture({
    path: openField<string>(),
    line: nullableField(openField<number>()),
    column: nullableField(openField<number>()),
  }),
  /** The administrator clicked a word or picture in the preview. `from` and `to` are its place in the source. */
  wordChosen: gesture({ path: openField<string>(), from: openField<number>(), to: openField<number>() }),
  /** The cursor or selection in the source moved. */
  selected: gesture({ path: openField<string>(), from: openField<number>(), to: openField<number>() }),
  edited: gesture({ path: openField<string>(), edits: listField(openField<TemplateEdit>()) }),
  /** The user paused typing, so the preview and the problems are recomputed. */
  paused: fact({}),
  /** The administrator opened or closed the list of templates. */
  listShown: gesture({ isShown: openField<boolean>() }),
  /** On a narrow page, the administrator switched between a template's source and its preview. */
  sideChosen: gesture({ side: openField<WorkbenchSide>() }),

  // The preview of the draft.
  personSearched: gesture({ text: idField('search') }),
  peopleFound: fact({ people: listField(redactedField<FoundPerson>()('person')) }),
  searchFailed: fact({ failure: failureField }),
  personChosen: gesture({ person: idField('person') }),
  /** The administrator chose their own data for the preview. */
  selfChosen: gesture({}),
  sampleChosen: gesture({}),
  personRead: fact({ person: redactedField<PersonState>()('person') }),
  personFailed: fact({ failure: failureField }),
  /** The administrator chose who writes for the previewed mailbox; null for nobody in particular. */
  writerChosen: gesture({ person: nullableField(idField('person')) }),
  writerRead: fact({ person: redactedField<PersonState>()('person') }),
  writerFailed: fact({ failure: failureField }),
  /** The page looks for a person who has this signature, because the preview's person does not have it. */
  holderNeeded: fact({ signature: openField<string>() }),
  /** The administrator retries the search for such a person. */
  holderRetried: gesture({}),
  holderFound: fact({ person: nullableField(redactedField<FoundPerson>()('person')) }),
  holderFailed: fact({ failure: failureField }),
  dayChosen: gesture({ day: nullableField(openField<string>()) }),
  kindChosen: gesture({ use: openField<PreviewUse>() }),
  /** The administrator chose the recipients of the preview's message; null for no recipients. */
  recipientsChosen: gesture({ recipients: nullableField(openField<SampleRecipients>()) }),
  lookChosen: gesture({ look: openField<PreviewLook>() }),
  widthChosen: gesture({ width: openField<PreviewWidth>() }),

  // The plan of the draft.
  planRequested: gesture({}),
  planned: fact({
    plan: redactedField<Plan>()('plan'),
    document: redactedField<ReleaseDocument>()('document'),
  }),
  /** The service rejected the draft. `findings` lists the mistakes and their places. */
  draftRefused: fact({ findings: listField(openField<FolderFinding>()) }),
  planFailed: fact({ failure: failureField }),
})

/** How many people the rules on the open page fit. */
export const Fitting = {
  ...defineLoad('fitting', openField<FittingPeople>()),
  ...defineEvents('fitting', {
    /** The page shows other rules than before, and the typing paused. */
    shown: fact({ selection: redactedField<Selection>()('selection') }),
  }),
}

/** Values of the directory for a condition. */
export const Suggestions = {
  ...defineLoad('suggestions', redactedField<FieldValues>()('values')),
  ...defineEvents('suggestions', {
    /** The administrator opened the search for values, or typed a part of a value. */
    sought: gesture({ field: openField<SuggestedField>(), search: idField('search') }),
  }),
}

/** The people in a plan. Each request's query is the plan's id. */
export const PlannedPeople = {
  ...definePages(
    'plannedPeople',
    {
      query: openField<string>(),
      after: nullableField(openField<string>()),
      page: redactedField<PlanPage>()('people'),
    },
    ({ people }) => people,
  ),
  ...defineEvents('plannedPeople', {
    /**
     * The administrator moves to another page of people of the plan with the id `plan`. `from` is the index of the page's
     * first person, from 0.
     */
    shown: gesture({ plan: openField<string>(), from: openField<number>() }),
  }),
}

export const Publishing = defineAttempt(
  'publishing',
  /** `all`: the administrator allows more changed people than the plan's limit. */
  { note: idField('note'), all: openField<boolean>() },
  {
    release: openField<string>(),
    history: redactedField<ReleaseHistory['history']>()('releases'),
  },
)

/** Exports the draft, or the published release, as an archive of its folder. */
export const FolderExport = defineAttempt('folderExport', { source: openField<ExportSource>() }, {})

/** Makes a template from an existing signature. */
export const Adoption = {
  ...defineLoad('adopting', redactedField<AdoptedSamples>()('adopted')),
  ...defineEvents('adopting', {
    /** The administrator dropped, chose or pasted existing signatures. */
    chosen: gesture({ files: openField<Handle>() }),
    /** The administrator dropped or chose pictures for the result. */
    picturesGiven: gesture({ files: openField<Handle>() }),
    read: fact({ samples: listField(redactedField<ReadSample>()('sample')) }),
    refused: fact({ refusal: openField<SampleRefusal>() }),
    /** `sample` is an index among the samples, from 0. */
    sampleRemoved: gesture({ sample: openField<number>() }),
    /** `person` is the address of the signature's owner; null to search the sample for the owner. */
    personGiven: gesture({ sample: openField<number>(), person: nullableField(idField('person')) }),
    beginningTyped: gesture({ from: redactedField<string>()('text') }),
    requested: gesture({}),
  }),
}

const yaml = redactedField<string>()('text')

/** The draft's signet.yaml, as written by the service. */
export const RulesFile = defineLoad('rulesFile', yaml)

/** Applies an edited signet.yaml to the draft. `document` is null if the text has mistakes; `findings` lists them. */
export const RulesFileApplying = defineAttempt(
  'rulesFileTaking',
  { yaml },
  {
    yaml,
    document: nullableField(redactedField<ReleaseDocument>()('document')),
    findings: redactedField<readonly FolderFinding[]>()('findings'),
  },
)

export const RulesFileEdits = defineEvents('rulesFileEdits', { typed: gesture({ text: yaml }) })

export const planDomains = [
  Planning,
  Fitting,
  Suggestions,
  PlannedPeople,
  Publishing,
  FolderExport,
  RulesFile,
  RulesFileEdits,
  RulesFileApplying,
  Adoption,
] as const
