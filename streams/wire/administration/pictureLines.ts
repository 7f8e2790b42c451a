/**
 * Streams responses with any number of pictures as lines. A response is ordinary JSON, with one line for each picture
 * in its last field. So both sides keep only one picture in memory.
 */
import { type Exported, exported } from './publishing.ts'
import { type PlannedPicture, pictures } from './shapes.ts'

/**
 * The first line.
 *
 * @param head the response's fields before its pictures, one or more
 */
export const headLine = (head: object): string => `${JSON.stringify(head).slice(0, -1)},"pictures":{\n`

/** The line of a picture. */
export const pictureLine = (hash: string, picture: PlannedPicture, isFirst: boolean): string =>
  `${isFirst ? '' : ','}${JSON.stringify(hash)}:${JSON.stringify(picture)}\n`

/** The last line. A response without it is incomplete. */
export const LAST_LINE = '}}'

/** A line of an export. Earlier services send a single line with all pictures, which is both first and last. */
export type ExportLine = Readonly<{ first: Exported | null; pictures: Exported['pictures']; isLast: boolean }>

/** @throws SyntaxError, or a schema error, for a line from another response */
export function readExportLine(line: string, isFirst: boolean): ExportLine {
  if (isFirst) {
    const isLast = line.endsWith(LAST_LINE)
    const first = exported.read(JSON.parse(isLast ? line : line + LAST_LINE), '')
    return { first, pictures: first.pictures, isLast }
  }
  if (line === LAST_LINE) return { first: null, pictures: {}, isLast: true }
  const read = pictures.read(JSON.parse(`{${line.replace(/^,/, '')}}`), '')
  return { first: null, pictures: read, isLast: false }
}
