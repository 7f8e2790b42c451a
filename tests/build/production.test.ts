import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../src/build/production.ts'

const PROJECT = join(import.meta.dirname, '../..')
const right = {
  SIGNET_API_URL: 'https://api.example.com/v1',
  SIGNET_CLIENT_ID: 'an-id',
  SIGNET_AUTHORITY: 'https://login.microsoftonline.com/organizations',
  SIGNET_SCOPE: 'api://an-id/access_as_user',
}

describe('the settings of a build', () => {
  test('what is not said is as usual: English, in production, without analytics, pictures from the service', () => {
    expect(readSettings(right)).toEqual({
      ...right,
      SIGNET_IMAGE_ORIGINS: 'https://api.example.com',
      SIGNET_LOCALE: 'en',
      SIGNET_FALLBACK_LOCALE: 'en',
      SIGNET_ANALYTICS_URL: '',
      SIGNET_ANALYTICS_KEY: '',
      SIGNET_PRODUCTION: 'true',
      SIGNET_BETA: 'false',
    })
  })

  test.each(Object.keys(right))('[CFG-1] a build without %s stops and names it', (name) => {
    for (const nothing of [undefined, '', '  ']) {
      expect(() => readSettings({ ...right, [name]: nothing })).toThrow(new RegExp(`^${name} is missing`))
    }
  })

  test('[CFG-1] everything that is missing is named at once', () => {
    expect(() => readSettings({})).toThrow(/SIGNET_API_URL[^]*SIGNET_CLIENT_ID[^]*SIGNET_SCOPE/)
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
    ['SIGNET_ANALYTICS_URL', 'http://analytics.example.com'],
    ['SIGNET_PRODUCTION', 'yes'],
    ['SIGNET_BETA', '1'],
  ])('[CFG-1] a build with %s=%s stops and names it', (name, value) => {
    expect(() => readSettings({ ...right, [name]: value })).toThrow(new RegExp(`^${name} is not `))
  })
})

test('[CFG-1] only in production has the service to be asked over https', () => {
  const trying = { ...right, SIGNET_API_URL: 'http://localhost:8080', SIGNET_PRODUCTION: 'false' }
  expect(readSettings(trying)).toMatchObject({ SIGNET_IMAGE_ORIGINS: 'http://localhost:8080' })
  expect(() => readSettings({ ...trying, SIGNET_PRODUCTION: 'true' })).toThrow(/^SIGNET_API_URL is not /)
})

test("the pane's page loads the library from Microsoft's address and from nowhere else", () => {
  const page = readFileSync(join(PROJECT, 'src/pane/taskpane.html'), 'utf8')
  const scripts = [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, address]) => address)
  expect(scripts).toEqual(['https://appsforoffice.microsoft.com/lib/1/hosted/office.js', './taskpane.tsx'])
})

test("nothing of Microsoft's library is in the project", () => {
  const ignored = new Set([
    'node_modules',
    ...readFileSync(join(PROJECT, '.gitignore'), 'utf8').split('\n'),
    '.git',
  ])
  // Names of the library's insides, put together here so that this file has none of them.
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
