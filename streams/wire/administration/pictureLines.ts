/**
 * Streams responses with many pictures line by line. A response is one JSON object, whose last field has one line for
 * each picture, so both sides keep only one picture in memory.
 */
import { type ExportAnswer, exportAnswer } from './publishing.ts'
import { type PlannedPicture, picturesByHash } from './shapes.ts'

/**
 * The first line of a response with pictures.
 *
 * @param head the other fields of the response, at least one
 */
export const headLine = (head: object): string => `${JSON.stringify(head).slice(0, -1)},"pictures":{\n`

/** The line of a picture. */
export const pictureLine = (hash: string, picture: PlannedPicture, isFirst: boolean): string =>
  `${isFirst ? '' : ','}${JSON.stringify(hash)}:${JSON.stringify(picture)}\n`

/** The last line. A response without it is incomplete. */
export const LAST_LINE = '}}'

/** A line of an export. Earlier services send a single line with all pictures, which is both first and last. */
export type ExportLine = Readonly<{
  first: ExportAnswer | null
  pictures: ExportAnswer['pictures']
  isLast: boolean
}>

/**
 * Reads one line of an export.
 *
 * @throws SyntaxError or Failed, for a line from another kind of response
 */
export function readExportLine(line: string, isFirst: boolean): ExportLine {
  if (isFirst) {
    const isLast = line.endsWith(LAST_LINE)
    const first = exportAnswer.read(JSON.parse(isLast ? line : line + LAST_LINE), '')
    return { first, pictures: first.pictures, isLast }
  }
  if (line === LAST_LINE) return { first: null, pictures: {}, isLast: true }
  const read = picturesByHash.read(JSON.parse(`{${line.replace(/^,/, '')}}`), '')
  return { first: null, pictures: read, isLast: false }
}
