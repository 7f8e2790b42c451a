/** How values are written, for every program that renders. */
import type { Formats } from '../../streams/organisation/template/formats.ts'
import { countryCode } from './countries.ts'
import { dialledPhone, formatPhone } from './phone.ts'
import { formatAddress, remembering } from './postalAddress.ts'
import { qrPath } from './qrCode.ts'

/** A domain as it is, and in ASCII. */
function asciiForms(domain: string): readonly string[] {
  if (!/\P{ASCII}/u.test(domain)) return [domain]
  try {
    return [domain, new URL(`https://${domain}/`).hostname]
  } catch {
    return [domain]
  }
}

/** Where nothing is served, no code needs a seal. */
const UNSEALED = (): string => ''

/** An address of a usual length that leads nowhere, for programs that serve no cards. */
const SAMPLE_CARD =
  'https://signatures.organisation.example/card/MDAwMDAwMDAtMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAw.sample.vcf'

/**
 * @param seal what vouches for a packed text of a QR code (`qrPath`)
 * @param card the address of the card of a person with this id
 * @param domains the forms of a domain; by default, as it is and in ASCII
 */
export const createFormats = (
  seal: (packed: string) => string,
  card: Formats['card'] = () => SAMPLE_CARD,
  domains: Formats['domains'] = asciiForms,
): Formats => ({
  phone: formatPhone,
  tel: dialledPhone,
  domains,
  address: remembering(formatAddress),
  isCountry: (text) => countryCode(text) !== null,
  qr: (text) => qrPath(text, seal),
  card,
})

/** For the command, the check, and the previews of the administration page. */
export const FORMATS: Formats = createFormats(UNSEALED)
