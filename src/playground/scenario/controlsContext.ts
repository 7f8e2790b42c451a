import { createContext, useContext } from 'react'
import type { PlaygroundControls } from './controls.ts'

export const ControlsContext = createContext<PlaygroundControls | null>(null)

/** The page's controls. Throws outside a `ControlsContext`. */
export function useControls(): PlaygroundControls {
  const controls = useContext(ControlsContext)
  if (!controls) throw new Error('The component is outside a ControlsContext')
  return controls
}
