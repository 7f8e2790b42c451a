const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

// Private-use characters are placeholders while tags are removed.
const LINK = '\uE000'
const OPEN = '\uE001'
const CLOSE = '\uE002'
/** A line break, unless there is one already. */
const EDGE = '\uE003'

const decode = (text: string): string =>
  text.replace(/&(#x?[\da-f]+|\w+);/gi, (entity, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? entity
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10)
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })

const attributeOf = (tag: string, name: string): string =>
  decode(new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1] ?? '')

/**
 * The plain-text version of sanitised html: a table row is a line, cells are separated by a space, a link shows its
 * address unless its text does, an image shows its alternative text.
 */
export function toText(html: string): string {
  const links: string[] = []
  const withBreaks = html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(style|title)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/[\s\uE000-\uE003]+/g, ' ')
    .replace(/<img\b[^>]*>/gi, (tag) => attributeOf(tag, 'alt'))
    .replace(/<a\b[^>]*>/gi, (tag) => {
      links.push(attributeOf(tag, 'href').replace(/^(?:mailto|tel):/i, ''))
      return LINK
    })
    .replace(/<br\b[^>]*>|<\/?(?:p|h[1-6]|hr|blockquote)\b[^>]*>/gi, '\n')
    .replace(/<\/?(?:div|tr|table|li|ul|ol)\b[^>]*>/gi, EDGE)
    .replace(/<\/t[dh]\b[^>]*>/gi, ' ')
  const [before = '', ...linked] = withBreaks.split(LINK)
  const withLinks = linked.map((part, index) => {
    const [inside = '', ...after] = part.split(/<\/a\s*>/i)
    const text = decode(inside.replace(/<[^>]*>/g, '')).trim()
    const target = links[index] ?? ''
    const said = target === '' || text.replace(/\s/g, '').includes(target.replace(/\s/g, ''))
    return `${inside}${said ? '' : ` ${OPEN}${target}${CLOSE}`}${after.join('')}`
  })
  return decode([before, ...withLinks].join('').replace(/<[^>]*>/g, ''))
    .replace(
      /(\n?)(?:[^\S\n]*\uE003[^\S\n]*)+(\n?)/g,
      (_, before: string, after: string) => before + after || '\n',
    )
    .replaceAll(OPEN, '<')
    .replaceAll(CLOSE, '>')
    .split('\n')
    .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
