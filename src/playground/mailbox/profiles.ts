import { tokensOf, type OpenTag } from '../../../streams/html/tokens.ts'
import type { Quirk } from './body.ts'
import { textToHtml } from './text.ts'

// How each edition of Outlook changes the content of a message, according to public reports to the Office.js team
// (report numbers in brackets). If no report mentions that a client keeps something, the simulated client drops it.

/** The editions of Outlook that the mail client can imitate. `null` means a client that works as documented. */
export const CLIENT_PROFILES = ['web', 'classic', 'mac', 'ios', 'android'] as const
export type ClientProfile = (typeof CLIENT_PROFILES)[number]

/** The quirks of each edition. */
export const PROFILE_QUIRKS: Readonly<Record<ClientProfile, readonly Quirk[]>> = {
  // Reported in #6402.
  web: ['stacksWithInlineImages'],
  classic: [],
  mac: [],
  ios: [],
  android: [],
}

const isPhone = (profile: ClientProfile | null): boolean => profile === 'ios' || profile === 'android'

/** Whether opening another message closes a draft's window and drops its session data. */
export const closesDraftOnSwitch = (profile: ClientProfile | null): boolean =>
  profile === 'web' || isPhone(profile)

/** Whether the client puts a text signature above the existing text, and never replaces it (#2038). */
export const prependsTextSignatures = (profile: ClientProfile | null): boolean => profile === 'web'

/** Whether the client sets signatures in messages but refuses them in meetings. */
export const refusesMeetingSignatures = (profile: ClientProfile | null): boolean =>
  profile === 'web' || isPhone(profile)

/** Whether the client raises events for meetings. */
export const raisesMeetingEvents = (profile: ClientProfile | null): boolean => !isPhone(profile)

/** Whether the client raises an event when the user forwards a meeting from the calendar. */
export const raisesForwardedMeetingEvents = (profile: ClientProfile | null): boolean => profile !== 'web'

/** Whether the client raises an event when a meeting's organiser changes. */
export const raisesOrganizerChanged = (profile: ClientProfile | null): boolean => profile === 'mac'

/** Whether the first read after setting a signature in an empty message still returns the earlier body (#3104). */
export const returnsOutdatedBody = (profile: ClientProfile | null): boolean => profile === 'classic'

/** Whether an attachment has another id until it is uploaded. In the simulation, the first read ends the upload. */
export const uploadsAttachmentsLate = (profile: ClientProfile | null): boolean => profile === 'web'

/** How often reading the body fails with 5001: with 7, every seventh read fails (#1842); with null, no read fails. */
export const bodyReadFailureInterval = (profile: ClientProfile | null): number | null =>
  profile === 'mac' ? 7 : null

const FONTS =
  'font-family: Aptos, Aptos_EmbeddedFont, Aptos_MSFontService, Calibri, Helvetica, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);'
const BLOCKS: ReadonlySet<string> = new Set('div p table ul ol li blockquote hr h1 h2 h3 h4 h5 h6'.split(' '))

type Rewrite = Readonly<{
  drops?: (name: string) => boolean
  /** Returns the client's style for an element. */
  style?: (value: string | null, name: string) => string | null
  /** Whether a one-line `div` without an id becomes a paragraph (#5482, #5501). */
  flattens?: true
}>

/** Word rewrites every style: with a different spelling, and in points instead of pixels (#2045). */
const asWord = (value: string | null) =>
  value
    ?.split(';')
    .map((each) => each.trim().replace(/\s*:\s*/, ':'))
    .filter((each) => each !== '')
    .map((each) => each.replace(/(\d+)px\b/g, (_, pixels: string) => `${String(Number(pixels) * 0.75)}pt`))
    .join(';') ?? null

const DROPPED_ON_PHONES = ['cellspacing', 'cellpadding', 'class', 'contenteditable']

const REWRITES: Readonly<Record<ClientProfile, Rewrite>> = {
  // Reported in #5296 and #5320.
  web: {
    drops: (name) => name === 'class' || name.startsWith('data-') || name === 'contenteditable',
    style: (value, name) =>
      (name === 'p' || name === 'span') && !value?.startsWith(FONTS)
        ? `${FONTS} ${value ?? ''}`.trim()
        : value,
    flattens: true,
  },
  classic: { style: asWord },
  // Reported in #3376.
  mac: { drops: (name) => name === 'id' },
  // Reported in #4079 and #4685.
  ios: { drops: (name) => DROPPED_ON_PHONES.includes(name) },
  android: {
    drops: (name) => DROPPED_ON_PHONES.includes(name) || name === 'id' || name.startsWith('data-'),
  },
}

/** Whether this id or class is from a mail client, so that the simulated client keeps it. */
const isOwn = (name: string, value: string): boolean =>
  name === 'id'
    ? /^(?:x_)*(?:Signature|divRplyFwdMsg|appendonsend|mac_OLK|ms-outlook)/i.test(value)
    : name === 'class' &&
      /^(?:elementToProof|gmail_quote|yahoo_quoted|moz-cite-prefix|protonmail_quote)/i.test(value)

/** The offsets of the one-line `div`s without an id, which become paragraphs. */
function flattened(html: string): ReadonlySet<number> {
  const flat = new Set<number>()
  const open: { start: number; isFlat: boolean }[] = []
  for (const token of tokensOf(html)) {
    if (token.kind === 'open' && BLOCKS.has(token.name)) for (const each of open) each.isFlat = false
    if (token.kind === 'open' && token.name === 'div')
      open.push({ start: token.start, isFlat: !token.attributes.some(({ name }) => name === 'id') })
    else if (token.kind === 'close' && token.name === 'div') {
      const ended = open.pop()
      if (ended?.isFlat === true) flat.add(ended.start)
    }
  }
  return flat
}

function tag({ attributes }: OpenTag, as: string, { drops, style }: Rewrite): string {
  const kept = attributes.filter(
    (each) => each.name !== 'style' && (isOwn(each.name, each.value) || !drops?.(each.name)),
  )
  const given = attributes.find((each) => each.name === 'style')?.value ?? null
  const styled = style ? style(given, as) : given
  const written = [
    ...kept.map((each) => `${each.name}="${each.value.replaceAll('"', '&quot;')}"`),
    ...(styled === null ? [] : [`style="${styled.replaceAll('"', '&quot;')}"`]),
  ]
  return `<${[as, ...written].join(' ')}>`
}

/** Changes a body's HTML as the client does when it returns or sends the body. */
export function rewriteHtml(html: string, profile: ClientProfile | null): string {
  if (profile === null) return html
  const rewrite = REWRITES[profile]
  const flat = rewrite.flattens ? flattened(html) : new Set<number>()
  const names: string[] = []
  const parts: string[] = []
  for (const token of tokensOf(html)) {
    if (token.kind === 'open') {
      const as = flat.has(token.start) ? 'p' : token.name
      if (token.name === 'div') names.push(as)
      parts.push(tag(token, as, rewrite))
    } else if (token.kind === 'close' && token.name === 'div') parts.push(`</${names.pop() ?? 'div'}>`)
    else parts.push(html.slice(token.start, token.end))
  }
  return parts.join('')
}

// ---- Quotes ----

/** The header of a quoted message: the first field names its sender. */
export type QuoteHead = readonly (readonly [label: string, value: string])[]

/** The quoting styles of clients for replies; `unknown` is a style that no source describes. */
export const QUOTE_STYLES = [
  ...CLIENT_PROFILES,
  'outlookText',
  'gmail',
  'apple',
  'yahoo',
  'thunderbird',
  'proton',
  'unknown',
] as const
export type QuoteStyle = (typeof QUOTE_STYLES)[number]

const headLines = (head: QuoteHead): string =>
  head.map(([label, value]) => `<b>${label}:</b> ${textToHtml(value)}<br>`).join('')
const wrote = (head: QuoteHead): string => `On Friday, ${textToHtml(head[0]?.[1] ?? '')} wrote:`

/** Renames the ids in HTML, as Outlook on the web does in a quoted message. */
function withRenamedIds(html: string): string {
  const parts: string[] = []
  let end = 0
  for (const token of tokensOf(html))
    if (token.kind === 'open')
      for (const { name, value, valueStart } of token.attributes)
        if (name === 'id' && value !== '' && !value.startsWith('x_')) {
          parts.push(html.slice(end, valueStart), 'x_')
          end = valueStart
        }
  return parts.join('') + html.slice(end)
}

/** A message's HTML as a client quotes it below a reply. */
export function quoteHtml(style: QuoteStyle, head: QuoteHead, html: string): string {
  switch (style) {
    case 'web':
      return `<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">${headLines(head)}</div>${withRenamedIds(html)}`
    case 'classic':
      return `<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal">${headLines(head)}</p></div></div>${html}`
    case 'outlookText':
      return `<p>-----Original Message-----<br>${headLines(head)}</p>${html}`
    case 'mac':
      return `<div id="mac_OLK_SRC_BODY_SECTION"><div style="border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0in 0in 0in"><p>${headLines(head)}</p></div>${html}</div>`
    case 'ios':
      return `<div id="ms-outlook-mobile-reference-message"><hr><div>${headLines(head)}</div>${html}</div>`
    case 'android':
      return `<div>-------- Original message --------</div><div>${headLines(head)}</div>${html}`
    case 'gmail':
      return `<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${wrote(head)}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${html}</blockquote></div>`
    case 'apple':
      return `<div><br><blockquote type="cite"><div>${wrote(head)}</div><br><div>${html}</div></blockquote></div>`
    case 'yahoo':
      return `<div id="yahoo_quoted_1234567890" class="yahoo_quoted"><div>${wrote(head)}</div><div>${html}</div></div>`
    case 'thunderbird':
      return `<div class="moz-cite-prefix">${wrote(head)}<br></div><blockquote type="cite" cite="mid:1@northwind.example">${html}</blockquote>`
    case 'proton':
      return `<div class="protonmail_quote">${wrote(head)}<br><blockquote class="protonmail_quote" type="cite">${html}</blockquote></div>`
    case 'unknown':
      return `<div><p>${wrote(head)}</p><div>${html}</div></div>`
  }
}

/** A message's plain text as a client quotes it below a reply. */
export function quoteText(style: QuoteStyle, head: QuoteHead, text: string): string {
  const lines = head.map(([label, value]) => `${label}: ${value}`).join('\n')
  const cited = text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  switch (style) {
    case 'web':
    case 'ios':
      return `${'_'.repeat(32)}\n${lines}\n\n${text}`
    case 'classic':
    case 'outlookText':
    case 'mac':
      return `-----Original Message-----\n${lines}\n\n${text}`
    case 'android':
      return `-------- Original message --------\n${lines}\n\n${text}`
    case 'unknown':
      return `${head[0]?.[1] ?? ''} wrote:\n\n${text}`
    default:
      return `On Friday, ${head[0]?.[1] ?? ''} wrote:\n${cited}`
  }
}
