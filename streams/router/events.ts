import { data, defineEvents, type EventOf } from '../kernel/event.ts'

/** A path inside the pane, such as `/app/signatures/main`; hash mode, so it stands behind `#` in the address. */
export type Path = string

export const Router = defineEvents('router', {
  navigationRequested: data<{ to: Path }>(),
  /** The address of the pane is this path now. */
  navigated: data<{ path: Path }>(),
})
export type RouterEvent = EventOf<typeof Router>
