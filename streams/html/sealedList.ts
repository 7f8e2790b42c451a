/**
 * Seals recipient lists, so that mail clients can recognise a recipient in a list but cannot read the list. A sealed
 * list is an audience for `fitsAudience`: `#<name>:<salt>:<codes>`.
 */
import { digest } from 'ohash/crypto'

const SEALED = '#'
/** The characters of a code: 36 bits. Of 10,000 entries, one has the code of another address once in 7 million times. */
const CODE_CHARACTERS = 6
const SALT_CHARACTERS = 12
/** The most codes of recipients to remember. */
const MAX_REMEMBERED = 20_000

/** The first characters of a text's SHA-256 in base64url. */
const digestOf = (text: string, characters: number): string => digest(wellFormed(text)).slice(0, characters)

/** Replaces unpaired surrogates, which have no UTF-8. */
const wellFormed = (text: string): string =>
  text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) =>
    found.length > 1 ? found : '\ufffd',
  )

const codeOf = (salt: string, entry: string): string => digestOf(salt + entry, CODE_CHARACTERS)

/**
 * The audience of a list. Equal lists have equal audiences: the salt depends on the name and the entries.
 *
 * @param name without `:`
 * @param entries domains and addresses in lower case, in each spelling of mail clients
 */
export function sealList(name: string, entries: readonly string[]): string {
  const unique = [...new Set(entries)].sort()
  const salt = digestOf([name, ...unique].join('\n'), SALT_CHARACTERS)
  const codes = unique.map((entry) => codeOf(salt, entry)).sort()
  return [SEALED + name, salt, codes.join('')].join(':')
}

export const isSealedList = (audience: string): boolean => audience.startsWith(SEALED)

/** The name of a sealed list. */
export const nameOfSealed = (audience: string): string => audience.slice(SEALED.length).split(':', 1)[0] ?? ''

const remembered = new Map<string, string>()

/** The code of a recipient, computed once for each salt. */
function codeOfRecipient(salt: string, recipient: string): string {
  const key = salt + recipient
  const known = remembered.get(key)
  if (known !== undefined) return known
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  const code = codeOf(salt, recipient)
  remembered.set(key, code)
  return code
}

/** Whether a sealed list has this domain or address, in lower case. */
export function isInSealedList(audience: string, recipient: string): boolean {
  const [, salt = '', codes = ''] = audience.split(':')
  const code = codeOfRecipient(salt, recipient)
  // The codes are sorted and equally long, so they are searched without a copy of the list.
  let [low, high] = [0, Math.floor(codes.length / CODE_CHARACTERS)]
  while (low < high) {
    const middle = (low + high) >> 1
    const at = middle * CODE_CHARACTERS
    const found = codes.slice(at, at + CODE_CHARACTERS)
    if (found === code) return true
    if (found < code) low = middle + 1
    else high = middle
  }
  return false
}
