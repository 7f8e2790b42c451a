/** Suggests values of the directory for a condition. */
import {
  dropPending,
  idleStatus,
  type Load,
  loadAgain,
  loadedValue,
  pendingStatus,
  retryFailed,
} from '../../kernel/load.ts'
import { withChanges } from '../../kernel/changes.ts'
import { defineSlice, handlersWithin } from '../../kernel/slice.ts'
import { containsTyped, type FieldValues, type SuggestedField } from '../../organisation/rules/fieldValues.ts'
import type { Place } from '../place/events.ts'
import type { Session } from '../session/events.ts'
import { Suggestions } from './events.ts'
import { valueLinesOf } from './signatures.ts'

/** What is looked for: values of a field that contain a text. */
export type SoughtValues = Readonly<{ field: SuggestedField; search: string }>

export type SuggestionsState = Readonly<{ sought: SoughtValues | null; load: Load<FieldValues> }>

/** The loaded values that fit the typed text, without those that the condition has already. */
export function offeredValues(
  { sought, load }: SuggestionsState,
  { field, search }: SoughtValues,
  lines: string,
): FieldValues['values'] {
  const values = sought?.field === field ? (loadedValue(load)?.values ?? []) : []
  const chosen = new Set(valueLinesOf(lines))
  return values.filter(({ value }) => !chosen.has(value) && containsTyped(value, search))
}

/** Adds a value to the lines of a condition. */
export const withValueLine = (lines: string, value: string): string =>
  [...valueLinesOf(lines), value].join('\n')

const initial: SuggestionsState = { sought: null, load: idleStatus }

const isSame = (one: SoughtValues | null, other: SoughtValues): boolean =>
  one?.field === other.field && one.search === other.search

export const suggestions = defineSlice<
  SuggestionsState,
  typeof Suggestions | typeof Place | typeof Session
>()(initial, {
  ...handlersWithin('load', { ...Suggestions.handlers, 'place/retryRequested': retryFailed }),
  'suggestions/sought': (state, event) => {
    const { data: sought } = event
    const { load } = state
    if (isSame(state.sought, sought) && (load.status === 'pending' || load.status === 'success')) return state
    // The earlier values of the field stay until the answer, so that the list does not flicker.
    return {
      sought,
      load: state.sought?.field === sought.field ? loadAgain(load, event) : pendingStatus(event),
    }
  },
  // The directory may have changed since the last page.
  'place/entered': (state) => withChanges(state, initial),
  'session/expired': (state) => withChanges(state, { load: dropPending(state.load) }),
})
