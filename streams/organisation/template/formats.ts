/**
 * Formatters for values such as phone numbers and addresses. The rendering programs provide them, because their data is
 * large.
 */

/** The parts of a postal address, from the directory; a missing part is empty. */
export type PostalParts = Readonly<{
  street: string
  postalCode: string
  city: string
  state: string
  /** An ISO code or a country name. */
  country: string
}>

/** A number in the form for dialling (RFC 3966). `isAlone` is false if the text contains more than this number. */
export type DialledNumber = Readonly<{ number: string; isAlone: boolean }>

export type Formats = Readonly<{
  /**
   * A phone number in international format; null for any other text.
   *
   * @param country the country of numbers without a leading plus: an ISO code, or a name of the country
   */
  phone: (text: string, country: string) => string | null
  /** The first number in a text, for `tel:`; null without a number. */
  tel: (text: string, country: string) => DialledNumber | null
  /** The spellings of a domain in mail clients: as given, in Unicode and in ASCII (`xn--…`). */
  domains: (domain: string) => readonly string[]
  /**
   * The lines of a postal address in the order of its country. Empty if street, postal code and city are all missing.
   */
  address: (parts: PostalParts) => readonly string[]
  /** Whether a text is an ISO code or a country name. */
  isCountry: (text: string) => boolean
  /** The path of a QR code's picture, below the base URL of all pictures; empty without a code. */
  qr: (text: string) => string
  /** The full web address of the card of the person with this id; empty without one. */
  card: (person: string) => string
}>

const present = (parts: readonly string[]): readonly string[] => parts.filter((part) => part !== '')

/** Leaves values unchanged, for programs that only read templates. */
export const PLAIN_FORMATS: Formats = {
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
