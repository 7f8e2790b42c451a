import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Failure } from '../../streams/kernel/failure.ts'
import { explainFailure, type Purpose } from '../../views/text/failure.ts'
import { failure } from '../support/arbitraries.ts'
import { englishTexts } from './drawing.tsx'

const texts = englishTexts()
const said = (of: Failure, purpose: Purpose): string => {
  const { what, meaning, action, values } = explainFailure(of, purpose)
  return [what, meaning, action].map((key) => texts.t(key, { ...values })).join(' ')
}
const purposes = ['signIn', 'load', 'insert', 'copy', 'setDefault', 'restoreBody'] as const

test('every failure has three complete sentences, for every purpose', () => {
  fc.assert(
    fc.property(failure, fc.constantFrom(...purposes), (of, purpose) => {
      const { what, meaning, action, values } = explainFailure(of, purpose)
      for (const key of [what, meaning, action]) {
        const text = texts.t(key, { ...values })
        expect(text).not.toBe(key)
        expect(text).toMatch(/\.$/)
        expect(text).not.toMatch(/undefined|NaN/)
        if (!('name' in of)) expect(text).not.toContain('{{')
      }
    }),
  )
})

test('the text about a too long signature names its length, the limit and the state of the message', () => {
  expect(said({ kind: 'tooLarge', characters: 40_120, limit: 30_000, parts: [] }, 'insert')).toBe(
    'This signature is too long for Outlook: 40,120 characters. The limit is 30,000. Your message wasn’t changed. Choose a shorter signature.',
  )
})

test('[SAFE-6] the parts of a too long signature are named, the largest first', () => {
  const parts = [
    { part: 'styles', characters: 21_000 },
    { part: 'text', characters: 9_000 },
  ]
  const { largest } = explainFailure({ kind: 'tooLarge', characters: 40_120, limit: 30_000, parts }, 'insert')
  expect(largest.map(({ part, characters }) => texts.t(part, { characters }))).toEqual([
    'formatting (21,000)',
    'text (9,000)',
  ])
  expect(explainFailure({ kind: 'network' }, 'insert').largest).toEqual([])
})

test('without a reply the outcome is unknown only for the call that sets the signature', () => {
  const silent = (call: string) => explainFailure({ kind: 'hostSilent', call }, 'insert').meaning
  expect(silent('body.setSignatureAsync')).toBe('meaning.unsure')
  expect(silent('addFileAttachmentFromBase64Async')).toBe('meaning.unchanged')
})

test.each<readonly [Failure, boolean]>([
  [{ kind: 'network' }, true],
  [{ kind: 'http', status: 503, code: null, data: null }, true],
  [{ kind: 'http', status: 403, code: 'unknown_user', data: null }, false],
  [{ kind: 'host', call: 'setSignatureAsync', code: 9006, name: 'DataExceedsMaximumSize' }, false],
  [{ kind: 'tooLarge', characters: 30_001, limit: 30_000, parts: [] }, false],
  [{ kind: 'auth', code: 'host_13001' }, true],
  [{ kind: 'auth', code: 'host_13012' }, false],
])('%j: a retry is offered only when it can help', (of, mayRetry) => {
  expect(explainFailure(of, 'insert').mayRetry).toBe(mayRetry)
})

test('each sign-in code that the user can act on has its own text', () => {
  const codes = [13001, 13002, 13003, 13004, 13006, 13008, 13010, 13013].map((code) => `host_${code}`)
  const words = [...codes, 'email_missing', 'another'].map((code) => said({ kind: 'auth', code }, 'signIn'))
  expect(new Set(words).size).toBe(words.length)
})
