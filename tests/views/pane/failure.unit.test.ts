import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signInConditions } from '../../../streams/pane/auth/signInCodes.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { languages } from '../../../streams/wire/languages.ts'
import type { PossibleUse } from '../../../streams/pane/signatures/usable.ts'
import { explainFailure, type FailurePurpose, technicalDetailsOf } from '../../../views/pane/text/failure.ts'
import type { Texts } from '../../../views/pane/text/texts.ts'
import { failure } from '../../support/arbitraries.ts'
import { englishTexts } from '../drawing.tsx'

const texts = englishTexts()
for (const language of languages) {
  const file = path.join(import.meta.dirname, `../../../views/pane/text/${language}.json`)
  texts.addResourceBundle(language, 'translation', JSON.parse(readFileSync(file, 'utf8')) as Texts)
}

const said = (
  of: Failure,
  purpose: FailurePurpose,
  usable: PossibleUse = 'insert',
  language = 'en',
): string => {
  const { what, meaning, action, values } = explainFailure(of, purpose, usable)
  return [what, meaning, action].map((key) => texts.t(key, { ...values, lng: language })).join(' ')
}
const purposes = Object.keys({
  signIn: true,
  load: true,
  loadDefault: true,
  checkDefault: true,
  loadProfile: true,
  loadDetails: true,
  loadPicture: true,
  insert: true,
  takeOut: true,
  undo: true,
  restoreBody: true,
  copy: true,
  setDefault: true,
  setSender: true,
  saveDetails: true,
  savePicture: true,
  loadSettings: true,
  saveSettings: true,
  saveLog: true,
} satisfies Record<FailurePurpose, true>) as FailurePurpose[]
const usables = ['insert', 'copy', 'nothing'] as const

/** The texts of these failures depend on their names and codes. */
const known: readonly Failure[] = [
  ...Object.keys(signInConditions).map((code) => ({ kind: 'auth', code }) as const),
  ...[13000, 13001, 13002, 13003, 13004, 13006, 13008, 13010, 13013].map(
    (code) => ({ kind: 'auth', code: `host_${String(code)}` }) as const,
  ),
  { kind: 'auth', code: 'email_missing' },
  { kind: 'host', call: 'body.setSignatureAsync', code: 9020, name: 'InternalError' },
  { kind: 'host', call: 'body.setSignatureAsync', code: 9006, name: 'DataExceedsMaximumSize' },
  { kind: 'host', call: 'addFileAttachmentFromBase64Async', code: 9007, name: 'InvalidFormatError' },
  { kind: 'host', call: 'setSignature', code: 0, name: 'Not available on Standalone' },
  { kind: 'http', status: 422, code: 'variable_is_locked', data: null },
  { kind: 'http', status: 422, code: 'variable_resync_failed', data: null },
  { kind: 'http', status: 403, code: 'unknown_user', data: null },
]
const anyFailure = fc.oneof(failure, fc.constantFrom(...known))

describe('an explanation', () => {
  test('has three complete sentences, for every failure and every purpose', () => {
    fc.assert(
      fc.property(
        anyFailure,
        fc.constantFrom(...purposes),
        fc.constantFrom(...usables),
        (of, purpose, usable) => {
          const { what, meaning, action, values } = explainFailure(of, purpose, usable)
          for (const key of [what, meaning, action]) {
            const text = texts.t(key, { ...values, lng: 'en' })
            expect(text).not.toBe(key)
            expect(text).toMatch(/\.$/)
            // An address may itself contain "{{" or "NaN".
            const words = Object.values(values)
              .filter((value) => typeof value === 'string')
              .reduce((rest, value) => rest.replaceAll(value, ''), text)
            expect(words).not.toMatch(/undefined|NaN|\{\{/)
          }
        },
      ),
    )
  })

  /** No text in any language contains this, nor does a number of characters. */
  const marker = fc.stringMatching(/^[a-z]{3}$/).map((middle) => `Zq${middle}Error`)
  const status = fc.integer({ min: 400, max: 599 })
  const marked: fc.Arbitrary<Failure> = fc.oneof(
    fc.record({ kind: fc.constant('http' as const), status, code: marker, data: fc.record({ no: marker }) }),
    fc.record({ kind: fc.constant('malformed' as const), at: marker }),
    fc.record({
      kind: fc.constant('host' as const),
      call: marker,
      code: fc.integer({ min: 1000, max: 60_000 }),
      name: fc.oneof(marker, fc.constantFrom('InvalidFormatError', 'DataExceedsMaximumSize')),
    }),
    fc.record({
      kind: fc.constant('hostSilent' as const),
      call: fc.oneof(marker, fc.constantFrom('body.setSignatureAsync')),
    }),
    fc.record({
      kind: fc.constant('auth' as const),
      code: fc.oneof(marker, fc.constantFrom(...Object.keys(signInConditions), 'host_13001')),
      cause: marker,
    }),
    fc.record({ kind: fc.constant('defect' as const), message: marker }),
  )

  test('contains no name, code or status of another program, in any language', () => {
    fc.assert(
      fc.property(
        marked,
        fc.constantFrom(...purposes),
        fc.constantFrom(...languages),
        (of, purpose, language) => {
          const words = said(of, purpose, 'insert', language)
          const { kind, ...values } = of
          for (const value of Object.values(values).filter((each) => typeof each !== 'object'))
            expect(words, kind).not.toContain(String(value))
        },
      ),
    )
  })

  test('offers no retry where its words do not, and asks for none where there is none', () => {
    fc.assert(
      fc.property(anyFailure, fc.constantFrom(...purposes), (of, purpose) => {
        const { action, mayRetry } = explainFailure(of, purpose, 'insert')
        const here = action !== 'action.chooseThere'
        if (!mayRetry && here) expect(texts.t(action, { lng: 'en' })).not.toMatch(/try again/i)
      }),
    )
  })

  test('names the length of a too long signature, the limit and the state of the message', () => {
    expect(said({ kind: 'tooLarge', characters: 40_120, limit: 30_000, parts: [] }, 'insert')).toBe(
      'This signature is too long for Outlook: 40,120 characters. The limit is 30,000. Your message wasn’t changed. Choose a shorter signature.',
    )
  })

  test('[SAFE-6] names the parts of a too long signature, the largest first', () => {
    const parts = [
      { part: 'styles', characters: 21_000 },
      { part: 'text', characters: 9_000 },
    ]
    const { largest } = explainFailure(
      { kind: 'tooLarge', characters: 40_120, limit: 30_000, parts },
      'insert',
    )
    expect(largest.map(({ part, characters }) => texts.t(part, { characters, lng: 'en' }))).toEqual([
      'formatting (21,000)',
      'text (9,000)',
    ])
    expect(explainFailure({ kind: 'network' }, 'insert').largest).toEqual([])
  })

  test('says of each sign-in code that the user can act on something of its own', () => {
    const codes = [13001, 13002, 13003, 13004, 13006, 13008, 13010, 13013].map((code) => `host_${code}`)
    const words = [...codes, 'email_missing', 'another'].map((code) => said({ kind: 'auth', code }, 'signIn'))
    expect(new Set(words).size).toBe(words.length)
  })

  test('does not call a part of Signet that did not load a lost connection', () => {
    for (const purpose of purposes) {
      const { what, action } = explainFailure({ kind: 'notLoaded' }, purpose)
      expect([what, action]).toEqual(['what.notLoaded', 'action.reopen'])
    }
  })
})

describe('what a failure means', () => {
  const cut: Failure = { kind: 'network' }
  const refused: Failure = { kind: 'http', status: 422, code: null, data: null }
  const meaning = (of: Failure, purpose: FailurePurpose, usable: PossibleUse = 'insert') =>
    explainFailure(of, purpose, usable).meaning

  test.each<readonly [FailurePurpose, Failure, string]>([
    ['signIn', cut, 'signatureStays'],
    ['checkDefault', cut, 'defaultAsLoaded'],
    ['loadDetails', cut, 'signaturesStay'],
    ['loadPicture', cut, 'signaturesStay'],
    ['insert', cut, 'unchanged'],
    ['takeOut', cut, 'stillIn'],
    ['undo', cut, 'messageStays'],
    ['restoreBody', cut, 'bodyKept'],
    ['copy', cut, 'nothingCopied'],
    ['setDefault', refused, 'defaultAsShown'],
    ['setDefault', cut, 'mayHaveChanged'],
    ['setSender', refused, 'nothingChanged'],
    ['setSender', cut, 'mayHaveChanged'],
    ['saveDetails', refused, 'editsKept'],
    ['saveDetails', cut, 'editsUnsure'],
    ['savePicture', refused, 'nothingChanged'],
    ['savePicture', cut, 'mayHaveChanged'],
    ['loadSettings', { kind: 'storage', action: 'read' }, 'nothingByItself'],
    ['saveSettings', { kind: 'storage', action: 'write' }, 'settingsUnchanged'],
    ['saveLog', { kind: 'notLoaded' }, 'nothingSaved'],
  ])('for %s after %j is %s, whatever is loaded', (purpose, of, key) => {
    for (const usable of usables) expect(meaning(of, purpose, usable)).toBe(`meaning.${key}`)
  })

  test.each<readonly [FailurePurpose, readonly [insert: string, copy: string, nothing: string]]>([
    ['load', ['stillUsable', 'stillCopyable', 'nothingYet']],
    ['loadDefault', ['stillUsable', 'stillCopyable', 'noDefaultYet']],
    ['loadProfile', ['stillUsable', 'stillCopyable', 'messageStays']],
  ])('for %s is what the loaded signatures can still be used for', (purpose, keys) => {
    expect(usables.map((usable) => meaning(cut, purpose, usable))).toEqual(
      keys.map((key) => `meaning.${key}`),
    )
  })

  test.each<readonly [FailurePurpose, string, string]>([
    ['insert', 'meaning.unsure', 'action.lookThenRetry'],
    ['takeOut', 'meaning.unsureOut', 'action.lookThenTakeOut'],
    ['undo', 'meaning.unsureUndo', 'action.lookThenUndo'],
    ['restoreBody', 'meaning.bodyKept', 'action.restart'],
    ['copy', 'meaning.nothingCopied', 'action.restart'],
  ])('for %s is unknown only when the call that writes was not answered', (purpose, unsure, look) => {
    for (const call of ['body.setSignatureAsync', 'body.setAsync']) {
      const { meaning: means, action } = explainFailure({ kind: 'hostSilent', call }, purpose)
      expect([means, action]).toEqual([unsure, look])
    }
    const before = explainFailure({ kind: 'hostSilent', call: 'addFileAttachmentFromBase64Async' }, purpose)
    expect(before.meaning).toBe(meaning(cut, purpose))
    expect(before.action).toBe('action.restart')
  })

  test('is about the open message when another one was left', () => {
    for (const purpose of ['insert', 'takeOut', 'undo'] as const)
      expect(said({ kind: 'itemGone' }, purpose)).toBe(
        'You switched to another message before this was finished. The message you’re in now wasn’t changed. Go back to that message and try again there.',
      )
  })
})

test.each<readonly [Failure, boolean]>([
  [{ kind: 'network' }, true],
  [{ kind: 'timeout' }, true],
  [{ kind: 'malformed', at: 'data' }, true],
  [{ kind: 'defect', message: 'Defect' }, true],
  [{ kind: 'http', status: 500, code: null, data: null }, false],
  [{ kind: 'auth', code: 'host_13001' }, false],
  [{ kind: 'entryGone' }, false],
])('%j: a change may have been made, as far as the pane knows: %s', (of, isUncertain) => {
  for (const purpose of ['setDefault', 'setSender', 'savePicture'] as const) {
    const { meaning } = explainFailure(of, purpose)
    expect(meaning === 'meaning.mayHaveChanged', purpose).toBe(isUncertain)
  }
})

test.each<readonly [Failure, boolean]>([
  [{ kind: 'network' }, true],
  [{ kind: 'notLoaded' }, true],
  [{ kind: 'http', status: 500, code: null, data: null }, true],
  [{ kind: 'http', status: 503, code: null, data: null }, true],
  [{ kind: 'http', status: 408, code: null, data: null }, true],
  [{ kind: 'http', status: 409, code: null, data: null }, true],
  [{ kind: 'http', status: 400, code: null, data: null }, false],
  [{ kind: 'http', status: 422, code: null, data: null }, false],
  [{ kind: 'http', status: 422, code: 'variable_is_locked', data: null }, false],
  [{ kind: 'http', status: 422, code: 'variable_resync_failed', data: null }, true],
  [{ kind: 'http', status: 403, code: 'unknown_user', data: null }, false],
  [{ kind: 'host', call: 'setSignatureAsync', code: 9006, name: 'DataExceedsMaximumSize' }, false],
  [{ kind: 'tooLarge', characters: 30_001, limit: 30_000, parts: [] }, false],
  [{ kind: 'storage', action: 'read' }, false],
  [{ kind: 'storage', action: 'write' }, true],
  [{ kind: 'auth', code: 'host_13001' }, true],
  [{ kind: 'auth', code: 'host_13012' }, false],
])('%j: a retry is offered only when it can help', (of, mayRetry) => {
  expect(explainFailure(of, 'insert').mayRetry).toBe(mayRetry)
})

describe('what is technical about a failure', () => {
  test.each<readonly [Failure, readonly (readonly [string, string])[]]>([
    [{ kind: 'network' }, []],
    [{ kind: 'timeout' }, []],
    [{ kind: 'notLoaded' }, []],
    [{ kind: 'itemGone' }, []],
    [{ kind: 'entryGone' }, []],
    [{ kind: 'clipboard' }, []],
    [
      { kind: 'http', status: 422, code: 'variable_is_locked', data: { a: 1 } },
      [
        ['status', '422'],
        ['code', 'variable_is_locked'],
      ],
    ],
    [{ kind: 'http', status: 503, code: null, data: null }, [['status', '503']]],
    [{ kind: 'malformed', at: 'objects.0.html' }, [['place', 'objects.0.html']]],
    [
      { kind: 'host', call: 'body.setSignatureAsync', code: 5000, name: 'InternalError' },
      [
        ['call', 'body.setSignatureAsync'],
        ['name', 'InternalError'],
        ['code', '5000'],
      ],
    ],
    [{ kind: 'hostSilent', call: 'body.getAsync' }, [['call', 'body.getAsync']]],
    [{ kind: 'tooLarge', characters: 40_120, limit: 30_000, parts: [] }, [['size', '40120 > 30000']]],
    [{ kind: 'storage', action: 'write' }, [['call', 'write']]],
    [{ kind: 'auth', code: 'host_13001' }, [['code', 'host_13001']]],
    [
      { kind: 'auth', code: 'AUTH_GENERIC_ERROR', cause: 'no_such_error' },
      [
        ['code', 'AUTH_GENERIC_ERROR'],
        ['cause', 'no_such_error'],
      ],
    ],
    [{ kind: 'defect', message: 'TypeError: x is not a function' }, [['log', 'unexpected_error']]],
    [
      { kind: 'http', status: 500, code: 'internal_error', data: { request: 'r-17' } },
      [
        ['status', '500'],
        ['code', 'internal_error'],
        ['request', 'r-17'],
      ],
    ],
  ])('%j is listed', (of, lines) => {
    expect(technicalDetailsOf(of)).toEqual([
      ['notice.kind', of.kind],
      ...lines.map(([name, value]) => [`notice.${name}`, value]),
    ])
  })

  test('has a name for each value, and none twice', () => {
    fc.assert(
      fc.property(anyFailure, (of) => {
        const lines = technicalDetailsOf(of)
        for (const [name, value] of lines) {
          expect(texts.t(name, { lng: 'en' })).not.toBe(name)
          expect(value).not.toBe('')
        }
        expect(new Set(lines.map(([name]) => name)).size).toBe(lines.length)
      }),
    )
  })
})

describe('the cause of a failure', () => {
  const refused = { account: 'maria@northwind.example', mailbox: 'alex@northwind.example' }
  const http = (status: number, code: string | null = null): Failure => ({
    kind: 'http',
    status,
    code,
    data: null,
  })
  const host = (name: string): Failure => ({ kind: 'host', call: 'body.setAsync', code: 1, name })
  const auth = (code: string, cause?: string): Failure => ({
    kind: 'auth',
    code,
    ...(cause === undefined ? {} : { cause }),
  })

  test.each<readonly [Failure, FailurePurpose, what: string, action: string, mayRetry: boolean]>([
    [{ kind: 'network' }, 'load', 'network', 'connection', true],
    [{ kind: 'timeout' }, 'load', 'timeout', 'wait', true],
    [{ kind: 'notLoaded' }, 'load', 'notLoaded', 'reopen', true],
    [{ kind: 'malformed', at: 'x' }, 'load', 'malformed', 'retryOrAdministrator', true],
    [{ kind: 'defect', message: 'x' }, 'load', 'defect', 'retryOrAdministrator', true],
    [{ kind: 'entryGone' }, 'insert', 'entryGone', 'another', false],
    [{ kind: 'clipboard' }, 'copy', 'clipboard', 'allowClipboard', true],
    [{ kind: 'storage', action: 'write' }, 'saveSettings', 'notStored', 'allowStorage', true],
    [{ kind: 'storage', action: 'read' }, 'loadSettings', 'notRead', 'openAgain', false],
    [
      { kind: 'hostSilent', call: 'addFileAttachmentFromBase64Async' },
      'insert',
      'hostSilent',
      'restart',
      true,
    ],
    [{ kind: 'hostSilent', call: 'body.setSignatureAsync' }, 'insert', 'hostSilent', 'lookThenRetry', true],
    [{ kind: 'hostSilent', call: 'body.setAsync' }, 'takeOut', 'hostSilent', 'lookThenTakeOut', true],
    [{ kind: 'hostSilent', call: 'body.setAsync' }, 'undo', 'hostSilent', 'lookThenUndo', true],
    [{ kind: 'hostSilent', call: 'body.setAsync' }, 'restoreBody', 'hostSilent', 'restart', true],
    [http(403, 'unknown_user'), 'signIn', 'unknownUser', 'administrator', false],
    [
      { ...http(403, 'unknown_user'), refused } as Failure,
      ...(['signIn', 'accountRefused', 'mailboxAccount', false] as const),
    ],
    [
      { ...http(401, 'invalid_token'), refused } as Failure,
      ...(['signIn', 'accountRefused', 'mailboxAccount', false] as const),
    ],
    [http(422, 'variable_is_locked'), 'saveDetails', 'detailLocked', 'saveAgain', false],
    [http(422, 'unknown_variable'), 'saveDetails', 'detailGone', 'saveRest', false],
    [http(403, 'default_not_allowed'), 'setDefault', 'choiceNotAllowed', 'administrator', false],
    [http(403, 'not_delegated'), 'setSender', 'notDelegated', 'retryOrAdministrator', true],
    [http(422, 'variable_resync_failed'), 'saveDetails', 'resyncFailed', 'keepOwnOrLater', true],
    [http(401), 'load', 'notAccepted', 'restart', true],
    [http(400, 'invalid_token'), 'load', 'notAccepted', 'restart', true],
    [http(403), 'load', 'notAllowed', 'administrator', false],
    [http(404), 'insert', 'entryGone', 'another', false],
    [http(404), 'setDefault', 'entryGone', 'another', false],
    [http(404), 'setSender', 'entryGone', 'another', false],
    [http(404), 'load', 'notFound', 'retryOrAdministrator', true],
    [http(429), 'load', 'tooManyRequests', 'wait', true],
    [http(502), 'load', 'unavailable', 'wait', true],
    [http(503), 'load', 'unavailable', 'wait', true],
    [http(504), 'load', 'unavailable', 'wait', true],
    [http(399), 'load', 'serviceError', 'retryOrAdministrator', true],
    [http(400), 'load', 'refused', 'administrator', false],
    [http(408), 'load', 'serviceError', 'retryOrAdministrator', true],
    [http(409), 'load', 'serviceError', 'retryOrAdministrator', true],
    [http(499), 'load', 'refused', 'administrator', false],
    [http(500), 'load', 'serviceError', 'retryOrAdministrator', true],
    [http(501), 'load', 'serviceError', 'retryOrAdministrator', true],
    [host('Not available on Standalone'), 'insert', 'onlyInOutlook', 'openOutlook', false],
    [host('InvalidFormatError'), 'insert', 'wrongFormat', 'another', false],
    [host('DataExceedsMaximumSize'), 'insert', 'tooLargeForHost', 'shorter', false],
    [host('AttachmentSizeExceeded'), 'insert', 'tooLargeForHost', 'shorter', false],
    [host('NumberOfAttachmentsExceeded'), 'insert', 'tooLargeForHost', 'shorter', false],
    [host('InternalError'), 'insert', 'host', 'restart', true],
    [auth('endpoints_resolution_error'), 'signIn', 'providerUnreachable', 'connection', true],
    [auth('server_unavailable'), 'signIn', 'providerUnavailable', 'wait', true],
    [auth('unknown_server_error'), 'signIn', 'providerRefused', 'retryOrAdministrator', true],
    [auth('popup_window_error'), 'signIn', 'popupBlocked', 'allowPopups', true],
    [auth('user_cancelled'), 'signIn', 'consentCancelled', 'finishSignIn', true],
    [auth('token_renewal_error'), 'signIn', 'signInSlow', 'signInAgain', true],
    [auth('login_progress_error'), 'signIn', 'signInBusy', 'closeSignIns', true],
    [auth('invalid_state_error'), 'signIn', 'unexpectedAnswer', 'closeSignIns', true],
    [auth('invalid_id_token'), 'signIn', 'providerAnswer', 'retryOrAdministrator', true],
    [auth('user_login_error'), 'signIn', 'noAccount', 'signInAgain', true],
    [auth('user_non_existent'), 'signIn', 'accountUnknown', 'otherAccount', true],
    [auth('login_required'), 'signIn', 'signInRequired', 'signInAgain', true],
    [auth('consent_required'), 'signIn', 'consentRequired', 'allow', true],
    [auth('cannot_parse_cache'), 'signIn', 'signInCache', 'signInAgain', true],
    [auth('untrusted_authority'), 'signIn', 'hostSetup', 'administrator', false],
    [auth('AUTH_GENERIC_ERROR'), 'signIn', 'signInGeneric', 'retryOrAdministrator', true],
    [auth('AUTH_GENERIC_ERROR', 'no code'), 'signIn', 'signInGeneric', 'retryOrAdministrator', true],
    [auth('AUTH_GENERIC_ERROR', 'popup_window_error'), 'signIn', 'popupBlocked', 'allowPopups', true],
    [auth('user_cancelled', 'popup_window_error'), 'signIn', 'consentCancelled', 'finishSignIn', true],
    [auth('host_13001'), 'signIn', 'hostSignedOut', 'signInToHost', true],
    [auth('host_13002'), 'signIn', 'consentCancelled', 'allow', true],
    [auth('host_13003'), 'signIn', 'accountType', 'otherAccount', false],
    [auth('host_13004'), 'signIn', 'hostSetup', 'administrator', false],
    [auth('host_13006'), 'signIn', 'hostSession', 'restart', true],
    [auth('host_13007'), 'signIn', 'hostSession', 'restart', true],
    [auth('host_13008'), 'signIn', 'signInBusy', 'wait', true],
    [auth('host_13010'), 'signIn', 'hostUnsupported', 'updateHost', false],
    [auth('host_50001'), 'signIn', 'hostUnsupported', 'updateHost', false],
    [auth('host_13013'), 'signIn', 'signInThrottled', 'wait', true],
    [auth('email_missing'), 'signIn', 'mailboxUnknown', 'restart', true],
    [auth('host_1'), 'signIn', 'signInFailed', 'restart', true],
  ])('%j, which was to %s, is told as %s, with %s', (of, purpose, what, action, mayRetry) => {
    expect(explainFailure(of, purpose)).toMatchObject({
      what: `what.${what}`,
      action: `action.${action}`,
      mayRetry,
    })
  })
})
