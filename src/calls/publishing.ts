/** What the calls about plans, releases and folders take and answer. */
import * as v from 'valibot'
import type { Exported, FolderRead, Plan, PlanPage, Releases } from '../../streams/organisation/answers.ts'
import type { PersonPlan, PlanSummary } from '../../streams/organisation/plan.ts'
import { documentSchema } from './document.ts'
import { MAX_FILES } from './paths.ts'
import { condition, dueChoice, period } from './people.ts'
import { after, byName, count, finding, hash, list, pictures, sentPictures, shape, time } from './shapes.ts'

const MAX_NOTE_CHARACTERS = 500
/** Longer than any path that a folder may have: the folder's own check names the file. */
const MAX_SENT_PATH = 1000

const aspect = v.picklist(['signature', 'reply', 'mobile', 'name', 'recipients', 'collection'])
const signatureChange = {
  kind: v.picklist(['added', 'removed', 'changed']),
  signature: v.string(),
  name: v.string(),
  aspects: list(aspect),
}
const because = v.nullable(v.union([v.picklist(['user', 'everyone']), list(condition)]))
const missing = { signature: v.string(), name: v.string(), variables: list(v.string()) }
const namedChoice = v.nullable(shape({ choice: dueChoice, name: v.string() }))
const look = v.nullable(
  shape({
    signature: v.nullable(v.string()),
    reply: v.nullable(v.string()),
    mobile: v.nullable(v.string()),
  }),
)
const counted = { people: count, sample: shape({ person: v.string(), address: v.string() }) }

const personPlan = shape({
  person: v.string(),
  address: v.string(),
  signatures: list(shape(signatureChange)),
  default: v.nullable(shape({ from: namedChoice, to: namedChoice, because })),
  losesAll: v.boolean(),
  reordered: v.boolean(),
  mayChoose: v.nullable(v.boolean()),
  mailboxes: shape({ added: list(v.string()), removed: list(v.string()) }),
  missing: list(shape(missing)),
}) satisfies v.GenericSchema<unknown, PersonPlan>

const summary = shape({
  people: count,
  unchanged: count,
  signatures: list(shape({ ...signatureChange, ...counted, before: look, after: look })),
  defaults: list(shape({ ...counted, from: v.nullable(v.string()), to: v.nullable(v.string()), because })),
  losing: list(shape(counted)),
  reordered: list(shape(counted)),
  choosing: list(shape({ ...counted, mayChoose: v.boolean() })),
  mailboxes: list(shape({ ...counted, address: v.string(), kind: v.picklist(['added', 'removed']) })),
  missing: list(shape({ ...counted, ...missing })),
}) satisfies v.GenericSchema<unknown, PlanSummary>

export const plan = shape({
  /** The same for the same release over the same base. */
  id: v.string(),
  /** The release that was published then; null before the first. */
  base: v.nullable(v.string()),
  release: v.string(),
  /** The moment for which both releases are looked at. */
  at: time,
  until: time,
  /** Where the addresses of pictures begin. */
  pictures: v.string(),
  summary,
  variables: list(shape({ path: v.string(), kind: v.picklist(['added', 'removed', 'changed']) })),
  /** Signatures whose period is not open at that moment. */
  closed: list(shape({ signature: v.string(), name: v.string(), during: period })),
}) satisfies v.GenericSchema<unknown, Plan>

export const plannedPeople = shape({
  people: list(personPlan),
  next: v.nullable(v.string()),
}) satisfies v.GenericSchema<unknown, PlanPage>

const history = list(
  shape({ release: v.string(), at: time, by: v.string(), note: v.string(), rolledBack: v.boolean() }),
)
const maintenance = v.nullable(v.picklist(['planned', 'active']))

export const releases = shape({
  current: v.nullable(v.string()),
  maintenance,
  history,
}) satisfies v.GenericSchema<unknown, Releases>

/** What publishing and rolling back answer. */
export const published = shape({ release: v.string(), history })
export const maintenanceStatus = shape({ status: maintenance })

export const exported = shape({
  release: v.string(),
  document: documentSchema,
  pictures,
}) satisfies v.GenericSchema<unknown, Exported>

/** Bytes of files as base64, by their paths in the folder. */
export const folderSent = shape({
  files: v.pipe(
    v.record(v.pipe(v.string(), v.maxLength(MAX_SENT_PATH)), v.string()),
    v.maxEntries(MAX_FILES),
    v.readonly(),
  ),
})
export const folderRead = shape({
  document: v.nullable(documentSchema),
  pictures,
  findings: list(shape({ ...finding, rule: v.string() })),
}) satisfies v.GenericSchema<unknown, FolderRead>

export const folderWanted = shape({ document: documentSchema, pictures: v.optional(sentPictures, {}) })
/** What `signet export` writes. */
export const folderWritten = shape({ files: byName(v.string()) })

export const ofId = shape({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(320)) })
export const hashes = shape({ pictures: v.pipe(v.array(hash), v.maxLength(MAX_FILES), v.readonly()) })
export const missingPictures = shape({ missing: list(v.string()) })
export const picturesSent = shape({ pictures: sentPictures })
export const planWanted = shape({
  document: documentSchema,
  pictures: v.optional(sentPictures, {}),
  at: v.exactOptional(time),
})
export const pageWanted = shape({ after: v.exactOptional(after) })
const note = v.optional(v.pipe(v.string(), v.maxLength(MAX_NOTE_CHARACTERS)), '')
export const publishing = shape({ plan: hash, note })
export const rollingBack = shape({ note })
export const exportWanted = shape({
  /** A release or a plan; without it the published release. */
  release: v.exactOptional(hash),
})
