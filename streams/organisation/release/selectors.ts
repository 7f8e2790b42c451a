/** The values of a person's variables, and the values that the user replaced. */
import { contentHash } from '../../html/hash.ts'
import { nullable, object, oneOf, optional, type OutOf, text } from '../../kernel/schema.ts'
import { isAddress, MANAGER_PREFIX, WRITER_PREFIX } from './names.ts'
import type { PostalParts } from '../template/formats.ts'
import {
  POSTAL_ADDRESS,
  CARD_ADDRESS,
  SENDER_ADDRESS,
  type Release,
  type ReleaseDocument,
  type VariableSource,
  type Variable,
} from './release.ts'
import { fieldSource } from '../facts/corrections.ts'
import type { PersonState } from '../facts/state.ts'

/** Names whose values come from the person's record, even if a variable has the same name. */
export const RECORD_VARIABLES: readonly string[] = ['email', 'picture_url']

/** All names available to a template. */
export const variableNames = ({ variables }: ReleaseDocument): ReadonlySet<string> =>
  new Set([
    ...[
      ...RECORD_VARIABLES,
      'display_name',
      POSTAL_ADDRESS,
      CARD_ADDRESS,
      SENDER_ADDRESS,
      ...variables.map(({ path }) => path),
    ],
    ...variables.flatMap(({ path, from }) => (from === null ? [] : `${MANAGER_PREFIX}${path}`)),
    ...[`${MANAGER_PREFIX}display_name`, `${MANAGER_PREFIX}email`],
    ...[...RECORD_VARIABLES, 'display_name', ...variables.map(({ path }) => path)].map(
      (name) => `${WRITER_PREFIX}${name}`,
    ),
  ])

/** Whether `{{card}}` is the card's web address: no variable has this name. */
export const isCardNameFree = ({ variables }: Pick<ReleaseDocument, 'variables'>): boolean =>
  variables.every(({ path }) => path !== CARD_ADDRESS)

/** Whether a template shows the address that one writes from: no variable has this name. */
export const showsSender = ({ names, variableOf }: Pick<Release, 'names' | 'variableOf'>): boolean =>
  names.has(SENDER_ADDRESS) && variableOf(SENDER_ADDRESS) === null

/** Reads a property of a record. Ignores inherited properties. */
export const ownProperty = <Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined => (Object.hasOwn(record, key) ? record[key] : undefined)

/** Whether the user may change the variable. */
export const isEditableVariable = ({ path, edit }: Variable): boolean =>
  edit && !RECORD_VARIABLES.includes(path)

/** The directory's value for a source; undefined if the directory lacks the field. */
const fromDirectory = ({ from }: VariableSource, { directory }: PersonState) =>
  from === null ? undefined : ownProperty(directory, from)

/** The user's own value, if the organisation allows the change. */
const ownValue = (variable: Variable, { values }: PersonState) =>
  isEditableVariable(variable) ? ownProperty(values, variable.path) : undefined

const mailboxValue = (release: Release, { addresses }: PersonState, path: string) => {
  for (const address of addresses) {
    const mailbox = release.mailboxOf(address)
    if (mailbox) return ownProperty(mailbox.values, path)
  }
  return undefined
}

const valueOf = (release: Release, variable: Variable, person: PersonState): string =>
  ownValue(variable, person) ??
  mailboxValue(release, person, variable.path) ??
  fromDirectory(variable, person) ??
  variable.value ??
  ''

/**
 * The values of all variables, and of `email` and `picture_url`.
 *
 * @param pictureUrl the address of the person's picture, or empty
 */
export function variableValues(
  release: Release,
  person: PersonState,
  { pictureUrl }: Readonly<{ pictureUrl: string }>,
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const variable of release.document.variables)
    values[variable.path] = valueOf(release, variable, person)
  values['email'] = person.addresses[0] ?? ''
  values['picture_url'] = pictureUrl
  return values
}

/** A person's value of the variable with this name; empty without the variable or a value. */
export function variableValue(release: Release, person: PersonState, path: string): string {
  const variable = release.variableOf(path)
  return variable ? valueOf(release, variable, person) : ''
}

/** A display name is the value of the first variable, or is built from the other two. */
export const NAME_PARTS = ['display_name', 'first_name', 'last_name']

/** The display name of a person or mailbox: the value of `display_name`, or else the first and last name. */
export function displayName(release: Release, person: PersonState): string {
  const named = (path: string) => {
    const variable = release.variableOf(path)
    return (variable ? valueOf(release, variable, person) : mailboxValue(release, person, path)) ?? ''
  }
  return (
    named('display_name') || [named('first_name'), named('last_name')].filter((part) => part !== '').join(' ')
  )
}

/** The directory field for the country of the postal address, and of phone numbers without a leading plus. */
export const COUNTRY_FIELD = 'country'

/** The parts of a person's postal address. A variable for a part wins over the directory. */
export function postalAddressParts(release: Release, person: PersonState): PostalParts {
  const part = (field: string): string => {
    const variable = release.document.variables.find(({ from }) => from === field)
    return (variable ? valueOf(release, variable, person) : ownProperty(person.directory, field)) ?? ''
  }
  return {
    street: part('streetAddress'),
    postalCode: part('postalCode'),
    city: part('city'),
    state: part('state'),
    country: part(COUNTRY_FIELD),
  }
}

/**
 * Whether a template shows `{{address}}` as the postal address: neither a variable nor a value of the person's mailbox
 * has this name.
 */
const isPostal = (release: Release, person: PersonState): boolean =>
  release.names.has(POSTAL_ADDRESS) &&
  release.variableOf(POSTAL_ADDRESS) === null &&
  mailboxValue(release, person, POSTAL_ADDRESS) === undefined

/** The lines of a person's postal address; undefined when no template shows it. */
export const addressLines = (release: Release, person: PersonState): readonly string[] | undefined =>
  isPostal(release, person) ? release.formats.address(postalAddressParts(release, person)) : undefined

/** Whether users can refuse card addresses with this variable, because they see it and may change it. */
export const isCardRefusal = (variable: Variable): boolean => isEditableVariable(variable) && !variable.hidden

/**
 * Whether the organisation and the person allow a web address for the person's card. False without a way to refuse, and
 * for a mailbox that is not in the directory.
 */
export function allowsCard(release: Release, person: PersonState): boolean {
  const { cards } = release.document
  const refusal = cards === undefined ? null : release.variableOf(cards.unless)
  return (
    refusal !== null &&
    isCardRefusal(refusal) &&
    person.revision > 0 &&
    valueOf(release, refusal, person) === ''
  )
}

/** The manager's value of a variable, from the manager's fields in the person's record; empty without one. */
function managerValue({ variableOf }: Release, { directory }: PersonState, path: string): string {
  const field = (from: string) => ownProperty(directory, `${MANAGER_PREFIX}${from}`) ?? ''
  const from = variableOf(path)?.from ?? null
  const value = from === null ? '' : field(from)
  if (value !== '' || path === 'email') return value || field('mail')
  if (path !== 'display_name') return ''
  return (
    field('displayName') || [field('givenName'), field('surname')].filter((part) => part !== '').join(' ')
  )
}

/** The person who writes with a signature, and the address of this person's picture, or empty. */
export type Writer = Readonly<{ person: PersonState; pictureUrl: string }>

/** Whether a person's address is a mailbox of the release, so that others may write for it. */
export const isMailbox = ({ mailboxOf }: Pick<Release, 'mailboxOf'>, { addresses }: PersonState): boolean =>
  addresses.some((address) => mailboxOf(address) !== null)

/** Whether a person is a mailbox, and the release's templates name the person who writes. */
export const namesWriter = (release: Release, person: PersonState): boolean =>
  isMailbox(release, person) && [...release.names].some((name) => name.startsWith(WRITER_PREFIX))

const sampleOf = (label: string): string => `‹${label}›`

/** Whether a value is the label of a variable, in place of the value of a mailbox's unknown writer. */
export const isWriterSample = (value: string): boolean => value.startsWith('‹') && value.endsWith('›')

/** The label of a writer's variable, in angle quotes. The sample writer has no picture. */
function writerSample({ variableOf }: Release, name: string): string {
  return name === 'picture_url' ? '' : sampleOf(variableOf(name)?.label ?? name)
}

const MARK = 'https://'

const digitsOf = (hash: string): string => Array.from(hash, (each) => each.charCodeAt(0)).join('')

/**
 * A mark for the sender of a person with several addresses, equal for equal main addresses. The others are the same in
 * all releases.
 */
export const senderMark = (main: string): string => MARK + digitsOf(contentHash(main))

/**
 * Whether html that was rendered with `writerMarks` shows one of them. Looks for a mark's digits, because the address of a
 * phone link contains only these.
 */
export const hasWriterMark = (release: Release, html: string): boolean =>
  Object.values(writerMarks(release)).some((mark) => html.includes(mark.slice(MARK.length)))

const marksOf = new WeakMap<Release, Readonly<Record<string, string>>>()

/**
 * Marks for a writer's values, by name, cached. A mark is equal in two releases if every writer has the same value in
 * both. It is an address with digits, so every placeholder writes it.
 */
export function writerMarks(release: Release): Readonly<Record<string, string>> {
  const known = marksOf.get(release)
  if (known) return known
  const { variables, mailboxes } = release.document
  /** All that decides a value, and how a phone number is written. */
  const sourcesOf = (path: string) => [
    ...variables
      .filter((each) => each.path === path || each.from === COUNTRY_FIELD)
      .map(({ from, value, edit }) => [from, value, edit]),
    ...mailboxes.flatMap(({ address, values }) => {
      const value = ownProperty(values, path)
      return value === undefined ? [] : [[address, value]]
    }),
  ]
  const marks: Record<string, string> = {}
  for (const name of release.names) {
    if (!name.startsWith(WRITER_PREFIX)) continue
    const path = name.slice(WRITER_PREFIX.length)
    const sources = (path === 'display_name' ? NAME_PARTS : [path]).map(sourcesOf)
    const hash = contentHash(JSON.stringify([path, sources]))
    marks[name] = MARK + digitsOf(hash)
  }
  marksOf.set(release, marks)
  return marks
}

/** Reads the writer's value of a variable. Without a writer, a mailbox has a sample, and a person writes for himself. */
function writerValueReader(
  release: Release,
  person: PersonState,
  { pictureUrl, writer }: Readonly<{ pictureUrl: string; writer?: Writer }>,
): (name: string) => string {
  if (writer === undefined && isMailbox(release, person)) return (name) => writerSample(release, name)
  const by = writer ?? { person, pictureUrl }
  const values = { ...variableValues(release, by.person, by), display_name: displayName(release, by.person) }
  return (name) => ownProperty<string>(values, name) ?? ''
}

/**
 * The values available to a template: all of `variableValues`, and `display_name`. The postal address, the card address,
 * the sender and the values of the manager and the writer are included if the release's templates use them.
 *
 * @param addresses has the address of the person's picture, or empty; and the writer and the address that one writes
 *   from, if they are known. If the latter is absent, it is the person's primary address
 * @param lines `addressLines` of the person
 */
export function templateValues(
  release: Release,
  person: PersonState,
  addresses: Readonly<{ pictureUrl: string; writer?: Writer; sender?: string }>,
  lines = addressLines(release, person),
): Record<string, string> {
  const values = variableValues(release, person, addresses)
  values['display_name'] = displayName(release, person)
  if (release.names.has(POSTAL_ADDRESS) && release.variableOf(POSTAL_ADDRESS) === null)
    values[POSTAL_ADDRESS] = lines?.join(', ') ?? mailboxValue(release, person, POSTAL_ADDRESS) ?? ''
  if (release.names.has(CARD_ADDRESS) && release.variableOf(CARD_ADDRESS) === null)
    values[CARD_ADDRESS] = allowsCard(release, person) ? release.formats.card(person.id) : ''
  if (showsSender(release)) values[SENDER_ADDRESS] = addresses.sender ?? person.addresses[0] ?? ''
  for (const name of release.names)
    if (name.startsWith(MANAGER_PREFIX))
      values[name] = managerValue(release, person, name.slice(MANAGER_PREFIX.length))
  let writerValue: ((name: string) => string) | null = null
  for (const name of release.names)
    if (name.startsWith(WRITER_PREFIX)) {
      writerValue ??= writerValueReader(release, person, addresses)
      values[name] = writerValue(name.slice(WRITER_PREFIX.length))
    }
  return values
}

/** The directory fields of a fictitious person: values for each variable, for the manager and for the address. */
export const sampleFields = (
  { variables }: ReleaseDocument,
  valueOf: (variable: Variable) => string,
): Readonly<Record<string, string>> => ({
  streetAddress: POSTAL_ADDRESS,
  [`${MANAGER_PREFIX}displayName`]: `${MANAGER_PREFIX}display_name`,
  [`${MANAGER_PREFIX}mail`]: `${MANAGER_PREFIX}email`,
  ...Object.fromEntries(
    variables.flatMap((variable) =>
      variable.from === null
        ? []
        : [
            [variable.from, valueOf(variable)],
            [`${MANAGER_PREFIX}${variable.from}`, `${MANAGER_PREFIX}${valueOf(variable)}`],
          ],
    ),
  ),
})

/** The variable definitions for a response, in the order of the folder. */
export const variableDefinitionsOf = ({ document }: Release) =>
  document.variables.map((variable) => ({
    path: variable.path,
    lookups: Object.fromEntries(variable.from === null ? [] : [['azure', variable.from]]),
    metas: {
      custom_type: variable.group,
      ...(variable.label === null ? {} : { display_name: variable.label }),
      hidden: variable.hidden,
      non_editable: !isEditableVariable(variable),
      resettable: variable.resync,
    },
  }))

/** The directory's value if the user replaced it by a different one; otherwise null. */
export function replacedValue(variable: Variable, person: PersonState): string | null {
  const value = ownValue(variable, person)
  const original = fromDirectory(variable, person)
  return value === undefined || original === undefined || value === original ? null : original
}

/** Whether the user may change the variable and the directory has a value for it. */
export const hasDirectoryValue = (variable: Variable, person: PersonState): boolean =>
  isEditableVariable(variable) && fromDirectory(variable, person) !== undefined

/** The directory values that the user replaced, by field, in the order of the definitions. */
export const replacedDirectoryValues = ({ document }: Release, person: PersonState): Record<string, string> =>
  Object.fromEntries(
    document.variables.flatMap((variable) => {
      const original = replacedValue(variable, person)
      return variable.from === null || original === null ? [] : [[variable.from, original]]
    }),
  )

/** Who a variable's value is from. `release`: the published release, for a mailbox or for everyone. */
export const valueSource = oneOf('person', 'administrator', 'file', 'directory', 'release')
export type ValueSource = OutOf<typeof valueSource>

/** Who a person's value of a variable is from; null for an empty value that nobody gave. */
function sourceOf(release: Release, variable: Variable, person: PersonState): ValueSource | null {
  if (ownValue(variable, person) !== undefined) return 'person'
  if (mailboxValue(release, person, variable.path) !== undefined) return 'release'
  if (variable.from !== null && fromDirectory(variable, person) !== undefined)
    return fieldSource(person, variable.from)
  return variable.value === null ? null : 'release'
}

/** A person's variable. `replaces` is the directory's value if the user replaced it. */
export const personDetail = object({
  path: text,
  label: nullable(text),
  value: text,
  replaces: nullable(text),
  /** The directory field of the variable; null without one. Earlier services omit this field and the next. */
  field: optional(nullable(text)),
  source: optional(nullable(valueSource)),
})
export type PersonDetail = OutOf<typeof personDetail>

/** The person's visible variables, in the order of the definitions. */
export const personDetailsOf = (release: Release, person: PersonState): readonly PersonDetail[] =>
  release.document.variables
    .filter(({ path, hidden }) => !hidden && !RECORD_VARIABLES.includes(path))
    .map((variable) => ({
      path: variable.path,
      label: variable.label,
      value: valueOf(release, variable, person),
      replaces: replacedValue(variable, person),
      field: variable.from,
      source: sourceOf(release, variable, person),
    }))

/** The most addresses in a person's values that are looked up. */
export const MAX_NAMED_ADDRESSES = 50

/** An address in a person's value. `path` is the variable. */
export type NamedAddress = Readonly<{ path: string; address: string }>

/**
 * The mail addresses in a person's values, in the order of the definitions, without the person's own and without
 * duplicates, up to 50. In lower case.
 */
export function namedAddressesOf(release: Release, person: PersonState): readonly NamedAddress[] {
  const own = new Set(person.addresses)
  const named = release.document.variables.flatMap((variable) =>
    RECORD_VARIABLES.includes(variable.path)
      ? []
      : [...new Set(addressesIn(valueOf(release, variable, person)))]
          .filter((address) => !own.has(address))
          .map((address) => ({ path: variable.path, address })),
  )
  return named.slice(0, MAX_NAMED_ADDRESSES)
}

/** The addresses in a text, such as `Ben Hill <ben@northwind.example>`. */
const addressesIn = (text: string): readonly string[] =>
  text
    .split(/[\s<>()[\],;"]/)
    .map((word) =>
      word
        .replace(/^mailto:/i, '')
        .replace(/[.:]$/, '')
        .toLowerCase(),
    )
    .filter(isAddress)

/** The labels of variables, by variable name and by directory field. */
export function variableLabelsOf({
  document: { variables },
}: Pick<Release, 'document'>): Readonly<Record<string, string>> {
  const labelled = variables.flatMap(({ path, from, label }) =>
    label === null ? [] : [{ path, from, label }],
  )
  // A variable's own name wins over a field. If variables share a field, the first one wins.
  return Object.fromEntries([
    ...[...labelled].reverse().flatMap(({ from, label }) => (from === null ? [] : [[from, label] as const])),
    ...labelled.map(({ path, label }) => [path, label] as const),
  ])
}

/** The directory fields whose values the user replaced. */
export const replacedFields = (release: Release, person: PersonState): string[] =>
  Object.keys(replacedDirectoryValues(release, person))

/** The plan in the response to the subscription call. */
export const subscriptionPlanOf = ({ document: { plan } }: Release, person: PersonState): string =>
  fromDirectory(plan, person) ?? plan.value ?? ''
