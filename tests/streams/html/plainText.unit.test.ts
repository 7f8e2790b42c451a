import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textFingerprint } from '../../../streams/html/message.ts'
import { breaksAround, closeGap, joinTexts, withoutLateTexts } from '../../../streams/html/plainText.ts'
import { cases } from '../../support/cases.ts'

const WORDS = 'Alex Kim\nPurchasing at Northwind Traders'
const OTHER = 'The sales desk of Northwind Traders in Bergen'
const words = textFingerprint(WORDS)

describe('the line breaks around a signature', () => {
  const part = fc
    .array(fc.constantFrom('\n', '\r\n', 'Dear Sam,', 'figures'), { maxLength: 5 })
    .map((parts) => parts.join(''))
  const breaks = fc.constantFrom('', '\n', '\n\n', '\r\n\r\n', '\n\n\n')

  test('[SAFE-2] that came with it go with it, and no other', () => {
    fc.assert(
      fc.property(part, part, breaks, breaks, (above, below, first, second) => {
        const start = above.length + first.length
        const body = above + first + WORDS + second + below
        const bounds = { start, end: start + WORDS.length }
        const around = breaksAround(above + below, body, bounds)
        expect(around).not.toBeNull()
        const [over, under] = [body.slice(0, bounds.start), body.slice(bounds.end)]
        const without = closeGap(over, under, around)
        // Words that the signature parted are never joined.
        const isGlued = /[^\n]$/.test(above) && /^[^\r\n]/.test(below)
        expect(without).toBe(isGlued ? `${above}\n${below}` : above + below)
      }),
      cases(300),
    )
  })

  test('are unknown where the text has changed in more than the signature', () => {
    expect(breaksAround('Hi', `Hi Sam\n\n${WORDS}`, { start: 8, end: 8 + WORDS.length })).toBeNull()
  })

  test('are one empty line where nothing is known of them', () => {
    expect(closeGap('Hi\n\n', '\n\n\n> Thanks', null)).toBe('Hi\n\n\n> Thanks')
    expect(joinTexts('Hi', '> Thanks')).toBe('Hi\n\n> Thanks')
    expect(joinTexts('Hi\r\n\r\n', '\r\n\r\n> Thanks')).toBe('Hi\n\n> Thanks')
    expect(joinTexts('', '\n\n> Thanks')).toBe('> Thanks')
    expect(joinTexts('Hi\n\n', '')).toBe('Hi')
  })
})

describe('a text that came late', () => {
  const late = (most: number) => [{ words, most }]
  test.each<[string, string, number, string]>([
    ['at the top', `${WORDS}\n\nHi\n\n${WORDS}`, 1, `Hi\n\n${WORDS}`],
    ['beside the other', `Hi\n\n${WORDS}\n\n${WORDS}\n\n> Thanks`, 1, `Hi\n\n${WORDS}\n\n> Thanks`],
    ['at the end', `Hi\n\n${OTHER}\n\nSee you\n\n${WORDS}`, 0, `Hi\n\n${OTHER}\n\nSee you`],
    ['beside another signature', `Hi\n\n${WORDS}\n\n${OTHER}\n\nBye`, 0, `Hi\n\n${OTHER}\n\nBye`],
    ['with other lines at its ends', `Hi\r\n\r\n${WORDS}\r\n\r\n${WORDS}`, 1, `Hi\r\n\r\n${WORDS}`],
  ])('[SAFE-1] is taken away %s', (_, body, most, expected) => {
    expect(withoutLateTexts(body, late(most), textFingerprint(OTHER))).toBe(expected)
  })

  test.each<[string, string, number]>([
    ['that are not too many', `${WORDS}\n\nHi\n\n${WORDS}`, 2],
    ['between the words of the author', `Hi\n${WORDS}\nas I said\n${WORDS}\nBye`, 1],
    ['that somebody has typed into', `I am ${WORDS}, and you?`, 0],
  ])('[SAFE-2] stays in copies %s', (_, body, most) => {
    expect(withoutLateTexts(body, late(most), textFingerprint(OTHER))).toBe(body)
  })

  test('[SAFE-2] goes without any other word, whatever is around it', () => {
    const block = fc.constantFrom('Hi', WORDS, OTHER, '> Thanks', '\n', 'See you')
    fc.assert(
      fc.property(fc.array(block, { maxLength: 7 }), fc.nat(2), (blocks, most) => {
        const body = blocks.join('\n')
        const left = withoutLateTexts(body, late(most), textFingerprint(OTHER))
        const others = (text: string) => text.replaceAll(WORDS, '').replace(/\s+/g, ' ').trim()
        const count = (text: string) => text.split(WORDS).length - 1
        expect(others(left)).toBe(others(body))
        expect(count(left)).toBeGreaterThanOrEqual(Math.min(most, count(body)))
      }),
      cases(300),
    )
  })
})
