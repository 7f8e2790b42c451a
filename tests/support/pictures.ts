// Picture headers, byte by byte. A viewer needs no more to read a file's type and size.

const big = (value: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(value / 256 ** (count - 1 - index)) % 256)
const little = (value: number, count: number): readonly number[] => big(value, count).toReversed()
const text = (written: string): readonly number[] => Array.from(written, (char) => char.charCodeAt(0))

export const base64 = (...parts: readonly (readonly number[] | string)[]): string =>
  Buffer.from(parts.flatMap((part) => (typeof part === 'string' ? text(part) : part))).toString('base64')

export const png = (width: number, height: number): string =>
  base64('\x89PNG\r\n\x1a\n', big(13, 4), 'IHDR', big(width, 4), big(height, 4), [8, 6, 0, 0, 0])

export const gif = (width: number, height: number): string =>
  base64('GIF89a', little(width, 2), little(height, 2), [0, 0, 0])

/** A JPEG with a segment of `before` bytes before the frame header, as cameras write them. */
export const jpeg = (width: number, height: number, before = 14): string =>
  base64(
    [0xff, 0xd8, 0xff, 0xe0, ...big(before + 2, 2)],
    Array.from({ length: before }, () => 0),
    [0xff, 0xc2, 0, 17, 8, ...big(height, 2), ...big(width, 2), 3, 0, 0, 0, 0, 0, 0, 0],
  )

export const webp = {
  lossy: (width: number, height: number): string =>
    base64(
      'RIFF',
      little(100, 4),
      'WEBPVP8 ',
      little(80, 4),
      [0, 0, 0, 0x9d, 1, 0x2a],
      little(width, 2),
      little(height, 2),
    ),
  lossless: (width: number, height: number): string =>
    base64(
      'RIFF',
      little(100, 4),
      'WEBPVP8L',
      little(80, 4),
      [0x2f],
      little(width - 1 + (height - 1) * 0x4000, 4),
    ),
  extended: (width: number, height: number): string =>
    base64(
      'RIFF',
      little(100, 4),
      'WEBPVP8X',
      little(10, 4),
      [0, 0, 0, 0],
      little(width - 1, 3),
      little(height - 1, 3),
    ),
}
