import { Reporter } from '@parcel/plugin'

/** Tells the process of the bundler (bundlerProgram.ts) each step of a build, through a global of this name. */
const HEARD = Symbol.for('signet.buildProgress')

export default new Reporter({
  report: ({ event }) => {
    if (event.type === 'buildProgress') globalThis[HEARD]?.()
  },
})
