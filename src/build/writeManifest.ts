import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { WELL_KNOWN_FILE } from '../server/headers.ts'
import { manifestFor, wellKnownForManifest, wellKnownForScript } from './manifest.ts'
import type { UnifiedFiles } from './unifiedManifest.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const PICTURES_FOLDER = join(PROJECT, 'src/build/packageIcons')
const MANIFEST_FILE = 'manifest.xml'
const PACKAGE_FILE = 'manifest.zip'

export const USAGE = `npm run manifest -- --origin https://signet.example.com [options]
  --client-id ID   the app registration (SIGNET_CLIENT_ID)
  --support URL    the organisation's help page (SIGNET_SUPPORT_URL)
  --version V      the version, such as 1.2.0.0; a new manifest needs a higher one
  --id UUID        the id of the add-in, for a pilot beside production
  --name TEXT      the name that Outlook shows, for a pilot beside production
  --guard          Outlook starts Signet when a message is sent, too, and Signet may ask (never block)
  --unified        writes the unified manifest, as a package: not for Outlook on a Mac and on phones
  --privacy URL    the privacy statement, for --unified (SIGNET_PRIVACY_URL)
  --terms URL      the terms of use, for --unified (SIGNET_TERMS_URL)
  --compare FILE   says how FILE, which is deployed, differs from the manifest, and who has to consent again;
                   writes nothing. FILE is an XML manifest, or a unified one or its package
  --out FILE       the output file (dist/production/manifest.xml, with --unified manifest.zip)
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
  unified: { type: 'boolean' },
  privacy: { type: 'string' },
  terms: { type: 'string' },
  compare: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean' },
} as const

/**
 * Writes an installation's manifest and well-known file, and returns a report for the terminal. With `--compare`,
 * returns the differences from a deployed manifest and writes nothing. Without arguments or with `--help`, returns the
 * usage and writes nothing. Rejects with an `Error`, and writes nothing, if an argument is wrong, or if Microsoft would
 * refuse the manifest because its version is not higher than the deployed one.
 */
export async function writeManifest(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const values = readArguments(args)
  if (args.length === 0 || values.help) return USAGE
  const setting = (name: string) => environment[name] || undefined
  const clientId = values['client-id'] ?? setting('SIGNET_CLIENT_ID')
  const { origin, version, id, name, guard, unified: isUnified = false, compare } = values
  if (origin === undefined)
    throw new Error('--origin is missing: the origin of the pages, such as https://signet.example.com.')
  const installation = {
    origin,
    clientId,
    version,
    id,
    name,
    guard,
    supportUrl: values.support ?? setting('SIGNET_SUPPORT_URL'),
    privacyUrl: values.privacy ?? setting('SIGNET_PRIVACY_URL'),
    termsUrl: values.terms ?? setting('SIGNET_TERMS_URL'),
  }
  const xml = manifestFor(await readFile(join(PROJECT, 'manifest.xml'), 'utf8'), installation)
  const files = isUnified ? await unifiedFrom(xml, installation) : null
  if (compare !== undefined) return compareWith(compare, xml, files)

  const out = values.out ?? join(PROJECT, 'dist/production', isUnified ? PACKAGE_FILE : MANIFEST_FILE)
  const content = files === null ? xml : await packageFrom(files)
  try {
    await mkdir(dirname(out), { recursive: true })
    await writeFile(out, content)
  } catch (error) {
    throw new Error(`--out: ${JSON.stringify(out)} cannot be written (${messageOf(error)}).`, {
      cause: error,
    })
  }
  const wellKnown = await writeWellKnown(join(dirname(out), 'www'), wellKnownForManifest(xml))
  const lines = [
    `The manifest is in ${relative('.', out)}`,
    `Serve ${relative('.', wellKnown)} with the pages`,
  ]
  if (clientId === undefined)
    lines.push("The manifest names the playground's app registration. Set your own with --client-id.")
  return `${lines.join('\n')}\n`
}

/** The files of the unified manifest for `xml`. Rejects unless Microsoft's schema allows all of them. */
async function unifiedFrom(
  xml: string,
  { privacyUrl, termsUrl }: Readonly<{ privacyUrl: string | undefined; termsUrl: string | undefined }>,
): Promise<UnifiedFiles> {
  if (privacyUrl === undefined || termsUrl === undefined)
    throw new Error(
      [
        ...(privacyUrl === undefined
          ? ['--privacy (SIGNET_PRIVACY_URL) is missing: the address of your privacy statement.']
          : []),
        ...(termsUrl === undefined
          ? ['--terms (SIGNET_TERMS_URL) is missing: the address of your terms of use.']
          : []),
        'Microsoft requires both in the unified manifest.',
      ].join('\n'),
    )
  const { unifiedFiles, unifiedProblems } = await import('./unifiedManifest.ts')
  const { contentOfXml } = await import('./manifestXml.ts')
  const files = unifiedFiles(contentOfXml(xml), { privacyUrl, termsUrl })
  const problems = unifiedProblems(files)
  if (problems.length > 0)
    throw new Error(`Microsoft's schema does not allow the unified manifest:\n${problems.join('\n')}`)
  return files
}

async function packageFrom(files: UnifiedFiles): Promise<Uint8Array> {
  const { manifestPackage: packageOf, PACKAGE_PICTURES: PICTURES } = await import('./unifiedManifest.ts')
  const pictures = Object.values(PICTURES).map(
    async (picture) => [picture, await readFile(join(PICTURES_FOLDER, picture))] as const,
  )
  return packageOf(files, new Map(await Promise.all(pictures)))
}

/**
 * Reports how the deployed file at `path` differs from the manifest. Rejects with the report if Microsoft would refuse
 * the update.
 */
async function compareWith(path: string, xml: string, files: UnifiedFiles | null): Promise<string> {
  const { readDeployed } = await import('./deployedManifest.ts')
  const { compareManifests, comparisonText } = await import('./compareManifests.ts')
  const { contentOfXml } = await import('./manifestXml.ts')
  const { contentOfUnified, UNIFIED_MANIFEST_FILE: MANIFEST } = await import('./unifiedManifest.ts')
  const refuse = (reason: string, cause: unknown) =>
    new Error(`--compare: ${JSON.stringify(path)} ${reason}`, { cause })
  const bytes = await readFile(path).catch((error: unknown) => {
    throw refuse(`cannot be read (${messageOf(error)}).`, error)
  })
  let deployed
  try {
    deployed = readDeployed(bytes)
  } catch (error) {
    throw refuse(messageOf(error), error)
  }
  const planned = files === null ? contentOfXml(xml) : contentOfUnified(files.get(MANIFEST), files)
  const text = comparisonText(relative('.', path), deployed, planned)
  if (compareManifests(deployed, planned).isRefused) throw new Error(text.trimEnd())
  return text
}

/** Writes the well-known file into `www`, unless its content is null. Always returns the file's path. */
async function writeWellKnown(www: string, content: string | null): Promise<string> {
  const path = join(www, WELL_KNOWN_FILE)
  if (content === null) return path
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    // The message's first sentence describes the problem. The rest explains positional arguments, which do not exist
    // here.
    throw new Error(`${messageOf(error).split(/\.\s/, 1)[0] ?? ''}. See npm run manifest -- --help.`, {
      cause: error,
    })
  }
}

/**
 * Restores the well-known file after a build has emptied `www` in `folder`, from the XML manifest, else from the
 * package. Does nothing if neither exists.
 */
export async function restoreWellKnown(folder: string): Promise<void> {
  const www = join(folder, 'www')
  const xml = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => null)
  if (xml !== null) {
    await writeWellKnown(www, wellKnownForManifest(xml))
    return
  }
  const file = join(folder, PACKAGE_FILE)
  const unified = await readFile(file).catch(() => null)
  if (unified === null) return
  const { readDeployed } = await import('./deployedManifest.ts')
  try {
    await writeWellKnown(www, wellKnownForScript(readDeployed(unified).launchFile))
  } catch (error) {
    throw new Error(`${relative('.', file)} ${messageOf(error)}`, { cause: error })
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
