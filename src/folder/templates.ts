/** Reads the templates of a folder. */
import {
  MAX_TEMPLATE_CHARACTERS,
  MAX_TOTAL_TEMPLATE_CHARACTERS,
  TEMPLATES_FOLDER,
} from '../../streams/organisation/release/paths.ts'
import { filesBelow, type FolderFiles, readText } from './files.ts'
import { type Finding, createFindingReport, startOfFile } from './finding.ts'

/** The text of each template and part, by its path in the folder. */
export async function readTemplates(
  files: FolderFiles,
  problems: Finding[],
): Promise<ReadonlyMap<string, string>> {
  const templates = new Map<string, string>()
  const { error } = createFindingReport(problems)
  let total = 0
  for (const file of await filesBelow(files, TEMPLATES_FOLDER, problems)) {
    const refuse = (code: string, message: string) => error(startOfFile(file), code, message)
    if (!file.endsWith('.html')) {
      refuse('templateName', 'A template ends in ".html", a part in ".part.html".')
      continue
    }
    const text = await readText(files, file, 4 * MAX_TEMPLATE_CHARACTERS, problems)
    if (text === null) continue
    total += text.length
    if (text.length > MAX_TEMPLATE_CHARACTERS)
      refuse('tooLarge', `The template is longer than ${MAX_TEMPLATE_CHARACTERS} characters.`)
    else if (total > MAX_TOTAL_TEMPLATE_CHARACTERS) {
      refuse(
        'tooLarge',
        `The templates are longer than ${MAX_TOTAL_TEMPLATE_CHARACTERS} characters together.`,
      )
      break
    } else templates.set(file, text)
  }
  return templates
}
