import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Colour,
  contrast,
  readabilityIssues,
  toDarkMode,
  blendOver,
  type DrawnSignature,
  type DrawnImage,
  type DrawnText,
  WHITE,
} from '../../../streams/html/readability.ts'

const BLACK: Colour = { red: 0, green: 0, blue: 0, alpha: 1 }
const grey = (channel: number): Colour => ({ red: channel, green: channel, blue: channel, alpha: 1 })
const channel = fc.nat(255)
const opaque = fc.record({ red: channel, green: channel, blue: channel, alpha: fc.constant(1) })
const share = fc.double({ min: 0, max: 1, noNaN: true })

const text = (over: Partial<DrawnText> = {}): DrawnText => ({
  text: 'Alex Kim',
  colour: BLACK,
  background: WHITE,
  size: 14,
  bold: false,
  ...over,
})
const image = (over: Partial<DrawnImage> = {}): DrawnImage => ({
  name: 'logo.png',
  alternative: 'Northwind',
  isAllOfLink: false,
  loading: 'loaded',
  ...over,
})
const seen = (over: Partial<DrawnSignature>): DrawnSignature => ({
  texts: [],
  images: [],
  width: 300,
  room: 320,
  ...over,
})
const kinds = (over: Partial<DrawnSignature>, theme: Parameters<typeof readabilityIssues>[1] = 'light') =>
  readabilityIssues(seen(over), theme).map(({ kind }) => kind)

describe('contrast', () => {
  test('[CHOOSE-5] is from 1 to 21, the same in either order, and 1 of a colour with itself', () => {
    fc.assert(
      fc.property(opaque, opaque, (one, other) => {
        const ratio = contrast(one, other)
        expect(ratio).toBeGreaterThanOrEqual(1)
        expect(ratio).toBeLessThanOrEqual(21)
        expect(contrast(other, one)).toBe(ratio)
        expect(contrast(one, one)).toBe(1)
      }),
    )
    expect(contrast(BLACK, WHITE)).toBeCloseTo(21, 10)
  })

  test.each([
    [grey(0x76), 4.54],
    [grey(0x77), 4.48],
    [{ red: 255, green: 0, blue: 0, alpha: 1 }, 3.998],
    [{ red: 0, green: 0, blue: 255, alpha: 1 }, 8.59],
  ])('of %j on white has the ratio of WCAG’s examples', (colour, ratio) => {
    expect(contrast(colour, WHITE)).toBeCloseTo(ratio, 2)
  })

  test('a colour over another lies between the two; a transparent one changes nothing', () => {
    fc.assert(
      fc.property(opaque, opaque, share, (top, under, alpha) => {
        const mixed = blendOver({ ...top, alpha }, under)
        for (const name of ['red', 'green', 'blue'] as const) {
          expect(mixed[name]).toBeGreaterThanOrEqual(Math.min(top[name], under[name]) - 1e-9)
          expect(mixed[name]).toBeLessThanOrEqual(Math.max(top[name], under[name]) + 1e-9)
        }
        expect(mixed.alpha).toBe(1)
      }),
    )
    expect(blendOver({ ...BLACK, alpha: 0 }, WHITE)).toEqual(WHITE)
    expect(blendOver(BLACK, WHITE)).toEqual(BLACK)
  })
})

describe('a dark mode', () => {
  test('swaps light and dark, within the range of each channel', () => {
    const lightness = ({ red, green, blue }: Colour) =>
      Math.max(red, green, blue) + Math.min(red, green, blue)
    fc.assert(
      fc.property(opaque, opaque, (one, other) => {
        const turned = [toDarkMode(one), toDarkMode(other)] as const
        for (const { red, green, blue } of turned)
          for (const each of [red, green, blue]) {
            expect(each).toBeGreaterThanOrEqual(0)
            expect(each).toBeLessThanOrEqual(255)
          }
        if (lightness(one) < lightness(other))
          expect(lightness(turned[0])).toBeGreaterThan(lightness(turned[1]))
      }),
    )
    expect(toDarkMode(BLACK)).toEqual(WHITE)
    expect(toDarkMode(WHITE).red).toBeCloseTo(0.12 * 255)
  })

  test('keeps the hue: the strongest channel stays the strongest', () => {
    const { red, green, blue } = toDarkMode({ red: 15, green: 61, blue: 94, alpha: 1 })
    expect(blue).toBeGreaterThan(green)
    expect(green).toBeGreaterThan(red)
  })

  test('keeps the hue and the saturation', () => {
    const components = ({ red, green, blue }: Colour) => {
      const [most, least] = [Math.max(red, green, blue) / 255, Math.min(red, green, blue) / 255]
      const range = most - least
      const saturation = range / (most + least > 1 ? 2 - most - least : most + least)
      return [saturation, ...[red, green, blue].map((each) => (each / 255 - least) / range)]
    }
    fc.assert(
      fc.property(opaque, (colour) => {
        const { red, green, blue } = colour
        fc.pre(Math.max(red, green, blue) - Math.min(red, green, blue) >= 8)
        const turned = components(toDarkMode(colour))
        components(colour).forEach((each, index) => {
          expect(turned[index]).toBeCloseTo(each, 5)
        })
      }),
    )
  })
})

describe('a readability issue', () => {
  test('[CHOOSE-5] is text below 4.5 to 1, or large text below 3 to 1', () => {
    expect(kinds({ texts: [text({ colour: grey(0x76) })] })).toEqual([])
    expect(readabilityIssues(seen({ texts: [text({ colour: grey(0x77) })] }), 'light')).toEqual([
      { kind: 'contrast', text: 'Alex Kim', ratio: contrast(grey(0x77), WHITE), needed: 4.5 },
    ])
    const pale = { colour: grey(0x8c) }
    expect(kinds({ texts: [text({ ...pale, size: 24 })] })).toEqual([])
    expect(kinds({ texts: [text({ ...pale, size: 23 })] })).toEqual(['contrast'])
    expect(kinds({ texts: [text({ ...pale, size: 19, bold: true })] })).toEqual([])
    expect(kinds({ texts: [text({ ...pale, size: 19 })] })).toEqual(['contrast'])
  })

  test('[CHOOSE-5] counts half-transparent text as it is drawn; over a picture it stays unknown', () => {
    expect(kinds({ texts: [text({ colour: { ...BLACK, alpha: 0.3 } })] })).toEqual(['contrast'])
    expect(kinds({ texts: [text({ colour: WHITE, background: null })] })).toEqual([])
  })

  test('[CHOOSE-5] depends on the theme for contrast; high contrast has the reader’s own colours', () => {
    fc.assert(
      fc.property(opaque, opaque, (colour, background) => {
        const given = { texts: [text({ colour, background })] }
        expect(kinds(given, 'highContrast')).toEqual([])
        const ratio = contrast(toDarkMode(colour), toDarkMode(background))
        expect(kinds(given, 'dark')).toEqual(ratio < 4.5 ? ['contrast'] : [])
      }),
    )
  })

  test('[CHOOSE-5] is text below 9 pixels, but not empty or hidden text', () => {
    expect(kinds({ texts: [text({ size: 9 })] })).toEqual([])
    expect(readabilityIssues(seen({ texts: [text({ size: 8.9 })] }), 'light')).toEqual([
      { kind: 'small', text: 'Alex Kim', size: 8.9 },
    ])
    expect(kinds({ texts: [text({ size: 0 }), text({ text: ' \n ', size: 5 })] })).toEqual([])
  })

  test('[CHOOSE-5] is a picture without alternative text; a decorative one outside a link may have none', () => {
    expect(readabilityIssues(seen({ images: [image({ alternative: null })] }), 'light')).toEqual([
      { kind: 'noAlternative', image: 'logo.png' },
    ])
    expect(kinds({ images: [image({ alternative: '' })] })).toEqual([])
    expect(kinds({ images: [image({ alternative: ' ', isAllOfLink: true })] })).toEqual(['noAlternative'])
    expect(kinds({ images: [image({ isAllOfLink: true })] })).toEqual([])
  })

  test('[CHOOSE-5] is a picture that does not load, or that previews may not load', () => {
    expect(readabilityIssues(seen({ images: [image({ loading: 'failed' })] }), 'light')).toEqual([
      { kind: 'notLoaded', image: 'Northwind' },
    ])
    expect(kinds({ images: [image({ loading: 'foreign', alternative: null })] })).toEqual([
      'foreign',
      'noAlternative',
    ])
  })

  test('[CHOOSE-5] is a signature wider than its room', () => {
    expect(kinds({ width: 320 })).toEqual([])
    expect(readabilityIssues(seen({ width: 321 }), 'light')).toEqual([{ kind: 'wide', width: 321 }])
  })

  test('is listed once per place, long text by its beginning', () => {
    const small = text({ text: 'word '.repeat(30), size: 8 })
    const [only, ...others] = readabilityIssues(seen({ texts: [small, small] }), 'light')
    expect(others).toEqual([])
    expect(only?.kind === 'small' && only.text).toMatch(/^(?:word )+.*…$/)
    expect(only?.kind === 'small' && only.text.length).toBeLessThanOrEqual(40)
  })
})
