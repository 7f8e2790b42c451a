/** Finds addresses that mail clients reject, and links without a target or without a label for screen readers. */
import { type MarkupAreas, isConditionUse, whyNotInAttribute } from './markupAreas.ts'
import type { HtmlAttribute, HtmlToken } from './htmlTokens.ts'
import { cleanAttributeValue, isAnchorName } from '../../streams/html/markup.ts'
import type { ExpandedTemplate } from './expanded.ts'
import type { MarkupReport } from './markupReport.ts'
import { quoteUntrusted } from './finding.ts'
import { toPictureAddress } from '../../streams/html/address.ts'
import { writesCardAddress } from './cards.ts'

/** The start of an address with a fixed destination, so a value may follow. */
const FIXED_ADDRESS = /^(?:https?:\/\/[a-z\d.-]+(?::\d+)?[/?#]|(?:mailto|tel|sms):)/i

/** Attributes that screen readers read instead of a link's content. */
const LABELS: ReadonlySet<string> = new Set(['alt', 'aria-label', 'title'])

/** Addresses without a target. `#top` does not match, because it may be an anchor in the template. */
const EMPTY_LINK = /^(?:#|(?:mailto|tel|sms):|https?:\/*)?$/i
/** Addresses that open a draft with a subject or a body but no recipient. */
const WITHOUT_RECIPIENT = /^mailto:\?(?!(?:[^#]*&)?to=)/i
const HTTP_PICTURE = /^\s*http:/i

/** A link before its end tag. `hasLabel` is true once it has text or a label for screen readers. */
type OpenLink = { readonly at: number; hasLabel: boolean }

/**
 * Returns functions that check the addresses and links of one template.
 *
 * @param isCardAddress whether `{{card}}` writes the address of a person's card; otherwise it is a variable
 */
export function createLinkChecks(
  { text, masked }: ExpandedTemplate,
  areas: MarkupAreas,
  { error, warn }: MarkupReport,
  isCardAddress: boolean,
) {
  const anchors = new Set<string>()
  const toAnchors: Readonly<{ at: number; name: string }>[] = []
  let link: OpenLink | null = null

  function checkAddress(attribute: HtmlAttribute): void {
    const { name, from, to } = attribute
    const inside = areas.usesWithin(from, to)
    const [first] = inside
    const before = text.slice(from, first?.at ?? to).trimStart()
    const isFixed = FIXED_ADDRESS.test(before)
    const isWhole = first !== undefined && before === '' && text.slice(first.end, to).trim() === ''
    /** The address of a counted link; null for other attributes. */
    const counted = name === 'href' && first?.kind === 'counted' && isWhole ? (first.names[0] ?? '') : null
    const standsForWhole =
      first !== undefined &&
      before === '' &&
      (first.kind === 'web' ||
        (name === 'href' && isWhole && isCardAddress && first.kind === 'text' && writesCardAddress(first)) ||
        ((name === 'src' || name === 'background') &&
          (first.kind === 'picture' ||
            (first.kind === 'qr' && isWhole) ||
            (first.kind === 'text' && first.names[0] === 'picture_url'))))
    areas.addAttribute(attribute, (use) => {
      if (counted !== null || (use.kind === 'qr' && standsForWhole)) return null
      if (use.kind === 'phone') return 'A link has the digits alone: write "tel:{{tel …}}".'
      const problem = whyNotInAttribute(use)
      if (problem !== null) return problem
      if (isFixed || (standsForWhole && (use === first || !isConditionUse(use)))) return null
      return isConditionUse(use)
        ? 'A condition may not decide where an address leads; put it around the whole element.'
        : 'A value in an address needs "web", or "tel:", "mailto:" or a whole host before it.'
    })
    // A value that is an entire address is always a web address, so a made-up web address is checked instead.
    const judged =
      counted ?? (standsForWhole ? `https://signet.example/${masked.slice(first.end, to)}` : attribute.value)
    const clean =
      name === 'src' || name === 'background'
        ? toPictureAddress(judged)
        : cleanAttributeValue(name, judged, toPictureAddress)
    if (name === 'src' || name === 'background') {
      if (clean === null || HTTP_PICTURE.test(judged))
        error(
          attribute.at,
          'address',
          `Pictures are {{picture logo.png}} or an https address; ${quoteUntrusted(text.slice(from, to))} is neither.`,
        )
    } else if (name === 'href' && EMPTY_LINK.test(judged.trim()))
      error(attribute.at, 'emptyLink', `The link ${quoteUntrusted(text.slice(from, to))} leads nowhere.`)
    else if (clean === null)
      error(
        attribute.at,
        'address',
        `The address ${quoteUntrusted(text.slice(from, to))} is not taken by mail.`,
      )
    else if (name === 'href' && WITHOUT_RECIPIENT.test(judged.trim()))
      warn(
        attribute.at,
        'emptyLink',
        'The link begins a mail without a recipient: write the address behind "mailto:".',
      )
    else if (name === 'href' && judged.trim().startsWith('#'))
      toAnchors.push({ at: attribute.at, name: judged.trim().slice(1) })
  }

  /** Warns of links without a label for screen readers. Links that only Word reads are ignored. */
  function followLink(token: HtmlToken): void {
    if (areas.isInWord()) return
    const isLink = (token.kind === 'open' || token.kind === 'close') && token.name === 'a'
    if (isLink && link?.hasLabel === false)
      warn(
        link.at,
        'noLabel',
        'The link has no text, and no picture with one: a screen reader cannot name it.',
      )
    if (isLink) link = null
    if (token.kind === 'text' && token.raw === null) {
      if (link !== null && token.text.trim() !== '') link.hasLabel = true
    } else if (token.kind === 'open') {
      const isLabelled = token.attributes.some(({ name, value }) => LABELS.has(name) && value.trim() !== '')
      if (isLink && token.attributes.some(({ name }) => name === 'href'))
        link = { at: token.at, hasLabel: isLabelled }
      else if (link !== null && isLabelled) link.hasLabel = true
    }
  }

  /** Reports links to anchors that are not in the template, or that the add-in removes. */
  function checkAnchors(): void {
    for (const { at, name } of toAnchors)
      if (!anchors.has(name))
        error(at, 'emptyLink', `Nothing here is named ${quoteUntrusted(name)}: the link leads nowhere.`)
      else if (!isAnchorName(name))
        error(
          at,
          'emptyLink',
          `The add-in leaves the name ${quoteUntrusted(name)} out; it keeps one with a digit or a hyphen, such as "legal-1".`,
        )
  }

  return { checkAddress, followLink, addAnchor: (name: string) => anchors.add(name), checkAnchors }
}
