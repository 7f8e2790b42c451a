import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  billOfMaterials,
  licencesText,
  packagesOf,
  readPackage,
  mappedSources,
} from '../../src/build/licences.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-licences-'))
})
afterAll(() => rm(folder, { recursive: true }))

const SOURCES = [
  'views/App.tsx',
  'node_modules/react/cjs/react.production.js',
  'node_modules/@azure/msal-browser/dist/index.mjs',
  'node_modules/dompurify/src/purify.ts',
]

async function built(): Promise<string> {
  await writeFile(join(folder, 'page.0a1b2c3d.js.map'), JSON.stringify({ sources: SOURCES }))
  await writeFile(join(folder, 'other.js.map'), JSON.stringify({ sources: SOURCES.slice(0, 2) }))
  return folder
}

describe('the licences of a build', () => {
  test('are those of every package that its source maps name, each once, with the whole text', async () => {
    const packages = packagesOf(await mappedSources(await built()))
    expect(packages.map(({ name }) => name)).toEqual(['@azure/msal-browser', 'dompurify', 'react'])
    const text = licencesText(packages)
    expect(text).toMatch(/^Signet\n/)
    expect(text).toContain('react 19.')
    expect(text).toContain('Copyright (c) Meta Platforms, Inc. and affiliates.')
    expect(text).toContain('Mozilla Public License')
    expect(text.match(/Permission is hereby granted/g)).toHaveLength(3)
  })

  test('name a package beside the one that was bundled with it', () => {
    const inside = 'node_modules/dompurify/node_modules/react/index.js'
    expect(packagesOf([inside]).map(({ name }) => name)).toEqual(['react'])
  })

  test('stop the build when a package has none', async () => {
    const lacking = join(folder, 'lacking')
    await mkdir(lacking)
    const write = (content: object) => writeFile(join(lacking, 'package.json'), JSON.stringify(content))
    await write({ name: 'lacking', version: '1.0.0' })
    expect(() => readPackage(lacking)).toThrow('lacking states no licence')
    await write({ name: 'lacking', version: '1.0.0', license: 'MIT' })
    await writeFile(join(lacking, 'NOTICE'), 'A notice')
    expect(() => readPackage(lacking)).toThrow('lacking comes without its licence')
  })
})

test('the bill of materials names each package with its version, licence and hash, as the lock file has it', async () => {
  const packages = packagesOf(await mappedSources(await built()))
  const bill = JSON.parse(billOfMaterials(packages, '1.2.3'))
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'signet', version: '1.2.3' } },
  })
  const lock = JSON.parse(await readFile(join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  const { version, integrity } = lock.packages['node_modules/@azure/msal-browser']
  expect(bill.components[0]).toEqual({
    type: 'library',
    'bom-ref': `pkg:npm/%40azure/msal-browser@${version}`,
    group: '@azure',
    name: 'msal-browser',
    version,
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
    ],
    licenses: [{ license: { id: 'MIT' } }],
    purl: `pkg:npm/%40azure/msal-browser@${version}`,
  })
  expect(bill.components[1].licenses).toEqual([{ expression: 'MPL-2.0 OR Apache-2.0' }])
  expect(bill.dependencies).toEqual([
    { ref: 'pkg:npm/signet@1.2.3', dependsOn: bill.components.map(({ purl }: { purl: string }) => purl) },
  ])
  expect(billOfMaterials(packages, '1.2.3')).toBe(billOfMaterials(packages, '1.2.3'))
})
