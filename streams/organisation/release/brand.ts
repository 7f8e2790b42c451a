/** The colours and fonts of a brand: checks names and values, and compares colours. */
import { cssTokensOf } from '../../html/cssTokens.ts'

/** The named CSS colours and their hex values. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Array.from(
    (
      'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc ' +
      'bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a ' +
      'burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 ' +
      'cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b ' +
      'darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b ' +
      'darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 ' +
      'darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f ' +
      'darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff ' +
      'dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 ' +
      'forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 ' +
      'gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 ' +
      'indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 ' +
      'lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff ' +
      'lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 ' +
      'lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 ' +
      'lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 ' +
      'linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd ' +
      'mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee ' +
      'mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 ' +
      'mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 ' +
      'olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa ' +
      'palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 ' +
      'peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 ' +
      'red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 ' +
      'seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd ' +
      'slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c ' +
      'teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff ' +
      'whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32'
    ).matchAll(/(\w+) (\w+)/g),
    ([, name = '', digits = '']) => [name, digits],
  ),
)

/** The CSS functions that define a colour. */
export const COLOUR_FUNCTIONS: ReadonlySet<string> = new Set(['rgb', 'rgba', 'hsl', 'hsla'])

const hex = (value: number): string =>
  Math.round(Math.max(0, Math.min(255, value)))
    .toString(16)
    .padStart(2, '0')

/**
 * Returns a channel of an HSL colour, from 0 to 255: red with `offset` 0, green with 8, blue with 4. The hue is in
 * degrees, saturation and lightness are from 0 to 1.
 */
function ofHue(hue: number, saturation: number, lightness: number, offset: number): number {
  const at = (((hue / 30 + offset) % 12) + 12) % 12
  const range = saturation * Math.min(lightness, 1 - lightness)
  return 255 * (lightness - range * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
}

/**
 * Converts a CSS colour to eight hex digits, the last two for opacity: `#fff`, `white` and `rgb(255, 255, 255)` give
 * the same value. Null for other texts, and for colours without a fixed value.
 */
export function colourValue(css: string): string | null {
  const written = css.trim().toLowerCase()
  const [, digits] = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(written) ?? []
  if (digits !== undefined) {
    const long = digits.length < 5 ? digits.replace(/./g, '$&$&') : digits
    return long.padEnd(8, 'f')
  }
  const named = NAMED.get(written)
  if (named !== undefined) return `${named}ff`
  const [, name = '', list] = /^(rgba?|hsla?)\(([^()]*)\)$/.exec(written) ?? []
  if (list === undefined) return null
  const parts = list.split(/[\s,/]+/).filter((part) => part !== '')
  const numbers = parts.map(
    (part) => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:%|deg)?$/.test(part) && parseFloat(part),
  )
  const [one, two, three, opacity = 1] = numbers
  if (parts.length > 4 || typeof one !== 'number' || typeof two !== 'number' || typeof three !== 'number')
    return null
  if (typeof opacity !== 'number') return null
  const alpha = hex(255 * (parts[3]?.endsWith('%') === true ? opacity / 100 : opacity))
  if (name.startsWith('hsl'))
    return [0, 8, 4].map((offset) => hex(ofHue(one, two / 100, three / 100, offset))).join('') + alpha
  const channels = [one, two, three].map((value, index) =>
    hex(parts[index]?.endsWith('%') === true ? value * 2.55 : value),
  )
  return channels.join('') + alpha
}

/** The colours in a style value, as written, with their offsets. */
export function coloursIn(value: string): readonly Readonly<{ text: string; at: number }>[] {
  const found: { text: string; at: number }[] = []
  let at = 0
  /** The offset of the colour function that is open. */
  let open: number | null = null
  for (const { kind, text, value: name } of cssTokensOf(value)) {
    const end = at + text.length
    if (open !== null) {
      if (text === ')') {
        found.push({ text: value.slice(open, end), at: open })
        open = null
      }
    } else if (kind === 'function' && COLOUR_FUNCTIONS.has(name.toLowerCase())) open = at
    else if ((kind === 'hash' || kind === 'ident') && colourValue(text) !== null) found.push({ text, at })
    at = end
  }
  return found
}

/** Generic font families, and values that name no font. */
const GENERIC_FAMILIES: ReadonlySet<string> = new Set(
  (
    'serif sans-serif monospace cursive fantasy system-ui ui-serif ui-sans-serif ui-monospace ui-rounded math emoji ' +
    'inherit initial unset revert'
  ).split(' '),
)

const SIZE_UNITS = /^(?:dimension|percentage)$/
const SIZE_WORDS = /^(?:(?:xx?-)?(?:small|large)|xxx-large|medium|smaller|larger)$/i

/** The font families in a `font-family` value, or after the size in a `font` value, without generic families. */
export function fontFamiliesIn(property: 'font-family' | 'font', value: string): readonly string[] {
  const families: string[] = []
  let family = ''
  let isBehindSize = property === 'font-family'
  /** Whether a line height comes next, as in `12px/1.4 Arial`. */
  let isHeight = false
  const end = () => {
    const name = family.trim().replace(/\s+/g, ' ')
    if (name !== '' && !GENERIC_FAMILIES.has(name.toLowerCase())) families.push(name)
    family = ''
  }
  for (const { kind, text, value: content } of cssTokensOf(value)) {
    if (!isBehindSize) {
      isBehindSize = SIZE_UNITS.test(kind) || (kind === 'ident' && SIZE_WORDS.test(text))
      continue
    }
    if (text === '/') isHeight = true
    else if (isHeight && kind !== 'blank') isHeight = false
    else if (text === ',') end()
    else if (text === '!') break
    else if (kind === 'string' || kind === 'ident' || kind === 'blank')
      family += kind === 'string' ? content : text
  }
  end()
  return families
}

const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} _-]{0,62}[\p{L}\p{N}])?$/u
/** Forbidden names, because every object has these properties. */
const NO_NAMES: readonly string[] = ['constructor', 'prototype']

/** Whether a text can be the name of a brand colour. */
export const isColourName = (text: string): boolean => NAME.test(text) && !NO_NAMES.includes(text)

/** Whether a text can be the name of a brand font. Styles contain it without quotes or in single quotes. */
export const isFontName = (text: string): boolean => NAME.test(text) && !/ {2}/.test(text)

/** Whether a text can be the value of a brand colour: `#1f3a5f`, `navy`, `rgb(31, 58, 95)`. */
export const isColour = (text: string): boolean => text.length <= 60 && colourValue(text) !== null
