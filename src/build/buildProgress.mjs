import { Reporter } from '@parcel/plugin'

/** The name of the global function that bundlerProgram.ts sets. It is called at each build step. */
const HEARD = Symbol.for('signet.buildProgress')

export default new Reporter({
  report: ({ event }) => {
    if (event.type === 'buildProgress') globalThis[HEARD]?.()
  },
})
