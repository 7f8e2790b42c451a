import { Reporter } from '@parcel/plugin'

/** Reports each build step to the bundler's process (bundlerProgram.ts), through a global with this name. */
const HEARD = Symbol.for('signet.buildProgress')

export default new Reporter({
  report: ({ event }) => {
    if (event.type === 'buildProgress') globalThis[HEARD]?.()
  },
})
