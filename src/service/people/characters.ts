/**
 * Replaces named character references in templates with their characters, such as `&middot;` with `·`. The add-in
 * decodes numeric references and six names (`decodeReferences`, streams/html/tokens.ts), because its launch events have
 * no room for all 2,231 names.
 */
import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict } from 'entities'
import type { Release } from '../../../streams/organisation/release/release.ts'
import type { Template } from '../../../streams/organisation/template/template.ts'
import { htmlTokens } from '../../folder/htmlTokens.ts'

type Decode = (text: string) => string

/**
 * Represents a placeholder while a template is parsed. It is not a markup character, and valid text never contains it.
 */
const PLACEHOLDER = '\uFDD0'

/** Matches a piece that ends with the beginning of a tag. There, `PLACEHOLDER` would turn a tag into text. */
const MARKUP_BEGINS = /<[!/]?-?$/

/** Matches a named reference with the next character, which decides whether the name is valid without its semicolon. */
const NAMED = new RegExp(`&[a-z][a-z\\d]*[;=${PLACEHOLDER}]?`, 'gi')
const READ_BY_ADD_IN = /^&(?:amp|lt|gt|quot|apos|nbsp);$/

/**
 * Writes ASCII characters as numeric references. Otherwise they could become markup, or complete an earlier reference.
 */
const written = (characters: string): string =>
  Array.from(characters, (each) => (each < '\x80' ? `&#${each.charCodeAt(0)};` : each)).join('')

function decoded(reference: string, decode: Decode): string {
  // A reference directly before a placeholder stays as it is, because the person's value may continue its name.
  if (READ_BY_ADD_IN.test(reference) || reference.endsWith(PLACEHOLDER)) return reference
  const whole = decodeHTMLStrict(reference)
  if (whole !== reference) return written(whole)
  // A valid name without its semicolon means one character; the letters after it are text.
  const text = decode(reference)
  return text === reference ? reference : written(text.charAt(0)) + text.slice(1)
}

/**
 * Decodes the character references (`&eacute;`) that the add-in's parser does not know. The html still has the same
 * content.
 */
export function withDecodedReferences(html: string): string {
  const parts: string[] = []
  let end = 0
  const rewrite = (from: number, to: number, decode: Decode) => {
    const text = html.slice(from, to).replace(NAMED, (reference) => decoded(reference, decode))
    parts.push(html.slice(end, from), text)
    end = to
  }
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text' && token.raw === null) rewrite(token.at, token.end, decodeHTML)
    else if (token.kind === 'open')
      for (const { from, to } of token.attributes) rewrite(from, to, decodeHTMLAttribute)
  }
  parts.push(html.slice(end))
  return parts.join('')
}

/** The html pieces of a template's steps, in order. An included part is expanded at its position. */
const htmlOf = ({ steps }: Template): readonly string[] =>
  steps.flatMap((step) =>
    step.kind === 'html' ? [step.html] : step.kind === 'part' ? htmlOf(step.template) : [''],
  )

/** The template with new html in its steps, in order. */
function withHtml(template: Template, next: () => string): Template {
  const steps = template.steps.map((step) => {
    if (step.kind === 'part') return { ...step, template: withHtml(step.template, next) }
    const html = next()
    return step.kind === 'html' ? { ...step, html } : step
  })
  return { ...template, steps }
}

const read = new WeakMap<Template, Template>()

/** Replaces the references in a template, once per template instead of per person. */
function templateWithCharacters(template: Template): Template {
  const known = read.get(template)
  if (known) return known
  const pieces = htmlOf(template)
  const isReadable = pieces.every(
    (html, index) =>
      !html.includes(PLACEHOLDER) && (index + 1 === pieces.length || !MARKUP_BEGINS.test(html)),
  )
  const html = isReadable ? withDecodedReferences(pieces.join(PLACEHOLDER)).split(PLACEHOLDER) : pieces
  let at = 0
  const result = withHtml(template, () => html[at++] ?? '')
  read.set(template, result)
  return result
}

/** The release with the references in its templates replaced, for answers to the add-in. Its document is unchanged. */
export const releaseWithDecodedReferences = (release: Release): Release => ({
  ...release,
  templateOf: (path) => {
    const template = release.templateOf(path)
    return template && templateWithCharacters(template)
  },
})
