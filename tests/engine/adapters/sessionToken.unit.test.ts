import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBase64Url, readAccount, readSession } from '../../../src/engine/adapters/sessionToken.ts'
import { revealSecret } from '../../../streams/kernel/secret.ts'

describe('the account in an access token', () => {
  const tokenOf = (claims: unknown) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`

  test.each<[unknown, string | null]>([
    [{ preferred_username: 'maria@a.example', upn: 'other@a.example' }, 'maria@a.example'],
    [{ upn: 'maria@a.example', unique_name: 'other@a.example' }, 'maria@a.example'],
    [{ unique_name: 'maría@a.example' }, 'maría@a.example'],
    [{ preferred_username: '' }, null],
    [{ preferred_username: 7 }, null],
    [{}, null],
    [null, null],
    ['maria@a.example', null],
  ])('of the claims %j is %s', (claims, account) => {
    expect(readAccount(tokenOf(claims))).toBe(account)
  })

  test('is unknown in a token that cannot be read', () => {
    for (const token of ['', 'opaque', 'a.b.c', 'token of alex@a.example'])
      expect(readAccount(token)).toBeNull()
  })
})

describe('text in base64url', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const bytes = Buffer.from(text)
        expect(decodeBase64Url(bytes.toString('base64url'))).toBe(text)
        expect(decodeBase64Url(bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_'))).toBe(text)
      }),
    )
  })

  test('is none when its bytes are no UTF-8', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.array(fc.constantFrom(0x41, 0x80, 0xa0, 0xbf, 0xc0, 0xc3, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf8), {
        maxLength: 6,
      }),
    )
    fc.assert(
      fc.property(bytes, (given) => {
        const buffer = Buffer.from(given)
        const text = buffer.toString()
        expect(decodeBase64Url(buffer.toString('base64url'))).toBe(
          Buffer.from(text).equals(buffer) ? text : null,
        )
      }),
      { numRuns: 1_000 },
    )
  })

  test.each(['a b', 'ä', '*', '===='])('is none with other characters: %s', (encoded) => {
    expect(decodeBase64Url(encoded)).toBeNull()
  })
})

describe('a session', () => {
  const claims = { sub: 'u-ü', email: 'a@example.com', exp: 2 }
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test('is read of a token, also of one in quotes', () => {
    const token = `x.${encode({ ...claims, more: 1 })}.y`
    for (const given of [token, `"${token}"`]) {
      const session = readSession(given)
      expect(session).toMatchObject({ userId: 'u-ü', email: 'a@example.com', expiresAt: 2_000 })
      expect(session && revealSecret(session.token)).toBe(token)
    }
  })

  test.each(['sub', 'email', 'exp'] as const)('is none without %s', (name) => {
    for (const value of [undefined, null, true])
      expect(readSession(`x.${encode({ ...claims, [name]: value })}.y`)).toBeNull()
  })

  test.each(['', 'x', 'x.y.z', `x.${encode(null)}.y`, `x.${encode('text')}.y`])(
    'is none of "%s"',
    (token) => {
      expect(readSession(token)).toBeNull()
    },
  )
})
