import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readDeployed } from '../../src/build/deployedManifest.ts'
import { contentOfXml } from '../../src/build/manifestXml.ts'
import { UNIFIED_MANIFEST_FILE, manifestPackage, unifiedFiles } from '../../src/build/unifiedManifest.ts'
import { cases } from '../support/cases.ts'

const COMMITTED = readFileSync(join(import.meta.dirname, '../../manifest.xml'), 'utf8')
const files = unifiedFiles(contentOfXml(COMMITTED), {
  privacyUrl: 'https://www.example.com/privacy',
  termsUrl: 'https://www.example.com/terms',
})
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47])
const json = JSON.stringify(files.get(UNIFIED_MANIFEST_FILE))

describe('a deployed file', () => {
  test.each([
    ['with a byte order mark', `\ufeff${COMMITTED}`],
    ['with the ends of lines of Windows', COMMITTED.replaceAll('\n', '\r\n')],
    ['with another prefix', COMMITTED.replaceAll('bt:', 'b:').replaceAll('xmlns:bt', 'xmlns:b')],
    ['with CDATA', COMMITTED.replace(/<Version>([^<]*)/, '<Version><![CDATA[$1]]>')],
    ['with references', COMMITTED.replace('DefaultValue="Signet"', 'DefaultValue="&#83;igne&#x74;"')],
    [
      'with single quotes',
      COMMITTED.replaceAll('"https://localhost:4443/launch.js"', "'https://localhost:4443/launch.js'"),
    ],
    [
      'with a comment and an instruction',
      `<?xml version="1.0"?><!-- x --><?y z?>${COMMITTED.slice(COMMITTED.indexOf('<OfficeApp'))}`,
    ],
  ])('is read as XML reads it %s', (_, xml) => {
    const { whole, ...said } = contentOfXml(COMMITTED)
    expect(whole).not.toBe('')
    expect(readDeployed(strToU8(xml))).toMatchObject(said)
  })

  test('says what its innermost overrides say, and what its base says where these are missing', () => {
    const v10 = readDeployed(
      strToU8(COMMITTED.replace(/ {4}<VersionOverrides .*?<\/VersionOverrides>\n/s, '')),
    )
    expect(v10.buttons.map(({ id, place, isPinnable }) => [id, place, isPinnable])).toEqual([
      ['signet.open', 'messages', false],
      ['signet.openInMeeting', 'meetings', false],
    ])
    expect([v10.events, v10.launchFile, v10.clientId, v10.permissions]).toEqual([
      ...[[], '', '', ['MailboxItem.ReadWrite.User']],
    ])
    const base = readDeployed(
      strToU8(COMMITTED.replace(/ {2}<VersionOverrides .*<\/VersionOverrides>\n/s, '')),
    )
    expect([base.buttons, base.name.text, base.requirements]).toEqual([
      ...[[], 'Signet', new Map([['Mailbox', '1.10']])],
    ])
  })

  test('may ask for more than Signet does, in other places', () => {
    const other = readDeployed(
      strToU8(
        COMMITTED.replaceAll('OfficeTab', 'CustomTab')
          .replaceAll('MessageComposeCommandSurface', 'MessageReadCommandSurface')
          .replace(
            '</WebApplicationInfo>',
            '</WebApplicationInfo><ExtendedPermissions><ExtendedPermission>AppendOnSend</ExtendedPermission></ExtendedPermissions>',
          )
          .replace(
            '</AppDomains>',
            '<AppDomain>http://a.example:81/b</AppDomain><AppDomain>xhttps://c</AppDomain></AppDomains>',
          ),
      ),
    )
    expect(other.buttons.map(({ place }) => place)).toEqual(['MessageReadCommandSurface', 'meetings'])
    expect(other.permissions.slice(1)).toEqual(['Mailbox.SharedFolder', 'AppendOnSend'])
    expect(other.domains.slice(2)).toEqual(['a.example:81', 'xhttps://c'])
    expect(other.scopes).toEqual(['openid', 'profile'])
  })

  test('requires the higher version of a set, wherever it stands', () => {
    const requiring = (inBase: string, inOverrides: string) =>
      readDeployed(
        strToU8(
          COMMITTED.replace('MinVersion="1.10" />', `MinVersion="${inBase}" />`).replaceAll(
            'DefaultMinVersion="1.10"',
            `DefaultMinVersion="${inOverrides}"`,
          ),
        ),
      ).requirements.get('Mailbox')
    expect([requiring('1.9', '1.13'), requiring('1.13', '1.9')]).toEqual(['1.13', '1.13'])
  })

  test('may be a unified manifest alone, which has no translations', () => {
    const { hasTranslations, version } = readDeployed(strToU8(json))
    expect([hasTranslations, version]).toEqual([false, '1.1.0'])
    expect(readDeployed(manifestPackage(files, new Map([['color.png', png]]))).hasTranslations).toBe(true)
  })

  const zip = (entries: Readonly<Record<string, string>>) =>
    zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)])))
  const cut = manifestPackage(files, new Map()).slice(0, 900)
  test.each([
    ['nothing', strToU8(''), 'is neither XML, nor JSON, nor a package (ZIP).'],
    ['a text', strToU8('Signet'), 'is neither XML, nor JSON, nor a package (ZIP).'],
    ['XML that does not end', strToU8('<OfficeApp>'), 'is not well-formed XML.'],
    ['an entity of its own', strToU8('<!DOCTYPE a [<!ENTITY a "b">]><a>&a;</a>'), 'is not well-formed XML.'],
    ['another document', strToU8('<html/>'), 'is XML, but no manifest of an Outlook add-in.'],
    [
      'a manifest of another program',
      strToU8(COMMITTED.replace('"MailApp"', '"TaskPaneApp"')),
      'is XML, but no manifest of an Outlook add-in.',
    ],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x3c, 0]), 'is not written in UTF-8.'],
    ['deep XML', strToU8('<a>'.repeat(80_000)), 'is not well-formed XML.'],
    ['broken JSON', strToU8('{"id":'), 'is not well-formed JSON.'],
    ['other JSON', strToU8('{"id":"a"}'), 'is JSON, but no unified manifest of an Outlook add-in.'],
    [
      'JSON without an id',
      strToU8('{"extensions":[{}]}'),
      'is JSON, but no unified manifest of an Outlook add-in.',
    ],
    [
      'deep JSON',
      strToU8(`{"id":"a","extensions":[{"x":${'['.repeat(60_000)}${']'.repeat(60_000)}}]}`),
      'is nested too deeply.',
    ],
    [
      'a large text',
      strToU8(`<a>${' '.repeat(262_144)}</a>`),
      'is larger than 256 KB, and Outlook takes no such manifest.',
    ],
    ['a large file', new Uint8Array(1_048_577), 'is larger than 1 MB, and no manifest is.'],
    ['a package that ends too early', cut, 'is a package (ZIP) that cannot be unpacked.'],
    ['a package without a manifest', zip({ 'a.json': '{}' }), 'is a package without manifest.json.'],
    [
      'a package with a manifest in a folder',
      zip({ 'a/manifest.json': json }),
      'is a package without manifest.json.',
    ],
    [
      'a package with a broken manifest',
      zip({ [UNIFIED_MANIFEST_FILE]: '{' }),
      'has manifest.json in it, which is not well-formed JSON.',
    ],
    [
      'a package with a broken language',
      zip({ [UNIFIED_MANIFEST_FILE]: json, 'de-at.json': '{' }),
      'has de-at.json in it, which is not well-formed JSON.',
    ],
    [
      'a package with a large manifest',
      zip({ [UNIFIED_MANIFEST_FILE]: ' '.repeat(262_145) }),
      'has manifest.json in it, which is larger than 256 KB.',
    ],
    [
      'a package of many files',
      zip({
        [UNIFIED_MANIFEST_FILE]: json,
        ...Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`${String(n)}.json`, '{}'])),
      }),
      'is a package of more than 200 files.',
    ],
  ])('that is %s is refused, and says why', (_, bytes, reason) => {
    expect(() => readDeployed(bytes)).toThrow(new Error(reason))
  })

  test('is read up to each limit', () => {
    const filled = (text: string) => {
      const bytes = new Uint8Array(262_144).fill(0x20)
      bytes.set(strToU8(text))
      return bytes
    }
    const pictures = Object.fromEntries(Array.from({ length: 199 }, (_, n) => [`${String(n)}.png`, png]))
    const { id } = contentOfXml(COMMITTED)
    for (const bytes of [
      filled(COMMITTED),
      filled(`\n ${json}`),
      zipSync({ [UNIFIED_MANIFEST_FILE]: filled(json), ...pictures }),
      zipSync({ [UNIFIED_MANIFEST_FILE]: strToU8(json), 'a.png': [new Uint8Array(262_145), { level: 0 }] }),
    ])
      expect(readDeployed(bytes).id).toBe(id)
    const most = zipSync({
      [UNIFIED_MANIFEST_FILE]: strToU8(json),
      'a.png': [new Uint8Array(1_000_000), { level: 0 }],
    })
    const comment = new Uint8Array(1_048_576)
    comment.set(most)
    // The last field of a package is the length of a comment, which fills the file.
    new DataView(comment.buffer).setUint16(most.length - 2, comment.length - most.length, true)
    expect(readDeployed(comment).id).toBe(id)
  })

  test.each(['P', 'K', 'PX', 'XK'])('that begins with %s is no package', (begin) => {
    expect(() => readDeployed(strToU8(begin))).toThrow('is neither XML, nor JSON, nor a package (ZIP).')
  })

  test('is read or refused with a sentence, whatever is in it', () => {
    const keys = [
      'id',
      'extensions',
      'ribbons',
      'tabs',
      'groups',
      'controls',
      'autoRunEvents',
      'events',
      'runtimes',
    ]
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('a', 1, null, true, 'https://'),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom(...keys, '__proto__', 'name', 'actions'), tie('value'), { maxKeys: 5 }),
      ),
    }))
    const some = fc.oneof(
      value.map((each) => strToU8(JSON.stringify({ id: 'a', extensions: [each] }))),
      fc.uint8Array(),
      // A manifest with a piece missing.
      fc
        .tuple(fc.nat({ max: COMMITTED.length }), fc.nat({ max: 400 }))
        .map(([start, length]) => strToU8(COMMITTED.slice(0, start) + COMMITTED.slice(start + length))),
    )
    fc.assert(
      fc.property(some, (bytes) => {
        try {
          expect(typeof readDeployed(bytes).id).toBe('string')
        } catch (error) {
          expect((error as Error).message).toMatch(/^(is|has) .*\.$/)
        }
      }),
      cases(200),
    )
  })
})
