import { describe, expect, test } from 'vitest'
import { AVATAR_COLOURS, avatarColour, initialsOf } from '../../../src/playground/mailClient/avatar.ts'

const person = (name: string, address = 'nora.lind@quayside.example') => ({ name, address })

/** The share of white's luminance, by the formula of WCAG 2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe('the picture of a person', () => {
  test.each([
    ['Nora Lind', 'NL'],
    ['  Maria da Silva ', 'MS'],
    ['Tailspin', 'T'],
    ['Éric Ångström', 'ÉÅ'],
    ['"Weber", Jonas', 'WJ'],
    ['', 'N'],
  ])('of %j shows %j', (name, initials) => {
    expect(initialsOf(person(name))).toBe(initials)
  })

  test('has no letters for nothing', () => {
    expect(initialsOf(person('', ''))).toBe('')
  })

  test.each(AVATAR_COLOURS)('can be read on %s', (colour) => {
    expect(1.05 / (luminance(colour) + 0.05)).toBeGreaterThanOrEqual(4.5)
  })

  test('has one colour per address, whatever its case and name', () => {
    const colour = avatarColour(person('Nora'))
    expect(AVATAR_COLOURS).toContain(colour)
    expect(avatarColour(person('Lind', 'Nora.Lind@Quayside.example'))).toBe(colour)
    const addresses = Array.from({ length: 60 }, (_, place) => `person-${String(place)}@quayside.example`)
    expect(new Set(addresses.map((address) => avatarColour(person('', address)))).size).toBe(
      AVATAR_COLOURS.length,
    )
  })
})
