import { describe, expect, test } from 'vitest'
import { checkPrivateNames, PRIVATE_NAMES } from '../../src/build/privateNames.ts'

/** A map with one source, of which each character of one line of code is. */
const mapOf = (code: string, source: string): string =>
  JSON.stringify({
    version: 3,
    sources: [source],
    names: [],
    mappings: ['AAAA', ...Array.from({ length: code.length }, () => 'CAAC')].join(','),
  })

const check = (code: string, source: string): void => {
  checkPrivateNames(code, mapOf(code, source))
}

describe('private names', () => {
  test.each([
    ['a.valueStart', 'streams/html/tokens.ts'],
    ['const { letters: b, isOpen } = a', 'streams/html/elements.ts'],
    ['this._next = this.destination', 'node_modules/rxjs/dist/esm/internal/Subscriber.js'],
    ['let letters = a[isOpen]', 'streams/message/state.ts'],
    ['f({ [letters]: "of letters" })', 'streams/message/state.ts'],
  ])('are shortened in %s of %s', (code, source) => {
    expect(() => {
      check(code, source)
    }).not.toThrow()
  })

  test.each([
    ['a.letters', 'streams/message/state.ts', 'letters'],
    ['const { letters: b } = a', 'streams/message/state.ts', 'letters'],
    ['f({ isOpen: 1 })', 'streams/message/state.ts', 'isOpen'],
    ['class A { _next() {} }', 'streams/html/tokens.ts', '_next'],
    ['a.isOpen', 'node_modules/rxjs/dist/esm/internal/Subscriber.js', 'isOpen'],
    ['a["letters"]', 'streams/html/tokens.ts', 'letters'],
    ['rest(a, [`letters`])', 'streams/html/tokens.ts', 'letters'],
  ])('stop the build in %s of %s', (code, source, name) => {
    expect(() => {
      check(code, source)
    }).toThrow(`src/build/privateNames.ts has the name ${name}, which is not private`)
  })

  test('stop the build where the map says nothing', () => {
    expect(() => {
      checkPrivateNames('a.letters', JSON.stringify({ version: 3, sources: [], names: [], mappings: '' }))
    }).toThrow('an unknown place has it')
  })

  test('are no names of the language', () => {
    const owners = [
      Object,
      Array,
      String,
      Number,
      RegExp,
      Map,
      Set,
      WeakMap,
      Promise,
      Date,
      Error,
      Symbol,
      Function,
    ]
    const builtIn = owners.flatMap((owner) =>
      [owner, owner.prototype as object].flatMap((each) => Object.getOwnPropertyNames(each)),
    )
    const own = Object.getOwnPropertyNames(/a/)
    const found = Object.getOwnPropertyNames(/a/.exec('a'))
    expect(
      [...builtIn, ...own, ...found, ...Object.getOwnPropertyNames(Math), ...Object.getOwnPropertyNames(JSON)]
        .filter((name) => !name.startsWith('__'))
        .filter((name) => PRIVATE_NAMES.test(name)),
    ).toEqual([])
  })
})
