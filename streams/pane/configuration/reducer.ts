import type { Defaults } from '../../message/defaults/events.ts'
import type { Auth } from '../../message/auth/events.ts'
import type { App } from '../../message/lifecycle.ts'
import { sessionLoadHandlers } from '../loadOfSession.ts'
import { failureCodeOf } from '../../kernel/failure.ts'
import { idleStatus, type Load, loadAgain } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { type AddinConfiguration, Configuration } from './events.ts'

/** The defaults apply until the configuration is loaded, and after a failure (`selectConfiguration`). */
export const configuration = defineSlice<
  Load<AddinConfiguration>,
  typeof App | typeof Auth | typeof Configuration | typeof Defaults
>()(idleStatus, {
  ...sessionLoadHandlers,
  ...Configuration.handlers,
  // The configuration is reloaded if the organisation no longer lets the user choose a default.
  'defaults/changeFailed': (state, event) =>
    failureCodeOf(event.data.failure) === 'default_not_allowed' ? loadAgain(state, event) : state,
})
