import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { open, shape } from '../../kernel/field.ts'
import { defineAttempt, defineLoad } from '../../kernel/load.ts'
import type { DirectoryRun, DirectoryState } from '../../organisation/directory/directory.ts'

/** The sources of people, and the last syncs. */
export const DirectoryLoad = defineLoad('directory', shape<DirectoryState>()('directory'))

/** The kinds of run: a dry run, a sync, or a sync that may also deactivate many people. */
export type SyncKind = 'try' | 'sync' | 'deactivate'

/** Begins a sync or a dry run. `done` means that the run has begun. */
export const Sync = {
  ...defineAttempt('sync', { kind: open<SyncKind>() }, { run: shape<DirectoryRun>()('directoryRun') }),
  ...defineEvents('sync', {
    /** The administrator declined the deactivations that the run with this id proposed. */
    declined: gesture({ run: open<string>() }),
    /** It is time to poll the progress of the run again. */
    checkDue: fact({}),
  }),
}

/** Asks the running sync to stop. `done`: it will stop soon. */
export const SyncStop = defineAttempt('syncStop', {}, {})

export const directoryDomains = [DirectoryLoad, Sync, SyncStop] as const
