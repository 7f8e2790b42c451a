/** Finds markup in a template that mail clients reject, and placeholders whose value could become markup. */
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS } from '../../streams/html/markup.ts'
import { checkSheet, checkStyle } from './markupStyles.ts'
import { type Finding, quoteUntrusted } from './finding.ts'
import { htmlTokens, type HtmlToken, wordMarkup } from './htmlTokens.ts'
import { createMarkupAreas } from './markupAreas.ts'
import { createLinkChecks } from './markupLinks.ts'
import type { ExpandedTemplate } from './expanded.ts'
import { reportOnMarkup } from './markupReport.ts'

/** Elements that run code, load content, accept input or replace the message. */
const REFUSED_TAGS: ReadonlySet<string> = new Set(
  (
    'applet audio base bgsound button canvas datalist dialog embed fieldset form frame frameset iframe input keygen ' +
    'link math meta noembed noframes noscript object option output param plaintext portal script select source svg ' +
    'template textarea title track video xmp'
  ).split(' '),
)

const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'background', 'cite'])

/** Attributes that mail clients reject in signatures. Most of these attributes contain an address. */
const REFUSED_ATTRIBUTES: ReadonlySet<string> = new Set(
  'action data formaction longdesc manifest ping poster srcdoc srcset xlink:href'.split(' '),
)

/** @param isCardAddress whether `{{card}}` writes the address of a person's card; otherwise it is a variable */
export function checkMarkup(expanded: ExpandedTemplate, isCardAddress = true): readonly Finding[] {
  const { masked } = expanded
  const report = reportOnMarkup(expanded)
  const { error, warnOnce } = report
  const areas = createMarkupAreas(expanded)
  const links = createLinkChecks(expanded, areas, report, isCardAddress)

  function checkTag({ name, attributes, at }: Extract<HtmlToken, { kind: 'open' }>): void {
    if (REFUSED_TAGS.has(name)) {
      const isSheet = name === 'link'
      error(
        at,
        'element',
        isSheet ? 'Mail does not load style sheets; put the styles here.' : `Mail does not take <${name}>.`,
      )
    } else if (!ALLOWED_TAGS.has(name) && !(areas.isInWord() && /^(?:[vow]:[a-z]+|xml|center)$/.test(name)))
      warnOnce(
        at,
        'elementLeftOut',
        name,
        `The add-in leaves ${quoteUntrusted(`<${name}>`)} out, not what is in it.`,
      )
    if (name === 'img' && !attributes.some((attribute) => attribute.name === 'alt'))
      error(at, 'noAlternative', 'A picture needs a text for those who do not see it: alt="Northwind".')
    for (const attribute of attributes) {
      if (attribute.name === 'id' || attribute.name === 'name') links.addAnchor(attribute.value)
      if (attribute.name.startsWith('on'))
        error(attribute.at, 'handler', `Mail does not take the handler ${quoteUntrusted(attribute.name)}.`)
      else if (REFUSED_ATTRIBUTES.has(attribute.name))
        error(
          attribute.at,
          'attribute',
          `Mail does not take the attribute ${quoteUntrusted(attribute.name)}.`,
        )
      else if (!areas.isInWord() && !ALLOWED_ATTRIBUTES.has(attribute.name) && attribute.name !== 'id')
        warnOnce(
          attribute.at,
          'attributeLeftOut',
          attribute.name,
          `The add-in leaves the attribute ${quoteUntrusted(attribute.name)} out.`,
        )
      // An attribute without quotes gets no area, because a value in it could end the attribute.
      if (ADDRESSES.has(attribute.name)) links.checkAddress(attribute)
      else if (attribute.name === 'style') checkStyle(attribute, masked, areas, report)
      else areas.addAttribute(attribute)
      if (!attribute.isQuoted || attribute.name.startsWith('on')) areas.dropLast()
    }
  }

  function checkTokens(tokens: readonly HtmlToken[]): void {
    for (const token of tokens) {
      links.followLink(token)
      if (token.kind === 'open') checkTag(token)
      else if (token.kind === 'text') {
        if (token.raw === 'style') checkSheet(masked.slice(token.at, token.end), token.at, report)
        else if (token.raw === null) areas.addText(token.at, token.end)
      } else if (token.kind === 'comment') {
        const word = areas.isInWord() ? null : wordMarkup(token)
        if (word !== null) areas.inWord(word.at, () => checkTokens(htmlTokens(word.html, word.at)))
      }
    }
  }

  checkTokens(htmlTokens(masked))
  links.checkAnchors()
  areas.check(report)
  return report.findings
}
