import { withChanges } from '../../kernel/changes.ts'
import { defineSlice } from '../../kernel/slice.ts'
import type { Path, Router } from './events.ts'
import { HOME_PATH, isAppPath, isLogoutPath, pathBeforeLogout } from './rules.ts'

/** `wanted` is the path to return to after the next sign-in; null without one. */
export type RouterState = Readonly<{ path: Path; wanted: Path | null }>

function wantedAt(path: Path, { wanted }: RouterState): Path | null {
  if (isLogoutPath(path)) return pathBeforeLogout(path)
  // At a path under /app, the wanted path is no longer needed.
  return isAppPath(path) ? null : wanted
}

export const router = defineSlice<RouterState, typeof Router>()(
  { path: HOME_PATH, wanted: null },
  {
    'router/navigated': (state, { data: { path } }) =>
      withChanges(state, { path, wanted: wantedAt(path, state) }),
  },
)
