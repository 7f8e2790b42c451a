import type { Log } from '../../../effects/ports.ts'

const PREFIX = '[LSI]'

/** Writes to the browser's console. At the level `error`, only errors are written. */
export const createLog = (level: () => 'trace' | 'error'): Log => ({
  debug(action, detail = {}) {
    if (level() === 'trace') console.debug(PREFIX, action, detail)
  },
  warn(action, detail = {}) {
    if (level() === 'trace') console.warn(PREFIX, action, detail)
  },
  error(action, detail = {}) {
    console.error(PREFIX, action, detail)
  },
})
