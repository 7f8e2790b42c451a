import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf } from '../../../src/engine/adapters/requestAddress.ts'

const base = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS://'),
    fc.constantFrom(
      'api.example',
      'API.Example',
      'localhost:4401',
      'api.example:443',
      '[::1]:80',
      'bücher.example',
    ),
    fc.constantFrom('', '/', '/base', '/base/', '/base?x=1', '?x=1', '#x'),
  )
  .map((parts) => parts.join(''))
const path = fc
  .array(fc.constantFrom('api', 'v1', 'Ünï', 'a b', '%20', '..', '.', ';', ':', '@'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((segments) => `/${segments.join('/')}`)
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom("!'()*~-._ +%&=#?/", '\ud800', '\udc00a', '😀'),
)
const query = fc.dictionary(value, fc.option(value, { nil: undefined }), { maxKeys: 4 })

test('an address asks for the same as one of URL and URLSearchParams', () => {
  fc.assert(
    fc.property(base, path, query, (baseUrl, at, parameters) => {
      const expected = new URL(at, baseUrl)
      for (const [name, each] of Object.entries(parameters))
        if (each !== undefined) expected.searchParams.set(name, each)
      expect(new URL(addressOf(baseUrl, at, parameters)).href).toBe(expected.href)
    }),
  )
})

test.each(['', '/api', 'api.example', 'file:///etc', 'https://', 'javascript:alert(1)'])(
  'a base that names no server gives no address: "%s"',
  (baseUrl) => {
    expect(() => addressOf(baseUrl, '/a', {})).toThrow(TypeError)
  },
)
