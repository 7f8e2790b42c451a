/** Checks a folder: what is wrong in it, and what people would get of it. It tells, and changes nothing. */
import { finish, type Steps } from '../../../streams/kernel/steps.ts'
import {
  placeholderProblems,
  type PlaceholderProblem,
  vocabularyOf,
} from '../../../streams/organisation/placeholders.ts'
import { compiling, partName, partsOf } from '../../../streams/organisation/release.ts'
import type { ReleaseDocument, Selection, Signature } from '../../../streams/organisation/release.ts'
import { fits } from '../../../streams/organisation/rules.ts'
import { RECORD_VARIABLES, variableNames } from '../../../streams/organisation/selectors.ts'
import type { PersonState } from '../../../streams/organisation/state.ts'
import { createTexts, expand, type Expanded, type Texts } from './expanded.ts'
import { checkExpectations, isOver } from './expected.ts'
import { type Finding, findError, findWarning, inOrder, type Place, quote, startOf } from './finding.ts'
import { checkMarkup } from './markup.ts'
import type { DirectoryRow } from './people.ts'
import type { FolderRead } from './readFolder.ts'
import { checkReaders } from './readers.ts'
import { checkRendered, type Version } from './rendered.ts'
import { SIGNET_FILE } from './signetYaml.ts'

/** More expanded templates than any organisation has; those after them are not checked, and that is told. */
const MAX_CHECKED_CHARACTERS = 20_000_000

/** More than anyone reads. A short template may have a mistake in every few characters. */
const MAX_FINDINGS = 10_000

/** A person as the directory tells it, who has never saved anything. */
const personOf = ({ id, record }: DirectoryRow): PersonState => ({
  id: id ?? record.addresses[0] ?? '',
  revision: 1,
  account: record.account,
  active: true,
  addresses: record.addresses,
  language: record.language,
  directory: record.fields,
  groups: record.groups,
  values: {},
  metadata: {},
  picture: record.picture,
  directoryPicture: record.picture,
})

/** For folders without people: everything has a value. */
function samplePerson({ variables }: ReleaseDocument): PersonState {
  const fields = variables.flatMap(({ from, path }) => (from === null ? [] : [[from, path] as const]))
  const record = {
    addresses: ['name@organisation.example'],
    account: null,
    language: null,
    fields: Object.fromEntries(fields),
    groups: [],
    picture: null,
  }
  return personOf({ id: 'sample', record, line: 0 })
}

/**
 * What is wrong in a document by itself, without people, in steps: for one that comes over the wire. What a template
 * does not say stands at the beginning of `signet.yaml`.
 */
export function* checkingDocument(document: ReleaseDocument, at: number): Steps<readonly Finding[]> {
  return inOrder(yield* checkAlone(document, yield* expandAll(document), () => startOf(SIGNET_FILE), at))
}

function* checkAlone(
  document: ReleaseDocument,
  { texts, expandedOf }: Expansion,
  placeOf: (path: string) => Place,
  at: number,
): Steps<readonly Finding[]> {
  const findings = [
    ...(yield* checkSignatures(document, placeOf, at)),
    ...checkMailboxes(document, placeOf),
    ...(yield* checkPlaceholders(document, texts)),
  ]
  for (const [file, expanded] of expandedOf) {
    if (findings.length > MAX_FINDINGS) {
      findings.push(findError(startOf(file), 'tooMany', 'There are too many findings; mend those first.'))
      break
    }
    if (expanded === null)
      findings.push(
        findError(startOf(file), 'tooLong', 'With its parts the template is too long to be checked.'),
      )
    else findings.push(...checkMarkup(expanded))
    yield
  }
  return once(findings)
}

/**
 * The findings of reading, and those of the checks, by file and line. Errors refuse the folder.
 *
 * @param at the time for which windows and defaults are checked, in milliseconds since 1970
 */
export const checkFolder = (read: FolderRead, at: number): readonly Finding[] => finish(checking(read, at))

/** The same in many steps: each person of a large folder is rendered for. */
export function* checking(read: FolderRead, at: number): Steps<readonly Finding[]> {
  const { document, places, readers } = read
  const people = read.people?.map(personOf) ?? null
  const placeOf = (path: string): Place => places.get(path) ?? startOf(SIGNET_FILE)
  const expansion = yield* expandAll(document)
  const { expandedOf } = expansion

  const findings: Finding[] = [...read.problems, ...(yield* checkAlone(document, expansion, placeOf, at))]
  if (people !== null)
    for (const [path, selection] of selectionsOf(document)) {
      yield
      findings.push(...checkSelection(path, selection, people, placeOf))
    }
  for (const expanded of expandedOf.values()) {
    if (expanded !== null) findings.push(...checkReaders(expanded, readers))
    yield
  }

  // What is rendered of a folder with errors may have other reasons than it shows.
  if (!findings.some(({ level }) => level === 'error')) {
    const release = yield* compiling('', document)
    // Whatever the day is: a window may open tomorrow.
    const whoGets = (signature: Signature) =>
      people === null
        ? [samplePerson(document)]
        : people.filter((person) => fits(signature.selection, person))
    findings.push(
      ...(yield* checkRendered(
        release,
        versionsOf(document, expandedOf, placeOf),
        whoGets,
        new Map([...read.pictures].map(([hash, { bytes }]) => [hash, bytes.length])),
      )),
      ...(yield* checkExpectations(release, read.expectations, people, at)),
    )
  }
  return inOrder(once(findings))
}

/** A part in several templates is told of once. */
function once(findings: readonly Finding[]): readonly Finding[] {
  const told = new Set<string>()
  return findings.filter(({ file, line, column, code, message }) => {
    const key = JSON.stringify([file, line, column, code, message])
    const isNew = !told.has(key)
    told.add(key)
    return isNew
  })
}

/** The templates that signatures use; null for one that is too long. */
type Expansion = Readonly<{ texts: Texts; expandedOf: ReadonlyMap<string, Expanded | null> }>

function* expandAll({ signatures, templates }: ReleaseDocument): Steps<Expansion> {
  const texts = createTexts(templates, partsOf(templates))
  const expanded = new Map<string, Expanded | null>()
  let total = 0
  for (const { template, reply, mobile } of signatures)
    for (const file of [template, reply, mobile]) {
      if (file === null || expanded.has(file) || !Object.hasOwn(texts.templates, file)) continue
      const one = total > MAX_CHECKED_CHARACTERS ? null : expand(file, texts)
      total += one?.text.length ?? 0
      expanded.set(file, one)
      yield
    }
  return { texts, expandedOf: expanded }
}

const KINDS = ['template', 'reply', 'mobile'] as const

function versionsOf(
  { signatures }: ReleaseDocument,
  expandedOf: ReadonlyMap<string, Expanded | null>,
  placeOf: (path: string) => Place,
): readonly Version[] {
  return signatures.flatMap((signature) =>
    KINDS.flatMap((key): readonly Version[] => {
      const file = signature[key]
      const expanded = file === null ? null : (expandedOf.get(file) ?? null)
      if (expanded === null) return []
      const kind = key === 'template' ? 'signature' : key
      return [{ signature, kind, expanded, place: placeOf(`signatures.${signature.id}.${key}`) }]
    }),
  )
}

function* checkSignatures(
  { signatures, templates }: ReleaseDocument,
  placeOf: (path: string) => Place,
  at: number,
): Steps<readonly Finding[]> {
  const findings: Finding[] = []
  const names = new Map<string, string>()
  for (const signature of signatures) {
    const path = `signatures.${signature.id}`
    const name = signature.name.trim().toLowerCase()
    const other = names.get(name)
    if (other === undefined) names.set(name, signature.id)
    else
      findings.push(
        findError(
          placeOf(`${path}.name`),
          'nameTwice',
          `The signature ${quote(other)} has the name ${quote(signature.name)}, too; users could not tell them apart.`,
        ),
      )
    for (const key of KINDS) {
      const file = signature[key]
      if (file === null) continue
      const place = placeOf(`${path}.${key}`)
      if (!Object.hasOwn(templates, file))
        findings.push(findError(place, 'unknownTemplate', `There is no file ${quote(file)}.`))
      else if (partName(file) !== null)
        findings.push(findError(place, 'unknownTemplate', `${quote(file)} is a part, no template.`))
    }
    const isClosed = isOver(signature.during, at)
    const during = placeOf(`${path}.during`)
    if (isClosed === null)
      findings.push(findError(during, 'neverOpens', 'The last day is before the first one: it never opens.'))
    else if (isClosed)
      findings.push(
        findWarning(during, 'isOver', 'The last day is over: the signature is not shown any more.'),
      )
    yield
  }
  return findings
}

function checkMailboxes(document: ReleaseDocument, placeOf: (path: string) => Place): readonly Finding[] {
  const names = variableNames(document)
  return document.mailboxes.flatMap(({ address, values }) =>
    Object.keys(values)
      .filter((name) => !names.has(name) || RECORD_VARIABLES.includes(name))
      .map((name) =>
        findError(
          placeOf(`mailboxes.${address}.values.${name}`),
          'unknownVariable',
          names.has(name)
            ? `${quote(name)} comes from the directory.`
            : `There is no variable ${quote(name)}.`,
        ),
      ),
  )
}

/** Each selection with its path among the places. */
function selectionsOf(document: ReleaseDocument): readonly (readonly [path: string, of: Selection])[] {
  return [
    ...document.signatures.map(({ id, selection }) => [`signatures.${id}`, selection] as const),
    ...document.mailboxes.map(({ address, selection }) => [`mailboxes.${address}`, selection] as const),
    ['choose-default', document.chooseDefault] as const,
  ]
}

function checkSelection(
  path: string,
  selection: Selection,
  people: readonly PersonState[],
  placeOf: (path: string) => Place,
): readonly Finding[] {
  const findings: Finding[] = []
  const groups = new Set(people.flatMap((person) => person.groups))
  const list = (name: 'for' | 'not') => (selection[name] === 'everyone' ? [] : selection[name])
  for (const name of ['for', 'not'] as const)
    for (const [index, conditions] of list(name).entries()) {
      const place = placeOf(`${path}.${name}.${index}`)
      const unknown = conditions.flatMap(({ by, values }) =>
        by === 'group' ? values.filter((group) => !groups.has(group)) : [],
      )
      for (const group of unknown)
        findings.push(
          findError(place, 'unknownGroup', `Of the people, none is in the group ${quote(group)}.`),
        )
      if (unknown.length > 0) continue
      if (!people.some((person) => fits({ for: [conditions], not: [] }, person)))
        findings.push(findError(place, 'fitsNobody', 'The condition fits none of the people.'))
    }
  const isList = selection.for !== 'everyone' && selection.for.length > 0
  if (isList && people.length > 1 && people.every((person) => fits({ for: selection.for, not: [] }, person)))
    findings.push(
      findWarning(
        placeOf(`${path}.for`),
        'fitsEverybody',
        'The list fits all of the people; say "everyone".',
      ),
    )
  return findings
}

const PROBLEMS: Readonly<Record<PlaceholderProblem['code'], (name: string) => string>> = {
  unclosed: (name) => `{{#if ${name}}} has no {{/if}}.`,
  unexpectedElse: () => '{{else}} stands outside of {{#if …}}, or is here twice.',
  unexpectedClose: () => '{{/if}} closes nothing.',
  unknownPart: (name) => `There is no part ${quote(`templates/${name}.part.html`)}.`,
  partInPart: () => 'A part includes no other part.',
  unknownPlaceholder: (name) => `${quote(`{{${name}}}`)} is no placeholder.`,
  tooLong: () => 'The template is too long with its parts.',
  unknownPicture: (name) => `There is no picture ${quote(`pictures/${name}`)}.`,
  unknownVariable: (name) => `There is no variable ${quote(name)}.`,
}

/** The placeholders of every template and part, used or not. */
function* checkPlaceholders(
  document: ReleaseDocument,
  { templates, locate }: Texts,
): Steps<readonly Finding[]> {
  const vocabulary = vocabularyOf(document)
  const findings: Finding[] = []
  for (const [file, text] of Object.entries(templates)) {
    const placeAt = locate(file)
    for (const { at, code, name } of placeholderProblems(file, text, vocabulary))
      findings.push(findError(placeAt(at), code, PROBLEMS[code](name)))
    yield
    // They are errors, so that what is not looked at is not published.
    if (findings.length > MAX_FINDINGS) break
  }
  return findings
}
