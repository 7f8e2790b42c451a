/** Finds what mail clients refuse in a template, and placeholders whose value could become markup. */
import { TAGS, ATTRIBUTES, cleanValue, isAnchorName } from '../../streams/html/markup.ts'
import { toPictureAddress } from '../../streams/html/address.ts'
import { cleanDeclarations, cleanStyleSheet } from '../../streams/html/styles.ts'
import { readDeclarations, readStyleSheet } from './css.ts'
import { writesCard } from './cards.ts'
import type { Expanded, Use } from './expanded.ts'
import { type Finding, quote, reportTo } from './finding.ts'
import { type HtmlAttribute, htmlTokens, type HtmlToken, wordMarkup } from './htmlTokens.ts'

/** Elements that run code, load content, take input or replace the message. */
const REFUSED_TAGS: ReadonlySet<string> = new Set(
  (
    'applet audio base bgsound button canvas datalist dialog embed fieldset form frame frameset iframe input keygen ' +
    'link math meta noembed noframes noscript object option output param plaintext portal script select source svg ' +
    'template textarea title track video xmp'
  ).split(' '),
)

const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'background', 'cite'])

/** Attributes with an address. No mail client accepts these attributes in a signature. */
const REFUSED_ATTRIBUTES: ReadonlySet<string> = new Set(
  'action data formaction longdesc manifest ping poster srcdoc srcset xlink:href'.split(' '),
)

/** The beginning of an address that fixes where the address leads, so a value may follow. */
const FIXED_ADDRESS = /^(?:https?:\/\/[a-z\d.-]+(?::\d+)?[/?#]|(?:mailto|tel|sms):)/i

/** Attributes that screen readers read in place of a link's content. */
const LABELS: ReadonlySet<string> = new Set(['alt', 'aria-label', 'title'])

const ACTIVE_STYLE = /expression\s*\(|javascript:|vbscript:|^\s*url\(\s*(?:["']\s*)?data:text/i
const ACTIVE_PROPERTIES: ReadonlySet<string> = new Set([
  'behavior',
  '-ms-behavior',
  '-moz-binding',
  '-o-link',
])

const OF_SLOTS: readonly Use['kind'][] = ['slot', 'slotStart', 'slotEnd', 'block']

/** What is wrong with a placeholder that attributes, and comments for Outlook, do not take; null for another one. */
function notInAttribute({ kind }: Use): string | null {
  if (kind === 'qr') return 'A QR code is a whole picture: <img src="{{qr …}}" alt="…">.'
  if (kind === 'counted')
    return 'What is counted is the whole address of a link: href="{{counted https://…}}".'
  return OF_SLOTS.includes(kind) ? 'A block is markup: its slot stands between elements, in the text.' : null
}

const IN_TEXT: Pick<Area, 'key' | 'refuse'> = {
  key: 'text',
  refuse: (use) => (use.kind === 'counted' || use.kind === 'qr' ? notInAttribute(use) : null),
}
const inWord = (at: number): Pick<Area, 'key' | 'refuse'> => ({ key: `word ${at}`, refuse: notInAttribute })

const isCondition = ({ kind }: Use): boolean => kind === 'if' || kind === 'else' || kind === 'end'

/** Selectors that mean the whole message, not a part of the signature. */
const OF_MESSAGE = /(?:^|,)\s*(?:html|body|:root|\*)(?![\w-])/i

/** A part of the text in which placeholders may stand, except those that `refuse` refuses. */
type Area = Readonly<{
  from: number
  to: number
  /** A condition must begin and end in areas with the same key. Each attribute has a key of its own. */
  key: string
  /** What is wrong with a placeholder in this area; null for an allowed placeholder. */
  refuse: (use: Use) => string | null
}>

/** Addresses that name no target. `#top` does not match, because it may name an anchor of the template. */
const EMPTY_LINK = /^(?:#|(?:mailto|tel|sms):|https?:\/*)?$/i
/** Addresses that open a draft with a subject or a body, but without a recipient. */
const WITHOUT_RECIPIENT = /^mailto:\?(?!(?:[^#]*&)?to=)/i
const HTTP_PICTURE = /^\s*http:/i
const HTTP_STYLE = /url\(\s*(?:["']\s*)?http:/i

/** A link whose end tag has not come yet. `hasLabel`: it has a text or a label that a screen reader can read. */
type OpenLink = { readonly at: number; hasLabel: boolean }

/** @param isCardAddress whether `{{card}}` is the address of a card, which no variable is */
export function checkMarkup(
  { text, masked, uses, placeOf }: Expanded,
  isCardAddress = true,
): readonly Finding[] {
  const report = reportTo()
  const areas: Area[] = []
  let isWord = false
  const addArea = (area: Area) => {
    // If a value ends in "--", a ">" after the value would end the comment.
    const endsComment = isWord && masked.slice(area.from, area.to).includes('>')
    const refuse = () => 'In a comment for Outlook, write "&gt;" instead of ">" beside a value.'
    areas.push(endsComment ? { ...area, refuse } : area)
  }
  const addAttribute = ({ from, to }: HtmlAttribute, refuse: Area['refuse'] = notInAttribute) =>
    addArea({ from, to, key: `attribute ${from}`, refuse })
  const reported = new Set<string>()
  const error = (at: number, code: string, message: string) => report.error(placeOf(at), code, message)
  const warn = (at: number, code: string, message: string) => report.warn(placeOf(at), code, message)
  /** Warns once for each file, code and name. */
  const warnOnce = (at: number, code: string, name: string, message: string) => {
    const key = `${placeOf(at).file} ${code} ${name}`
    if (!reported.has(key)) warn(at, code, message)
    reported.add(key)
  }
  let nextUse = 0
  /** The placeholders between two offsets. The calls must follow the order of the text. */
  const usesWithin = (from: number, to: number): readonly Use[] => {
    while ((uses[nextUse]?.at ?? Infinity) < from) nextUse++
    const found: Use[] = []
    for (let index = nextUse; (uses[index]?.at ?? Infinity) < to; index++) {
      const use = uses[index]
      if (use !== undefined) found.push(use)
    }
    return found
  }

  function checkAddress(attribute: HtmlAttribute): void {
    const { name, from, to } = attribute
    const inside = usesWithin(from, to)
    const [first] = inside
    const before = text.slice(from, first?.at ?? to).trimStart()
    const isFixed = FIXED_ADDRESS.test(before)
    const isWhole = first !== undefined && before === '' && text.slice(first.end, to).trim() === ''
    /** The address of a link that is counted; null for another attribute. */
    const counted = name === 'href' && first?.kind === 'counted' && isWhole ? (first.names[0] ?? '') : null
    const standsForWhole =
      first !== undefined &&
      before === '' &&
      (first.kind === 'web' ||
        (name === 'href' && isWhole && isCardAddress && first.kind === 'text' && writesCard(first)) ||
        ((name === 'src' || name === 'background') &&
          (first.kind === 'picture' ||
            (first.kind === 'qr' && isWhole) ||
            (first.kind === 'text' && first.names[0] === 'picture_url'))))
    addAttribute(attribute, (use) => {
      if (counted !== null || (use.kind === 'qr' && standsForWhole)) return null
      if (use.kind === 'phone') return 'A link has the digits alone: write "tel:{{tel …}}".'
      const problem = notInAttribute(use)
      if (problem !== null) return problem
      if (isFixed || (standsForWhole && (use === first || !isCondition(use)))) return null
      return isCondition(use)
        ? 'A condition may not decide where an address leads; put it around the whole element.'
        : 'A value in an address needs "web", or "tel:", "mailto:" or a whole host before it.'
    })
    // A value for a whole address is always a web address, so a made-up web address is checked in its place.
    const judged =
      counted ?? (standsForWhole ? `https://signet.example/${masked.slice(first.end, to)}` : attribute.value)
    const clean =
      name === 'src' || name === 'background'
        ? toPictureAddress(judged)
        : cleanValue(name, judged, toPictureAddress)
    if (name === 'src' || name === 'background') {
      if (clean === null || HTTP_PICTURE.test(judged))
        error(
          attribute.at,
          'address',
          `Pictures are {{picture logo.png}} or an https address; ${quote(text.slice(from, to))} is neither.`,
        )
    } else if (name === 'href' && EMPTY_LINK.test(judged.trim()))
      error(attribute.at, 'emptyLink', `The link ${quote(text.slice(from, to))} leads nowhere.`)
    else if (clean === null)
      error(attribute.at, 'address', `The address ${quote(text.slice(from, to))} is not taken by mail.`)
    else if (name === 'href' && WITHOUT_RECIPIENT.test(judged.trim()))
      warn(
        attribute.at,
        'emptyLink',
        'The link begins a mail without a recipient: write the address behind "mailto:".',
      )
    else if (name === 'href' && judged.trim().startsWith('#'))
      toAnchors.push({ at: attribute.at, name: judged.trim().slice(1) })
  }

  function checkStyle(attribute: HtmlAttribute): void {
    const { value, from, to, at } = attribute
    addAttribute(attribute, (use) =>
      isCondition(use) || use.kind === 'picture' ? null : 'A value in a style could become another style.',
    )
    // Offsets in the value are offsets in the text only if nothing in the value was decoded.
    const isAsWritten = value === masked.slice(from, to)
    for (const declaration of readDeclarations(value))
      checkDeclaration(declaration, isAsWritten ? from + declaration.at : at)
  }

  function checkDeclaration(
    { property, value }: Readonly<{ property: string; value: string }>,
    at: number,
  ): void {
    const style = `${property}:${value}`
    if (ACTIVE_PROPERTIES.has(property) || ACTIVE_STYLE.test(value))
      error(at, 'activeStyle', `The style ${quote(style)} runs something; mail does not take it.`)
    else if (HTTP_STYLE.test(value))
      error(
        at,
        'address',
        `Pictures are {{picture logo.png}} or an https address; ${quote(style)} has neither.`,
      )
    else if (cleanDeclarations(style.replace(/url\(\s*(["']?)x+\1\s*\)/g, 'none'), toPictureAddress) === '')
      warnOnce(at, 'styleLeftOut', style, `The add-in leaves ${quote(style)} out.`)
  }

  const anchors = new Set<string>()
  const toAnchors: Readonly<{ at: number; name: string }>[] = []
  let link: OpenLink | null = null
  /** Warns of links without a label. Links that only Word reads are skipped, because other clients do not see them. */
  function followLink(token: HtmlToken): void {
    if (isWord) return
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

  function checkTag({ name, attributes, at }: Extract<HtmlToken, { kind: 'open' }>): void {
    if (REFUSED_TAGS.has(name)) {
      const isSheet = name === 'link'
      error(
        at,
        'element',
        isSheet ? 'Mail does not load style sheets; put the styles here.' : `Mail does not take <${name}>.`,
      )
    } else if (!TAGS.has(name) && !(isWord && /^(?:[vow]:[a-z]+|xml|center)$/.test(name)))
      warnOnce(at, 'elementLeftOut', name, `The add-in leaves ${quote(`<${name}>`)} out, not what is in it.`)
    if (name === 'img' && !attributes.some((attribute) => attribute.name === 'alt'))
      error(at, 'noAlternative', 'A picture needs a text for those who do not see it: alt="Northwind".')
    for (const attribute of attributes) {
      if (attribute.name === 'id' || attribute.name === 'name') anchors.add(attribute.value)
      if (attribute.name.startsWith('on'))
        error(attribute.at, 'handler', `Mail does not take the handler ${quote(attribute.name)}.`)
      else if (REFUSED_ATTRIBUTES.has(attribute.name))
        error(attribute.at, 'attribute', `Mail does not take the attribute ${quote(attribute.name)}.`)
      else if (!isWord && !ATTRIBUTES.has(attribute.name) && attribute.name !== 'id')
        warnOnce(
          attribute.at,
          'attributeLeftOut',
          attribute.name,
          `The add-in leaves the attribute ${quote(attribute.name)} out.`,
        )
      // `checkUses` gets no area for an attribute without quotes, because a value in it could end the attribute.
      if (ADDRESSES.has(attribute.name)) checkAddress(attribute)
      else if (attribute.name === 'style') checkStyle(attribute)
      else addAttribute(attribute)
      if (!attribute.isQuoted || attribute.name.startsWith('on')) areas.pop()
    }
  }

  function checkSheet(sheet: string, at: number): void {
    const { declarations, selectors, atRules } = readStyleSheet(sheet)
    for (const rule of atRules)
      if (rule.name === 'import')
        error(at + rule.at, 'element', 'Mail does not load style sheets; put the styles here.')
    for (const selector of selectors) {
      const { text: written } = selector
      if (cleanStyleSheet(`${written}{color:red}`, toPictureAddress) === '')
        warnOnce(
          at + selector.at,
          'styleLeftOut',
          written,
          `The add-in leaves the rule of ${quote(written)} out.`,
        )
      else if (OF_MESSAGE.test(written))
        warnOnce(
          at + selector.at,
          'styleBound',
          written,
          `In a message, ${quote(written)} counts inside of the signature only.`,
        )
    }
    for (const declaration of declarations) checkDeclaration(declaration, at + declaration.at)
  }

  function checkTokens(tokens: readonly HtmlToken[]): void {
    for (const token of tokens) {
      followLink(token)
      switch (token.kind) {
        case 'open':
          checkTag(token)
          break
        case 'text':
          if (token.raw === 'style') checkSheet(masked.slice(token.at, token.end), token.at)
          else if (token.raw === null)
            addArea({ from: token.at, to: token.end, ...(isWord ? inWord(wordAt) : IN_TEXT) })
          break
        case 'comment': {
          const word = isWord ? null : wordMarkup(token)
          if (word === null) break
          wordAt = word.at
          isWord = true
          checkTokens(htmlTokens(word.html, word.at))
          isWord = false
          break
        }
        case 'close':
      }
    }
  }
  /** The offset of the markup in the comment for Word that is being checked. */
  let wordAt = 0
  checkTokens(htmlTokens(masked))
  for (const { at, name } of toAnchors)
    if (!anchors.has(name))
      error(at, 'emptyLink', `Nothing here is named ${quote(name)}: the link leads nowhere.`)
    else if (!isAnchorName(name))
      error(
        at,
        'emptyLink',
        `The add-in leaves the name ${quote(name)} out; it keeps one with a digit or a hyphen, such as "legal-1".`,
      )

  checkUses(uses, areas, error)
  return report.findings
}

/** Reports placeholders outside of an area that allows them. Areas and placeholders are in the order of the text. */
function checkUses(
  uses: readonly Use[],
  areas: readonly Area[],
  error: (at: number, code: string, message: string) => null,
): void {
  const open: { at: number; key: string | null }[] = []
  let next = 0
  for (const use of uses) {
    while ((areas[next]?.to ?? Infinity) < use.end) next++
    const area = areas[next]
    const isInside = area !== undefined && area.from <= use.at && use.end <= area.to
    const problem = isInside
      ? area.refuse(use)
      : 'A value here could become markup: placeholders stand in text, or in attributes with quotes.'
    if (problem !== null) error(use.at, 'placeholder', problem)
    const key = isInside ? area.key : null
    if (use.kind === 'if') open.push({ at: use.at, key })
    else if (isCondition(use)) {
      const condition = open.at(-1)
      if (condition !== undefined && condition.key !== key)
        error(
          use.at,
          'condition',
          'The condition begins and ends in different places of the markup: put it around whole elements.',
        )
      if (use.kind === 'end') open.pop()
    }
  }
}
