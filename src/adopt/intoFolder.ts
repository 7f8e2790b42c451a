/** Adds an adopted signature to a folder, or starts a new folder with it. */
import {
  type AdoptedTemplate,
  concernsOnePerson,
  type AdoptQuestion,
} from '../../streams/organisation/adopt/adopted.ts'
import { plainSignature } from '../../streams/organisation/release/firstRelease.ts'
import { SIGNATURE_ID_PATTERN } from '../../streams/organisation/release/names.ts'
import { PICTURES_FOLDER, SIGNET_FILE, TEMPLATES_FOLDER } from '../../streams/organisation/release/paths.ts'
import {
  type ReleaseDocument,
  type Signature,
  templatePathsOf,
  type Variable,
} from '../../streams/organisation/release/release.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { runInSlices } from '../server/timeSlices.ts'
import { quoteUntrusted } from '../folder/finding.ts'
import { pictureHash } from '../folder/pictures.ts'
import type { FolderRead } from '../folder/readFolder.ts'
import { composingFiles } from '../folder/writeFolder.ts'
import { NotAdopted } from './sample.ts'

const MAX_ID_CHARACTERS = 40

/** The id of a signature, derived from its name. */
export function signatureIdOf(name: string): string {
  const id = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z\d]+/g, '_')
    .slice(0, MAX_ID_CHARACTERS)
    .replace(/^_+|_+$/g, '')
  return SIGNATURE_ID_PATTERN.test(id) ? id : 'signature'
}

const newVariable = ({ path, from }: AdoptedTemplate['variables'][number]): Variable => ({
  path,
  from,
  value: null,
  edit: false,
  resync: false,
  hidden: false,
  label: null,
  group: 'mapped',
})

/** A document for a folder without a `signet.yaml`, with the organisation of the person. */
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
 * The open questions about one person's texts in the template. Texts that were in the earlier template are settled,
 * because its users already have them.
 */
const undecidedOf = ({ questions }: AdoptedTemplate, before: string): readonly AdoptQuestion[] =>
  questions.filter(concernsOnePerson).flatMap(({ kind, texts }) => {
    const open = texts.filter((text) => !before.includes(text))
    return texts.length === 0 || open.length > 0 ? [{ kind, texts: open }] : []
  })

const MAX_NAMED = 8

/** Lists texts for a sentence, up to `MAX_UNCOVERED_NAMED` of them. */
function named(questions: readonly AdoptQuestion[]): string {
  const texts = [...new Set(questions.flatMap((question) => question.texts))]
  const others = texts.length - MAX_NAMED
  if (texts.length === 0) return 'texts of one person'
  return `${texts.slice(0, MAX_NAMED).map(quoteUntrusted).join(', ')}${others > 0 ? ` and ${String(others)} more` : ''}`
}

/** The addresses of the samples' people. */
const knownOf = ({ people }: AdoptedTemplate): readonly string[] => [
  ...new Set(people.filter((address) => address !== null)),
]

/** Whether a signature is for nobody else than these people. */
const isOnlyFor = ({ selection }: Signature, people: readonly string[]): boolean =>
  selection.for !== 'everyone' &&
  selection.for.every((group) =>
    group.some(
      (condition) =>
        condition.by === 'person' && condition.values.every((value) => people.includes(value.toLowerCase())),
    ),
  )

/**
 * Chooses who gets the template. In a new folder it is for everyone. It is only for the samples' people if the folder
 * has signatures, or if an open question leaves one person's texts in it. A template from another product names fields
 * and contains no personal texts. So it is for everyone even in a folder with signatures, if no person is known.
 *
 * @throws NotAdopted if it would be for nobody, because the person is unknown
 */
function selectionFor(
  adopted: AdoptedTemplate,
  { signatures }: ReleaseDocument,
  undecided: readonly AdoptQuestion[],
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

export type FolderAddition = Readonly<{
  document: ReleaseDocument
  signature: Signature
  /** Whether `signet.yaml` already has the signature. */
  isThere: boolean
  /**
   * Personal-looking texts that people outside the samples would get under the existing signature's rules, as a list
   * for a sentence. Only undecided texts count. Null if there are none.
   */
  forOthers: string | null
  /** The ids of other signatures and of blocks that use the same template. */
  sharedWith: readonly string[]
  /** The files to write, by path below the folder. */
  files: ReadonlyMap<string, Uint8Array>
}>

/**
 * @param read the folder; null if it has no `signet.yaml`
 * @throws NotAdopted for an unknown person's signature in a folder that has signatures
 */
export async function addToFolder(
  read: Pick<FolderRead, 'document' | 'pictures' | 'yaml'> | null,
  adopted: AdoptedTemplate,
  person: PersonState | null,
): Promise<FolderAddition> {
  const before = read?.document ?? emptyDocument(person)
  const id = signatureIdOf(adopted.name)
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
  const all = await runInSlices(composingFiles(document, pictures, read?.yaml ?? undefined))
  const written = [...contents.map(([path]) => `${PICTURES_FOLDER}/${path}`), signature.template, SIGNET_FILE]
  const others = [...before.signatures.filter((each) => each !== known), ...(before.blocks ?? [])]
  return {
    document,
    signature,
    isThere: known !== undefined,
    forOthers: isWider && undecided.length > 0 ? named(undecided) : null,
    sharedWith: others
      .filter((each) => templatePathsOf(each).includes(signature.template))
      .map((each) => each.id),
    files: new Map(
      written.flatMap((path) => (all.has(path) ? [[path, all.get(path) ?? new Uint8Array()]] : [])),
    ),
  }
}
