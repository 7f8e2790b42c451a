// node src/programs/run.mjs <program> [arguments]: how package.json, the container and other programs start one.
import process from 'node:process'
import { runProgram } from './compiled.mjs'

const [program] = process.argv.splice(2, 1)
if (program === undefined) {
  process.stderr.write('node src/programs/run.mjs <program> [arguments]\n')
  process.exit(2)
}
await runProgram(program)
