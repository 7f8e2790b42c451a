/** A mail that is complete except for its recipient. */
export type PreparedMail = Readonly<{ subject: string; body: string }>

/** Chrome and Edge on Windows do not open mail addresses longer than 2,046 characters. */
const MAX_CHARACTERS = 2_000
/** The longest subject, in encoded characters. */
const MAX_SUBJECT_CHARACTERS = 600

const CUT = '…'

/** Encodes a text for a `mailto:` address, with line breaks as RFC 6068, section 5, requires. */
const encode = (text: string): string => encodeURIComponent(text).replaceAll('%0A', '%0D%0A')

/** The encoded text. A text that does not fit is cut, with an ellipsis. */
function fitted(text: string, room: number): string {
  // Half a surrogate pair cannot be encoded, so it is replaced.
  const whole = text.replace(/\r\n?/g, '\n').replace(/\p{Surrogate}/gu, '\uFFFD')
  const encoded = encode(whole)
  if (encoded.length <= room) return encoded
  let [kept, left] = ['', room - encode(CUT).length]
  for (const character of whole) {
    const next = encode(character)
    left -= next.length
    if (left < 0) break
    kept += next
  }
  return kept + encode(CUT)
}

/**
 * The `mailto:` address that opens a mail with subject and body in the mail program, at most 2,000 characters long. The
 * subject becomes one line. Text that does not fit is cut, with an ellipsis.
 */
export function mailtoAddress({ subject, body }: PreparedMail): string {
  const start = `mailto:?subject=${fitted(subject.replace(/\s+/g, ' ').trim(), MAX_SUBJECT_CHARACTERS)}&body=`
  return start + fitted(body, MAX_CHARACTERS - start.length)
}
