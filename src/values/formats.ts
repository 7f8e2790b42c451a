/** Creates the value formatters of all programs that render signatures. */
import type { Formats } from '../../streams/organisation/template/formats.ts'
import { countryCode } from './countries.ts'
import { dialledPhone, formatPhone } from './phone.ts'
import { formatPostalAddress, withAddressCache } from './postalAddress.ts'
import { qrPath } from './qrCode.ts'

/** A domain as given, and in ASCII. */
function asciiForms(domain: string): readonly string[] {
  if (!/\P{ASCII}/u.test(domain)) return [domain]
  try {
    return [domain, new URL(`https://${domain}/`).hostname]
  } catch {
    return [domain]
  }
}

/** QR codes that no server draws need no seal. */
const UNSEALED = (): string => ''

/** An address of typical length that leads nowhere, for programs without card pages. */
const SAMPLE_CARD =
  'https://signatures.organisation.example/card/MDAwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAw.sample.vcf'

/**
 * Creates formatters for phone numbers, postal addresses, domains, QR codes and cards.
 *
 * @param seal returns the seal of a packed QR code text (`qrPath`)
 * @param card returns the card address of the person with this id
 * @param domains the forms of a domain; by default, as given and in ASCII
 */
export const createFormats = (
  seal: (packed: string) => string,
  card: Formats['card'] = () => SAMPLE_CARD,
  domains: Formats['domains'] = asciiForms,
): Formats => ({
  phone: formatPhone,
  tel: dialledPhone,
  domains,
  address: withAddressCache(formatPostalAddress),
  isCountry: (text) => countryCode(text) !== null,
  qr: (text) => qrPath(text, seal),
  card,
})

/** Formatters for the `signet` command, the check of a folder, and the previews on the administration page. */
export const UNSEALED_FORMATS: Formats = createFormats(UNSEALED)
