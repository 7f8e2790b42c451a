import type { TextKey } from './texts.ts'

/** The name of the advice text for each failure code of a run. */
const ADVICE = new Map<
  string,
  'unreachable' | 'token' | 'throttled' | 'forbidden' | 'database' | 'unexpected'
>([
  ['unreachable', 'unreachable'],
  ['token_refused', 'token'],
  ['throttled', 'throttled'],
  ['forbidden', 'forbidden'],
  ['database', 'database'],
  ['unexpected', 'unexpected'],
])

export function runFailureAdvice(code: string): Readonly<{ what: TextKey; action: TextKey }> {
  const advice = ADVICE.get(code) ?? 'answer'
  return { what: `directory.failure.${advice}`, action: `directory.failure.${advice}Action` }
}
