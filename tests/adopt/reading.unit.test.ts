import { describe, expect, it } from 'vitest'
import { decodeHtml, repairMojibake, readHtmlText } from '../../src/values/encoding.ts'
import { readSample } from '../../src/adopt/readSample.ts'
import { MAX_SAMPLE_BYTES, MAX_SAMPLE_CHARACTERS } from '../../src/adopt/sample.ts'
import { encapsulated, outlookItem, storedRtf } from '../support/outlookItems.ts'
import { png } from '../folder/pictures.ts'

// Reads signatures out of the files that people have: of Word and Outlook, mails, and a paste.

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const LOGO = png(4, 2)

const read = (path: string, bytes: Uint8Array, from: string | null = null) =>
  readSample([{ path, bytes }], from)

const mail = (html: string, more: readonly string[] = []) =>
  utf8(
    [
      'From: "Silva, Maria" <Maria.Silva@northwind.example>',
      'To: Alex Kim <alex.kim@northwind.example>',
      'Subject: Hello',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary="part"',
      '',
      '--part',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(html).toString('base64'),
      ...more,
      '--part--',
      '',
    ].join('\r\n'),
  )

const LOGO_PART = [
  '--part',
  'Content-Type: image/png; name="logo.png"',
  'Content-ID: <logo@northwind>',
  'Content-Disposition: inline; filename="logo.png"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from(LOGO).toString('base64'),
]

describe('a file of html', () => {
  it.each([
    ['UTF-8 by its mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8('<p>é</p>')])],
    ['UTF-16 by its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<p>é</p>', 'utf16le')])],
    [
      'UTF-16 in the other order',
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('<p>é</p>', 'utf16le').swap16()]),
    ],
    [
      'windows-1252 as Word declares it',
      latin('<meta http-equiv=Content-Type content="text/html; charset=windows-1252"><p>\xe9</p>'),
    ],
    ['UTF-8 by its declaration', utf8('<meta charset="utf-8"><p>é</p>')],
    ['UTF-8 without a declaration', utf8('<p>é</p>')],
    ['windows-1252 without a declaration', latin('<p>\xe9</p>')],
    ['an encoding that does not exist', utf8('<meta charset="klingon"><p>é</p>')],
    ['UTF-16 by a declaration that cannot be true', utf8('<meta charset="utf-16"><p>é</p>')],
    ['iso-8859-2', Buffer.concat([utf8('<meta charset=iso-8859-2><p>'), Buffer.from([0xe9]), utf8('</p>')])],
  ])('is decoded: %s [ADOPT-1]', (_, bytes) => {
    expect(decodeHtml(bytes)).toMatch(/<p>é<\/p>$/)
  })

  it.each([
    ['UTF-8 that calls itself windows-1252', utf8('<meta charset="windows-1252"><p>é</p>'), false],
    ['UTF-8 that calls itself iso-8859-2', utf8('<meta charset="iso-8859-2"><p>é</p>'), false],
    ['UTF-16 without a mark', Buffer.from('<p>é</p>', 'utf16le'), false],
    ['UTF-16 in the other order without a mark', Buffer.from('<p>é</p>', 'utf16le').swap16(), false],
    ['windows-1252 that says so', latin('<meta charset="windows-1252"><p>\xe9</p>'), false],
    ['windows-1252 that says nothing', latin('<p>\xe9</p>'), true],
    ['windows-1252 that calls itself UTF-8', latin('<meta charset="utf-8"><p>\xe9</p>'), true],
    ['UTF-8 with a broken byte', Buffer.concat([utf8('éé'), latin('\xe9'), utf8('<p>é</p>')]), true],
  ])('is read by its content, and is unclear or not: %s [ADOPT-1]', (_, bytes, isUnclear) => {
    const read = readHtmlText(bytes)
    expect(read.text).toMatch(/<p>é<\/p>$/)
    expect(read.isUnclear).toBe(isUnclear)
  })

  it.each([
    ['windows-1252 that calls itself UTF-8', latin('<meta charset="utf-8"><p>\xa3</p>'), 'Ł'],
    [
      'that fits two',
      Buffer.concat([utf8('<meta charset="gbk"><p>'), latin('\xc4\xa3'), utf8('</p>')]),
      'ÄŁ',
    ],
    ['UTF-8, whatever is named', utf8('<p>é</p>'), 'é'],
    ['an encoding that says so', latin('<meta charset="windows-1252"><p>\xa3</p>'), '£'],
  ])('whose encoding is not clear has the one that is named: %s [ADOPT-1]', (_, bytes, text) => {
    const read = readHtmlText(bytes, null, 'iso-8859-2')
    expect(read.text).toContain(`<p>${text}</p>`)
    expect(read.isUnclear).toBe(false)
    expect(decodeHtml(bytes, 'iso-8859-2')).toBe(read.text)
  })

  it('of two bytes for a letter is unclear where it could be UTF-8, too [ADOPT-1]', () => {
    const bytes = Buffer.concat([utf8('<meta charset="gbk">'), latin('\xc4\xa3')])
    expect(readHtmlText(bytes)).toEqual({ text: '<meta charset="gbk">模', isUnclear: true })
    expect(readHtmlText(Buffer.concat([utf8('<meta charset="gbk">'), utf8('模')])).text).toMatch(/模$/)
  })

  it('has UTF-8 that was read as windows-1252 read again, and nothing else [ADOPT-1]', () => {
    expect(repairMojibake('<p>JÃ¶rg, â€žGrÃ¼ÃŸeâ€œ</p>')).toBe('<p>Jörg, „Grüße“</p>')
    for (const text of ['<p>Jörg</p>', '<p>Ã¶ ö</p>', '<p>Ω Ã¶</p>', 'x'])
      expect(repairMojibake(text)).toBe(text)
  })

  it('keeps the typographic signs of windows-1252 [ADOPT-1]', () => {
    expect(decodeHtml(latin('<meta charset="windows-1252">\x93\x80\x94'))).toMatch(/“€”$/)
  })

  it('brings the pictures of its folder, by path [ADOPT-1]', async () => {
    const { pictures } = await readSample(
      [
        { path: 'sig.htm', bytes: utf8('<img src="sig_files/image001.png">') },
        { path: 'sig_files/image001.png', bytes: LOGO },
      ],
      null,
    )
    expect([...pictures.keys()]).toEqual(['sig_files/image001.png'])
  })

  it('names the addresses of its links as those of its person', async () => {
    const { addresses } = await read(
      'a.html',
      utf8('<a href="mailto:Maria@Northwind.example?subject=x">x</a>'),
    )
    expect(addresses).toEqual(['maria@northwind.example'])
  })

  it('names the addresses in its texts in their order with those of its links', async () => {
    const { addresses } = await read(
      'paste.html',
      utf8(
        '<style>a@in.sheet.example</style><p>E-Mail:&nbsp;Jonas.Weber&#64;Northwind.example. Or (maria@northwind.example), @alex, a@b, x@y@z.example</p><a href="mailto:alex@northwind.example">jonas.weber@northwind.example</a><p>x@last.example</p>',
      ),
    )
    expect(addresses).toEqual([
      ...['jonas.weber@northwind.example', 'maria@northwind.example', 'alex@northwind.example'],
      'x@last.example',
    ])
  })

  it('names no more than twenty addresses', async () => {
    const text = Array.from({ length: 30 }, (_, index) => `a${String(index)}@b.example`).join(' ')
    const { addresses } = await read('a.html', utf8(`<p>${text}</p>`))
    expect([addresses.length, addresses[19]]).toEqual([20, 'a19@b.example'])
  })

  it('of a clipboard is the selected part, with the style sheet before it [ADOPT-1]', async () => {
    const paste =
      'Version:1.0\r\n<html><head><style>.a{color:red}</style></head><body><div style="color:blue"><p>no</p><!--StartFragment--><p class="a">Maria</p><!--EndFragment--><p>no</p></div></body></html>'
    expect((await read('paste.html', utf8(paste))).html).toBe(
      '<style>.a{color:red}</style><body><div style="color:blue"><p class="a">Maria</p>',
    )
  })
})

describe('a mail', () => {
  it('gives the signature that Outlook marked, its pictures and its sender [ADOPT-1]', async () => {
    const html =
      '<html><body><div style="font-family:Calibri"><p>Hello Alex</p><div id="Signature"><p>Maria</p><img src="cid:logo@northwind"></div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><p>old</p></div></div></body></html>'
    const found = await read('mail.eml', mail(html, LOGO_PART))
    expect(found.html).toBe(
      '<body><div style="font-family:Calibri"><p>Maria</p><img src="cid:logo@northwind">',
    )
    expect(found.addresses).toEqual(['maria.silva@northwind.example'])
    expect(Buffer.from(found.pictures.get('cid:logo@northwind') ?? []).equals(Buffer.from(LOGO))).toBe(true)
  })

  it.each([
    [
      'classic Outlook: a bookmark, up to the quoted thread',
      '<p>Hello</p><p class="MsoNormal"><a name="_MailAutoSig"><b>Maria</b></a></p><p>Sales</p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Alex</p></div>',
      '<p class="MsoNormal"><a name="_MailAutoSig"><b>Maria</b></a></p><p>Sales</p>',
    ],
    [
      'Gmail: a class, without its dashes',
      '<div>Hello</div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><b>Maria</b></div><div class="gmail_quote">old</div>',
      '<div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><b>Maria</b>',
    ],
    [
      'Apple Mail: a line break before it',
      '<div>Hello</div><br id="lineBreakAtBeginningOfSignature"><div><b>Maria</b></div><blockquote type="cite">old</blockquote>',
      '<div><b>Maria</b></div>',
    ],
    [
      'Apple Mail: an element of an older version',
      '<p>Hello</p><div apple-content-edited="true"><b>Maria</b></div>',
      '<b>Maria</b>',
    ],
    [
      'Thunderbird: a class, without its dashes',
      '<p>Hello</p><div class="moz-signature">-- <br><b>Maria</b></div>',
      '<div class="moz-signature"><b>Maria</b>',
    ],
    [
      'Outlook on the phone',
      '<div>Hello</div><div id="ms-outlook-mobile-signature"><b>Maria</b></div>',
      '<b>Maria</b>',
    ],
    ['new Outlook, quoted once more', '<p>Hello</p><div id="x_Signature"><b>Maria</b></div>', '<b>Maria</b>'],
    [
      'Signet itself',
      '<p>Hello</p><div class="signet" id="signet_m_h_one"><b>Maria</b></div>',
      '<b>Maria</b>',
    ],
  ])('has a signature by the mark of %s [ADOPT-1]', async (_, body, expected) => {
    expect((await read('a.eml', mail(body))).html).toBe(expected)
  })

  it('takes no signature of the quoted thread, and says what to give [ADOPT-1]', async () => {
    const body = '<p>Hello</p><div id="appendonsend"></div><div id="Signature"><b>Alex</b></div>'
    await expect(read('a.eml', mail(body))).rejects.toMatchObject({
      code: 'signature_not_found',
      message: expect.stringContaining('--from') as string,
    })
  })

  it('passes over a mark around nothing', async () => {
    const body = '<div id="Signature"></div><p>Hello</p><div class="gmail_signature"><b>Maria</b></div>'
    expect((await read('a.eml', mail(body))).html).toBe('<div class="gmail_signature"><b>Maria</b>')
  })

  it('gives all from a text up to the quoted thread, with the table that begins with the text [ADOPT-1]', async () => {
    const body =
      '<div style="color:#333"><p>Hello</p><table><tr><td>Kind <b>regards</b></td><td>Maria</td></tr></table><p>Sales</p><div id="divRplyFwdMsg">old</div></div>'
    expect((await read('a.eml', mail(body), 'kind  regards'.replace('k', 'K'))).html).toBe(
      '<div style="color:#333"><table><tr><td>Kind <b>regards</b></td><td>Maria</td></tr></table><p>Sales</p>',
    )
    await expect(read('a.eml', mail(body), 'old')).rejects.toMatchObject({ code: 'from_not_found' })
    await expect(read('a.eml', mail(body), ' ')).rejects.toMatchObject({ code: 'from_not_found' })
  })

  it('without html says so', async () => {
    await expect(read('a.eml', utf8('From: a@b.example\r\n\r\nHello'))).rejects.toMatchObject({
      code: 'sample_without_html',
    })
  })
})

describe('an Outlook item', () => {
  const body =
    '<html><body><p>Hello</p><div id="Signature"><p>Mar\xeda</p><img src="cid:logo@x"></div></body></html>'

  it('gives its html by its code page, its pictures by their content ids, and its sender [ADOPT-1]', async () => {
    const item = outlookItem({
      html: latin(body),
      codePage: 1252,
      sender: 'Maria@northwind.example',
      attachments: [{ id: 'logo@x', name: 'logo.png', content: LOGO }],
    })
    const found = await read('mail.msg', item)
    expect(found.html).toBe('<body><p>María</p><img src="cid:logo@x">')
    expect(found.addresses).toEqual(['maria@northwind.example'])
    expect(Buffer.from(found.pictures.get('cid:logo@x') ?? []).equals(Buffer.from(LOGO))).toBe(true)
    expect(found.pictures.has('logo.png')).toBe(true)
  })

  it('keeps html inside of RTF, too [ADOPT-1]', async () => {
    const found = await read('a.msg', outlookItem({ rtf: storedRtf(encapsulated(body)) }))
    expect(found.html).toBe('<body><p>María</p><img src="cid:logo@x">')
  })

  it('is known by its content, whatever its name is', async () => {
    expect((await read('a.htm', outlookItem({ html: latin(body), codePage: 1252 }))).html).toContain('María')
  })

  it('without html says so', async () => {
    await expect(read('a.msg', outlookItem({ sender: 'a@b.example' }))).rejects.toMatchObject({
      code: 'sample_without_html',
    })
  })
})

describe('a file that is not read', () => {
  it.each([
    ['of another kind', 'a.docx', utf8('PK'), 'sample_unreadable'],
    ['of bytes that are no text', 'a.html', Uint8Array.from([60, 0, 0, 62]), 'sample_unreadable'],
    [
      'that is cut off',
      'a.msg',
      outlookItem({ html: latin('x'.repeat(9000)) }).slice(0, 700),
      'sample_unreadable',
    ],
    ['that is too large', 'a.html', new Uint8Array(MAX_SAMPLE_BYTES + 1), 'sample_too_large'],
    ['that is too long', 'a.html', Buffer.alloc(MAX_SAMPLE_CHARACTERS + 1, 'x'), 'sample_too_large'],
  ])('%s is refused [ADOPT-1]', async (_, path, bytes, code) => {
    await expect(read(path, bytes)).rejects.toMatchObject({ code })
  })
})
