/** Reads a folder as `docs/signatures-as-a-folder.md` describes it. */
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { Steps } from '../../streams/kernel/steps.ts'
import { documentSchema } from '../../streams/wire/administration/document.ts'
import { type Expectation, EXPECT_FILE } from './expectations.ts'
import { MAX_DOCUMENT_BYTES, MAX_YAML_BYTES, SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import { decodeCsv } from './encoding.ts'
import { filesOnDisk, type FolderFiles, readBytes, readText, tooLargeText } from './files.ts'
import { type Finding, hasErrorFinding, sortFindings, createFindingReport, startOfFile } from './finding.ts'
import { runInSlices } from '../server/timeSlices.ts'
import { mismatchIn, readInSteps } from '../../streams/wire/reading.ts'
import type { PeopleRow } from './personRow.ts'
import { readingPeople } from './people.ts'
import { type FolderPicture, readPictures } from './pictures.ts'
import type { DescriptionRead } from './signetYaml.ts'
import { joinLists, listsInFiles, readListFiles } from './recipientLists.ts'
import { readTemplates } from './templates.ts'
import { yamlInThisThread, type YamlReader } from './yamlApart.ts'

export type FolderRead = Omit<DescriptionRead, 'document'> &
  Readonly<{
    /** Complete only if no problem is an error. */
    document: ReleaseDocument
    /** The text of `signet.yaml`; null if the file is missing or is not text. */
    yaml: string | null
    /** The pictures by their hash. */
    pictures: ReadonlyMap<string, FolderPicture>
    /** The rows of `people.csv`; null if there is no `people.csv`. */
    people: readonly PeopleRow[] | null
    /** The columns of `people.csv` that are directory fields; null if there is no `people.csv`. */
    fields: ReadonlySet<string> | null
    expectations: readonly Expectation[]
    problems: readonly Finding[]
  }>

export const PEOPLE_FILE = 'people.csv'

/** Reads a folder from disk. Rejects only if the folder itself cannot be read. */
export const readFolder = (folder: string): Promise<FolderRead> =>
  readFolderFiles(filesOnDisk(folder), yamlInThisThread)

/** Reads a folder's files within size limits. No content of these files makes it read outside the folder. */
export async function readFolderFiles(
  files: FolderFiles,
  reader: YamlReader,
  client: AbortSignal | null = null,
): Promise<FolderRead> {
  const problems: Finding[] = []
  const yaml = await readText(files, SIGNET_FILE, MAX_YAML_BYTES, problems)
  const { document, places, ...described } = await describedIn(reader, yaml, problems)
  const listed = await readListFiles(files, problems)
  const { hashes, byHash, names } = await readPictures(files, problems)
  const peopleBytes = await readBytes(files, PEOPLE_FILE, MAX_DOCUMENT_BYTES, problems)
  const peopleText = peopleBytes === null ? null : decodeCsv(peopleBytes, PEOPLE_FILE, problems)
  const people =
    peopleText === null ? null : await runInSlices(readingPeople(peopleText, PEOPLE_FILE, names), { client })
  const expected = await reader.expect(await readText(files, EXPECT_FILE, MAX_YAML_BYTES, problems))
  problems.push(...expected.problems)
  const templates = await readTemplates(files, problems)
  const whole: ReleaseDocument = {
    ...document,
    ...joinLists(document.lists, listed.lists, problems),
    templates: Object.fromEntries(templates),
    pictures: Object.fromEntries(hashes),
  }
  await runInSlices(checkingLimits(whole, problems), { client })
  return {
    ...described,
    places: new Map([...listed.places, ...places]),
    document: whole,
    yaml,
    pictures: byHash,
    people: people?.rows ?? null,
    fields: people === null ? null : new Set(people.fields),
    expectations: expected.expectations,
    problems: sortFindings([...problems, ...(people?.problems ?? [])]),
  }
}

/**
 * Reads the description from `signet.yaml` and adds its findings to `problems`. A missing file is reported only once.
 */
async function describedIn(
  { describe }: Pick<YamlReader, 'describe'>,
  yaml: string | null,
  problems: Finding[],
): Promise<DescriptionRead> {
  const { problems: found, ...read } = await describe(yaml)
  if (yaml !== null || problems.length === 0) problems.push(...found)
  return read
}

/** Reports a document that is too large for a request, if it has no other problems. */
function* checkingLimits(document: ReleaseDocument, problems: Finding[]): Steps<void> {
  if (hasErrorFinding(problems)) return
  try {
    yield* readInSteps(documentSchema, document)
  } catch (error) {
    const mismatch = mismatchIn(error)
    if (mismatch === null) throw error
    createFindingReport(problems).error(startOfFile(SIGNET_FILE), 'limit', `${mismatch}.`)
  }
}

/**
 * The description from an edited `signet.yaml`, with a folder's templates, pictures and recipient lists in files. The
 * folder's other files are not read.
 */
export type EditedRead = Pick<FolderRead, 'document' | 'places' | 'readers' | 'isDescribed' | 'problems'>

/**
 * @param document the document before the edit
 * @param former the `signet.yaml` before the edit, without the lists in files; null for a new one
 */
export async function readEdited(
  yaml: string,
  former: string | null,
  { templates, pictures, lists }: Pick<ReleaseDocument, 'templates' | 'pictures' | 'lists'>,
  reader: Pick<YamlReader, 'describe'>,
  client: AbortSignal | null = null,
): Promise<EditedRead> {
  const problems: Finding[] = []
  if (Buffer.byteLength(yaml) > MAX_YAML_BYTES)
    createFindingReport(problems).error(startOfFile(SIGNET_FILE), 'tooLarge', tooLargeText(MAX_YAML_BYTES))
  const { document, ...described } = await describedIn(reader, problems.length > 0 ? null : yaml, problems)
  const inFiles =
    lists && listsInFiles(lists, former === null ? null : (await reader.describe(former)).document)
  const whole: ReleaseDocument = {
    ...document,
    ...joinLists(document.lists, inFiles, problems),
    templates,
    pictures,
  }
  await runInSlices(checkingLimits(whole, problems), { client })
  return { ...described, document: whole, problems: sortFindings(problems) }
}
