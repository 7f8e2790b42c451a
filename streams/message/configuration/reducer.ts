import type { AppEvent } from '../../pane/events.ts'
import { loadOfSession } from '../load.ts'
import { codeOf } from '../../kernel/failure.ts'
import { idle, type Load, loadAgain } from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { type AddinConfiguration, Configuration } from './events.ts'

/** The defaults apply until it is loaded, and after a failure (`selectConfiguration`). */
export const configuration = defineSlice<Load<AddinConfiguration>, AppEvent>()(idle, {
  ...loadOfSession,
  ...Configuration.handlers,
  // The organisation lets the user choose no longer.
  'defaults/changeFailed': (state, event) =>
    codeOf(event.data.failure) === 'default_not_allowed' ? loadAgain(state, event) : state,
})
