/** Embeds pictures in html, so that it works without the service. */
import { LINKED_FOLDER } from '../../streams/html/content.ts'
import { qrPicture, qrTextAt } from '../values/qrCode.ts'

export type PicturesByHash = ReadonlyMap<string, Readonly<{ mediaType: string; bytes: Uint8Array }>>

/** A made-up base address of pictures, for use without a service. */
export const PICTURES_BASE_ADDRESS = 'https://pictures.invalid/images'

const HASH_LENGTH = 32
const LINKED = `${LINKED_FOLDER}/`
const ADDRESS_END = /["'\s)<>&]/g

/**
 * Replaces every address `<prefix>/<hash>/<name>` or `<prefix>/linked/<hash>/<name>` of a known picture, and of a QR code,
 * with its data.
 */
export function embedPictures(html: string, prefix: string, pictures: PicturesByHash): string {
  const start = `${prefix}/`
  const pieces: string[] = []
  let end = 0
  for (let at = html.indexOf(start); at >= 0; at = html.indexOf(start, end)) {
    const hashAt = at + start.length
    ADDRESS_END.lastIndex = hashAt
    const addressEnd = ADDRESS_END.exec(html)?.index ?? html.length
    const path = html.slice(hashAt, addressEnd)
    const from = path.startsWith(LINKED) ? LINKED.length : 0
    const picture = pictures.get(path.slice(from, from + HASH_LENGTH)) ?? codeAt(path)
    pieces.push(html.slice(end, at), picture ? dataAddress(picture) : html.slice(at, addressEnd))
    end = addressEnd
  }
  return pieces.join('') + html.slice(end)
}

/** The picture of a QR code at a path. Seals are not checked here, because nothing is served. */
function codeAt(path: string) {
  const text = qrTextAt(path, () => true)
  return text === null ? null : { mediaType: 'image/png', bytes: qrPicture(text) }
}

const dataAddress = ({ mediaType, bytes }: Readonly<{ mediaType: string; bytes: Uint8Array }>): string =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`
