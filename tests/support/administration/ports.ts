import { of, Subject } from 'rxjs'
import type {
  AdministrationApi,
  AdministrationPorts,
  AdministratorIdentity,
  ChosenFileReader,
  FileDownloads,
  PictureScaling,
  SignatureFolders,
} from '../../../effects/administration/ports.ts'
import {
  type Administration,
  createAdministration,
} from '../../../src/administration/createAdministration.ts'
import { now, type Time } from '../../../streams/kernel/time.ts'
import { type FakeLog, fakeLog } from '../log.ts'
import {
  type FakeAddress,
  fakeAddress,
  type Faked,
  type FakeKeyValue,
  fakeKeyValue,
  failing,
  fakePort,
  type Sent,
} from '../ports.ts'
import { auditPage, insight, me, NOON, overview, published, releases } from './answers.ts'

/** Fakes for every port of the administration page. */
export type FakeAdministrationPorts = Omit<
  AdministrationPorts,
  | 'api'
  | 'identity'
  | 'address'
  | 'connection'
  | 'files'
  | 'pictures'
  | 'downloads'
  | 'folders'
  | 'drafts'
  | 'log'
> &
  Readonly<{
    api: Faked<AdministrationApi>
    identity: Faked<AdministratorIdentity>
    address: FakeAddress
    connection: Readonly<Record<'lost$' | 'back$', Subject<void>>>
    files: Faked<ChosenFileReader>
    pictures: Faked<PictureScaling>
    downloads: Faked<FileDownloads>
    folders: Faked<SignatureFolders>
    drafts: FakeKeyValue
    log: FakeLog
    /** Every call sent, oldest first. */
    sent: readonly Sent[]
  }>

/** The prefix of work names. */
export const VISIT = 'ab'.repeat(12)

/** Fails because the test must set this call's answer itself: `ports.api.plan.answers(of(…))`. */
const notGiven = () => failing({ kind: 'defect', message: 'the test gave no answer' })

/**
 * Fake ports with a known administrator. Calls for the session and overview succeed at once, until a test sets other
 * answers.
 */
export function fakeAdministrationPorts(time: Time): FakeAdministrationPorts {
  const sent: Sent[] = []
  const send = (call: Omit<Sent, 'at'>) => {
    sent.push({ ...call, at: now(time) })
  }
  const log = fakeLog()
  return {
    api: fakePort<AdministrationApi>('api', send, {
      me: () => of(me()),
      overview: () => of(overview()),
      insight: () => of(insight()),
      audit: () => of(auditPage()),
      organisations: () => of({ at: NOON, organisations: [], next: null }),
      releases: () => of(releases()),
      release: notGiven,
      rollBack: (release) => of([published({ release, rolledBack: true }), ...releases().history]),
      setMaintenance: (status) => of(status),
      exported: notGiven,
      readFolder: notGiven,
      writtenFolder: notGiven,
      writtenYaml: notGiven,
      readYaml: notGiven,
      missingPictures: () => of([]),
      sendPictures: () => of(undefined),
      plan: notGiven,
      planPeople: notGiven,
      storedPlan: notGiven,
      approvals: () => of([]),
      askApproval: notGiven,
      answerApproval: notGiven,
      publish: notGiven,
      adopt: notGiven,
      findPeople: () => of({ people: [], next: null }),
      listPeople: () => of({ people: [], next: null }),
      matchingPerson: () => of(null),
      countPeople: () => of({ people: 12, of: 240 }),
      person: notGiven,
      signaturesOf: notGiven,
      importPeople: notGiven,
      personalData: notGiven,
      erase: () => of(undefined),
      correct: () => of(undefined),
      directory: () => of({ kind: 'none', sources: [], isRunning: false, runs: [], groups: [] }),
      fieldValues: () => of({ values: [] }),
      sync: notGiven,
      stopSync: () => of(undefined),
      work: () => of({ done: 0, of: 0 }),
      stopWork: () => of(undefined),
    }),
    identity: fakePort<AdministratorIdentity>('identity', send, {
      known: () => of('alex.kim@northwind.example'),
      signIn: () => of(undefined),
      signOut: () => of(undefined),
      forget: () => of(undefined),
    }),
    address: fakeAddress('/'),
    connection: { lost$: new Subject<void>(), back$: new Subject<void>() },
    files: fakePort<ChosenFileReader>('files', send, { text: notGiven, picture: notGiven }),
    pictures: fakePort<PictureScaling>('pictures', send, { scaled: notGiven }),
    downloads: fakePort<FileDownloads>('downloads', send, { save: () => of(undefined) }),
    folders: fakePort<SignatureFolders>('folders', send, {
      read: notGiven,
      samples: notGiven,
      pack: notGiven,
    }),
    drafts: fakeKeyValue('drafts', send, log),
    visit: VISIT,
    time,
    log,
    sent,
  }
}

/** Starts the whole program with these ports, at a path. */
export function startAdministrationAt(path: string, ports: FakeAdministrationPorts): Administration {
  ports.address.path$.next(path)
  return createAdministration(ports)
}
