/** Makes a template from an existing signature. */
import { htmlToText } from '../../streams/html/text.ts'
import type { AdoptedTemplate, AdoptQuestion, UnusedFile } from '../../streams/organisation/adopt/adopted.ts'
import { isAddress } from '../../streams/organisation/release/names.ts'
import { ownProperty } from '../../streams/organisation/release/selectors.ts'
import type { Variable } from '../../streams/organisation/release/release.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { addPersonalQuestion, createValueSearch } from '../../streams/organisation/adopt/valuesOfOthers.ts'
import { mapInSteps } from '../../streams/kernel/steps.ts'
import { runInSlices } from '../server/timeSlices.ts'
import type { FetchedPicture } from './fetchPicture.ts'
import { fileNameOf } from './pictures.ts'
import type { SampleReading } from './readingApart.ts'
import type { ReadSample } from './readingTasks.ts'
import { type FindFiles, MAX_SAMPLE_BYTES, NotAdopted, type SampleFile } from './sample.ts'
import { createRemovalTally } from './tally.ts'

/** A sample with its person's address; null to find the address in the sample. */
export type GivenSample = Readonly<{
  files: readonly SampleFile[]
  person: string | null
  /** Looks for the files of pictures that are not among `files`. */
  findFiles?: FindFiles
}>

type Wanted = Readonly<{
  samples: readonly GivenSample[]
  /** The text that a mail's signature begins with; null to find the signature by the marks of mail clients. */
  from: string | null
  variables: readonly Variable[]
  /** The encoding to use if the html's own is unclear; null if unknown. */
  encoding?: string | null
  /** Whether to also return the first sample before cleaning, for drawing. */
  isDrawn?: boolean
}>

type World = Readonly<{
  reading: SampleReading
  /** The person with a lower-case address; null if there is none. */
  personOf: (address: string) => Promise<PersonState | null>
  /** All people, page by page. */
  people: () => AsyncIterable<readonly PersonState[]> | Iterable<readonly PersonState[]>
  /** The client that the signature is adopted for. The work ends when the client disconnects. */
  client?: AbortSignal | null
  /** Fetches linked pictures. */
  fetchPicture?: (address: string) => Promise<FetchedPicture>
}>

/** An adopted template, with the original to compare it with. */
export type AdoptionResult = Readonly<{
  adopted: AdoptedTemplate
  /** The first sample's person; null if unknown. */
  person: PersonState | null
  /**
   * The first sample before cleaning, with its pictures embedded; null if it is not drawn, or is too long. Draw it only
   * where nothing runs and nothing loads, because it is untrusted.
   */
  asItWas: string | null
  /**
   * The uncleaned sample as classic Outlook reads it; null if it is not drawn, or if all mail clients read the same
   * html.
   */
  asWordReads: string | null
  /** The addresses of pictures beyond the limits, which were not fetched. */
  notFetched: readonly string[]
}>

const BETWEEN_ADDRESSES = /([\s()[\]<>,;])/

/** The addresses in a file name, as new Outlook writes them: `Work (maria.silva@northwind.example).htm`. */
export const addressesInName = (path: string): readonly string[] =>
  stemOf(path)
    .split(BETWEEN_ADDRESSES)
    .map((word) => word.toLowerCase())
    .filter(isAddress)

const stemOf = (path: string): string => {
  const name = fileNameOf(path).normalize('NFC')
  return /@[^@]*$/.test(name) && !/\.(?:html?|eml|msg|oft)$/i.test(name)
    ? name
    : name.replace(/\.[a-z]{1,5}$/i, '')
}

/** A person's names in the directory, and each address before the `@`; the longest first. */
function namesOf({ directory, addresses }: PersonState): readonly string[] {
  const [given = '', surname = ''] = [
    ownProperty(directory, 'givenName'),
    ownProperty(directory, 'surname'),
  ].map((each) => each ?? '')
  const names = [ownProperty(directory, 'displayName') ?? '', `${given} ${surname}`, `${surname} ${given}`]
  const locals = addresses.map((address) => address.slice(0, address.indexOf('@')))
  return [...names, ...locals, surname, given]
    .map((name) => name.trim())
    .filter(({ length }) => length > 2)
    .sort((one, other) => other.length - one.length)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * The name of a signature: its file name without the person's name and address. Everyone sees the name, and the id
 * derived from it is in everyone's mails.
 */
export function signatureNameOf(path: string, person: PersonState | null): string {
  let name = stemOf(path)
    .split(BETWEEN_ADDRESSES)
    .map((word) => (word.includes('@') ? ' ' : word))
    .join('')
  for (const each of person === null ? [] : namesOf(person)) {
    const words = each
      .normalize('NFC')
      .split(/[\s._,-]+/)
      .filter((word) => word !== '')
      .map(escaped)
    const asWords = new RegExp(`(^|[^\\p{L}\\d])${words.join('[\\s._,-]*')}(?![\\p{L}\\d])`, 'giu')
    name = name.replace(asWords, '$1 ')
  }
  const spaced = name.replace(/\(\s*\)|\[\s*\]|<\s*>/g, ' ').replace(/\s+/g, ' ')
  return /^.*[^\s._,–-]/.exec(spaced.slice(Math.max(0, spaced.search(/[^\s._,–-]/))))?.[0] ?? 'signature'
}

async function readOne(
  { files: given, person, findFiles }: GivenSample,
  { from, encoding, isDrawn }: Required<Omit<Wanted, 'samples' | 'variables'>>,
  { reading, personOf, fetchPicture }: World,
): Promise<Readonly<{ sample: ReadSample; person: PersonState | null; notFetched: readonly string[] }>> {
  let files = given
  let sample = await reading.read(files, from, { encoding, isDrawn })
  const lacking = [...sample.linked, ...sample.missing]
  const room = MAX_SAMPLE_BYTES - files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const beside = findFiles && lacking.length > 0 ? await findFiles(lacking, room) : []
  if (beside.length > 0) {
    files = [...files, ...beside]
    sample = await reading.read(files, from, { encoding, isDrawn })
  }
  const notFetched: string[] = []
  if (fetchPicture && sample.linked.length > 0) {
    const fetched: SampleFile[] = []
    for (const address of sample.linked) {
      const bytes = await fetchPicture(address)
      if (bytes === 'limit') notFetched.push(address)
      else if (bytes !== null) fetched.push({ path: address, bytes })
    }
    if (fetched.length > 0) sample = await reading.read(files, from, { fetched, encoding, isDrawn })
  }
  if (person !== null) {
    const known = await personOf(person.toLowerCase())
    if (known === null)
      throw new NotAdopted('person_unknown', `There is no person with the address ${person}.`)
    return { sample, person: known, notFetched }
  }
  // The file name may contain the person's address.
  const named = addressesInName(files[0]?.path ?? '')
  for (const address of [...named, ...sample.addresses]) {
    const known = await personOf(address)
    if (known !== null) return { sample, person: known, notFetched }
  }
  return { sample, person: null, notFetched }
}

const MAX_WORDS = 8

/** Asks about samples with an unclear encoding. The question lists words whose letters may be wrong. */
function encodingQuestions(read: readonly Readonly<{ sample: ReadSample }>[]): readonly AdoptQuestion[] {
  const unclear = read.filter(({ sample }) => sample.isUnclear)
  if (unclear.length === 0) return []
  const words = unclear.flatMap(
    ({ sample: { html } }) => htmlToText(html).match(/\S{0,20}\P{ASCII}\S{0,20}/gu) ?? [],
  )
  return [{ kind: 'encoding', texts: [...new Set(words)].slice(0, MAX_WORDS) }]
}

/** The given files that no sample uses, each once. */
function unusedFilesOf(samples: readonly ReadSample[]): readonly UnusedFile[] {
  const used = new Set(samples.flatMap((sample) => sample.used))
  const unused = new Map(samples.flatMap(({ unusedFiles }) => unusedFiles.map((file) => [file.path, file])))
  return [...unused.values()].filter(({ path }) => !used.has(path))
}

/** The given texts that are a value of at least one person. */
async function valuesAmong(
  texts: readonly string[],
  { people, client = null }: Pick<World, 'people' | 'client'>,
): Promise<readonly string[]> {
  if (texts.length === 0) return []
  const { add, found } = createValueSearch(texts)
  for await (const page of people()) await runInSlices(mapInSteps(page, add), { client })
  return found()
}

/** @throws NotAdopted with a sentence, which names the sample if there are several */
export async function adoptSamples(
  { samples, from, variables, encoding = null, isDrawn = false }: Wanted,
  world: World,
): Promise<AdoptionResult> {
  const read: Awaited<ReturnType<typeof readOne>>[] = []
  for (const [index, sample] of samples.entries())
    try {
      read.push(await readOne(sample, { from, encoding, isDrawn: isDrawn && sample === samples[0] }, world))
    } catch (error) {
      if (!(error instanceof NotAdopted)) throw error
      const name = samples.length === 1 ? '' : `${fileNameOf(sample.files[0]?.path ?? '')}: `
      throw new NotAdopted(error.code, `${name}${error.message}`, index, error.cause)
    }
  const [first] = read
  if (first === undefined) throw new NotAdopted('sample_unreadable', 'There is no sample.')
  const { stayed, ...found } = await world.reading.find(
    read.map(({ sample, person }) => ({ html: sample.html, person })),
    variables,
  )
  const asked = addPersonalQuestion(await valuesAmong(stayed, world), found.questions)
  const pictures = new Map(
    read.flatMap(({ sample }) => sample.pictures.map(({ path, bytes }) => [path, bytes])),
  )
  const tally = createRemovalTally()
  for (const { sample } of read) for (const entry of sample.takenOut) tally.add(entry)
  return {
    adopted: {
      ...found,
      name: signatureNameOf(samples[0]?.files[0]?.path ?? '', first.person),
      questions: [...encodingQuestions(read), ...asked],
      pictures: [...pictures]
        .filter(([path]) => found.template.includes(path) || first.sample.html.includes(path))
        .map(([path, bytes]) => ({ path, base64: Buffer.from(bytes).toString('base64') })),
      linked: first.sample.linked,
      unusedFiles: unusedFilesOf(read.map(({ sample }) => sample)),
      takenOut: tally.list(),
      people: read.map(({ person }) => person?.addresses[0] ?? null),
      original: first.sample.html,
    },
    person: first.person,
    asItWas: first.sample.asItWas,
    asWordReads: first.sample.asWordReads,
    notFetched: [...new Set(read.flatMap(({ notFetched }) => notFetched))],
  }
}
