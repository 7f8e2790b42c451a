import { openBuilds } from '../../src/build/builds.ts'
import { onSignals } from '../../src/build/terminal.ts'

// A command that builds, in the folder of its first argument, with the bundler that the second one names.

const [project = '', bundler = ''] = process.argv.slice(2)
onSignals()
await openBuilds({ tell: () => {}, program: [bundler, project], project }).build('replay')
