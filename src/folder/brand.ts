/** Checks that templates use only the brand's colours and fonts, and that its logos exist. */
import { coloursIn, colourValue, fontFamiliesIn } from '../../streams/organisation/release/brand.ts'
import { PICTURES_FOLDER } from '../../streams/organisation/release/paths.ts'
import type { Brand, ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { type Declaration, readDeclarations, readStyleSheet } from '../../streams/html/declarations.ts'
import type { ExpandedTemplate } from './expanded.ts'
import { type Finding, andList, type Place, quoteUntrusted, createFindingReport } from './finding.ts'
import { htmlTokens } from './htmlTokens.ts'

const COLOURED =
  /^(?:color|background(?:-color)?|border(?:-(?:top|right|bottom|left))?(?:-color)?|text-decoration(?:-color)?|outline(?:-color)?)$/

/** Returns one warning for each colour and font of a template that the brand does not have. */
export function checkBrand(
  { masked, placeOf }: Pick<ExpandedTemplate, 'masked' | 'placeOf'>,
  brand: Brand,
): readonly Finding[] {
  const { findings, warn } = createFindingReport()
  const colours = new Set(Object.values(brand.colours).flatMap((colour) => colourValue(colour) ?? []))
  const fonts = new Set(brand.fonts.map((font) => font.toLowerCase()))
  const reported = new Set<string>()

  const once = (at: number, code: string, key: string, message: string) => {
    const place = placeOf(at)
    const known = `${place.file} ${code} ${key}`
    if (!reported.has(known)) warn(place, code, message)
    reported.add(known)
  }
  const checkColour = (text: string, at: number) => {
    const value = colourValue(text)
    if (value === null || colours.size === 0 || colours.has(value)) return
    const known = andList(Object.entries(brand.colours).map(([name, colour]) => `${name} (${colour})`))
    once(at, 'offBrandColour', value, `The colour ${quoteUntrusted(text)} is none of the brand: ${known}.`)
  }
  const checkFamily = (family: string, at: number) => {
    if (fonts.size === 0 || fonts.has(family.toLowerCase())) return
    const message = `The font ${quoteUntrusted(family)} is none of the brand: ${andList(brand.fonts)}.`
    once(at, 'offBrandFont', family.toLowerCase(), message)
  }
  const checkDeclaration = ({ property, value }: Declaration, at: number) => {
    if (COLOURED.test(property)) for (const { text } of coloursIn(value)) checkColour(text, at)
    if (property === 'font-family' || property === 'font')
      for (const family of fontFamiliesIn(property, value)) checkFamily(family, at)
  }

  for (const token of htmlTokens(masked))
    if (token.kind === 'open')
      for (const { name, value, from, to, at } of token.attributes) {
        if (name === 'color' || name === 'bgcolor') checkColour(value, at)
        else if (name === 'face' && token.name === 'font')
          for (const family of fontFamiliesIn('font-family', value)) checkFamily(family, at)
        else if (name === 'style') {
          // Decoding shifts offsets, so a place is exact only in values that decoding leaves unchanged.
          const isAsWritten = value === masked.slice(from, to)
          for (const declaration of readDeclarations(value))
            checkDeclaration(declaration, isAsWritten ? from + declaration.at : at)
        }
      }
    else if (token.kind === 'text' && token.raw === 'style')
      for (const declaration of readStyleSheet(masked.slice(token.at, token.end)).declarations)
        checkDeclaration(declaration, token.at + declaration.at)
  return findings
}

/** Reports brand logos that do not exist. */
export function checkLogos(
  { brand, pictures }: ReleaseDocument,
  placeOf: (path: string) => Place,
  isUnread: (file: string) => boolean,
): readonly Finding[] {
  const { findings, error } = createFindingReport()
  for (const [index, path] of (brand?.logos ?? []).entries()) {
    const file = `${PICTURES_FOLDER}/${path}`
    if (!Object.hasOwn(pictures, path) && !isUnread(file))
      error(placeOf(`brand.logos.${index}`), 'unknownPicture', `There is no picture ${quoteUntrusted(file)}.`)
  }
  return findings
}
