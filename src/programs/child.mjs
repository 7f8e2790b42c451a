// node src/programs/child.mjs <program> [arguments]: starts one program from another (programArguments.ts). It installs
// nothing because its parent runs from the same packages.
import process from 'node:process'
import { runProgram } from './compiled.mjs'

await runProgram(process.argv.splice(2, 1)[0] ?? '')
