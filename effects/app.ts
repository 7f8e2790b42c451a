import type { AppEvent } from '../streams/app/events.ts'
import type { AppState } from '../streams/app/state.ts'
import type { Effect } from '../streams/kernel/effect.ts'
import type { Ports } from './ports.ts'

/** Every effect of the house: hears every event, sees the whole state, reaches the world through the ports. */
export type AppEffect = Effect<AppEvent, AppState, Ports>
