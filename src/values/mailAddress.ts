/** Normalises mail addresses and domains, because a domain may be in Unicode or in ASCII (`xn--…`). */
import { domainToASCII, domainToUnicode } from 'node:url'

/** Returns a domain in lower case and in Unicode. A text that is not a domain is only lower-cased. */
export function normaliseDomain(domain: string): string {
  const lower = domain.toLowerCase()
  if (!/xn--|\P{ASCII}/u.test(lower)) return lower
  const ascii = domainToASCII(lower)
  return ascii === '' ? lower : domainToUnicode(ascii)
}

/** Returns an address in lower case, with its domain in Unicode. Patterns with `*` work too. */
export function normaliseAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return (
    address
      .slice(0, at + 1)
      .toLowerCase()
      .normalize('NFC') + normaliseDomain(address.slice(at + 1))
  )
}

/** Normalises addresses, and removes duplicates. */
export const uniqueAddresses = (addresses: readonly string[]): readonly string[] => [
  ...new Set(addresses.map(normaliseAddress)),
]

/** Returns all forms of an address that earlier versions may have stored. */
export function addressForms(address: string): readonly string[] {
  const one = normaliseAddress(address)
  if (!/\P{ASCII}/u.test(one)) return [one]
  const at = one.lastIndexOf('@')
  return [...new Set([one, one.slice(0, at + 1) + domainToASCII(one.slice(at + 1)), address.toLowerCase()])]
}

/** Returns all forms of a domain that mail clients may use. */
export function domainForms(domain: string): readonly string[] {
  const one = normaliseDomain(domain)
  return /\P{ASCII}/u.test(one) ? [...new Set([domain, one, domainToASCII(one)])] : [domain]
}
