import type { Router } from '../router/events.ts'
import type { LogExport } from './events.ts'
import type { Auth } from '../../message/auth/events.ts'
import { type Attempt, failedStatus, idleStatus, pendingStatus, successStatus } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'

/** The latest export of the log, until the user leaves the page. */
export const logExport = defineSlice<Attempt, typeof Auth | typeof LogExport | typeof Router>()(idleStatus, {
  'logExport/requested': (_, event) => pendingStatus(event),
  'logExport/saved': () => successStatus,
  'logExport/failed': (_, { data: { failure } }) => failedStatus(failure),
  'router/navigated': () => idleStatus,
  'auth/signedOut': () => idleStatus,
})
