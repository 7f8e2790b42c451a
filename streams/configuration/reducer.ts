import type { AppEvent } from '../app/events.ts'
import { loadOfSession } from '../app/load.ts'
import { idle, type Load } from '../kernel/load.ts'
import { defineSlice } from '../kernel/slice.ts'
import { type AddinConfiguration, Configuration } from './events.ts'

/** The defaults apply until it is loaded, and after a failure (`selectConfiguration`). */
export const configuration = defineSlice<Load<AddinConfiguration>, AppEvent>()(idle, {
  ...loadOfSession,
  ...Configuration.handlers,
})
