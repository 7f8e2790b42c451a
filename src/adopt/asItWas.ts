/**
 * Embeds the pictures in a signature before cleaning, so that it can be drawn. It is drawn where nothing runs and
 * nothing loads.
 */
import { tokensOf } from '../../streams/html/tokens.ts'
import { createPictureFinder, pictureAddressesIn } from './pictureFiles.ts'
import { pictureAddressIn } from './pictures.ts'
import type { FoundSignature } from './sample.ts'

/** The picture formats that browsers draw, by their first bytes in hex. */
const MEDIA_TYPES: readonly (readonly [start: string, type: string])[] = [
  ['89504e47', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
  ['52494646', 'image/webp'],
]

const URL_OF_STYLE = /(\burl\(\s*(?:["']|&quot;|&#39;)?)([^"'()&]{1,500})/gi

/**
 * The maximum length that pictures may add to the html, in characters. Without it, a few bytes of html could show a
 * file thousands of times.
 */
export const MAX_PICTURE_CHARACTERS = 10_000_000

function dataOf(bytes: Uint8Array): string | null {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const type = MEDIA_TYPES.find(([start]) => content.subarray(0, start.length / 2).toString('hex') === start)
  return type === undefined ? null : `data:${type[1]};base64,${content.toString('base64')}`
}

/** The html with its pictures embedded in attributes and styles; null if they exceed `MAX_TOTAL_PICTURE_CHARACTERS`. */
export function withEmbeddedPictures({
  html,
  pictures,
}: Pick<FoundSignature, 'html' | 'pictures'>): string | null {
  const { find } = createPictureFinder(pictures, pictureAddressesIn(html))
  /** The data address of each file, encoded only once; null for another format. */
  const texts = new Map<Uint8Array, string | null>()
  let room = MAX_PICTURE_CHARACTERS
  const dataAt = (given: string): string | null => {
    const address = pictureAddressIn(given)
    const bytes = pictures.get(address.replace(/^http:/i, 'https:')) ?? find(address)
    if (bytes === undefined || address === '' || room < 0) return null
    let text = texts.get(bytes)
    if (text === undefined) texts.set(bytes, (text = dataOf(bytes)))
    room -= text?.length ?? 0
    return room < 0 ? null : text
  }
  const parts: string[] = []
  let end = 0
  for (const token of tokensOf(html)) {
    if (room < 0) return null
    if (token.kind !== 'open') continue
    for (const { name, value, valueStart } of token.attributes) {
      const written =
        name === 'src' || name === 'background'
          ? (dataAt(value) ?? value)
          : name === 'style'
            ? value.replace(URL_OF_STYLE, (whole, start: string, address: string) => {
                const data = dataAt(address)
                return data === null ? whole : `${start}${data}`
              })
            : value
      if (written === value) continue
      parts.push(html.slice(end, valueStart), written)
      end = valueStart + value.length
    }
  }
  return room < 0 ? null : parts.join('') + html.slice(end)
}
