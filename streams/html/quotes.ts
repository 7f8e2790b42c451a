import { decodeReferences, type OpenTag, type Token } from './tokens.ts'

// Finds the start of a quoted thread, in the styles of the common mail clients. Everything after it is quoted.

/**
 * Attributes of elements that begin a thread: ids from Outlook's editions and Zimbra, with the prefix `x_` if a client
 * quotes them again; classes from Gmail, Thunderbird, Yahoo, Proton, Tuta and Zoho; and `type="cite"`, which always
 * means a quotation.
 */
const QUOTES: ReadonlyMap<string, RegExp> = new Map([
  [
    'id',
    /^(?:x_)*(?:divrplyfwdmsg|appendonsend|mail-editor-reference-message-container|(?:mac_)?olk_src_body_section|ms-outlook-mobile-reference-message|yahoo_quoted|isforwardcontent|zwchr)/i,
  ],
  [
    'class',
    /moz-(?:cite-prefix|forward-container)|yahoo_quoted|(?:protonmail|tutanota|gmail)_quote|zmail_extra/i,
  ],
  ['type', /^cite$/i],
])
/** The two colours that Word uses for the line above a thread's header. */
const LINE = /#e1e1e1|#b5c4df|rgb\((?:225, ?225, ?225|181, ?196, ?223)\)/i

const hasValue = ({ attributes }: OpenTag, test: (name: string) => RegExp | undefined): boolean =>
  attributes.some(({ name, value }) => test(name)?.test(decodeReferences(value)))

/** The first field in the header above a thread, in the languages of mail clients. */
const FROM =
  /^(?:from|von|de|van|da|fra|från|od|от|від|feladó|kimden|lähettäjä|差出人|发件人|寄件者|寄件人|보낸 ?사람)\s*[:：]/i

/** A line such as `-----Original Message-----`, in any language. */
const isSeparator = (line: string): boolean =>
  /^-{5,}/.test(line) && /[^-]/.test(line) && line.endsWith('-----')

const BOLD = /^(?:b|strong)$/

/** The maximum length of a separator line. Longer lines are not read. */
const MAX_LINE = 120

/**
 * Finds the start of a quoted thread, token by token. Until then, `quote()` is the length of `source`. Plain text is
 * searched at once, without tokens.
 */
export function createQuoteFinder(source: string, isHtml: boolean) {
  let quote = isHtml ? source.length : quoteStartInText(source)
  /** The start of a line like Word's, which may belong to a thread's header; null without such a line. */
  let drawn: number | null = null
  let isBold = false
  return {
    quote: () => quote,
    read: (token: Token): void => {
      if (!isHtml || quote < source.length) return
      if (token.kind === 'open') {
        if (hasValue(token, (name) => QUOTES.get(name))) quote = token.start
        else if (hasValue(token, (name) => (name === 'style' ? LINE : undefined))) drawn ??= token.start
        isBold ||= BOLD.test(token.name)
      } else if (token.kind === 'close') isBold &&= !BOLD.test(token.name)
      else if (token.kind === 'text') {
        if (token.end - token.start > 6 * MAX_LINE) return void (drawn = null)
        const line = decodeReferences(source.slice(token.start, token.end)).trim()
        if (line === '') return
        if (isSeparator(line) || ((isBold || drawn !== null) && FROM.test(line))) quote = drawn ?? token.start
        drawn = null
      }
    },
  }
}

/** The start of a quoted thread in plain text. Without a thread, the text's length. */
export function quoteStartInText(text: string): number {
  let start = 0
  while (start < text.length) {
    const next = text.indexOf('\n', start)
    const end = next < 0 ? text.length : next
    if (text[start] === '>') return start
    if (end - start <= MAX_LINE) {
      const line = text.slice(start, end).trim()
      // A line of underscores begins a thread only if a header is below it. Otherwise the author wrote it.
      const hasHeader = () => FROM.test(text.slice(end, end + MAX_LINE).trim())
      if (isSeparator(line) || (/^_{20,}$/.test(line) && hasHeader())) return start
    }
    start = end + 1
  }
  return text.length
}
