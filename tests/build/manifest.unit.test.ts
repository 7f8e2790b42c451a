import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Element, Window } from 'happy-dom'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { NOTICE_ICON } from '../../src/engine/hosts/officeCalls.ts'
import { LAUNCH_GUARD_FILE, LAUNCH_FILE } from '../../src/server/headers.ts'
import { type Installation, manifestFor, wellKnownForManifest } from '../../src/build/manifest.ts'
import { languages } from '../../streams/wire/languages.ts'
import { languageOf } from '../../streams/wire/languages.ts'
import { routeAt } from '../../streams/pane/router/routes.ts'

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
/** The child of this name. */
const childOf = (root: Element | undefined, name: string): Element => {
  const found = [...(root?.children ?? [])].find(({ tagName }) => tagName === name)
  if (!found) throw new Error(`${root?.tagName ?? 'Nothing'} has no ${name}`)
  return found
}
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
    const host = childOf(childOf(v11, 'Hosts'), 'Host')
    expect(names(host)).toEqual(['Runtimes', 'DesktopFormFactor', 'MobileFormFactor'])
    expect(names(childOf(host, 'DesktopFormFactor'))).toEqual([
      ...['SupportsSharedFolders', 'ExtensionPoint', 'ExtensionPoint', 'ExtensionPoint'],
    ])
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

  test('[AUTO-3] opens the pane while a message or a meeting is written, and nowhere else', () => {
    const surfaces = ['MessageComposeCommandSurface', 'AppointmentOrganizerCommandSurface']
    for (const part of [v10!, v11!]) {
      const factor = childOf(childOf(childOf(part, 'Hosts'), 'Host'), 'DesktopFormFactor')
      const points = [...factor.children].filter((one) => all(one, 'OfficeTab').length > 0)
      expect(points.map((one) => one.getAttribute('xsi:type'))).toEqual(surfaces)
      for (const point of points) expect(values(point, 'SourceLocation', 'resid')).toEqual(['pane'])
    }
    const rule = childOf(root, 'Rule')
    expect([rule.getAttribute('xsi:type'), rule.getAttribute('Mode')]).toEqual(['RuleCollection', 'Or'])
    expect(
      [...rule.children].map((one) =>
        ['xsi:type', 'ItemType', 'FormType'].map((name) => one.getAttribute(name)),
      ),
    ).toEqual([
      ['ItemIs', 'Message', 'Edit'],
      ['ItemIs', 'Appointment', 'Edit'],
    ])
  })

  test('pins the pane beside messages, where Outlook can', () => {
    expect(all(root, 'SupportsPinning').map(({ textContent }) => textContent)).toEqual(['true'])
    const pinned = all(v11!, 'ExtensionPoint').filter((one) => all(one, 'SupportsPinning').length > 0)
    expect(pinned.map((one) => one.getAttribute('xsi:type'))).toEqual(['MessageComposeCommandSurface'])
  })

  const OF_MESSAGES = {
    OnNewMessageCompose: 'onNewMessageCompose',
    OnMessageFromChanged: 'onMessageFromChanged',
    OnMessageRecipientsChanged: 'onMessageRecipientsChanged',
  }
  const OF_MEETINGS = {
    OnNewAppointmentOrganizer: 'onNewAppointmentOrganizer',
    OnAppointmentFromChanged: 'onAppointmentFromChanged',
    OnAppointmentAttendeesChanged: 'onAppointmentAttendeesChanged',
  }
  test.each([
    ['DesktopFormFactor', { ...OF_MESSAGES, ...OF_MEETINGS }],
    // Outlook on phones raises no event of meetings.
    ['MobileFormFactor', OF_MESSAGES],
  ])('[AUTO-3] declares the launch events of the %s, with their functions', (formFactor, declared) => {
    const points = [...all(v11!, formFactor)[0]!.children].filter(
      (one) => one.getAttribute('xsi:type') === 'LaunchEvent',
    )
    expect(points.map(names)).toEqual([['LaunchEvents', 'SourceLocation']])
    expect(
      all(points[0]!, 'LaunchEvent').map((one) => [
        one.getAttribute('Type'),
        one.getAttribute('FunctionName'),
      ]),
    ).toEqual(Object.entries(declared))
  })

  test('declares launch events in version 1.1 only, where a client without them keeps the button', () => {
    const v11Count = all(v11!, 'LaunchEvent').length
    expect(all(root, 'LaunchEvent')).toHaveLength(v11Count)
    expect(all(root, 'MobileFormFactor')).toHaveLength(1)
  })

  test('[AUTO-3] starts page and file of its origin: the page everywhere, the file in classic Outlook', () => {
    const urls = Object.fromEntries(
      all(v11!, 'bt:Url').map((one) => [one.getAttribute('id'), one.getAttribute('DefaultValue')]),
    )
    const runtimes = all(root, 'Runtime')
    expect(runtimes.map((one) => urls[one.getAttribute('resid') ?? ''])).toEqual([`${origin}/launch.html`])
    const overrides = all(runtimes[0]!, 'Override')
    expect(overrides.map((one) => one.getAttribute('type'))).toEqual(['javascript'])
    expect(urls[overrides[0]?.getAttribute('resid') ?? '']).toBe(`${origin}/${LAUNCH_FILE}`)
    const sources = all(v11!, 'ExtensionPoint').flatMap((point) =>
      point.getAttribute('xsi:type') === 'LaunchEvent' ? values(point, 'SourceLocation', 'resid') : [],
    )
    expect(sources.map((resid) => urls[resid])).toEqual([`${origin}/launch.html`, `${origin}/launch.html`])
  })

  test('[AUTO-20] its well-known file allows exactly the file that it names', () => {
    expect(JSON.parse(wellKnownForManifest(xml) ?? '')).toEqual({
      allowed: [`${origin}/${LAUNCH_FILE}`, `${origin}/${LAUNCH_GUARD_FILE}`],
    })
    expect(values(root, 'bt:Url', 'DefaultValue')).toContain(`${origin}/${LAUNCH_FILE}`)
  })

  test.each([0, 1])('declares every resource id that it uses (part %i)', (index) => {
    const part = [v10!, v11!][index]!
    const resources = [...part.children].find(({ tagName }) => tagName === 'Resources')!
    const ids = [...resources.children].flatMap((list) =>
      [...list.children].map((one) => one.getAttribute('id') ?? ''),
    )
    const hosts = [...part.children].find(({ tagName }) => tagName === 'Hosts')!
    const used = [
      ...['Label', 'Title', 'Description', 'SourceLocation', 'bt:Image', 'Runtime', 'Override'],
    ].flatMap((name) => values(hosts, name, 'resid'))
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

  test('has its texts in the languages of the pane, and one text for each, so two in Portuguese', () => {
    const texts = [
      all(root, 'Description')[0]!,
      ...all(root, 'bt:String').filter((one) => one.getAttribute('id') !== 'name'),
    ]
    for (const text of texts) {
      const byLocale = [...text.children].map(
        (one) => [one.getAttribute('Locale') ?? '', one.getAttribute('Value')] as const,
      )
      expect(byLocale.map(([locale]) => locale)).toEqual([
        ...['de-AT', 'de-CH', 'de-DE', 'es-ES', 'es-MX', 'fr-CA', 'fr-FR', 'it-IT', 'nl-BE', 'nl-NL'],
        ...['pt-BR', 'pt-PT'],
      ])
      const byLanguage = new Set(
        byLocale.map(([locale, value]) => `${languageOf(locale) ?? ''} ${value ?? ''}`),
      )
      // English is the default.
      expect(byLanguage.size).toBe(languages.length - 1)
      // A word such as "Assinaturas" is the same in both; a sentence is not.
      const [inBrazil, inPortugal] = byLocale.slice(-2).map(([, value]) => value ?? '')
      if (inBrazil?.includes(' ')) expect(inBrazil).not.toBe(inPortugal)
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
    expect(pages).toHaveLength(4)
    for (const page of pages) {
      const folder = page.endsWith('/launch.html') ? 'src/launch' : 'src/pane'
      expect(readFileSync(join(PROJECT, folder, new URL(page).pathname), 'utf8')).toContain('<html')
    }
    expect(all(root, 'AppDomain')[0]?.textContent).toBe(origin)
  })
})

test('[AUTO-3] a manifest for an origin names no other origin', () => {
  expect(written).not.toContain('localhost')
  const root = parse(written)
  expect(all(root, 'Resource')[0]?.textContent).toBe(`api://signet.example.com/${CLIENT_ID}`)
  expect(values(root, 'SupportUrl', 'DefaultValue')).toEqual(['https://help.example/?a&b'])
})

test('a manifest names the help of the pane, where the organisation has no help page of its own', () => {
  const supportIn = (xml: string) => values(parse(xml), 'SupportUrl', 'DefaultValue')
  expect(supportIn(manifestFor(COMMITTED, { origin: ORIGIN }))).toEqual([`${ORIGIN}/index.html#/help`])
  expect(supportIn(COMMITTED)).toEqual(['https://localhost:4443/index.html#/help'])
  expect(routeAt('/help')?.name).toBe('HelpRoute')
})

describe('the event of sending', () => {
  const guarded = manifestFor(COMMITTED, { origin: ORIGIN, guard: true })
  const eventsOf = (xml: string, formFactor: string) =>
    all(all(parse(xml), formFactor).at(-1)!, 'LaunchEvent').map((one) => one.getAttribute('Type'))

  test('[MEET-7] is not in a manifest without --guard, whatever else the manifest is written with', () => {
    for (const xml of [COMMITTED, written, manifestFor(COMMITTED, { origin: ORIGIN, guard: false })]) {
      expect(values(parse(xml), 'LaunchEvent', 'Type').filter((type) => type.endsWith('Send'))).toEqual([])
      expect(xml).not.toMatch(/SendMode|onMessageSend/)
    }
  })

  test('[MEET-7] is added by --guard: for computers, last, and only ever as a question', () => {
    const plain = manifestFor(COMMITTED, { origin: ORIGIN })
    expect(eventsOf(guarded, 'DesktopFormFactor')).toEqual([
      ...eventsOf(plain, 'DesktopFormFactor'),
      'OnMessageSend',
    ])
    expect(eventsOf(guarded, 'MobileFormFactor')).toEqual(eventsOf(plain, 'MobileFormFactor'))
    const asking = all(parse(guarded), 'LaunchEvent').filter((one) => one.getAttribute('SendMode') !== null)
    expect(asking.map((one) => [...one.attributes].map(({ name, value }) => [name, value] as const))).toEqual(
      [
        [
          ['Type', 'OnMessageSend'],
          ['FunctionName', 'onMessageSend'],
          ['SendMode', 'PromptUser'],
        ],
      ],
    )
    const line = /\n *<LaunchEvent Type="OnMessageSend".*/
    expect(plain).toContain(`${ORIGIN}/${LAUNCH_FILE}`)
    expect(guarded.replace(line, '').replace(LAUNCH_GUARD_FILE, LAUNCH_FILE)).toBe(plain)
    expect(JSON.parse(wellKnownForManifest(guarded) ?? '')).toEqual({
      allowed: [`${ORIGIN}/${LAUNCH_GUARD_FILE}`, `${ORIGIN}/${LAUNCH_FILE}`],
    })
  })
})

describe('the functions of the launch events', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('[AUTO-3] are the ones that launch.js associates', async () => {
    const associated: string[] = []
    vi.stubGlobal('Office', { actions: { associate: (name: string) => void associated.push(name) } })
    vi.stubGlobal('signetLaunch', {})
    await import('../../src/launch/associate.ts')
    const functionsOf = (xml: string) => new Set(values(parse(xml), 'LaunchEvent', 'FunctionName'))
    const ofGuard = 'onMessageSend'
    expect([...functionsOf(COMMITTED)].toSorted()).toEqual(
      associated.filter((name) => name !== ofGuard).toSorted(),
    )
    expect(functionsOf(manifestFor(COMMITTED, { origin: ORIGIN, guard: true }))).toEqual(
      new Set([...associated, ofGuard]),
    )
  })
})

describe('a value for the manifest', () => {
  const installation: Installation = { origin: ORIGIN }

  test.each([
    ['origin', '--origin', 'http://signet.example.com', 'does not begin with https://'],
    ['origin', '--origin', 'signet.example.com', 'is not an address'],
    ['origin', '--origin', 'https://signet.example.com/', 'use https://signet.example.com.'],
    ['origin', '--origin', 'https://signet.example.com/add-in', 'use https://signet.example.com.'],
    ['origin', '--origin', 'https://Signet.Example.com:443', 'use https://signet.example.com.'],
    ['origin', '--origin', 'https://a&b.example', 'has no host name'],
    ['origin', '--origin', 'https://a.example"/><x', 'has no host name'],
    ['clientId', '--client-id (SIGNET_CLIENT_ID)', 'signet', 'is not the id of an app registration'],
    ['supportUrl', '--support (SIGNET_SUPPORT_URL)', 'http://help.example', 'does not begin with https://'],
    ['supportUrl', '--support (SIGNET_SUPPORT_URL)', 'help.example', 'is not an address'],
    ['privacyUrl', '--privacy (SIGNET_PRIVACY_URL)', 'http://a.example', 'does not begin with https://'],
    ['termsUrl', '--terms (SIGNET_TERMS_URL)', 'a.example', 'is not an address'],
    ['id', '--id', '6f0a8a3e', 'is not a UUID'],
    ['id', '--id', '', 'is not a UUID'],
    ['name', '--name', ' ', 'is empty'],
    ['name', '--name', 'S'.repeat(126), 'is too long: 126 characters, of 125'],
    ['name', '--name', 'Signet\u0000', 'contains a control character'],
    ['name', '--name', 'Signet\ud800', 'contains a control character'],
    ['name', '--name', 'Signet\ufffe', 'contains a control character'],
    ['version', '--version', '1.1', 'is not a version'],
    ['version', '--version', '0.1.0.0', 'is not a version'],
    ['version', '--version', '1.1.0.100000', 'is not a version'],
    ['version', '--version', 'v1.1.0.0', 'is not a version'],
  ] as const)('of %s is refused by %s: %s %s', (part, argument, value, problem) => {
    const attempt = () => manifestFor(COMMITTED, { ...installation, [part]: value })
    expect(attempt).toThrow(`${argument}: ${JSON.stringify(value)} `)
    expect(attempt).toThrow(problem)
  })

  test('is refused together with every other invalid one', () => {
    expect(() => manifestFor(COMMITTED, { origin: 'a', id: 'b', name: '', version: 'c' })).toThrow(
      /^--origin: .*\n--id: .*\n--name: .*\n--version: .*$/,
    )
  })

  const uuid = fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase()))
  /** Text that would do harm unescaped, or as a pattern of a replacement. */
  const text = fc
    .array(
      fc.oneof(fc.constantFrom('&', '<', '>', '"', "'", '$&', '$1', ']]>', '-->', '&amp;'), fc.string()),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((parts) => `S${parts.join('')}`)
  const number = fc.nat({ max: 99_999 })
  const valid = fc.record(
    {
      origin: fc
        .tuple(fc.domain(), fc.option(fc.integer({ min: 1024, max: 65_535 })))
        .map(([domain, port]) => `https://${domain.toLowerCase()}${port === null ? '' : `:${String(port)}`}`),
      clientId: uuid,
      id: uuid,
      supportUrl: fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true }),
      name: text.filter((name) => name.length <= 125),
      version: fc
        .tuple(fc.integer({ min: 1, max: 99_999 }), number, number, number)
        .map((parts) => parts.join('.')),
    },
    { requiredKeys: ['origin'] },
  )

  /** The markup without its values: what a value must not change. */
  const markupOf = (xml: string) => xml.replace(/"[^"]*"/g, '""').replace(/>[^<>]*</g, '><')
  const MARKUP = markupOf(COMMITTED.replace(/<!--.*?-->\n/s, ''))
  /** The one or several values behind `before`, as a parser reads them. */
  const valuesIn = (xml: string, before: RegExp) =>
    [...xml.matchAll(new RegExp(`${before.source}([^"<]*)`, 'g'))].map(([, value = '']) =>
      value
        .replace(/&lt;/g, '<')
        .replace(/&gt;/g, '>')
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, '&'),
    )
  /** What XML refuses: a reference that it does not know, and characters that it has no way to write. */
  const REFUSED = /&(?!(amp|lt|gt|quot);)|[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

  test('reaches every place that Outlook reads it from, and nothing else changes', () => {
    const [ownId, ownVersion] = [/ {2}<Id>/, /<Version>/].map((before) => valuesIn(COMMITTED, before)[0])
    fc.assert(
      fc.property(valid, (wanted) => {
        const xml = manifestFor(COMMITTED, wanted)
        expect(xml).not.toMatch(REFUSED)
        expect(markupOf(xml)).toBe(MARKUP)
        const { host } = new URL(wanted.origin)
        const { clientId = '5197e75b-0c5d-4a6e-9a52-516e7a3d0001', id = ownId } = wanted
        expect(valuesIn(xml, /<Id>/)).toEqual([id, clientId])
        expect(valuesIn(xml, /<Resource>/)).toEqual([`api://${host}/${clientId}`])
        expect(valuesIn(xml, /<Version>/)).toEqual([wanted.version ?? ownVersion])
        const support = new URL(wanted.supportUrl ?? `${wanted.origin}/index.html#/help`).href
        expect(valuesIn(xml, /<SupportUrl DefaultValue="/)).toEqual([support])
        const name = wanted.name?.trim() ?? 'Signet'
        expect(valuesIn(xml, /<DisplayName DefaultValue="/)).toEqual([name])
        expect(valuesIn(xml, /<bt:String id="name" DefaultValue="/)).toEqual([name, name])
        const addresses = valuesIn(xml, /<bt:(?:Url|Image) id="\w+" DefaultValue="/)
        expect(new Set(addresses.map((address) => new URL(address).origin))).toEqual(new Set([wanted.origin]))
        expect(JSON.parse(wellKnownForManifest(xml) ?? '')).toEqual({
          allowed: [`${wanted.origin}/${LAUNCH_FILE}`, `${wanted.origin}/${LAUNCH_GUARD_FILE}`],
        })
      }),
    )
  })

  test('makes a manifest or is refused by its argument, whatever it is', () => {
    const parts = ['origin', 'clientId', 'supportUrl', 'id', 'name', 'version'] as const
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      text,
      fc.webUrl(),
      text.map((part) => `https://${part}`),
    )
    fc.assert(
      fc.property(fc.constantFrom(...parts), anything, (part, value) => {
        let xml: string
        try {
          xml = manifestFor(COMMITTED, { ...installation, [part]: value })
        } catch (error) {
          expect((error as Error).message).toMatch(/^--[a-z-]+( \(SIGNET_\w+\))?: "/)
          return
        }
        expect(xml).not.toMatch(REFUSED)
        expect(markupOf(xml)).toBe(MARKUP)
      }),
      { numRuns: 300 },
    )
  })
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
