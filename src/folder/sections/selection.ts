/** Reads the conditions on who gets a part of `signet.yaml`: `for`, `not`, `recipients` and `thread`. */
import type {
  Signature,
  Condition,
  ManagerCondition,
  Recipients,
  Selection,
  FieldTest,
} from '../../../streams/organisation/release/release.ts'
import { createNearestFinder, didYouMean } from '../near.ts'
import { type YamlEntry, type EntryFields, isEmptyEntry, isListEntry, isRecordEntry } from '../yaml.ts'
import {
  isAddress,
  isAddressPattern,
  isDay,
  isFieldName,
  isLanguageTag,
  isListName,
  isRecipient,
  isTestableField,
} from '../../../streams/organisation/release/names.ts'
import { andList, type Place, quoteUntrusted } from '../finding.ts'
import { normaliseAddress } from '../../values/mailAddress.ts'
import { runSteps } from '../../../streams/kernel/steps.ts'
import { whyNoSuchDay } from './period.ts'
import type { SectionReader } from './reader.ts'

const TESTS = ['starts', 'ends', 'contains', 'any', 'before', 'after']
const nearTest = createNearestFinder(() => TESTS)
const KNOWN_OF_MANAGER = 'fields of the directory, "person" and "address" are'

type FieldCondition = Extract<ManagerCondition, { by: 'field' | 'test' }>

/** @param absent the people if there is no `for`; null makes `for` required */
export function readSelection(
  reader: SectionReader,
  of: EntryFields,
  path: string,
  at: Place,
  what: string,
  absent: Selection['for'] | null = null,
): Selection {
  const { error, items, places, text } = reader
  const { for: wanted, not: excluded } = of
  const not = excluded === undefined ? [] : readGroups(reader, excluded, `${path}.not`)
  if (wanted === undefined) {
    if (absent === null) error(at, 'noFor', `${what} does not say for whom it is: for: everyone.`)
    return { for: absent ?? [], not }
  }
  places.set(`${path}.for`, wanted.place)
  if (!isListEntry(wanted)) {
    if (text(wanted) !== 'everyone')
      error(wanted.place, 'value', '"for" is everyone, or a list of conditions.')
    return { for: 'everyone', not }
  }
  const groups = readGroups(reader, wanted, `${path}.for`)
  if (items(wanted).length === 0)
    error(wanted.place, 'noFor', `${what} is for no user; say "everyone", or take it out.`)
  return { for: groups, not }
}

export function readRecipients(
  { error, only, text, texts }: SectionReader,
  entry: YamlEntry | undefined,
  path: string,
): Recipients {
  if (entry === undefined) return 'everyone'
  if (isListEntry(entry)) {
    const named = texts(entry, path).map((one) => (isListName(one) ? one : normaliseAddress(one)))
    if (named.length === 0)
      error(entry.place, 'noValue', '"recipients" has no domain, address or name of a list.')
    return only(
      named,
      entry.place,
      (one) => isListName(one) || isRecipient(one),
      'domain, an address or the name of a list',
    )
  }
  const named = text(entry)
  if (named === 'everyone' || named === 'internal' || named === 'external') return named
  error(
    entry.place,
    'value',
    '"recipients" is everyone, internal, external, or a list of domains, addresses and names of lists.',
  )
  return 'everyone'
}

export function readThread(
  { error, text }: SectionReader,
  entry: YamlEntry | undefined,
): Pick<Signature, 'thread'> {
  if (entry === undefined) return {}
  const thread = text(entry)
  if (thread === 'first' || thread === 'later') return { thread }
  error(entry.place, 'value', '"thread" is first or later.')
  return {}
}

function readGroups(
  reader: SectionReader,
  entry: YamlEntry,
  path: string,
): readonly (readonly Condition[])[] {
  const { entries, error, items, places, problems } = reader
  places.set(path, entry.place)
  const groups: (readonly Condition[])[] = []
  for (const item of items(entry)) {
    const { place } = item
    const before = problems.length
    const one = `${path}.${groups.length}`
    const conditions = entries(item, 'A condition').flatMap((each) => readCondition(reader, each, one))
    if (problems.length > before) continue
    if (conditions.length === 0)
      error(place, 'noValue', 'An empty condition would fit every user; say "everyone".')
    else {
      places.set(one, place)
      groups.push(conditions)
    }
  }
  return groups
}

function readCondition(reader: SectionReader, entry: YamlEntry, path: string): readonly Condition[] {
  const { entries, only } = reader
  const { key, place } = entry
  if (key === 'group')
    return [{ by: key, values: only(readValues(reader, entry, path), place, (text) => text !== '', 'group') }]
  if (key === 'language') {
    const values = only(readValues(reader, entry, path), place, isLanguageTag, 'language, such as pt-BR')
    return [{ by: key, values }]
  }
  if (key === 'manager' && isRecordEntry(entry)) {
    const conditions = entries(entry).flatMap((each) => readManager(reader, each, `${path}.${key}`))
    refuseEmpty(reader, entry)
    return [{ by: key, conditions }]
  }
  return readAddressOrField(reader, entry, path)
}

function readManager(reader: SectionReader, entry: YamlEntry, path: string): readonly ManagerCondition[] {
  const { key, place } = entry
  if (key === 'person' || key === 'address' || isTestableField(key))
    return readAddressOrField(reader, entry, path)
  reader.error(place, 'value', `${quoteUntrusted(key)} is not known of a manager: ${KNOWN_OF_MANAGER}.`)
  return []
}

function readAddressOrField(
  reader: SectionReader,
  entry: YamlEntry,
  path: string,
): readonly ManagerCondition[] {
  const { error, only } = reader
  const { key, place } = entry
  if (key === 'person' || key === 'address') {
    const addresses = readValues(reader, entry, path).map(normaliseAddress)
    return [
      key === 'person'
        ? { by: key, values: only(addresses, place, isAddress, 'mail address') }
        : { by: key, values: only(addresses, place, isAddressPattern, 'pattern of an address') },
    ]
  }
  if (isFieldName(key)) return readFieldCondition(reader, entry, path)
  error(place, 'value', `${quoteUntrusted(key)} is not a field of a directory.`)
  return []
}

/** Reads a condition on a field: its values, or a map of tests. */
function readFieldCondition(
  reader: SectionReader,
  entry: YamlEntry,
  path: string,
): readonly FieldCondition[] {
  const { key } = entry
  if (!isRecordEntry(entry)) return [{ by: 'field', field: key, values: readValues(reader, entry, path) }]
  const tests = reader.entries(entry).flatMap((each) => readTest(reader, each, `${path}.${key}`))
  refuseEmpty(reader, entry)
  return [{ by: 'test', field: key, tests }]
}

function readTest(reader: SectionReader, entry: YamlEntry, path: string): readonly FieldTest[] {
  const { error, flag, only, placeOf, places, text } = reader
  const { key, place } = entry
  switch (key) {
    case 'starts':
    case 'ends':
    case 'contains':
      return [{ is: key, values: only(readValues(reader, entry, path), place, (one) => one !== '', 'text') }]
    case 'any':
      places.set(`${path}.${key}.0`, placeOf(entry))
      if (flag(entry) !== false) return [{ is: key }]
      error(
        place,
        'value',
        '"any" is true: the field is not empty. For an empty field, put that below "not".',
      )
      return []
    case 'before':
    case 'after': {
      const day = text(entry) ?? ''
      places.set(`${path}.${key}.0`, placeOf(entry))
      if (isDay(day)) return [{ is: key, day }]
      error(place, 'value', whyNoSuchDay(day) ?? `${quoteUntrusted(key)} is a day: 2026-01-01.`)
      return []
    }
    default: {
      const meant = didYouMean(runSteps(nearTest(key)))
      error(
        place,
        'unknownKey',
        `${quoteUntrusted(key)} is not known here. A field may have ${andList(TESTS)}.${meant}`,
      )
      return []
    }
  }
}

/** Reads the values of a condition. A finding makes `readGroups` leave out the whole group. */
function readValues(reader: SectionReader, entry: YamlEntry, path: string): readonly string[] {
  const values = reader.texts(entry, `${path}.${entry.key}`)
  if (isListEntry(entry) && values.length === 0) refuseNoValue(reader, entry)
  return values
}

function refuseEmpty(reader: SectionReader, entry: YamlEntry) {
  if (isEmptyEntry(entry)) refuseNoValue(reader, entry)
}

function refuseNoValue({ error }: SectionReader, { key, place }: YamlEntry) {
  error(place, 'noValue', `${quoteUntrusted(key)} has no value, so it fits no user.`)
}
