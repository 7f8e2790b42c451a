/**
 * The calls of the administration. The service makes routes of them, openapi.json describes them, and the command line and
 * the page send them. JSON below `ADMINISTRATION_PATH`; the body of an error is `{ code, message }`.
 */
import { anything, type InOf, type OutOf, record, type Schema, strict, text } from '../schema.ts'
import { directory, directoryRun, syncWanted } from './directory.ts'
import { audit, auditWanted, insight, me, overview, type Role } from './insight.ts'
import {
  answered,
  atTime,
  erased,
  explained,
  foundPeople,
  imported,
  importWanted,
  ofPerson,
  peopleSearch,
  personalData,
  signaturesWanted,
} from './people.ts'
import {
  exported,
  exportWanted,
  folderRead,
  folderSent,
  folderWanted,
  folderWritten,
  hashes,
  maintenanceStatus,
  missingPictures,
  ofId,
  pageWanted,
  picturesSent,
  plan,
  plannedPeople,
  planWanted,
  published,
  publishing,
  releases,
  rollingBack,
} from './publishing.ts'

export const ADMINISTRATION_PATH = '/api/administration/v1'
/** The limit of calls with documents, pictures, folders or imports. */
export const LARGE_BODY_BYTES = 20 * 1024 * 1024

export type Call = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `ADMINISTRATION_PATH`; `:id` is a parameter. */
  path: string
  /** The app role that the caller's token needs: `any` of them, or `none` and no token. */
  role: Role | 'any' | 'none'
  /** A sentence for openapi.json. */
  does: string
  params?: Schema<unknown>
  query?: Schema<unknown>
  /** JSON; a schema of a text means `text/csv`. */
  body?: Schema<unknown>
  isLarge?: true
  status: 200 | 201 | 202
  answer: Schema<unknown>
}>

const nothing = strict({})

export const CALLS = {
  me: {
    method: 'GET',
    path: '/me',
    role: 'any',
    does: 'Returns the caller and their roles.',
    status: 200,
    answer: me,
  },
  overview: {
    method: 'GET',
    path: '/overview',
    role: 'Signet.Read',
    does: 'Returns what is published and what needs attention.',
    status: 200,
    answer: overview,
  },
  insight: {
    method: 'GET',
    path: '/insight',
    role: 'Signet.Read',
    does: 'Counts signatures, versions and mail clients in use.',
    status: 200,
    answer: insight,
  },
  audit: {
    method: 'GET',
    path: '/audit',
    role: 'Signet.Audit',
    does: 'Lists who did what, latest first.',
    query: auditWanted,
    status: 200,
    answer: audit,
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    role: 'none',
    does: 'Describes these calls as OpenAPI 3.1.',
    status: 200,
    answer: record(anything),
  },

  missingPictures: {
    method: 'POST',
    path: '/pictures/missing',
    role: 'Signet.Read',
    does: 'Lists which of these pictures the service does not have.',
    body: hashes,
    isLarge: true,
    status: 200,
    answer: missingPictures,
  },
  sendPictures: {
    method: 'POST',
    path: '/pictures',
    role: 'Signet.Read',
    does: 'Stores pictures for a day, for plans that need them.',
    body: picturesSent,
    isLarge: true,
    status: 201,
    answer: nothing,
  },
  makePlan: {
    method: 'POST',
    path: '/plans',
    role: 'Signet.Read',
    does: 'Plans a document: returns what publishing it would change for whom, and stores the plan for a day.',
    body: planWanted,
    isLarge: true,
    status: 201,
    answer: plan,
  },
  plan: {
    method: 'GET',
    path: '/plans/:id',
    role: 'Signet.Read',
    does: 'Returns a stored plan.',
    params: ofId,
    status: 200,
    answer: plan,
  },
  plannedPeople: {
    method: 'GET',
    path: '/plans/:id/people',
    role: 'Signet.Read',
    does: 'Lists for whom a plan changes something, page by page.',
    params: ofId,
    query: pageWanted,
    status: 200,
    answer: plannedPeople,
  },
  publish: {
    method: 'POST',
    path: '/releases',
    role: 'Signet.Publish',
    does: 'Publishes a plan.',
    body: publishing,
    status: 201,
    answer: published,
  },
  releases: {
    method: 'GET',
    path: '/releases',
    role: 'Signet.Read',
    does: 'Lists what was published, latest first.',
    status: 200,
    answer: releases,
  },
  rollBack: {
    method: 'POST',
    path: '/releases/:id/rollback',
    role: 'Signet.Publish',
    does: 'Publishes an earlier release again.',
    params: ofId,
    body: rollingBack,
    status: 200,
    answer: published,
  },
  setMaintenance: {
    method: 'PUT',
    path: '/maintenance',
    role: 'Signet.Publish',
    does: 'Announces, begins or ends maintenance.',
    body: maintenanceStatus,
    status: 200,
    answer: maintenanceStatus,
  },
  export: {
    method: 'GET',
    path: '/export',
    role: 'Signet.Read',
    does: 'Returns a release or a plan with its pictures.',
    query: exportWanted,
    status: 200,
    answer: exported,
  },
  readFolder: {
    method: 'POST',
    path: '/folders',
    role: 'Signet.Read',
    does: 'Reads and checks the files of a folder, as signet check does.',
    body: folderSent,
    isLarge: true,
    status: 200,
    answer: folderRead,
  },
  writeFolder: {
    method: 'POST',
    path: '/folders/written',
    role: 'Signet.Read',
    does: 'Writes a document as the files of a folder, as signet export does.',
    body: folderWanted,
    isLarge: true,
    status: 200,
    answer: folderWritten,
  },

  people: {
    method: 'GET',
    path: '/people',
    role: 'Signet.Read',
    does: 'Searches people by a part of a name, an address or another value.',
    query: peopleSearch,
    status: 200,
    answer: foundPeople,
  },
  person: {
    method: 'GET',
    path: '/people/:id',
    role: 'Signet.Read',
    does: 'Returns which signatures a person has, and why.',
    params: ofPerson,
    query: atTime,
    status: 200,
    answer: explained,
  },
  signatures: {
    method: 'GET',
    path: '/people/:id/signatures',
    role: 'Signet.Read',
    does: 'Returns the signatures of a person, at any time, of any release or plan.',
    params: ofPerson,
    query: signaturesWanted,
    status: 200,
    answer: answered,
  },
  personalData: {
    method: 'GET',
    path: '/people/:id/data',
    role: 'Signet.People',
    does: 'Returns everything that is stored about a person.',
    params: ofPerson,
    status: 200,
    answer: personalData,
  },
  erase: {
    method: 'DELETE',
    path: '/people/:id',
    role: 'Signet.People',
    does: 'Erases a person.',
    params: ofPerson,
    status: 200,
    answer: erased,
  },
  importPeople: {
    method: 'POST',
    path: '/people/import',
    role: 'Signet.People',
    does: 'Imports people of a CSV text, or returns what that would change.',
    query: importWanted,
    body: text,
    isLarge: true,
    status: 200,
    answer: imported,
  },

  directory: {
    method: 'GET',
    path: '/directory',
    role: 'Signet.Read',
    does: 'Returns where people come from, and the last syncs.',
    status: 200,
    answer: directory,
  },
  sync: {
    method: 'POST',
    path: '/directory/sync',
    role: 'Signet.People',
    does: 'Begins a sync of the directory, or a dry run.',
    body: syncWanted,
    status: 202,
    answer: directoryRun,
  },
} as const satisfies Readonly<Record<string, Call>>

export type CallName = keyof typeof CALLS
export type AnswerOf<Name extends CallName> = OutOf<(typeof CALLS)[Name]['answer']>
type Taken<Name extends CallName, Part extends string> =
  (typeof CALLS)[Name] extends Readonly<Record<Part, infer S>> ? Readonly<Record<Part, InOf<S>>> : object

/** What a client sends with a call; `id` is the parameter of its path. */
export type SentWith<Name extends CallName> = Taken<Name, 'body'> &
  Readonly<{ id?: string; query?: Readonly<Record<string, string | undefined>> }>

/** How a client sends a call: `path` is below `ADMINISTRATION_PATH`. */
export function callTo<Name extends CallName>(name: Name, id = '') {
  const { method, path, answer }: Call = CALLS[name]
  return {
    method,
    path: path.replace(':id', encodeURIComponent(id)),
    answer: answer as Schema<AnswerOf<Name>>,
  }
}
