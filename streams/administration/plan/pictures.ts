/** The pictures of a draft on their way to the service. */

/** Pictures by the hash of their content, in base64. */
export type SentPictures = Readonly<Record<string, string>>

/** One request must not become too large: the service takes 20 MB. In characters of base64. */
const MAX_SENT_CHARACTERS = 8_000_000

/** Parts of at most that size, each with one picture at least. */
export function inParts(pictures: SentPictures): readonly SentPictures[] {
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
