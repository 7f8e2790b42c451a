/** Expands a template: replaces each `{{> part}}` by its part. Offsets in the result map back to the files. */
import { countOffsetsUpTo } from '../../streams/kernel/offsets.ts'
import { parsePart, parseTemplate, type Placeholder } from '../../streams/organisation/template/template.ts'
import { MAX_HTML_CHARACTERS, MAX_TAGS } from '../../streams/html/limits.ts'
import { createLocator, type Place } from './finding.ts'

/** A placeholder in the expanded text. Parts are replaced already, so it is never a part. */
export type TemplateUse = Placeholder

export type ExpandedTemplate = Readonly<{
  text: string
  /**
   * The text with an `x` for each character of a placeholder, so placeholders are never markup and offsets stay the
   * same.
   */
  masked: string
  /** The placeholders in text order. */
  uses: readonly TemplateUse[]
  placeOf: (offset: number) => Place
}>

export type TemplateTexts = ReturnType<typeof createTemplateTexts>

/** The templates and parts of a document; `locate` maps an offset in a template to its place. */
export function createTemplateTexts(
  templates: Readonly<Record<string, string>>,
  parts: ReadonlyMap<string, string>,
) {
  const locators = new Map<string, (offset: number) => Place>()
  return {
    templates,
    parts,
    locate: (file: string) => {
      const known = locators.get(file) ?? createLocator(file, templates[file] ?? '')
      locators.set(file, known)
      return known
    },
  }
}

export const partFile = (name: string): string => `templates/${name}.part.html`

/** Replaces the parts in a template; null if the result has too many characters or tags. */
export function expandTemplate(
  file: string,
  { templates, parts, locate }: TemplateTexts,
): ExpandedTemplate | null {
  let text = ''
  let masked = ''
  const uses: TemplateUse[] = []
  const pieces: Readonly<{ start: number; file: string; from: number }>[] = []

  function add(source: string, from: string, placeholders: readonly Placeholder[]): void {
    let end = 0
    const addText = (until: number) => {
      pieces.push({ start: text.length, file: from, from: end })
      text += source.slice(end, until)
      masked += source.slice(end, until)
      end = until
    }
    for (const placeholder of placeholders) {
      addText(placeholder.at)
      const [name = ''] = placeholder.names
      // A part may not include other parts.
      const part = placeholder.kind === 'part' && from === file ? parts.get(name) : undefined
      if (placeholder.kind === 'part' && part !== undefined) {
        if (text.length + part.length <= MAX_HTML_CHARACTERS)
          add(part, partFile(name), parsePart(part).template.placeholders)
        else text = text.padEnd(MAX_HTML_CHARACTERS + 1, ' ')
      } else if (placeholder.kind !== 'part') {
        const written = source.slice(placeholder.at, placeholder.end)
        pieces.push({ start: text.length, file: from, from: placeholder.at })
        uses.push({ ...placeholder, at: text.length, end: text.length + written.length })
        text += written
        masked += 'x'.repeat(written.length)
      }
      end = placeholder.end
      if (text.length > MAX_HTML_CHARACTERS) return
    }
    addText(source.length)
  }

  const source = templates[file] ?? ''
  if (source.length > MAX_HTML_CHARACTERS) return null
  add(source, file, parseTemplate(source, parts).template.placeholders)
  if (text.length > MAX_HTML_CHARACTERS || countOf(text, '<') > MAX_TAGS) return null
  const starts = pieces.map(({ start }) => start)
  return {
    text,
    masked,
    uses,
    placeOf(offset) {
      const piece = pieces[countOffsetsUpTo(starts, offset) - 1] ?? { start: 0, file, from: 0 }
      return locate(piece.file)(piece.from + offset - piece.start)
    },
  }
}

function countOf(text: string, char: string): number {
  let count = 0
  for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) count++
  return count
}
