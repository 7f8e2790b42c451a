import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareManifests, comparisonText } from '../../src/build/compareManifests.ts'
import { manifestFor } from '../../src/build/manifest.ts'
import { compareVersions, type ManifestContent } from '../../src/build/manifestContent.ts'
import { contentOfXml } from '../../src/build/manifestXml.ts'
import { contentOfUnified, UNIFIED_MANIFEST_FILE, unifiedFiles } from '../../src/build/unifiedManifest.ts'
import { cases } from '../support/cases.ts'

const COMMITTED = readFileSync(join(import.meta.dirname, '../../manifest.xml'), 'utf8')
const ADDRESSES = { privacyUrl: 'https://www.example.com/privacy', termsUrl: 'https://www.example.com/terms' }
const DEPLOYED = manifestFor(COMMITTED, { origin: 'https://signet.example.com', version: '1.1.0.0' })
const deployed = contentOfXml(DEPLOYED)
/** The deployed manifest with a higher version, and one change. */
const changed = (from: string | RegExp, to: string): ManifestContent => {
  const xml = DEPLOYED.replace(from, to)
  expect(xml).not.toBe(DEPLOYED)
  return contentOfXml(xml.replace('1.1.0.0', '1.2.0.0'))
}
const asUnified = (content: ManifestContent, addresses = ADDRESSES) => {
  const files = unifiedFiles(content, addresses)
  return contentOfUnified(files.get(UNIFIED_MANIFEST_FILE), files)
}
const DESKTOP = /(?=\n *<\/LaunchEvents>)/
const NOTHING_CHANGES = { differences: [], consent: [], notes: [], isUpdate: true, isRefused: false }
const OF_EVENTS = ['events at which Outlook starts Signet are new or changed']

describe('comparing a manifest with a deployed one', () => {
  test.each([
    [
      'a new event',
      changed(DESKTOP, '<LaunchEvent Type="OnMessageCompose" FunctionName="onMessageCompose" />'),
      ['The event OnMessageCompose on computers is new: it calls onMessageCompose.'],
      OF_EVENTS,
    ],
    [
      'the question before sending',
      contentOfXml(
        manifestFor(COMMITTED, { origin: 'https://signet.example.com', version: '1.2.0.0', guard: true }),
      ),
      [
        'The file of the events in classic Outlook changes from "https://signet.example.com/launch.js" to "https://signet.example.com/launch-guard.js".',
        'The event OnMessageSend on computers is new: it calls onMessageSend, with the mode PromptUser.',
      ],
      OF_EVENTS,
    ],
    [
      'an event on phones',
      changed(
        /(?=\n *<\/LaunchEvents>\n *<SourceLocation resid="launchPage" \/>\n *<\/ExtensionPoint>\n *<\/MobileFormFactor>)/,
        '<LaunchEvent Type="OnMessageCompose" FunctionName="a" />',
      ),
      ['The event OnMessageCompose on phones is new: it calls a.'],
      OF_EVENTS,
    ],
    [
      'another function',
      changed('FunctionName="onAppointmentFromChanged"', 'FunctionName="a"'),
      [
        'The event OnAppointmentFromChanged on computers changes from "it calls onAppointmentFromChanged" to "it calls a".',
      ],
      OF_EVENTS,
    ],
    [
      'an event less',
      changed(/ *<LaunchEvent Type="OnAppointmentFromChanged".*\n/, ''),
      ['The event OnAppointmentFromChanged on computers is gone.'],
      [],
    ],
    [
      'another permission',
      changed('ReadWriteItem', 'ReadWriteMailbox'),
      [
        'The permission ReadWriteItem is gone.',
        'The permission ReadWriteMailbox is new: Signet asks for it.',
      ],
      ['what Signet may do changes'],
    ],
    [
      'a permission less',
      changed('<SupportsSharedFolders>true', '<SupportsSharedFolders>false'),
      ['The permission Mailbox.SharedFolder is gone.'],
      ['what Signet may do changes'],
    ],
    [
      'a new scope',
      changed('<Scope>profile</Scope>', '<Scope>profile</Scope><Scope>Mail.Read</Scope>'),
      ['The scope Mail.Read is new: the sign-in asks for it.'],
      ['the scopes of the sign-in change'],
    ],
    [
      'another picture',
      changed('/icon-64.png', '/icon-80.png'),
      [
        'The picture of the add-in changes from "https://signet.example.com/icon-64.png" to "https://signet.example.com/icon-80.png".',
      ],
      [],
    ],
    [
      'a higher requirement',
      changed(/1\.10"/g, '1.13"'),
      ['The least version of Mailbox that Outlook must have changes from "1.10" to "1.13".'],
      [],
    ],
    ['no help page', changed(/ *<SupportUrl.*\n/, ''), ['The address of the help page is gone.'], []],
    [
      'a domain',
      changed('</AppDomains>', '<AppDomain>https://a.example</AppDomain></AppDomains>'),
      ['The domain a.example is new: the pane may open it.'],
      [],
    ],
    [
      'another name',
      changed(/"Signet"/g, '"Signet (pilot)"'),
      [
        'The name changes from "Signet" to "Signet (pilot)".',
        ...[
          'signet.group11 of the button signet.open11',
          'signet.meetingGroup11 of the button signet.openInMeeting11',
        ].map((group) => `The group ${group} changes from "Signet" to "Signet (pilot)".`),
      ],
      [],
    ],
  ])('[MEET-9] tells %s, and whether it needs consent', (_, planned, differences, consent) => {
    const comparison = compareManifests(deployed, planned)
    expect(comparison).toMatchObject({ differences, consent, isUpdate: true, isRefused: false })
    expect(comparisonText('a.xml', deployed, planned)).toContain(
      consent.length > 0
        ? 'An administrator has to consent again: '
        : 'no administrator has to consent again',
    )
  })

  test('tells a text with its languages, in one sentence', () => {
    const tip = changed(
      /(<bt:String id="openTip" DefaultValue=")[^"]*("[^>]*>\s*<bt:Override Locale="de-AT" Value=")[^"]*(?=[^]*<\/VersionOverrides>\s*<\/VersionOverrides>)/g,
      '$1A tip$2Ein Tipp',
    )
    const both = ['signet.open11', 'signet.openInMeeting11']
    expect(compareManifests(deployed, tip).differences).toEqual(
      both.map(
        (button) =>
          `The tip of the button ${button} changes from "Choose a signature for this message or meeting." to "A tip", and in de-at.`,
      ),
    )
    const translated = changed(/ *<Override Locale="de-(AT|CH)".*\n/g, '')
    expect(compareManifests(deployed, translated).differences).toEqual([
      'The description changes in de-at, de-ch.',
    ])
  })

  test('tells a new button once, without its parts', () => {
    const without = contentOfXml(
      DEPLOYED.replace(/ *<ExtensionPoint xsi:type="AppointmentOrganizer.*?<\/ExtensionPoint>\n/gs, ''),
    )
    expect(compareManifests(without, changed('1.1.0.0', '1.2.0.0')).differences).toEqual([
      'The button signet.openInMeeting11 in meetings is new: it opens https://signet.example.com/taskpane.html.',
    ])
    expect(compareManifests(deployed, { ...without, version: '1.2.0.0' }).differences).toEqual([
      'The button signet.openInMeeting11 in meetings is gone.',
    ])
  })

  test('[MEET-9] finds every change of a value, wherever it stands, and nothing in an equal file', () => {
    expect(compareManifests(deployed, contentOfXml(DEPLOYED))).toEqual(NOTHING_CHANGES)
    // Values of attributes and texts of elements, but for names of types and the version.
    const values = [...DEPLOYED.matchAll(/( [\w:]+="|>)([^"<>\s][^"<>]*)(?="|<\/)/g)].flatMap(
      ({ 1: before = '', 2: value = '', index }) =>
        value === '1.1.0.0' || /xmlns|xsi:type|version=|encoding=/.test(before)
          ? []
          : [{ value, index: index + before.length }],
    )
    expect(values.length).toBeGreaterThan(200)
    for (const { value, index } of values) {
      const xml = `${DEPLOYED.slice(0, index)}9${DEPLOYED.slice(index + value.length)}`
      const { differences, isRefused } = compareManifests(deployed, contentOfXml(xml))
      expect(differences, `${DEPLOYED.slice(index - 40, index)}9`).not.toEqual([])
      // The version is the same. Another id is another add-in.
      expect(isRefused).toBe(value !== deployed.id)
    }
  })

  test('says of a change that it does not list that there is one', () => {
    expect(compareManifests(deployed, changed('FormType="Edit"', 'FormType="Read"')).differences).toEqual([
      'Something differs that is not listed here: compare the files themselves.',
    ])
    // Neither comments nor the order of attributes are a change.
    const same = DEPLOYED.replace('<Permissions>', '<!-- x --><Permissions>').replace(
      /(ItemType="Message") (FormType="Edit")/,
      '$2 $1',
    )
    expect(compareManifests(deployed, contentOfXml(same))).toEqual(NOTHING_CHANGES)
  })

  const versions = fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.nat({ max: 12 }), fc.nat({ max: 12 }))
    .map((parts) => [...parts, 0].join('.'))
  test('[MEET-9] refuses every version that is not higher, in both formats, unless nothing differs', () => {
    fc.assert(
      fc.property(
        fc.tuple(versions, versions),
        fc.tuple(fc.boolean(), fc.boolean()),
        fc.boolean(),
        ([before, after], [wasUnified, isUnified], hasGuard) => {
          const contentFor = (version: string, guard: boolean, unified: boolean) => {
            const content = contentOfXml(
              manifestFor(COMMITTED, { origin: 'https://signet.example.com', version, guard }),
            )
            return unified ? asUnified(content) : content
          }
          const was = contentFor(before, false, wasUnified)
          const is = contentFor(after, hasGuard, isUnified)
          const comparison = compareManifests(was, is)
          const [left, right] = [before, after].map((version) =>
            version.split('.').reduce((sum, part) => sum * 100 + Number(part), 0),
          ) as [number, number]
          expect(comparison.isRefused).toBe(right < left || (right === left && hasGuard))
          expect(comparison.differences).toHaveLength(hasGuard ? 2 : 0)
          expect(comparison.consent).toHaveLength((hasGuard ? 1 : 0) + (wasUnified === isUnified ? 0 : 1))
          if (!comparison.isRefused) return
          const [, next = ''] = /use --version (\S+),/.exec(comparisonText('a.xml', was, is)) ?? []
          expect(compareManifests(was, contentFor(next, hasGuard, isUnified)).isRefused).toBe(false)
        },
      ),
      cases(60),
    )
  })

  test.each([
    ['0.9.0.0', '1.0.0.0'],
    ['1.2.3.4', '1.2.4.0'],
    ['1.2.99999.0', '1.3.0.0'],
    ['1.99999.99999.0', '2.0.0.0'],
  ])('[MEET-9] names the version after %s that a manifest may have: %s', (before, next) => {
    const content = { ...deployed, version: before }
    const planned = { ...deployed, version: '0.0.0.1', clientId: 'other' }
    expect(comparisonText('a.xml', content, planned)).toContain(`use --version ${next},`)
  })

  test('shows no control character of a deployed manifest', () => {
    const was = { ...deployed, version: '1.0.0.0\u001b[2J' }
    expect(comparisonText('a.xml', was, deployed).includes('\u001b')).toBe(false)
  })

  test.each([
    ['1.10.0', '1.9.0', 1],
    ['1.2.0.0', '1.2.0', 0],
    ['1.2.0.1', '1.2.0', 1],
    ['1', '1.0.0.0', 0],
    ['2.0.0', '10.0.0', -1],
  ])('version %s beside %s is %i', (a, b, sign) => {
    expect(Math.sign(compareVersions(a, b))).toBe(sign)
    expect(Math.sign(compareVersions(b, a))).toBe(sign === 0 ? 0 : -sign)
  })

  test('warns of another format, another id, another registration, and missing translations', () => {
    const notesOf = (was: ManifestContent, is: ManifestContent) => compareManifests(was, is).notes
    const unified = asUnified(deployed)
    expect(notesOf(deployed, unified)).toEqual([
      expect.stringContaining('Microsoft describes no update from one to the other') as string,
      'Outlook on a Mac and on phones takes no unified manifest: there, people lose Signet.',
    ])
    expect(notesOf(unified, deployed)[1]).toBe('XML reaches Outlook on a Mac and on phones, too.')
    expect(compareManifests(unified, deployed).consent).toEqual([
      'an add-in of the other format is deployed for the first time',
    ])
    const other = changed(/<Id>6f0a/, '<Id>00aa')
    expect(notesOf(deployed, other)).toEqual([expect.stringContaining('another add-in beside') as string])
    expect(compareManifests(deployed, { ...other, version: '1.0.0.0' })).toMatchObject({
      consent: ['Outlook takes another id for another add-in'],
      isUpdate: false,
      isRefused: false,
    })
    for (const registration of [changed(/<Id>5197/, '<Id>0000'), changed('/5197', '/0000')])
      expect(notesOf(deployed, registration)).toEqual([
        'The app registration changes: grant its consent in Microsoft Entra before you deploy.',
      ])
    const alone = contentOfUnified(unifiedFiles(deployed, ADDRESSES).get(UNIFIED_MANIFEST_FILE), null)
    const { differences, notes } = compareManifests({ ...alone, whole: unified.whole }, unified)
    expect([differences, notes]).toEqual([
      [],
      ['The deployed file has no translations in it, so these were not compared. Compare its package.'],
    ])
  })

  test('tells other addresses of policies, between two unified manifests alone', () => {
    const unified = asUnified(deployed)
    const other = asUnified(deployed, { privacyUrl: 'https://a.example/p', termsUrl: 'https://a.example/t' })
    expect(compareManifests(unified, other).differences).toEqual([
      `The address of the privacy statement changes from "${ADDRESSES.privacyUrl}" to "https://a.example/p".`,
      `The address of the terms of use changes from "${ADDRESSES.termsUrl}" to "https://a.example/t".`,
    ])
    expect(compareManifests(deployed, other).differences).toEqual([])
  })
})

describe('what an administrator reads', () => {
  const higher = changed('1.1.0.0', '1.2.0.0')
  const noConsent = [
    "By Microsoft's list no administrator has to consent again: no permission, scope or event is new or changed.",
    'Elsewhere Microsoft says that every new manifest with events needs consent: look whether it is pending in Integrated apps.',
  ]

  test.each([
    [
      'of an equal file',
      deployed,
      ['a.xml has version 1.1.0.0, the new manifest 1.1.0.0.', 'Nothing differs.'],
    ],
    [
      'of a higher version',
      higher,
      [
        'a.xml has version 1.1.0.0, the new manifest 1.2.0.0.',
        'Nothing but the version differs.',
        ...noConsent,
      ],
    ],
    [
      'of a lower version',
      { ...deployed, version: '1.0.9.0' },
      [
        'a.xml has version 1.1.0.0, the new manifest 1.0.9.0.',
        'Nothing but the version differs.',
        ...noConsent,
        'The version is not higher, and Microsoft refuses such a manifest: use --version 1.1.1.0, or a higher one.',
      ],
    ],
    [
      'of another provider with the same version',
      { ...deployed, provider: 'Northwind' },
      [
        'a.xml has version 1.1.0.0, the new manifest 1.1.0.0.',
        'What differs:',
        '  The provider changes from "Signet" to "Northwind".',
        ...noConsent,
        'The version is not higher, and Microsoft refuses such a manifest: use --version 1.1.1.0, or a higher one.',
      ],
    ],
    [
      'of a new event with the same version',
      {
        ...deployed,
        events: [
          ...deployed.events,
          { device: 'desktop', type: 'OnMessageSend', handler: 'a', sendMode: 'Block' } as const,
        ],
      },
      [
        'a.xml has version 1.1.0.0, the new manifest 1.1.0.0.',
        'What differs:',
        '  The event OnMessageSend on computers is new: it calls a, with the mode Block.',
        'An administrator has to consent again: events at which Outlook starts Signet are new or changed. Until then Microsoft blocks Signet for its users.',
        'The version is not higher, and Microsoft refuses such a manifest: use --version 1.1.1.0, or a higher one.',
      ],
    ],
  ])('%s', (_, planned, lines) => {
    expect(comparisonText('a.xml', deployed, planned)).toBe(`${lines.join('\n')}\n`)
  })

  test('of another format that says the same', () => {
    expect(comparisonText('a.xml', deployed, asUnified(deployed)).split('\n').slice(-3)).toEqual([
      'Apart from that, both say the same.',
      'An administrator has to consent again: an add-in of the other format is deployed for the first time. Until then no user gets it.',
      '',
    ])
  })
})
