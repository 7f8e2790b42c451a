import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { ViewName } from '../router/routes.ts'
import type { ViewsEvent } from './events.ts'

/** `pending` shows nothing yet, `slow` the loading view, `timedOut` the timeout view. */
export type ViewStatus = 'pending' | 'slow' | 'loaded' | 'timedOut'

/** A view that was never wanted is not in it. */
export type ViewsState = Readonly<Partial<Record<ViewName, ViewStatus>>>

export const initialViews: ViewsState = {}

const withStatus = (state: ViewsState, view: ViewName, status: ViewStatus): ViewsState =>
  state[view] === status ? state : { ...state, [view]: status }

export function evolveViews(state: ViewsState, event: Recorded<ViewsEvent>): ViewsState {
  const { view } = event.data
  switch (event.type) {
    case 'views/wanted':
      return withStatus(state, view, 'pending')
    case 'views/loaded':
      return withStatus(state, view, 'loaded')
    case 'views/slow':
      return state[view] === 'pending' ? withStatus(state, view, 'slow') : state
    case 'views/timedOut':
      return state[view] === 'loaded' ? state : withStatus(state, view, 'timedOut')
    default:
      return assertNever(event)
  }
}
