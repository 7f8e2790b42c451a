import type { Router } from '../router/events.ts'
import type { LogExport } from './events.ts'
import type { Auth } from '../../message/auth/events.ts'
import { type Attempt, failed, idle, pending, success } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'

/** The latest export of the log, until the user leaves the page. */
export const logExport = defineSlice<Attempt, typeof Auth | typeof LogExport | typeof Router>()(idle, {
  'logExport/requested': (_, event) => pending(event),
  'logExport/saved': () => success,
  'logExport/failed': (_, { data: { failure } }) => failed(failure),
  'router/navigated': () => idle,
  'auth/signedOut': () => idle,
})
