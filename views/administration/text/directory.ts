import type { TextKey } from './texts.ts'

/** What happened to a run, and what to do. */
type Advice = Readonly<{ what: TextKey; action: TextKey }>

const ANSWER: Advice = { what: 'directory.failure.answer', action: 'directory.failure.answerAction' }

/** By the code of a run's failure. */
const ADVICE: ReadonlyMap<string, Advice> = new Map<string, Advice>([
  ['unreachable', { what: 'directory.failure.unreachable', action: 'directory.failure.unreachableAction' }],
  ['token_refused', { what: 'directory.failure.token', action: 'directory.failure.tokenAction' }],
  ['throttled', { what: 'directory.failure.throttled', action: 'directory.failure.throttledAction' }],
  ['forbidden', { what: 'directory.failure.forbidden', action: 'directory.failure.forbiddenAction' }],
  ['refused', ANSWER],
  ['malformed', ANSWER],
  ['unexpected', { what: 'directory.failure.unexpected', action: 'directory.failure.unexpectedAction' }],
])

export const adviceFor = (code: string): Advice => ADVICE.get(code) ?? ANSWER
