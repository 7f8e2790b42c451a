import { describe, expect, it } from 'vitest'
import { decodePhoto } from '../../src/service/answers/picture.ts'
import { MAX_EDGE_PX, readPictureFormat } from '../../src/folder/pictureFormats.ts'
import type { DomainError } from '../../src/service/operations/domainError.ts'
import { asPhoto, GIF, JPEG, png, WEBP } from './pictures.ts'

const bytes = (...all: readonly number[]) => Buffer.from(all)
const text = (name: string) => Buffer.from(name, 'latin1')
const joined = (...parts: readonly (Buffer | readonly number[] | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? text(part) : Buffer.from(part))))
const uint16be = (value: number) => bytes(value >> 8, value & 0xff)
const uint16le = (value: number) => bytes(value & 0xff, value >> 8)
const uint32be = (value: number) => joined(uint16be(value >>> 16), uint16be(value & 0xffff))
const uint32le = (value: number) => joined(uint16le(value & 0xffff), uint16le(value >>> 16))
const uint24le = (value: number) => bytes(value & 0xff, (value >> 8) & 0xff, value >> 16)

/** The sizes in a picture; null when it is none. */
const sizesIn = (picture: Buffer) => {
  const found = readPictureFormat(picture)
  return found === null ? null : found.format.sizesIn(picture)?.map(({ width, height }) => [width, height])
}
type Case = readonly [string, Buffer, readonly (readonly [number, number])[] | null]

const PNG_START = bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const pngChunk = (name: string, content: Buffer = Buffer.alloc(0)) =>
  joined(uint32be(content.length), name, content, bytes(0, 0, 0, 0))
const pngHead = (width: number, height: number, more = 5) =>
  joined(uint32be(width), uint32be(height), Buffer.alloc(more))
const DATA = pngChunk('IDAT', Buffer.alloc(3))
const END = pngChunk('IEND')

const pngs: readonly Case[] = [
  ['with its parts', joined(PNG_START, pngChunk('IHDR', pngHead(70_000, 2)), DATA, END), [[70_000, 2]]],
  [
    'with other parts',
    joined(PNG_START, pngChunk('IHDR', pngHead(3, 2)), pngChunk('tEXt', text('IEND')), DATA, DATA, END),
    [[3, 2]],
  ],
  ['without data', joined(PNG_START, pngChunk('IHDR', pngHead(3, 2)), END), null],
  ['without an end', joined(PNG_START, pngChunk('IHDR', pngHead(3, 2)), DATA), null],
  [
    'with content in its end',
    joined(PNG_START, pngChunk('IHDR', pngHead(3, 2)), DATA, pngChunk('IEND', bytes(0))),
    null,
  ],
  [
    'with something after its end',
    joined(PNG_START, pngChunk('IHDR', pngHead(3, 2)), DATA, END, bytes(0)),
    null,
  ],
  [
    'with another start',
    joined(bytes(0x88), PNG_START.subarray(1), pngChunk('IHDR', pngHead(3, 2)), DATA, END),
    null,
  ],
  ['with a header of another length', joined(PNG_START, pngChunk('IHDR', pngHead(3, 2, 6)), DATA, END), null],
  ['with another part first', joined(PNG_START, pngChunk('iHDR', pngHead(3, 2)), DATA, END), null],
]

const segment = (marker: number, content: Buffer = Buffer.alloc(0)) =>
  joined([0xff, marker], uint16be(content.length + 2), content)
const frame = (width: number, height: number, marker = 0xc0) =>
  segment(marker, joined([8], uint16be(height), uint16be(width), [3, 0, 0, 0]))
const START = bytes(0xff, 0xd8)
const FINISH = bytes(0xff, 0xd9)
const scan = (...data: readonly number[]) => joined(segment(0xda, Buffer.alloc(6)), data)
const jpeg = (...parts: readonly Buffer[]) => joined(START, ...parts, FINISH)

const jpegs: readonly Case[] = [
  ['with a frame and a scan', jpeg(frame(700, 300), scan(1, 2)), [[700, 300]]],
  ['with an empty segment', jpeg(segment(0xe0), frame(7, 3), scan()), [[7, 3]]],
  [
    'with tables that are no frames',
    jpeg(...[0xc4, 0xc8, 0xcc].map((each) => frame(1, 1, each)), frame(7, 3), scan()),
    [[7, 3]],
  ],
  [
    'with segments around the frames',
    jpeg(frame(1, 1, 0xbf), frame(1, 1, 0xe0), frame(7, 3), scan()),
    [[7, 3]],
  ],
  ...[0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf].map((marker): Case => [
    `with a frame of kind ${marker.toString(16)}`,
    jpeg(frame(7, 3, marker), scan()),
    [[7, 3]],
  ]),
  ['with the shortest frame', jpeg(segment(0xc0, joined([8], uint16be(3), uint16be(7))), scan()), [[7, 3]]],
  ['with a frame that is too short', jpeg(segment(0xc0, joined([8], uint16be(3), [7])), scan()), null],
  ['with fill bytes', jpeg(bytes(0xff, 0xff), frame(7, 3), bytes(0xff), scan()), [[7, 3]]],
  [
    'with markers without content',
    jpeg(...[0x01, 0xd0, 0xd7].map((each) => bytes(0xff, each)), frame(7, 3), scan()),
    [[7, 3]],
  ],
  [
    'with coded data that looks like markers',
    jpeg(frame(7, 3), scan(0xff, 0x00, 0xff, 0xd0, 0xff, 0xd7, 0xff, 0x01, 0xff, 0xff)),
    [[7, 3]],
  ],
  ['with several scans', jpeg(frame(7, 3), scan(1, 2), segment(0xc4, Buffer.alloc(4)), scan(3)), [[7, 3]]],
  [
    'with a frame after its scan',
    jpeg(frame(7, 3), scan(), frame(9, 8), scan()),
    [
      [7, 3],
      [9, 8],
    ],
  ],
  ['with two frames before its scan', jpeg(frame(7, 3), frame(9, 8), scan()), null],
  ['without a frame', jpeg(scan()), null],
  ['without a scan', jpeg(frame(7, 3)), null],
  ['with a scan before its frame', jpeg(scan(), frame(7, 3)), null],
  ['without an end', joined(START, frame(7, 3), scan(1, 2)), null],
  ['with something after its end', joined(jpeg(frame(7, 3), scan()), [0]), null],
  ['with a marker of zero', jpeg(bytes(0xff, 0x00), frame(7, 3), scan()), null],
  ['with data where a marker belongs', jpeg(bytes(0x01), frame(7, 3), scan()), null],
  ['with a segment shorter than its length', jpeg(bytes(0xff, 0xe0, 0x00, 0x01), frame(7, 3), scan()), null],
  ['with a segment longer than the file', jpeg(frame(7, 3), bytes(0xff, 0xe0, 0xff, 0xff), scan()), null],
  ['that is nothing but its ends', jpeg(), null],
]

const gifStart = (version: string, flags = 0, table: Buffer = Buffer.alloc(0)) =>
  joined(version, uint16le(700), uint16le(300), [flags, 0, 0], table)
const blocks = (...sizes: readonly number[]) =>
  joined(...sizes.map((size) => joined([size], Buffer.alloc(size, 0x3b))), [0])
const gifImage = (flags = 0, table: Buffer = Buffer.alloc(0), ...sizes: readonly number[]) =>
  joined(
    [0x2c],
    uint16le(600),
    uint16le(5),
    uint16le(10),
    uint16le(300),
    [flags],
    table,
    [2],
    blocks(...sizes),
  )
const extension = (...sizes: readonly number[]) => joined([0x21, 0xf9], blocks(...sizes))
const gif = (...parts: readonly Buffer[]) => joined(...parts, [0x3b])
const SCREEN = [700, 300] as const
const IMAGE = [610, 305] as const

const gifs: readonly Case[] = [
  ['of 1987', gif(gifStart('GIF87a'), gifImage()), [SCREEN, IMAGE]],
  ['of 1989', gif(gifStart('GIF89a'), gifImage(0, undefined, 3)), [SCREEN, IMAGE]],
  ['of no version', gif(gifStart('GIF88a'), gifImage()), null],
  [
    'with two images and an extension',
    gif(gifStart('GIF89a'), extension(4, 255), gifImage(), gifImage(0, undefined, 1, 2)),
    [SCREEN, IMAGE, IMAGE],
  ],
  [
    'with colours for all images',
    gif(gifStart('GIF89a', 0x80, Buffer.alloc(6)), gifImage()),
    [SCREEN, IMAGE],
  ],
  ['with all colours', gif(gifStart('GIF89a', 0xf7, Buffer.alloc(768)), gifImage()), [SCREEN, IMAGE]],
  ['with colours that are not said to be there', gif(gifStart('GIF89a', 0x77), gifImage()), [SCREEN, IMAGE]],
  ['with colours of an image', gif(gifStart('GIF89a'), gifImage(0x81, Buffer.alloc(12), 2)), [SCREEN, IMAGE]],
  ['without an image', gif(gifStart('GIF89a'), extension(1)), null],
  ['without an end', joined(gifStart('GIF89a'), gifImage()), null],
  ['with something after its end', joined(gif(gifStart('GIF89a'), gifImage()), [0]), null],
  ['with another block', gif(gifStart('GIF89a'), bytes(0x22, 0xf9, 0), gifImage()), null],
  ['with an image that is cut', joined(gifStart('GIF89a'), gifImage().subarray(0, 9)), null],
]

const webpChunk = (name: string, content: Buffer) =>
  joined(name, uint32le(content.length), content, Buffer.alloc(content.length % 2))
const riff = (name: string, ...chunks: readonly Buffer[]) => {
  const content = joined(name, ...chunks)
  return joined('RIFF', uint32le(content.length), content)
}
const webp = (...chunks: readonly Buffer[]) => riff('WEBP', ...chunks)
const lossy = (width: number, height: number, more = 0, start = [0x9d, 0x01, 0x2a]) =>
  webpChunk('VP8 ', joined([0, 0, 0], start, uint16le(width), uint16le(height), Buffer.alloc(more)))
const lossless = (width: number, height: number, start = 0x2f) =>
  webpChunk('VP8L', joined([start], uint32le((width - 1) | ((height - 1) << 14))))
const extended = (width: number, height: number) =>
  webpChunk('VP8X', joined(Buffer.alloc(4), uint24le(width - 1), uint24le(height - 1)))
const animated = (...chunks: readonly Buffer[]) => webpChunk('ANMF', joined(Buffer.alloc(16), ...chunks))

const webps: readonly Case[] = [
  ['with losses', webp(lossy(700, 300)), [[700, 300]]],
  ['with losses, scaled', webp(lossy(0x4000 | 7, 0xc000 | 3, 1)), [[7, 3]]],
  ['without losses', webp(lossless(16_384, 300)), [[16_384, 300]]],
  [
    'with a header',
    webp(extended(70_000, 300), webpChunk('ICCP', Buffer.alloc(3)), lossy(7, 3)),
    [
      [70_000, 300],
      [7, 3],
    ],
  ],
  [
    'that moves',
    webp(extended(9, 8), animated(lossy(7, 3)), animated(lossless(5, 4))),
    [
      [9, 8],
      [7, 3],
      [5, 4],
    ],
  ],
  ['that moves without images', webp(extended(9, 8), animated()), null],
  ['that moves within what moves', webp(extended(9, 8), animated(animated(lossy(7, 3)))), null],
  [
    'that moves without room for it',
    webp(extended(9, 8), webpChunk('ANMF', Buffer.alloc(15)), lossy(7, 3)),
    null,
  ],
  ['with a header alone', webp(extended(9, 8)), null],
  ['with another part first', webp(webpChunk('ICCP', Buffer.alloc(2)), lossy(7, 3)), null],
  ['that begins with what moves', webp(animated(lossy(7, 3))), null],
  ['with losses in too few bytes', webp(webpChunk('VP8 ', Buffer.alloc(9))), null],
  ['with losses and another start', webp(lossy(7, 3, 0, [0x9d, 0x01, 0x2b])), null],
  ['without losses in too few bytes', webp(webpChunk('VP8L', bytes(0x2f, 0, 0, 0))), null],
  ['without losses and with another start', webp(lossless(7, 3, 0x2e)), null],
  [
    'with a header that is too short',
    webp(webpChunk('VP8X', Buffer.alloc(9)), lossy(7, 3), lossy(7, 3)),
    null,
  ],
  ['with a part longer than the file', webp(lossy(7, 3), joined('ICCP', uint32le(9), Buffer.alloc(2))), null],
  ['with a rest', webp(lossy(7, 3), bytes(0, 0)), null],
  ['with something after its end', joined(webp(lossy(7, 3)), bytes(0, 0)), null],
  ['in another container', joined('RIFX', webp(lossy(7, 3)).subarray(4)), null],
  ['of another kind', riff('WAVE', lossy(7, 3)), null],
]

describe.each([
  ['PNG', 'png', 'image/png', pngs],
  ['JPEG', 'jpg', 'image/jpeg', jpegs],
  ['GIF', 'gif', 'image/gif', gifs],
  ['WebP', 'webp', 'image/webp', webps],
] as const)('a %s', (_, extensionOf, mediaType, cases) => {
  const good = cases.filter(([, , sizes]) => sizes !== null)

  it.each(cases)('%s', (__, picture, sizes) => {
    expect(sizesIn(picture)).toEqual(sizes)
  })

  it('is told by its extension and its media type', () => {
    const formats = good.map(([, picture]) => readPictureFormat(picture)?.format)
    expect(new Set(formats).size).toBe(1)
    expect(formats[0]).toMatchObject({ extension: extensionOf, mediaType })
  })

  it('is none when it is cut anywhere', () => {
    for (const [, picture] of good)
      for (let end = 0; end < picture.length; end += 1)
        expect(readPictureFormat(picture.subarray(0, end))).toBeNull()
  })
})

describe('a picture', () => {
  it.each([
    [1, 1, true],
    [MAX_EDGE_PX, 1, true],
    [1, MAX_EDGE_PX, true],
    [MAX_EDGE_PX + 1, 1, false],
    [1, MAX_EDGE_PX + 1, false],
    [0, 1, false],
    [1, 0, false],
  ])('of %i × %i pixels may be drawn: %s', (width, height, fits) => {
    expect(readPictureFormat(png(width, height))?.fits).toBe(fits)
  })

  it('may be drawn when each of its images may', () => {
    expect(
      readPictureFormat(webp(extended(9, 8), animated(lossy(7, 3)), animated(lossless(5, 4))))?.fits,
    ).toBe(true)
    expect(
      readPictureFormat(webp(extended(9, 8), animated(lossy(7, 3)), animated(lossless(4097, 4))))?.fits,
    ).toBe(false)
  })
})

describe('an upload', () => {
  const invalid = (message: string) =>
    expect.objectContaining({ code: 'photo_invalid', message }) as DomainError
  const limit = 1024 * 1024

  it.each([
    [png(), 'png', 'image/png'],
    [JPEG, 'jpg', 'image/jpeg'],
    [GIF, 'gif', 'image/gif'],
    [WEBP, 'webp', 'image/webp'],
  ])('is a picture by its content: %#', (picture, ending, mediaType) => {
    const decoded = decodePhoto(asPhoto(picture))
    expect([decoded.extension, decoded.mediaType]).toEqual([ending, mediaType])
    expect(decoded.bytes.equals(picture)).toBe(true)
  })

  it('has at most 1 MB', () => {
    const padding = limit - png().length
    expect(decodePhoto(asPhoto(png(1, 1, padding))).bytes).toHaveLength(limit)
    expect(() => decodePhoto(asPhoto(png(1, 1, padding + 1)))).toThrow(
      invalid('The picture is larger than 1 MB.'),
    )
  })

  it.each(['', '====', 'AAA', 'AAAAA', 'AAA!', '-AAA', 'A===', '=AAA', 'AAAA AAA', `${asPhoto(png())}\n`])(
    'is refused when it is no base64: %j',
    (photo) => {
      expect(() => decodePhoto(photo)).toThrow(invalid('The picture is not base64.'))
    },
  )

  it.each([
    [asPhoto(text('text')), 'The picture is not exactly one PNG, JPEG, GIF or WebP.'],
    [asPhoto(png(4097, 1)), 'The picture is empty, or larger than 4096 × 4096 pixels.'],
    [asPhoto(png(0, 1)), 'The picture is empty, or larger than 4096 × 4096 pixels.'],
  ])('says what is wrong with it: %#', (photo, message) => {
    expect(() => decodePhoto(photo)).toThrow(invalid(message))
  })
})
