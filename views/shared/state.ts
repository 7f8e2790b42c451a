import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { StateStream } from '../../streams/kernel/effect.ts'

/**
 * Draws again only when the selected part changes; `select` must return the same object for the same state. If the
 * state ended with an error, throws it for the boundary around the views.
 */
export function useStateOf<State, Part>(state$: StateStream<State>, select: (state: State) => Part): Part {
  const failure = useRef<Readonly<{ error: unknown }> | null>(null)
  const subscribe = useCallback(
    (changed: () => void) => {
      const subscription = state$.subscribe({
        next: changed,
        error: (error: unknown) => {
          failure.current = { error }
          changed()
        },
      })
      return () => {
        subscription.unsubscribe()
      }
    },
    [state$],
  )
  return useSyncExternalStore(subscribe, () => {
    if (failure.current) throw failure.current.error
    return select(state$.value)
  })
}
