// @vitest-environment happy-dom
import { runInNewContext } from 'node:vm'
import { fc, test as property } from '@fast-check/vitest'
import { parse } from 'parse5'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LAUNCH_FILE } from '../../src/server/headers.ts'
import {
  addPreconnect,
  emptyConfig,
  hasNoConfig,
  type PageConfig,
  readConfig,
  writeConfig,
} from '../../src/server/pageConfig.ts'

const PAGE =
  '<!doctype html><html lang=en><meta charset=utf-8><title>Signet</title><body><div id=root></div></html>'
const valid = {
  SIGNET_API_URL: 'https://signet.example.com',
  SIGNET_CLIENT_ID: 'an-id',
  SIGNET_AUTHORITY: 'https://login.microsoftonline.com/organizations',
  SIGNET_SCOPE: 'api://an-id/access_as_user',
}
const written = (config: PageConfig): string =>
  writeConfig('taskpane.html', Buffer.from(PAGE), config).toString()

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

describe('a page with the config that the service wrote', () => {
  it('goes by it, and not by the values of its build', async () => {
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

  it('knows no address when none was written', async () => {
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
  const program = writeConfig(LAUNCH_FILE, Buffer.from('signetConfig'), config).toString()
  expect({ ...(runInNewContext(program) as object) }).toEqual(config)
  // Line ends of a script before ES2019.
  expect(program).not.toMatch(/[\u2028\u2029]/)
})

it('other files stay as they are, and a page without a title is refused', () => {
  const content = Buffer.from('</title>')
  expect(writeConfig('chunk.0a1b2c3d.js', content, emptyConfig())).toBe(content)
  expect(() => writeConfig('odd.html', Buffer.from('<p>'), emptyConfig())).toThrow(/^odd\.html has no place/)
})

it('the help page of the organisation is an https address, or there is none', async () => {
  expect((await readBy(written(readConfig(valid)))).supportUrl).toBeNull()
  expect(() => readConfig({ ...valid, SIGNET_SUPPORT_URL: 'http://help.example.com' })).toThrow(
    'SIGNET_SUPPORT_URL is not an address that begins with https://.',
  )
})

describe('a build without a config', () => {
  it('is one without any of the values that a build must have', () => {
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
