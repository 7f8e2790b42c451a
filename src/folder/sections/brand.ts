import { isColour, isColourName, isFontName } from '../../../streams/organisation/release/brand.ts'
import type { Brand } from '../../../streams/organisation/release/release.ts'
import type { YamlEntry } from '../yaml.ts'
import { isPicturePath } from '../../../streams/organisation/release/paths.ts'
import { quoteUntrusted } from '../finding.ts'
import type { SectionReader } from './reader.ts'

/** Reads the colours, fonts and logos of a brand; null if it has none. */
export function readBrand(reader: SectionReader, entry: YamlEntry): Brand | null {
  const { entries, error, only, placeOf, record, text, texts } = reader
  const of = record(entry, ['colours', 'fonts', 'logos'], 'A brand')
  const colours: [name: string, colour: string][] = []
  for (const each of entries(of['colours'])) {
    const colour = text(each)
    if (colour === null) continue
    if (!isColourName(each.key))
      error(
        each.place,
        'name',
        `A colour is named by letters, digits and blanks: ${quoteUntrusted(each.key)} is not.`,
      )
    else if (!isColour(colour))
      error(placeOf(each), 'value', `${quoteUntrusted(colour)} is not a colour: "#1f3a5f", in quotes.`)
    else colours.push([each.key, colour])
  }
  const listOf = (key: 'fonts' | 'logos', isAllowed: (text: string) => boolean, what: string) => {
    const list = of[key]
    return list === undefined ? [] : only(texts(list, `brand.${key}`), list.place, isAllowed, what)
  }
  const brand = {
    colours: Object.fromEntries(colours),
    fonts: listOf('fonts', isFontName, 'name of a font'),
    logos: listOf('logos', isPicturePath, 'picture below "pictures/": logo.png'),
  }
  return colours.length + brand.fonts.length + brand.logos.length > 0 ? brand : null
}
