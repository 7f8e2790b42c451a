import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { WELL_KNOWN_FILE } from '../server/headers.ts'
import { manifestFor, wellKnownFor } from './manifest.ts'

const PROJECT = join(import.meta.dirname, '..', '..')

export const USAGE = `npm run manifest -- --origin https://signet.example.com [options]
  --client-id ID   the app registration (SIGNET_CLIENT_ID)
  --support URL    the organisation's help page (SIGNET_SUPPORT_URL)
  --version V      the version, such as 1.2.0.0; a new manifest needs a higher one
  --id UUID        the id of the add-in, for a pilot beside production
  --name TEXT      the name that Outlook shows, for a pilot beside production
  --guard          Outlook starts Signet when a message is sent, too, and Signet may ask (never block)
  --out FILE       the output file (dist/production/manifest.xml)
Writes the manifest, and www/${WELL_KNOWN_FILE} beside it.
`

const OPTIONS = {
  origin: { type: 'string' },
  'client-id': { type: 'string' },
  support: { type: 'string' },
  version: { type: 'string' },
  id: { type: 'string' },
  name: { type: 'string' },
  guard: { type: 'boolean' },
  out: { type: 'string' },
  help: { type: 'boolean' },
} as const

/**
 * Writes the manifest and the well-known file of an installation, and returns what to say about them. Without arguments
 * or with `--help`, writes nothing and returns the usage. Rejects with an `Error` that names each wrong argument and
 * says why it is wrong; then nothing is written.
 */
export async function writeManifest(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const values = readArguments(args)
  if (args.length === 0 || values.help) return USAGE
  const clientId = values['client-id'] ?? (environment['SIGNET_CLIENT_ID'] || undefined)
  const supportUrl = values.support ?? (environment['SIGNET_SUPPORT_URL'] || undefined)
  const { origin, version, id, name, guard } = values
  if (origin === undefined)
    throw new Error('--origin is missing: the origin of the pages, such as https://signet.example.com.')
  const manifest = manifestFor(await readFile(join(PROJECT, 'manifest.xml'), 'utf8'), {
    origin,
    clientId,
    supportUrl,
    version,
    id,
    name,
    guard,
  })
  const out = values.out ?? join(PROJECT, 'dist/production/manifest.xml')
  try {
    await mkdir(dirname(out), { recursive: true })
    await writeFile(out, manifest)
  } catch (error) {
    throw new Error(`--out: ${JSON.stringify(out)} cannot be written (${messageOf(error)}).`, {
      cause: error,
    })
  }
  const wellKnown = await writeWellKnown(join(dirname(out), 'www'), manifest)
  const lines = [
    `The manifest is in ${relative('.', out)}`,
    `Serve ${relative('.', wellKnown)} with the pages`,
  ]
  if (clientId === undefined)
    lines.push("The manifest names the playground's app registration. Set your own with --client-id.")
  return `${lines.join('\n')}\n`
}

/** Writes the well-known file into `www` if the manifest has launch events. Returns the file's path in any case. */
export async function writeWellKnown(www: string, manifest: string): Promise<string> {
  const path = join(www, WELL_KNOWN_FILE)
  const content = wellKnownFor(manifest)
  if (content === null) return path
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    // The message's first sentence says what is wrong. The rest explains positional arguments, which do not exist here.
    throw new Error(`${messageOf(error).split(/\.\s/, 1)[0] ?? ''}. See npm run manifest -- --help.`, {
      cause: error,
    })
  }
}

/** Writes the well-known file again after a build has emptied `www` in `folder`. Does nothing without a manifest. */
export async function restoreWellKnown(folder: string): Promise<void> {
  const manifest = await readFile(join(folder, 'manifest.xml'), 'utf8').catch(() => null)
  if (manifest !== null) await writeWellKnown(join(folder, 'www'), manifest)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
