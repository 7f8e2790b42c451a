import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readDeployed } from '../../src/build/deployedManifest.ts'
import { manifestFor } from '../../src/build/manifest.ts'
import { contentOfXml } from '../../src/build/manifestXml.ts'
import {
  contentOfUnified,
  UNIFIED_MANIFEST_FILE,
  manifestPackage,
  PACKAGE_PICTURES,
  unifiedFiles,
  unifiedProblems,
} from '../../src/build/unifiedManifest.ts'
import { cases } from '../support/cases.ts'

const PROJECT = join(import.meta.dirname, '../..')
const COMMITTED = readFileSync(join(PROJECT, 'manifest.xml'), 'utf8')
const ADDRESSES = { privacyUrl: 'https://www.example.com/privacy', termsUrl: 'https://www.example.com/terms' }
const INSTALLATION = {
  origin: 'https://signet.example.com',
  clientId: '00000000-1111-2222-3333-444444444444',
  supportUrl: 'https://help.example.com/?a&b',
  version: '1.2.3.0',
}
const filesOf = (xml: string) => unifiedFiles(contentOfXml(xml), ADDRESSES)
const packaged = (xml: string) => manifestPackage(filesOf(xml), new Map())

const number = fc.nat({ max: 99_999 })
const installations = fc.record(
  {
    origin: fc
      .tuple(fc.domain(), fc.option(fc.integer({ min: 1024, max: 65_535 })))
      .map(([domain, port]) => `https://${domain.toLowerCase()}${port === null ? '' : `:${String(port)}`}`),
    clientId: fc.uuid(),
    id: fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase())),
    supportUrl: fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true }),
    name: fc
      .array(fc.constantFrom('&', '<', '>', '"', "'", 'é', 'x', ']]>', '&amp;', '[0]', '漢'), {
        maxLength: 6,
      })
      .map((parts) => `S${parts.join('')}`),
    version: fc
      .tuple(fc.integer({ min: 1, max: 99_999 }), number, number)
      .map((parts) => [...parts, 0].join('.')),
    guard: fc.boolean(),
  },
  { requiredKeys: ['origin'] },
)

describe('the unified manifest', () => {
  test("[MEET-8] is valid by Microsoft's schema, in every language, for every installation", () => {
    fc.assert(
      fc.property(installations, (installation) => {
        expect(unifiedProblems(filesOf(manifestFor(COMMITTED, installation)))).toEqual([])
      }),
      cases(30),
    )
  })

  test('[MEET-8] says the same as the XML one, in its package as it is read again', () => {
    fc.assert(
      fc.property(installations, (installation) => {
        const xml = contentOfXml(manifestFor(COMMITTED, installation))
        const unified = readDeployed(packaged(manifestFor(COMMITTED, installation)))
        const { whole, ...said } = xml
        expect(whole).not.toBe('')
        expect(unified).toEqual({
          ...said,
          format: 'unified',
          version: xml.version.replace(/\.0$/, ''),
          // The XML manifest has no addresses of policies, and the unified one no scopes.
          privacy: ADDRESSES.privacyUrl,
          terms: ADDRESSES.termsUrl,
          scopes: null,
          whole: unified.whole,
        })
      }),
      cases(30),
    )
  })

  // What is read of the XML above would be wrong in both manifests, so it is said here again, word for word.
  const xml = manifestFor(COMMITTED, { ...INSTALLATION, guard: true })
  const manifest = filesOf(xml).get(UNIFIED_MANIFEST_FILE) as Readonly<Record<string, never>>

  test('[MEET-8] has the id, the version, the names, the pages and the permissions of the XML one', () => {
    expect(manifest).toMatchObject({
      $schema: 'https://developer.microsoft.com/json-schemas/teams/v1.30/MicrosoftTeams.schema.json',
      manifestVersion: '1.30',
      id: /<Id>([^<]*)/.exec(xml)?.[1],
      version: '1.2.3',
      name: { short: 'Signet', full: 'Signet' },
      developer: {
        name: 'Signet',
        websiteUrl: 'https://help.example.com/?a&b',
        privacyUrl: ADDRESSES.privacyUrl,
        termsOfUseUrl: ADDRESSES.termsUrl,
      },
      icons: { color: 'color.png', outline: 'outline.png' },
      validDomains: ['signet.example.com', 'login.microsoftonline.com'],
      webApplicationInfo: {
        id: INSTALLATION.clientId,
        resource: `api://signet.example.com/${INSTALLATION.clientId}`,
      },
      authorization: {
        permissions: {
          resourceSpecific: [
            { name: 'MailboxItem.ReadWrite.User', type: 'Delegated' },
            { name: 'Mailbox.SharedFolder', type: 'Delegated' },
          ],
        },
      },
      extensions: [
        {
          requirements: { scopes: ['mail'], capabilities: [{ name: 'Mailbox', minVersion: '1.10' }] },
          runtimes: [
            {
              code: {
                page: 'https://signet.example.com/launch.html',
                script: 'https://signet.example.com/launch-guard.js',
              },
              lifetime: 'short',
            },
            {
              code: { page: 'https://signet.example.com/taskpane.html' },
              actions: [
                { id: 'signet.open11', type: 'openPage', pinnable: true },
                { id: 'signet.openInMeeting11', type: 'openPage', pinnable: false },
              ],
            },
          ],
          alternates: [
            {
              alternateIcons: {
                icon: { url: 'https://signet.example.com/icon-64.png' },
                highResolutionIcon: { url: 'https://signet.example.com/icon-128.png' },
              },
            },
          ],
        },
      ],
    })
  })

  test("[MEET-8] has the events of the XML one by Microsoft's other names, with their functions and devices", () => {
    const [extension] = manifest['extensions'] as unknown as readonly [
      Readonly<{
        runtimes: readonly Readonly<{ actions: readonly unknown[] }>[]
        autoRunEvents: readonly Readonly<{
          requirements: Readonly<{ formFactors: readonly string[] }>
          events: readonly unknown[]
        }>[]
      }>,
    ]
    const ofMessages = [
      { type: 'newMessageComposeCreated', actionId: 'onNewMessageCompose' },
      { type: 'messageFromChanged', actionId: 'onMessageFromChanged' },
      { type: 'messageRecipientsChanged', actionId: 'onMessageRecipientsChanged' },
    ]
    const ofMeetings = [
      { type: 'newAppointmentOrganizerCreated', actionId: 'onNewAppointmentOrganizer' },
      { type: 'appointmentFromChanged', actionId: 'onAppointmentFromChanged' },
      { type: 'appointmentAttendeesChanged', actionId: 'onAppointmentAttendeesChanged' },
    ]
    const ofGuard = { type: 'messageSending', actionId: 'onMessageSend', options: { sendMode: 'promptUser' } }
    expect(
      extension.autoRunEvents.map(({ requirements, events }) => [requirements.formFactors, events]),
    ).toEqual([
      [['desktop'], [...ofMessages, ...ofMeetings, ofGuard]],
      [['mobile'], ofMessages],
    ])
    expect(extension.runtimes[0]?.actions).toEqual(
      [...ofMessages, ...ofMeetings, ofGuard].map(({ actionId }) => ({
        id: actionId,
        type: 'executeFunction',
      })),
    )
    expect(
      JSON.stringify(filesOf(manifestFor(COMMITTED, INSTALLATION)).get(UNIFIED_MANIFEST_FILE)),
    ).not.toMatch(/messageSending|sendMode/)
  })

  test('[MEET-8] has the buttons of the XML one, and their texts in its languages', () => {
    const [{ ribbons }] = manifest['extensions'] as unknown as readonly [
      Readonly<{ ribbons: readonly Readonly<{ contexts: unknown; tabs: unknown }>[] }>,
    ]
    expect(ribbons.map(({ contexts }) => contexts)).toEqual([['mailCompose'], ['meetingDetailsOrganizer']])
    const icons = [16, 32, 80].map((size) => ({
      size,
      url: `https://signet.example.com/icon-${String(size)}.png`,
    }))
    expect(ribbons.map(({ tabs }) => tabs)).toEqual(
      [
        ['signet.group11', 'signet.open11'],
        ['signet.meetingGroup11', 'signet.openInMeeting11'],
      ].map(([groupId, id]) => [
        {
          builtInTabId: 'TabDefault',
          groups: [
            {
              id: groupId,
              label: 'Signet',
              controls: [
                {
                  id,
                  type: 'button',
                  label: 'Signatures',
                  icons,
                  actionId: id,
                  supertip: {
                    title: 'Signatures',
                    description: 'Choose a signature for this message or meeting.',
                  },
                },
              ],
            },
          ],
        },
      ]),
    )
    const locales = new Set(
      [...xml.matchAll(/Locale="([^"]*)"/g)].map(([, locale = '']) => locale.toLowerCase()),
    )
    const translated = (before: RegExp, locale: string) =>
      new RegExp(`${before.source}.*?Locale="${locale}" Value="([^"]*)"`, 'is').exec(xml)?.[1]
    expect([...filesOf(xml).keys()]).toEqual([
      UNIFIED_MANIFEST_FILE,
      ...[...locales].map((locale) => `${locale}.json`),
    ])
    for (const locale of locales) {
      const description = translated(/<Description Def/, locale)
      const open = translated(/<bt:String id="open"/, locale)
      const tip = translated(/<bt:String id="openTip"/, locale)
      const control = (ribbon: number) =>
        `extensions[0].ribbons[${String(ribbon)}].tabs[0].groups[0].controls[0]`
      const inButton = (ribbon: number) => ({
        [`${control(ribbon)}.label`]: open,
        [`${control(ribbon)}.supertip.title`]: open,
        [`${control(ribbon)}.supertip.description`]: tip,
      })
      expect(filesOf(xml).get(`${locale}.json`)).toEqual({
        $schema:
          'https://developer.microsoft.com/json-schemas/teams/v1.30/MicrosoftTeams.Localization.schema.json',
        'name.short': 'Signet',
        'name.full': 'Signet',
        'description.short': description,
        'description.full': description,
        ...inButton(0),
        ...inButton(1),
      })
    }
  })

  test.each([
    [{ name: 'S'.repeat(31) }, '--name: "SSS', 'is too long for the unified manifest: 31 characters, of 30'],
    [{ version: '1.2.3.4' }, '--version: "1.2.3.4"', 'does not end with .0'],
  ])('cannot have %j, and says so', (part, argument, problem) => {
    const attempt = () => filesOf(manifestFor(COMMITTED, { ...INSTALLATION, ...part }))
    expect(attempt).toThrow(argument)
    expect(attempt).toThrow(problem)
    expect(() => filesOf(manifestFor(COMMITTED, { ...INSTALLATION, name: 'S'.repeat(30) }))).not.toThrow()
  })

  test("a file that breaks Microsoft's schema is named, with what is wrong", () => {
    const files = new Map(filesOf(COMMITTED))
    files.set(UNIFIED_MANIFEST_FILE, { ...(files.get(UNIFIED_MANIFEST_FILE) as object), colour: 'blue' })
    files.set('de-at.json', { ...(files.get('de-at.json') as object), 'name.short': 'S'.repeat(31) })
    expect(unifiedProblems(files)).toEqual([
      'manifest.json: must NOT have additional properties ({"additionalProperty":"colour"}).',
      'de-at.json/name.short: must NOT have more than 30 characters ({"limit":30}).',
    ])
  })

  test('has a runtime for each page, with the actions of its own buttons', () => {
    const content = contentOfXml(COMMITTED)
    const buttons = content.buttons.map((button, index) => ({
      ...button,
      page: `https://a.example/${String(index)}.html`,
    }))
    const files = unifiedFiles({ ...content, buttons }, ADDRESSES)
    expect(unifiedProblems(files)).toEqual([])
    const [{ runtimes }] = (files.get(UNIFIED_MANIFEST_FILE) as Readonly<Record<string, unknown>>)[
      'extensions'
    ] as [{ runtimes: readonly Readonly<{ id: string; actions: readonly Readonly<{ id: string }>[] }>[] }]
    expect(runtimes.slice(1).map(({ id, actions }) => [id, actions.map((action) => action.id)])).toEqual([
      ['pane1', ['signet.open11']],
      ['pane2', ['signet.openInMeeting11']],
    ])
    expect(contentOfUnified(files.get(UNIFIED_MANIFEST_FILE), files).buttons).toEqual(buttons)
  })

  test('says nothing of translations that are not beside it', () => {
    const files = filesOf(COMMITTED)
    const alone = contentOfUnified(files.get(UNIFIED_MANIFEST_FILE), null)
    expect(alone.hasTranslations).toBe(false)
    expect(alone.description.translations.size).toBe(0)
    expect(contentOfUnified(files.get(UNIFIED_MANIFEST_FILE), files).hasTranslations).toBe(true)
  })
})

describe('the package', () => {
  const zone = process.env['TZ']
  afterEach(() => {
    vi.useRealTimers()
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })

  test('has the same bytes at any time and in any time zone', () => {
    vi.useFakeTimers({ now: new Date('2026-11-26T10:00:00Z') })
    process.env['TZ'] = 'UTC'
    const first = packaged(COMMITTED)
    vi.setSystemTime(new Date('2027-06-01T22:00:00Z'))
    process.env['TZ'] = 'Pacific/Auckland'
    expect(packaged(COMMITTED)).toEqual(first)
  })

  test('has all files of the manifest, and the pictures', () => {
    const bytes = manifestPackage(
      filesOf(COMMITTED),
      new Map([[PACKAGE_PICTURES.color, new Uint8Array([1, 2, 3])]]),
    )
    const unpacked = unzipSync(bytes)
    expect(Object.keys(unpacked)).toEqual([...filesOf(COMMITTED).keys(), 'color.png'])
    expect(unpacked['color.png']).toEqual(new Uint8Array([1, 2, 3]))
    expect(JSON.parse(strFromU8(unpacked[UNIFIED_MANIFEST_FILE]!))).toEqual(
      filesOf(COMMITTED).get(UNIFIED_MANIFEST_FILE),
    )
  })

  test.each([
    [PACKAGE_PICTURES.color, 192],
    [PACKAGE_PICTURES.outline, 32],
  ])('%s has the size that Microsoft requires: %i pixels', (name, size) => {
    const file = readFileSync(join(PROJECT, 'src/build/packageIcons', name))
    expect(file.subarray(1, 4).toString()).toBe('PNG')
    expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([size, size])
  })
})
