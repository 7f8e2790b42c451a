/** Checks a folder and the signatures that it would give people. */
import { runSteps, mapInSteps, type Steps } from '../../streams/kernel/steps.ts'
import {
  placeholderProblems,
  type PlaceholderProblem,
  vocabularyOf,
} from '../../streams/organisation/release/placeholders.ts'
import {
  type Block,
  CARD_ADDRESS,
  compilingRelease,
  partName,
  templatePartsOf,
  type Release,
  type ReleaseDocument,
  type Signature,
  TEMPLATE_VERSIONS,
} from '../../streams/organisation/release/release.ts'
import { enteredDays } from '../../streams/organisation/rules/openTimes.ts'
import { matchesSelection, isBlockFor } from '../../streams/organisation/rules/rules.ts'
import {
  isCardNameFree,
  RECORD_VARIABLES,
  sampleFields,
  variableNames,
} from '../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { isUsableValue } from '../../streams/organisation/template/template.ts'
import { PICTURES_FOLDER, SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import { UNSEALED_FORMATS } from '../values/formats.ts'
import { readPictureFormat } from './pictureFormats.ts'
import { checkBrand, checkLogos } from './brand.ts'
import { checkBlocks, nestedSlotText, slotsIn } from './blocks.ts'
import { checkCards, checkOptOut } from './cards.ts'
import {
  createTemplateTexts,
  expandTemplate,
  type ExpandedTemplate,
  partFile,
  type TemplateTexts,
} from './expanded.ts'
import { checkExpectations, isPeriodOver } from './expected.ts'
import {
  type Finding,
  warningFinding,
  hasErrorFinding,
  sortFindings,
  MAX_FINDINGS,
  type Place,
  quoteUntrusted,
  createFindingReport,
  startOfFile,
} from './finding.ts'
import { checkLinkedPictures } from './linkedPictures.ts'
import { checkMarkup } from './markup.ts'
import { checkFields, findingUnfilledFields } from './fields.ts'
import { createNearestFinder, didYouMean } from './near.ts'
import type { PeopleRow } from './personRow.ts'
import { readingNames } from './people.ts'
import { type EditedRead, type FolderRead, PEOPLE_FILE } from './readFolder.ts'
import { checkLists } from './recipientLists.ts'
import { checkReaders } from './readers.ts'
import { checkRendered, isNotEmpty, PEOPLE_PER_STEP, type ExpandedVersion } from './rendered.ts'
import { checkValues } from './values.ts'
import { checkSignatureOrder, checkSelections, checkThreads } from './selections.ts'

/**
 * The character limit for all expanded templates together. Each template beyond the limit is reported and not checked.
 */
const MAX_CHECKED_CHARACTERS = 20_000_000

const STEP_FINDINGS = 100

/** A day for the variables in which people enter days. */
const ENTERED_DAY = '2026-12-20'

/** The person, with days entered if the block opens on them; empty if the person cannot enter days and has none. */
function whenOpen(release: Release, { ownDays }: Block, person: PersonState): readonly PersonState[] {
  if (!ownDays) return [person]
  const hasDays = (of: PersonState) => enteredDays(release, ownDays, of).period !== null
  const days = { [ownDays.from]: ENTERED_DAY, [ownDays.to]: ENTERED_DAY }
  return [person, { ...person, values: { ...person.values, ...days } }].filter(hasDays).slice(0, 1)
}

/** A person from the directory who has never saved anything. */
export const personOf = ({ id, record }: PeopleRow): PersonState => ({
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

/** A made-up person for folders without people. Every variable has a value, also those about the manager. */
function samplePerson(document: ReleaseDocument): PersonState {
  const record = {
    addresses: ['name@organisation.example'],
    account: null,
    language: null,
    fields: sampleFields(document, ({ path }) => path),
    groups: [],
    picture: null,
  }
  return personOf({ id: 'sample', record, line: 0 })
}

/**
 * The findings in an uploaded document, for which no people are known. Findings outside templates point to the start of
 * `signet.yaml`.
 */
export function* checkingDocument(document: ReleaseDocument, at: number): Steps<readonly Finding[]> {
  const expansion = yield* expandAll(document)
  const isUnread = () => false
  const widthOf = () => null
  return sortFindings(
    yield* checkAlone(document, expansion, () => startOfFile(SIGNET_FILE), at, isUnread, widthOf),
  )
}

/**
 * The findings in an edited `signet.yaml`, in steps. Checks that need the bytes of pictures or the people are left out.
 * Checks of domains and fields are left out, too, because a `people.csv` may contain them.
 */
export function* checkingEdited(read: EditedRead, at: number): Steps<readonly Finding[]> {
  const { document, places, readers, problems } = read
  if (!read.isDescribed) return problems
  const expansion = yield* expandAll(document)
  const placeOf = placeIn(places)
  return sortFindings(
    yield* once([
      ...problems,
      ...(yield* checkAlone(document, expansion, placeOf, at, unreadOf(problems), () => null)),
      ...(yield* checkForReaders(expansion, readers)),
      ...checkLinkedPictures(document, expansion.expandedOf, readers, placeOf),
    ]),
  )
}

const placeIn =
  (places: EditedRead['places']) =>
  (path: string): Place =>
    places.get(path) ?? startOfFile(SIGNET_FILE)

function* checkForReaders({ expandedOf }: Expansion, readers: readonly string[]): Steps<readonly Finding[]> {
  const findings = yield* mapInSteps(expandedOf.values(), (expanded) =>
    expanded === null ? [] : checkReaders(expanded, readers),
  )
  return findings.flat()
}

function* checkAlone(
  document: ReleaseDocument,
  { texts, expandedOf }: Expansion,
  placeOf: (path: string) => Place,
  at: number,
  isUnread: (file: string) => boolean,
  widthOf: (picture: string) => number | null,
): Steps<readonly Finding[]> {
  const { findings, error } = createFindingReport([
    ...(yield* checkNames(document, placeOf)),
    ...(yield* checkTemplatesAndPeriods(document, placeOf, at, isUnread)),
    ...(yield* checkBlocks(document, expandedOf, placeOf, widthOf)),
    ...checkSignatureOrder(document, placeOf),
    ...(yield* checkLists(document, placeOf)),
    ...(yield* checkMailboxes(document, placeOf)),
    ...checkLabels(document, placeOf),
    ...checkLogos(document, placeOf, isUnread),
    ...checkOptOut(document, placeOf),
    ...(yield* checkPlaceholders(document, texts, isUnread)),
  ])
  for (const [file, expanded] of expandedOf) {
    if (findings.length > MAX_FINDINGS) {
      error(startOfFile(file), 'tooMany', 'There are too many findings; mend those first.')
      break
    }
    if (expanded === null)
      error(startOfFile(file), 'tooLong', 'With its parts the template is too long to be checked.')
    else
      findings.push(
        ...checkMarkup(expanded, isCardNameFree(document)),
        ...checkCards(expanded, document),
        ...(document.brand ? checkBrand(expanded, document.brand) : []),
      )
    yield
  }
  return yield* once(findings)
}

/**
 * Returns the findings from reading and checking a folder, sorted by file and line. A folder with errors is rejected.
 *
 * @param at the time for periods and defaults, in milliseconds since 1970
 */
export const checkFolder = (read: FolderRead, at: number): readonly Finding[] =>
  runSteps(checkingFolder(read, at))

/**
 * `checkFolder` in many steps, because a large folder needs signatures rendered for many people. The steps count each
 * version of a signature for each person.
 */
export function* checkingFolder(read: FolderRead, at: number): Steps<readonly Finding[]> {
  const { document, places, readers } = read
  // Without a readable `signet.yaml`, further findings would only follow from that problem.
  if (!read.isDescribed) return read.problems
  const arePeopleRead = !read.problems.some(({ file, level }) => file === PEOPLE_FILE && level === 'error')
  const people =
    arePeopleRead && read.people !== null ? yield* mapInSteps(read.people, personOf, PEOPLE_PER_STEP) : null
  const placeOf = placeIn(places)
  const expansion = yield* expandAll(document)
  const { expandedOf } = expansion
  const widthOf = (path: string): number | null => {
    const bytes = read.pictures.get(document.pictures[path] ?? '')?.bytes
    return bytes === undefined ? null : (readPictureFormat(Buffer.from(bytes))?.width ?? null)
  }

  const filled = yield* filledIn(arePeopleRead ? (read.people ?? []) : [])
  const findings: readonly Finding[] = [
    ...read.problems,
    ...(yield* checkAlone(document, expansion, placeOf, at, unreadOf(read.problems), widthOf)),
    ...(arePeopleRead ? yield* checkFields(document, read.fields, filled, placeOf) : []),
    ...(yield* findingUnfilledFields(document, expandedOf, read.fields, filled, placeOf)),
    ...(yield* checkIds(document, read.people ?? [], placeOf)),
    ...(yield* checkSelections(document, people, placeOf)),
    ...(yield* checkThreads(document, people, placeOf)),
    ...(yield* checkForReaders(expansion, readers)),
    ...checkLinkedPictures(document, expandedOf, readers, placeOf),
  ]

  // Errors in the folder could cause further findings in the rendered html, so the html is not checked.
  if (hasErrorFinding(findings)) return sortFindings(yield* once(findings))
  const release = yield* compilingRelease('', document, UNSEALED_FORMATS)
  // The people who get a signature or a block. Its period is ignored, because it may open tomorrow.
  function* whoGets(version: ExpandedVersion): Steps<readonly PersonState[]> {
    if (people === null) return [samplePerson(document)]
    const found = (person: PersonState): readonly PersonState[] => {
      if (version.kind !== 'block')
        return matchesSelection(version.signature.selection, person) ? [person] : []
      return isBlockFor(version.block, person) ? whenOpen(release, version.block, person) : []
    }
    return (yield* mapInSteps(people, found)).flat()
  }
  const versions = versionsOf(document, expandedOf, placeOf)
  const rendered = yield* checkRendered(
    release,
    versions,
    whoGets,
    new Map([...read.pictures].map(([hash, { bytes }]) => [hash, bytes.length])),
    people === null ? (_, value) => isNotEmpty(value) : isUsableValue,
    people?.length ?? 1,
  )
  const values = yield* checkValues(release, versions, whoGets, people !== null)
  const compared = yield* checkExpectations(release, read.expectations, people, read.places, at)
  return sortFindings(yield* once([...findings, ...rendered, ...values, ...compared]))
}

/** The fields with a value for at least one person. */
function* filledIn(people: readonly PeopleRow[]): Steps<ReadonlySet<string>> {
  const filled = new Set<string>()
  for (const [index, { record }] of people.entries()) {
    if (index % PEOPLE_PER_STEP === 0) yield
    for (const field of Object.keys(record.fields)) filled.add(field)
  }
  return filled
}

/** Returns a function that checks whether a file was not read because of an error in it or in its folder. */
function unreadOf(problems: readonly Finding[]): (file: string) => boolean {
  const files = new Set(problems.flatMap(({ file, level }) => (level === 'error' ? [file] : [])))
  return (file) => files.has(file) || files.has(file.slice(0, file.indexOf('/')))
}

/** Removes repeated findings, because a finding in a part appears for every template that includes the part. */
function* once(findings: readonly Finding[]): Steps<readonly Finding[]> {
  const reported = new Map<string, Finding>()
  for (const [index, finding] of findings.entries()) {
    if (index % STEP_FINDINGS === 0) yield
    const { file, line, column, code, message } = finding
    const key = JSON.stringify([file, line, column, code, message])
    if (!reported.has(key)) reported.set(key, finding)
  }
  return [...reported.values()]
}

/** The templates of signatures and blocks, expanded with their parts; null for a template that is too long. */
type Expansion = Readonly<{ texts: TemplateTexts; expandedOf: ReadonlyMap<string, ExpandedTemplate | null> }>

function* expandAll(document: ReleaseDocument): Steps<Expansion> {
  const { templates } = document
  const texts = createTemplateTexts(templates, templatePartsOf(templates))
  const expanded = new Map<string, ExpandedTemplate | null>()
  let total = 0
  for (const { files } of entriesOf(document))
    for (const [, file] of files) {
      if (expanded.has(file) || !Object.hasOwn(texts.templates, file)) continue
      const one = total > MAX_CHECKED_CHARACTERS ? null : expandTemplate(file, texts)
      total += one?.text.length ?? 0
      expanded.set(file, one)
      yield
    }
  return { texts, expandedOf: expanded }
}

/** A signature or a block with its path in `DocumentPlaces` and its template files by key. */
type DescribedEntry = Readonly<{
  what: 'signature' | 'block'
  path: string
  during: Signature['during']
  files: readonly (readonly [key: (typeof TEMPLATE_VERSIONS)[number], file: string])[]
}>

const entriesOf = ({ signatures, blocks = [] }: ReleaseDocument): readonly DescribedEntry[] => [
  ...signatures.map((signature): DescribedEntry => ({
    what: 'signature',
    path: `signatures.${signature.id}`,
    during: signature.during,
    files: TEMPLATE_VERSIONS.flatMap((key) => {
      const file = signature[key] ?? null
      return file === null ? [] : [[key, file] as const]
    }),
  })),
  ...blocks.map(({ id, during, template }): DescribedEntry => ({
    what: 'block',
    path: `blocks.${id}`,
    during,
    files: [['template', template]],
  })),
]

function versionsOf(
  { signatures, blocks = [] }: ReleaseDocument,
  expandedOf: ReadonlyMap<string, ExpandedTemplate | null>,
  placeOf: (path: string) => Place,
): readonly ExpandedVersion[] {
  const inSlots = new Map<string, ExpandedTemplate[]>()
  const ofBlocks = blocks.flatMap((block): readonly ExpandedVersion[] => {
    const expanded = expandedOf.get(block.template) ?? null
    if (expanded === null) return []
    const inSlot = inSlots.get(block.slot) ?? []
    inSlots.set(block.slot, inSlot)
    inSlot.push(expanded)
    return [{ kind: 'block', block, expanded, slots: [], place: placeOf(`blocks.${block.id}.template`) }]
  })
  const ofSignatures = signatures.flatMap((signature) =>
    TEMPLATE_VERSIONS.flatMap((key): readonly ExpandedVersion[] => {
      const file = signature[key] ?? null
      const expanded = file === null ? null : (expandedOf.get(file) ?? null)
      if (expanded === null) return []
      const kind = key === 'template' ? 'signature' : key
      const slots = [...slotsIn(expanded)].map((slot) => inSlots.get(slot) ?? [])
      return [{ signature, kind, expanded, slots, place: placeOf(`signatures.${signature.id}.${key}`) }]
    }),
  )
  return [...ofSignatures, ...ofBlocks]
}

function* checkNames(
  { signatures }: ReleaseDocument,
  placeOf: (path: string) => Place,
): Steps<readonly Finding[]> {
  const { findings, error } = createFindingReport()
  const names = new Map<string, string>()
  for (const signature of signatures) {
    yield
    const path = `signatures.${signature.id}`
    const name = signature.name.trim().toLowerCase()
    const other = names.get(name)
    if (other === undefined) names.set(name, signature.id)
    else
      error(
        placeOf(`${path}.name`),
        'nameTwice',
        `The signature ${quoteUntrusted(other)} has the name ${quoteUntrusted(signature.name)}, too; users could not tell them apart.`,
      )
  }
  return findings
}

function* checkTemplatesAndPeriods(
  document: ReleaseDocument,
  placeOf: (path: string) => Place,
  at: number,
  isUnread: (file: string) => boolean,
): Steps<readonly Finding[]> {
  const { findings, error, warn } = createFindingReport()
  for (const { what, path, during, files } of entriesOf(document)) {
    for (const [key, file] of files) {
      const place = placeOf(`${path}.${key}`)
      if (!Object.hasOwn(document.templates, file)) {
        if (isUnread(file)) continue
        error(place, 'unknownTemplate', `There is no file ${quoteUntrusted(file)}.`)
      } else if (partName(file) !== null)
        error(place, 'unknownTemplate', `${quoteUntrusted(file)} is a part, no template.`)
    }
    const isClosed = isPeriodOver(during, at)
    const place = placeOf(`${path}.during`)
    if (isClosed === null) error(place, 'neverOpens', 'The last day is before the first one: it never opens.')
    else if (isClosed) warn(place, 'isOver', `The last day is over: the ${what} is not shown any more.`)
    yield
  }
  return findings
}

function* checkMailboxes(
  document: ReleaseDocument,
  placeOf: (path: string) => Place,
): Steps<readonly Finding[]> {
  const names = variableNames(document)
  const isCard = (name: string) => name === CARD_ADDRESS && isCardNameFree(document)
  const { findings, error } = createFindingReport()
  for (const { address, values } of document.mailboxes) {
    yield
    for (const name of Object.keys(values))
      if (!names.has(name) || RECORD_VARIABLES.includes(name) || isCard(name))
        error(
          placeOf(`mailboxes.${address}.values.${name}`),
          'unknownVariable',
          RECORD_VARIABLES.includes(name)
            ? `${quoteUntrusted(name)} comes from the directory.`
            : `There is no variable ${quoteUntrusted(name)}.`,
        )
  }
  return findings
}

/** Warns of ids that are a person's name: recipients see an id in a mail's source, and it outlives a name change. */
function* checkIds(
  { signatures }: ReleaseDocument,
  people: readonly PeopleRow[],
  placeOf: (path: string) => Place,
): Steps<readonly Finding[]> {
  const isName = yield* readingNames(people)
  return signatures
    .filter(({ id }) => isName(id))
    .map(({ id }) =>
      warningFinding(
        placeOf(`signatures.${id}`),
        'idNames',
        `The id ${quoteUntrusted(id)} is the name of a person. Recipients find ids in the source of a mail, and names change: name the purpose.`,
      ),
    )
}

/** Warns of empty texts that users would see. */
function checkLabels(
  { signatures, blocks = [], variables }: ReleaseDocument,
  placeOf: (path: string) => Place,
) {
  const empty = (path: string, text: string | null): readonly string[] =>
    text !== null && text.trim() === '' ? [path] : []
  return [
    ...variables.flatMap(({ path, label, group }) => [
      ...empty(`variables.${path}.label`, label),
      ...empty(`variables.${path}.group`, group),
    ]),
    ...signatures.flatMap(({ id, name, collection }) => [
      ...empty(`signatures.${id}.name`, name),
      ...empty(`signatures.${id}.collection`, collection),
    ]),
    ...blocks.flatMap(({ id, name }) => empty(`blocks.${id}.name`, name)),
  ].map((path) =>
    warningFinding(placeOf(path), 'emptyLabel', 'Users read this, and it is empty; leave it out.'),
  )
}

const PROBLEMS: Readonly<Record<PlaceholderProblem['code'], (name: string) => string>> = {
  braces: (name) => `A placeholder has two braces on each side: ${quoteUntrusted(name)}.`,
  unclosed: (name) => `{{#if ${name}}} has no {{/if}}.`,
  unclosedSlot: (name) => `{{#block ${name}}} has no {{/block}}.`,
  unexpectedElse: () => '{{else}} stands outside of {{#if …}}, or is here twice.',
  unexpectedClose: (name) => `{{${name}}} closes nothing.`,
  unknownPart: (name) => `There is no part ${quoteUntrusted(`templates/${name}.part.html`)}.`,
  partInPart: () => 'A part includes no other part.',
  slotInSlot: nestedSlotText,
  slotWithoutBlock: (name) => `{{#block ${name}}} has no {{block}} before {{/block}}.`,
  unknownPlaceholder: (name) => `${quoteUntrusted(`{{${name}}}`)} is not a placeholder.`,
  tooLong: () => 'The template is too long with its parts.',
  unknownPicture: (name) => `There is no picture ${quoteUntrusted(`pictures/${name}`)}.`,
  unknownVariable: (name) => `There is no variable ${quoteUntrusted(name)}.`,
}

/** The file that a placeholder refers to; null if it refers to no file. */
function fileNamed({ code, name }: PlaceholderProblem): string | null {
  if (code === 'unknownPart') return partFile(name)
  return code === 'unknownPicture' ? `${PICTURES_FOLDER}/${name}` : null
}

/** Checks the placeholders of every template and part, used or not. */
function* checkPlaceholders(
  document: ReleaseDocument,
  { templates, locate }: TemplateTexts,
  isUnread: (file: string) => boolean,
): Steps<readonly Finding[]> {
  const vocabulary = vocabularyOf(document)
  const nearVariable = createNearestFinder(() => vocabulary.variables)
  const { findings, error } = createFindingReport()
  for (const [file, text] of Object.entries(templates)) {
    const placeAt = locate(file)
    for (const problem of placeholderProblems(file, text, vocabulary)) {
      const { at, code, name } = problem
      const named = fileNamed(problem)
      if (named !== null && isUnread(named)) continue
      const meant = code === 'unknownVariable' ? yield* nearVariable(name) : null
      error(placeAt(at), code, `${PROBLEMS[code](name)}${didYouMean(meant)}`)
    }
    yield
    // The findings are errors, so a folder with unchecked templates is never published and the check may stop.
    if (findings.length > MAX_FINDINGS) break
  }
  return findings
}
