import { join } from 'node:path'
import { hasNoConfig } from '../server/pageConfig.ts'
import { SHIPPED_GROUPS } from './groups.ts'
import { buildProduction } from './production.ts'
import { buildWithProgress } from './terminal.ts'

// npm run build: builds the shipped add-in into dist/production.

const PROJECT = join(import.meta.dirname, '..', '..')
const isForService = hasNoConfig(process.env)

try {
  await buildWithProgress(SHIPPED_GROUPS, (options) =>
    buildProduction({ ...options, environment: process.env, output: join(PROJECT, 'dist/production') }),
  )
  process.stdout.write(
    [
      'The add-in is in dist/production:',
      '  www           the files to serve',
      ...(isForService
        ? []
        : [
            '  headers.json  the headers of each page; the same for other web servers:',
            '  nginx.conf    to include in a server block of nginx',
            '  web.config    for IIS',
            '  staticwebapp.config.json for Azure Static Web Apps',
          ]),
      '  maps          the source maps; do not serve them',
      '  sbom.cdx.json the packages in the files (CycloneDX)',
      '  service.cdx.json the packages that the service runs with (CycloneDX)',
      ...(isForService ? ['No SIGNET_… value is set: these pages are for npm run service.'] : []),
      '',
    ].join('\n'),
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
