/** Reads `signet.yaml` into a release document. */
import type {
  CardSettings,
  GuardRule,
  PublishLimits,
  ReleaseDocument,
  Selection,
} from '../../streams/organisation/release/release.ts'
import { createSectionReader, type DocumentPlaces, type SectionReader } from './sections/reader.ts'
import { DEFAULT_READERS, READERS } from './readerNames.ts'
import { type YamlEntry, isEmptyEntry, isRecordEntry } from './yaml.ts'
import { type Finding, andList, quoteUntrusted } from './finding.ts'
import { isDomain, isVariableName } from '../../streams/organisation/release/names.ts'
import { readDescribedLists } from './recipientLists.ts'
import { readApproval, readEditors } from './sections/approval.ts'
import { readBlock, readGuardRule } from './sections/blocks.ts'
import { readSource, readVariable } from './sections/variables.ts'
import { peopleLimitIn } from '../../streams/organisation/plan/peopleLimit.ts'
import { normaliseDomain } from '../values/mailAddress.ts'
import { readBrand } from './sections/brand.ts'
import { readMailbox } from './sections/mailboxes.ts'
import { readSelection } from './sections/selection.ts'
import { readSignature } from './sections/signatures.ts'
import { SIGNET_FILE } from '../../streams/organisation/release/paths.ts'

/** The document without its templates and pictures, and without the recipient lists in files. */
export type DescribedDocument = Omit<ReleaseDocument, 'templates' | 'pictures'>

export const EVERYONE: Selection = { for: 'everyone', not: [] }
export const NO_USER: Selection = { for: [], not: [] }

export type DescriptionRead = Readonly<{
  document: DescribedDocument
  /** Names of mail clients (`readerNames.ts`). */
  readers: readonly string[]
  places: DocumentPlaces
  /** False if the file is missing or is not YAML. */
  isDescribed: boolean
}>

const TOP = [
  ...'version organisation internal choose-default plan counting limits readers variables'.split(' '),
  ...['brand', 'cards', 'pictures', 'recipient-lists', 'signatures', 'blocks', 'guard', 'mailboxes'],
  ...['approval', 'editors'],
]

/**
 * Reads the description, and adds the findings to `problems`.
 *
 * @param text null if there is no `signet.yaml`
 */
export function readSignetYaml(text: string | null, problems: Finding[]): DescriptionRead {
  const reader = createSectionReader(text ?? '', problems)
  const { root, error, places, entries, record, items, text: textOf, texts, flag, only } = reader

  // An unreadable file has been reported already.
  if (text === null && problems.length === 0)
    error(root.place, 'noFile', `There is no ${SIGNET_FILE}; it says who gets which signature.`)
  const isRead = text !== null && (problems.length === 0 || root.value !== null)
  const top = isRead ? record(root, TOP, SIGNET_FILE) : {}
  const { version, internal, readers } = top
  if (isRead && textOf(version) !== '1')
    error(
      version?.place ?? root.place,
      'version',
      'The first line is "version: 1", the format of this folder.',
    )
  const organisation = textOf(top['organisation'])
  if (isRead && (organisation === null || organisation.trim() === ''))
    error(top['organisation']?.place ?? root.place, 'organisation', '"organisation" is the name of yours.')
  const domains = internal === undefined ? [] : texts(internal, internal.key)
  const plan = readSource(reader, record(top['plan'], ['from', 'value']))
  const counting = flag(top['counting']) ?? false
  const limits = top['limits'] === undefined ? null : readLimits(reader, top['limits'])
  const { blocks: given, guard: asked } = top
  const brand =
    top['brand'] === undefined || isEmptyEntry(top['brand']) ? null : readBrand(reader, top['brand'])
  const cards = top['cards'] === undefined ? null : readCards(reader, top['cards'])
  const linked = top['pictures'] !== undefined && arePicturesLinked(reader, top['pictures'])
  const lists = readDescribedLists(reader, top['recipient-lists'])
  const approval = top['approval'] === undefined ? null : readApproval(reader, top['approval'])
  const blocks =
    given === undefined || isEmptyEntry(given)
      ? []
      : entries(given).flatMap((each) => readBlock(reader, each))
  const guard: GuardRule[] = []
  for (const each of asked === undefined || isEmptyEntry(asked) ? [] : items(asked))
    guard.push(...readGuardRule(reader, each, `guard.${guard.length}`))
  const document: DescribedDocument = {
    version: 1,
    organisation: organisation ?? '',
    internal: only(domains.map(normaliseDomain), internal?.place ?? root.place, isDomain, 'domain'),
    chooseDefault: readChooseDefault(reader, top['choose-default']),
    plan: { ...plan, value: plan.value ?? 'full' },
    variables: entries(top['variables']).flatMap((each) => readVariable(reader, each)),
    signatures: entries(top['signatures']).flatMap((each) => readSignature(reader, each)),
    mailboxes: entries(top['mailboxes']).flatMap((each) => readMailbox(reader, each)),
    // Unused fields are left out, so that a release without them keeps the id it had before these fields existed.
    ...(counting && { counting }),
    ...(limits && { limits }),
    ...(blocks.length > 0 && { blocks }),
    ...(guard.length > 0 && { guard }),
    ...(brand !== null && { brand }),
    ...(cards !== null && { cards }),
    ...(linked && { linked }),
    ...(Object.keys(lists).length > 0 && { lists }),
    ...(approval !== null && { approval }),
    ...readEditors(reader, top['editors'], 'editors'),
  }
  const named =
    readers === undefined
      ? DEFAULT_READERS
      : only(
          texts(readers, readers.key),
          readers.place,
          (name) => Object.hasOwn(READERS, name),
          `mail client; known are ${andList(Object.keys(READERS))}`,
        )
  return { document, readers: named, places, isDescribed: isRead }
}

function readChooseDefault(reader: SectionReader, entry: YamlEntry | undefined): Selection {
  if (entry === undefined) return EVERYONE
  if (!isRecordEntry(entry)) return reader.flag(entry) === false ? NO_USER : EVERYONE
  const of = reader.record(entry, ['for', 'not'])
  return readSelection(reader, of, entry.key, entry.place, quoteUntrusted(entry.key))
}

function readLimits({ error, record, text }: SectionReader, entry: YamlEntry): PublishLimits | null {
  const { people } = record(entry, ['people'])
  const written = text(people)
  if (people === undefined || written === null) return null
  const limit = peopleLimitIn(written)
  if (limit !== null) return { people: limit }
  return error(
    people.place,
    'limits',
    `"people" is a number of people, or a percentage of all such as 10%: ${quoteUntrusted(written)} is neither.`,
  )
}

function arePicturesLinked({ error, places, placeOf, text }: SectionReader, entry: YamlEntry): boolean {
  places.set('pictures', placeOf(entry))
  const written = text(entry)
  if (written !== null && written !== 'linked')
    error(
      placeOf(entry),
      'value',
      `"pictures" is "linked", or left out if pictures are attached: ${quoteUntrusted(written)} is neither.`,
    )
  return written === 'linked'
}

function readCards(
  { error, keepPlaces, record, text }: SectionReader,
  entry: YamlEntry,
): CardSettings | null {
  if (!isRecordEntry(entry))
    return error(
      entry.place,
      'cards',
      '"cards" says how users refuse: cards: { unless: no_card }, a variable with "edit: true". Without it, no card has an address.',
    )
  const { unless } = record(entry, ['unless'])
  if (unless === undefined)
    return error(
      entry.place,
      'cards',
      '"cards" needs "unless": the variable by which users refuse, with "edit: true".',
    )
  keepPlaces({ unless }, 'cards', ['unless'])
  const name = text(unless)
  if (name === null) return null
  return isVariableName(name)
    ? { unless: name }
    : error(unless.place, 'unknownVariable', `There is no variable ${quoteUntrusted(name)}.`)
}
