import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { openField, redactedField } from '../../kernel/field.ts'
import { defineAttempt, defineLoad } from '../../kernel/load.ts'
import type { DirectoryRun, DirectoryState } from '../../organisation/directory/directory.ts'

/** The sources of people, and the last syncs. */
export const DirectoryLoad = defineLoad('directory', redactedField<DirectoryState>()('directory'))

/** The kinds of run: a dry run, a sync, or a sync that may also deactivate many people. */
export type SyncKind = 'try' | 'sync' | 'deactivate'

/** Begins a sync or a dry run. `done` means that the run has begun. */
export const DirectorySync = {
  ...defineAttempt(
    'sync',
    { kind: openField<SyncKind>() },
    { run: redactedField<DirectoryRun>()('directoryRun') },
  ),
  ...defineEvents('sync', {
    /** The administrator declined the deactivations that the run with this id proposed. */
    declined: gesture({ run: openField<string>() }),
    /** It is time to poll the progress of the run again. */
    checkDue: fact({}),
  }),
}

/** Asks the running sync to stop. `done`: it will stop soon. */
export const SyncStop = defineAttempt('syncStop', {}, {})

export const directoryDomains = [DirectoryLoad, DirectorySync, SyncStop] as const
