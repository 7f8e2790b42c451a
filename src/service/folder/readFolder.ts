/** Reads a folder as `docs/signatures-as-a-folder.md` describes it. */
import type { ReleaseDocument } from '../../../streams/organisation/release.ts'
import { documentSchema } from '../../../streams/wire/administration/document.ts'
import { type Expectation, EXPECT_FILE, readExpectations } from './expectations.ts'
import { MAX_DOCUMENT_BYTES } from '../../../streams/organisation/paths.ts'
import { csvOf } from './encoding.ts'
import { filesOnDisk, type FolderFiles, readBytes, readText } from './files.ts'
import { type Finding, inOrder, reportTo, startOf } from './finding.ts'
import { inTurns } from '../../server/turns.ts'
import { mismatchIn, reading } from '../../../streams/wire/reading.ts'
import { type DirectoryRow, readingPeople } from './people.ts'
import { type FolderPicture, readPictures } from './pictures.ts'
import { type DescriptionRead, readSignetYaml, SIGNET_FILE } from './signetYaml.ts'
import { readTemplates } from './templates.ts'

export type FolderRead = Omit<DescriptionRead, 'document'> &
  Readonly<{
    /** The document is complete only if no problem is an error. */
    document: ReleaseDocument
    /** The pictures by their hash. */
    pictures: ReadonlyMap<string, FolderPicture>
    /** The rows of `people.csv`; null when there is no `people.csv`. */
    people: readonly DirectoryRow[] | null
    /** The columns of `people.csv` that are fields of the directory; null when there is no `people.csv`. */
    fields: ReadonlySet<string> | null
    expectations: readonly Expectation[]
    problems: readonly Finding[]
  }>

export const PEOPLE_FILE = 'people.csv'

const MAX_YAML_BYTES = 1_000_000

/** Reads a folder on the disk. Rejects only when the folder itself cannot be read. */
export const readFolder = (folder: string): Promise<FolderRead> => readFiles(filesOnDisk(folder))

/** Reads the files of a folder within size limits. Whatever these files say, nothing outside of the folder is read. */
export async function readFiles(files: FolderFiles): Promise<FolderRead> {
  const problems: Finding[] = []
  const { document, ...described } = readSignetYaml(
    await readText(files, SIGNET_FILE, MAX_YAML_BYTES, problems),
    problems,
  )
  const { hashes, byHash, names } = await readPictures(files, problems)
  const peopleBytes = await readBytes(files, PEOPLE_FILE, MAX_DOCUMENT_BYTES, problems)
  const peopleText = peopleBytes === null ? null : csvOf(peopleBytes, PEOPLE_FILE, problems)
  const people = peopleText === null ? null : await inTurns(readingPeople(peopleText, PEOPLE_FILE, names))
  const expectations = readExpectations(
    await readText(files, EXPECT_FILE, MAX_YAML_BYTES, problems),
    problems,
  )
  const templates = await readTemplates(files, problems)
  const whole: ReleaseDocument = {
    ...document,
    templates: Object.fromEntries(templates),
    pictures: Object.fromEntries(hashes),
  }
  if (!problems.some(({ level }) => level === 'error')) {
    const mismatch = await inTurns(reading(documentSchema, whole)).then(() => null, mismatchIn)
    if (mismatch !== null) reportTo(problems).error(startOf(SIGNET_FILE), 'limit', `${mismatch}.`)
  }
  return {
    ...described,
    document: whole,
    pictures: byHash,
    people: people?.rows ?? null,
    fields: people === null ? null : new Set(people.fields),
    expectations,
    problems: inOrder([...problems, ...(people?.problems ?? [])]),
  }
}
