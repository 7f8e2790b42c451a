import { fc, it as check } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { cleanSignature } from '../../src/adopt/cleanSignature.ts'
import { createPictureFinder, pictureAddressesIn } from '../../src/adopt/pictureFiles.ts'
import { answerReadingTask } from '../../src/adopt/readingTasks.ts'
import { pictureHash } from '../../src/folder/pictures.ts'
import { escapeText } from '../../streams/html/tokens.ts'
import { png } from '../folder/pictures.ts'

// Files that are given replace the pictures that a signature only links to.

const LOGO = png(4, 2)
const OTHER = png(5, 2)
const placeholder = (bytes: Uint8Array) => `{{picture adopted/${pictureHash(bytes)}.png}}`
const image = (address: string) => `<img src="${escapeText(address)}" alt="">`

/** For each address, the path of the file that it gets. */
function filesFor(addresses: readonly string[], paths: readonly string[]): readonly (string | null)[] {
  const contents = new Map(paths.map((path, index) => [path, Uint8Array.of(index)]))
  const { find } = createPictureFinder(contents, addresses)
  return addresses.map((address) => paths[find(address)?.[0] ?? -1] ?? null)
}

describe('a linked picture', () => {
  it.each([
    ['https://www.example.com/img/logo.png', 'logo.png'],
    ['http://www.example.com/img/Logo.PNG?v=3&w=2#x', 'logo.png'],
    ['https://www.example.com/a%20b/%C3%9Cber%20uns%20%231.png', 'über uns #1.png'],
    ['https://www.example.com/my%20logo.png', 'saved/my%20logo.png'],
    ['//www.example.com/logo.png', 'logo.png'],
    ['/img/logo.png', 'logo.png'],
    ['../img/logo.png', 'logo.png'],
    ['C:\\Signatures\\S_files\\image001.png', 'image001.png'],
    ['file:///C:/Signatures/S_files/image001.png', 'S_files/image001.png'],
    ['cid:image001.png@01D9ABCD.1234', 'image001.png'],
  ])('gets the file of its name: %s', (address, path) => {
    expect(filesFor([address], [path])).toEqual([path])
    expect(filesFor([address], [path.replace(/[^/]*$/, 'not-$&'), 'other.png'])).toEqual([null])
  })

  it('gets the file whose folders fit best', () => {
    const [one, other] = ['https://a.example/new/logo.png', 'https://b.example/old/logo.png']
    expect(filesFor([one, other], ['old/logo.png', 'new/logo.png'])).toEqual([
      ...['new/logo.png', 'old/logo.png'],
    ])
    expect(filesFor([one, other], ['new/logo.png'])).toEqual(['new/logo.png', null])
    expect(filesFor([one, 'logo.png'], ['logo.png'])).toEqual([null, 'logo.png'])
  })

  it('shares a file only with addresses of the same picture', () => {
    const one = 'https://a.example/logo.png'
    expect(filesFor([one, `${one}?v=2`, 'http://A.example/Logo.png'], ['logo.png'])).toEqual([
      ...['logo.png', 'logo.png', 'logo.png'],
    ])
    expect(filesFor([one, 'https://b.example/logo.png'], ['logo.png'])).toEqual([null, null])
  })

  it('gets none of two files that fit equally well, unless they are the same', () => {
    const address = 'https://a.example/logo.png'
    expect(filesFor([address], ['x/logo.png', 'y/logo.png'])).toEqual([null])
    const { find } = createPictureFinder(
      new Map([...['x', 'y']].map((each) => [`${each}/logo.png`, Buffer.from('same')])),
      [address],
    )
    expect(find(address)).toEqual(Buffer.from('same'))
  })

  it('is found in attributes, styles, style sheets and comments, and nothing else is', () => {
    const html =
      '<style>a{background:url(s.png)}</style><!--[if mso]><v:fill src="c&amp;1.png"/><![endif]--><script src="no.js"></script><td background="b.png" style="background:url(\'t.png\')"><img src=" i.png "><img src="data:image/png;base64,AA">'
    expect([...pictureAddressesIn(html)]).toEqual(['s.png', 'c&1.png', 'b.png', 't.png', 'i.png'])
  })

  check.prop([
    fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 4,
      selector: (name) => name.normalize('NFC').toLowerCase(),
    }),
  ])('gets its file whatever the characters of its name are, and no other one', (names) => {
    const paths = names
      .filter((name) => !/[\\/]/.test(name) && !/\p{Cs}/u.test(name))
      .map((name) => `${name}.png`)
    const addresses = paths.map((path) => `https://www.example.com/img/${encodeURIComponent(path)}`)
    expect(filesFor(addresses, paths)).toEqual(paths)
  })

  const part = fc.constantFrom('a', 'b', 'A', 'c.png', 'C.PNG', 'd.png', '..', '')
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const address = fc.tuple(fc.constantFrom('https://h/', 'http://h/', 'cid:', 'file:///', ''), path)
  check.prop([
    fc.uniqueArray(
      address.map((parts) => parts.join('')),
      { maxLength: 6 },
    ),
    fc.uniqueArray(
      path.filter((each) => !each.includes('..')),
      { maxLength: 6 },
    ),
  ])('never shares a file with an address of another path, whatever the order is', (addresses, paths) => {
    const found = filesFor(addresses, paths)
    const partsOf = (text: string) =>
      text
        .replace(/^(?:(?:https?|file):\/*|cid:)/, '')
        .toLowerCase()
        .split('/')
        .filter((each) => !['', '.', '..'].includes(each))
    const owners = new Map<string, string>()
    found.forEach((file, index) => {
      const from = addresses[index] ?? ''
      if (file === null) return
      expect(partsOf(file).at(-1)).toBe(partsOf(from).at(-1))
      const picture = from.startsWith('cid:') ? from : partsOf(from).join('/')
      // A path that is a file's whole path means the file, also beside another spelling of it.
      if (paths.includes(from)) return
      expect(owners.get(file) ?? picture).toBe(picture)
      owners.set(file, picture)
    })
    const turned = filesFor(addresses.toReversed(), paths).toReversed()
    expect(turned).toEqual(found)
  })
})

describe('a signature with given files', () => {
  const [one, other] = ['https://www.example.com/img/logo.png', 'https://www.example.com/img/map.png']
  const html = `<p>Maria &amp; co<br>${image(one)} ${image(other)}</p>`
  const cleaned = (files: Readonly<Record<string, Uint8Array>>) =>
    cleanSignature(html, new Map(Object.entries(files)))

  it('has them in the place of the links, and is the same otherwise', () => {
    const none = cleaned({})
    expect(none.linked).toEqual([one, other])
    const some = cleaned({ 'logo.png': LOGO })
    expect(some.linked).toEqual([other])
    expect(some.html).toBe(none.html.replace(one, placeholder(LOGO)))
    const all = cleaned({ 'logo.png': LOGO, 'map.png': OTHER })
    expect(all.linked).toEqual([])
    expect(all.html).toBe(none.html.replace(one, placeholder(LOGO)).replace(other, placeholder(OTHER)))
  })

  it('keeps the link of a picture whose file mail clients do not show', () => {
    const { html: written, linked, takenOut } = cleaned({ 'logo.png': Buffer.from('<svg/>') })
    expect([written, linked, takenOut]).toEqual([cleaned({}).html, [one, other], []])
  })

  const readWith = async (
    files: Readonly<Record<string, Uint8Array>>,
    body = html,
    first = { path: 'S.htm', text: body },
  ) => {
    const answer = await answerReadingTask({
      kind: 'read',
      files: [
        { path: first.path, bytes: Buffer.from(first.text) },
        ...Object.entries(files).map(([path, bytes]) => ({ path, bytes })),
      ],
      ...{ from: null, fetched: [], encoding: null, isDrawn: false },
    })
    if (answer.kind !== 'read') throw new Error(answer.kind)
    return answer.sample
  }

  it('names each file that is not in it, with the reason', async () => {
    const { used, unusedFiles } = await readWith({
      'logo.png': LOGO,
      'plan.png': OTHER,
      'map.png': png(1, 1, 2_000_000),
      'letter.pdf': Buffer.from('%PDF'),
      'S_files/image001.png': png(6, 2),
    })
    expect(used).toEqual(['logo.png'])
    expect(unusedFiles).toEqual([
      { path: 'plan.png', reason: 'unused' },
      { path: 'map.png', reason: 'limit' },
      { path: 'letter.pdf', reason: 'unreadable' },
    ])
  })

  it('names a file whose name several pictures have', async () => {
    const twice = `<p>x${image(one)}${image('https://cdn.example/logo.png')}</p>`
    const { linked, unusedFiles } = await readWith({ 'logo.png': LOGO }, twice)
    expect(linked).toEqual([one, 'https://cdn.example/logo.png'])
    expect(unusedFiles).toEqual([{ path: 'logo.png', reason: 'unclear' }])
  })

  it('may be in a mail', async () => {
    const mail = `Content-Type: text/html\r\n\r\n<div class="gmail_signature">${html}</div>\r\n`
    const { linked, pictures } = await readWith({ 'logo.png': LOGO }, '', { path: 'a.eml', text: mail })
    expect([linked, pictures.map(({ path }) => path)]).toEqual([
      [other],
      [`adopted/${pictureHash(LOGO)}.png`],
    ])
  })
})
