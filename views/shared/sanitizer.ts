import type { Sanitize } from '../../streams/html/plan.ts'
import { useLoadedCode } from './code.ts'
import { useTools } from './tools.tsx'

/** The sanitiser: null while it is loading, `failed` when it could not be loaded. */
export const useSanitizer = (): Sanitize | 'failed' | null => useLoadedCode(useTools().loadSanitizer)
