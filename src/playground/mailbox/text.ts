const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

const decode = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

/** The plain text of a message as a mail client shows it: a line per block, a link as its text. */
export const htmlToText = (html: string): string =>
  decode(
    html
      .replace(/<!--[\s\S]*?-->/g, '')
      .replace(/<(style|script|title)\b[\s\S]*?<\/\1\s*>/gi, '')
      .replace(/\s+/g, ' ')
      .replace(/<br\b[^>]*> ?/gi, '\n')
      .replace(/<hr\b[^>]*> ?/gi, `\n${'_'.repeat(32)}\n`)
      .replace(/ ?<\/(p|div|tr|li|h[1-6]|table|blockquote)\s*> ?/gi, '\n')
      .replace(/<\/t[dh]\s*> ?/gi, '\t')
      .replace(/<\/?[a-z][^>]*>/gi, ''),
  )
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Text as HTML that shows the same characters and lines. */
export const textToHtml = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\r\n?|\n/g, '<br>')
