import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { open, shape } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'
import type { Directory, DirectoryRun } from '../../organisation/answers.ts'

/** Where people come from, and the last syncs. */
export const DirectoryLoad = defineLoad('directory', shape<Directory>()('directory'))

/** What a sync may do: tell only, change, or also retire many people. */
export type SyncKind = 'try' | 'sync' | 'retire'

/** A sync, or a dry run. */
export const Sync = defineEvents('sync', {
  requested: gesture({ kind: open<SyncKind>() }),
  started: fact({ run: shape<DirectoryRun>()('directoryRun') }),
  failed: fact({ failure: failureField }),
  /** The administrator leaves everyone as they are, after the run of this id asked. */
  declined: gesture({ run: open<string>() }),
  /** It is time to ask how far the run is. */
  checkDue: fact({}),
})

/** The domains of the area Directory. */
export const directoryDomains = [DirectoryLoad, Sync] as const
