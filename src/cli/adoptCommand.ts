/** `signet adopt`: makes a template from an existing signature. */
import { access, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MAX_SAMPLES } from '../../streams/wire/administration/adopting.ts'
import { concernsOnePerson } from '../../streams/organisation/adopt/adopted.ts'
import { SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import {
  compileRelease,
  type ReleaseDocument,
  type Signature,
  type Variable,
} from '../../streams/organisation/release/release.ts'
import { renderingAddresses, renderSignature } from '../../streams/organisation/rendering/render.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { adoptSamples, type AdoptionResult, type GivenSample } from '../adopt/adopt.ts'
import { createPictureFetcher, PICTURE_FETCH_LIMITS } from '../adopt/fetchPicture.ts'
import { type FolderAddition, addToFolder } from '../adopt/intoFolder.ts'
import { withReadingThread } from '../adopt/readingApart.ts'
import { NotAdopted } from '../adopt/sample.ts'
import { htmlInWord } from '../../streams/html/wordReading.ts'
import { filesOfSample, picturesBeside } from '../adopt/sampleFiles.ts'
import { YamlTooLarge } from '../folder/changedYaml.ts'
import { personOf } from '../folder/checkFolder.ts'
import { decodeCsv } from '../folder/encoding.ts'
import { type Finding, hasErrorFinding, isErrorFinding, andList } from '../folder/finding.ts'
import type { PeopleRow } from '../folder/personRow.ts'
import { readPeople } from '../folder/people.ts'
import { pictureFormat, pictureHash } from '../folder/pictures.ts'
import type { FolderRead } from '../folder/readFolder.ts'
import { UNSEALED_FORMATS } from '../values/formats.ts'
import { adoptedText } from './adoptedText.ts'
import { compareDrawnSignatures, findChromium } from './drawnPictures.ts'
import { checkCommand, openFolder, stopAtErrors } from './folderCommands.ts'
import { PICTURES_BASE_ADDRESS, embedPictures } from './pictureData.ts'
import { countText } from './planText.ts'
import {
  encodingOf,
  errorSentence,
  requiredText,
  CommandStop,
  stopOnError,
  optionText,
  CommandUsageError,
  type CommandHandler,
  type Terminal,
} from './terminal.ts'

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * Reads the folder to write into; null if it has no `signet.yaml` yet.
 *
 * @throws Stop for a folder with errors
 */
async function openInto(folder: string, terminal: Terminal): Promise<FolderRead | null> {
  if (!(await exists(join(folder, SIGNET_FILE)))) return null
  const read = await openFolder(folder)
  if (hasErrorFinding(read.problems)) stopAtErrors(read.problems, `${folder}; nothing was written`, terminal)
  return read
}

/**
 * The people from a file, or from the folder if no file is given.
 *
 * @throws Stop
 */
async function peopleOf(
  file: string | undefined,
  encoding: string | null,
  read: FolderRead | null,
  terminal: Terminal,
): Promise<readonly PeopleRow[]> {
  if (file === undefined) return read?.people ?? []
  const bytes = await readFile(file).catch(stopOnError(`${file} cannot be read: `))
  const problems: Finding[] = []
  const text = decodeCsv(bytes, file, problems, { encoding })
  const people = text === null ? null : readPeople(text, file, null)
  const findings = [...problems, ...(people?.problems ?? [])]
  const isShown = (finding: Finding) => isErrorFinding(finding) || problems.includes(finding)
  stopAtErrors(findings.filter(isShown), `${file}; nothing was written`, terminal)
  return people?.rows ?? []
}

/** Reports the number of pictures that stay linked because they are beyond the limits of `--fetch`. */
export const notFetchedText = ({ length }: readonly string[]): string =>
  `--fetch left ${countText(length, 'picture')} linked: for all pictures together, it asks at most ${PICTURE_FETCH_LIMITS.addresses} addresses, and takes at most ${PICTURE_FETCH_LIMITS.bytes} bytes and ${PICTURE_FETCH_LIMITS.milliseconds / 1000} seconds.\n`

/** The addresses in `--person`, in the order of the files. */
function personsIn(given: string | undefined, files: readonly string[]): readonly string[] {
  const persons = (given ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
  if (persons.length > files.length)
    throw new CommandUsageError('--person takes one address for each file, separated by commas.')
  return persons
}

async function adoptFiles(
  samples: readonly GivenSample[],
  { from, encoding }: Readonly<{ from: string | null; encoding: string | null }>,
  people: readonly PeopleRow[],
  variables: readonly Variable[],
  fetches: boolean,
): Promise<AdoptionResult> {
  const rowOf = new Map(
    people.flatMap((row) => row.record.addresses.map((address) => [address, row] as const)),
  )
  return withReadingThread((reading) =>
    adoptSamples(
      { samples, from, encoding, variables, isDrawn: true },
      {
        reading,
        personOf: async (address) => {
          const row = rowOf.get(address)
          return row === undefined ? null : personOf(row)
        },
        people: () => [people.map(personOf)],
        ...(fetches ? { fetchPicture: createPictureFetcher() } : {}),
      },
    ),
  )
}

/** @throws Stop for a path with a symbolic link, which may lead out of the folder */
async function staysBelow(folder: string, path: string): Promise<void> {
  let part = folder
  for (const name of path.split('/')) {
    part = join(part, name)
    if ((await lstat(part).catch(() => null))?.isSymbolicLink() === true)
      throw new CommandStop(`${part} is a link, and may lead out of ${folder}; nothing was written.`)
  }
}

/**
 * Writes the files that are new or differ into the folder, and returns their paths. Pictures come before the files that
 * name them.
 *
 * @throws Stop, before anything is written, if the addition conflicts with existing files or rules
 */
async function writeAddition(
  folder: string,
  { files, isThere, signature, sharedWith, forOthers }: FolderAddition,
  isForced: boolean,
): Promise<readonly string[]> {
  if (isThere && !isForced)
    throw new CommandStop(
      `${SIGNET_FILE} has a signature ${signature.id} already; nothing was written. Rename the file, or give --force to replace its template.`,
    )
  if (forOthers !== null)
    throw new CommandStop(
      `${SIGNET_FILE} gives the signature ${signature.id} to others than the people of the samples, who would get ${forOthers}; nothing was written. Rename the file, or make ${signature.id} in ${SIGNET_FILE} for the people of the samples until all is decided.`,
    )
  const written: string[] = []
  for (const [path, content] of files) {
    await staysBelow(folder, path)
    const there = await readFile(join(folder, path)).catch(() => null)
    if (there?.equals(content) === true) continue
    if (there !== null && path === signature.template && sharedWith.length > 0)
      throw new CommandStop(
        `${join(folder, path)} is the template of ${andList(sharedWith)}, too; nothing was written. ${isThere ? `Give ${signature.id} a template of its own in ${SIGNET_FILE}` : 'Rename the file'}.`,
      )
    if (there !== null && path !== SIGNET_FILE && !isForced)
      throw new CommandStop(
        `${join(folder, path)} is there already; nothing was written. Give --force to replace it.`,
      )
    written.push(path)
  }
  for (const path of written) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    const flag = isForced || path === SIGNET_FILE ? 'w' : 'wx'
    await writeFile(file, files.get(path) ?? '', { flag }).catch(stopOnError(`${file} cannot be written: `))
  }
  return written
}

/** The html that the person gets from the template, with its pictures embedded. */
export function renderAdopted(
  document: ReleaseDocument,
  signature: Signature,
  person: PersonState,
  pictures: AdoptionResult['adopted']['pictures'],
  at: number,
): string {
  const release = compileRelease('adopted', document, UNSEALED_FORMATS)
  const html =
    renderSignature(
      release,
      signature,
      'signature',
      person,
      renderingAddresses(PICTURES_BASE_ADDRESS, person),
      at,
    ) ?? ''
  const byHash = new Map(
    pictures.map(({ base64 }) => {
      const bytes = Buffer.from(base64, 'base64')
      return [
        pictureHash(bytes),
        { mediaType: pictureFormat(bytes)?.mediaType ?? 'image/png', bytes },
      ] as const
    }),
  )
  return embedPictures(html, PICTURES_BASE_ADDRESS, byHash)
}

/** An original and its template as html, with pictures embedded. */
type Pair = Readonly<{ original: string; template: string }>

/** Draws the original and the template side by side into a file, and counts the pixels that differ. */
async function draw(
  chromium: string,
  { original, template }: Pair,
  out: string,
  isForced: boolean,
): Promise<Readonly<{ differing: number; said: string }>> {
  const { png, pixels, differing } = await compareDrawnSignatures(chromium, original, template)
  const isWritten = isForced || !(await exists(out))
  if (isWritten) {
    // Deletes the file first: if it is a symbolic link, writing would overwrite its target.
    await rm(out, { force: true })
    await writeFile(out, png, { flag: 'wx' })
  }
  const shown = isWritten
    ? `: ${out} shows both, the original on the left`
    : `; ${out} is there already, and was not replaced`
  return { differing, said: `of ${countText(pixels, 'pixel')}${shown}.\n` }
}

/** The original and the template as classic Outlook reads them; null if all mail clients read the same html. */
function wordPair({ asItWas, asWordReads: word }: AdoptionResult, template: string): Pair | null {
  const original = word ?? asItWas
  const read = htmlInWord(template)
  return original === null || (word === null && read === template) ? null : { original, template: read }
}

/**
 * Draws the original beside the template, for most mail clients and for classic Outlook, and reports the number of
 * pixels that differ.
 *
 * @param word the pair as classic Outlook reads it; null if all mail clients read the same html
 */
async function prove(
  both: Pair | null,
  word: Pair | null,
  out: string,
  isForced: boolean,
  terminal: Terminal,
) {
  if (both === null) {
    terminal.write('The pictures were not compared: those of the original are too large together.\n')
    return
  }
  const chromium = await findChromium(terminal.environment)
  if (chromium === null) {
    terminal.write(
      'The pictures were not compared: there is no Chromium. Install Chromium, Chrome or Edge, or name one in CHROMIUM_PATH.\n',
    )
    return
  }
  try {
    const drawn = await draw(chromium, both, `${out}.png`, isForced)
    const inWord = word && (await draw(chromium, word, `${out}-word.png`, isForced))
    const differs = (differing: number) =>
      `The template differs from the original in ${countText(differing, 'pixel')}`
    if (drawn.differing > 0) terminal.write(`${differs(drawn.differing)}, ${drawn.said}`)
    else if (inWord === null || inWord.differing === 0)
      terminal.write(`The template looks as the original, ${drawn.said}`)
    if (inWord !== null && inWord.differing > 0)
      terminal.write(`In classic Outlook: ${differs(inWord.differing)}, ${inWord.said}`)
  } catch (error) {
    terminal.trace?.(error)
    terminal.write(`The pictures were not compared: ${errorSentence(error)}\n`)
  }
}

/** Describes who gets the signature. An existing signature keeps its rules. */
const forWhom = ({ isThere, signature: { selection } }: FolderAddition): string =>
  selection.for === 'everyone'
    ? 'everyone'
    : isThere
      ? 'the same people as before'
      : 'the people of the samples'

export const adoptSignature: CommandHandler = async (files, options, terminal) => {
  const into = requiredText(options, 'into', 'signatures')
  const isForced = options['force'] === true
  if (files.length > MAX_SAMPLES)
    throw new CommandUsageError(`signet adopt takes at most ${MAX_SAMPLES} files.`)
  const persons = personsIn(optionText(options, 'person'), files)
  const encoding = encodingOf(options)
  const read = await openInto(into, terminal)
  const people = await peopleOf(optionText(options, 'people'), encoding, read, terminal)
  try {
    const samples: GivenSample[] = []
    for (const [index, file] of files.entries())
      samples.push({
        files: await filesOfSample(file, encoding),
        person: persons[index] ?? null,
        findFiles: picturesBeside(file),
      })
    const here = await adoptFiles(
      samples,
      { from: optionText(options, 'from') ?? null, encoding },
      people,
      read?.document.variables ?? [],
      options['fetch'] === true,
    )
    const { adopted, person, asItWas, notFetched } = here
    const addition = await addToFolder(read, adopted, person)
    const written = await writeAddition(into, addition, isForced)
    terminal.write(adoptedText(adopted))
    if (notFetched.length > 0) terminal.write(notFetchedText(notFetched))
    terminal.write(
      written.length === 0
        ? `${into} has all of it already.\n`
        : `Written into ${into}: ${written.join(', ')}. The signature ${addition.signature.id} is for ${forWhom(addition)}: ${SIGNET_FILE} says for whom.\n`,
    )
    if (adopted.questions.some(concernsOnePerson))
      terminal.write(
        addition.isThere
          ? `${addition.signature.id} stays for the people whom ${SIGNET_FILE} names: decide before you publish it.\n`
          : `When all is decided, write "for: everyone" at ${addition.signature.id} in ${SIGNET_FILE}.\n`,
      )
    if (person !== null) {
      const { document, signature } = addition
      const template = renderAdopted(document, signature, person, adopted.pictures, terminal.now())
      await prove(
        asItWas === null ? null : { original: asItWas, template },
        wordPair(here, template),
        join(into, `${signature.id}.adopted`),
        isForced,
        terminal,
      )
    }
  } catch (error) {
    if (error instanceof NotAdopted || error instanceof YamlTooLarge)
      throw new CommandStop(`${error.message} Nothing was written.`, { cause: error.cause })
    throw error
  }
  return checkCommand([into], {}, terminal)
}
