import type { Recorded } from '../kernel/event.ts'
import { assertNever } from '../kernel/event.ts'
import { withChanges } from '../kernel/changes.ts'
import type { Path, RouterEvent } from './events.ts'
import { isInApp, isLogout, wantedBy } from './rules.ts'

/** `wanted` is where the person goes after the next sign-in, because they were sent away from there; null: nowhere. */
export type RouterState = Readonly<{ path: Path; wanted: Path | null }>

export const initialRouter: RouterState = { path: '/home', wanted: null }

export function evolveRouter(state: RouterState, event: Recorded<RouterEvent>): RouterState {
  switch (event.type) {
    case 'router/navigated':
      return withChanges(state, { path: event.data.path, wanted: wantedAt(event.data.path, state) })
    case 'router/navigationRequested':
      return state
    default:
      return assertNever(event)
  }
}

/** Arriving inside is what was wanted. */
function wantedAt(path: Path, { wanted }: RouterState): Path | null {
  if (isLogout(path)) return wantedBy(path)
  return isInApp(path) ? null : wanted
}
