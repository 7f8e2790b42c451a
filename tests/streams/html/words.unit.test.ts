import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createLetterCollector,
  fingerprintOf,
  type Letters,
  fingerprintPlaces,
} from '../../../streams/html/words.ts'

const lettersOf = (source: string, isHtml = false): Letters => {
  const letters = createLetterCollector(source, isHtml)
  letters.read(0, source.length)
  return letters.letters()
}

/** Every place of a part, each behind the one before. */
function search(text: string, part: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at)
  return places
}

describe('a text that is known by its letters', () => {
  test('[CLIENT-1] is found exactly where another has them', () => {
    const some = fc.array(fc.constantFrom('a', 'b', 'ж', '7'), { maxLength: 40 }).map((all) => all.join(''))
    const part = fc
      .array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 5 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(some, part, some, (before, wanted, after) => {
        const text = before + wanted + after
        expect(fingerprintPlaces(lettersOf(text), fingerprintOf(lettersOf(wanted)))).toEqual(
          search(text, wanted),
        )
      }),
    )
  })

  test('[CLIENT-1] has another fingerprint than any other', () => {
    const seen = new Map<string, string>()
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ж'), minLength: 3, maxLength: 12 })
    fc.assert(
      fc.property(text, (each) => {
        const print = fingerprintOf(lettersOf(each)).join()
        expect(seen.get(print) ?? each).toBe(each)
        seen.set(print, each)
      }),
      { numRuns: 2_000 },
    )
    expect(fingerprintPlaces(lettersOf('abc'), fingerprintOf(lettersOf('')))).toEqual([])
  })

  test.each([
    ['blanks', 'Alex  Kim\u00a0AS', 'Alex\n\tKim AS'],
    ['accents, written or named', 'Caf&eacute; R&ouml;sti', 'Café Rösti'],
    ['dashes and quotation marks', 'Kim &ndash; &ldquo;AS&rdquo;', 'Kim – “AS”'],
    ['references', 'Kim &amp; Co &#38; more &#x26;', 'Kim & Co & more &'],
    ['what is invisible', 'Al\u200bex\ufeff', 'Alex'],
  ])('[CLIENT-1] is the same in html for different %s', (_, one, other) => {
    expect(lettersOf(one, true).text).toBe(lettersOf(other, true).text)
    expect(lettersOf(other, true).text).not.toBe('')
  })

  test('[CLIENT-5] has no address of a link in plain text, and says where each letter stands', () => {
    const text = 'Kim <https://a.example/?x> é A'
    const { text: letters, at } = lettersOf(text)
    expect(letters).toBe('KimA')
    expect(at.map((place) => text[place]).join('')).toBe(letters)
    // Not an address: it never ends, or has a blank.
    expect(lettersOf('a <b c>').text).toBe('a<bc>')
    expect(lettersOf('a&amp;b').text).toBe('a&amp;b')
  })
})
