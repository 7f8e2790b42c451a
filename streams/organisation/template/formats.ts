/** How values are written that are more than text. The programs that render provide it: the data is large. */

/** The parts of a postal address, as the directory has them; a missing one is empty. */
export type PostalParts = Readonly<{
  street: string
  postalCode: string
  city: string
  state: string
  /** An ISO code, or a name of the country. */
  country: string
}>

/** A number as a telephone takes it (RFC 3966); `isAlone` is false when the text has more than this number. */
export type Dialled = Readonly<{ number: string; isAlone: boolean }>

export type Formats = Readonly<{
  /**
   * A phone number in international format; null for a text that is no number.
   *
   * @param country where a number without a leading plus is called from: an ISO code, or a name of the country
   */
  phone: (text: string, country: string) => string | null
  /** The first number of a text, for `tel:`; null for a text without a number. */
  tel: (text: string, country: string) => Dialled | null
  /** The forms of a domain in which mail clients may have it: as it is, in Unicode and in ASCII (`xn--…`). */
  domains: (domain: string) => readonly string[]
  /** The lines of a postal address in the order of its country; none without a street, a postal code and a city. */
  address: (parts: PostalParts) => readonly string[]
  /** Whether a text is an ISO code or a name of a country. */
  isCountry: (text: string) => boolean
  /** The path of the picture of a QR code of a text, below the base of all addresses of pictures; empty for none. */
  qr: (text: string) => string
  /** The whole address of the card of a person with this id; empty for none. */
  card: (person: string) => string
}>

const present = (parts: readonly string[]): readonly string[] => parts.filter((part) => part !== '')

/** Values as they are. For programs that only read templates. */
export const PLAIN: Formats = {
  phone: (text) => text,
  tel: () => null,
  domains: (domain) => [domain],
  address: ({ street, postalCode, city, state, country }) =>
    street + postalCode + city === ''
      ? []
      : present([street, present([postalCode, city]).join(' '), state, country]),
  isCountry: () => false,
  qr: () => '',
  card: () => '',
}
