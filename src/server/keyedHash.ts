/** Creates hashes that only this service can create, and compares them. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Returns a function that hashes texts to this many base64url characters. Each `purpose` has its own key, derived from
 * the secret.
 */
export function createKeyedHash(
  secret: Uint8Array,
  purpose: string,
  characters: number,
): (text: string) => string {
  const key = createHmac('sha256', secret).update(purpose).digest()
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, characters)
}

/** Compares two hashes in constant time. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
