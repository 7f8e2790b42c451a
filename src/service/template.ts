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

/** Renders `template`; an unknown placeholder is empty. Values never become markup. */
export function renderTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const valueOf = (path: string) => (Object.hasOwn(values, path) ? (values[path] ?? '') : '')
  return template
    .replace(/\{\{#if (\w+)\}\}(.*?)\{\{\/if\}\}/gs, (_, path: string, inner: string) =>
      valueOf(path) === '' ? '' : inner,
    )
    .replace(/\{\{(?:(tel|web) )?(\w+)\}\}/g, (_, filter: string | undefined, path: string) => {
      const value = valueOf(path)
      if (filter === 'tel') return value.replace(/(?!^\+)\D/g, '')
      if (filter === 'web') return /^https?:\/\//i.test(value) ? escapeHtml(value) : '#'
      return escapeHtml(value)
    })
}

/** The addresses of the pictures in `html` that begin with `prefix`, each once, in order. */
export function imageAddresses(html: string, prefix: string): string[] {
  const addresses = [...html.matchAll(/<img\b[^>]*?\bsrc\s*=\s*"([^"]*)"/gi)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  )
  return [...new Set(addresses)].filter((address) => address.startsWith(prefix))
}
