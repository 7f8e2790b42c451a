/** Decodes spreadsheet files: UTF-8, or Windows-1252 from Windows. */

type Decoded =
  | Readonly<{ encoding: 'utf-8'; text: string }>
  | Readonly<{ encoding: 'windows-1252'; text: string }>
  /** Not decoded: UTF-16, and `none` for any other encoding or a file that is not text. */
  | Readonly<{ encoding: 'utf-16' }>
  | Readonly<{ encoding: 'none' }>

const MARKS_OF_UTF_16: readonly (readonly [number, number])[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
]

export function decodeTable(bytes: Uint8Array): Decoded {
  if (MARKS_OF_UTF_16.some(([first, second]) => bytes[0] === first && bytes[1] === second))
    return { encoding: 'utf-16' }
  // Text has no zero bytes in UTF-8 or Windows-1252.
  if (bytes.includes(0)) return { encoding: 'none' }
  try {
    return { encoding: 'utf-8', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    // Without `stream`, Node 20 decodes Windows-1252 as Latin-1.
    const text = new TextDecoder('windows-1252').decode(bytes, { stream: true })
    // Bytes that Windows-1252 does not use decode as control characters. The text then has another encoding.
    return /[\x80-\x9f]/.test(text) ? { encoding: 'none' } : { encoding: 'windows-1252', text }
  }
}
