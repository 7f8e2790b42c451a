import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Element, Window } from 'happy-dom'
import { describe, expect, test } from 'vitest'
import { NOTICE_ICON } from '../../src/engine/hosts/officeClient.ts'
import { manifestFor } from '../../src/build/manifest.ts'

const PROJECT = join(import.meta.dirname, '../..')
const COMMITTED = readFileSync(join(PROJECT, 'manifest.xml'), 'utf8')
const ORIGIN = 'https://signet.example.com'
const CLIENT_ID = '00000000-1111-2222-3333-444444444444'

const parse = (xml: string): Element => {
  const document = new new Window().DOMParser().parseFromString(xml, 'application/xml')
  if (document.querySelector('parsererror')) throw new Error('The manifest is not XML')
  return document.documentElement
}
/** The elements of this name at any depth. */
const all = (root: Element, name: string): Element[] => [
  ...[...root.children].filter(({ tagName }) => tagName === name),
  ...[...root.children].flatMap((child) => all(child, name)),
]
const values = (root: Element, name: string, attribute: string): string[] =>
  all(root, name).map((element) => element.getAttribute(attribute) ?? '')
const names = (root: Element | undefined): string[] =>
  [...(root?.children ?? [])].map(({ tagName }) => tagName)
const written = manifestFor(COMMITTED, {
  origin: ORIGIN,
  clientId: CLIENT_ID,
  supportUrl: 'https://help.example/?a&b',
})

describe.each([
  ['in the repository', COMMITTED, 'https://localhost:4443'],
  ['for an origin', written, ORIGIN],
])('the manifest %s', (_, xml, origin) => {
  const root = parse(xml)
  const [v10, v11] = all(root, 'VersionOverrides')

  test('[AUTO-3] requests permission for the open item only', () => {
    expect(all(root, 'Permissions').map(({ textContent }) => textContent)).toEqual(['ReadWriteItem'])
  })

  test("[AUTO-3] its elements are in the order of Microsoft's schema", () => {
    expect(names(root)).toEqual([
      ...['Id', 'Version', 'ProviderName', 'DefaultLocale', 'DisplayName', 'Description', 'IconUrl'],
      ...['HighResolutionIconUrl', 'SupportUrl', 'AppDomains', 'Hosts', 'Requirements', 'FormSettings'],
      ...['Permissions', 'Rule', 'DisableEntityHighlighting', 'VersionOverrides'],
    ])
    expect(names(v10)).toEqual(['Requirements', 'Hosts', 'Resources', 'VersionOverrides'])
    expect(names(v11)).toEqual(['Requirements', 'Hosts', 'Resources', 'WebApplicationInfo'])
  })

  test('is a mail add-in with VersionOverrides 1.1 inside 1.0', () => {
    expect(root.getAttribute('xsi:type')).toBe('MailApp')
    expect(root.getAttribute('xmlns')).toBe('http://schemas.microsoft.com/office/appforoffice/1.1')
    expect([v10, v11].map((part) => [part?.getAttribute('xmlns'), part?.getAttribute('xsi:type')])).toEqual([
      ['http://schemas.microsoft.com/office/mailappversionoverrides', 'VersionOverridesV1_0'],
      ['http://schemas.microsoft.com/office/mailappversionoverrides/1.1', 'VersionOverridesV1_1'],
    ])
    expect(v11?.parentElement).toBe(v10)
  })

  test('has an id and a version that Outlook accepts', () => {
    expect(all(root, 'Id')[0]?.textContent).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(all(root, 'Version')[0]?.textContent).toMatch(/^[123456789]\d*(\.\d+){3}$/)
  })

  test('requires the Mailbox version that sets signatures', () => {
    expect(values(root, 'Set', 'MinVersion')).toEqual(['1.10'])
    expect(values(root, 'bt:Sets', 'DefaultMinVersion')).toEqual(['1.10', '1.10'])
  })

  test('opens the pane in compose mode, and pins it where the format allows', () => {
    expect(values(root, 'ExtensionPoint', 'xsi:type')).toEqual([
      'MessageComposeCommandSurface',
      'MessageComposeCommandSurface',
    ])
    expect(all(root, 'SupportsPinning')).toHaveLength(1)
    expect(all(v11!, 'SupportsPinning').map(({ textContent }) => textContent)).toEqual(['true'])
  })

  test('declares no launch event, because no code handles one', () => {
    expect(all(root, 'LaunchEvent')).toEqual([])
  })

  test.each([0, 1])('declares every resource id that it uses (part %i)', (index) => {
    const part = [v10!, v11!][index]!
    const resources = [...part.children].find(({ tagName }) => tagName === 'Resources')!
    const ids = [...resources.children].flatMap((list) =>
      [...list.children].map((one) => one.getAttribute('id') ?? ''),
    )
    const hosts = [...part.children].find(({ tagName }) => tagName === 'Hosts')!
    const used = ['Label', 'Title', 'Description', 'SourceLocation', 'bt:Image'].flatMap((name) =>
      values(hosts, name, 'resid'),
    )
    expect(new Set(used)).toEqual(new Set(ids))
    expect(ids.every((id) => id.length <= 32)).toBe(true)
    expect(ids).toContain(NOTICE_ICON)
  })

  test('has unique control ids, and texts within their limits', () => {
    const ids = [...values(root, 'Control', 'id'), ...values(root, 'Group', 'id')]
    expect(new Set(ids).size).toBe(ids.length)
    const lengths = (list: string) =>
      all(root, list).flatMap((strings) =>
        [...values(strings, 'bt:String', 'DefaultValue'), ...values(strings, 'bt:Override', 'Value')].map(
          ({ length }) => length,
        ),
      )
    expect(Math.max(...lengths('bt:ShortStrings'))).toBeLessThanOrEqual(125)
    expect(Math.max(...lengths('bt:LongStrings'))).toBeLessThanOrEqual(250)
    const descriptions = [...values(all(root, 'Description')[0]!, 'Override', 'Value')].map(
      ({ length }) => length,
    )
    expect(Math.max(...descriptions)).toBeLessThanOrEqual(250)
  })

  test('has its texts in the seven languages of the pane', () => {
    const texts = [
      all(root, 'Description')[0]!,
      ...all(root, 'bt:String').filter((one) => one.getAttribute('id') !== 'name'),
    ]
    for (const text of texts) {
      const locales = [...text.children].map((one) => one.getAttribute('Locale')?.slice(0, 2))
      expect(new Set(['en', ...locales])).toEqual(new Set(['de', 'en', 'es', 'fr', 'it', 'nl', 'pt']))
    }
  })

  test.each([
    ['IconUrl', 64],
    ['HighResolutionIconUrl', 128],
  ])('its %s is %i pixels wide and high', (name, size) => {
    const [address = ''] = values(root, name, 'DefaultValue')
    expect(sizeOfIcon(address)).toEqual([size, size])
  })

  test('the icons of its button have the declared sizes', () => {
    const used = new Map(
      all(root, 'bt:Image').flatMap((one) =>
        one.getAttribute('size') ? [[one.getAttribute('resid'), Number(one.getAttribute('size'))]] : [],
      ),
    )
    expect([...used.values()]).toEqual([16, 32, 80])
    for (const image of all(root, 'bt:Images').flatMap((list) => [...list.children])) {
      const size = used.get(image.getAttribute('id'))
      expect(sizeOfIcon(image.getAttribute('DefaultValue') ?? '')).toEqual([size, size])
    }
  })

  test('has only addresses of its origin, and only existing pages', () => {
    const addresses = [
      ...values(root, 'SourceLocation', 'DefaultValue').filter(Boolean),
      ...values(root, 'bt:Url', 'DefaultValue'),
      ...values(root, 'bt:Images', 'DefaultValue').filter(Boolean),
      ...values(root, 'IconUrl', 'DefaultValue'),
      ...values(root, 'HighResolutionIconUrl', 'DefaultValue'),
    ]
    expect(addresses.map((address) => new URL(address).origin)).toEqual(addresses.map(() => origin))
    const pages = addresses.filter((address) => address.endsWith('.html'))
    expect(pages).toHaveLength(3)
    for (const page of pages)
      expect(readFileSync(join(PROJECT, 'src/pane', new URL(page).pathname), 'utf8')).toContain('<html')
    expect(all(root, 'AppDomain')[0]?.textContent).toBe(origin)
  })
})

test('[AUTO-3] a manifest for an origin names no other origin', () => {
  expect(written).not.toContain('localhost')
  const root = parse(written)
  expect(all(root, 'Resource')[0]?.textContent).toBe(`api://signet.example.com/${CLIENT_ID}`)
  expect(values(root, 'SupportUrl', 'DefaultValue')).toEqual(['https://help.example/?a&b'])
})

test.each([
  'http://signet.example.com',
  'https://signet.example.com/',
  'signet.example.com',
  'https://a.example"/><x',
])('rejects %s as an origin', (origin) => {
  expect(() => manifestFor(COMMITTED, { origin })).toThrow(`${origin} is not an origin`)
})

/** Width and height from the header of a PNG file. */
function sizeOfIcon(address: string): readonly [number, number] {
  const file = readFileSync(join(PROJECT, 'src/build/icons', new URL(address).pathname))
  expect(file.subarray(1, 4).toString()).toBe('PNG')
  return [file.readUInt32BE(16), file.readUInt32BE(20)]
}

test('no comment of the manifest contains --', () => {
  for (const [, comment] of COMMITTED.matchAll(/<!--(.*?)-->/gs)) expect(comment).not.toContain('--')
})
