/** Shared parts of the calls' schemas. */
import { MAX_FILES } from '../../organisation/release/paths.ts'
import { count, integerText, MAX_TIME, matching, recordUpTo, textUpTo } from '../../kernel/limits.ts'
import { object, oneOf, record, text, type OutOf } from '../../kernel/schema.ts'

const MAX_ID_CHARACTERS = 320

/** A person's id or address. */
export const id = textUpTo(MAX_ID_CHARACTERS, 1)
/** The first 32 hex digits of the SHA-256 of a picture's content, a release or a plan. */
export const hash = matching(/^[0-9a-f]{32}$/, '32 hexadecimal digits')
/** A time in a query. */
export const timeText = integerText(0, MAX_TIME)
/** The start of a page: the `next` of the previous page. */
export const after = textUpTo(MAX_ID_CHARACTERS)

/** The contents of pictures as base64, by content hash. */
export const sentPictures = recordUpTo(text, MAX_FILES, hash)
const picture = object({ mediaType: text, base64: text })
export type PlannedPicture = OutOf<typeof picture>
export const pictures = record(picture)

/** A finding from a check. Lines and columns count from 1. */
export const finding = {
  file: text,
  line: count,
  column: count,
  level: oneOf('error', 'warning'),
  message: text,
}
