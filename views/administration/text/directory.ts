import type { TextKey } from './texts.ts'

/** The codes of a run's failure that have an advice of their own, by its name in the texts. */
const ADVICE = new Map<string, 'unreachable' | 'token' | 'throttled' | 'forbidden' | 'unexpected'>([
  ['unreachable', 'unreachable'],
  ['token_refused', 'token'],
  ['throttled', 'throttled'],
  ['forbidden', 'forbidden'],
  ['unexpected', 'unexpected'],
])

export function adviceFor(code: string): Readonly<{ what: TextKey; action: TextKey }> {
  const advice = ADVICE.get(code) ?? 'answer'
  return { what: `directory.failure.${advice}`, action: `directory.failure.${advice}Action` }
}
