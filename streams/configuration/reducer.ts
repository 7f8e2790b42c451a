import type { AppEvent } from '../app/events.ts'
import { loadOfSession } from '../app/load.ts'
import { idle, type Load } from '../kernel/load.ts'
import { defineSlice } from '../kernel/slice.ts'
import { type AddinConfiguration, Configuration } from './events.ts'

/** Until it is loaded, and when that fails, the defaults are in use (`selectConfiguration`). */
export const configuration = defineSlice<Load<AddinConfiguration>, AppEvent>()(idle, {
  ...loadOfSession,
  ...Configuration.handlers,
})
