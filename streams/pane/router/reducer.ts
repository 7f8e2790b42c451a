import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Path, Router } from './events.ts'
import { HOME, isInApp, isLogout, wantedBy } from './rules.ts'

/** `wanted` is the path to return to after the next sign-in; null without one. */
export type RouterState = Readonly<{ path: Path; wanted: Path | null }>

function wantedAt(path: Path, { wanted }: RouterState): Path | null {
  if (isLogout(path)) return wantedBy(path)
  // At a path under /app, the wanted path is no longer needed.
  return isInApp(path) ? null : wanted
}

export const router = defineSlice<RouterState, typeof Router>()(
  { path: HOME, wanted: null },
  {
    'router/navigated': (state, { data: { path } }) =>
      withChanges(state, { path, wanted: wantedAt(path, state) }),
  },
)
