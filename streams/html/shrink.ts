/** A kind of content in a signature. */
export type Part = 'styles' | 'pictures' | 'comments' | 'text' | 'markup'
export type PartSize = Readonly<{ part: Part; characters: number }>

/**
 * The same signature in fewer characters: removes what no mail client draws (comments except conditional ones, space
 * between tags without text, empty attributes, `px` after a zero). Text and layout stay the same.
 */
export const shrink = (html: string): string =>
  html
    .replace(/<!--(?!\[if|<!\[endif)[\s\S]*?-->/gi, '')
    .replace(/\s+/g, ' ')
    .replace(/>\s+(?=<\/?(?:table|tbody|thead|tfoot|tr|td|th|div|p|ul|ol|li|h[1-6]|center)\b)/gi, '>')
    .replace(
      /(<\/?(?:table|tbody|thead|tfoot|tr|td|th|div|p|ul|ol|li|h[1-6]|center)\b[^>]*>)\s+(?=<)/gi,
      '$1',
    )
    .replace(/\s(?:class|style|id|title)=""/gi, '')
    .replace(/\bstyle="([^"]*)"/gi, (_, style: string) => {
      const tight = style
        .replace(/\s*([:;,])\s*/g, '$1')
        .replace(/;+$/, '')
        .replace(/(^|[^\d.])0(?:px|pt|em)\b/g, (_, before: string) => `${before}0`)
      return `style="${tight.trim()}"`
    })
    .trim()

/** The parts by their number of characters, largest first. */
export function partsOf(html: string): readonly PartSize[] {
  const count = (pattern: RegExp) =>
    [...html.matchAll(pattern)].reduce((sum, [found]) => sum + found.length, 0)
  const styles = count(/<style\b[\s\S]*?<\/style>|\sstyle="[^"]*"/gi)
  const pictures = count(/data:[^"')\s]+/gi)
  const comments = count(/<!--[\s\S]*?-->/g)
  const bare = html.replace(/<style\b[\s\S]*?<\/style>|<!--[\s\S]*?-->/gi, '').replace(/<[^>]*>/g, '')
  const text = bare.length
  const markup = Math.max(0, html.length - styles - pictures - comments - text)
  const parts: PartSize[] = [
    { part: 'styles', characters: styles },
    { part: 'pictures', characters: pictures },
    { part: 'comments', characters: comments },
    { part: 'text', characters: text },
    { part: 'markup', characters: markup },
  ]
  return parts
    .filter(({ characters }) => characters > 0)
    .sort((one, other) => other.characters - one.characters)
}
