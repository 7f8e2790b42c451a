/** What the calls about the directory take and answer. */
import * as v from 'valibot'
import type { Directory, DirectoryRun } from '../../streams/organisation/answers.ts'
import { count, list, shape, time } from './shapes.ts'

export const directoryRun = shape({
  id: v.string(),
  source: v.string(),
  at: time,
  until: v.nullable(time),
  isTrial: v.boolean(),
  by: v.string(),
  outcome: v.picklist(['running', 'done', 'needsLeave', 'failed', 'interrupted']),
  read: count,
  added: count,
  changed: count,
  retired: count,
  returned: count,
  refused: count,
  failure: v.nullable(shape({ code: v.string(), message: v.string() })),
  samples: list(
    shape({
      person: v.string(),
      change: v.picklist(['added', 'changed', 'retired', 'returned', 'refused']),
      fields: list(v.string()),
      reason: v.nullable(v.string()),
    }),
  ),
}) satisfies v.GenericSchema<unknown, DirectoryRun>

export const directory = shape({
  kind: v.picklist(['none', 'graph', 'scim']),
  sources: list(v.string()),
  isRunning: v.boolean(),
  runs: list(directoryRun),
  groups: list(shape({ named: v.string(), members: v.nullable(count) })),
}) satisfies v.GenericSchema<unknown, Directory>

export const syncWanted = shape({
  /** Only tells what would change. */
  try: v.boolean(),
  /** Retires people, however many they are. */
  retire: v.boolean(),
})
