import { describe, expect, test } from 'vitest'
import { decodeArchiveName, pathSpellings } from '../../../../streams/organisation/release/fileNames.ts'

describe('a name of a file', () => {
  const name = 'Müller-Dateien/größe.png'
  const bytes = (text: string) =>
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')

  test.each([
    ['in another Unicode form', name.normalize('NFD')],
    ['in capitals', name.toUpperCase().replace('SSE', 'ßE')],
    ['in UTF-8 that was read as Latin-1', bytes(name)],
    ['in UTF-8 of macOS that was read as Latin-1', bytes(name.normalize('NFD'))],
    ['in UTF-8 that was read as DOS', 'M├╝ller-Dateien/gr├╢├ƒe.png'],
    ['of DOS that was read as Latin-1', 'M\x81ller-Dateien/gr\x94\xe1e.png'],
  ])('is the same %s', (_how, other) => {
    expect(pathSpellings(other)).toContain(pathSpellings(name)[0])
  })

  test('is another one with other letters', () => {
    expect(pathSpellings('Möller.png')).not.toContain(pathSpellings('Müller.png')[0])
  })

  test('of an archive is read in UTF-8, else as DOS writes it', () => {
    expect(decodeArchiveName(bytes(name.normalize('NFD')))).toBe(name)
    expect(decodeArchiveName('M\x81ller.png')).toBe('Müller.png')
    expect(decodeArchiveName('Müller.png')).toBe('Müller.png')
    expect(decodeArchiveName('日本.png')).toBe('日本.png')
  })
})
