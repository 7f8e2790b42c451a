import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import type { StateStream } from '../../../streams/kernel/effect.ts'
import type { Controls } from './controls.ts'

/** The controls of the page. */
export const ControlsContext = createContext<Controls | null>(null)

export function useControls(): Controls {
  const controls = useContext(ControlsContext)
  if (!controls) throw new Error('There are no controls around this component')
  return controls
}

/** A state as it is now. */
export function useStateOf<State>(state$: StateStream<State>): State {
  const subscribe = useCallback(
    (changed: () => void) => {
      const listening = state$.subscribe(changed)
      return () => listening.unsubscribe()
    },
    [state$],
  )
  return useSyncExternalStore(subscribe, () => state$.value)
}
