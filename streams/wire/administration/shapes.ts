/** Shared parts of the calls' schemas. */
import { MAX_FOLDER_FILES } from '../../organisation/release/paths.ts'
import { count, integerText, MAX_TIME, textMatching, recordUpTo, textUpTo } from '../../kernel/limits.ts'
import { object, oneOf, record, text, type OutOf } from '../../kernel/schema.ts'

const MAX_ID_CHARACTERS = 320

/** A person's id or address. */
export const personKey = textUpTo(MAX_ID_CHARACTERS, 1)
/** The first 32 hex digits of the SHA-256 of a picture's content, a release or a plan. */
export const hash = textMatching(/^[0-9a-f]{32}$/, '32 hexadecimal digits')
/** A time in a query. */
export const timeText = integerText(0, MAX_TIME)
/** The start of a page: the `next` of the previous page. */
export const pageStart = textUpTo(MAX_ID_CHARACTERS)

/** The contents of pictures as base64, by content hash. */
export const pictureContents = recordUpTo(text, MAX_FOLDER_FILES, hash)
const picture = object({ mediaType: text, base64: text })
export type PlannedPicture = OutOf<typeof picture>
export const picturesByHash = record(picture)

/** A finding from a check. Lines and columns count from 1. */
export const findingFields = {
  file: text,
  line: count,
  column: count,
  level: oneOf('error', 'warning'),
  message: text,
}
