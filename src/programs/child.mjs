// node src/programs/child.mjs <program> [arguments]: how another program starts one (programArguments.ts). It installs
// nothing: what has started it runs from the same packages.
import process from 'node:process'
import { runProgram } from './compiled.mjs'

await runProgram(process.argv.splice(2, 1)[0] ?? '')
