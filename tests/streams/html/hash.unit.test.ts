import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentHash } from '../../../streams/html/hash.ts'

describe('the hash of a content', () => {
  const html = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 60 }))

  test('is equal exactly for equal contents', () => {
    fc.assert(
      fc.property(html, html, (one, other) => {
        expect(contentHash(one) === contentHash(other)).toBe(one === other)
      }),
      { numRuns: 1_000 },
    )
  })

  test('differs among twenty thousand similar contents, in characters fit for an attribute', () => {
    const hashes = Array.from({ length: 20_000 }, (_, index) => contentHash(`<p>Version ${index}</p>`))
    expect(new Set(hashes).size).toBe(20_000)
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-z]{1,12}$/)
  })
})
