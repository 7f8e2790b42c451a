/** How many people fit the rules that the open page shows. */
import { withChanges } from '../../kernel/changes.ts'
import {
  dropPending,
  idleStatus,
  type Load,
  loadAgain,
  pendingStatus,
  retryFailed,
} from '../../kernel/load.ts'
import { defineSlice, handlersWithin } from '../../kernel/slice.ts'
import { canonicalText, type Selection } from '../../organisation/release/release.ts'
import type { FittingPeople } from '../../wire/administration/people.ts'
import type { Place } from '../place/events.ts'
import type { Session } from '../session/events.ts'
import { Fitting } from './events.ts'

export type FittingState = Readonly<{
  /** The rules that are counted; null before the first ones. */
  selection: Selection | null
  load: Load<FittingPeople>
}>

/** Whether two selections have the same rules. */
export const isSameSelection = (one: Selection | null, other: Selection | null): boolean =>
  one === other || (one !== null && other !== null && canonicalText(one) === canonicalText(other))

/** The count of these rules; idle while other rules are counted. */
export const fittingLoad = ({ selection, load }: FittingState, shown: Selection): Load<FittingPeople> =>
  isSameSelection(selection, shown) ? load : idleStatus

export const fitting = defineSlice<FittingState, typeof Fitting | typeof Place | typeof Session>()(
  { selection: null, load: idleStatus },
  {
    ...handlersWithin('load', { ...Fitting.handlers, 'place/retryRequested': retryFailed }),
    // Rules that were shown before keep their count while it is read again.
    'fitting/shown': (state, event) => {
      const { selection } = event.data
      if (!isSameSelection(state.selection, selection)) return { selection, load: pendingStatus(event) }
      return state.load.status === 'pending' ? state : { ...state, load: loadAgain(state.load, event) }
    },
    'session/expired': (state) => withChanges(state, { load: dropPending(state.load) }),
  },
)
