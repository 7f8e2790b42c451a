/** Checks whether a tree can be released: its versions must agree, and all shipped licences must be allowed. */
import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LAUNCH_FILE } from '../server/headers.ts'
import { SBOM_FILES, type PackageLock, readPackageLock, servicePackages } from './licences.ts'
import { manifestProblems, manifestVersion } from './manifestProblems.ts'
import { contentOfXml } from './manifestXml.ts'
import { unifiedFiles, unifiedProblems } from './unifiedManifest.ts'

/** The checked parts of a source tree and its build. A text is null if its file is missing. */
export type SourceTree = Readonly<{
  /** The version in `package.json`. */
  version: string
  lock: PackageLock
  manifest: string
  changelog: string | null
  /** The bills of materials for the pages and the service. */
  bills: Readonly<Record<keyof typeof SBOM_FILES, string | null>>
  /** The built `launch.js`. */
  launchFile: string | null
  /** The names of the icon files that a build copies beside the pages. */
  icons: readonly string[]
  /** The paths that differ between the working tree and the commit. */
  changes: readonly string[]
  /** The release date, such as `2026-11-23`. */
  today: string
}>

/**
 * Licences under which Signet can redistribute other people's code. An expression with OR needs one licence from this
 * list, an expression with AND only licences from it.
 */
const ALLOWED: ReadonlySet<string> = new Set(
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 CC0-1.0 Unlicense Zlib Python-2.0'.split(
    ' ',
  ),
)
const isAllowed = (licence: string): boolean =>
  licence.split(' AND ').every((part) =>
    part
      .replace(/^\((.*)\)$/, '$1')
      .split(' OR ')
      .some((each) => ALLOWED.has(each)),
  )

/** The reasons why the tree cannot be released, in sentences that start with the file; empty if it can. */
export function releaseProblems(tree: SourceTree): readonly string[] {
  return [
    ...versionProblems(tree),
    ...manifestProblems(tree.manifest, tree.icons).map((problem) => `manifest.xml: ${problem}`),
    ...problemsOfUnified(tree.manifest),
    ...changelogProblems(tree),
    ...(['pages', 'service'] as const).flatMap((part) => billProblems(tree, part)),
    ...tree.changes.map((change) => `${change}: it is not committed.`),
  ]
}

function versionProblems({ version, lock, manifest, launchFile }: SourceTree): readonly string[] {
  const problems: string[] = []
  if (!/^\d{1,5}(\.\d{1,5}){2}$/.test(version))
    problems.push(`package.json: ${version} is no version of three numbers.`)
  else if (version.startsWith('0.'))
    problems.push(`package.json: ${version} is below 1.0.0, with which Outlook begins.`)
  for (const locked of new Set([lock.version, lock.packages['']?.version]))
    if (locked !== version)
      problems.push(`package-lock.json: the version is ${String(locked)}, in package.json ${version}.`)
  const written = manifestVersion(manifest)
  if (written !== `${version}.0`)
    problems.push(`manifest.xml: the version is ${String(written)}, and has to be ${version}.0.`)
  if (launchFile === null) problems.push('launch.js: it was not built.')
  else if (!launchFile.includes(`"${version}"`)) problems.push(`launch.js: it does not say ${version}.`)
  return problems
}

/** Violations of Microsoft's schema in the unified manifest that an installation would write. */
function problemsOfUnified(xml: string): readonly string[] {
  // Placeholders, because each installation has its own URLs.
  const addresses = { privacyUrl: 'https://signet.example.com', termsUrl: 'https://signet.example.com' }
  try {
    return unifiedProblems(unifiedFiles(contentOfXml(xml), addresses))
  } catch {
    // The unified manifest cannot be written from this XML, a problem already listed by `manifestProblems`.
    return []
  }
}

const SECTIONS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

/** The changelog's violations of the keepachangelog.com 1.1 format. */
function changelogProblems({ changelog, version, today }: SourceTree): readonly string[] {
  if (changelog === null) return ['CHANGELOG.md: it is missing.']
  const problems: string[] = []
  const [, ...parts] = changelog.split(/^## /m)
  const releases = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n')
    const [, name = '', date] = /^\[([^\]]+)\](?: - (\S+))?$/.exec(heading.trim()) ?? []
    if (name === '') problems.push(`"${heading}" is no heading such as [1.0.0] - 2026-11-23.`)
    for (const line of lines) {
      const section = /^### (.*)$/.exec(line)?.[1]
      if (section !== undefined && !SECTIONS.includes(section))
        problems.push(`"${section}" in [${name}] is none of ${SECTIONS.join(', ')}.`)
    }
    return { name, date, entries: lines.filter((line) => line.startsWith('- ')).length }
  })
  const [first] = releases
  if (first?.name !== 'Unreleased') problems.push('it does not begin with [Unreleased].')
  else if (first.entries > 0) problems.push(`what is in [Unreleased] belongs below [${version}].`)
  const own = releases.find(({ name }) => name === version)
  if (own === undefined) problems.push(`[${version}] is missing.`)
  else if (own.entries === 0) problems.push(`[${version}] has no entries.`)
  for (const { name, date } of releases.filter((each) => each.name !== 'Unreleased' && each.name !== '')) {
    if (date === undefined || !isDay(date)) problems.push(`[${name}] has no day such as 2026-11-23.`)
    else if (date > today) problems.push(`[${name}] is of ${date}, and today is ${today}.`)
  }
  const days = releases.flatMap(({ date }) => date ?? [])
  if (days.some((day, index) => day < (days[index + 1] ?? ''))) problems.push('the newest is not first.')
  return problems.map((problem) => `CHANGELOG.md: ${problem}`)
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

type Bill = Readonly<{
  metadata?: { component?: { version?: string } }
  components?: readonly Readonly<{
    'bom-ref'?: string
    name?: string
    group?: string
    version?: string
    hashes?: readonly unknown[]
    licenses?: readonly { expression?: string; license?: { id?: string } }[]
  }>[]
}>

function billProblems(
  { bills, lock, version }: SourceTree,
  part: keyof typeof SBOM_FILES,
): readonly string[] {
  const file = SBOM_FILES[part]
  const text = bills[part]
  if (text === null) return [`${file}: it was not built.`]
  const bill = JSON.parse(text) as Bill
  const problems: string[] = []
  const said = bill.metadata?.component?.version
  if (said !== version) problems.push(`the version is ${String(said)}, in package.json ${version}.`)
  const components = bill.components ?? []
  if (components.length === 0) problems.push('it names no package.')
  const listed = new Set<string>()
  for (const { name = '', group, version: own = '', hashes = [], licenses = [] } of components) {
    const each = `${group === undefined ? '' : `${group}/`}${name}@${own}`
    listed.add(each)
    const [licence] = licenses
    const expression = licence?.expression ?? licence?.license?.id ?? 'none'
    if (!isAllowed(expression)) problems.push(`${each} has the licence ${expression}, which is not allowed.`)
    if (hashes.length === 0) problems.push(`${each} has no hash.`)
  }
  const locked = servicePackages(lock).map((each) => `${each.name}@${each.version}`)
  // The service runs with every non-development package, so its bill must list them all.
  const missing = part === 'service' ? locked.filter((each) => !listed.has(each)) : []
  for (const each of missing) problems.push(`${each} is missing.`)
  return problems.map((problem) => `${file}: ${problem}`)
}

/**
 * Reads the tree in `project`, and the output of `npm run build` in `built`.
 *
 * @throws an Error if git or a project file is missing
 */
export async function readSourceTree(project: string, built: string, today: string): Promise<SourceTree> {
  const read = (path: string) => readFile(join(project, path), 'utf8')
  const made = (path: string) => readFile(join(built, path), 'utf8').catch(() => null)
  const { version } = JSON.parse(await read('package.json')) as { version: string }
  const git = await promisify(execFile)('git', ['status', '--porcelain'], { cwd: project })
  return {
    version,
    lock: readPackageLock(project),
    manifest: await read('manifest.xml'),
    changelog: await read('CHANGELOG.md').catch(() => null),
    bills: { pages: await made(SBOM_FILES.pages), service: await made(SBOM_FILES.service) },
    launchFile: await made(join('www', LAUNCH_FILE)),
    icons: (await readdir(join(built, 'www'))).filter((name) => name.startsWith('icon-')),
    changes: git.stdout.split('\n').flatMap((line) => (line === '' ? [] : line.slice(3))),
    today,
  }
}
