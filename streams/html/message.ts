import { toText } from './text.ts'

// Reads a message's body as the mail client returns it: HTML that the client may have rewritten. Nothing here changes
// a body.

/**
 * One signature of Signet in a body; `start` and `end` are the bounds of its wrapper, `whole` is the wrapper with its
 * content, `html` the content alone, `hash` the content hash.
 */
export type Found = Readonly<{
  combinedIds: string
  hash: string
  whole: string
  html: string
  start: number
  end: number
}>

const MARKER = /<div\b[^>]*\bdata-signet-hash="([^"]*)"[^>]*>/gi

const decodeAttribute = (value: string): string =>
  value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/**
 * The mail client's marker of its own signature: an id in Outlook on the web and new Outlook, a bookmark in classic.
 */
const CLIENT_SIGNATURE = /<(div|a|span)\b[^>]*(?:\bid=["']?Signature\b|\b_MailAutoSig\b)[^>]*>/gi

/** The end of the element `name` that opens at `start`; the end of the body when it is not closed. */
function endOf(name: string, body: string, start: number): number {
  // Tags in a comment do not count.
  const tags = new RegExp(`<!--[\\s\\S]*?-->|<(/?)${name}\\b[^>]*>`, 'gi')
  tags.lastIndex = start
  let depth = 0
  for (let tag = tags.exec(body); tag; tag = tags.exec(body)) {
    if (tag[1] === undefined) continue
    depth += tag[1] === '/' ? -1 : 1
    if (depth === 0) return tags.lastIndex
  }
  return body.length
}

/** The index where a quoted thread begins, by the markers of mail clients; the length of the body without one. */
const startOfQuote = (body: string): number => {
  const start = body.search(
    /<[a-z]+\b[^>]*\b(?:id="(?:x_)?(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container)"|class="[^"]*\b(?:gmail_quote|moz-cite-prefix)\b|type="cite")/i,
  )
  return start < 0 ? body.length : start
}

/** The signatures of Signet in the author's own part, without those in the quoted thread. */
export function findSignatures(body: string): readonly Found[] {
  const own = startOfQuote(body)
  const found: Found[] = []
  for (const match of body.matchAll(MARKER)) {
    const last = found.at(-1)
    if (match.index >= own || (last && match.index < last.end)) continue
    const end = endOf('div', body, match.index)
    const inner = body.slice(match.index + match[0].length, end).replace(/<\/div\s*>$/i, '')
    const ids = /\bdata-signet-id="([^"]*)"/i.exec(match[0])?.[1] ?? ''
    found.push({
      combinedIds: decodeAttribute(ids),
      hash: match[1] ?? '',
      whole: body.slice(match.index, end),
      html: inner,
      start: match.index,
      end,
    })
  }
  return found
}

type Bounds = Readonly<{ start: number; end: number }>

/** The mail client's own signature in the author's part, which `setSignatureAsync` replaces as it does Signet's. */
function findClientSignature(body: string, ours: readonly Bounds[]): readonly Bounds[] {
  const quote = startOfQuote(body)
  return [...body.matchAll(CLIENT_SIGNATURE)].flatMap(({ 1: name = '', index: start }) => {
    const end = Math.min(endOf(name, body, start), quote)
    // The client wraps an add-in's signature in the same way.
    return start >= quote || ours.some((our) => our.start < end && our.end > start) ? [] : [{ start, end }]
  })
}

/** The words of a body without those of signatures, in order. An insertion must preserve them. */
export function visibleTextOf(body: string): string {
  const ours = findSignatures(body)
  const signatures = [...ours, ...findClientSignature(body, ours)].sort(
    (one, other) => one.start - other.start,
  )
  let rest = ''
  let end = 0
  for (const found of signatures) {
    rest += `${body.slice(end, found.start)} `
    end = Math.max(end, found.end)
  }
  return toText(rest + body.slice(end))
    .replace(/[\s\u200B\uFEFF]+/g, ' ')
    .trim()
}

/**
 * Whether an insertion preserved every word of the author and of the quoted thread, in order. Words that were typed
 * meanwhile, and a signature that the client put between them, are no loss.
 */
export function preservesText(before: string, after: string): boolean {
  const former = visibleTextOf(before).replaceAll(' ', '')
  let found = 0
  for (const character of visibleTextOf(after))
    if (former.startsWith(character, found)) found += character.length
  return found === former.length
}

/** The content ids of the inline images in a body. */
export const contentIds = (body: string): ReadonlySet<string> =>
  new Set([...body.matchAll(/\bcid:([^"'()<>\s&]+)/gi)].map(([, id]) => id ?? ''))
