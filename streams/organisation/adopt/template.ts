import type { Variable } from '../release.ts'
import type { PersonState } from '../state.ts'
import type { Adopted } from './adopted.ts'

export type CleanSample = Readonly<{ html: string; person: PersonState | null }>
export type FoundTemplate = Pick<Adopted, 'template' | 'placeholders' | 'questions' | 'variables'>

export function findTemplate([first]: readonly CleanSample[], _: readonly Variable[]): FoundTemplate {
  return { template: first?.html ?? '', placeholders: [], questions: [], variables: [] }
}
