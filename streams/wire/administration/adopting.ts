/** Request of the call that turns an existing signature into a template. The answer is `adopted`. */
import { listUpTo, textUpTo } from '../../kernel/limits.ts'
import { list, nullable, object, type OutOf, text } from '../../kernel/schema.ts'
import { variable } from '../../organisation/release/release.ts'

/** How many samples are compared at most, and how many files come with one. */
export const MAX_SAMPLES = 20
export const MAX_SAMPLE_FILES = 200
const MAX_SAMPLE_PATH = 1000
const MAX_ADDRESS = 320

const sampleFile = object({ path: textUpTo(MAX_SAMPLE_PATH, 1), base64: text })

/** The first file is the signature or the mail, and the others are what it names. A paste is a file `paste.html`. */
const sentSample = object({
  files: listUpTo(sampleFile, MAX_SAMPLE_FILES, 1),
  /** The address of the person whose signature it is; null to look for one in the sample. */
  person: nullable(textUpTo(MAX_ADDRESS)),
})

export const adoptWanted = object({
  samples: listUpTo(sentSample, MAX_SAMPLES, 1),
  /** A text with which the signature of a mail begins; null to find it by the marks of mail clients. */
  from: nullable(textUpTo(MAX_SAMPLE_PATH)),
  /** The variables of the draft. */
  variables: list(variable),
})
export type AdoptWanted = OutOf<typeof adoptWanted>
