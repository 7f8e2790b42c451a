import { data, defineEvents, type EventOf } from '../kernel/event.ts'
import type { ViewName } from '../router/routes.ts'

export const Views = defineEvents('views', {
  /** A route needs a view that is not there yet. */
  wanted: data<{ view: ViewName }>(),
  loaded: data<{ view: ViewName }>(),
  /** It takes longer than a person waits without wondering. */
  slow: data<{ view: ViewName }>(),
  /** It could not be loaded, or not in time; it is tried again at the next visit. */
  timedOut: data<{ view: ViewName }>(),
})
export type ViewsEvent = EventOf<typeof Views>
