import { join } from 'node:path'
import { buildProduction } from './production.ts'

// npm run build: the add-in as it ships, in dist/production.

const PROJECT = join(import.meta.dirname, '..', '..')

try {
  await buildProduction({
    environment: process.env,
    folder: join(PROJECT, 'dist/production'),
    cacheFolder: join(PROJECT, '.parcel-cache/production'),
  })
  process.stdout.write(
    [
      'The add-in is in dist/production:',
      '  www           what is served, and nothing else',
      '  headers.json  the headers of each page',
      '  maps          the source maps, not to be served',
      '',
    ].join('\n'),
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
