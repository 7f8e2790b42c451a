/** How values are written, for every program that renders. */
import type { Formats } from '../../streams/organisation/formats.ts'
import { countryCode } from './countries.ts'
import { formatPhone } from './phone.ts'
import { formatAddress } from './postalAddress.ts'
import { qrPath } from './qrCode.ts'

/** Where nothing is served, no code needs a seal. */
export const UNSEALED = (): string => ''

/** @param seal what vouches for a packed text of a QR code (`qrPath`) */
export const createFormats = (seal: (packed: string) => string): Formats => ({
  phone: formatPhone,
  address: formatAddress,
  isCountry: (text) => countryCode(text) !== null,
  qr: (text) => qrPath(text, seal),
})

/** For the command, the check, and the previews of the administration page. */
export const FORMATS: Formats = createFormats(UNSEALED)
