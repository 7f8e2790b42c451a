import { expect, it } from 'vitest'
import { knownErrorReason, errorReason } from '../../src/server/reasons.ts'

const coded = (code: unknown, options?: ErrorOptions) =>
  Object.assign(new Error('foreign words', options), { code })

it.each([
  ['a code', coded('ENOSPC'), 'the disk is full (ENOSPC)'],
  [
    'the code of its cause',
    new TypeError('x', { cause: coded('ETIMEDOUT') }),
    'it does not answer in time (ETIMEDOUT)',
  ],
  [
    'the first of several addresses',
    new TypeError('x', { cause: new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]) }),
    'nothing accepts connections there (ECONNREFUSED)',
  ],
  [
    'a known code behind an unknown one',
    coded('EODD', { cause: coded('EACCES') }),
    'this user may not use it (EACCES)',
  ],
  ['a time limit', new DOMException('foreign words', 'TimeoutError'), 'it does not answer in time'],
  ['an unknown code', coded('EODD_1'), 'it failed (EODD_1)'],
  ['a code that is foreign text', coded('foreign words'), 'it failed'],
  ['a number', coded(7), 'it failed'],
  ['no code', new Error('foreign words'), 'it failed'],
  ['what is no error', 'foreign words', 'it failed'],
])('says the reason of an error by %s', (_, error, reason) => {
  expect(errorReason(error, 'it failed')).toBe(reason)
  expect(knownErrorReason(error)).toBe(reason.startsWith('it failed') ? null : reason)
})

it('ends where errors are the causes of each other', () => {
  const error: Error = new Error('one')
  error.cause = error
  expect(errorReason(error, 'it failed')).toBe('it failed')
})
