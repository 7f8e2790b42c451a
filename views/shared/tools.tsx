import { createContext, useContext } from 'react'
import type { Sanitize } from '../../streams/html/plan.ts'
import type { Time } from '../../streams/kernel/time.ts'

/** The tools of the views of every program. */
export type ViewTools = Readonly<{
  /** Loads the sanitiser's chunk once. */
  loadSanitizer: () => Promise<Sanitize>
  /** The origins that a preview may load images from. */
  imageOrigins: readonly string[]
  time: Time
}>

const ToolsContext = createContext<ViewTools | null>(null)

export const ToolsProvider = ToolsContext.Provider

export function useTools(): ViewTools {
  const tools = useContext(ToolsContext)
  if (!tools) throw new Error('a view was drawn outside ToolsProvider')
  return tools
}
