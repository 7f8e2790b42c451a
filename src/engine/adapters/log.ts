import type { Log } from '../../../effects/ports.ts'

const PREFIX = '[LSI]'

/** Writes to the browser's console. Warnings are written only at the level `trace`. */
export const createLog = (level: () => 'trace' | 'error'): Log => ({
  warn(action, detail = {}) {
    if (level() === 'trace') console.warn(PREFIX, action, detail)
  },
  error(action, detail = {}) {
    console.error(PREFIX, action, detail)
  },
})
