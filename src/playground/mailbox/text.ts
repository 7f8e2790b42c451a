import { decodeReferences, escapeText, tokensOf } from '../../../streams/html/tokens.ts'

const BLOCKS: ReadonlySet<string> = new Set('p div tr li h1 h2 h3 h4 h5 h6 table blockquote'.split(' '))

/** The plain text of a tag, such as a line break. */
function breakAt({ kind, name }: Readonly<{ kind: 'open' | 'close'; name: string }>): string {
  if (kind === 'close') return BLOCKS.has(name) ? '\n' : name === 'td' || name === 'th' ? '\t' : ''
  if (name === 'hr') return `\n${'_'.repeat(32)}\n`
  return name === 'br' ? '\n' : ''
}

/** A message's plain text as a mail client shows it: a line for each block, and only the text of each link. */
export function htmlToText(html: string): string {
  const parts: string[] = []
  let text = ''
  let lastBreak = ''
  const endText = (nextBreak: string) => {
    const line = text.replace(/\s+/g, ' ')
    const start = lastBreak !== '' && line.startsWith(' ') ? 1 : 0
    parts.push(decodeReferences(line.slice(start)), nextBreak)
    text = ''
    lastBreak = nextBreak
  }
  for (const token of tokensOf(html)) {
    if (token.kind === 'text') text += html.slice(token.start, token.end)
    else if (token.kind === 'open' || token.kind === 'close') endText(breakAt(token))
  }
  endText('')
  return parts
    .join('')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** HTML that shows the same characters and lines as the text. */
export const textToHtml = (text: string): string => escapeText(text).replace(/\r\n?|\n/g, '<br>')
