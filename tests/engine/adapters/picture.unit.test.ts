import fc from 'fast-check'
import { firstValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createPictures, type PictureTools } from '../../../src/engine/adapters/picture.ts'
import { type Crop, middleCrop } from '../../../streams/pane/picture/crop.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import {
  MAX_PICTURE_FILE_BYTES,
  MAX_SENT_PICTURE_BYTES,
  pictureTypeOf,
  parseBase64,
} from '../../../streams/pane/picture/rules.ts'

const heads = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff, 0xe0],
  'image/gif': Array.from('GIF89a', (char) => char.charCodeAt(0)),
  'image/webp': Array.from('RIFF....WEBP', (char) => char.charCodeAt(0)),
} as const
const fileOf = (head: readonly number[], size = 64, name = 'picture.png'): File =>
  new File([new Uint8Array([...head, ...new Uint8Array(Math.max(0, size - head.length))])], name)

/** A browser's canvas that records its drawings; `bytes` is the size of the picture in each type. */
function fakeDrawing(width: number, height: number, bytes: (type: string) => number = () => 1000) {
  const drawn: unknown[][] = []
  const decoded: string[] = []
  let closed = 0
  const made: PictureTools = {
    decode(file) {
      decoded.push(file.type)
      if (width < 0) return Promise.reject(new Error('broken'))
      return Promise.resolve({ image: {}, width, height, close: () => (closed += 1) } as never)
    },
    createCanvas: ({ width, height }) =>
      ({
        getContext: () => ({
          drawImage: (...[, ...where]: unknown[]) => drawn.push(where),
          fillRect: () => drawn.push(['white', width, height]),
        }),
        toDataURL: (type: string) => `data:${type};base64,${'A'.repeat(Math.ceil((bytes(type) * 4) / 3))}`,
      }) as never,
  }
  return { made, drawn, decoded, closed: () => closed }
}
const openFile = (file: unknown, { made }: ReturnType<typeof fakeDrawing>) =>
  firstValueFrom(createPictures(made).open(createHandle(file)))
const cropFile = (
  file: unknown,
  { made }: ReturnType<typeof fakeDrawing>,
  crop: Crop = { x: 0, y: 0, size: 1 },
) => firstValueFrom(createPictures(made).crop(createHandle(file), crop))

describe('createPictures', () => {
  it.each(Object.entries(heads))(
    '[PROF-5] recognises %s by its first bytes, not by its name',
    async (type, head) => {
      const { made, decoded, drawn, closed } = fakeDrawing(800, 600)
      const prepared = await cropFile(fileOf(head, 64, 'notes.txt'), { made, decoded, drawn, closed })
      expect(decoded).toEqual([type])
      expect(prepared).toMatchObject({ edge: 512, type: type === 'image/jpeg' ? 'image/jpeg' : 'image/png' })
      expect(closed()).toBe(1)
    },
  )

  it('[PROF-5] refuses a file of another type before decoding it', async () => {
    for (const text of ['<svg xmlns="x"/>', 'BM......', '%PDF-1.7', 'RIFF....WAVE', 'GIF87', '']) {
      const browser = fakeDrawing(1, 1)
      const refusal = await openFile(new File([text], 'picture.png', { type: 'image/png' }), browser)
      expect(refusal).toEqual({ reason: text === '' ? 'empty' : 'type' })
      expect(browser.decoded).toEqual([])
    }
  })

  it('[PROF-5] refuses a file that is too large or unreadable', async () => {
    const large = { size: MAX_PICTURE_FILE_BYTES + 1 }
    const file = Object.defineProperty(fileOf(heads['image/png']), 'size', { value: large.size })
    expect(await cropFile(file, fakeDrawing(1, 1))).toEqual({ reason: 'size', limit: MAX_PICTURE_FILE_BYTES })
    expect(await cropFile(fileOf(heads['image/png']), fakeDrawing(-1, 0))).toEqual({ reason: 'unreadable' })
    expect(await cropFile('a path', fakeDrawing(1, 1))).toEqual({ reason: 'unreadable' })
  })

  it('[PROF-5] draws the chosen square, at most 512 pixels wide, and enlarges nothing', async () => {
    const png = fileOf(heads['image/png'])
    const wide = fakeDrawing(1000, 600)
    await cropFile(png, wide, middleCrop({ width: 1000, height: 600 }))
    await cropFile(png, wide, { x: 0.5, y: 0.25, size: 0.5 })
    expect(wide.drawn).toEqual([
      [200, 0, 600, 600, 0, 0, 512, 512],
      [300, 150, 300, 300, 0, 0, 300, 300],
    ])
    const small = fakeDrawing(30, 80)
    const middle = middleCrop({ width: 30, height: 80 })
    expect(await cropFile(png, small, middle)).toMatchObject({ edge: 30 })
    expect(small.drawn).toEqual([[0, 25, 30, 30, 0, 0, 30, 30]])
    expect(await cropFile(png, fakeDrawing(0, 80))).toEqual({ reason: 'empty' })
  })

  it('[PROF-5] opens a picture whole, small enough to be shown', async () => {
    const png = fileOf(heads['image/png'])
    const large = fakeDrawing(3000, 1500)
    expect(await openFile(png, large)).toMatchObject({ width: 768, height: 384 })
    expect(large.drawn).toEqual([[0, 0, 3000, 1500, 0, 0, 768, 384]])
    expect(large.closed()).toBe(1)
    expect(await openFile(png, fakeDrawing(20, 10))).toMatchObject({ width: 20, height: 10 })
    expect(await openFile(png, fakeDrawing(5000, 1))).toMatchObject({ width: 768, height: 1 })
    expect(await openFile(png, fakeDrawing(20, 0))).toEqual({ reason: 'empty' })
  })

  it('converts a picture that is too large for the service to a JPEG on white', async () => {
    const noisy = fakeDrawing(600, 600, (type) => (type === 'image/png' ? MAX_SENT_PICTURE_BYTES + 10 : 5000))
    const prepared = await cropFile(fileOf(heads['image/png']), noisy)
    expect(prepared).toMatchObject({ type: 'image/jpeg' })
    expect(noisy.drawn).toContainEqual(['white', 512, 512])
    expect(
      await cropFile(
        fileOf(heads['image/jpeg']),
        fakeDrawing(9, 9, () => MAX_SENT_PICTURE_BYTES + 10),
      ),
    ).toEqual({
      reason: 'size',
      limit: MAX_SENT_PICTURE_BYTES,
    })
  })

  it('[PROF-4] gives base64 without the prefix, and null for an empty picture', () => {
    expect(parseBase64('data:image/png;base64,aGk=')).toBe('aGk=')
    expect(parseBase64('aGk=')).toBe('aGk=')
    for (const empty of ['', ' ', 'data:image/png;base64,', 'data:,', 'data:image/png;base64', 'not base64!'])
      expect(parseBase64(empty)).toBeNull()
    fc.assert(
      fc.property(fc.string(), (value) => {
        const base64 = parseBase64(value)
        if (base64 !== null) expect(base64).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
      }),
    )
  })

  it('recognises no type in fewer than three bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const type = pictureTypeOf(bytes)
        if (type !== null) expect(bytes.length).toBeGreaterThanOrEqual(3)
      }),
    )
  })
})
