import { UNSEEN_DAYS } from '../../streams/administration/people/filters.ts'
import { map } from 'rxjs'
import type { AdministrationApi } from '../../effects/administration/ports.ts'
import {
  ADMINISTRATION_PATH,
  type CallName,
  callTarget,
  type CallData,
} from '../../streams/wire/administration/calls.ts'
import { bodyReader } from '../../streams/kernel/schema.ts'
import type { Http, ServiceRequest } from '../engine/adapters/http.ts'

/** The time limits of reads and of other calls, which take longer: a plan for all people, a folder or an import. */
export const READ_LIMIT_MS = 20_000
export const WORK_LIMIT_MS = 180_000

const orLeftOut = (value: string | number | null): string | undefined =>
  value === null ? undefined : String(value)

/** Creates the calls of `streams/wire/administration/calls.ts` over HTTP. A text body is sent as text/csv. */
export function createAdministrationApi(http: Http): AdministrationApi {
  type Sent = Readonly<{ id?: string }> & Pick<ServiceRequest, 'query' | 'body'>
  const call = <Name extends CallName>(name: Name, sent: CallData<Name>) => {
    const { id, ...content }: Sent = sent
    const { method, path, answer } = callTarget(name, id)
    return http(
      {
        ...content,
        method,
        path: ADMINISTRATION_PATH + path,
        limitMs: method === 'GET' ? READ_LIMIT_MS : WORK_LIMIT_MS,
        ...(typeof content.body === 'string' ? { headers: { 'content-type': 'text/csv' } } : {}),
      },
      bodyReader(answer),
    )
  }

  return {
    me: () => call('me', {}),
    overview: () => call('overview', {}),
    insight: () => call('insight', {}),
    audit: (after) => call('audit', { query: { after: orLeftOut(after) } }),

    organisations: (after) => call('organisations', { query: { after: orLeftOut(after) } }),

    releases: () => call('releases', {}),
    release: (id) => call('release', { id }).pipe(map(({ document }) => document)),
    rollBack: (id, note) => call('rollBack', { id, body: { note } }).pipe(map(({ history }) => history)),
    setMaintenance: (to) =>
      call('setMaintenance', { body: { status: to } }).pipe(map(({ status }) => status)),

    exported: (release) => call('export', { query: { release: orLeftOut(release) } }),
    readFolder: (files, work) => call('readFolder', { query: { work }, body: { files } }),
    writtenFolder: (document, pictures, yaml) =>
      call('writeFolder', { body: { document, pictures, ...(yaml === null ? {} : { yaml }) } }).pipe(
        map(({ files }) => files),
      ),
    writtenYaml: (document, yaml) =>
      call('writeYaml', { body: { document, yaml } }).pipe(map((written) => written.yaml)),
    readYaml: (yaml, former, document) => call('readYaml', { body: { yaml, former, document } }),
    missingPictures: (pictures) =>
      call('missingPictures', { body: { pictures } }).pipe(map(({ missing }) => missing)),
    sendPictures: (pictures) => call('sendPictures', { body: { pictures } }).pipe(map(() => undefined)),
    plan: (document, at, work) =>
      call('makePlan', { query: { work }, body: { document, ...(at === null ? {} : { at }) } }),
    planPeople: (id, after) => call('plannedPeople', { id, query: { after: orLeftOut(after) } }),
    storedPlan: (id) => call('plan', { id }),
    approvals: () => call('approvals', {}).pipe(map((answer) => answer.approvals)),
    askApproval: (id, note) => call('askApproval', { id, body: { note } }),
    answerApproval: (id, said) => call('answerApproval', { id, body: said }),
    publish: (plan, said, work) => call('publish', { query: { work }, body: { plan, ...said } }),

    adopt: (wanted) => call('adopt', { body: wanted }),

    findPeople: (search, after) => call('people', { query: { search, after: orLeftOut(after) } }),
    listPeople: (search, after, { sort, isDescending, department, signature, who }, without) =>
      call('people', {
        query: {
          search,
          sort,
          descending: String(isDescending),
          without: orLeftOut(without),
          department: orLeftOut(department),
          signature: orLeftOut(signature),
          ...(who === 'left' && { left: 'true' }),
          ...(who === 'unseen' && { unseen: String(UNSEEN_DAYS) }),
          after: orLeftOut(after),
        },
      }),
    matchingPerson: (selection) =>
      call('matchingPerson', { body: { selection } }).pipe(map(({ person }) => person)),
    countPeople: (selection) => call('countPeople', { body: { selection } }),
    person: (id, at) => call('person', { id, query: { at: orLeftOut(at) } }),
    signaturesOf: (id, { release, at, kind, recipients, writer }) =>
      call('signatures', {
        id,
        query: {
          release: orLeftOut(release),
          at: orLeftOut(at),
          reply: String(kind === 'reply'),
          recipients: orLeftOut(recipients),
          ...(kind === 'meeting' && { meeting: 'true' }),
          ...(writer !== undefined && { writer }),
        },
      }),
    importPeople: (csv, isTrial, work) =>
      call('importPeople', { query: { try: String(isTrial), work }, body: csv }),
    personalData: (id) => call('personalData', { id }),
    erase: (id) => call('erase', { id }).pipe(map(() => undefined)),
    correct: (id, revision, set) =>
      call('correct', { id, body: { revision, ...set } }).pipe(map(() => undefined)),

    directory: () => call('directory', {}),
    fieldValues: (field, search) => call('fieldValues', { query: { field, search } }),
    sync: (how) => call('sync', { body: how }),
    stopSync: () => call('stopSync', {}).pipe(map(() => undefined)),

    work: (id) => call('work', { id }),
    stopWork: (id) => call('stopWork', { id }).pipe(map(() => undefined)),
  }
}
