import type { ValueTools } from '../../../streams/administration/plan/preview.ts'
import { type Formats, PLAIN_FORMATS } from '../../../streams/organisation/template/formats.ts'
import { useLoadedCode } from '../../shared/code.ts'
import { useAdministration } from './administration.tsx'

/** Stays pending, so that nothing is loaded or redrawn. */
const NOT_NEEDED = () => new Promise<never>(() => undefined)

/** Loads the value tools when they are first needed: null until then, `failed` if loading fails. */
export function useValueTools(areNeeded: boolean): ValueTools | 'failed' | null {
  const { loadValues } = useAdministration()
  return useLoadedCode<ValueTools>(areNeeded ? loadValues : NOT_NEEDED)
}

/** The formats for values. `haveFailed`: they could not be loaded, so values are shown unformatted. */
export type ShownFormats = Readonly<{ formats: Formats; haveFailed: boolean }>

export function useShownFormats(areNeeded: boolean): ShownFormats {
  const values = useValueTools(areNeeded)
  return values === null || values === 'failed'
    ? { formats: PLAIN_FORMATS, haveFailed: values === 'failed' }
    : { formats: values.formats, haveFailed: false }
}
