/**
 * The administration calls. The service creates routes from them, openapi.json describes them, and the command line and
 * the page send them. Requests and responses are JSON below `ADMINISTRATION_PATH`; the body of an error is `{ code,
 * message }`.
 */
import {
  anything,
  type InOf,
  type OutOf,
  record,
  type Schema,
  strictObject,
  text,
} from '../../kernel/schema.ts'
import { adopted } from '../../organisation/adopt/adopted.ts'
import { directoryRun, directoryState } from '../../organisation/directory/directory.ts'
import { insight } from '../../organisation/figures/insight.ts'
import { organisationsPage } from '../../organisation/figures/operating.ts'
import { fieldValues } from '../../organisation/rules/fieldValues.ts'
import { explainedPerson } from '../../organisation/rules/why.ts'
import { adoptRequest } from './adopting.ts'
import { answerApprovalRequest, approval, approvals, askApprovalRequest } from './approving.ts'
import { auditPage, auditQuery, callerInfo, organisationsQuery, overview, type Role } from './insight.ts'
import {
  countRequest,
  fieldValuesQuery,
  fittingPeople,
  signaturesAnswer,
  timeQuery,
  correctionsAnswer,
  correctionsRequest,
  eraseAnswer,
  foundPeople,
  importResult,
  importQuery,
  matchingPerson,
  matchingPersonRequest,
  peopleQuery,
  personalData,
  signaturesQuery,
  syncRequest,
} from './people.ts'
import {
  exportAnswer,
  exportQuery,
  folderCheck,
  folderCheckRequest,
  folderWriteRequest,
  folderWriteAnswer,
  pictureHashes,
  maintenanceStatus,
  missingPictures,
  idParams,
  pageQuery,
  picturesRequest,
  plan,
  planPage,
  planRequest,
  publishAnswer,
  publishRequest,
  releaseAnswer,
  releaseHistory,
  rollBackRequest,
  yamlCheck,
  yamlCheckRequest,
  yamlWriteRequest,
  yamlWriteAnswer,
} from './publishing.ts'
import { explainedSent, explainSentRequest } from './explaining.ts'
import { workParams, workQuery, workProgress } from './work.ts'

export const ADMINISTRATION_PATH = '/api/administration/v1'
/** The size limit for a request with a document, pictures, a folder or an import. */
export const LARGE_BODY_BYTES = 20 * 1024 * 1024

export type Call = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below `ADMINISTRATION_PATH`; `:id` is a parameter. */
  path: string
  /** The app role that the caller's token needs. `any`: any app role; `none`: no token. */
  role: Role | 'any' | 'none'
  /** The description of the call in openapi.json, in one sentence. */
  does: string
  params?: Schema<unknown>
  query?: Schema<unknown>
  /** The schema of the request's body as JSON. If the schema is a text, the body is `text/csv`. */
  body?: Schema<unknown>
  isLarge?: true
  status: 200 | 201 | 202
  answer: Schema<unknown>
}>

const nothing = strictObject({})

type Head = Pick<Call, 'method' | 'path' | 'role' | 'status'>
type More = Pick<Call, 'does'> & Partial<Pick<Call, 'params' | 'query' | 'body' | 'isLarge' | 'status'>>

/** A call with response status 200, unless `more` has another status. */
const call = <A extends Schema<unknown>, const M extends More>(
  method: Call['method'],
  path: string,
  role: Call['role'],
  answer: A,
  more: M,
) => ({ method, path, role, answer, status: 200, ...more }) as Head & Readonly<{ answer: A }> & M

export const CALLS = {
  me: call('GET', '/me', 'any', callerInfo, { does: 'Returns the caller and their roles.' }),
  overview: call('GET', '/overview', 'Signet.Read', overview, {
    does: 'Returns what is published and what needs attention.',
  }),
  insight: call('GET', '/insight', 'Signet.Read', insight, {
    does: 'Counts signatures, versions and mail clients in use.',
  }),
  audit: call('GET', '/audit', 'Signet.Audit', auditPage, {
    does: 'Lists who did what, latest first.',
    query: auditQuery,
  }),
  organisations: call('GET', '/organisations', 'Signet.Operate', organisationsPage, {
    does: 'Lists the organisations of the installation: counts, releases, syncs and alerts, page by page.',
    query: organisationsQuery,
  }),
  openapi: call('GET', '/openapi.json', 'none', record(anything), {
    does: 'Describes these calls as OpenAPI 3.1.',
  }),

  missingPictures: call('POST', '/pictures/missing', 'Signet.Read', missingPictures, {
    does: 'Lists which of these pictures the service does not have.',
    body: pictureHashes,
    isLarge: true,
  }),
  sendPictures: call('POST', '/pictures', 'Signet.Read', nothing, {
    does: 'Stores pictures for a day, for plans that need them.',
    body: picturesRequest,
    isLarge: true,
    status: 201,
  }),
  makePlan: call('POST', '/plans', 'Signet.Read', plan, {
    does: 'Plans a document: returns what publishing it would change for whom, and stores the plan for a day, or for seven days if it needs approval.',
    query: workQuery,
    body: planRequest,
    isLarge: true,
    status: 201,
  }),
  plan: call('GET', '/plans/:id', 'Signet.Read', plan, { does: 'Returns a stored plan.', params: idParams }),
  plannedPeople: call('GET', '/plans/:id/people', 'Signet.Read', planPage, {
    does: 'Lists for whom a plan changes something, page by page.',
    params: idParams,
    query: pageQuery,
  }),
  approvals: call('GET', '/approvals', 'any', approvals, {
    does: 'Lists the plans that wait for the approval of a second person, with the answers.',
  }),
  askApproval: call('POST', '/plans/:id/approval/request', 'Signet.Publish', approval, {
    does: 'Asks a second person for the approval of a plan.',
    params: idParams,
    body: askApprovalRequest,
  }),
  answerApproval: call('POST', '/plans/:id/approval', 'any', approval, {
    does: 'Approves or refuses a plan, for a caller with a role or a group that the published rules name.',
    params: idParams,
    body: answerApprovalRequest,
  }),
  publish: call('POST', '/releases', 'Signet.Publish', publishAnswer, {
    does: 'Publishes a plan.',
    query: workQuery,
    body: publishRequest,
    status: 201,
  }),
  releases: call('GET', '/releases', 'Signet.Read', releaseHistory, {
    does: 'Lists what was published, latest first.',
  }),
  release: call('GET', '/releases/:id', 'Signet.Read', releaseAnswer, {
    does: 'Returns the document of a release or a plan.',
    params: idParams,
  }),
  rollBack: call('POST', '/releases/:id/rollback', 'Signet.Publish', publishAnswer, {
    does: 'Publishes an earlier release again.',
    params: idParams,
    body: rollBackRequest,
  }),
  setMaintenance: call('PUT', '/maintenance', 'Signet.Publish', maintenanceStatus, {
    does: 'Announces, begins or ends maintenance.',
    body: maintenanceStatus,
  }),
  export: call('GET', '/export', 'Signet.Read', exportAnswer, {
    does: 'Returns a release or a plan with its pictures.',
    query: exportQuery,
  }),
  readFolder: call('POST', '/folders', 'Signet.Read', folderCheck, {
    does: 'Reads and checks the files of a folder, as signet check does.',
    query: workQuery,
    body: folderCheckRequest,
    isLarge: true,
  }),
  writeFolder: call('POST', '/folders/written', 'Signet.Read', folderWriteAnswer, {
    does: 'Writes a document as the files of a folder, as signet export does.',
    body: folderWriteRequest,
    isLarge: true,
  }),
  writeYaml: call('POST', '/folders/yaml', 'Signet.Read', yamlWriteAnswer, {
    does: 'Writes a document as a signet.yaml, or changes a signet.yaml as little as possible.',
    body: yamlWriteRequest,
    isLarge: true,
  }),
  readYaml: call('POST', '/folders/yaml/read', 'Signet.Read', yamlCheck, {
    does: 'Reads and checks a signet.yaml with the templates and pictures of a document.',
    body: yamlCheckRequest,
    isLarge: true,
  }),
  adopt: call('POST', '/adopt', 'Signet.Read', adopted, {
    does: 'Makes a template of existing signatures, as signet adopt does. Nothing is stored.',
    body: adoptRequest,
    isLarge: true,
  }),

  people: call('GET', '/people', 'Signet.Read', foundPeople, {
    does: 'Searches people by a part of a name, an address or another value, or for people without a signature, or lists them in the order `sort`, with department, default signature, picture and the day (UTC) of the last report, filtered by `department`, `signature`, `left` and `unseen`.',
    query: peopleQuery,
  }),
  matchingPerson: call('POST', '/people/matching', 'Signet.Read', matchingPerson, {
    does: 'Finds a person who matches the rules of a signature, among the first 10,000 people.',
    body: matchingPersonRequest,
    isLarge: true,
  }),
  countPeople: call('POST', '/people/count', 'Signet.Read', fittingPeople, {
    does: 'Counts the active people whom a selection fits. Nothing is stored.',
    body: countRequest,
    isLarge: true,
  }),
  person: call('GET', '/people/:id', 'Signet.Read', explainedPerson, {
    does: 'Returns which signatures and blocks a person has, and why.',
    params: idParams,
    query: timeQuery,
  }),
  signatures: call('GET', '/people/:id/signatures', 'Signet.Read', signaturesAnswer, {
    does: 'Returns the signatures of a person, at any time, of any release or plan, for any recipients.',
    params: idParams,
    query: signaturesQuery,
  }),
  explainSent: call('POST', '/sent/explained', 'Signet.Read', explainedSent, {
    does: 'Finds the release and the blocks of a signature that stands in a mail, and what the release gives.',
    body: explainSentRequest,
    isLarge: true,
  }),
  personalData: call('GET', '/people/:id/data', 'Signet.People', personalData, {
    does: 'Returns everything that is stored about a person.',
    params: idParams,
  }),
  correct: call('PUT', '/people/:id/corrections', 'Signet.People', correctionsAnswer, {
    does: 'Sets all that stands above the directory for one person by hand: corrected values, no signature, or a certain signature. What is missing ends.',
    params: idParams,
    body: correctionsRequest,
  }),
  erase: call('DELETE', '/people/:id', 'Signet.People', eraseAnswer, {
    does: 'Erases a person.',
    params: idParams,
  }),
  importPeople: call('POST', '/people/import', 'Signet.People', importResult, {
    does: 'Imports people of a CSV text, or only some columns of known people, or returns what that would change.',
    query: importQuery,
    body: text,
    isLarge: true,
  }),

  directory: call('GET', '/directory', 'Signet.Read', directoryState, {
    does: 'Returns where people come from, and the last syncs.',
  }),
  fieldValues: call('GET', '/directory/values', 'Signet.Read', fieldValues, {
    does: 'Lists groups, or the values of a field, that most people have.',
    query: fieldValuesQuery,
  }),
  sync: call('POST', '/directory/sync', 'Signet.People', directoryRun, {
    does: 'Begins a sync of the directory, or a dry run.',
    body: syncRequest,
    status: 202,
  }),

  stopSync: call('DELETE', '/directory/sync', 'Signet.People', nothing, {
    does: 'Asks to stop the sync that is running. What is applied stays; the next sync continues.',
    status: 202,
  }),

  work: call('GET', '/work/:id', 'any', workProgress, {
    does: 'Returns how far work is that the caller named in the query of another call.',
    params: workParams,
  }),
  stopWork: call('DELETE', '/work/:id', 'any', nothing, {
    does: 'Asks to stop such work. A plan, a check or an import then ends with the code stopped.',
    params: workParams,
    status: 202,
  }),
} satisfies Readonly<Record<string, Call>>

export type CallName = keyof typeof CALLS
export type AnswerOf<Name extends CallName> = OutOf<(typeof CALLS)[Name]['answer']>
type Taken<Name extends CallName, Part extends string> =
  (typeof CALLS)[Name] extends Readonly<Record<Part, infer S>> ? Readonly<Record<Part, InOf<S>>> : object

/** The data that a client sends with a call; `id` is the parameter in its path. */
export type CallData<Name extends CallName> = Taken<Name, 'body'> &
  Readonly<{ id?: string; query?: Readonly<Record<string, string | undefined>> }>

/** The method, path and response schema for sending a call. `path` is below `ADMINISTRATION_PATH`. */
export function callTarget<Name extends CallName>(name: Name, id = '') {
  const { method, path, answer }: Call = CALLS[name]
  return {
    method,
    path: path.replace(':id', encodeURIComponent(id)),
    answer: answer as Schema<AnswerOf<Name>>,
  }
}
