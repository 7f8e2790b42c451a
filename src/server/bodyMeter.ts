/**
 * Counts the values and nesting levels of a JSON body as it arrives, so that a costly body is rejected before parsing.
 */
import { Transform, type TransformCallback } from 'node:stream'

/** The nesting limit of objects and lists, because deeper nesting would exhaust the stack. */
export const MAX_BODY_DEPTH = 32
/**
 * The limit of values in a body: texts, numbers, objects and lists. The largest signature folder has fewer. Parsing
 * more values would delay all other requests in this process.
 */
export const MAX_BODY_VALUES = 250_000

/** Thrown when a body exceeds a limit. The message is for the client. */
export class BodyTooCostly extends Error {}

const [QUOTE, BACKSLASH, COMMA, SPACE] = [0x22, 0x5c, 0x2c, 0x20]
const OPENS: ReadonlySet<number> = new Set([0x7b, 0x5b])
const CLOSES: ReadonlySet<number> = new Set([0x7d, 0x5d])

/**
 * Returns a function that meters the bytes of a body, in pieces of any length. It ignores malformed JSON, because the
 * parser rejects it later.
 *
 * @throws CostlyBody at the first value that exceeds a limit
 */
export function createBodyMeter(): (piece: Uint8Array) => void {
  let [depth, values] = [0, 1]
  let [isText, isEscaped, isEmpty] = [false, false, false]
  return (piece) => {
    // Inside a JSON string, skip to the next quote or backslash: with pictures, most of the body is strings. Each
    // search resumes where the last one ended, so a piece is scanned at most once for quotes and once for backslashes.
    const next = (byte: number, from: number, last: number): number => {
      if (last >= from) return last
      const found = piece.indexOf(byte, from)
      return found < 0 ? piece.length : found
    }
    let [quote, backslash] = [-1, -1]
    for (let at = 0; at < piece.length; at += 1) {
      if (isText) {
        if (isEscaped) {
          isEscaped = false
          continue
        }
        quote = next(QUOTE, at, quote)
        backslash = next(BACKSLASH, at, backslash)
        at = Math.min(quote, backslash)
        if (at === piece.length) return
        if (at === quote) isText = false
        else isEscaped = true
        continue
      }
      const byte = piece[at] ?? SPACE
      if (byte <= SPACE) continue
      if (CLOSES.has(byte)) depth -= 1
      else if (isEmpty || byte === COMMA) values += 1
      isEmpty = OPENS.has(byte)
      if (isEmpty) depth += 1
      isText = byte === QUOTE
      if (depth > MAX_BODY_DEPTH)
        throw new BodyTooCostly(`The body is nested deeper than ${MAX_BODY_DEPTH} levels.`)
      if (values > MAX_BODY_VALUES)
        throw new BodyTooCostly(`The body has more than ${MAX_BODY_VALUES} values.`)
    }
  }
}

/** Passes a body on unchanged, and fails with `BodyTooCostly` when the body exceeds a limit. */
export function createMeteringStream(): Transform {
  const meter = createBodyMeter()
  return new Transform({
    transform(piece: Uint8Array, _: BufferEncoding, done: TransformCallback) {
      try {
        meter(piece)
        done(null, piece)
      } catch (error) {
        done(error as Error)
      }
    },
  })
}
