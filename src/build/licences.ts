import { readFileSync, readdirSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const PROJECT = join(import.meta.dirname, '..', '..')

/** A package whose code is in a build. */
export type Package = Readonly<{
  name: string
  version: string
  /** An SPDX expression, such as `MIT`. */
  licence: string
  /** The whole text of its licence, and its notice when it has one. */
  text: string
}>

/** The packages of the files that the source maps of a built folder name, by name. */
export async function packagesOf(folder: string): Promise<readonly Package[]> {
  const folders = new Set<string>()
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.map')) continue
    const { sources } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { sources: string[] }
    for (const source of sources) {
      const [found] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(source) ?? []
      if (found !== undefined) folders.add(found)
    }
  }
  return [...folders]
    .map((each) => readPackage(join(PROJECT, each)))
    .sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1))
}

/** Reads an installed package. Throws an `Error` when it states no licence, or comes without its text. */
export function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string
  }
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  if (license === undefined) throw new Error(`${name} states no licence.`)
  if (!texts.some((file) => !/^notice/i.test(file))) throw new Error(`${name} comes without its licence.`)
  const text = texts.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return { name, version, licence: license.replace(/^\((.*)\)$/, '$1'), text: text.join('\n\n') }
}

const RULE = '='.repeat(80)

/** What a person reads: Signet's licence and that of each package. */
export const licencesText = (packages: readonly Package[]): string =>
  [
    'Signet',
    readFileSync(join(PROJECT, 'LICENSE'), 'utf8').trim(),
    ...packages.map(
      ({ name, version, licence, text }) => `${RULE}\n${name} ${version} (${licence})\n\n${text}`,
    ),
  ].join('\n\n') + '\n'

/** A software bill of materials by CycloneDX 1.6. The same build gives the same text. */
export function billOfMaterials(packages: readonly Package[], version: string): string {
  const lock = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { version?: string; integrity?: string } | undefined>>
  }
  const own = `pkg:npm/signet@${version}`
  const components = packages.map((each) => {
    const [scope, name] = each.name.startsWith('@') ? each.name.split('/') : [undefined, each.name]
    const purl = `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`
    const locked = lock.packages[`node_modules/${each.name}`]
    const [algorithm, digest] = locked?.version === each.version ? (locked.integrity ?? '').split('-') : []
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
