/** Splits the pictures of a draft for several requests to the service. */

/** The content of pictures in base64, by the hash of the content. */
export type SentPictures = Readonly<Record<string, string>>

/** The limit of one request, in characters of base64: the service takes 20 MB. */
const MAX_SENT_CHARACTERS = 8_000_000

/** The pictures in parts of at most `MAX_SENT_CHARACTERS`. A larger picture is a part of its own. */
export function splitIntoUploads(pictures: SentPictures): readonly SentPictures[] {
  const parts: Record<string, string>[] = []
  let room = 0
  for (const [hash, content] of Object.entries(pictures)) {
    const part = content.length <= room ? parts.at(-1) : undefined
    if (part) part[hash] = content
    else {
      parts.push({ [hash]: content })
      room = MAX_SENT_CHARACTERS
    }
    room -= content.length
  }
  return parts
}
