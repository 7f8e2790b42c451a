import { describe, expect, it } from 'vitest'
import { createCache, MAX_KEPT_REFERENCES } from '../../../../streams/organisation/plan/keptReferences.ts'

describe('a cache of a plan', () => {
  const create = () => createCache<number>((value) => value)

  it('gives back what it keeps, and counts its references and keys', () => {
    const cache = create()
    expect(cache.keep('12345678', 5)).toBe(5)
    expect([cache.get('12345678'), cache.references()]).toEqual([5, 6])
  })

  it('begins again when it is full', () => {
    const cache = create()
    cache.keep('a', MAX_KEPT_REFERENCES - 1)
    cache.keep('b', 1)
    expect([cache.get('a'), cache.get('b'), cache.references()]).toEqual([undefined, 1, 2])
  })

  it('keeps no value that is too large', () => {
    const cache = create()
    expect(cache.keep('a', MAX_KEPT_REFERENCES)).toBe(MAX_KEPT_REFERENCES)
    expect(cache.get('a')).toBeUndefined()
  })
})
