import { WORLDWIDE_LIBRARY_URL } from '../../streams/wire/officeLibrary.ts'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildPages } from '../../src/build/bundler.ts'
import { buildProduction, writeHeaders } from '../../src/build/production.ts'
import { azureConfig, iisConfig, nginxInclude } from '../../src/build/webServers.ts'
import { LAUNCH_GUARD_FILE, LAUNCH_FILE } from '../../src/server/headers.ts'
import { type ConfigError, readConfig, shippedHeaders } from '../../src/server/pageConfig.ts'

const PROJECT = join(import.meta.dirname, '../..')
const valid = {
  SIGNET_API_URL: 'https://api.example.com/v1',
  SIGNET_CLIENT_ID: 'an-id',
  SIGNET_AUTHORITY: 'https://login.microsoftonline.com/organizations',
  SIGNET_SCOPE: 'api://an-id/access_as_user',
}

describe('the config of a build', () => {
  test('defaults to English, production, no analytics, and images from the service', () => {
    expect(readConfig(valid)).toEqual({
      ...valid,
      SIGNET_IMAGE_ORIGINS: 'https://api.example.com',
      SIGNET_OFFICE_LIBRARY: WORLDWIDE_LIBRARY_URL,
      SIGNET_LOCALE: 'en',
      SIGNET_FALLBACK_LOCALE: 'en',
      SIGNET_SUPPORT_URL: '',
      SIGNET_ANALYTICS_URL: '',
      SIGNET_ANALYTICS_KEY: '',
      SIGNET_PRODUCTION: 'true',
      SIGNET_BETA: 'false',
    })
  })

  test.each(Object.keys(valid))('[CFG-1] fails without %s and names it', (name) => {
    for (const nothing of [undefined, '', '  ']) {
      expect(() => readConfig({ ...valid, [name]: nothing })).toThrow(new RegExp(`^${name} is missing`))
    }
  })

  test('[CFG-1] names every missing variable at once', () => {
    const problems = (environment: object) => {
      try {
        readConfig({ ...environment })
        return []
      } catch (error) {
        return (error as ConfigError).problems.map((line) => line.split(' ', 1)[0])
      }
    }
    expect(problems({})).toEqual(Object.keys(valid))
    expect(problems({ SIGNET_BETA: '1', SIGNET_SCOPE: 'a' })).toEqual([
      ...['SIGNET_API_URL', 'SIGNET_CLIENT_ID', 'SIGNET_AUTHORITY', 'SIGNET_BETA'],
    ])
  })

  test('[CFG-1] a build with some of the settings stops before it builds, and names all that are missing', async () => {
    const output = join(tmpdir(), 'signet-no-build')
    const environment = { SIGNET_API_URL: valid.SIGNET_API_URL }
    const building = buildProduction({ environment, output, tell: () => expect.fail('began to build') })
    await expect(building).rejects.toThrow(/^SIGNET_CLIENT_ID[^]*\nSIGNET_AUTHORITY[^]*\nSIGNET_SCOPE/)
    expect(existsSync(output)).toBe(false)
  })

  test.each([
    ['SIGNET_API_URL', 'http://api.example.com'],
    ['SIGNET_API_URL', 'api.example.com'],
    ['SIGNET_LOCALE', 'sv'],
    ['SIGNET_FALLBACK_LOCALE', 'en-GB'],
    ['SIGNET_IMAGE_ORIGINS', 'https://images.example.com/path'],
    ['SIGNET_IMAGE_ORIGINS', 'https://images.example.com; script-src *'],
    ['SIGNET_AUTHORITY', 'http://login.example.com/tenant'],
    ['SIGNET_AUTHORITY', 'https://login.example.com/'],
    ['SIGNET_SUPPORT_URL', 'http://help.example.com'],
    ['SIGNET_ANALYTICS_URL', 'http://analytics.example.com'],
    ['SIGNET_PRODUCTION', 'yes'],
    ['SIGNET_BETA', '1'],
  ])('[CFG-1] fails with %s=%s and names it', (name, value) => {
    expect(() => readConfig({ ...valid, [name]: value })).toThrow(new RegExp(`^${name} is not `))
  })
})

test('[CFG-1] production requires https for the service', () => {
  const development = { ...valid, SIGNET_API_URL: 'http://localhost:8080', SIGNET_PRODUCTION: 'false' }
  expect(readConfig(development)).toMatchObject({ SIGNET_IMAGE_ORIGINS: 'http://localhost:8080' })
  expect(() => readConfig({ ...development, SIGNET_PRODUCTION: 'true' })).toThrow(/^SIGNET_API_URL is not /)
})

test('the headers of the pages that are there are written beside the files, and removed for pages of the service', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signet-headers-'))
  try {
    await mkdir(join(folder, 'www'))
    for (const name of ['taskpane.html', 'launch.html', 'index.html', 'icon-16.png', 'a.0a1b2c3d.js'])
      await writeFile(join(folder, 'www', name), '')
    const { 'administration.html': administration, ...headers } = shippedHeaders(readConfig(valid))
    await writeHeaders(folder, { ...headers, 'administration.html': administration ?? {} })
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    const site = { headers, files: ['a.0a1b2c3d.js', 'icon-16.png'] }
    expect(JSON.parse(read('headers.json'))).toEqual(headers)
    expect(read('nginx.conf')).toBe(nginxInclude(site))
    expect(read('web.config')).toBe(iisConfig(site))
    expect(read('staticwebapp.config.json')).toBe(azureConfig(site))
    await writeHeaders(folder, null)
    expect(readdirSync(folder)).toEqual(['www'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

describe('the headers of the add-in as it ships', () => {
  const headers = shippedHeaders(readConfig(valid))

  test('are those of four pages and of what a mail client loads by itself', () => {
    expect(Object.keys(headers).toSorted()).toEqual([
      '.well-known/microsoft-officeaddins-allowed.json',
      ...[
        'administration.html',
        'index.html',
        LAUNCH_GUARD_FILE,
        'launch.html',
        LAUNCH_FILE,
        'taskpane.html',
      ],
    ])
  })

  test('of the page of launch events are those of the pane', () => {
    expect(headers['launch.html']).toEqual(headers['taskpane.html'])
    expect(headers['launch.html']?.['Content-Security-Policy']).toContain('https://outlook.office.com')
  })

  test('of the administration page let no page frame it, and load nothing of a mail client', () => {
    const policy = headers['administration.html']?.['Content-Security-Policy'] ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-src 'self' https://login.microsoftonline.com;")
    expect(policy).not.toContain('office')
  })

  test.each([LAUNCH_FILE, LAUNCH_GUARD_FILE])(
    'of %s let classic Outlook take a new one at its next start',
    (name) => {
      expect(headers[name]).toMatchObject({
        'Cache-Control': 'no-cache',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
    },
  )
})

test("the pane's page loads Microsoft's library from Microsoft only", () => {
  const page = readFileSync(join(PROJECT, 'src/pane/taskpane.html'), 'utf8')
  const scripts = [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, address]) => address)
  expect(scripts).toEqual([WORLDWIDE_LIBRARY_URL, './taskpane.ts'])
})

test("the built page of launch events loads Microsoft's library, then launch-guard.js, then what needs a page", async () => {
  // Parcel reads the project's configuration for files inside the project only.
  await mkdir(join(PROJECT, 'dist'), { recursive: true })
  const root = await mkdtemp(join(PROJECT, 'dist', 'production-test-'))
  try {
    await copyFile(join(PROJECT, 'src/launch/launch.html'), join(root, 'launch.html'))
    // In place of the page's own script, whose bundle takes long.
    await writeFile(join(root, 'launchPage.ts'), 'console.log("page")\n')
    const folder = join(root, 'www')
    await buildPages({
      pages: [join(root, 'launch.html')],
      environment: {},
      folder,
      cacheFolder: join(root, 'cache'),
    })
    const page = readFileSync(join(folder, 'launch.html'), 'utf8')
    const scripts = [...page.matchAll(/<script([^>]*) src="?([^\s">]+)/g)].map(
      ([, attributes = '', address = '']) => [attributes.trim(), address] as const,
    )
    // Classic scripts run in their order; a module runs after them, and has what they made.
    expect(scripts).toEqual([
      ['', WORLDWIDE_LIBRARY_URL],
      ['', `/${LAUNCH_GUARD_FILE}`],
      ['type=module', expect.stringMatching(/^\/launch\.[0-9a-f]{8}\.js$/)],
    ])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})

test("the project contains no copy of Microsoft's library", () => {
  const ignored = new Set([
    'node_modules',
    ...readFileSync(join(PROJECT, '.gitignore'), 'utf8').split('\n'),
    '.git',
  ])
  // Internal names of the library, composed so that this file does not contain them.
  const marks = ['OSF.DDA', 'Microsoft.Office.Common'].map((name) => `${name}.`)
  const files = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (ignored.has(entry.name)) return []
      const path = join(folder, entry.name)
      return entry.isDirectory() ? files(path) : [path]
    })
  const all = files(PROJECT)
  expect(all).toContain(join(PROJECT, 'src/pane/taskpane.html'))
  const copies = all.filter((path) => {
    if (/office(\.debug)?\.js$|^outlook-web|office_strings/.test(path.replace(/.*[\\/]/, ''))) return true
    const text = readFileSync(path, 'latin1')
    return marks.some((mark) => text.includes(mark))
  })
  expect(copies).toEqual([])
})
