/**
 * What the administration calls answer, as `streams/wire/administration/calls.ts` declares it: for the streams of the
 * administration page, which know no schema. Times in milliseconds since 1970.
 */
import type { Maintenance } from './events.ts'
import type { PersonPlan, PlanSummary, VariableChange } from './plan.ts'
import type { Period, ReleaseDocument } from './release.ts'
import type { PersonState, Published } from './state.ts'

/** The app roles of the administration. */
export const roles = ['Signet.Read', 'Signet.Publish', 'Signet.People', 'Signet.Audit'] as const
export type Role = (typeof roles)[number]

export type Me = Readonly<{
  /** The sign-in name of the caller, or `application <client id>`. */
  name: string
  roles: readonly Role[]
  organisation: string
  /** The service's. */
  version: string
}>

/** At most a minute old. */
export type Overview = Readonly<{
  release: string | null
  published: Published | null
  /** Active people. */
  people: number
  /** Whose add-in reported since midnight UTC: it does at sign-in, unless they switched diagnostic data off. */
  toldToday: number
  /** Shared mailboxes of the release. */
  mailboxes: number
  maintenance: Maintenance
  /** What an administrator should look at; none with a count of 0. */
  problems: readonly Readonly<{ message: Problem; count: number }>[]
}>

/**
 * `noSignature`: people to whom no signature is assigned; `directoryFailed`, `directoryNeedsLeave`: the last sync failed,
 * or waits for an administrator, with a count of 1.
 */
export type Problem = 'noSignature' | 'directoryFailed' | 'directoryNeedsLeave'

/** Counts, most first. At most a minute old. */
export type Insight = Readonly<{
  /** The begin of what is counted of versions, clients and launches. */
  since: number
  /** Active people. */
  people: number
  /** How many have which signature as the default. */
  signatures: readonly Readonly<{ signature: string; name: string; people: number }>[]
  /** How many last reported which version of the add-in. */
  versions: readonly Readonly<{ version: string; people: number }>[]
  /** How many reported which mail client; who uses two counts in both. */
  clients: readonly Readonly<{ client: string; people: number }>[]
  /**
   * For how many people the signature went in by itself, and for how many not, in the last message where it was due and in
   * which they opened the pane; by mail client. Those whose add-in reported none are not counted.
   */
  launches: readonly Readonly<{ client: string; went: number; failed: number }>[]
}>

/** The history, latest first; `current` is null before the first release. */
export type Releases = Readonly<{
  current: string | null
  maintenance: Maintenance
  history: readonly Published[]
}>

export type AuditFact = Readonly<{
  at: number
  actor: string
  stream: 'organisation' | 'person'
  person: string | null
  /** The name of the fact, such as `organisation/releasePublished`. */
  type: string
  /** What was noted at publishing or rolling back. */
  note: string | null
  /** The names of what changed, never a value. */
  fields: readonly string[]
}>

/** `next` is the `after` of the next page; the last page has none. */
export type AuditPage = Readonly<{ facts: readonly AuditFact[]; next: string | null }>

export type PlannedPicture = Readonly<{ mediaType: string; base64: string }>

export type Plan = Readonly<{
  /** The same for the same release over the same base. */
  id: string
  /** The release that was published then; null before the first. */
  base: string | null
  release: string
  /** The moment for which both releases are looked at. */
  at: number
  until: number
  /** Where the addresses of pictures begin. */
  pictures: string
  summary: PlanSummary
  variables: readonly VariableChange[]
  /** Signatures whose period is not open at that moment. */
  closed: readonly Readonly<{ signature: string; name: string; during: Period }>[]
}>

export type PlanPage = Readonly<{ people: readonly PersonPlan[]; next: string | null }>

/** A release with its pictures by the hash of their content. */
export type Exported = Readonly<{
  release: string
  document: ReleaseDocument
  pictures: Readonly<Record<string, PlannedPicture>>
}>

/** Where something stands in a folder; lines and columns count from 1. An error refuses the folder. */
export type FolderFinding = Readonly<{
  file: string
  line: number
  column: number
  level: 'error' | 'warning'
  rule: string
  message: string
}>

/** A folder that was read and checked; `document` is null when it could not be read whole. */
export type FolderRead = Readonly<{
  document: ReleaseDocument | null
  pictures: Readonly<Record<string, PlannedPicture>>
  findings: readonly FolderFinding[]
}>

export type FoundPerson = Readonly<{ id: string; address: string; name: string; isActive: boolean }>
export type FoundPeople = Readonly<{ people: readonly FoundPerson[]; next: string | null }>

export type Answered = Readonly<{
  release: string
  at: number
  signatures: readonly Readonly<{
    signature: string
    name: string
    isDefault: boolean
    html: string | null
  }>[]
}>

/** Everything that is kept of a person. */
export type PersonalData = Readonly<{
  person: PersonState
  facts: readonly Readonly<{
    type: string
    data: Readonly<Record<string, unknown>>
    meta: Readonly<{ seq: number; at: number; source: string }>
  }>[]
  /** What the add-in told last about itself. */
  told: Readonly<{ told: unknown; at: number }> | null
  /** What the directory told last, as it told it; `groups` are ids. */
  directory: readonly Readonly<{
    source: string
    id: string
    data: Readonly<Record<string, unknown>>
    addresses: readonly string[]
    active: boolean
    groups: readonly string[]
  }>[]
  pictures: Readonly<Record<string, PlannedPicture>>
}>

/** What `GET /directory` answers. */
export type { DirectoryRun, DirectoryState as Directory } from './directory.ts'

/** What an import changed, or would change; `problems` are rows that could not be read. */
export type Imported = Readonly<{
  added: number
  changed: number
  unchanged: number
  refused: readonly Readonly<{ row: number; reason: string }>[]
  problems: readonly Readonly<{
    file: string
    line: number
    column: number
    level: 'error' | 'warning'
    code: string
    message: string
  }>[]
}>
