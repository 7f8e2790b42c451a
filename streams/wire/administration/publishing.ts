/** Requests and responses for the calls about plans, releases and folders. */
import {
  flag,
  list,
  nullable,
  object,
  optional,
  record,
  type OutOf,
  text,
  withCheck,
} from '../../kernel/schema.ts'
import { pageStart, findingFields, hash, personKey, picturesByHash, pictureContents } from './shapes.ts'
import { time, listUpTo, recordUpTo, textUpTo } from '../../kernel/limits.ts'
import { maintenance } from '../../organisation/facts/events.ts'
import { neededApproval } from '../../organisation/plan/approval.ts'
import { editedItem } from '../../organisation/plan/editors.ts'
import { peopleLimit } from '../../organisation/plan/peopleLimit.ts'
import { personPlan, planSummary, variableChange } from '../../organisation/plan/plan.ts'
import { period } from '../../organisation/release/release.ts'
import { historyEntry as publishedEntry } from '../../organisation/facts/state.ts'
import { documentSchema } from './document.ts'
import { isStorableText } from '../../organisation/release/names.ts'
import { MAX_FOLDER_FILES, MAX_YAML_BYTES } from '../../organisation/release/paths.ts'

export const MAX_NOTE_CHARACTERS = 500
/**
 * The maximum length of a path. It exceeds the limit in a folder, so that the check of the folder can name a path that
 * is too long.
 */
const MAX_SENT_PATH = 1000

export const plan = object({
  /** The plan's id. Plans for the same release and base have the same id. */
  id: text,
  /** The published release when the plan was made; null before the first release. */
  base: nullable(text),
  release: text,
  /** The moment at which the plan compares the base with the release. */
  at: time,
  until: time,
  /** The base URL of all pictures. */
  pictures: text,
  summary: planSummary,
  variables: list(variableChange),
  /** Signatures whose period is not open at `at`. */
  closed: list(object({ signature: text, name: text, during: period })),
  /** Absent without a limit on people; earlier services always omit it. */
  limit: optional(peopleLimit),
  /** Absent if publishing needs no approval; earlier services always omit it. */
  approval: optional(neededApproval),
  /** Changed parts that only some publishers may change. Absent without any; earlier services always omit it. */
  edited: optional(list(editedItem)),
})
export type Plan = OutOf<typeof plan>

export const planPage = object({ people: list(personPlan), next: nullable(text) })
export type PlanPage = OutOf<typeof planPage>

const history = list(publishedEntry)

/** The history, latest first; `current` is null before the first release. */
export const releaseHistory = object({ current: nullable(text), maintenance, history })
export type ReleaseHistory = OutOf<typeof releaseHistory>

/** The response to publishing or rolling back. */
export const publishAnswer = object({ release: text, history })
export const maintenanceStatus = object({ status: maintenance })

export const releaseAnswer = object({ release: text, document: documentSchema })

/** A release with its pictures by content hash. */
export const exportAnswer = object({ release: text, document: documentSchema, pictures: picturesByHash })
export type ExportAnswer = OutOf<typeof exportAnswer>

/**
 * The text of a `signet.yaml`. Its limit in bytes also limits the characters, because each character has at least one
 * byte.
 */
const yaml = withCheck(textUpTo(MAX_YAML_BYTES), isStorableText, 'a text of whole characters')

/** File contents as base64, by path in the folder. */
export const folderCheckRequest = object({
  files: recordUpTo(text, MAX_FOLDER_FILES, textUpTo(MAX_SENT_PATH)),
})
const findings = list(object({ ...findingFields, rule: text }))
/**
 * The result of a check. `document` is null if any part of the folder is unreadable. A finding with level `error`
 * rejects the folder.
 */
export const folderCheck = object({
  document: nullable(documentSchema),
  pictures: picturesByHash,
  /** The text of `signet.yaml`; null if the file is missing or is not text. */
  yaml: optional(nullable(text), null),
  findings,
})
export type FolderFinding = OutOf<typeof folderCheck>['findings'][number]
export type FolderCheck = OutOf<typeof folderCheck>

const NO_PICTURES: Readonly<Record<string, string>> = {}

export const folderWriteRequest = object({
  document: documentSchema,
  pictures: optional(pictureContents, NO_PICTURES),
  /** The `signet.yaml` to update from the document; if absent, a new one is written. */
  yaml: optional(yaml),
})
/** The files that `signet export` writes. */
export const folderWriteAnswer = object({ files: record(text) })

/** `yaml` is the text to update with as few changes as possible; null for a new text. */
export const yamlWriteRequest = object({ document: documentSchema, yaml: nullable(yaml) })
export const yamlWriteAnswer = object({ yaml: text })
/** An edited `signet.yaml`, and a document with the templates and pictures from its folder. */
export const yamlCheckRequest = object({
  yaml,
  /** The text before the edit; null or absent for a new one. It tells which recipient lists are in files. */
  former: optional(nullable(yaml)),
  document: documentSchema,
})
/** `document` is null if the text is unreadable. Checks that need the pictures or `people.csv` are left out. */
export const yamlCheck = object({ document: nullable(documentSchema), findings })
export type YamlCheck = OutOf<typeof yamlCheck>

export const idParams = object({ id: personKey })
export const pictureHashes = object({ pictures: listUpTo(hash, MAX_FOLDER_FILES) })
export const missingPictures = object({ missing: list(text) })
export const picturesRequest = object({ pictures: pictureContents })
export const planRequest = object({
  document: documentSchema,
  pictures: optional(pictureContents, NO_PICTURES),
  at: optional(time),
})
export const pageQuery = object({ after: optional(pageStart) })
const note = optional(textUpTo(MAX_NOTE_CHARACTERS), '')
export const publishRequest = object({
  plan: hash,
  note,
  /** Publishes the plan even if it changes more people than its limit allows. */
  all: optional(flag, false),
})
export const rollBackRequest = object({ note })
export const exportQuery = object({
  /** The hash of a release or a plan; the default is the published release. */
  release: optional(hash),
})
