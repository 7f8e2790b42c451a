/** Hashes that only this service can make, and how they are compared. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Makes a function that hashes texts with a key of its own for each purpose: so many characters of base64url. */
export function createKeyedHash(
  secret: Uint8Array,
  purpose: string,
  characters: number,
): (text: string) => string {
  const key = createHmac('sha256', secret).update(purpose).digest()
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, characters)
}

/** Compares in constant time. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
