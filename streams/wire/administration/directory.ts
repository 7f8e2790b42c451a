import { count, time } from '../../kernel/limits.ts'
/** Requests and responses of the calls about the directory. */
import { flag, list, nullable, object, oneOf, type Schema, text } from '../../kernel/schema.ts'
import type { DirectoryRun, DirectoryState } from '../../organisation/directory.ts'

export const directoryRun = object({
  id: text,
  source: text,
  at: time,
  until: nullable(time),
  isTrial: flag,
  by: text,
  outcome: oneOf('running', 'done', 'needsLeave', 'failed', 'interrupted'),
  read: count,
  added: count,
  changed: count,
  retired: count,
  returned: count,
  refused: count,
  failure: nullable(object({ code: text, message: text })),
  samples: list(
    object({
      person: text,
      change: oneOf('added', 'changed', 'retired', 'returned', 'refused'),
      fields: list(text),
      reason: nullable(text),
    }),
  ),
}) satisfies Schema<DirectoryRun>

export const directory = object({
  kind: oneOf('none', 'graph', 'scim'),
  sources: list(text),
  isRunning: flag,
  runs: list(directoryRun),
  groups: list(object({ named: text, members: nullable(count) })),
}) satisfies Schema<DirectoryState>

export const syncWanted = object({
  /** A dry run: only reports what would change. */
  try: flag,
  /** Approves any number of deactivations. */
  retire: flag,
})
