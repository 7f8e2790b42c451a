import type { Log } from '../../../effects/ports.ts'

const PREFIX = '[LSI]'

/** The console, as a developer reads it; `trace` also shows what is only a warning. */
export const createLog = (level: () => 'trace' | 'error'): Log => ({
  warn(action, detail = {}) {
    if (level() === 'trace') console.warn(PREFIX, action, detail)
  },
  error(action, detail = {}) {
    console.error(PREFIX, action, detail)
  },
})
