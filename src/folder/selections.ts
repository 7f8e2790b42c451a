/** Finds rules that select nobody or everybody, and rules that hide later rules. */
import { mapInSteps, type Steps } from '../../streams/kernel/steps.ts'
import type {
  Condition,
  ReleaseDocument,
  Selection,
  Signature,
  FieldTest,
} from '../../streams/organisation/release/release.ts'
import {
  allConditionsHold,
  directoryFieldOf,
  matchesSelection,
  isInLanguageRange,
  matchesAddressPattern,
  managerOf,
  passesTest,
  type ConditionSubject,
} from '../../streams/organisation/rules/rules.ts'
import { isRoleName } from '../../streams/organisation/plan/approval.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { isListName, MANAGER_PREFIX } from '../../streams/organisation/release/names.ts'
import {
  type Finding,
  warningFinding,
  type Place,
  quoteUntrusted,
  type ReportFinding,
  createFindingReport,
} from './finding.ts'
import { likelyDirectoryField } from './fields.ts'
import { createNearestFinder, didYouMean, type NearestFinder } from './near.ts'
import { PEOPLE_PER_STEP } from './rendered.ts'

type PlaceOf = (path: string) => Place

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

function* isForAny(conditions: readonly Condition[], people: readonly PersonState[]): Steps<boolean> {
  for (const person of people) {
    yield
    if (allConditionsHold(conditions, person)) return true
  }
  return false
}

function* isForEach(wanted: Selection['for'], people: readonly PersonState[]): Steps<boolean> {
  for (const person of people) {
    yield
    if (!matchesSelection({ for: wanted, not: [] }, person)) return false
  }
  return true
}

/** A single value or test of a condition, to compare with the people. */
type Claim = Readonly<{
  /** The value's path below its group: `department.1`, `jobTitle.starts.0`. */
  path: string
  value: string
  by: Condition['by']
  /** All values of the same condition. */
  listed: ReadonlySet<string>
  /** Whether the value fits at least one person. */
  has: () => Steps<boolean>
  /** The existing value that is probably meant; null if none is near. */
  meant: () => Steps<string | null>
  /** The sentence for a value that fits nobody. */
  noneHas: string
}>

/** Compares conditions with the addresses, groups, languages and fields that a folder's people have. */
type Known = Readonly<{
  claimsOf: (condition: Condition) => Iterable<Claim>
  /** The field that an unknown field probably means; null if the field is known or none is near. */
  fieldMeant: (field: string) => Steps<string | null>
}>

function* reading(
  people: readonly ConditionSubject[],
  of: (person: ConditionSubject) => readonly string[],
): Steps<ReadonlySet<string>> {
  return new Set((yield* mapInSteps(people, of, PEOPLE_PER_STEP)).flat())
}

function* isAny(values: ReadonlySet<string>, is: (value: string) => boolean): Steps<boolean> {
  let count = 0
  for (const value of values) {
    if (count++ % PEOPLE_PER_STEP === 0) yield
    if (is(value)) return true
  }
  return false
}

function* nothingNear(): Steps<null> {
  yield
  return null
}

/** Returns a function that reads all values of a field in steps, only once for each field. */
function fieldValuesOf(people: readonly ConditionSubject[]) {
  const fields = new Map<string, Readonly<{ values: ReadonlySet<string>; near: NearestFinder }>>()
  return function* (field: string) {
    const known = fields.get(field)
    if (known) return known
    const values = yield* reading(people, (person) => {
      const value = directoryFieldOf(person, field)
      return value === null ? [] : [value]
    })
    const read = { values, near: createNearestFinder(() => values) }
    fields.set(field, read)
    return read
  }
}

/** Yields each claim on demand, because a condition may have thousands of values. */
function* claims(
  path: string,
  by: Condition['by'],
  values: readonly string[],
  of: (value: string) => Pick<Claim, 'has' | 'meant' | 'noneHas'>,
): Iterable<Claim> {
  const listed = new Set(values)
  for (const [at, value] of values.entries()) yield { path: `${path}.${at}`, by, value, listed, ...of(value) }
}

function* isIn(values: ReadonlySet<string>, value: string): Steps<boolean> {
  yield
  return values.has(value)
}

/** @param who the word for `people` in sentences: `people` or `managers` */
function* readingKnown(people: readonly ConditionSubject[], who: string, domains: Domains): Steps<Known> {
  const addresses = yield* reading(people, (person) => person.addresses)
  const groups = yield* reading(people, (person) => person.groups)
  const languages = yield* reading(people, ({ language }) => (language === null ? [] : [language]))
  const fieldNames = yield* reading(people, ({ directory }) => Object.keys(directory))
  const nearGroup = createNearestFinder(() => groups)
  const nearAddress = createNearestFinder(() => addresses)
  const nearField = createNearestFinder(() => fieldNames)
  const valuesOf = fieldValuesOf(people)
  const none = `Of the ${who}, none has`
  function testClaims(field: string, test: FieldTest): Iterable<Claim> {
    const passing = (one: FieldTest, noneHas: string) => ({
      *has() {
        return yield* isAny((yield* valuesOf(field)).values, (value) => passesTest(one, value))
      },
      meant: nothingNear,
      noneHas,
    })
    const path = `${field}.${test.is}`
    switch (test.is) {
      case 'any':
        return claims(path, 'test', [''], () => passing(test, `${none} a ${field}.`))
      case 'before':
      case 'after':
        return claims(path, 'test', [test.day], (day) =>
          passing(test, `${none} a date in ${field} ${test.is} ${day}.`),
        )
      default:
        return claims(path, 'test', test.values, (value) =>
          passing(
            { ...test, values: [value] },
            `${none} a ${field} that ${THAT[test.is]} ${quoteUntrusted(value)}.`,
          ),
        )
    }
  }
  function* claimsOf(condition: Condition): Iterable<Claim> {
    const { by } = condition
    switch (by) {
      case 'group':
        yield* claims(by, by, condition.values, (value) => ({
          has: () => isIn(groups, value),
          meant: () => nearGroup(value),
          noneHas: `Of the people, none is in the group ${quoteUntrusted(value)}.`,
        }))
        return
      case 'person':
        yield* claims(by, by, condition.values, (value) => ({
          has: () => isIn(addresses, value),
          *meant() {
            return (yield* nearAddress(value)) ?? (yield* domains.mended(value))
          },
          noneHas: `${none} the address ${quoteUntrusted(value)}.`,
        }))
        return
      case 'address':
        yield* claims(by, by, condition.values, (value) => ({
          *has() {
            if (!value.includes('*')) return addresses.has(value)
            return yield* isAny(addresses, (address) => matchesAddressPattern(address, value))
          },
          meant: () => domains.mended(value),
          noneHas: `${none} an address like ${quoteUntrusted(value)}.`,
        }))
        return
      case 'language':
        yield* claims(by, by, condition.values, (value) => ({
          has: () => isAny(languages, (language) => isInLanguageRange(language, value)),
          meant: nothingNear,
          noneHas: `${none} the language ${quoteUntrusted(value)}.`,
        }))
        return
      case 'field': {
        const { field } = condition
        yield* claims(field, by, condition.values, (value) => ({
          *has() {
            return (yield* valuesOf(field)).values.has(value)
          },
          *meant() {
            return yield* (yield* valuesOf(field)).near(value)
          },
          noneHas: `${none} the ${field} ${quoteUntrusted(value)}.`,
        }))
        return
      }
      case 'test':
        for (const test of condition.tests) yield* testClaims(condition.field, test)
        return
      case 'manager':
        for (const each of condition.conditions) yield* claimsOf(each)
    }
  }
  return {
    claimsOf,
    *fieldMeant(field) {
      return fieldNames.has(field) ? null : yield* nearField(field)
    },
  }
}

const THAT = { starts: 'starts with', ends: 'ends with', contains: 'contains' } as const

/** The conditions of a group about the person and about the manager, with their paths. */
const conditionsIn = (conditions: readonly Condition[]) => conditions.flatMap(parted)

type Parted = Readonly<{ condition: Condition; of: 'people' | 'managers'; path: string }>

const parted = (condition: Condition): readonly Parted[] =>
  condition.by === 'manager'
    ? condition.conditions.map((each) => ({ condition: each, of: 'managers', path: MANAGER_PREFIX }))
    : [{ condition, of: 'people', path: '' }]

type Domains = ReturnType<typeof domainsOf>

/** Looks up the organisation's mail domains: the domains of its people, and those in `internal`. */
function domainsOf(domains: ReadonlySet<string>) {
  const near = createNearestFinder(() => domains)
  /** Whether a domain is known, or is a subdomain of a known one: `sales.northwind.example`. */
  const isKnown = (domain: string): boolean => {
    for (let at = 0; at >= 0; at = domain.indexOf('.', at + 1))
      if (domains.has(domain.slice(at === 0 ? 0 : at + 1))) return true
    return false
  }
  /**
   * Replaces a misspelt domain in an address, a pattern or a domain by the known domain that is probably meant; null if
   * none is near.
   */
  function* mended(address: string): Steps<string | null> {
    const domain = domainOf(address)
    const found = isKnown(domain) ? null : yield* near(domain)
    if (found === null) return null
    const [labels, others] = [domain.split('.'), found.split('.')]
    const isSlip =
      labels.length === others.length &&
      labels.every((label, index) => label === others[index] || label.length >= MIN_LABEL_CHARACTERS)
    return isSlip ? address.slice(0, address.length - domain.length) + found : null
  }
  return { isKnown, mended }
}

/** A difference in a shorter label is not a typing slip: `northwind.de` and `northwind.fr` are different domains. */
const MIN_LABEL_CHARACTERS = 4

/** The rules of `guard` about a missing signature, each with its path in `DocumentPlaces`. */
const askedOf = ({ guard = [] }: ReleaseDocument) =>
  guard.flatMap((rule, index) => (rule.missing === 'signature' ? [{ path: `guard.${index}`, ...rule }] : []))

/** All selections of a document, each with its path in `DocumentPlaces`. */
const selectionsOf = (document: ReleaseDocument): readonly (readonly [path: string, of: Selection])[] => [
  ...document.signatures.map(({ id, selection }) => [`signatures.${id}`, selection] as const),
  ...(document.blocks ?? []).map(({ id, selection }) => [`blocks.${id}`, selection] as const),
  ...askedOf(document).map(({ path, selection }) => [path, selection] as const),
  ...document.mailboxes.map(({ address, selection }) => [`mailboxes.${address}`, selection] as const),
  ['choose-default', document.chooseDefault] as const,
]

const listOf = (selection: Selection, name: 'for' | 'not') =>
  selection[name] === 'everyone' ? [] : selection[name]

/**
 * Compares each selection with the people, in steps.
 *
 * @param people null if unknown; then only domains and names of fields are checked
 */
export function* checkSelections(
  document: ReleaseDocument,
  people: readonly PersonState[] | null,
  placeOf: PlaceOf,
): Steps<readonly Finding[]> {
  const ofPeople = yield* reading(people ?? [], ({ addresses }) => addresses.map(domainOf))
  const domains = domainsOf(new Set([...document.internal, ...ofPeople]))
  const known = people === null ? null : yield* readingAll(people, domains)
  const findings = [yield* checkDomains(document, people === null ? null : ofPeople, domains, placeOf)]
  for (const [path, selection] of selectionsOf(document))
    findings.push(
      people === null || known === null
        ? yield* checkWithoutPeople(path, selection, domains, placeOf)
        : yield* checkSelection(path, selection, people, known, placeOf),
    )
  if (people !== null) findings.push(yield* checkNamedGroups(document, people, placeOf))
  return findings.flat()
}

/** Warns of groups in `approval` and `editors` that none of the people is in. */
function* checkNamedGroups(
  document: ReleaseDocument,
  people: readonly PersonState[],
  placeOf: PlaceOf,
): Steps<readonly Finding[]> {
  const { findings, warn } = createFindingReport()
  const { approval, editors, signatures, blocks = [] } = document
  const named: readonly (readonly [path: string, names: readonly string[] | undefined])[] = [
    ['approval.by', approval?.by],
    ['editors', editors],
    ...signatures.map((each) => [`signatures.${each.id}.editors`, each.editors] as const),
    ...blocks.map((each) => [`blocks.${each.id}.editors`, each.editors] as const),
  ]
  const groups = yield* reading(people, (person) => person.groups)
  for (const [path, names = []] of named)
    for (const [index, name] of names.entries()) {
      yield
      if (!isRoleName(name) && !groups.has(name))
        warn(
          placeOf(`${path}.${index}`),
          'unknownGroup',
          `Of the people, none is in the group ${quoteUntrusted(name)}.`,
        )
    }
  return findings
}

function* readingAll(people: readonly PersonState[], domains: Domains) {
  const managers = yield* mapInSteps(people, managerOf, PEOPLE_PER_STEP)
  return {
    people: yield* readingKnown(people, 'people', domains),
    managers: yield* readingKnown(managers, 'managers', domains),
  }
}

function* checkSelection(
  path: string,
  selection: Selection,
  people: readonly PersonState[],
  known: Readonly<Record<'people' | 'managers', Known>>,
  placeOf: PlaceOf,
): Steps<readonly Finding[]> {
  const { findings, error, warn } = createFindingReport()
  function* areFieldsKnown(conditions: readonly Condition[], path: string): Steps<boolean> {
    const before = findings.length
    for (const { condition, of, path: within } of conditionsIn(conditions)) {
      if (condition.by !== 'field' && condition.by !== 'test') continue
      yield
      const { field } = condition
      const meant = yield* known[of].fieldMeant(field)
      if (meant !== null)
        error(
          placeOf(`${path}.${within}${firstOf(condition)}`),
          'unknownField',
          `Of the ${of}, none has the field ${quoteUntrusted(field)}.${didYouMean(meant)}`,
        )
    }
    return findings.length === before
  }
  for (const name of ['for', 'not'] as const)
    for (const [index, conditions] of listOf(selection, name).entries()) {
      yield
      const group = `${path}.${name}.${index}`
      const place = placeOf(group)
      if (!(yield* areFieldsKnown(conditions, group))) continue
      const lost: Claim[] = []
      for (const { condition, of, path: within } of conditionsIn(conditions))
        for (const claim of known[of].claimsOf(condition)) {
          yield
          if (!(yield* claim.has())) lost.push({ ...claim, path: `${within}${claim.path}` })
        }
      function* meantBy({ listed, meant }: Claim): Steps<string | null> {
        yield
        const found = yield* meant()
        return found !== null && listed.has(found) ? null : found
      }
      const groups = lost.filter(({ by }) => by === 'group')
      for (const claim of groups)
        error(place, 'unknownGroup', `${claim.noneHas}${didYouMean(yield* meantBy(claim))}`)
      if (groups.length > 0) continue
      const [first] = lost
      if (!(yield* isForAny(conditions, people))) {
        const why = first === undefined ? '' : ` ${first.noneHas}${didYouMean(yield* meantBy(first))}`
        error(place, 'fitsNobody', `The condition fits none of the people.${why}`)
      } else
        for (const claim of lost) {
          const meant = yield* meantBy(claim)
          // A near value makes this an error, because the rule would miss the people with that value.
          const report = meant === null ? warn : error
          report(placeOf(`${group}.${claim.path}`), 'fitsNobody', `${claim.noneHas}${didYouMean(meant)}`)
        }
    }
  const isList = selection.for !== 'everyone' && selection.for.length > 0
  if (isList && people.length > 1 && (yield* isForEach(selection.for, people)))
    warn(placeOf(`${path}.for`), 'fitsEverybody', 'The list fits all of the people; say "everyone".')
  return findings
}

/**
 * Checks a selection if the people are unknown: warns of domains and fields that look like a typing slip for a known
 * one.
 */
function* checkWithoutPeople(
  path: string,
  selection: Selection,
  domains: Domains,
  placeOf: PlaceOf,
): Steps<readonly Finding[]> {
  const { findings, warn } = createFindingReport()
  for (const name of ['for', 'not'] as const)
    for (const [index, conditions] of listOf(selection, name).entries())
      for (const { condition, path: within } of conditionsIn(conditions)) {
        const group = `${path}.${name}.${index}.${within}`
        if (condition.by === 'field' || condition.by === 'test') {
          yield
          const field = `${within}${condition.field}`
          const meant = likelyDirectoryField(field)
          if (meant !== null)
            warn(
              placeOf(`${group}${firstOf(condition)}`),
              'unknownField',
              `No directory has the field ${quoteUntrusted(field)}, unless a file of people does.${didYouMean(meant)}`,
            )
        }
        if (condition.by !== 'person' && condition.by !== 'address') continue
        for (const [at, value] of condition.values.entries()) {
          yield
          const meant = yield* domains.mended(value)
          if (meant !== null) unknownDomain(warn, placeOf(`${group}${condition.by}.${at}`), value, meant)
        }
      }
  return findings
}

/** The path of a condition's first value or test, below its group. */
const firstOf = (condition: Extract<Condition, { field: string }>): string =>
  `${condition.field}.${condition.by === 'field' ? '' : `${condition.tests[0]?.is ?? ''}.`}0`

const unknownDomain = (report: ReportFinding, place: Place, address: string, meant: string | null) =>
  report(
    place,
    'unknownDomain',
    `${quoteUntrusted(domainOf(address))} is the domain of no person, and not of "internal".${didYouMean(meant)}`,
  )

/**
 * Reports mailboxes and domains that should belong to the organisation but do not.
 *
 * @param ofPeople the domains of the people; null if unknown
 */
function* checkDomains(
  document: ReleaseDocument,
  ofPeople: ReadonlySet<string> | null,
  domains: Domains,
  placeOf: PlaceOf,
): Steps<readonly Finding[]> {
  const { internal, mailboxes, signatures, blocks = [] } = document
  const { findings, error, warn } = createFindingReport()
  const { mended } = domainsOf(ofPeople ?? new Set())
  const isInternal = new Set(internal)
  for (const [index, domain] of internal.entries()) {
    yield
    const meant = yield* mended(domain)
    if (meant !== null && !isInternal.has(meant))
      error(
        placeOf(`internal.${index}`),
        'unknownDomain',
        `${quoteUntrusted(domain)} is the domain of no person.${didYouMean(meant)}`,
      )
  }
  // With no known domains, every domain would look unknown.
  if (internal.length === 0 && (ofPeople?.size ?? 0) === 0) return findings
  for (const { address } of mailboxes) {
    yield
    if (domains.isKnown(domainOf(address))) continue
    const meant = yield* domains.mended(address)
    const report = meant !== null && ofPeople !== null ? error : warn
    unknownDomain(report, placeOf(`mailboxes.${address}`), address, meant)
  }
  const withRecipients = [
    ...signatures.map(({ id, recipients }) => ({ path: `signatures.${id}`, recipients })),
    ...blocks.map(({ id, recipients }) => ({ path: `blocks.${id}`, recipients })),
    ...askedOf(document),
  ]
  for (const { path, recipients } of withRecipients) {
    if (typeof recipients === 'string') continue
    const listed = new Set(recipients)
    for (const [index, domain] of recipients.entries()) {
      yield
      if (isListName(domain)) continue
      const meant = yield* domains.mended(domain)
      if (meant !== null && !listed.has(meant))
        unknownDomain(warn, placeOf(`${path}.recipients.${index}`), domain, meant)
    }
  }
  return findings
}

/** Whether a signature may be for some of a person's own addresses, where it decides before the default. */
const decidesByAddress = ({ selection }: Signature): boolean =>
  selection.for !== 'everyone' &&
  selection.for.some((conditions) => conditions.some(({ by }) => by === 'address'))

/**
 * Warns of signatures below a signature for all people, days and messages, because they never become the default by
 * themselves. If users may choose their default, further signatures for all are allowed.
 */
export function checkSignatureOrder(
  { signatures, chooseDefault }: ReleaseDocument,
  placeOf: PlaceOf,
): readonly Finding[] {
  const isForAll = ({ selection, during, recipients, thread }: Signature) =>
    selection.for === 'everyone' &&
    selection.not.length === 0 &&
    during === null &&
    recipients === 'everyone' &&
    thread === undefined
  const first = signatures.findIndex(isForAll)
  const above = signatures[first]
  if (above === undefined) return []
  const mayChoose = chooseDefault.for === 'everyone' || chooseDefault.for.length > 0
  return signatures
    .slice(first + 1)
    .filter((signature) => (!mayChoose || !isForAll(signature)) && !decidesByAddress(signature))
    .map(({ id }) =>
      warningFinding(
        placeOf(`signatures.${id}`),
        'neverDefault',
        `It is never a default by itself: ${quoteUntrusted(above.id)} above it fits everybody. Put it above, if it should be.`,
      ),
    )
}

/**
 * Warns of signatures for later messages of a thread if they are the only signature of a person, because that person's
 * new messages get them, too. Runs in steps, a few people each.
 *
 * @param people null if unknown. Then any other signature may be for the same people
 */
export function* checkThreads(
  { signatures }: Pick<ReleaseDocument, 'signatures'>,
  people: readonly PersonState[] | null,
  placeOf: PlaceOf,
): Steps<readonly Finding[]> {
  const { findings, warn } = createFindingReport()
  const others = signatures.filter(({ thread }) => thread !== 'later')
  for (const { id, thread, selection } of signatures) {
    yield
    if (thread !== 'later') continue
    const hasOnly = (person: PersonState) =>
      matchesSelection(selection, person) &&
      !others.some((other) => matchesSelection(other.selection, person))
    const alone =
      people === null
        ? []
        : (yield* mapInSteps(people, (person) => (hasOnly(person) ? [person] : []), PEOPLE_PER_STEP)).flat()
    const [first] = alone
    if (first ? true : people === null && others.length === 0)
      warn(
        placeOf(`signatures.${id}.thread`),
        'onlyLater',
        `New messages get it, too: ${first ? `${first.addresses[0] ?? first.id} has` : 'there is'} no other signature. Add one with "thread: first".`,
      )
  }
  return findings
}
