import { Hash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { adoptSamples } from '../../src/adopt/adopt.ts'
import { withEmbeddedPictures, MAX_PICTURE_CHARACTERS } from '../../src/adopt/asItWas.ts'
import { cleanSignature } from '../../src/adopt/cleanSignature.ts'
import { readSample } from '../../src/adopt/readSample.ts'
import { readingHere } from '../support/adopting.ts'
import { png } from '../folder/pictures.ts'

// A few bytes of html can name a file thousands of times: what is made of a sample does not multiply it.

const LOGO = png(4, 2)
/** A file that begins as a PNG. */
const LARGE = Buffer.concat([LOGO, Buffer.alloc(900_000)])

afterEach(() => vi.restoreAllMocks())

/** Counts the characters of base64 that are made. */
function countingText() {
  const toString = vi.spyOn(Buffer.prototype, 'toString')
  return () => {
    const made = toString.mock.results.map(({ value }, index) =>
      toString.mock.calls[index]?.[0] === 'base64' ? String(value).length : 0,
    )
    return made.reduce((sum, length) => sum + length, 0)
  }
}

describe('the signature before cleaning', () => {
  it('has a picture as often as it is shown, and its text is made once', () => {
    const made = countingText()
    const html = '<img src=a><td background="a" style="background:url(a)">'.repeat(100)
    const drawn = withEmbeddedPictures({ html, pictures: new Map([['a', LOGO]]) })
    const text = LOGO.toString('base64')
    expect(made()).toBe(2 * text.length)
    expect(drawn?.split(text)).toHaveLength(301)
  })

  it.each([
    ['elements', '<img src=a>'.repeat(200_000)],
    ['one style', `<p style="${'background:url(a);'.repeat(100_000)}">`],
  ])('is not made of %s that show more than its limit [ADOPT-1]', (_, html) => {
    const made = countingText()
    const pictures = new Map([['a', LARGE]])
    expect(withEmbeddedPictures({ html, pictures })).toBeNull()
    expect(withEmbeddedPictures({ html: '<img src=a>', pictures })).toMatch(
      /^<img src=data:image\/png;base64,\w/,
    )
    expect(made()).toBe(2 * LARGE.toString('base64').length)
  })

  it('is not made of files that are more than its limit together', () => {
    const made = countingText()
    const pictures = new Map(Array.from({ length: 20 }, (_, name) => [String(name), Buffer.from(LARGE)]))
    expect(
      withEmbeddedPictures({
        html: [...pictures.keys()].map((name) => `<img src=${name}>`).join(''),
        pictures,
      }),
    ).toBeNull()
    expect(made()).toBeLessThan(MAX_PICTURE_CHARACTERS + 2_000_000)
  })

  it('is made of pictures that fill its limit exactly, and keeps the html around them', () => {
    const start = 'data:image/png;base64,'
    const [first, second] = [4_000_000, MAX_PICTURE_CHARACTERS - 4_000_000 - 2 * start.length]
    const picture = (characters: number) =>
      Buffer.concat([LOGO, Buffer.alloc((characters / 4) * 3 - LOGO.length)])
    const drawn = (characters: number) =>
      withEmbeddedPictures({
        html: '<p>Maria</p><img src=a><p>and</p><img src=b><p>Tom</p>',
        pictures: new Map([
          ['a', picture(first)],
          ['b', picture(characters)],
        ]),
      })
    expect(drawn(second)?.replaceAll(/data:[^>]*/g, 'data')).toBe(
      '<p>Maria</p><img src=data><p>and</p><img src=data><p>Tom</p>',
    )
    expect(drawn(second + 4)).toBeNull()
  })

  it('is made for the first sample alone, and only where it is drawn [ADOPT-1]', async () => {
    const sample = (name: string) => ({
      files: [
        { path: `${name}.htm`, bytes: Buffer.from('<p>Maria</p><img src=a>') },
        { path: 'a', bytes: LOGO },
      ],
      person: null,
    })
    const reading = readingHere()
    const read = vi.spyOn(reading, 'read')
    const wanted = { samples: [sample('maria'), sample('tom')], from: null, variables: [] }
    const world = { reading, personOf: () => Promise.resolve(null), people: () => [] }
    expect((await adoptSamples(wanted, world)).asItWas).toBeNull()
    expect((await adoptSamples({ ...wanted, isDrawn: true }, world)).asItWas).toContain(
      'data:image/png;base64,',
    )
    const made = await Promise.all(read.mock.results.map(async ({ value }) => (await value).asItWas !== null))
    expect(made).toEqual([false, false, true, false])
  })
})

describe('the cleaning', () => {
  it('reads a file once, however many addresses lead to it', () => {
    const update = vi.spyOn(Hash.prototype, 'update')
    const html = Array.from({ length: 100 }, (_, index) => `<img src="a.png?${String(index)}">`).join('')
    const { html: cleaned } = cleanSignature(html, new Map([['a.png', LOGO]]))
    expect(cleaned.match(/\{\{picture adopted\/\w+\.png\}\}/g)).toHaveLength(100)
    expect(update).toHaveBeenCalledTimes(1)
  })

  it('writes the declarations for the document once, however many selectors they have', () => {
    const { html } = cleanSignature(
      `<style>${'html,'.repeat(100)}body{color:red}</style><p>Maria</p>`,
      new Map(),
    )
    expect(html.match(/html/g)).toHaveLength(100)
    expect(html.match(/color:red/g)).toHaveLength(1)
  })
})

it('reads a mail in a mail, and those inside of it stay files', async () => {
  const inside = (html: string, inner: string) =>
    `Content-Type: multipart/mixed; boundary=x${String(inner.length)}\r\n\r\n--x${String(inner.length)}\r\nContent-Type: text/html\r\n\r\n${html}\r\n--x${String(inner.length)}\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--x${String(inner.length)}--\r\n`
  const mail = inside('<p>One</p>', inside('<p>Two</p>', inside('<p>Three</p>', 'Subject: x\r\n\r\nx')))
  const { html } = await readSample([{ path: 'a.eml', bytes: Buffer.from(mail) }], 'One')
  expect(html).toContain('Two')
  expect(html).not.toContain('Three')
})
