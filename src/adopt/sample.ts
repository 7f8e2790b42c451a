/** What adopting a signature begins with, and how it fails. */
import { PlainError } from '../server/reasons.ts'

/** A file of a sample. The first one is the signature or the mail, and its name says what it is. */
export type SampleFile = Readonly<{ path: string; bytes: Uint8Array }>

/** The limit of the files of one sample together, and of the files of all samples of one call. */
export const MAX_SAMPLE_BYTES = 20_000_000
/** The longest html that is read, in characters. Word writes many times what is seen, and a mail has a thread. */
export const MAX_SAMPLE_CHARACTERS = 3_000_000

/** A signature as it stands in its sample. */
export type FoundSignature = Readonly<{
  html: string
  /** The contents of pictures, by the address that the html has, or by the path or name of their file. */
  pictures: ReadonlyMap<string, Uint8Array>
  /** Mail addresses that may be its person's, the likeliest first, in lower case. */
  addresses: readonly string[]
  /** As of `ReadText`. */
  isUnclear: boolean
}>

/** Keeps the content of an attachment of a mail, by its content id and by each name that no other one has. */
export function keepAttachment(
  pictures: Map<string, Uint8Array>,
  bytes: Uint8Array,
  id: string,
  names: readonly string[],
): void {
  if (id !== '') pictures.set(`cid:${id.replace(/^<|>$/g, '')}`, bytes)
  for (const name of names) if (name !== '' && !pictures.has(name)) pictures.set(name, bytes)
}

export type NotAdoptedCode =
  /** The content is of no kind that is read, or broken. */
  | 'sample_unreadable'
  | 'sample_too_large'
  /** Reading took more time or memory than it may. */
  | 'sample_too_costly'
  /** A mail without html. */
  | 'sample_without_html'
  /** A mail in which no mail client marked a signature, and no text was given with which it begins. */
  | 'signature_not_found'
  /** The text with which the signature begins is not in the mail. */
  | 'from_not_found'
  /** Nothing is left to see. */
  | 'signature_empty'
  | 'person_unknown'

/** Why no template is made, in a sentence. */
export class NotAdopted extends PlainError {
  readonly code: NotAdoptedCode
  /** The place in the list of the sample that is the reason, from 0; null if it is none alone. */
  readonly sample: number | null

  /** `cause` is the error of a library, if one was the reason. The log has it, the message does not. */
  constructor(code: NotAdoptedCode, message: string, sample: number | null = null, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.sample = sample
  }
}
