/** Finds styles that mail clients reject, and styles that the add-in removes. */
import { type MarkupAreas, isConditionUse } from './markupAreas.ts'
import { cleanDeclarations, cleanStyleSheet } from '../../streams/html/styles.ts'
import { readDeclarations, readStyleSheet } from '../../streams/html/declarations.ts'
import type { HtmlAttribute } from './htmlTokens.ts'
import type { MarkupReport } from './markupReport.ts'
import { quoteUntrusted } from './finding.ts'
import { toPictureAddress } from '../../streams/html/address.ts'

const ACTIVE_STYLE = /expression\s*\(|javascript:|vbscript:|^\s*url\(\s*(?:["']\s*)?data:text/i
const ACTIVE_PROPERTIES: ReadonlySet<string> = new Set([
  'behavior',
  '-ms-behavior',
  '-moz-binding',
  '-o-link',
])

const HTTP_STYLE = /url\(\s*(?:["']\s*)?http:/i
/** Selectors for the whole message rather than a part of the signature. */
const OF_MESSAGE = /(?:^|,)\s*(?:html|body|:root|\*)(?![\w-])/i

/** @param masked the template with an `x` for each character of a placeholder */
export function checkStyle(
  attribute: HtmlAttribute,
  masked: string,
  areas: MarkupAreas,
  report: MarkupReport,
): void {
  const { value, from, to, at } = attribute
  areas.addAttribute(attribute, (use) =>
    isConditionUse(use) || use.kind === 'picture' ? null : 'A value in a style could become another style.',
  )
  // Decoding shifts offsets, so a place is exact only in values that decoding leaves unchanged.
  const isAsWritten = value === masked.slice(from, to)
  for (const declaration of readDeclarations(value))
    checkDeclaration(report, declaration, isAsWritten ? from + declaration.at : at)
}

export function checkSheet(sheet: string, at: number, report: MarkupReport): void {
  const { error, warnOnce } = report
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
        `The add-in leaves the rule of ${quoteUntrusted(written)} out.`,
      )
    else if (OF_MESSAGE.test(written))
      warnOnce(
        at + selector.at,
        'styleBound',
        written,
        `In a message, ${quoteUntrusted(written)} counts inside of the signature only.`,
      )
  }
  for (const declaration of declarations) checkDeclaration(report, declaration, at + declaration.at)
}

function checkDeclaration(
  { error, warnOnce }: MarkupReport,
  { property, value }: Readonly<{ property: string; value: string }>,
  at: number,
): void {
  const style = `${property}:${value}`
  if (ACTIVE_PROPERTIES.has(property) || ACTIVE_STYLE.test(value))
    error(at, 'activeStyle', `The style ${quoteUntrusted(style)} runs something; mail does not take it.`)
  else if (HTTP_STYLE.test(value))
    error(
      at,
      'address',
      `Pictures are {{picture logo.png}} or an https address; ${quoteUntrusted(style)} has neither.`,
    )
  else if (cleanDeclarations(style.replace(/url\(\s*(["']?)x+\1\s*\)/g, 'none'), toPictureAddress) === '')
    warnOnce(at, 'styleLeftOut', style, `The add-in leaves ${quoteUntrusted(style)} out.`)
}
