import { isWithinHtmlLimits } from '../../streams/html/limits.ts'
import type { Sanitize } from '../../streams/html/plan.ts'

const IN_ATTRIBUTES = /(\s(?:src|background)=["'])([^"']+)/g
const IN_STYLES = /(url\((?:["']|&quot;)?)([^"'()\s]+)/g
const TAGS = /<[^>]*>/g
const LEADING_AWAY = /\s(?:href|title)=(?:"[^"]*"|'[^']*')/g

/**
 * Replaces the sanitiser where there is no document. It keeps the contract (tests/engine/sanitizerContract.ts) and
 * removes nothing else.
 */
export const asIs: Sanitize = (html, profile, replacePicture = () => null) => {
  if (!isWithinHtmlLimits(html)) return ''
  const replace = (whole: string, before: string, address: string): string => {
    const replacement = replacePicture(address.replaceAll('&amp;', '&'))
    return replacement === null ? whole : before + replacement
  }
  const shown = html.replace(IN_ATTRIBUTES, replace).replace(IN_STYLES, replace)
  return profile === 'insert' ? shown : shown.replace(TAGS, (tag) => tag.replace(LEADING_AWAY, ''))
}
