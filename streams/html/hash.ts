/** The content hash of html (53 bits, base 36). Collisions are negligible. */
export function contentHash(html: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < html.length; index++) {
    const unit = html.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}

/** A text's place in a share, from 0 to just below 100: always the same for the same text, and even over many texts. */
export const placeOf = (text: string): number =>
  (Number.parseInt(contentHash(text).slice(-8), 36) % 10_000) / 100
