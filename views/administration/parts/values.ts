import type { ValueTools } from '../../../streams/administration/plan/preview.ts'
import { type Formats, PLAIN } from '../../../streams/organisation/template/formats.ts'
import { useCode } from '../../shared/code.ts'
import { useAdministration } from './administration.tsx'

/** Stays pending: nothing is loaded, and nothing is drawn again. */
const NOT_NEEDED = () => new Promise<never>(() => undefined)

/** The tools, loaded when they are needed first: null before, `failed` when they could not be loaded. */
export function useValues(areNeeded: boolean): ValueTools | 'failed' | null {
  const { loadValues } = useAdministration()
  return useCode<ValueTools>(areNeeded ? loadValues : NOT_NEEDED)
}

/** How values are written. `failed`: they are shown as they are. */
export type ShownFormats = Readonly<{ formats: Formats; haveFailed: boolean }>

export function useShownFormats(areNeeded: boolean): ShownFormats {
  const values = useValues(areNeeded)
  return values === null || values === 'failed'
    ? { formats: PLAIN, haveFailed: values === 'failed' }
    : { formats: values.formats, haveFailed: false }
}
