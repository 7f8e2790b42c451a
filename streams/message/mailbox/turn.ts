/** The number of a message from 0 to just below 100, by which blocks share messages. */
import { placeOf } from '../../html/hash.ts'

/** The session data key of the number. All runtimes of an item use the same number. */
export const TURN_KEY = 'lsi_turn'

/** Draws a number for an item. A runtime always draws the same number for an item. */
export const drawnTurn = (runtimeId: string, itemKey: string): number => placeOf(`${runtimeId} ${itemKey}`)

/** Parses the number in the session data; null for any other text. */
export const parseTurn = (text: string | null | undefined): number | null =>
  /^\d{1,2}(?:\.\d{1,2})?$/.test(text ?? '') ? Number(text) : null
