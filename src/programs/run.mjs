// node src/programs/run.mjs <program> [arguments]: starts a program for package.json, the container and systemd.
import process from 'node:process'
import { readPrograms, runProgram } from './compiled.mjs'
import { ensureInstalled } from './installation.mjs'

const [program] = process.argv.splice(2, 1)
if (program === undefined) {
  process.stderr.write('node src/programs/run.mjs <program> [arguments]\n')
  process.exit(2)
}
await ensureInstalled(readPrograms().shipped.includes(program) ? 'shipped' : 'all')
await runProgram(program)
