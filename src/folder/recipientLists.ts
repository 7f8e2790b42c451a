/**
 * Recipient lists: in `signet.yaml` below `recipient-lists`, or in files below `lists/` with one entry in each line.
 */
import { isListName, isRecipient } from '../../streams/organisation/release/names.ts'
import {
  LISTS_FOLDER,
  MAX_LIST_ENTRIES,
  MAX_LISTS,
  MAX_SENT_ENTRIES,
} from '../../streams/organisation/release/paths.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { Steps } from '../../streams/kernel/steps.ts'
import { normaliseAddress } from '../values/mailAddress.ts'
import { filesBelow, type FolderFiles, readText } from './files.ts'
import { createFindingReport, type Finding, type Place, quoteUntrusted, startOfFile } from './finding.ts'
import { createNearestFinder, didYouMean } from './near.ts'
import type { SectionReader } from './sections/reader.ts'
import { isEmptyEntry, type YamlEntry } from './yaml.ts'

export type Lists = NonNullable<ReleaseDocument['lists']>

const EXTENSION = '.txt'
/** An address has at most 320 characters, of up to four bytes each. */
const MAX_LIST_BYTES = 4 * 320 * MAX_LIST_ENTRIES
/** A new list with more entries is written as a file. */
const MAX_DESCRIBED_ENTRIES = 20

const COUNT = new Intl.NumberFormat('en')
const TOO_LONG = `A list has at most ${COUNT.format(MAX_LIST_ENTRIES)} entries. Name the domains in place of their addresses.`
const NAME =
  'A list is named by a letter, then letters, digits, "-" and "_", and not everyone, internal or external'

const listFile = (name: string): string => `${LISTS_FOLDER}/${name}${EXTENSION}`

type Given = Readonly<{ text: string; place: Place }>

/** Normalises entries. Reports entries that are no address or domain, repeated entries, and lists of the wrong size. */
function readEntries(
  given: readonly Given[],
  at: Place,
  name: string,
  problems: Finding[],
): readonly string[] {
  const { error, warn } = createFindingReport(problems)
  const excess = given[MAX_LIST_ENTRIES]
  if (excess !== undefined) {
    error(excess.place, 'tooMany', TOO_LONG)
    return []
  }
  const entries = new Map<string, Place>()
  for (const { text, place } of given) {
    const entry = normaliseAddress(text)
    const first = entries.get(entry)
    if (!isRecipient(entry)) error(place, 'value', `${quoteUntrusted(text)} is not a domain or an address.`)
    else if (first !== undefined)
      warn(place, 'twice', `${quoteUntrusted(text)} is in this list twice, first in line ${first.line}.`)
    else entries.set(entry, place)
  }
  if (given.length === 0) error(at, 'noValue', `The list ${quoteUntrusted(name)} is empty.`)
  return [...entries.keys()]
}

/** Reads `recipient-lists`. */
export function readDescribedLists(reader: SectionReader, entry: YamlEntry | undefined): Lists {
  const { entries, error, items, placeOf, places, problems, text } = reader
  const lists: Record<string, readonly string[]> = {}
  for (const each of entry === undefined || isEmptyEntry(entry) ? [] : entries(entry)) {
    const { key, place } = each
    places.set(`lists.${key}`, place)
    if (!isListName(key)) error(place, 'name', `${NAME}: ${quoteUntrusted(key)} is not.`)
    else if (Object.keys(lists).length === MAX_LISTS) {
      error(place, 'tooMany', `There are more than ${MAX_LISTS} lists of recipients.`)
      break
    } else {
      const given = items(each).flatMap((item): readonly Given[] => {
        const one = text(item)
        return one === null ? [] : [{ text: one, place: placeOf(item) }]
      })
      const read = readEntries(given, place, key, problems)
      if (read.length > 0) lists[key] = read
    }
  }
  return lists
}

/**
 * Reads the files below `lists/`: one entry in each line. `#` at the start or after a blank begins a comment; empty lines
 * are ignored.
 */
export async function readListFiles(
  files: FolderFiles,
  problems: Finding[],
): Promise<Readonly<{ lists: Lists; places: ReadonlyMap<string, Place> }>> {
  const { error } = createFindingReport(problems)
  const lists: Record<string, readonly string[]> = {}
  const places = new Map<string, Place>()
  for (const file of await filesBelow(files, LISTS_FOLDER, problems)) {
    const start = startOfFile(file)
    const name = file.slice(LISTS_FOLDER.length + 1, -EXTENSION.length)
    if (!file.endsWith(EXTENSION)) error(start, 'listName', 'A list of recipients ends in ".txt".')
    else if (!isListName(name)) error(start, 'listName', `${NAME}: ${quoteUntrusted(name)} is not.`)
    else if (Object.keys(lists).length === MAX_LISTS) {
      error(start, 'tooMany', `There are more than ${MAX_LISTS} lists of recipients.`)
      break
    } else {
      const text = await readText(files, file, MAX_LIST_BYTES, problems)
      if (text === null) continue
      places.set(`lists.${name}`, start)
      const read = readEntries(linesOf(text, file), start, name, problems)
      if (read.length > 0) lists[name] = read
    }
  }
  return { lists, places }
}

function linesOf(text: string, file: string): readonly Given[] {
  const given: Given[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const comment = line.search(/(?:^|\s)#/)
    const entry = (comment < 0 ? line : line.slice(0, comment)).trim()
    if (entry !== '')
      given.push({ text: entry, place: { file, line: index + 1, column: line.indexOf(entry) + 1 } })
  }
  return given
}

/** Adds the lists in files to those in `signet.yaml`. A name in both is a finding. */
export function joinLists(
  described: Lists = {},
  inFiles: Lists = {},
  problems: Finding[],
): Pick<ReleaseDocument, 'lists'> {
  const { error } = createFindingReport(problems)
  for (const name of Object.keys(inFiles))
    if (Object.hasOwn(described, name))
      error(
        startOfFile(listFile(name)),
        'twice',
        `The list ${quoteUntrusted(name)} is in "recipient-lists", too; take one of them out.`,
      )
  const lists = { ...inFiles, ...described }
  return Object.keys(lists).length > 0 ? { lists } : {}
}

/** The description in a `signet.yaml` that exists; null for a new one, which gets the short lists. */
type Described = Pick<ReleaseDocument, 'lists'> | null

const isDescribed = (described: Described, name: string, entries: readonly string[]): boolean =>
  described === null
    ? entries.length <= MAX_DESCRIBED_ENTRIES
    : described.lists !== undefined && Object.hasOwn(described.lists, name)

/** The lists that a folder with this `signet.yaml` has in files. */
export const listsInFiles = (lists: Lists, described: Described): Lists =>
  Object.fromEntries(
    Object.entries(lists).filter(([name, entries]) => !isDescribed(described, name, entries)),
  )

/** The document without the lists that a folder with this `signet.yaml` has in files. */
export function withoutListFiles<Document extends Pick<ReleaseDocument, 'lists'>>(
  document: Document,
  described: Described,
): Document {
  const { lists, ...others } = document
  if (lists === undefined) return document
  const kept = Object.entries(lists).filter(([name, entries]) => isDescribed(described, name, entries))
  return { ...others, ...(kept.length > 0 && { lists: Object.fromEntries(kept) }) } as Document
}

/** The files of recipient lists in a folder with this `signet.yaml`, by path. */
export const listFilesOf = (
  { lists = {} }: Pick<ReleaseDocument, 'lists'>,
  described: Described,
): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(listsInFiles(lists, described)).map(([name, entries]) => [
      listFile(name),
      entries.map((entry) => `${entry}\n`).join(''),
    ]),
  )

/** Reports unknown names of lists, lists that nothing names, and lists that are sent with too many rules. */
export function* checkLists(
  { lists = {}, signatures, blocks = [], guard = [] }: ReleaseDocument,
  placeOf: (path: string) => Place,
): Steps<readonly Finding[]> {
  const { findings, error, warn } = createFindingReport()
  const near = createNearestFinder(() => Object.keys(lists))
  const used = new Set<string>()
  let sent = 0
  const rules = [
    ...signatures.map(({ id, recipients }) => ({ path: `signatures.${id}`, recipients })),
    ...blocks.map(({ id, recipients }) => ({ path: `blocks.${id}`, recipients })),
    ...guard.flatMap((rule, index) =>
      rule.missing === 'signature' ? [{ path: `guard.${index}`, recipients: rule.recipients }] : [],
    ),
  ]
  for (const { path, recipients } of rules) {
    if (typeof recipients === 'string') continue
    const before = sent
    for (const [index, name] of recipients.entries()) {
      yield
      if (!isListName(name)) continue
      const place = placeOf(`${path}.recipients.${index}`)
      const entries = Object.hasOwn(lists, name) ? lists[name] : undefined
      if (entries === undefined)
        error(
          place,
          'unknownList',
          `There is no list ${quoteUntrusted(name)} in "recipient-lists" or below ${LISTS_FOLDER}/.${didYouMean(yield* near(name))}`,
        )
      used.add(name)
      sent += entries?.length ?? 0
    }
    if (before <= MAX_SENT_ENTRIES && sent > MAX_SENT_ENTRIES)
      error(
        placeOf(`${path}.recipients`),
        'tooMany',
        `Up to here, the lists of all signatures, blocks and rules have more than ${COUNT.format(MAX_SENT_ENTRIES)} entries together, and mail clients get all of them. Name the domains in place of their addresses.`,
      )
  }
  for (const name of Object.keys(lists))
    if (!used.has(name))
      warn(placeOf(`lists.${name}`), 'unusedList', `No "recipients" names the list ${quoteUntrusted(name)}.`)
  return findings
}
