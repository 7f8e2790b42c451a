/**
 * Templates with the characters that their references stand for: `·` for `&middot;`. The add-in decodes references by
 * number and six names (`decodeReferences`, streams/html/tokens.ts): its launch events have no room for the table of
 * all 2,231 names.
 */
import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict } from 'entities'
import type { Release } from '../../../streams/organisation/release/release.ts'
import type { Template } from '../../../streams/organisation/template/template.ts'
import { htmlTokens } from '../../folder/htmlTokens.ts'

type Decode = (text: string) => string

/** Stands for a placeholder while a template is read: no character of markup, and no text contains it. */
const PLACEHOLDER = '\uFDD0'

/** At the end of a piece: what stands for a placeholder would make text of what a part makes a tag. */
const MARKUP_BEGINS = /<[!/]?-?$/

/** A name with what follows it, which decides whether the name counts without its semicolon. */
const NAMED = new RegExp(`&[a-z][a-z\\d]*[;=${PLACEHOLDER}]?`, 'gi')
const READ_BY_ADD_IN = /^&(?:amp|lt|gt|quot|apos|nbsp);$/

/** Characters of ASCII are written by number: they could be read as markup, or complete a reference before them. */
const written = (characters: string): string =>
  Array.from(characters, (each) => (each < '\x80' ? `&#${each.charCodeAt(0)};` : each)).join('')

function decoded(reference: string, decode: Decode): string {
  // What a person's value adds to a name without its semicolon is not known yet.
  if (READ_BY_ADD_IN.test(reference) || reference.endsWith(PLACEHOLDER)) return reference
  const whole = decodeHTMLStrict(reference)
  if (whole !== reference) return written(whole)
  // A name that counts without its semicolon stands for one character; letters that follow are text.
  const text = decode(reference)
  return text === reference ? reference : written(text.charAt(0)) + text.slice(1)
}

/** Parsers read the same from the html and from the result. What is no reference stays as it is written. */
export function withCharacters(html: string): string {
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

/** The html of a template's steps, in order. Parts stand where the template includes them. */
const htmlOf = ({ steps }: Template): readonly string[] =>
  steps.flatMap((step) =>
    step.kind === 'html' ? [step.html] : step.kind === 'part' ? htmlOf(step.template) : [''],
  )

/** The template with the html of its steps replaced, in order. */
function withHtml(template: Template, next: () => string): Template {
  const steps = template.steps.map((step) => {
    if (step.kind === 'part') return { ...step, template: withHtml(step.template, next) }
    const html = next()
    return step.kind === 'html' ? { ...step, html } : step
  })
  return { ...template, steps }
}

const read = new WeakMap<Template, Template>()

/** A template is read only once, and not for each person. */
function templateWithCharacters(template: Template): Template {
  const known = read.get(template)
  if (known) return known
  const pieces = htmlOf(template)
  const isReadable = pieces.every(
    (html, index) =>
      !html.includes(PLACEHOLDER) && (index + 1 === pieces.length || !MARKUP_BEGINS.test(html)),
  )
  const html = isReadable ? withCharacters(pieces.join(PLACEHOLDER)).split(PLACEHOLDER) : pieces
  let at = 0
  const result = withHtml(template, () => html[at++] ?? '')
  read.set(template, result)
  return result
}

/** The release for answers to the add-in. Its document stays as the organisation wrote it. */
export const releaseWithCharacters = (release: Release): Release => ({
  ...release,
  templateOf: (path) => {
    const template = release.templateOf(path)
    return template && templateWithCharacters(template)
  },
})
