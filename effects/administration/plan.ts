import {
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  endWith,
  exhaustMap,
  expand,
  filter,
  forkJoin,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  switchMap,
  tap,
} from 'rxjs'
import type { AdministrationEvent } from '../../streams/administration/events.ts'
import {
  type ChosenPicture,
  MAX_BANNER_BYTES,
  readBannerPicture,
} from '../../streams/administration/plan/banners.ts'
import { blockPath } from '../../streams/administration/plan/blocks.ts'
import { type Draft, isDraftChanged, parseDraft } from '../../streams/administration/plan/draft.ts'
import { Designing } from '../../streams/administration/design/events.ts'
import { adoptRequestOf } from '../../streams/administration/plan/adopting.ts'
import {
  Adoption,
  Fitting,
  FolderExport,
  PlannedPeople,
  Planning,
  Publishing,
  Suggestions,
} from '../../streams/administration/plan/events.ts'
import { holderOf } from '../../streams/administration/plan/reducer.ts'
import { signatureToHold } from '../../streams/administration/plan/openPage.ts'
import { isSameSelection } from '../../streams/administration/plan/fitting.ts'
import { templateFindingsOf } from '../../streams/administration/plan/refused.ts'
import { RulesFile, RulesFileApplying } from '../../streams/administration/plan/events.ts'
import { selectShownRules } from '../../streams/administration/plan/openPage.ts'
import { showsDraft, signaturePath } from '../../streams/administration/plan/signatures.ts'
import { mayEnter } from '../../streams/administration/session/rules.ts'
import { OnePerson } from '../../streams/administration/people/events.ts'
import { Place } from '../../streams/administration/place/events.ts'
import { Session } from '../../streams/administration/session/events.ts'
import { workName } from '../../streams/administration/work/rules.ts'
import {
  type AddingRefusal,
  draftPictureAt,
  MAX_GIVEN_PICTURE_BYTES,
  scalableRaster,
  sizeWithinLimits,
} from '../../streams/administration/plan/draftPictures.ts'
import { base64ByteSize } from '../../streams/html/raster.ts'
import { firstDraftParts } from '../../streams/administration/plan/first.ts'
import { ofType } from '../../streams/kernel/event.ts'
import type { Handle } from '../../streams/kernel/handle.ts'
import { idleStatus } from '../../streams/kernel/load.ts'
import { splitIntoUploads, type PictureUpload } from '../../streams/administration/plan/pictures.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { emitAfter, debounceBy, now } from '../../streams/kernel/time.ts'
import type { KeyValueStore, WriteOutcome } from '../ports.ts'
import type { AdministrationPorts } from './ports.ts'
import {
  type AdministrationEffect,
  createAttemptEffect,
  createLoadEffect,
  createPageEffect,
  whileSignedIn,
} from './program.ts'

/** How long the typing must pause before the preview and the problems are recomputed. */
export const TYPING_PAUSE_MS = 250
/** How long the typing must pause before a search or a count of people is sent. */
export const SEARCH_PAUSE_MS = 300

const DRAFT_KEY = 'draft'
const PICTURES_KEY = 'draftPictures'
/** The version of stored drafts; other versions are ignored. Increase it when the draft's shape changes. */
const DRAFT_VERSION = 1

/**
 * Begins a draft from the latest choice: the published release or a folder. A new choice or the end of the session
 * cancels a pending one.
 */
const beginDraft: AdministrationEffect = (event$, _state$, ports) =>
  event$.pipe(
    ofType(Planning.draftNeeded, Planning.publishedChosen, Planning.folderChosen),
    switchMap((event) =>
      (event.type === Planning.folderChosen.type
        ? beginFromFolder(ports, event.data.folder, workName(ports.visit, event.meta.seq))
        : beginFromPublished(ports)
      ).pipe(
        settle((begun) => begun, Planning.beginFailed),
        whileSignedIn(event$),
      ),
    ),
  )

/**
 * Begins a draft on the draft's pages if none exists: when the browser has no stored draft, and after a discard. An
 * unchanged copy of the published release is read again on each return to these pages, because others may have
 * published meanwhile.
 */
const needDraft: AdministrationEffect = (event$, state$) =>
  merge(
    event$.pipe(ofType(Planning.draftRestored, Planning.discarded)),
    event$.pipe(
      ofType(Place.entered),
      map(({ data }) => showsDraft(data.path)),
      distinctUntilChanged(),
      filter(Boolean),
    ),
  ).pipe(
    filter(() => {
      const { place, plan, session } = state$.value
      const isWanted = showsDraft(place.path) && mayEnter(session, place.path)
      const isDue = plan.draft === null || !isDraftChanged(plan.draft)
      return isWanted && isDue && plan.wasRestored !== null && plan.beginning.status !== 'pending'
    }),
    map(() => Planning.draftNeeded()),
  )

/** Begins a draft from the published release, without a folder name. */
const beginFromPublished = ({ api, time }: AdministrationPorts): Observable<AdministrationEvent> =>
  api.exported(null).pipe(
    map(({ release: base, document, pictures }) =>
      Planning.draftBegun({
        draft: newDraft({ base, folder: null, document, pictures, yaml: null }, now(time)),
        findings: [],
      }),
    ),
  )

/** Begins a draft with one signature, for an organisation that has published nothing. */
const beginFirst: AdministrationEffect = (event$, state$, { time }) =>
  event$.pipe(
    ofType(Planning.firstChosen),
    map(({ data }) => {
      const first = firstDraftParts(state$.value.owner, data.template)
      const draft = newDraft({ base: null, folder: null, ...first, yaml: null }, now(time))
      return Planning.draftBegun({ draft: { ...draft, original: null, hasNewRules: true }, findings: [] })
    }),
  )

const newDraft = (
  from: Pick<Draft, 'base' | 'folder' | 'document' | 'pictures' | 'yaml'>,
  at: number,
): Draft => ({
  ...from,
  begun: at,
  changed: at,
  original: from.document,
  edited: [],
  hasNewRules: false,
})

/** Reads a folder in the browser. The service then checks it, like `signet check`. */
const beginFromFolder = (
  { api, folders, time }: AdministrationPorts,
  folder: Handle,
  work: string,
): Observable<AdministrationEvent> =>
  folders.read(folder).pipe(
    switchMap((read) =>
      'reason' in read
        ? of(Planning.folderRefused({ refusal: read }))
        : forkJoin({
            base: api.releases().pipe(map(({ current }) => current)),
            checked: api.readFolder(read.files, work),
          }).pipe(
            map(({ base, checked: { document, pictures, yaml, findings } }) => {
              if (document === null) return Planning.folderNotRead({ findings })
              const draft = newDraft({ base, folder: read.folder, document, pictures, yaml }, now(time))
              return Planning.draftBegun({ draft, findings })
            }),
          ),
    ),
  )

/** Restores the draft of an earlier visit, once. Ignores a draft of another organisation. */
const restoreDraft: AdministrationEffect = (event$, state$, { drafts }) =>
  event$.pipe(
    ofType(Session.opened),
    filter(() => state$.value.plan.wasRestored === null),
    switchMap(({ data: { me } }) =>
      forkJoin([drafts.get(DRAFT_KEY), drafts.get(PICTURES_KEY)]).pipe(
        map(([kept, pictures]) =>
          Planning.draftRestored({ draft: readKept(kept, pictures, me.organisation) }),
        ),
        whileSignedIn(event$),
      ),
    ),
  )

/** Reads the stored draft. Drops the pictures of another draft, which an unfinished write may have left. */
function readKept(kept: unknown, pictures: unknown, organisation: string): Draft | null {
  const { version, organisation: whose, draft } = (kept ?? {}) as Record<string, unknown>
  const { of: owner, pictures: contents } = (pictures ?? {}) as Record<string, unknown>
  if (version !== DRAFT_VERSION || whose !== organisation) return null
  if (typeof draft !== 'object' || draft === null) return null
  const { begun } = draft as Record<string, unknown>
  const read = parseDraft({ ...draft, pictures: owner === begun ? contents : {} })
  return read && isDraftChanged(read) ? read : null
}

/** Stores a draft. Stores its pictures only if `withPictures` is set, because they can be large and rarely change. */
function writeDraft(
  drafts: KeyValueStore,
  draft: Draft,
  organisation: string | null,
  withPictures: boolean,
): Observable<WriteOutcome> {
  const { pictures, ...rest } = draft
  const write = () => drafts.set(DRAFT_KEY, { version: DRAFT_VERSION, organisation, draft: rest })
  return withPictures
    ? drafts
        .set(PICTURES_KEY, { of: draft.begun, pictures })
        .pipe(switchMap((written) => write().pipe(map((also) => (written === 'kept' ? also : written)))))
    : write()
}

/** The events that may change the draft's document. */
const EDITS = [
  Designing.acted,
  Designing.typed,
  Designing.undone,
  Designing.redone,
  Planning.edited,
  Planning.signatureChanged,
  Planning.signatureMoved,
  Planning.signatureAdded,
  Planning.signatureRemoved,
  Planning.templateTaken,
  Planning.blockChanged,
  Planning.blockMoved,
  Planning.blockAdded,
  Planning.blockRemoved,
  Planning.countingSwitched,
  Planning.linkingSwitched,
  Planning.brandChanged,
  Planning.bannerAdded,
  Planning.pictureAdded,
  Planning.smallerPictureAdded,
  Planning.picturesRemoved,
  RulesFileApplying.done,
] as const

/** The result of a write: the stored draft, or null after a removal, and whether the browser kept it. */
type Kept = Readonly<{ draft: Draft | null; written: WriteOutcome }>

/**
 * Stores the edited draft, one write at a time. A change during a write causes another write, so the last edit is
 * always stored. Removes a discarded draft, and keeps the draft when the session ends. Does not store an unchanged copy
 * of the published release.
 */
const keepDraft: AdministrationEffect = (event$, state$, { drafts }) =>
  defer(() => {
    /** The stored pictures; null before the first write. */
    let stored: Draft['pictures'] | null = null
    const keep = (): Observable<Kept> =>
      defer(() => {
        const {
          owner,
          plan: { draft, wasRestored },
        } = state$.value
        if (draft === null && wasRestored === null) return EMPTY
        if (draft === null || !isDraftChanged(draft))
          return remove(drafts).pipe(map((): Kept => ({ draft, written: 'kept' })))
        return writeDraft(drafts, draft, owner?.organisation ?? null, stored !== draft.pictures).pipe(
          map((written): Kept => {
            // If the browser refuses the pictures, the next edit writes them again.
            if (written !== 'refused') stored = draft.pictures
            return { draft, written }
          }),
        )
      })
    return event$.pipe(
      ofType(Planning.draftBegun, ...EDITS, Publishing.done, Planning.discarded),
      exhaustMap(() =>
        keep().pipe(expand(({ draft }) => (draft === state$.value.plan.draft ? EMPTY : keep()))),
      ),
      filter(({ written }) => state$.value.plan.kept !== written),
      map(({ written }) => Planning.draftWritten({ kept: written })),
    )
  })

const remove = (drafts: KeyValueStore) => forkJoin([drafts.remove(DRAFT_KEY), drafts.remove(PICTURES_KEY)])

/** Opens the page of a new signature or block. */
const openAdded: AdministrationEffect = (event$, _state$, { address }) =>
  event$.pipe(
    ofType(Planning.signatureAdded, Planning.templateTaken, Planning.blockAdded, Planning.bannerAdded),
    tap(({ data }) => address.go('block' in data ? blockPath(data.block) : signaturePath(data.signature))),
    ignoreElements(),
  )

/** Reads the chosen banner picture. A new choice cancels a pending one. */
const readPicture: AdministrationEffect = (event$, _state$, { files }) =>
  event$.pipe(
    ofType(Planning.pictureChosen, Planning.draftPictureChosen),
    switchMap((event) =>
      event.type === Planning.pictureChosen.type
        ? files.picture(event.data.picture, MAX_BANNER_BYTES).pipe(
            map(readBannerPicture),
            settle(
              (read) =>
                typeof read === 'string'
                  ? Planning.pictureRefused({ refusal: read })
                  : Planning.pictureRead({ picture: read }),
              () => Planning.pictureRefused({ refusal: 'unreadable' }),
            ),
          )
        : EMPTY,
    ),
  )

/**
 * Reads the pictures that were given for the draft, one after the other. A picture beyond the limits waits for the
 * administrator, and is then scaled down. It is read again, so that the page does not hold its content meanwhile.
 */
const addPictures: AdministrationEffect = (event$, _state$, { files, pictures }) =>
  event$.pipe(
    ofType(Planning.pictureGiven, Planning.largePictureWanted),
    concatMap((event) => {
      const { name, picture } = event.data
      const notAdded = (refusal: AddingRefusal) => Planning.pictureNotAdded({ name, refusal })
      const read = (chosen: ChosenPicture | null) => {
        const found = readBannerPicture(chosen)
        if (typeof found !== 'string') return Planning.pictureAdded({ picture: found })
        const raster = chosen && scalableRaster(chosen.base64)
        return event.type === Planning.pictureGiven.type && raster && sizeWithinLimits(raster)
          ? Planning.pictureTooLarge({ name, picture, bytes: base64ByteSize(chosen.base64), raster })
          : notAdded(found)
      }
      return files.picture(picture, MAX_GIVEN_PICTURE_BYTES).pipe(
        switchMap((chosen) => {
          const raster = chosen && scalableRaster(chosen.base64)
          if (event.type === Planning.pictureGiven.type || !raster) return of(chosen)
          const { width, height } = event.data
          return pictures.scaled({ ...chosen, raster }, { width, height })
        }),
        settle(read, () => notAdded(event.type === Planning.pictureGiven.type ? 'unreadable' : 'notScaled')),
      )
    }),
  )

/** Makes smaller copies of the draft's pictures, one after the other. Refuses a copy that is not lighter. */
const scalePictures: AdministrationEffect = (event$, state$, { pictures }) =>
  event$.pipe(
    ofType(Planning.smallerPictureWanted),
    map(({ data }) => {
      const { draft } = state$.value.plan
      return { ...data, original: draft && draftPictureAt(draft, data.path) }
    }),
    concatMap(({ path, width, height, original }) => {
      if (original === null) return EMPTY
      const refused = (refusal: AddingRefusal) => Planning.pictureNotAdded({ name: path, refusal })
      return pictures.scaled(original, { width, height }).pipe(
        map(readBannerPicture),
        settle(
          (read) =>
            typeof read === 'string'
              ? refused('notScaled')
              : read.base64.length < original.base64.length
                ? Planning.smallerPictureAdded({ path, picture: read })
                : refused('notLighter'),
          () => refused('notScaled'),
        ),
      )
    }),
  )

const pauseTyping: AdministrationEffect = (event$, _state$, { time }) =>
  event$.pipe(
    ofType(...EDITS),
    debounceBy(TYPING_PAUSE_MS, time),
    map(() => Planning.paused()),
  )

/** Notes other rules on the open page once the typing pauses. */
const noteShownRules: AdministrationEffect = (event$, state$, { time }) =>
  event$.pipe(
    map(() => selectShownRules(state$.value)),
    distinctUntilChanged(isSameSelection),
    switchMap((selection) =>
      selection === null
        ? EMPTY
        : emitAfter(SEARCH_PAUSE_MS, time).pipe(map(() => Fitting.shown({ selection }))),
    ),
  )

/** Counts the people whom the shown rules fit. */
const countFitting = createLoadEffect(
  ({ fitting }) => fitting.load,
  Fitting,
  ({ api }, { fitting: { selection } }) => (selection === null ? EMPTY : api.countPeople(selection)),
)

/** Loads values for a condition: at once for an empty text, else when the typing pauses. */
const seekValues = createLoadEffect(
  ({ suggestions }) => suggestions.load,
  Suggestions,
  ({ api, time }, { suggestions: { sought } }) =>
    sought === null
      ? EMPTY
      : emitAfter(sought.search === '' ? 0 : SEARCH_PAUSE_MS, time).pipe(
          switchMap(() => api.fieldValues(sought.field, sought.search)),
        ),
)

const searchPeople: AdministrationEffect = (event$, _state$, { api, time }) =>
  event$.pipe(
    ofType(
      Planning.personSearched,
      Planning.personChosen,
      Planning.selfChosen,
      Planning.sampleChosen,
      Planning.writerChosen,
      OnePerson.writerChosen,
      Adoption.personGiven,
    ),
    switchMap((event) =>
      event.type === Planning.personSearched.type
        ? emitAfter(SEARCH_PAUSE_MS, time).pipe(
            switchMap(() => api.findPeople(event.data.text, null)),
            settle(({ people }) => Planning.peopleFound({ people }), Planning.searchFailed),
          )
        : EMPTY,
    ),
  )

/** Reads the person for the preview. Finds the administrator's own data by the sign-in address. */
const readPerson = createLoadEffect(
  ({ plan }) => plan.person.load,
  { loaded: ({ value }) => Planning.personRead({ person: value }), loadFailed: Planning.personFailed },
  ({ api }, { plan, session }) => {
    const { wanted } = plan.person
    const self = session.status === 'in' ? session.me.name : null
    const asked = typeof wanted === 'object' ? wanted.id : wanted === 'self' ? self : null
    return asked === null ? EMPTY : api.person(asked, null).pipe(map(({ person }) => person))
  },
)

/** Reads the person who writes for the previewed mailbox. */
const readWriter = createLoadEffect(
  ({ plan }) => plan.writer.load,
  { loaded: ({ value }) => Planning.writerRead({ person: value }), loadFailed: Planning.writerFailed },
  ({ api }, { plan: { writer } }) =>
    writer.wanted === null ? EMPTY : api.person(writer.wanted, null).pipe(map(({ person }) => person)),
)

/** Looks for a person who has the signature whose page is open, when the preview needs one. */
const needHolder: AdministrationEffect = (event$, state$, { time }) =>
  event$.pipe(
    filter(() => state$.value.session.status === 'in'),
    map(() => signatureToHold(state$.value.plan, now(time))),
    filter((signature) => signature !== null),
    filter((signature) => holderOf(state$.value.plan, signature).status === 'idle'),
    map(({ id }) => Planning.holderNeeded({ signature: id })),
  )

const findHolder = createLoadEffect(
  ({ plan }) => plan.holder.load,
  { loaded: ({ value }) => Planning.holderFound({ person: value }), loadFailed: Planning.holderFailed },
  ({ api }, { plan: { holder } }) =>
    holder.selection === null ? EMPTY : api.matchingPerson(holder.selection),
)

/** Asks which of the draft's pictures the service lacks, and returns these. */
const missingPictures = ({ api }: AdministrationPorts, draft: Draft): Observable<PictureUpload> => {
  const hashes = [...new Set(Object.values(draft.document.pictures))]
  if (hashes.length === 0) return of({})
  return api.missingPictures(hashes).pipe(
    map((missing) =>
      Object.fromEntries(
        missing.flatMap((hash) => {
          const picture = draft.pictures[hash]
          return picture ? [[hash, picture.base64] as const] : []
        }),
      ),
    ),
  )
}

/** Uploads the draft's new pictures, then requests the plan. */
const makePlan = createLoadEffect(
  ({ plan }) => plan.made,
  {
    loaded: ({ value }) => Planning.planned(value),
    loadFailed: ({ failure }) => {
      const findings = templateFindingsOf(failure)
      return findings === null ? Planning.planFailed({ failure }) : Planning.draftRefused({ findings })
    },
  },
  (ports, { plan: { draft } }, { meta }) =>
    draft === null
      ? EMPTY
      : missingPictures(ports, draft).pipe(
          switchMap((missing) =>
            concat(...splitIntoUploads(missing).map((part) => ports.api.sendPictures(part))),
          ),
          ignoreElements(),
          endWith(null),
          switchMap(() => ports.api.plan(draft.document, null, workName(ports.visit, meta.seq))),
          map((plan) => ({ plan, document: draft.document })),
        ),
)

/** Requests the text of the draft's signet.yaml. */
const writeRules = createLoadEffect(
  ({ rulesFile }) => rulesFile.load,
  RulesFile,
  ({ api }, { plan: { draft } }) => (draft === null ? EMPTY : api.writtenYaml(draft.document, draft.yaml)),
)

/** Applies an edited signet.yaml to the draft. Keeps template edits that were made during the request. */
const takeRules = createAttemptEffect(
  ({ rulesFile }) => rulesFile.taking,
  RulesFileApplying,
  ({ api }, { yaml }, { plan: { draft } }) =>
    draft === null
      ? EMPTY
      : api
          .readYaml(yaml, draft.yaml, draft.document)
          .pipe(map(({ document, findings }) => ({ yaml, document, findings }))),
)

/** Reads the chosen existing signatures and the pictures given for them. A new choice cancels a pending one. */
const readSamples: AdministrationEffect = (event$, _state$, { folders }) =>
  event$.pipe(
    ofType(Adoption.chosen, Adoption.picturesGiven),
    switchMap(({ data }) =>
      folders.samples(data.files).pipe(
        settle(
          (read) =>
            'reason' in read ? Adoption.refused({ refusal: read }) : Adoption.read({ samples: read }),
          () => Adoption.refused({ refusal: { reason: 'unreadable' } }),
        ),
      ),
    ),
  )

/** Requests a template from the chosen signatures, and reads the first signature's person. */
const adoptSamples = createLoadEffect(
  ({ adopting }) => adopting.load,
  Adoption,
  ({ api }, { adopting, plan: { draft } }) =>
    draft === null
      ? EMPTY
      : api.adopt(adoptRequestOf(adopting, draft.document.variables)).pipe(
          switchMap((adopted) => {
            const [address = null] = adopted.people
            return address === null
              ? of({ adopted, person: null })
              : api.person(address, null).pipe(map(({ person }) => ({ adopted, person })))
          }),
        ),
)

const readPeople = createPageEffect(
  ({ plan }) => plan.people,
  PlannedPeople,
  ({ api }, { query, after: last }) => api.planPeople(query, last),
)

const publish = createAttemptEffect(
  (state) => state.plan.publishing,
  Publishing,
  ({ api, visit }, { note, all }, { plan: { made } }, { meta }) =>
    made.status === 'success'
      ? api.publish(made.value.plan.id, { note, all }, workName(visit, meta.seq))
      : EMPTY,
)

/** The folder name in the archive, for a draft without a folder name. */
const FOLDER = 'signatures'

/** Downloads the draft or the published release as an archive of its folder. A later request cancels a pending one. */
const exportFolder = createLoadEffect(
  ({ plan }) => plan.exporting?.attempt ?? idleStatus,
  { loaded: () => FolderExport.done(), loadFailed: FolderExport.failed },
  (ports, { plan }) => {
    const { api, folders, downloads } = ports
    const draft = plan.exporting?.source === 'draft' ? plan.draft : null
    const name = draft?.folder ?? FOLDER
    const files$ = draft
      ? missingPictures(ports, draft).pipe(
          switchMap((pictures) => api.writtenFolder(draft.document, pictures, draft.yaml)),
        )
      : api.exported(null).pipe(switchMap(({ document }) => api.writtenFolder(document, {}, null)))
    return files$.pipe(
      switchMap((files) => folders.pack(name, files)),
      switchMap((content) => downloads.save({ name: `${name}.zip`, mediaType: 'application/zip', content })),
    )
  },
)

export const planEffects = {
  restoreDraft,
  needDraft,
  beginFirst,
  beginDraft,
  openAdded,
  readPicture,
  addPictures,
  scalePictures,
  keepDraft,
  pauseTyping,
  noteShownRules,
  countFitting,
  seekValues,
  searchPeople,
  readPerson,
  readWriter,
  needHolder,
  findHolder,
  makePlan,
  writeRules,
  takeRules,
  readSamples,
  adoptSamples,
  readPeople,
  publish,
  exportFolder,
}
