/** Mail addresses and domains in one form: a domain may be written in Unicode or in ASCII (`xn--…`). */
import { domainToASCII, domainToUnicode } from 'node:url'

/** Returns a domain in lower case and in Unicode; a text that is no domain only in lower case. */
export function oneDomain(domain: string): string {
  const lower = domain.toLowerCase()
  if (!/xn--|\P{ASCII}/u.test(lower)) return lower
  const ascii = domainToASCII(lower)
  return ascii === '' ? lower : domainToUnicode(ascii)
}

/** Returns an address in lower case, with its domain in Unicode. A pattern of an address may have `*`. */
export function oneAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return (
    address
      .slice(0, at + 1)
      .toLowerCase()
      .normalize('NFC') + oneDomain(address.slice(at + 1))
  )
}

/** Returns addresses as `oneAddress` does, each once. */
export const oneOfEach = (addresses: readonly string[]): readonly string[] => [
  ...new Set(addresses.map(oneAddress)),
]

/** Returns an address in each form in which an earlier version may have stored it. */
export function addressForms(address: string): readonly string[] {
  const one = oneAddress(address)
  if (!/\P{ASCII}/u.test(one)) return [one]
  const at = one.lastIndexOf('@')
  return [...new Set([one, one.slice(0, at + 1) + domainToASCII(one.slice(at + 1)), address.toLowerCase()])]
}

/** Returns the forms of a domain in which mail clients may have it. */
export function domainForms(domain: string): readonly string[] {
  const one = oneDomain(domain)
  return /\P{ASCII}/u.test(one) ? [...new Set([domain, one, domainToASCII(one)])] : [domain]
}
