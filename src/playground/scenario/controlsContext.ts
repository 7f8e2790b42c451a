import { createContext, useContext } from 'react'
import type { Controls } from './controls.ts'

export const ControlsContext = createContext<Controls | null>(null)

/** The page's controls. Throws outside a `ControlsContext`. */
export function useControls(): Controls {
  const controls = useContext(ControlsContext)
  if (!controls) throw new Error('The component is outside a ControlsContext')
  return controls
}
