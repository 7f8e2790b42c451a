/**
 * The directory mirror: stores the entries last reported by the directory, and which of them are not applied to people
 * yet.
 */
import type { OrganisationAccess } from './access.ts'
import { createEntryStore } from './directoryEntries.ts'
import { createMarkStore } from './directoryMarks.ts'
import { createMemberStore } from './directoryMembers.ts'
import { createAppliedEntryStore } from './directoryPeople.ts'
import { createRunStore } from './directoryRuns.ts'
import { createEntryWriter } from './directoryWrites.ts'

/** The tables of the directory, in the order in which they are emptied. */
export const DIRECTORY_TABLES = [
  'directory_member',
  'directory_entry',
  'directory_cursor',
  'directory_run',
  'directory_retired',
] as const

export type DirectoryStore = ReturnType<typeof createDirectoryStore>

/**
 * A source is `graph:<tenant>` or `scim`. A *round* reads a whole source. At its end, entries that it did not report
 * are removed. Each write marks the changed entries, and the users whose groups or manager changed. `settle` removes
 * the marks. A group's members are users and groups, and groups may contain each other in a circle.
 */
export const createDirectoryStore = (access: OrganisationAccess) => ({
  ...createEntryStore(access),
  ...createEntryWriter(access),
  ...createMarkStore(access),
  ...createMemberStore(access),
  ...createAppliedEntryStore(access),
  ...createRunStore(access),
})
