import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wrapProgram } from '../../src/build/launchFile.ts'

// What ships is what the packages publish, through the bundler alone. tests/browser/published.browser.test.ts asks a built page.

const PROJECT = join(import.meta.dirname, '../..')
const read = (name: string): string => readFileSync(join(PROJECT, name), 'utf8')

type BundlerConfig = Readonly<{
  extends: string
  transformers: Readonly<Record<string, readonly string[]>>
  optimizers: Readonly<Record<string, readonly string[]>>
  reporters: readonly string[]
}>
const bundlerConfig = JSON.parse(read('.parcelrc').replace(/^\s*\/\/.*$/gm, '')) as BundlerConfig
const { alias } = JSON.parse(read('package.json')) as { alias: Readonly<Record<string, string>> }

/** The steps of a build that are this project's own, and why each is there. */
const OWN_STEPS: Readonly<Record<string, string>> = {
  './src/build/ownModules.mjs':
    'Without it, Parcel wraps what the engine and a chunk share: 13 kB of the first load. It changes no code.',
  './src/build/buildProgress.mjs': 'Tells the terminal how far a build is. It changes no code.',
}

/** Why each alias is there. Each chooses one of the files that a package publishes. */
const ALIASES: Readonly<Record<string, string>> = {
  '@azure/msal-browser/redirect-bridge':
    'The callback page is 4 kB with this file, 31 kB with the other one.',
  'react-router': 'The bundler would take the file for development.',
  'react-router/dom': 'The bundler would take the file for development.',
  rxjs: 'Modules that the bundler can leave out one by one, without the helpers of ES5.',
  'rxjs/operators': 'As rxjs.',
  'rxjs/ajax': 'As rxjs.',
}

test('[PUB-1] [PUB-3] the bundler runs as it is published, with these steps of our own, which change no code', () => {
  expect(Object.keys(bundlerConfig).sort()).toEqual(['extends', 'optimizers', 'reporters', 'transformers'])
  expect(bundlerConfig.extends).toBe('@parcel/config-default')
  // Parcel's default minifier minifies all other files: each file is minified once.
  expect(bundlerConfig.optimizers).toEqual({
    '{associate,launch,launchGuard}.js': ['@parcel/optimizer-terser'],
  })
  const steps = [...Object.values(bundlerConfig.transformers).flat(), ...bundlerConfig.reporters]
  expect([...new Set(steps)].filter((step) => step !== '...').sort()).toEqual(Object.keys(OWN_STEPS).sort())
  for (const step of Object.keys(OWN_STEPS))
    expect(read(step), step).not.toMatch(/\bset(?:AST|Buffer|Code|Map|Stream)\b|\baddRuntime|\bresolve\(/)
})

test('[PUB-1] every build has this configuration', async () => {
  const names = (await readdir(join(PROJECT, 'src/build'))).filter((name) => name.endsWith('.ts'))
  const builders = names.filter((name) => /\bnew Parcel\(/.test(read(`src/build/${name}`)))
  expect(builders).toEqual(['bundle.ts', 'launchFile.ts'])
  for (const name of builders) {
    const source = read(`src/build/${name}`)
    expect(source).toMatch(/^const CONFIG = join\(PROJECT, '\.parcelrc'\)$/m)
    expect(source.match(/\bconfig: CONFIG,/g)).toHaveLength(1)
    expect(source).not.toMatch(/\b(?:defaultConfig|additionalReporters|featureFlags)\b/)
  }
})

test('[PUB-1] no transformer of ours reads a file of a package', () => {
  for (const pattern of Object.keys(bundlerConfig.transformers))
    expect(pattern).toMatch(/^(?:src|streams|effects|views)\//)
})

test('[PUB-1] an alias chooses one of the files that its package publishes', () => {
  expect(Object.keys(alias).sort()).toEqual(Object.keys(ALIASES).sort())
  for (const [name, path] of Object.entries(alias)) {
    const [owner] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? []
    expect(path.startsWith(`./node_modules/${String(owner)}/`), path).toBe(true)
    expect(existsSync(join(PROJECT, path)), path).toBe(true)
  }
})

test('[PUB-1] no other file configures a compiler or a minifier of the bundler', async () => {
  const names = await readdir(PROJECT)
  expect(
    names.filter((name) => /^\.?(?:babel|swc|terser|postcss|posthtml|htmlnano|svgo)/.test(name)),
  ).toEqual([])
  expect(names.filter((name) => /^(?:patches|\.yarn)$/.test(name))).toEqual([])
})

test('[PUB-3] launch.js contains its built program as it is, within what completes every event after an error', () => {
  const { before, code } = wrapProgram('first()', 'const $& = `$1`\nrun()')
  expect(code.startsWith(before)).toBe(true)
  expect(before).toContain('\nfirst()\ntry{\n')
  expect(code.slice(before.length)).toMatch(/^const \$& = `\$1`\nrun\(\)\n\}catch\(/)
})
