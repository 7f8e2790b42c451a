import { decodeReferences } from './tokens.ts'

// Finds one text inside another by its letters, because mail clients change blanks, quotation marks and markup.

/** The number of letters in a text, and two hashes of them. A fingerprint finds the text again without revealing it. */
export type Fingerprint = readonly [letters: number, one: number, other: number]

/** The letters of a text, and the index of each letter in the source. */
export type Letters = Readonly<{ text: string; at: readonly number[] }>

/** The minimum number of letters for recognising a text. Shorter texts also occur outside signatures. */
export const RECOGNISED_LETTERS = 20

/**
 * Whether a character is a letter. Clients rewrite other characters: blanks, and characters with HTML names such as `é`
 * and `–`.
 */
const isLetter = (code: number): boolean =>
  (code > 0x20 && code < 0x7f) ||
  (code > 0x36f && !(code >= 0x2000 && code <= 0x2bff) && code !== 0x3000 && code !== 0xfeff)

const REFERENCE = /&(?:#x?[\da-f]{1,7}|\w{2,8});/iy

/** The address that clients write after a link's text in plain text. */
const ADDRESS = /<[^<>\s]{1,2000}>/y

/**
 * Collects a source's letters, part by part. Decodes character references in HTML, and omits link addresses in plain
 * text.
 */
export function createLetterCollector(source: string, isHtml: boolean) {
  const found: string[] = []
  const at: number[] = []
  return {
    /** The number of letters so far. */
    count: () => at.length,
    read: (start: number, end: number): void => {
      for (let index = start; index < end; index++) {
        let character = source.charAt(index)
        let next = index
        const special = isHtml ? (character === '&' ? REFERENCE : null) : character === '<' ? ADDRESS : null
        if (special) {
          special.lastIndex = index
          if (special.test(source) && special.lastIndex <= end) {
            next = special.lastIndex - 1
            character = isHtml ? decodeReferences(source.slice(index, next + 1)) : ''
            // Letters in an undecoded character reference do not count.
            if (character.length > 2) character = ''
          }
        }
        for (let unit = 0; unit < character.length; unit++)
          if (isLetter(character.charCodeAt(unit))) {
            found.push(character.charAt(unit))
            at.push(index)
          }
        index = next
      }
    },
    letters: (): Letters => ({ text: found.join(''), at }),
  }
}

const BASES = [0x01000193, 0x9e3779b1] as const

const fold = (hash: number, code: number, base: number): number => (Math.imul(hash, base) + code) | 0

export function fingerprintOf({ text }: Letters): Fingerprint {
  const [one, other] = BASES.map((base) => {
    let hash = 0
    for (let index = 0; index < text.length; index++) hash = fold(hash, text.charCodeAt(index), base)
    return hash
  }) as [number, number]
  return [text.length, one, other]
}

/** The positions in these letters where a text with this fingerprint begins, without overlaps. Takes linear time. */
export function fingerprintPlaces({ text }: Letters, [length, ...hashes]: Fingerprint): readonly number[] {
  if (length === 0 || length > text.length) return []
  const rolling = BASES.map((base) => {
    let power = 1
    for (let count = 0; count < length; count++) power = Math.imul(power, base)
    return { base, power, hash: 0 }
  })
  const places: number[] = []
  for (let index = 0; index < text.length; index++) {
    for (const each of rolling) {
      each.hash = fold(each.hash, text.charCodeAt(index), each.base)
      if (index >= length)
        each.hash = (each.hash - Math.imul(each.power, text.charCodeAt(index - length))) | 0
    }
    const start = index - length + 1
    const isBehind = start >= (places[places.length - 1] ?? -length) + length
    if (start >= 0 && isBehind && rolling.every(({ hash }, which) => hash === hashes[which]))
      places.push(start)
  }
  return places
}
