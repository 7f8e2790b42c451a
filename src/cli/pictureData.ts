/** Embeds pictures in html, so that it needs no service. */

export type PicturesByHash = ReadonlyMap<string, Readonly<{ mediaType: string; bytes: Uint8Array }>>

const HASH_LENGTH = 32
const ADDRESS_END = /["'\s)<>&]/g

/** Replaces every address `<prefix>/<hash>/<name>` of a known picture by its data. */
export function withPictures(html: string, prefix: string, pictures: PicturesByHash): string {
  const start = `${prefix}/`
  const pieces: string[] = []
  let end = 0
  for (let at = html.indexOf(start); at >= 0; at = html.indexOf(start, end)) {
    const hashAt = at + start.length
    const picture = pictures.get(html.slice(hashAt, hashAt + HASH_LENGTH))
    ADDRESS_END.lastIndex = hashAt
    const addressEnd = ADDRESS_END.exec(html)?.index ?? html.length
    pieces.push(html.slice(end, at), picture ? dataAddress(picture) : html.slice(at, addressEnd))
    end = addressEnd
  }
  return pieces.join('') + html.slice(end)
}

const dataAddress = ({ mediaType, bytes }: Readonly<{ mediaType: string; bytes: Uint8Array }>): string =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`
