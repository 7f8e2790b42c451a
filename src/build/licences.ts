import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const PROJECT = join(import.meta.dirname, '..', '..')

export type SbomComponent = Readonly<{
  name: string
  version: string
  /** An SPDX expression, such as `MIT`. */
  licence: string
}>

/** A package whose code is in a build. `text` is its whole licence, including any notice. */
export type LicensedPackage = SbomComponent & Readonly<{ text: string }>

/** The content of `package-lock.json`. The keys of `packages` are installed paths; the project's own path is empty. */
export type PackageLock = Readonly<{
  version: string
  packages: Readonly<
    Record<
      string,
      Readonly<{ version?: string; integrity?: string; license?: string; dev?: boolean; link?: boolean }>
    >
  >
}>

export const readPackageLock = (project = PROJECT): PackageLock =>
  JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as PackageLock

const nameAt = (path: string): string => path.replace(/^.*node_modules\//, '')
const withoutBrackets = (licence: string): string => licence.replace(/^\((.*)\)$/, '$1')

/**
 * The packages that the service runs with, as `npm ci --omit=dev` installs them, sorted by name and version. Packages
 * for other platforms are included. A package without a stated licence gets `NOASSERTION`.
 */
export function servicePackages(lock: PackageLock): readonly SbomComponent[] {
  const found = new Map<string, SbomComponent>()
  for (const [path, { version, license, dev = false, link = false }] of Object.entries(lock.packages)) {
    if (path === '' || version === undefined || dev || link) continue
    const name = nameAt(path)
    found.set(`${name}@${version}`, { name, version, licence: withoutBrackets(license ?? 'NOASSERTION') })
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component)
}

/** Where a package is installed. A source map may name a nested folder although the package is at the top level. */
const installedAt = (folder: string, project: string): string =>
  existsSync(join(project, folder)) ? folder : folder.slice(folder.lastIndexOf('node_modules/'))

/** Reads the packages that contain these files, sorted by name. `files` are project paths or source map sources. */
export function packagesOf(files: Iterable<string>, project = PROJECT): readonly LicensedPackage[] {
  const folders = new Set<string>()
  for (const file of files) {
    const [found] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []
    if (found !== undefined) folders.add(installedAt(found, project))
  }
  return [...folders]
    .map((each) => readPackage(join(project, each)))
    .sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1))
}

/** The sources named in a folder's source maps. */
export async function mappedSources(folder: string): Promise<ReadonlySet<string>> {
  const files = new Set<string>()
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.map')) continue
    const { sources } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { sources: string[] }
    for (const source of sources) files.add(source)
  }
  return files
}

/** The file beside the pages with the licences of all packages in them. */
export const LICENCES_FILE = 'licences.txt'

/** Reads an installed package. Throws an `Error` if the package states no licence or has no licence text. */
export function readPackage(folder: string): LicensedPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string
  }
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  if (license === undefined) throw new Error(`${name} states no licence.`)
  if (!texts.some((file) => !/^notice/i.test(file))) throw new Error(`${name} comes without its licence.`)
  const text = texts.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return { name, version, licence: withoutBrackets(license), text: text.join('\n\n') }
}

const RULE = '='.repeat(80)

export const licencesText = (packages: readonly LicensedPackage[]): string =>
  [
    'Signet',
    readFileSync(join(PROJECT, 'LICENSE'), 'utf8').trim(),
    ...packages.map(
      ({ name, version, licence, text }) => `${RULE}\n${name} ${version} (${licence})\n\n${text}`,
    ),
  ].join('\n\n') + '\n'

/** The file names of the bills of materials: one for the pages' packages, one for the service's. */
export const SBOM_FILES = { pages: 'sbom.cdx.json', service: 'service.cdx.json' } as const

/** Writes a software bill of materials in the format CycloneDX 1.6. The same packages always give the same text. */
export function billOfMaterials(
  packages: readonly SbomComponent[],
  version: string,
  lock: PackageLock = readPackageLock(),
): string {
  const integrities = new Map(
    Object.entries(lock.packages).map(([path, each]) => [
      `${nameAt(path)}@${each.version ?? ''}`,
      each.integrity ?? '',
    ]),
  )
  const own = `pkg:npm/signet@${version}`
  const components = packages.map((each) => {
    const [scope, name] = each.name.startsWith('@') ? each.name.split('/') : [undefined, each.name]
    const purl = `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`
    const [algorithm, digest] = integrities.get(`${each.name}@${each.version}`)?.split('-') ?? []
    return {
      type: 'library',
      'bom-ref': purl,
      ...(scope !== undefined && { group: scope }),
      name,
      version: each.version,
      ...(algorithm === 'sha512' &&
        digest !== undefined && {
          hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
        }),
      licenses: / (?:OR|AND|WITH) /.test(each.licence)
        ? [{ expression: each.licence }]
        : [{ license: { id: each.licence } }],
      purl,
    }
  })
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'signet',
        version,
        licenses: [{ license: { id: 'MIT' } }],
        purl: own,
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map(({ purl }) => purl) }],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}
