import type { Log } from '../../../effects/ports.ts'

const PREFIX = '[LSI]'

/** The browser's console. Warnings appear at the level `trace` only. */
export const createLog = (level: () => 'trace' | 'error'): Log => ({
  warn(action, detail = {}) {
    if (level() === 'trace') console.warn(PREFIX, action, detail)
  },
  error(action, detail = {}) {
    console.error(PREFIX, action, detail)
  },
})
