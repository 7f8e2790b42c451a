/** Reads the templates of a folder. */
import { filesBelow, isPathBelow, MAX_DOCUMENT_BYTES, readText } from './files.ts'
import { type Finding, findError, startOf } from './finding.ts'

export const TEMPLATES_FOLDER = 'templates'
export const MAX_TEMPLATE_CHARACTERS = 200_000
/** At most four bytes each. */
export const MAX_TEMPLATES_CHARACTERS = MAX_DOCUMENT_BYTES / 4

/** Whether a path names a template of the folder: `templates/corporate.html`. */
export const isTemplatePath = (path: string): boolean =>
  path.startsWith(`${TEMPLATES_FOLDER}/`) && path.endsWith('.html') && isPathBelow(path)

/** The text of each template and part, by its path in the folder. */
export async function readTemplates(
  folder: string,
  problems: Finding[],
): Promise<ReadonlyMap<string, string>> {
  const templates = new Map<string, string>()
  let total = 0
  for (const file of await filesBelow(folder, TEMPLATES_FOLDER, problems)) {
    const refuse = (code: string, message: string) => problems.push(findError(startOf(file), code, message))
    if (!file.endsWith('.html')) {
      refuse('templateName', 'A template ends in ".html", a part in ".part.html".')
      continue
    }
    const text = await readText(folder, file, 4 * MAX_TEMPLATE_CHARACTERS, problems)
    if (text === null) continue
    total += text.length
    if (text.length > MAX_TEMPLATE_CHARACTERS)
      refuse('tooLarge', `The template is longer than ${MAX_TEMPLATE_CHARACTERS} characters.`)
    else if (total > MAX_TEMPLATES_CHARACTERS) {
      refuse('tooLarge', `The templates are longer than ${MAX_TEMPLATES_CHARACTERS} characters together.`)
      break
    } else templates.set(file, text)
  }
  return templates
}
