/** The values of a person's variables, and those that differ from the directory. */
import { nullable, object, type OutOf, text } from '../kernel/schema.ts'
import type { Release, ReleaseDocument, Source, Variable } from './release.ts'
import type { PersonState } from './state.ts'

/** These values come from the person's record, even if a variable has the same name. */
export const RECORD_VARIABLES: readonly string[] = ['email', 'picture_url']

/** Every name that a template may use. */
export const variableNames = ({ variables }: ReleaseDocument): ReadonlySet<string> =>
  new Set([...RECORD_VARIABLES, 'display_name', ...variables.map(({ path }) => path)])

/** Ignores inherited properties. */
export const own = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** Whether the user may change the variable. */
export const isEditable = ({ path, edit }: Variable): boolean => edit && !RECORD_VARIABLES.includes(path)

/** The directory's value for a source; undefined when the directory does not have the field. */
const fromDirectory = ({ from }: Source, { directory }: PersonState) =>
  from === null ? undefined : own(directory, from)

/** The user's own value, if the organisation lets them change it. */
const ownValue = (variable: Variable, { values }: PersonState) =>
  isEditable(variable) ? own(values, variable.path) : undefined

const mailboxValue = (release: Release, { addresses }: PersonState, path: string) => {
  for (const address of addresses) {
    const mailbox = release.mailboxOf(address)
    if (mailbox) return own(mailbox.values, path)
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
 * The value of every variable, and of `email` and `picture_url`.
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

/** The value of `display_name` for the person or the mailbox. If it is empty, the first and last name. */
export function displayName(release: Release, person: PersonState): string {
  const named = (path: string) => {
    const variable = release.variableOf(path)
    return (variable ? valueOf(release, variable, person) : mailboxValue(release, person, path)) ?? ''
  }
  return (
    named('display_name') || [named('first_name'), named('last_name')].filter((part) => part !== '').join(' ')
  )
}

/**
 * The values that a template may show: those of `variableValues`, and `display_name`.
 *
 * @param addresses has the address of the person's picture, or empty
 */
export function templateValues(
  release: Release,
  person: PersonState,
  addresses: Readonly<{ pictureUrl: string }>,
): Record<string, string> {
  const values = variableValues(release, person, addresses)
  values['display_name'] = displayName(release, person)
  return values
}

/** The definitions of variables in a response, in the order of the folder. */
export const definitionsOf = ({ document }: Release) =>
  document.variables.map((variable) => ({
    path: variable.path,
    lookups: Object.fromEntries(variable.from === null ? [] : [['azure', variable.from]]),
    metas: {
      custom_type: variable.group,
      ...(variable.label === null ? {} : { display_name: variable.label }),
      hidden: variable.hidden,
      non_editable: !isEditable(variable),
      resettable: variable.resync,
    },
  }))

/** The directory's value, if the user replaced it by a different value; otherwise null. */
export function replacedValue(variable: Variable, person: PersonState): string | null {
  const value = ownValue(variable, person)
  const original = fromDirectory(variable, person)
  return value === undefined || original === undefined || value === original ? null : original
}

/** Whether the user may change the variable and the directory has a value for it. */
export const hasDirectoryValue = (variable: Variable, person: PersonState): boolean =>
  isEditable(variable) && fromDirectory(variable, person) !== undefined

/** The directory's values that the user replaced, by field, in the order of the definitions. */
export const originalData = ({ document }: Release, person: PersonState): Record<string, string> =>
  Object.fromEntries(
    document.variables.flatMap((variable) => {
      const original = replacedValue(variable, person)
      return variable.from === null || original === null ? [] : [[variable.from, original]]
    }),
  )

/** A variable of a person. `replaces` is the directory's value if the user replaced it. */
export const detail = object({ path: text, label: nullable(text), value: text, replaces: nullable(text) })
export type Detail = OutOf<typeof detail>

/** The variables of a person that are not hidden, in the order of the definitions. */
export const detailsOf = (release: Release, person: PersonState): readonly Detail[] =>
  release.document.variables
    .filter(({ path, hidden }) => !hidden && !RECORD_VARIABLES.includes(path))
    .map((variable) => ({
      path: variable.path,
      label: variable.label,
      value: valueOf(release, variable, person),
      replaces: replacedValue(variable, person),
    }))

/** The labels of the variables, by the names of the variables and of the directory's fields that they show. */
export function labelsOf({
  document: { variables },
}: Pick<Release, 'document'>): Readonly<Record<string, string>> {
  const labelled = variables.flatMap(({ path, from, label }) =>
    label === null ? [] : [{ path, from, label }],
  )
  // Of several variables with the same field, the first counts; a variable's own name counts before any field.
  return Object.fromEntries([
    ...[...labelled].reverse().flatMap(({ from, label }) => (from === null ? [] : [[from, label] as const])),
    ...labelled.map(({ path, label }) => [path, label] as const),
  ])
}

/** The directory's fields whose values the user replaced. */
export const changedFields = (release: Release, person: PersonState): string[] =>
  Object.keys(originalData(release, person))

/** The plan in the response of the subscription call. */
export const planOf = ({ document: { plan } }: Release, person: PersonState): string =>
  fromDirectory(plan, person) ?? plan.value ?? ''
