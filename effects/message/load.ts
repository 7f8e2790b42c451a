import type { AppEvent } from '../../streams/pane/events.ts'
import type { AppState } from '../../streams/pane/state.ts'
import { loadEffect } from '../../streams/kernel/loading.ts'
import { whileSignedIn } from './app.ts'
import type { Ports } from '../ports.ts'

/** Creates an effect that requests a load (`defineLoad`) for each event that begins it, until the session ends. */
export const createLoadEffect = loadEffect<AppEvent, AppState, Ports>(whileSignedIn)
