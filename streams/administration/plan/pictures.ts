/** Splits a draft's pictures into uploads, because the service limits the size of a request. */

/** Pictures in base64, by content hash. */
export type PictureUpload = Readonly<Record<string, string>>

/** The limit of one request, in base64 characters: the service accepts 20 MB. */
const MAX_SENT_CHARACTERS = 8_000_000

/** Splits the pictures into uploads of at most `MAX_SENT_CHARACTERS`. A larger picture is an upload by itself. */
export function splitIntoUploads(pictures: PictureUpload): readonly PictureUpload[] {
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
