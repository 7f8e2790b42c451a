import { type Context, createContext, type ReactNode, useContext } from 'react'
import type { StateStream } from '../../streams/kernel/effect.ts'
import { useStateOf } from './state.ts'
import { ToolsProvider, type ViewTools } from './tools.tsx'

/** The program's interface for views: the state to draw, and a function to record gestures. */
export type ProgramForViews<State, Gesture> = ViewTools &
  Readonly<{
    state$: StateStream<State>
    record(event: Gesture): void
    /** The program's own version. */
    version: string
  }>

/**
 * The React context of one program: its provider, tools, a state selector and `record`.
 * @param name the provider's name, for the error of a view that is drawn outside it
 */
export function createProgram<State, Gesture, Views extends ProgramForViews<State, Gesture>>(name: string) {
  const Program: Context<Views | null> = createContext<Views | null>(null)
  function useViews(): Views {
    const views = useContext(Program)
    if (!views) throw new Error(`a view was drawn outside ${name}`)
    return views
  }
  return {
    Provider: ({ value, children }: { value: Views; children: ReactNode }) => (
      <Program value={value}>
        <ToolsProvider value={value}>{children}</ToolsProvider>
      </Program>
    ),
    useViews,
    /**
     * Draws again only when the selected part changes; `select` must return the same object for the same state. If the
     * state ended with an error, throws it for the boundary around the views.
     */
    useSelected: <Part,>(select: (state: State) => Part): Part => useStateOf(useViews().state$, select),
    useRecord: (): Views['record'] => useViews().record,
    /**
     * Makes handlers that record an event. The event is given, or a function makes it from the handler's arguments:
     * `onPress={recording(Place.retryRequested())}`, `onLink={recording((to) => Place.linkFollowed({ to }))}`.
     */
    useRecording: () => {
      const { record } = useViews()
      return <Given extends readonly unknown[]>(event: Gesture | ((...given: Given) => Gesture)) => {
        const eventOf = (typeof event === 'function' ? event : () => event) as (...given: Given) => Gesture
        return (...given: Given) => {
          record(eventOf(...given))
        }
      }
    },
  }
}
