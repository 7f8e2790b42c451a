#!/usr/bin/env node
// The command `signet`: TypeScript is read by tsx, in a clone and in an installation without development packages.
import { register } from 'tsx/esm/api'

register()
await import('./main.ts')
