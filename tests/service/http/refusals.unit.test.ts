import { expect, it } from 'vitest'
import { DomainError, type DomainErrorCode } from '../../../src/service/operations/domainError.ts'
import { refusalFor } from '../../../src/service/http/refusals.ts'
import { STORE_PROBLEMS, type StoreProblem, StoreUnavailable } from '../../../src/service/sql/problems.ts'

const STATUSES: Readonly<Record<Exclude<DomainErrorCode, 'closing'>, number>> = {
  unknown_variable: 400,
  invalid_token: 401,
  not_approver: 403,
  not_editor: 403,
  unknown_user: 403,
  not_found: 404,
  account_bound: 409,
  approval_lapsed: 409,
  approval_missing: 409,
  approval_own: 409,
  approval_refused: 409,
  approval_unneeded: 409,
  base_moved: 409,
  person_changed: 409,
  unknown_signature: 422,
  beyond_limit: 409,
  conflict: 409,
  default_not_allowed: 409,
  no_directory: 409,
  plan_not_for_now: 409,
  stopped: 409,
  sync_running: 409,
  variable_is_locked: 409,
  variable_resync_failed: 409,
  photo_invalid: 422,
  picture_invalid: 422,
  identity_provider_unavailable: 503,
}

it.each(Object.entries(STATUSES))('%s is answered with %i', (code, status) => {
  const cause = new Error('cause')
  expect(refusalFor(new DomainError(code as DomainErrorCode, 'No.', { cause }))).toMatchObject({
    status,
    code,
    message: 'No.',
    retryAfterSeconds: null,
    cause,
    details: {},
  })
})

it('a service that is closing says when to ask again', () => {
  expect(refusalFor(new DomainError('closing', 'Later.'))).toMatchObject({
    status: 503,
    code: 'unavailable',
    message: 'Later.',
    retryAfterSeconds: 5,
  })
})

it('[SCALE-6] each problem of the database has a code and a sentence of its own, and may be tried again', () => {
  const problems = Object.keys(STORE_PROBLEMS) as StoreProblem[]
  const refusals = problems.map((problem) => refusalFor(new StoreUnavailable('db-7 refused', { problem })))
  expect(refusals.map((each) => [each?.status, each?.retryAfterSeconds])).toEqual(
    problems.map(() => [503, 5]),
  )
  expect(Object.fromEntries(problems.map((problem, index) => [problem, refusals[index]?.code]))).toEqual({
    away: 'unavailable',
    full: 'database_full',
    readOnly: 'database_read_only',
    locked: 'database_locked',
    cancelled: 'database_cancelled',
    busy: 'database_busy',
  })
  const messages = refusals.map((each) => each?.message ?? '')
  expect(new Set(messages).size).toBe(problems.length)
  for (const message of messages) expect(message).toMatch(/^The [^-]+\. Try again\.$/)
})

it('an unexpected error has no refusal', () => {
  expect(refusalFor(new Error('broken'))).toBeNull()
})
