import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { open, shape } from '../../kernel/field.ts'
import { defineAttempt, defineLoad } from '../../kernel/load.ts'
import type { DirectoryRun, DirectoryState } from '../../organisation/directory.ts'

/** Where people come from, and the last syncs. */
export const DirectoryLoad = defineLoad('directory', shape<DirectoryState>()('directory'))

/** What a sync may do: tell only, change, or also deactivate many people. */
export type SyncKind = 'try' | 'sync' | 'deactivate'

/** A sync, or a dry run; `done` once the service has begun the run. */
export const Sync = {
  ...defineAttempt('sync', { kind: open<SyncKind>() }, { run: shape<DirectoryRun>()('directoryRun') }),
  ...defineEvents('sync', {
    /** The administrator leaves everyone as they are, after the run of this id asked. */
    declined: gesture({ run: open<string>() }),
    /** It is time to ask how far the run is. */
    checkDue: fact({}),
  }),
}

/** The domains of the area Directory. */
export const directoryDomains = [DirectoryLoad, Sync] as const
