/** The request for turning an existing signature into a template. The response is `adopted`. */
import { listUpTo, textUpTo } from '../../kernel/limits.ts'
import { list, nullable, object, type OutOf, text } from '../../kernel/schema.ts'
import { variable } from '../../organisation/release/release.ts'

/** The maximum number of samples to compare, and of files in one sample. */
export const MAX_SAMPLES = 20
export const MAX_SAMPLE_FILES = 200
const MAX_SAMPLE_PATH = 1000
const MAX_ADDRESS = 320

const sampleFile = object({ path: textUpTo(MAX_SAMPLE_PATH, 1), base64: text })

/**
 * The first file is the signature or the mail; the others are files that it refers to. Pasted html is a file
 * `paste.html`.
 */
const sentSample = object({
  files: listUpTo(sampleFile, MAX_SAMPLE_FILES, 1),
  /** The address of the signature's owner; null to look for one in the sample. */
  person: nullable(textUpTo(MAX_ADDRESS)),
})

export const adoptRequest = object({
  samples: listUpTo(sentSample, MAX_SAMPLES, 1),
  /** The text at the start of the signature in a mail; null to find the signature by the marks of mail clients. */
  from: nullable(textUpTo(MAX_SAMPLE_PATH)),
  /** The draft's variables. */
  variables: list(variable),
})
export type AdoptRequest = OutOf<typeof adoptRequest>
