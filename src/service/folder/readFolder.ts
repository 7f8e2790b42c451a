/** Reads a folder as `docs/signatures-as-a-folder.md` describes it. */
import type { ReleaseDocument } from '../../../streams/organisation/release.ts'
import { type Expectation, EXPECT_FILE, readExpectations } from './expectations.ts'
import { filesBelow, MAX_DOCUMENT_BYTES, readText } from './files.ts'
import { type Finding, findError, inOrder, startOf } from './finding.ts'
import { type DirectoryRow, readPeople } from './people.ts'
import { type FolderPicture, readPictures } from './pictures.ts'
import { type Places, readSignetYaml, SIGNET_FILE } from './signetYaml.ts'

export type FolderRead = Readonly<{
  /** Complete only without problems of the level `error`. */
  document: ReleaseDocument
  /** By their hash. */
  pictures: ReadonlyMap<string, FolderPicture>
  /** Null without `people.csv`. */
  people: readonly DirectoryRow[] | null
  expectations: readonly Expectation[]
  /** Names of mail clients (`readerNames.ts`). */
  readers: readonly string[]
  problems: readonly Finding[]
  places: Places
}>

export const TEMPLATES_FOLDER = 'templates'
export const PEOPLE_FILE = 'people.csv'

const MAX_YAML_BYTES = 1_000_000
export const MAX_TEMPLATE_CHARACTERS = 200_000

/**
 * Reads signet.yaml, templates, pictures, people.csv and expect.yaml. Nothing outside the folder is read, whatever the
 * files say; each file has a limit. Rejects only when the folder itself cannot be read.
 */
export async function readFolder(folder: string): Promise<FolderRead> {
  const problems: Finding[] = []
  const { document, readers, places } = readSignetYaml(
    await readText(folder, SIGNET_FILE, MAX_YAML_BYTES, problems),
    problems,
  )
  const { hashes, byHash, names } = await readPictures(folder, problems)
  const peopleText = await readText(folder, PEOPLE_FILE, MAX_DOCUMENT_BYTES, problems)
  const people = peopleText === null ? null : readPeople(peopleText, PEOPLE_FILE, names)
  const expectations = readExpectations(
    await readText(folder, EXPECT_FILE, MAX_YAML_BYTES, problems),
    problems,
  )
  const templates = await readTemplates(folder, problems)
  return {
    document: { ...document, templates: Object.fromEntries(templates), pictures: Object.fromEntries(hashes) },
    pictures: byHash,
    people: people === null ? null : people.rows,
    expectations,
    readers,
    problems: inOrder([...problems, ...(people?.problems ?? [])]),
    places,
  }
}

async function readTemplates(folder: string, problems: Finding[]): Promise<ReadonlyMap<string, string>> {
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
    else if (4 * total > MAX_DOCUMENT_BYTES) {
      refuse('tooLarge', `The templates are larger than ${MAX_DOCUMENT_BYTES} bytes together.`)
      break
    } else templates.set(file, text)
  }
  return templates
}
