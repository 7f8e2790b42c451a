/**
 * Answers with any number of pictures, as lines: JSON like any answer, whose last field has a line for each picture. So
 * neither side has more than one picture in memory.
 */
import { type Exported, exported } from './publishing.ts'
import { type PlannedPicture, pictures } from './shapes.ts'

/** The first line. @param head the fields of the answer before its pictures, at least one */
export const headLine = (head: object): string => `${JSON.stringify(head).slice(0, -1)},"pictures":{\n`

/** The line of a picture. */
export const pictureLine = (hash: string, picture: PlannedPicture, isFirst: boolean): string =>
  `${isFirst ? '' : ','}${JSON.stringify(hash)}:${JSON.stringify(picture)}\n`

/** The last line. An answer without it is not complete. */
export const LAST_LINE = '}}'

/** A line of an export. An earlier service sends one line, which is first and last, with all pictures. */
export type ExportLine = Readonly<{ first: Exported | null; pictures: Exported['pictures']; isLast: boolean }>

/** @throws SyntaxError, or an error of the schema, for a line of another answer */
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
