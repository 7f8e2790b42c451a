#!/usr/bin/env node
// The command `signet`.
import { runProgram } from '../programs/compiled.mjs'
import { ensureInstalled } from '../programs/installation.mjs'

await ensureInstalled('shipped')
await runProgram('src/cli/main.ts')
