import { extname } from 'node:path'
import fc from 'fast-check'
import { type Element, Window } from 'happy-dom'
import { describe, expect, test } from 'vitest'
import { azureConfig, iisConfig, nginxInclude, type ServedSite } from '../../src/build/webServers.ts'
import { fileHeaders } from '../../src/server/headers.ts'
import { readConfig, shippedHeaders } from '../../src/server/pageConfig.ts'
import { CONTENT_TYPES } from '../../src/server/pages.ts'

const shipped = shippedHeaders(
  readConfig({
    SIGNET_API_URL: 'https://api.example.com/v1',
    SIGNET_CLIENT_ID: 'an-id',
    SIGNET_AUTHORITY: 'https://login.microsoftonline.com/organizations',
    SIGNET_SCOPE: 'api://an-id/access_as_user',
    SIGNET_IMAGE_ORIGINS: 'https://images.example.com https://more.example.com',
    SIGNET_ANALYTICS_URL: 'https://analytics.example.com/collect',
  }),
)
const FILES = [
  ...Object.keys(shipped).filter((name) => !name.includes('/')),
  ...['drawScreen.0a1b2c3d.js', 'theme.00ff00ff.css', 'de.12345678.json', 'picture.9abcdef0.svg'],
  ...['icon-16.png', 'icon-128.png', 'licences.txt', 'plain.css'],
]
const site: ServedSite = { headers: shipped, files: FILES }

type Headers = Readonly<Record<string, string>>
/** What a browser gets: the headers of the file at a path; null where it gets no file. */
type Answers = (path: string) => Headers | null

type Word = Readonly<{ text: string; isMark: boolean }>
/** The words of an nginx file, of which the quoted ones are unescaped; marks end a statement. */
function nginxWords(file: string): Word[] {
  const words = /#[^\n]*|"((?:[^"\\]|\\.)*)"|([{};])|[^\s{};"]+/g
  return [...file.matchAll(words)]
    .filter(([word]) => !word.startsWith('#'))
    .map(([word, quoted, mark]) => ({
      text: quoted === undefined ? word : quoted.replace(/\\(["\\])/g, '$1'),
      isMark: mark !== undefined,
    }))
}

/** The locations of an include, by what nginx documents: exact ones, then patterns, then the longest beginning. */
function readNginx(file: string): Readonly<{ answers: Answers; types: Headers }> {
  const words = nginxWords(file)
  const statement = (): string[] =>
    words.splice(0, words.findIndex(({ isMark }) => isMark) + 1).map(({ text }) => text)
  const locations: { match: string[]; headers: Record<string, string> }[] = []
  const types: Record<string, string> = {}
  let block: string[] = []
  while (words.length > 0) {
    const parts = statement()
    const end = parts.pop()
    if (end === '{') {
      block = parts
      if (parts[0] === 'location') locations.push({ match: parts.slice(1), headers: {} })
    } else if (end === '}') block = []
    else if (block[0] === 'types') types[`.${parts[1] ?? ''}`] = parts[0] ?? ''
    else if (parts[0] === 'charset_types') {
      for (const [extension, type] of Object.entries(types))
        if (type === 'text/html' || parts.includes(type)) types[extension] = `${type}; charset=utf-8`
    } else if (parts[0] === 'add_header') {
      const [, name = '', value = '', always] = parts
      expect([undefined, 'always']).toContain(always)
      const current = locations.at(-1)
      if (current !== undefined) current.headers[name] = value
    }
  }
  const answers: Answers = (path) => {
    const exact = locations.find(({ match }) => match[0] === '=' && match[1] === path)
    const pattern = locations.find(({ match }) => match[0] === '~' && new RegExp(match[1] ?? '').test(path))
    return (exact ?? pattern ?? locations.find(({ match }) => match[0] === '/'))?.headers ?? null
  }
  return { answers, types }
}

const childrenOf = (element: Element | undefined, name: string): Element[] =>
  [...(element?.children ?? [])].filter(({ tagName }) => tagName === name)

/** The configuration of IIS: what a location adds after it cleared what is above. */
function readIis(text: string): Readonly<{ answers: Answers; types: Headers }> {
  const document = new new Window().DOMParser().parseFromString(text, 'application/xml')
  expect(document.querySelector('parsererror')).toBeNull()
  const root = document.documentElement
  expect(root.tagName).toBe('configuration')
  const web = (element: Element | undefined) => childrenOf(element, 'system.webServer')[0]
  const headersOf = (element: Element | undefined): Headers => {
    const [custom] = childrenOf(childrenOf(web(element), 'httpProtocol')[0], 'customHeaders')
    const [first, ...adds] = custom?.children ?? []
    expect(first?.tagName).toBe('clear')
    return Object.fromEntries(
      adds.map((add) => [add.getAttribute('name') ?? '', add.getAttribute('value') ?? '']),
    )
  }
  const locations = new Map(
    childrenOf(root, 'location').map((each) => [`/${each.getAttribute('path') ?? ''}`, headersOf(each)]),
  )
  const [files] = childrenOf(childrenOf(web(root), 'defaultDocument')[0], 'files')
  const index = childrenOf(files, 'add')[0]?.getAttribute('value') ?? ''
  const [content] = childrenOf(web(root), 'staticContent')
  return {
    answers: (path) => locations.get(path === '/' ? `/${index}` : path) ?? headersOf(root),
    types: Object.fromEntries(
      childrenOf(content, 'mimeMap').map((each) => [
        each.getAttribute('fileExtension') ?? '',
        each.getAttribute('mimeType') ?? '',
      ]),
    ),
  }
}

type AzureRoute = { route: string; headers?: Headers; statusCode?: number }
/** The routes of Azure: the first that fits. */
function readAzure(text: string): Readonly<{ answers: Answers; types: Headers }> {
  const { routes, mimeTypes } = JSON.parse(text) as { routes: AzureRoute[]; mimeTypes: Headers }
  const fits = (route: string, path: string): boolean => {
    const [before = '', wild] = route.split('*')
    if (wild === undefined) return route === path
    const extensions = /^\.\{(.*)\}$/.exec(wild)?.[1]?.split(',')
    return path.startsWith(before) && (extensions?.includes(extname(path).slice(1)) ?? true)
  }
  return {
    answers: (path) => {
      const found = routes.find(({ route }) => fits(route, path))
      return found?.statusCode === 404 ? null : (found?.headers ?? null)
    },
    types: mimeTypes,
  }
}

describe.each([
  ['nginx', nginxInclude, readNginx],
  ['IIS', iisConfig, readIis],
  ['Azure Static Web Apps', azureConfig, readAzure],
] as const)('the headers for %s', (_, write, read) => {
  const { answers, types } = read(write(site))

  test('of pages, and of files that mail clients load by themselves, are those that ship', () => {
    for (const [name, headers] of Object.entries(shipped)) expect(answers(`/${name}`), name).toEqual(headers)
    expect(answers('/')).toEqual(shipped['index.html'])
  })

  test('keep files with a hash for a year, and no other', () => {
    for (const name of FILES.filter((each) => !(each in shipped)))
      expect(answers(`/${name}`), name).toEqual(fileHeaders(name))
    expect(answers('/later.html')?.['Cache-Control']).toBe('no-cache')
  })

  test('come with the types of the service', () => {
    expect(types).toEqual(CONTENT_TYPES)
  })

  test('are of each page that is there', () => {
    const more = { ...site, headers: { ...shipped, 'another.html': { 'X-Another': 'page' } } }
    expect(read(write(more)).answers('/another.html')).toEqual({ 'X-Another': 'page' })
  })

  test('say any value as it is', () => {
    const value = fc
      .string({ unit: 'grapheme-ascii' })
      .map((text) => text.replaceAll('$', '').trim())
      .filter((text) => text !== '')
    fc.assert(
      fc.property(value, (text) => {
        const odd = { ...site, headers: { ...shipped, 'odd.html': { 'X-Odd': text } } }
        expect(read(write(odd)).answers('/odd.html')).toEqual({ 'X-Odd': text })
        expect(read(write(odd)).answers('/taskpane.html')).toEqual(shipped['taskpane.html'])
      }),
      { numRuns: 30, examples: [['"; return 200 "x'], ['\\'], ['" /><clear/>'], ["'&amp;<"]] },
    )
  })
})

test('a value that nginx would read as a variable, or as another line, is refused', () => {
  for (const value of ['$host', 'a\nb'])
    expect(() => nginxInclude({ ...site, headers: { 'index.html': { 'X-Odd': value } } })).toThrow(
      'nginx cannot send',
    )
})

test('a page has its headers for Azure without its extension, too, or is not there', () => {
  const { answers } = readAzure(azureConfig(site))
  for (const page of ['/taskpane', '/index', '/launch']) expect(answers(page)).toBeNull()
})

test('what Azure reads is within its limit of 20 kB', () => {
  const many = Array.from({ length: 300 }, (_, index) => `chunk.${(index + 0x10000000).toString(16)}.js`)
  expect(azureConfig({ headers: shipped, files: [...FILES, ...many] }).length).toBeLessThan(20_000)
})
