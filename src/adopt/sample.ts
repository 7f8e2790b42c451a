/** The input for adopting a signature, and its errors. */
import { PlainError } from '../server/reasons.ts'

/** A file of a sample. The first file is the signature or the mail, and its extension gives its type. */
export type SampleFile = Readonly<{ path: string; bytes: Uint8Array }>

/** The size limit in bytes for the files of one sample together, and for all samples of one call. */
export const MAX_SAMPLE_BYTES = 20_000_000
/** The length limit of html, in characters. Word writes many times the visible text, and a mail includes its thread. */
export const MAX_SAMPLE_CHARACTERS = 3_000_000

/** Looks for the files of pictures by the pictures' addresses. The files have at most `limit` bytes together. */
export type FindFiles = (addresses: readonly string[], limit: number) => Promise<readonly SampleFile[]>

/** A signature as found in its sample. */
export type FoundSignature = Readonly<{
  html: string
  /** The contents of pictures, by their address in the html, or by the path or name of their file. */
  pictures: ReadonlyMap<string, Uint8Array>
  /** The files that were given besides the signature. They are among the pictures, too. */
  given: readonly SampleFile[]
  /** Mail addresses that may belong to the signature's person, the likeliest first, in lower case. */
  addresses: readonly string[]
  /** As in `DecodedHtml`. */
  isUnclear: boolean
}>

/** A signature as found in its own file, without other files. */
export type FoundInFile = Omit<FoundSignature, 'given'>

/** Records the content of an attachment under its content id, and under each of its names that is still free. */
export function addAttachment(
  pictures: Map<string, Uint8Array>,
  bytes: Uint8Array,
  id: string,
  names: readonly string[],
): void {
  if (id !== '') pictures.set(`cid:${id.replace(/^<|>$/g, '')}`, bytes)
  for (const name of names) if (name !== '' && !pictures.has(name)) pictures.set(name, bytes)
}

export type NotAdoptedCode =
  /** The content is damaged, or has an unsupported type. */
  | 'sample_unreadable'
  | 'sample_too_large'
  /** Reading exceeded the limit for time or memory. */
  | 'sample_too_costly'
  /** A mail without html. */
  | 'sample_without_html'
  /** No mail client marked a signature in the mail, and the user gave no text that it begins with. */
  | 'signature_not_found'
  /** The text that the signature should begin with is not in the mail. */
  | 'from_not_found'
  /** Nothing visible is left after cleaning. */
  | 'signature_empty'
  | 'person_unknown'

/** Thrown when no template can be made. The message gives the reason in a sentence. */
export class NotAdopted extends PlainError {
  readonly code: NotAdoptedCode
  /** The index of the sample that caused the error, from 0; null if no single sample did. */
  readonly sample: number | null

  /** @param cause the error of a library, which goes to the log but not into the message */
  constructor(code: NotAdoptedCode, message: string, sample: number | null = null, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.sample = sample
  }
}
