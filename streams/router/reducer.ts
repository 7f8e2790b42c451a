import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import type { Path, RouterEvent } from './events.ts'

export type RouterState = Readonly<{ path: Path }>

export const initialRouter: RouterState = { path: '/home' }

export function evolveRouter(state: RouterState, event: Recorded<RouterEvent>): RouterState {
  switch (event.type) {
    case 'router/navigated':
      return event.data.path === state.path ? state : { path: event.data.path }
    case 'router/navigationRequested':
      return state
    default:
      return assertNever(event)
  }
}
