// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { fc, test as property } from '@fast-check/vitest'
import { parse } from 'parse5'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WORLDWIDE_LIBRARY_URL } from '../../streams/wire/officeLibrary.ts'
import { LAUNCH_GUARD_FILE, LAUNCH_FILE, OUTLOOK_ORIGINS, WELL_KNOWN_FILE } from '../../src/server/headers.ts'
import {
  addPreconnect,
  ConfigError,
  emptyConfig,
  hasNoConfig,
  type PageConfig,
  readConfig,
  shippedHeaders,
  embedConfig,
} from '../../src/server/pageConfig.ts'
import { azureConfig, iisConfig, nginxInclude } from '../../src/build/webServers.ts'
import { loadsLibrary } from '../../src/server/officeLibrary.ts'

const PAGE =
  '<!doctype html><html lang=en><meta charset=utf-8><title>Signet</title><body><div id=root></div></html>'
const valid = {
  SIGNET_API_URL: 'https://signet.example.com',
  SIGNET_CLIENT_ID: 'an-id',
  SIGNET_AUTHORITY: 'https://login.microsoftonline.com/organizations',
  SIGNET_SCOPE: 'api://an-id/access_as_user',
}
const written = (config: PageConfig): string =>
  embedConfig('taskpane.html', Buffer.from(PAGE), config).toString()

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
  document.head.replaceChildren()
})

/** What the pane reads when its page says this. */
async function readBy(html: string) {
  document.head.replaceChildren(
    ...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('meta[name]'),
  )
  vi.resetModules()
  const { config, supportUrl } = await import('../../src/engine/config.ts')
  return { ...config, supportUrl }
}

/** Where the pane expects Microsoft's library, when its page says this. */
async function libraryReadBy(html: string): Promise<string> {
  await readBy(html)
  const { officeLibraryUrl: officeLibrary } = await import('../../src/engine/served.ts')
  return officeLibrary
}

describe('a page with the config that the service wrote', () => {
  it('[CFG-1] goes by it, and not by the values of its build', async () => {
    vi.stubEnv('SIGNET_VERSION', '1.2.3')
    const config = readConfig({
      ...valid,
      SIGNET_IMAGE_ORIGINS: 'https://a.example https://b.example',
      SIGNET_LOCALE: 'de',
      SIGNET_SUPPORT_URL: 'https://help.example.com/signet',
      SIGNET_ANALYTICS_URL: 'https://analytics.example.com',
      SIGNET_ANALYTICS_KEY: '"quoted" <&>',
    })
    expect(await readBy(written(config))).toEqual({
      apiUrl: valid.SIGNET_API_URL,
      locale: 'de',
      fallbackLocale: 'en',
      imageOrigins: ['https://a.example', 'https://b.example'],
      analytics: { url: 'https://analytics.example.com', key: '"quoted" <&>' },
      version: '1.2.3',
      stage: { production: true, beta: false },
      signIn: { clientId: 'an-id', authority: valid.SIGNET_AUTHORITY, scope: valid.SIGNET_SCOPE },
      supportUrl: 'https://help.example.com/signet',
    })
  })

  it('[CFG-1] knows no address when none was written', async () => {
    vi.stubEnv('SIGNET_API_URL', 'https://built.example.com')
    expect(await readBy(PAGE)).toMatchObject({ apiUrl: '', supportUrl: null, locale: 'en' })
  })
})

type Node = Readonly<{
  nodeName: string
  attrs?: readonly Readonly<{ name: string; value: string }>[]
  childNodes?: readonly Node[]
}>
const shapeOf = ({ nodeName, childNodes = [] }: Node): unknown => [nodeName, childNodes.map(shapeOf)]
const find = (node: Node, name: string): Node | undefined =>
  node.nodeName === name && node.attrs?.some(({ value }) => value === 'signet-config') === true
    ? node
    : node.childNodes?.map((child) => find(child, name)).find((found) => found !== undefined)

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('$&', '"><script>', '</title>', '\u2028', "'"),
)
const configs = fc
  .tuple(anyText, anyText)
  .map(([id, key]): PageConfig => ({ ...emptyConfig(), SIGNET_CLIENT_ID: id, SIGNET_ANALYTICS_KEY: key }))

property.prop([configs])('no value changes the markup of a page, and each is read as it was', (config) => {
  const plain = parse(written(emptyConfig())) as Node
  const page = parse(written(config)) as Node
  expect(shapeOf(page)).toEqual(shapeOf(plain))
  const content = find(page, 'meta')?.attrs?.find(({ name }) => name === 'content')?.value
  expect(JSON.parse(content ?? '')).toEqual(config)
})

property.prop([configs])('the program of launch events has each value as a global', (config) => {
  const program = embedConfig(LAUNCH_FILE, Buffer.from('signetConfig'), config).toString()
  expect({ ...(runInNewContext(program) as object) }).toEqual(config)
  // Line ends of a script before ES2019.
  expect(program).not.toMatch(/[\u2028\u2029]/)
})

it('other files stay as they are, and a page without a title is refused', () => {
  const content = Buffer.from('</title>')
  expect(embedConfig('chunk.0a1b2c3d.js', content, emptyConfig())).toBe(content)
  expect(() => embedConfig('odd.html', Buffer.from('<p>'), emptyConfig())).toThrow(/^odd\.html has no place/)
})

it('the help page of the organisation is an https address, or there is none', async () => {
  expect((await readBy(written(readConfig(valid)))).supportUrl).toBeNull()
  expect(() => readConfig({ ...valid, SIGNET_SUPPORT_URL: 'http://help.example.com' })).toThrow(
    'SIGNET_SUPPORT_URL is not an address that begins with https://.',
  )
})

describe('a build without a config', () => {
  it('[CFG-1] is one without any of the values that a build must have', () => {
    expect(hasNoConfig({ SIGNET_LOCALE: 'de', SIGNET_API_URL: ' ' })).toBe(true)
    for (const [name, value] of Object.entries(valid)) expect(hasNoConfig({ [name]: value })).toBe(false)
  })
})

it('a page with a screen to fetch connects early to a service elsewhere, and no other file does', () => {
  const hint = '<link rel=preconnect href="https://api.example.com" crossorigin>'
  const prefetch = '<link rel=prefetch as=script href="/drawScreen.11111111.js">'
  const add = (name: string, text: string) =>
    addPreconnect(name, Buffer.from(text), 'https://api.example.com/v1').toString()
  expect(add('taskpane.html', `<title>Signet</title>${prefetch}`)).toBe(
    `<title>Signet</title>${hint}${prefetch}`,
  )
  for (const [name, text] of [
    ['index.html', '<title>Signet</title>'],
    ['chunk.0a1b2c3d.js', `'</title>${prefetch}'`],
  ] as const)
    expect(add(name, text)).toBe(text)
})

describe("Microsoft's library", () => {
  const PAGES = ['src/pane/taskpane.html', 'src/launch/launch.html']
  const hostsIn = (text: string): readonly string[] => [
    ...new Set(
      [...text.matchAll(/https:\/\/([\w*.-]*(?:office|onecdn)[\w.-]*)/g)].map(([, host = '']) => host),
    ),
  ]

  it.each([
    ['worldwide', 'officeapis.public.onecdn.static.microsoft'],
    ['gcc', 'appsforoffice.gcc.cdn.office.net'],
    ['gcc-high', 'appsforoffice.gcch.cdn.office.net'],
    ['dod', 'appsforoffice.dod.cdn.office.net'],
    ['china', 'appsforoffice.cdn.partner.office365.cn'],
    ['https://library.example/office/office.js', 'library.example'],
  ])('[CLIENT-7] with the setting %s is named by its host alone, everywhere', async (setting, host) => {
    const config = readConfig({ ...valid, SIGNET_OFFICE_LIBRARY: setting })
    const address = config.SIGNET_OFFICE_LIBRARY
    expect(new URL(address).host).toBe(host)
    for (const page of PAGES) {
      const name = page.slice(page.lastIndexOf('/') + 1)
      const html = embedConfig(name, Buffer.from(readFileSync(page)), config).toString()
      expect(html).toContain(`src="${address}"`)
      expect(html.match(/<script[^>]* src="https:/g)).toHaveLength(1)
      expect(hostsIn(html).filter((each) => each !== host)).toEqual([])
      expect(loadsLibrary(html, address)).toBe(true)
    }
    expect(await libraryReadBy(written(config))).toBe(address)
    const headers = shippedHeaders(config)
    for (const page of ['taskpane.html', 'launch.html', 'index.html']) {
      const policy = headers[page]?.['Content-Security-Policy'] ?? ''
      const scripts = policy.split('; ').find((directive) => directive.startsWith('script-src '))
      // Either worldwide host may lead to the other.
      for (const origin of [
        `https://${host}`,
        'https://officeapis.public.onecdn.static.microsoft',
        'https://appsforoffice.microsoft.com',
      ])
        expect(scripts?.split(' ')).toContain(origin)
    }
    for (const file of [nginxInclude, iisConfig, azureConfig])
      expect(file({ headers, files: [] })).toContain(host)
  })

  it('[CLIENT-7] is at an address that can stand in a page as it is', () => {
    for (const setting of [
      ...[
        'everywhere',
        'http://library.example/office.js',
        'https://library.example/',
        'https://a.example/o.js?x',
      ],
      ...['https://a.example/o.js"><script>', 'https://a b.example/o.js', 'javascript:alert(1)//o.js'],
    ])
      expect(() => readConfig({ ...valid, SIGNET_OFFICE_LIBRARY: setting })).toThrow(
        /^SIGNET_OFFICE_LIBRARY is not one of worldwide, gcc, gcc-high, dod, china, or an address such as /,
      )
  })
})

describe('the settings of pages', () => {
  const problemsOf = (change: Readonly<Record<string, string | undefined>>) => {
    try {
      readConfig({ ...valid, ...change })
      return []
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      expect([error.name, error.message]).toEqual(['ConfigError', error.problems.join('\n')])
      return error.problems
    }
  }
  const https = 'an address that begins with https://'
  const authority = 'an address such as https://login.microsoftonline.com/organizations'
  const origins = 'origins such as https://images.example.com, with a space between them'

  it('are filled in where they may be left out', () => {
    expect(
      readConfig({ ...valid, SIGNET_LOCALE: ' ', SIGNET_SUPPORT_URL: ' https://help.example ' }),
    ).toEqual({
      ...valid,
      SIGNET_IMAGE_ORIGINS: 'https://signet.example.com',
      SIGNET_LOCALE: 'en',
      SIGNET_FALLBACK_LOCALE: 'en',
      SIGNET_SUPPORT_URL: 'https://help.example',
      SIGNET_OFFICE_LIBRARY: WORLDWIDE_LIBRARY_URL,
      SIGNET_ANALYTICS_URL: '',
      SIGNET_ANALYTICS_KEY: '',
      SIGNET_PRODUCTION: 'true',
      SIGNET_BETA: 'false',
    })
    const elsewhere = { SIGNET_API_URL: 'https://api.example/v1', SIGNET_IMAGE_ORIGINS: 'https://i.example' }
    expect(readConfig({ ...valid, ...elsewhere }).SIGNET_IMAGE_ORIGINS).toBe('https://i.example')
    expect(readConfig({ ...valid, SIGNET_API_URL: 'https://api.example/v1' }).SIGNET_IMAGE_ORIGINS).toBe(
      'https://api.example',
    )
    expect(Object.values(emptyConfig())).toEqual(Array.from({ length: 13 }, () => ''))
  })

  it.each<[string, string | undefined, string]>([
    ['SIGNET_API_URL', undefined, `is missing; it has to be ${https}.`],
    ['SIGNET_API_URL', '  ', `is missing; it has to be ${https}.`],
    ['SIGNET_API_URL', 'signet.example.com', `is not ${https}.`],
    ['SIGNET_API_URL', 'http:///x', `is not ${https}.`],
    ['SIGNET_API_URL', 'http://signet.example.com', `is not ${https}, as production needs it.`],
    ['SIGNET_CLIENT_ID', undefined, 'is missing; it has to be a text.'],
    ['SIGNET_SCOPE', '', 'is missing; it has to be a text.'],
    ['SIGNET_AUTHORITY', undefined, `is missing; it has to be ${authority}.`],
    ['SIGNET_AUTHORITY', 'https://login.example', `is not ${authority}.`],
    ['SIGNET_AUTHORITY', 'http://login.example/t', `is not ${authority}.`],
    ['SIGNET_IMAGE_ORIGINS', 'https://a.example/', `is not ${origins}.`],
    ['SIGNET_IMAGE_ORIGINS', 'https://a.example,https://b.example', `is not ${origins}.`],
    ['SIGNET_IMAGE_ORIGINS', 'https://a.example http://b.example', `is not ${origins}.`],
    ['SIGNET_LOCALE', 'xx', 'is not one of de, en, es, fr, it, nl, pt, pt-BR.'],
    ['SIGNET_FALLBACK_LOCALE', 'EN', 'is not one of de, en, es, fr, it, nl, pt, pt-BR.'],
    ['SIGNET_ANALYTICS_URL', 'nowhere', `is not ${https}.`],
    ['SIGNET_PRODUCTION', 'yes', 'is not true or false.'],
    ['SIGNET_BETA', 'TRUE', 'is not true or false.'],
  ])('say what is wrong with %s: %j', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name} ${problem}`])
  })

  it.each<Readonly<Record<string, string>>>([
    { SIGNET_API_URL: 'http://localhost:4401', SIGNET_PRODUCTION: 'false' },
    { SIGNET_IMAGE_ORIGINS: 'https://a.example   https://b.example:444' },
    { SIGNET_LOCALE: 'pt-BR', SIGNET_FALLBACK_LOCALE: 'de' },
    { SIGNET_PRODUCTION: 'true', SIGNET_BETA: 'true' },
    { SIGNET_AUTHORITY: 'https://login.example/t' },
  ])('may be %j', (change) => {
    expect(problemsOf(change)).toEqual([])
  })

  it('say everything that is wrong, each once', () => {
    expect(problemsOf({ SIGNET_API_URL: undefined, SIGNET_SCOPE: undefined, SIGNET_BETA: 'x' })).toEqual([
      `SIGNET_API_URL is missing; it has to be ${https}.`,
      'SIGNET_SCOPE is missing; it has to be a text.',
      'SIGNET_BETA is not true or false.',
    ])
    expect(problemsOf({ SIGNET_API_URL: 'x' })).toHaveLength(1)
    expect(problemsOf({ SIGNET_API_URL: 'http://a.example', SIGNET_PRODUCTION: 'x' })).toEqual([
      'SIGNET_PRODUCTION is not true or false.',
    ])
  })

  it('make the headers of each page', () => {
    const config = readConfig({
      ...valid,
      SIGNET_ANALYTICS_URL: 'https://analytics.example/collect',
      SIGNET_IMAGE_ORIGINS: 'https://a.example https://b.example',
    })
    const sourcesOf = (page: string, directive: string) => {
      const policy = shippedHeaders(config)[page]?.['Content-Security-Policy'] ?? ''
      const found = policy.split('; ').find((each) => each.startsWith(`${directive} `))
      return found?.split(' ').slice(1)
    }
    const own = ["'self'", 'https://signet.example.com', 'https://login.microsoftonline.com']
    for (const page of ['taskpane.html', 'launch.html', 'index.html', 'administration.html']) {
      expect(sourcesOf(page, 'connect-src')?.slice(0, 4)).toEqual([...own, 'https://analytics.example'])
      expect(sourcesOf(page, 'img-src')?.slice(3)).toEqual(['https://a.example', 'https://b.example'])
      expect(sourcesOf(page, 'frame-src')).toEqual(["'self'", 'https://login.microsoftonline.com'])
    }
    expect(sourcesOf('administration.html', 'connect-src')).toHaveLength(4)
    expect(sourcesOf('administration.html', 'script-src')).toEqual(["'self'"])
    const framed = ['taskpane.html', 'launch.html', 'index.html', 'administration.html'].map((page) =>
      sourcesOf(page, 'frame-ancestors'),
    )
    expect(framed).toEqual([[...OUTLOOK_ORIGINS], [...OUTLOOK_ORIGINS], ["'self'"], ["'none'"]])
    expect(Object.keys(shippedHeaders(config)).slice(4)).toEqual([
      LAUNCH_FILE,
      LAUNCH_GUARD_FILE,
      WELL_KNOWN_FILE,
    ])
    expect(shippedHeaders(config)['index.html']).not.toHaveProperty('Cross-Origin-Opener-Policy')
    expect(shippedHeaders(config)['launch.html']).toHaveProperty('Cross-Origin-Opener-Policy')
    const isUpgraded = (isSecure?: boolean) =>
      shippedHeaders(config, isSecure)['index.html']?.['Content-Security-Policy']?.includes('upgrade')
    expect([isUpgraded(), isUpgraded(false)]).toEqual([true, false])
    const quiet = shippedHeaders(readConfig(valid))['administration.html']?.['Content-Security-Policy']
    expect(quiet).toContain(`connect-src ${own.join(' ')};`)
  })

  it('leave a page alone that has two titles', () => {
    const two = Buffer.from('<title>a</title><svg><title>b</title></svg>')
    expect(() => embedConfig('odd.html', two, emptyConfig())).toThrow(
      new Error('odd.html has no place for its settings.'),
    )
  })
})
