/** Finds rules of a folder that select no person or all people, and rules that hide later rules. */
import { mapping, type Steps } from '../../../streams/kernel/steps.ts'
import {
  type Condition,
  keyOf,
  type ReleaseDocument,
  type Selection,
  type Signature,
} from '../../../streams/organisation/release.ts'
import { allHold, fits, isOfPattern } from '../../../streams/organisation/rules.ts'
import type { PersonState } from '../../../streams/organisation/state.ts'
import { type Finding, findWarning, type Place, quote, type Report, reportTo } from './finding.ts'
import { createNearest, didYouMean, type Nearest } from './near.ts'
import { PEOPLE_AT_ONCE } from './rendered.ts'

type PlaceOf = (path: string) => Place

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

function* isForAny(conditions: readonly Condition[], people: readonly PersonState[]): Steps<boolean> {
  for (const person of people) {
    yield
    if (allHold(conditions, person)) return true
  }
  return false
}

function* isForEach(wanted: Selection['for'], people: readonly PersonState[]): Steps<boolean> {
  for (const person of people) {
    yield
    if (!fits({ for: wanted, not: [] }, person)) return false
  }
  return true
}

/** Which addresses, groups and fields the people of a folder have. Each is read once, in steps. */
type Known = Readonly<{
  has: (condition: Condition, value: string) => Steps<boolean>
  /** The existing value that is probably meant; null when no value is near. */
  meant: (condition: Condition, value: string) => Steps<string | null>
}>

function* reading(
  people: readonly PersonState[],
  of: (person: PersonState) => readonly string[],
): Steps<ReadonlySet<string>> {
  return new Set((yield* mapping(people, of, PEOPLE_AT_ONCE)).flat())
}

function* anyIsOf(addresses: ReadonlySet<string>, pattern: string): Steps<boolean> {
  let count = 0
  for (const address of addresses) {
    if (count++ % PEOPLE_AT_ONCE === 0) yield
    if (isOfPattern(address, pattern)) return true
  }
  return false
}

function* readingKnown(people: readonly PersonState[], domains: Domains): Steps<Known> {
  const addresses = yield* reading(people, (person) => person.addresses)
  const groups = yield* reading(people, (person) => person.groups)
  const nearGroup = createNearest(() => groups)
  const nearAddress = createNearest(() => addresses)
  const fields = new Map<string, Readonly<{ values: ReadonlySet<string>; near: Nearest }>>()
  function* valuesOf(field: string) {
    const known = fields.get(field)
    if (known) return known
    const values = yield* reading(people, ({ directory }) =>
      Object.hasOwn(directory, field) ? [directory[field] ?? ''] : [],
    )
    const read = { values, near: createNearest(() => values) }
    fields.set(field, read)
    return read
  }
  return {
    *has(condition, value) {
      switch (condition.by) {
        case 'group':
          return groups.has(value)
        case 'person':
          return addresses.has(value)
        case 'address':
          return value.includes('*') ? yield* anyIsOf(addresses, value) : addresses.has(value)
        case 'field':
          return (yield* valuesOf(condition.field)).values.has(value)
      }
    },
    *meant(condition, value) {
      switch (condition.by) {
        case 'group':
          return yield* nearGroup(value)
        case 'person':
          return (yield* nearAddress(value)) ?? (yield* domains.mended(value))
        case 'address':
          return yield* domains.mended(value)
        case 'field':
          return yield* (yield* valuesOf(condition.field)).near(value)
      }
    },
  }
}

type Domains = ReturnType<typeof domainsOf>

/** Looks up the mail domains of the organisation: the domains of its people, and the domains in `internal`. */
function domainsOf(domains: ReadonlySet<string>) {
  const near = createNearest(() => domains)
  /** Whether a domain is known. A subdomain of a known domain is known, too: `sales.northwind.example`. */
  const isKnown = (domain: string): boolean => {
    for (let at = 0; at >= 0; at = domain.indexOf('.', at + 1))
      if (domains.has(domain.slice(at === 0 ? 0 : at + 1))) return true
    return false
  }
  /** The address, pattern or domain with the known domain that is probably meant; null when no domain is near. */
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

/** If a shorter label differs, it is no slip: `northwind.de` and `northwind.fr` are different domains. */
const MIN_LABEL_CHARACTERS = 4

/** The rules of `guard` about a missing signature, each with its path in `Places`. */
const askedOf = ({ guard = [] }: ReleaseDocument) =>
  guard.flatMap((rule, index) => (rule.missing === 'signature' ? [{ path: `guard.${index}`, ...rule }] : []))

/** All selections of a document, each with its path in `Places`. */
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
 * @param people null if unknown: then only the domains of addresses are compared
 */
export function* checkSelections(
  document: ReleaseDocument,
  people: readonly PersonState[] | null,
  placeOf: PlaceOf,
): Steps<readonly Finding[]> {
  const ofPeople = yield* reading(people ?? [], ({ addresses }) => addresses.map(domainOf))
  const domains = domainsOf(new Set([...document.internal, ...ofPeople]))
  const known = people === null ? null : yield* readingKnown(people, domains)
  const findings = [yield* checkDomains(document, people === null ? null : ofPeople, domains, placeOf)]
  for (const [path, selection] of selectionsOf(document))
    findings.push(
      people === null || known === null
        ? yield* checkAddresses(path, selection, domains, placeOf)
        : yield* checkSelection(path, selection, people, known, placeOf),
    )
  return findings.flat()
}

function* checkSelection(
  path: string,
  selection: Selection,
  people: readonly PersonState[],
  known: Known,
  placeOf: PlaceOf,
): Steps<readonly Finding[]> {
  const { findings, error, warn } = reportTo()
  for (const name of ['for', 'not'] as const)
    for (const [index, conditions] of listOf(selection, name).entries()) {
      yield
      const place = placeOf(`${path}.${name}.${index}`)
      const lost: Lost[] = []
      for (const condition of conditions) {
        const listed = new Set(condition.values)
        for (const [at, value] of condition.values.entries()) {
          yield
          if (!(yield* known.has(condition, value))) lost.push({ condition, listed, value, at })
        }
      }
      function* meantBy({ condition, listed, value }: Lost): Steps<string | null> {
        yield
        const meant = yield* known.meant(condition, value)
        return meant !== null && listed.has(meant) ? null : meant
      }
      const groups = lost.filter(({ condition }) => condition.by === 'group')
      for (const group of groups)
        error(
          place,
          'unknownGroup',
          `Of the people, none is in the group ${quote(group.value)}.${didYouMean(yield* meantBy(group))}`,
        )
      if (groups.length > 0) continue
      const [first] = lost
      if (!(yield* isForAny(conditions, people))) {
        const why = first === undefined ? '' : ` ${noneHas(first)}${didYouMean(yield* meantBy(first))}`
        error(place, 'fitsNobody', `The condition fits none of the people.${why}`)
      } else
        for (const one of lost) {
          const meant = yield* meantBy(one)
          // An error if the value resembles an existing value: the people with the existing value would be left out.
          const report = meant === null ? warn : error
          const at = placeOf(`${path}.${name}.${index}.${keyOf(one.condition)}.${one.at}`)
          report(at, 'fitsNobody', `${noneHas(one)}${didYouMean(meant)}`)
        }
    }
  const isList = selection.for !== 'everyone' && selection.for.length > 0
  if (isList && people.length > 1 && (yield* isForEach(selection.for, people)))
    warn(placeOf(`${path}.for`), 'fitsEverybody', 'The list fits all of the people; say "everyone".')
  return findings
}

/** A value that no person has. `listed` are all values of its condition. */
type Lost = Readonly<{ condition: Condition; listed: ReadonlySet<string>; value: string; at: number }>

function noneHas({ condition, value }: Readonly<{ condition: Condition; value: string }>): string {
  switch (condition.by) {
    case 'field':
      return `Of the people, none has the ${condition.field} ${quote(value)}.`
    case 'address':
      return `Of the people, none has an address like ${quote(value)}.`
    default:
      return `Of the people, none has the address ${quote(value)}.`
  }
}

/** Without people: warns of addresses whose domain resembles a domain of the organisation. */
function* checkAddresses(
  path: string,
  selection: Selection,
  domains: Domains,
  placeOf: PlaceOf,
): Steps<readonly Finding[]> {
  const { findings, warn } = reportTo()
  for (const name of ['for', 'not'] as const)
    for (const [index, conditions] of listOf(selection, name).entries())
      for (const { by, values } of conditions) {
        if (by !== 'person' && by !== 'address') continue
        for (const [at, value] of values.entries()) {
          yield
          const meant = yield* domains.mended(value)
          const place = placeOf(`${path}.${name}.${index}.${by}.${at}`)
          if (meant !== null) unknownDomain(warn, place, value, meant)
        }
      }
  return findings
}

const unknownDomain = (report: Report, place: Place, address: string, meant: string | null) =>
  report(
    place,
    'unknownDomain',
    `${quote(domainOf(address))} is the domain of no person, and not of "internal".${didYouMean(meant)}`,
  )

/**
 * Mailboxes and domains that should belong to the organisation, but do not.
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
  const { findings, error, warn } = reportTo()
  const { mended } = domainsOf(ofPeople ?? new Set())
  const isInternal = new Set(internal)
  for (const [index, domain] of internal.entries()) {
    yield
    const meant = yield* mended(domain)
    if (meant !== null && !isInternal.has(meant))
      error(
        placeOf(`internal.${index}`),
        'unknownDomain',
        `${quote(domain)} is the domain of no person.${didYouMean(meant)}`,
      )
  }
  // If no domain is known, it cannot be told which domains are unknown.
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
      const meant = yield* domains.mended(domain)
      if (meant !== null && !listed.has(meant))
        unknownDomain(warn, placeOf(`${path}.recipients.${index}`), domain, meant)
    }
  }
  return findings
}

/**
 * Warns of signatures below a signature for all people, days and recipients, because they are never a default by
 * themselves. If users may choose their default, further signatures for all are no mistake.
 */
export function checkOrder(
  { signatures, chooseDefault }: ReleaseDocument,
  placeOf: PlaceOf,
): readonly Finding[] {
  const isForAll = ({ selection, during, recipients }: Signature) =>
    selection.for === 'everyone' && selection.not.length === 0 && during === null && recipients === 'everyone'
  const first = signatures.findIndex(isForAll)
  const above = signatures[first]
  if (above === undefined) return []
  const mayChoose = chooseDefault.for === 'everyone' || chooseDefault.for.length > 0
  return signatures
    .slice(first + 1)
    .filter((signature) => !mayChoose || !isForAll(signature))
    .map(({ id }) =>
      findWarning(
        placeOf(`signatures.${id}`),
        'neverDefault',
        `It is never a default by itself: ${quote(above.id)} above it fits everybody. Put it above, if it should be.`,
      ),
    )
}
