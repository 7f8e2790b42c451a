import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64ByteSize, MAX_IMAGE_PIXELS, readRaster } from '../../../streams/html/raster.ts'
import { base64, gif, jpeg, png, webp } from '../../support/pictures.ts'
import { PNG } from '../../support/state.ts'

const FORMATS = [
  ['image/png', png],
  ['image/gif', gif],
  ['image/jpeg', jpeg],
  ['image/webp', webp.lossy],
  ['image/webp', webp.lossless],
  ['image/webp', webp.extended],
] as const

test.each(FORMATS)('[SAFE-6] %s is known by its head, with its size: %#', (type, make) => {
  const side = fc.integer({ min: 1, max: 7_000 })
  fc.assert(
    fc.property(side, side, (width, height) => {
      expect(readRaster(make(width, height))).toEqual({ type, width, height })
    }),
  )
})

test('[SAFE-6] the size of a JPEG is found behind segments of any length', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60_000 }), (before) => {
      expect(readRaster(jpeg(640, 480, before))).toEqual({ type: 'image/jpeg', width: 640, height: 480 })
    }),
  )
})

test('[SAFE-6] the frame of a JPEG has one of thirteen markers, and follows any other segment', () => {
  const NO_FRAME = [0xc4, 0xc8, 0xcc]
  for (let marker = 0x01; marker < 0xff; marker++) {
    const found = readRaster(
      base64(
        // Filling may precede a marker; a segment may be empty but for its length.
        [0xff, 0xd8, 0xff, 0xff, 0xff, 0xe1, 0, 2],
        [0xff, marker, 0, 8, 8, 0, 50, 0, 100, 1],
        [0xff, 0xc0, 0, 8, 8, 1, 0xe0, 2, 0x80, 1],
      ),
    )
    const isFrame = marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.includes(marker)
    const ends = marker === 0xd9 || marker === 0xda
    const [width, height] = isFrame ? [100, 50] : [640, 480]
    expect([marker, found]).toEqual([marker, ends ? null : { type: 'image/jpeg', width, height }])
  }
})

test('[SAFE-6] a JPEG that ends inside its frame has no size', () => {
  const whole = Buffer.from(base64([0xff, 0xd8, 0xff, 0xc0, 0, 8, 8, 0, 50, 0, 100, 1]), 'base64')
  expect(readRaster(whole.toString('base64'))).toMatchObject({ width: 100, height: 50 })
  for (let length = 0; length < whole.length; length++)
    expect(readRaster(whole.subarray(0, length).toString('base64'))).toBeNull()
})

test.each([
  [
    'a JPEG with something else between its segments',
    base64([0xff, 0xd8, 0, 0xc0, 0, 8, 8, 0, 50, 0, 100, 1]),
  ],
  ['a picture of more pixels than can be drawn', png(65_535, 65_535)],
  ['a GIF of more pixels than can be drawn', gif(65_535, 65_535)],
  ['a picture without a width', png(0, 10)],
  ['a PNG that ends after its signature', base64('\x89PNG\r\n\x1a\n')],
  ['a JPEG without a frame', base64([0xff, 0xd8, 0xff, 0xd9])],
  ['a JPEG whose segments have no length', base64([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0, 0, 0, 0])],
  ['SVG', base64('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a web page', base64('<!doctype html><title>Sign in</title>')],
  ['nothing', ''],
  ['a PNG and what would end a style', `${png(1, 1)}");background:url(//evil.example)`],
  ['a PNG and what would end an attribute', `${png(1, 1)}" onerror="alert(1)`],
  ['more than five megabytes', png(1, 1).slice(0, 32) + 'A'.repeat(7_000_000)],
])('[SAFE-6] is no picture: %s', (_, content) => {
  expect(readRaster(content)).toBeNull()
})

test('[SAFE-6] as many pixels as the limit are drawn, one row more are not', () => {
  expect(readRaster(png(10_000, MAX_IMAGE_PIXELS / 10_000))).not.toBeNull()
  expect(readRaster(png(10_000, MAX_IMAGE_PIXELS / 10_000 + 1))).toBeNull()
  expect(readRaster(PNG)).toEqual({ type: 'image/png', width: 1, height: 1 })
})

test('any bytes are read without an error', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FORMATS.map(([, make]) => make(10, 10))),
      fc.uint8Array({ maxLength: 60 }),
      fc.nat(40),
      (picture, bytes, length) => {
        const start = Buffer.from(picture, 'base64').subarray(0, length)
        const content = Buffer.concat([start, bytes]).toString('base64')
        const found = readRaster(content)
        if (found) expect(found.width * found.height).toBeLessThanOrEqual(MAX_IMAGE_PIXELS)
        expect(base64ByteSize(content)).toBe(start.length + bytes.length)
      },
    ),
  )
})
