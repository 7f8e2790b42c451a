import type { Variable } from '../../../streams/pane/variables/rules.ts'
import { toShownText } from '../../../streams/pane/variables/sanitizeText.ts'
import type { TextKey, Translate } from './texts.ts'

/** The variables that have a translated name. */
const NAMES: Readonly<Record<string, TextKey>> = {
  'variable.first_name': 'variable.first_name',
  'variable.last_name': 'variable.last_name',
  'variable.job_title': 'variable.job_title',
  'variable.department': 'variable.department',
  'variable.phone': 'variable.phone',
  'variable.mobile_phone': 'variable.mobile_phone',
  'variable.office': 'variable.office',
  'variable.company': 'variable.company',
  'variable.website': 'variable.website',
  'variable.network_page': 'variable.network_page',
  'variable.legal_line': 'variable.legal_line',
}

const PATH_KEY = 'variable.'

/**
 * The name of a variable without translation. The organisation's own name stays unchanged. A path becomes words:
 * `cost_center` becomes `Cost center`. A path with capitals, such as `iOS_device`, stays unchanged.
 */
const visibleTextOf = (key: string): string => {
  const path = key.startsWith(PATH_KEY) ? key.slice(PATH_KEY.length) : null
  if (path === null) return key
  if (path !== path.toLocaleLowerCase()) return path
  const words = path.replaceAll('_', ' ')
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}

/** The name of a variable: the organisation's own name, the translated name, or the words of its path. */
export function variableName({ translationKey }: Variable, t: Translate): string {
  const key = Object.hasOwn(NAMES, translationKey) ? NAMES[translationKey] : undefined
  return key ? t(key) : toShownText(visibleTextOf(translationKey))
}
