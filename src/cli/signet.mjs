#!/usr/bin/env node
// The command `signet`.
import { runProgram } from '../programs/compiled.mjs'

await runProgram('src/cli/main.ts')
