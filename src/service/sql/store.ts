/** What the service stores, in one SQL database. Every statement has the organisation. */
import type { Account, OrganisationFact, PersonFact } from '../../../streams/organisation/events.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release.ts'
import type { PersonState } from '../../../streams/organisation/state.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { DirectoryStore } from './directoryStore.ts'

/** Another writer appended first. The caller reads again and decides again. */
export class VersionMoved extends Error {}

/**
 * `away`: the database is unreachable, or does not respond in time. `full`: its disk is full. `readOnly`: it is a standby,
 * or configured to refuse writes. `busy`: it has no free memory, connection or lock.
 */
export type StoreProblem = 'away' | 'full' | 'readOnly' | 'busy'

/** A problem as the beginning of a sentence for an administrator. */
export const STORE_PROBLEMS: Readonly<Record<StoreProblem, string>> = {
  away: 'The database does not answer',
  full: 'The database has no room on its disk',
  readOnly: 'The database takes no writes',
  busy: 'The database has too much to do',
}

/** The state of the database does not allow the call. No part of the call is written. */
export class StoreUnavailable extends Error {
  readonly problem: StoreProblem
  /** SQLSTATE; null when the database did not respond. */
  readonly sqlState: string | null

  constructor(
    message: string,
    options: ErrorOptions & Partial<Pick<StoreUnavailable, 'problem' | 'sqlState'>> = {},
  ) {
    super(message, options)
    this.problem = options.problem ?? 'away'
    this.sqlState = options.sqlState ?? null
  }
}

/** The actor of a write, and its time in milliseconds since 1970. */
export type Signed = Readonly<{ actor: string; at: number }>

export type Picture = Readonly<{ mediaType: string; bytes: Uint8Array }>

/** The place of a fact in the audit: its time in milliseconds since 1970, its stream and version. */
export type FactPlace = Readonly<{ at: number; stream: string; version: number }>

/** `sealed` is encrypted; times in milliseconds since 1970. */
export type SealedKey = Readonly<{ id: string; sealed: Uint8Array; from: number; until: number }>

/** Rejects with `StoreUnavailable` when the database is unavailable, never for a missing row. */
export type Store = Readonly<{
  /** The facts of the stream `organisation` from a version on, in order. */
  organisationFacts: (from: number) => Promise<readonly Recorded<OrganisationFact>[]>
  /** @throws VersionMoved when the stream's next version is not `expected` */
  appendOrganisation: (expected: number, facts: readonly OrganisationFact[], signed: Signed) => Promise<void>

  person: (id: string) => Promise<PersonState | null>
  /** By any address in any case; also an inactive person. */
  personByAddress: (address: string) => Promise<PersonState | null>
  personByAccount: (tenant: string, oid: string) => Promise<PersonState | null>
  personsByAccount: (accounts: readonly Account[]) => Promise<readonly PersonState[]>
  persons: (ids: readonly string[]) => Promise<readonly PersonState[]>
  /** By addresses, for delegations. */
  personsByAddress: (addresses: readonly string[]) => Promise<readonly PersonState[]>
  /** The active people in the order of their ids, after an id. */
  people: (after: string | null, limit: number) => Promise<readonly PersonState[]>
  /** How many people are active. */
  countPeople: () => Promise<number>
  personFacts: (id: string, from: number) => Promise<readonly Recorded<PersonFact>[]>
  /**
   * Appends facts and replaces row and addresses by `next` in one transaction. `next.revision` is `expected` plus the
   * number of facts. `null` erases the row, addresses, pictures, facts and entries of the directory; `erased` stays.
   *
   * @throws VersionMoved when another writer was first, or an address or account belongs to another person
   */
  appendPerson: (
    id: string,
    expected: number,
    facts: readonly PersonFact[],
    next: PersonState | null,
    signed: Signed,
  ) => Promise<void>
  /** The facts of all streams, the latest first, after a place; facts of one time in the order of their places. */
  audit: (
    after: FactPlace | null,
    limit: number,
  ) => Promise<readonly Readonly<{ fact: Recorded<OrganisationFact | PersonFact>; place: FactPlace }>[]>
  /** The ids of all streams of people, after an id: for restoring rows. */
  personStreams: (after: string | null, limit: number) => Promise<readonly string[]>
  /** Replaces a row, without writing a fact. */
  replacePerson: (id: string, next: PersonState | null) => Promise<void>

  release: (id: string) => Promise<ReleaseDocument | null>
  /** The same id again changes nothing. */
  keepRelease: (id: string, document: ReleaseDocument) => Promise<void>
  /** `hash` is the SHA-256 of the content in hex, 32 characters. */
  picture: (hash: string) => Promise<Picture | null>
  keepPicture: (hash: string, picture: Picture) => Promise<void>
  /** Deletes a picture that no person and no release names. */
  dropPicture: (hash: string) => Promise<void>
  /** Those of these that are stored. */
  hasPictures: (hashes: readonly string[]) => Promise<ReadonlySet<string>>
  /** Replaces the last report of the add-in about itself. */
  keepReported: (person: string, reported: unknown, at: number) => Promise<void>
  reported: (person: string) => Promise<Readonly<{ reported: unknown; at: number }> | null>
  /** Reports of active people since a time, in the order of the people's ids, after an id. */
  reportedByPeople: (
    after: string | null,
    limit: number,
    since: number,
  ) => Promise<readonly Readonly<{ person: string; reported: unknown; at: number }>[]>
  /** Drops reports from before a time. */
  dropOldReported: (before: number) => Promise<void>
  keys: () => Promise<readonly SealedKey[]>
  keepKey: (key: SealedKey) => Promise<void>
  dropKey: (id: string) => Promise<void>
  /** A stored plan; `keepPlan` stores it until a time. */
  plan: (id: string) => Promise<unknown>
  keepPlan: (id: string, plan: unknown, until: number) => Promise<void>
  /** Drops expired plans. */
  dropOldPlans: (now: number) => Promise<void>
  /** True when this holder has the lease until `until`. */
  lease: (name: string, holder: string, now: number, until: number) => Promise<boolean>
  isLeased: (name: string, now: number) => Promise<boolean>
  giveBack: (name: string, holder: string) => Promise<void>

  /** The mirror of the directory. */
  directory: DirectoryStore

  /** Resolves when the database responds and accepts writes. */
  ping: () => Promise<void>
  /** Empties every table of the organisation but the keys. For the playground and tests. */
  clear: () => Promise<void>
  /** Empties the tables of people and of the directory. For the playground and tests. */
  clearPeople: () => Promise<void>
  close: () => Promise<void>
}>
