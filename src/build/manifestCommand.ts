import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { manifestFor } from './manifest.ts'

const USAGE = `npm run manifest -- --origin https://signet.example.com [options]
  --client-id ID   the app registration (SIGNET_CLIENT_ID)
  --support URL    the address of the help page
  --out FILE       the output file (dist/production/manifest.xml)`

const PROJECT = join(import.meta.dirname, '..', '..')

try {
  const { values } = parseArgs({
    options: {
      origin: { type: 'string' },
      'client-id': { type: 'string', default: process.env['SIGNET_CLIENT_ID'] || undefined },
      support: { type: 'string' },
      out: { type: 'string', default: join(PROJECT, 'dist/production/manifest.xml') },
    },
  })
  if (values.origin === undefined) throw new Error('--origin is missing.')
  const manifest = manifestFor(await readFile(join(PROJECT, 'manifest.xml'), 'utf8'), {
    origin: values.origin,
    clientId: values['client-id'],
    supportUrl: values.support,
  })
  await mkdir(dirname(resolve(values.out)), { recursive: true })
  await writeFile(values.out, manifest)
  process.stdout.write(`The manifest is in ${relative('.', values.out)}\n`)
  if (values['client-id'] === undefined)
    process.stdout.write("It names the playground's app registration. Set your own with --client-id.\n")
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`)
  process.exitCode = 2
}
