import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { billOfMaterials, type PackageLock, servicePackages } from '../../src/build/licences.ts'
import { readSourceTree, releaseProblems, type SourceTree } from '../../src/build/release.ts'

const PROJECT = join(import.meta.dirname, '../..')
const VERSION = '1.2.0'
const LOCK: PackageLock = {
  version: VERSION,
  packages: {
    '': { version: VERSION },
    'node_modules/react': { version: '19.3.1', integrity: 'sha512-AAAA', license: 'MIT' },
    'node_modules/dompurify': {
      version: '3.4.18',
      integrity: 'sha512-BBBB',
      license: '(MPL-2.0 OR Apache-2.0)',
    },
    'node_modules/@a/nested/node_modules/react': {
      version: '18.0.0',
      integrity: 'sha512-CCCC',
      license: 'MIT',
    },
    'node_modules/tool': { version: '1.0.0', license: 'GPL-3.0-only', dev: true },
  },
}
const CHANGELOG = `# Changelog

## [Unreleased]

## [1.2.0] - 2026-11-23

### Added

- The administration page.

## [1.1.0] - 2026-10-01

### Fixed

- Pictures.
`
let good: SourceTree
beforeAll(async () => {
  const manifest = await readFile(join(PROJECT, 'manifest.xml'), 'utf8')
  const components = servicePackages(LOCK)
  good = {
    version: VERSION,
    lock: LOCK,
    manifest: manifest.replace(/<Version>[^<]*/, `<Version>${VERSION}.0`),
    changelog: CHANGELOG,
    bills: {
      pages: billOfMaterials(components.slice(0, 1), VERSION, LOCK),
      service: billOfMaterials(components, VERSION, LOCK),
    },
    launchFile: `var a={version:"${VERSION}"}`,
    icons: ['icon-16.png', 'icon-32.png', 'icon-64.png', 'icon-80.png', 'icon-128.png'],
    changes: [],
    today: '2026-11-23',
  }
})

test('a tree whose parts agree can be released', () => {
  expect(releaseProblems(good)).toEqual([])
})

test('this repository carries one version: package.json, its lock and the manifest', async () => {
  const read = (name: string) => readFile(join(PROJECT, name), 'utf8')
  const { version } = JSON.parse(await read('package.json')) as { version: string }
  const lock = JSON.parse(await read('package-lock.json')) as PackageLock & { version: string }
  expect([lock.version, lock.packages['']?.version]).toEqual([version, version])
  expect(/<Version>([^<]*)/.exec(await read('manifest.xml'))?.[1]).toBe(`${version}.0`)
})

test('what the service runs with is every locked package that is not for development, each version once', () => {
  expect(servicePackages(LOCK).map(({ name, version, licence }) => `${name}@${version} ${licence}`)).toEqual([
    ...['dompurify@3.4.18 MPL-2.0 OR Apache-2.0', 'react@18.0.0 MIT', 'react@19.3.1 MIT'],
  ])
})

/** A good tree with one thing wrong, and the one sentence about it. */
const cases: readonly (readonly [string, (tree: SourceTree) => SourceTree, string])[] = [
  [
    'a lock file of another version',
    (tree) => ({ ...tree, lock: { ...tree.lock, version: '1.1.0' } }),
    'package-lock.json: the version is 1.1.0, in package.json 1.2.0.',
  ],
  [
    'a manifest of another version',
    (tree) => ({ ...tree, manifest: tree.manifest.replace('1.2.0.0', '1.2.1.0') }),
    'manifest.xml: the version is 1.2.1.0, and has to be 1.2.0.0.',
  ],
  [
    'a launch file of another version',
    (tree) => ({ ...tree, launchFile: 'version:"1.1.0"' }),
    'launch.js: it does not say 1.2.0.',
  ],
  ['no launch file', (tree) => ({ ...tree, launchFile: null }), 'launch.js: it was not built.'],
  [
    'a bill of another version',
    (tree) => bill(tree, 'pages', (text) => text.replace('"version": "1.2.0"', '"version": "1.1.0"')),
    'sbom.cdx.json: the version is 1.1.0, in package.json 1.2.0.',
  ],
  ['no bill', (tree) => bill(tree, 'service', () => null), 'service.cdx.json: it was not built.'],
  [
    'a bill without a package that ships',
    (tree) => bill(tree, 'service', () => billOfMaterials(servicePackages(LOCK).slice(1), VERSION, LOCK)),
    'service.cdx.json: dompurify@3.4.18 is missing.',
  ],
  [
    'a bill of nothing',
    (tree) => bill(tree, 'pages', () => billOfMaterials([], VERSION, LOCK)),
    'sbom.cdx.json: it names no package.',
  ],
  [
    'a package that the lock file does not know',
    (tree) =>
      bill(tree, 'pages', () =>
        billOfMaterials([{ name: '@b/c', version: '1.0.0', licence: 'MIT' }], VERSION, LOCK),
      ),
    'sbom.cdx.json: @b/c@1.0.0 has no hash.',
  ],
  ...['GPL-3.0-only', 'NOASSERTION', 'MIT AND GPL-3.0-only'].map(
    (licence) =>
      [
        `a package under ${licence}`,
        (tree: SourceTree) =>
          bill(tree, 'pages', () =>
            billOfMaterials([{ name: 'react', version: '18.0.0', licence }], VERSION, LOCK),
          ),
        `sbom.cdx.json: react@18.0.0 has the licence ${licence}, which is not allowed.`,
      ] as const,
  ),
  ['no changelog', (tree) => ({ ...tree, changelog: null }), 'CHANGELOG.md: it is missing.'],
  changelog('no version', '## [1.2.0] - 2026-11-23', '## [1.1.9] - 2026-11-23', '[1.2.0] is missing.'),
  changelog('no entries', '- The administration page.\n', '', '[1.2.0] has no entries.'),
  changelog('no day', '## [1.2.0] - 2026-11-23', '## [1.2.0]', '[1.2.0] has no day such as 2026-11-23.'),
  changelog('no such day', ' 2026-10-01', ' 2026-02-30', '[1.1.0] has no day such as 2026-11-23.'),
  changelog(
    'a day to come',
    ' 2026-11-23',
    ' 2026-11-24',
    '[1.2.0] is of 2026-11-24, and today is 2026-11-23.',
  ),
  changelog('an older one first', '- 2026-11-23', '- 2026-09-30', 'the newest is not first.'),
  changelog(
    'something that is not released',
    '## [Unreleased]\n',
    '## [Unreleased]\n\n- Something.\n',
    'what is in [Unreleased] belongs below [1.2.0].',
  ),
  changelog('no beginning', '## [Unreleased]\n', '', 'it does not begin with [Unreleased].'),
  changelog(
    'a heading of its own',
    '## [1.1.0] - ',
    '## Version 1.1.0, ',
    '"Version 1.1.0, 2026-10-01" is no heading such as [1.0.0] - 2026-11-23.',
  ),
  changelog(
    'a section of its own',
    '### Fixed',
    '### Repaired',
    '"Repaired" in [1.1.0] is none of Added, Changed, Deprecated, Removed, Fixed, Security.',
  ),
  manifest('no XML', '</OfficeApp>', '', 'It is not XML.'),
  manifest(
    'a manifest for another program',
    'xsi:type="MailApp"',
    'xsi:type="TaskPaneApp"',
    'It is no OfficeApp of the type MailApp.',
  ),
  manifest('no name of the provider', '<ProviderName>Signet</ProviderName>', '', 'ProviderName is missing.'),
  manifest('an unknown element', '<Hosts>', '<Colour/><Hosts>', 'Colour is unknown.'),
  manifest(
    'elements in another order',
    '<ProviderName>Signet</ProviderName>\n  <DefaultLocale>en-US</DefaultLocale>',
    '<DefaultLocale>en-US</DefaultLocale><ProviderName>Signet</ProviderName>',
    'Its elements are not in the order of the schema.',
  ),
  manifest('an id that is none', /<Id>[^<]*/, '<Id>signet', 'Id signet is no UUID.'),
  manifest(
    'a text that is not there',
    'resid="openTip"',
    'resid="closeTip"',
    'Description names the resource "closeTip", which is not there.',
  ),
  manifest(
    'a resource twice',
    '<bt:String id="open"',
    '<bt:String id="name"',
    'The id "name" is there twice.',
  ),
  manifest(
    'a long id',
    '<bt:Url id="pane"',
    `<bt:Url id="${'p'.repeat(33)}"`,
    `The id "${'p'.repeat(33)}" of a resource is longer than 32 characters.`,
  ),
  manifest(
    'a text that is too long',
    'DefaultValue="Signatures"',
    `DefaultValue="${'S'.repeat(126)}"`,
    `"${'S'.repeat(126)}" in bt:ShortStrings is longer than 125 characters.`,
  ),
  [
    'a description that the unified manifest does not take',
    (tree) => ({
      ...tree,
      manifest: tree.manifest.replace(/(<Description DefaultValue=")[^"]*/, `$1${'D'.repeat(81)}`),
    }),
    'manifest.json/description/short: must NOT have more than 80 characters ({"limit":80}).',
  ],
  manifest(
    'an address on http',
    'https://localhost:4443/taskpane.html',
    'http://localhost:4443/taskpane.html',
    'http://localhost:4443/taskpane.html is not on https.',
  ),
  manifest('a picture that is not there', 'icon-64.png', 'icon-63.png', 'There is no picture icon-63.png.'),
  [
    'a file that is not committed',
    (tree) => ({ ...tree, changes: ['src/new.ts'] }),
    'src/new.ts: it is not committed.',
  ],
]

function bill(
  tree: SourceTree,
  part: 'pages' | 'service',
  change: (text: string) => string | null,
): SourceTree {
  return { ...tree, bills: { ...tree.bills, [part]: change(tree.bills[part] ?? '') } }
}
function changelog(name: string, from: string, to: string, problem: string) {
  return [
    `a changelog with ${name}`,
    (tree: SourceTree) => ({ ...tree, changelog: CHANGELOG.replace(from, to) }),
    `CHANGELOG.md: ${problem}`,
  ] as const
}
function manifest(name: string, from: string | RegExp, to: string, problem: string) {
  return [
    name,
    (tree: SourceTree) => ({ ...tree, manifest: tree.manifest.replace(from, to) }),
    `manifest.xml: ${problem}`,
  ] as const
}

describe('a tree cannot be released with', () => {
  test.each(cases)('%s', (_, change, problem) => {
    const broken = change(good)
    expect(broken).not.toEqual(good)
    expect(releaseProblems(broken)).toContain(problem)
  })

  test('several problems, which are all told', () => {
    const broken = { ...good, version: '0.1.0', changelog: null, launchFile: null, changes: ['a', 'b'] }
    expect(releaseProblems(broken).map((problem) => problem.split(':')[0])).toEqual([
      ...['package.json', 'package-lock.json', 'manifest.xml', 'launch.js', 'CHANGELOG.md'],
      ...['sbom.cdx.json', 'service.cdx.json', 'a', 'b'],
    ])
  })
})

describe('a tree on the disk', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signet-release-'))
    await mkdir(join(folder, 'built/www'), { recursive: true })
    const files: Readonly<Record<string, string>> = {
      'package.json': JSON.stringify({ version: VERSION }),
      'package-lock.json': JSON.stringify(LOCK),
      'manifest.xml': good.manifest,
      'CHANGELOG.md': CHANGELOG,
      '.gitignore': 'built\n',
      'built/sbom.cdx.json': good.bills.pages ?? '',
      'built/service.cdx.json': good.bills.service ?? '',
      'built/www/launch.js': good.launchFile ?? '',
      ...Object.fromEntries(good.icons.map((name) => [`built/www/${name}`, ''])),
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: folder })
    git('init', '--quiet')
    git('add', '.')
    git('commit', '--quiet', '--message', 'All')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is read whole', async () => {
    const tree = await readSourceTree(folder, join(folder, 'built'), good.today)
    expect({ ...tree, icons: [...tree.icons].sort() }).toEqual({ ...good, icons: [...good.icons].sort() })
  })

  test('has changes that are not committed, and files that are not built', async () => {
    await writeFile(join(folder, 'new.txt'), '')
    await rm(join(folder, 'built/www/launch.js'))
    await rm(join(folder, 'CHANGELOG.md'))
    expect(releaseProblems(await readSourceTree(folder, join(folder, 'built'), good.today))).toEqual([
      'launch.js: it was not built.',
      'CHANGELOG.md: it is missing.',
      'CHANGELOG.md: it is not committed.',
      'new.txt: it is not committed.',
    ])
  })
})
