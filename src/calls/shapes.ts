/** The pieces of which the calls' schemas are made. What a schema gives cannot be changed. */
import * as v from 'valibot'
import { MAX_FILES } from './paths.ts'

export const shape = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(v.object(entries), v.readonly())
export const list = <const Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item), v.readonly())
export const byName = <const Value extends v.GenericSchema>(value: Value) =>
  v.pipe(v.record(v.string(), value), v.readonly())

const MAX_ID_CHARACTERS = 320
/** The last moment that a Date has. */
const MAX_TIME = 8_640_000_000_000_000

/** Of a person; an address finds one, too. */
export const id = v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_ID_CHARACTERS))
/** The first 32 hex digits of a SHA-256: of a picture's content, of a release, of a plan. */
export const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/))
/** Milliseconds since 1970. */
export const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MAX_TIME))
/** A time in a query. */
export const timeText = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number), time)
/** A yes or no in a query. */
export const flag = v.pipe(
  v.optional(v.picklist(['true', 'false']), 'false'),
  v.transform((value) => value === 'true'),
)
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** What a list goes on after; the `next` of the page before. */
export const after = v.pipe(v.string(), v.maxLength(MAX_ID_CHARACTERS))

/** Bytes as base64, by the hash of the content. */
export const sentPictures = v.pipe(v.record(hash, v.string()), v.maxEntries(MAX_FILES), v.readonly())
export const pictures = byName(shape({ mediaType: v.string(), base64: v.string() }))

/** A finding of a check. Lines and columns count from 1. */
export const finding = {
  file: v.string(),
  line: count,
  column: count,
  level: v.picklist(['error', 'warning']),
  message: v.string(),
}
