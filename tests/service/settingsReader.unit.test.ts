import { describe, expect, it } from 'vitest'
import { createSettingsReader } from '../../src/service/settingsReader.ts'

const readerOf = (text: string, files: Readonly<Record<string, string>> = {}) =>
  createSettingsReader({ NAME: text }, (path) => files[path] ?? '')

describe('a setting', () => {
  it('is one of the values, the first by default, unless another one is', () => {
    expect(readerOf('off').oneOf('NAME', ['on', 'off'])).toBe('off')
    expect(readerOf(' ').oneOf('NAME', ['on', 'off'])).toBe('on')
    expect(readerOf('').oneOf('NAME', ['on', 'off'], 'off')).toBe('off')
  })

  it('with another value is refused in the given words, and has its default', () => {
    const read = readerOf('loud')
    expect(read.oneOf('NAME', ['on', 'off'])).toBe('on')
    expect(read.oneOf('NAME', ['a', 'b', 'c'], 'b', 'one of a, b, c')).toBe('b')
    expect(read.problems).toEqual(['NAME is not on or off.', 'NAME is not one of a, b, c.'])
  })

  it('is a list without the parts that have a problem', () => {
    const read = readerOf('a, b  c')
    expect(read.list('NAME', (part) => (part === 'b' ? 'b is wrong.' : null))).toEqual(['a', 'c'])
    expect(read.problems).toEqual(['NAME: b is wrong.'])
  })

  it('is an address and a port, without the brackets of IPv6', () => {
    expect(readerOf('[::1]:80').address('NAME', 'localhost:1')).toEqual({ host: '::1', port: 80 })
    expect(readerOf('').address('NAME', 'localhost:1')).toEqual({ host: 'localhost', port: 1 })
  })
})
