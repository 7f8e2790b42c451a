import type { AppEvent } from '../app/events.ts'
import { loadOfSession } from '../app/load.ts'
import { idle, type Load, loadAgain } from '../kernel/load.ts'
import { defineSlice } from '../kernel/slice.ts'
import { type AddinConfiguration, Configuration } from './events.ts'

/** The defaults apply until it is loaded, and after a failure (`selectConfiguration`). */
export const configuration = defineSlice<Load<AddinConfiguration>, AppEvent>()(idle, {
  ...loadOfSession,
  ...Configuration.handlers,
  // The organisation lets the user choose no longer.
  'defaults/changeFailed': (state, event) => {
    const { failure } = event.data
    const isRefused = failure.kind === 'http' && failure.code === 'default_not_allowed'
    return isRefused ? loadAgain(state, event) : state
  },
})
