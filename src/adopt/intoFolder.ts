/** Adds an adopted signature to a folder, or begins a folder with it. */
import { type Adopted, isOfOnePerson, type Question } from '../../streams/organisation/adopt/adopted.ts'
import { plainSignature } from '../../streams/organisation/release/firstRelease.ts'
import { SIGNATURE_ID } from '../../streams/organisation/release/names.ts'
import { PICTURES_FOLDER, SIGNET_FILE, TEMPLATES_FOLDER } from '../../streams/organisation/release/paths.ts'
import {
  type ReleaseDocument,
  type Signature,
  usesOf,
  type Variable,
} from '../../streams/organisation/release/release.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { inTurns } from '../server/timeSlices.ts'
import { quote } from '../folder/finding.ts'
import { pictureHash } from '../folder/pictures.ts'
import type { FolderRead } from '../folder/readFolder.ts'
import { writingFiles } from '../folder/writeFolder.ts'
import { NotAdopted } from './sample.ts'

const MAX_ID_CHARACTERS = 40

/** The id of a signature, from its name. */
export function idOf(name: string): string {
  const id = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z\d]+/g, '_')
    .slice(0, MAX_ID_CHARACTERS)
    .replace(/^_+|_+$/g, '')
  return SIGNATURE_ID.test(id) ? id : 'signature'
}

const newVariable = ({ path, from }: Adopted['variables'][number]): Variable => ({
  path,
  from,
  value: null,
  edit: false,
  resync: false,
  hidden: false,
  label: null,
  group: 'mapped',
})

/** A folder that has no `signet.yaml` yet: its organisation is that of the person. */
export function emptyDocument(person: PersonState | null): ReleaseDocument {
  const [address = ''] = person?.addresses ?? []
  const domain = address.slice(address.indexOf('@') + 1)
  return {
    version: 1,
    organisation: person?.directory['companyName'] ?? (domain || 'Organisation'),
    internal: domain === '' ? [] : [domain],
    chooseDefault: { for: 'everyone', not: [] },
    plan: { from: null, value: 'full' },
    variables: [],
    signatures: [],
    mailboxes: [],
    templates: {},
    pictures: {},
  }
}

function freeName(name: string, { signatures }: ReleaseDocument): string {
  const taken = new Set(signatures.map((each) => each.name))
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`
  return free
}

/**
 * The questions that leave texts of one person in the template. A text that the template had before is decided: whoever
 * gets it has that text already.
 */
const undecidedOf = ({ questions }: Adopted, before: string): readonly Question[] =>
  questions.filter(isOfOnePerson).flatMap(({ kind, texts }) => {
    const open = texts.filter((text) => !before.includes(text))
    return texts.length === 0 || open.length > 0 ? [{ kind, texts: open }] : []
  })

const MAX_NAMED = 8

/** Texts as a list, as far as a sentence can have them. */
function named(questions: readonly Question[]): string {
  const texts = [...new Set(questions.flatMap((question) => question.texts))]
  const others = texts.length - MAX_NAMED
  if (texts.length === 0) return 'texts of one person'
  return `${texts.slice(0, MAX_NAMED).map(quote).join(', ')}${others > 0 ? ` and ${String(others)} more` : ''}`
}

/** The addresses of the people of the samples. */
const knownOf = ({ people }: Adopted): readonly string[] => [
  ...new Set(people.filter((address) => address !== null)),
]

/** Whether a signature is for some of these people, and for nobody else. */
const isOnlyFor = ({ selection }: Signature, people: readonly string[]): boolean =>
  selection.for !== 'everyone' &&
  selection.for.every((group) =>
    group.some(
      (condition) =>
        condition.by === 'person' && condition.values.every((value) => people.includes(value.toLowerCase())),
    ),
  )

/**
 * A template for all people in a new folder; for the people of the samples in one that has signatures, or while a
 * question is open that leaves texts of one person in it. In a folder with signatures, only the template of another
 * product is for all people: it names fields, and has the texts of no person.
 *
 * @throws NotAdopted if it were for nobody, because the person is a stranger
 */
function selectionFor(
  adopted: Adopted,
  { signatures }: ReleaseDocument,
  undecided: readonly Question[],
): Signature['selection'] {
  const known = knownOf(adopted)
  const ofProduct = adopted.placeholders.some(({ because }) => because === 'named')
  const isOpen = undecided.length > 0
  if (known.length === 0 && (isOpen || (signatures.length > 0 && !ofProduct)))
    throw new NotAdopted(
      'person_unknown',
      `No person is known for this signature, so that all people would get ${isOpen ? named(undecided) : 'its texts'}: give --person, and --people if the folder has no people.csv.`,
    )
  return known.length === 0 || (signatures.length === 0 && !isOpen)
    ? { for: 'everyone', not: [] }
    : { for: [[{ by: 'person', values: known }]], not: [] }
}

export type Addition = Readonly<{
  document: ReleaseDocument
  signature: Signature
  /** Whether `signet.yaml` has the signature already. */
  isThere: boolean
  /**
   * What others than the people of the samples would get by the rules of the signature that is there: texts that look
   * personal and are not decided, as a list for a sentence. Null if nothing.
   */
  forOthers: string | null
  /** The ids of other signatures and of blocks that use its template. */
  sharedWith: readonly string[]
  /** The files to write, by their paths below the folder. */
  files: ReadonlyMap<string, Uint8Array>
}>

/**
 * @param read the folder; null for one without a `signet.yaml`
 * @throws NotAdopted for a stranger's signature in a folder that has signatures
 */
export async function addTo(
  read: Pick<FolderRead, 'document' | 'pictures' | 'yaml'> | null,
  adopted: Adopted,
  person: PersonState | null,
): Promise<Addition> {
  const before = read?.document ?? emptyDocument(person)
  const id = idOf(adopted.name)
  const known = before.signatures.find((each) => each.id === id)
  const undecided = undecidedOf(adopted, before.templates[known?.template ?? ''] ?? '')
  const selection = selectionFor(adopted, before, undecided)
  const isWider = known !== undefined && !isOnlyFor(known, knownOf(adopted))
  const signature = known ?? {
    ...plainSignature(
      id,
      freeName(adopted.name, before),
      `${TEMPLATES_FOLDER}/${id.replaceAll('_', '-')}.html`,
    ),
    selection,
  }
  const contents = adopted.pictures.map(({ path, base64 }) => [path, Buffer.from(base64, 'base64')] as const)
  const names = new Set(before.variables.map(({ path }) => path))
  const document: ReleaseDocument = {
    ...before,
    variables: [
      ...before.variables,
      ...adopted.variables.filter(({ path }) => !names.has(path)).map(newVariable),
    ],
    signatures: known === undefined ? [...before.signatures, signature] : before.signatures,
    templates: { ...before.templates, [signature.template]: adopted.template },
    pictures: {
      ...before.pictures,
      ...Object.fromEntries(contents.map(([path, bytes]) => [path, pictureHash(bytes)])),
    },
  }
  const pictures = new Map<string, Readonly<{ bytes: Uint8Array }>>(read?.pictures ?? [])
  for (const [, bytes] of contents) pictures.set(pictureHash(bytes), { bytes })
  const all = await inTurns(writingFiles(document, pictures, read?.yaml ?? undefined))
  const written = [...contents.map(([path]) => `${PICTURES_FOLDER}/${path}`), signature.template, SIGNET_FILE]
  const others = [...before.signatures.filter((each) => each !== known), ...(before.blocks ?? [])]
  return {
    document,
    signature,
    isThere: known !== undefined,
    forOthers: isWider && undecided.length > 0 ? named(undecided) : null,
    sharedWith: others.filter((each) => usesOf(each).includes(signature.template)).map((each) => each.id),
    files: new Map(
      written.flatMap((path) => (all.has(path) ? [[path, all.get(path) ?? new Uint8Array()]] : [])),
    ),
  }
}
