import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { open, shape } from '../../kernel/field.ts'
import { defineAttempt, defineLoad } from '../../kernel/load.ts'
import type { DirectoryRun, DirectoryState } from '../../organisation/directory/directory.ts'

/** The sources of people, and the last syncs. */
export const DirectoryLoad = defineLoad('directory', shape<DirectoryState>()('directory'))

/** What a sync may do: only report, change people, or also deactivate many of them. */
export type SyncKind = 'try' | 'sync' | 'deactivate'

/** Begins a sync or a dry run. `done` means that the run has begun. */
export const Sync = {
  ...defineAttempt('sync', { kind: open<SyncKind>() }, { run: shape<DirectoryRun>()('directoryRun') }),
  ...defineEvents('sync', {
    /** The administrator declined the deactivations for which the run with this id needs approval. */
    declined: gesture({ run: open<string>() }),
    /** The next request for the progress of the run is due. */
    checkDue: fact({}),
  }),
}

/** Asks to stop the sync that is running. `done` means that it stops soon. */
export const SyncStop = defineAttempt('syncStop', {}, {})

export const directoryDomains = [DirectoryLoad, Sync, SyncStop] as const
