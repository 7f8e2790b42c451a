/**
 * Signature templates: HTML with placeholders for a user's variables.
 *
 *     {{job_title}}             the value, escaped for text and quoted attributes
 *     {{tel mobile_phone}}      digits and a leading plus, for `tel:`
 *     {{web website}}           an http(s) address, otherwise `#`
 *     {{#if mobile_phone}} … {{/if}}    only when the value is not empty; does not nest
 *     {{images}}                the address of the service's pictures
 */

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** The ways to write a value; without one it is escaped. */
const FILTERS: Readonly<Record<string, (value: string) => string>> = {
  tel: (value) => (value.startsWith('+') ? '+' : '') + value.replace(/\D/g, ''),
  web: (value) => (/^https?:\/\//i.test(value) ? escapeHtml(value) : '#'),
}

const PLACEHOLDER = /\{\{(?:#if (\w{1,100})|(\/if)|(?:(tel|web) )?(\w{1,100}))\}\}/g

/** Renders `template` in one pass; an unknown placeholder is empty. Values never become markup. */
export function renderTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const valueOf = (path: string) => (Object.hasOwn(values, path) ? (values[path] ?? '') : '')
  const parts: string[] = []
  let end = 0
  let isLeftOut = false
  const add = (part: string) => {
    if (!isLeftOut) parts.push(part)
  }
  for (const found of template.matchAll(PLACEHOLDER)) {
    const [placeholder, condition, endOfCondition, filter, path] = found
    add(template.slice(end, found.index))
    end = found.index + placeholder.length
    if (condition !== undefined) isLeftOut ||= valueOf(condition) === ''
    else if (endOfCondition !== undefined) isLeftOut = false
    else if (path !== undefined) add((FILTERS[filter ?? ''] ?? escapeHtml)(valueOf(path)))
  }
  add(template.slice(end))
  return parts.join('')
}

const TAG = /<img(?=[\s/])([^<>]*)>/gi
const SOURCE = /\ssrc\s*=\s*"([^"]*)"/i

/** The addresses of the pictures in `html` that begin with `prefix`, each once, in order. */
export function imageAddresses(html: string, prefix: string): string[] {
  const addresses = Array.from(html.matchAll(TAG), ([, attributes = '']) =>
    (SOURCE.exec(attributes)?.[1] ?? '').replaceAll('&amp;', '&'),
  )
  return [...new Set(addresses)].filter((address) => address.startsWith(prefix))
}
