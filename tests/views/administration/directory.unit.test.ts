import { expect, test } from 'vitest'
import { runFailureAdvice } from '../../../views/administration/text/directory.ts'

test.each([
  ['unreachable', 'directory.failure.unreachableAction'],
  ['token_refused', 'directory.failure.tokenAction'],
  ['throttled', 'directory.failure.throttledAction'],
  ['forbidden', 'directory.failure.forbiddenAction'],
  ['refused', 'directory.failure.answerAction'],
  ['malformed', 'directory.failure.answerAction'],
  ['database', 'directory.failure.databaseAction'],
  ['unexpected', 'directory.failure.unexpectedAction'],
  ['of a newer service', 'directory.failure.answerAction'],
])('a run that failed with %s says what to do', (code, action) => {
  expect(runFailureAdvice(code).action).toBe(action)
  expect(`${runFailureAdvice(code).what}Action`).toBe(action)
})
