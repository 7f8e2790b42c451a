import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isBase64,
  keepsPictureAddress,
  toLinkAddress,
  toPictureAddress,
} from '../../../streams/html/address.ts'
import { cases } from '../../support/cases.ts'

describe('the address of a link', () => {
  test.each([
    'https://northwind.example/?a=1&b=%20#top',
    'http://northwind.example',
    'HTTPS://northwind.example/',
    'ftp://files.northwind.example/a.pdf',
    'mailto:alex.kim@northwind.example?subject=Hello you&body=see the attachment',
    'mailto:alex.kim@northwind.example?cc=jo@northwind.example&subject=100%25',
    'tel:+49 30 1234',
    '#top',
    '#',
    '/imprint',
    'imprint.html?x=1',
    '../imprint',
    'page#part',
  ])('%s is kept', (address) => {
    expect(toLinkAddress(address)).toBe(address)
  })

  test('is written as a browser reads it: without tabs, line breaks, and controls at its ends', () => {
    expect(toLinkAddress('\u0001\u0000 https://north\twind.exa\r\nmple/ \u001f')).toBe(
      'https://northwind.example/',
    )
  })

  test.each([
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'JaVaScRiPt\n:alert(1)',
    'vbscript:msgbox(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///c:/windows',
    'ms-word:ofe|u|https://evil.example/a.docx',
    'search-ms:query=x',
    'blob:https://northwind.example/1',
    'https:evil.example',
    'https:///evil.example',
    '//evil.example/a',
    '/\t/evil.example/a',
    '/\\evil.example/a',
    '\\\\evil.example\\share',
    '\\/evil.example',
    'https:\\\\evil.example',
    'https://northwind.example\\@evil.example',
    'https://north\u0000wind.example/',
    'mailto:a@b.example?attach=c:/secret',
    'mailto:a@b.example?subject=x&Attachment=//evil.example/a',
    'mailto:a@b.example?%61ttach=c:/secret',
    'mailto:a@b.example?subject=x%26attach=c:/secret',
    'mailto:a@b.example%3Fattach=c:/secret',
    'mailto:a@b.example?%2561ttach=c:/secret',
    'mailto:a@b.example?att\nach=c:/secret',
    'mailto:a@b.example?subject=x& attach=c:/secret',
    'mailto:a@b.example?%20%20attach=c:/secret',
    'mailto:a@b.example?subject=x&%0D%0Aattach=c:/secret',
    'mailto:a@b.example?+attach=c:/secret',
    'mailto:a@b.example?x=%25252525252561',
    '',
  ])('%j is refused', (address) => {
    expect(toLinkAddress(address)).toBeNull()
  })

  const piece = fc.constantFrom(
    ...[
      'java',
      'script',
      ':',
      '/',
      '\\',
      '//',
      'https',
      'http:',
      'mailto:',
      '?',
      '&',
      'attach',
      '=',
      '%61',
      '%25',
    ],
    ...[
      '%3F',
      '\t',
      '\n',
      '\r',
      '\0',
      '\u0001',
      ' ',
      'evil.example',
      '#',
      '@',
      'file',
      'cid:',
      'data:image/png;base64,',
    ],
    ...['AAAA', '"', "'", '<', '>', '(', ')', '\u00a0', '\u202e', 'ä', '%', '.', '[', '`', '{'],
  )
  const address = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

  test('for any text: what is written is kept as it is, and leads nowhere else for a browser', () => {
    fc.assert(
      fc.property(address, (given) => {
        const written = toLinkAddress(given)
        if (written === null) return
        expect(toLinkAddress(written)).toBe(written)
        if (!URL.canParse(written, 'https://base.example/')) return
        const { protocol, host } = new URL(written, 'https://base.example/')
        expect(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']).toContain(protocol)
        const isRelative = !/^[a-z]+:/i.test(written)
        if (isRelative) expect(host).toBe('base.example')
        if (protocol === 'mailto:') expect(written).not.toMatch(/[?&]attach/i)
      }),
      cases(500),
    )
  })

  test('for any text: a written picture has no delimiter, and loads from the web, the message or itself', () => {
    fc.assert(
      fc.property(address, (given) => {
        const written = toPictureAddress(given)
        if (written === null) return
        expect(toPictureAddress(written)).toBe(written)
        expect(written).not.toMatch(/[\s"'`<>{}|^[\]\\\p{Cc}]/u)
        expect(['http:', 'https:', 'cid:', 'data:']).toContain(new URL(written).protocol)
      }),
      cases(500),
    )
  })
})

test.each([
  ['\u001f', false],
  ['\u007e', true],
  ['\u007f', false],
  ['\u0080', false],
  ['\u009f', false],
  ['\u00a0', true],
])('a link with %j is allowed: %s', (character, isAllowed) => {
  const address = `https://a.example/b${character}c`
  expect(toLinkAddress(address)).toBe(isAllowed ? address : null)
})

describe('the address of a picture', () => {
  test.each([
    'https://cdn.example/a%20b(1).png?v=1&w=2#x',
    'http://cdn.example:8080/ünïcode.png',
    'cid:image001.png@01D9F3A2.5B6C7D80',
    'data:image/png;base64,iVBORw0KGgo=',
    'data:IMAGE/JPG;base64,AAAA',
  ])('%s is kept', (address) => {
    expect(toPictureAddress(address)).toBe(address)
  })

  test('has no blank in its base64, which a person may have wrapped', () => {
    expect(toPictureAddress('data:image/png;base64, iVBO\n  Rw0K Ggo=')).toBe(
      'data:image/png;base64,iVBORw0KGgo=',
    )
  })

  test('is encoded as browsers encode it, so that nothing around it can end', () => {
    expect(toPictureAddress('https://cdn.example/my "logo" <1>\'.png')).toBe(
      'https://cdn.example/my%20%22logo%22%20%3C1%3E%27.png',
    )
  })

  test.each([
    'javascript:alert(1)',
    'data:image/svg+xml;base64,AAAA',
    'data:text/html;base64,AAAA',
    'data:image/png;base64,AAA',
    'data:image/png;base64,AAA=A',
    'data:image/png;base64,AAAA")',
    'data:image/png,AAAA',
    'https:evil.example/a.png',
    'https:/evil.example/a.png',
    'https://user@evil.example/a.png',
    '//evil.example/a.png',
    'a.png',
    '\\\\evil.example\\a.png',
    'https:\\\\evil.example\\a.png',
    'file://evil.example/a.png',
    'cid:a"onerror=alert(1)',
    'cid:',
    'cid://a.example/a.png',
    '',
  ])('%s is refused', (address) => {
    expect(toPictureAddress(address)).toBeNull()
  })

  test.each([
    ['https://cdn.example/a.png', true],
    ['https://cdn.example/a(1).png', true],
    ['https://cdn.example/a b.png', false],
    ['https://cdn.example/a".png', false],
    ["https://cdn.example/a'.png", false],
    ['https://cdn.example/a>.png', false],
    ['https://cdn.example/a\t.png', false],
    ['https://cdn.example/a\u0000.png', false],
    ['https://cdn.example/a\u00a0.png', false],
    [' https://cdn.example/a.png', false],
    ['"', false],
    ['cid:a.png', false],
    ['data:image/png;base64,AAAA', false],
    ['', false],
  ])('%j can name an image: %s', (url, isKey) => {
    expect(keepsPictureAddress(url)).toBe(isKey)
  })
})

test('base64 is complete, of its own alphabet, and padded at its end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(30), (bytes, place) => {
      const base64 = Buffer.from(bytes).toString('base64')
      expect(isBase64(base64)).toBe(true)
      const index = place % base64.length
      for (const foreign of ['"', ' ', '-', '\n'])
        expect(isBase64(base64.slice(0, index) + foreign + base64.slice(index + 1))).toBe(false)
      for (const foreign of ['=', 'A', 'AA']) expect(isBase64(foreign + base64)).toBe(false)
    }),
  )
  expect(isBase64('')).toBe(false)
  expect(isBase64('A===')).toBe(false)
  expect(isBase64('AA=A')).toBe(false)
})
