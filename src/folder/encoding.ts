/** Decodes UTF-8, and recognises other encodings that Windows spreadsheets and editors write. */
import { decodeWithEncoding } from '../values/encoding.ts'
import { decodeTable } from '../values/tableText.ts'
import {
  createLocator,
  type Finding,
  type Place,
  quoteUntrusted,
  createFindingReport,
  startOfFile,
} from './finding.ts'

type Decoded =
  | Readonly<{ encoding: 'utf-8'; text: string }>
  /** `place` is the position of the first character that is not UTF-8, and `word` the word around it. */
  | Readonly<{ encoding: 'windows-1252'; text: string; place: Place; word: string }>
  | Readonly<{ encoding: 'utf-16' | 'none'; place: Place }>

/** The maximum number of characters that a warning shows on each side of the first character that is not UTF-8. */
const WORD = 20
const REPLACED = '\uFFFD'

function decode(bytes: Buffer, file: string): Decoded {
  const read = decodeTable(bytes)
  if (read.encoding === 'utf-16') return { encoding: 'utf-16', place: startOfFile(file) }
  if (read.encoding === 'utf-8') return { encoding: 'utf-8', text: read.text }
  const lossy = new TextDecoder('utf-8').decode(bytes)
  const wrong = bytes.includes(0) ? '\0' : REPLACED
  const first = Math.max(0, lossy.indexOf(wrong))
  const place = createLocator(file, lossy)(first)
  if (read.encoding === 'none') return { encoding: 'none', place }
  const { text } = read
  // Windows-1252 has one byte for each character.
  const at = Buffer.byteLength(lossy.slice(0, first))
  const [before, after] = [text.slice(Math.max(0, at - WORD), at), text.slice(at, at + WORD)]
  const word = (/[\p{L}\p{N}-]*$/u.exec(before)?.[0] ?? '') + (/^.[\p{L}\p{N}-]*/u.exec(after)?.[0] ?? '')
  return { encoding: 'windows-1252', text, place, word }
}

/** The text of a UTF-8 file, without its byte order mark. Returns null and adds a finding for any other encoding. */
export function decodeUtf8(bytes: Buffer, file: string, problems: Finding[]): string | null {
  const decoded = decode(bytes, file)
  return decoded.encoding === 'utf-8' ? decoded.text : refuse(decoded, problems)
}

/** The encoding that the user chose for a file; null if the user chose none. */
export type NamedEncoding = Readonly<{ encoding: string | null }>

const SAVE = 'Save the file in UTF-8.'
const SAVE_OR_NAME = 'Save the file in UTF-8, or name its encoding with --encoding.'

/**
 * Like `decodeUtf8`, for spreadsheet files: also reads Windows-1252, with a warning. The warning quotes a word, so that the
 * reader can see a wrong guess.
 *
 * @param named the user's encoding for a file that is not UTF-8; null where users cannot choose one
 */
export function decodeCsv(
  bytes: Buffer,
  file: string,
  problems: Finding[],
  named: NamedEncoding | null = null,
): string | null {
  const decoded = decode(bytes, file)
  if (decoded.encoding === 'utf-8') return decoded.text
  const encoding = named?.encoding ?? null
  const asNamed = encoding === null ? null : decodeWithEncoding(bytes, encoding)
  if (asNamed !== null) return asNamed
  if (decoded.encoding !== 'windows-1252') return refuse(decoded, problems, named ? SAVE_OR_NAME : SAVE)
  const { place, text, word } = decoded
  const message = `The file is not in UTF-8, and was read in Windows-1252, as Excel writes it: here stands ${quoteUntrusted(word)}.${named ? ' Name another encoding with --encoding.' : ''}`
  createFindingReport(problems).warn(place, 'csv.windows1252', message)
  return text
}

function refuse(decoded: Exclude<Decoded, { encoding: 'utf-8' }>, problems: Finding[], advice = SAVE): null {
  const sentenceOf = () => {
    switch (decoded.encoding) {
      case 'windows-1252':
        return `The file is not in UTF-8; read in Windows-1252, here stands ${quoteUntrusted(decoded.word)}.`
      case 'utf-16':
        return 'The file is in UTF-16.'
      case 'none':
        return 'The file is not text in UTF-8.'
    }
  }
  return createFindingReport(problems).error(decoded.place, 'notUtf8', `${sentenceOf()} ${advice}`)
}
