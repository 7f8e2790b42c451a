import type { Sanitize } from '../../streams/html/plan.ts'

const IN_ATTRIBUTES = /(\s(?:src|background)=["'])([^"']+)/g
const IN_STYLES = /(url\((?:["']|&quot;)?)([^"'()\s]+)/g

/** Stands for the sanitiser where there is no document: replaces pictures, and changes nothing else. */
export const asIs: Sanitize = (html, _profile, replacePicture = () => null) => {
  const replace = (whole: string, before: string, address: string): string => {
    const replacement = replacePicture(address.replaceAll('&amp;', '&'))
    return replacement === null ? whole : before + replacement
  }
  return html.replace(IN_ATTRIBUTES, replace).replace(IN_STYLES, replace)
}
