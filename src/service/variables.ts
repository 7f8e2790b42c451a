/** A user's variables: their values, those that differ from the directory, and how a save changes them. */
import type { Person, VariableDefinition } from './repository.ts'
import { Refusal } from '../server/webServer.ts'

/** A save: new values by path, and the paths to reset to the values of the directory. */
export type VariablesChange = Readonly<{
  values: Readonly<Record<string, string>>
  resetFields: readonly string[]
}>

/** The value of every variable; `email` and `picture_url` (a full address, or empty) come from the record. */
export function variableValues(person: Person, imagesUrl: string): Record<string, string> {
  return {
    ...person.values,
    email: person.email,
    picture_url: person.photo === null ? '' : `${imagesUrl}/${person.photo}`,
  }
}

export function displayName({ values }: Person): string {
  return [values['first_name'], values['last_name']]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}

/** The directory's fields whose value differs from the user's variables, in the order of the definitions. */
export function changedFields(person: Person, definitions: readonly VariableDefinition[]): string[] {
  const fields = definitions.flatMap((definition) =>
    followedFields(person, definition).filter(
      (field) => person.directory[field] !== person.values[definition.path],
    ),
  )
  return [...new Set(fields)]
}

/** The values of the directory in the changed fields. */
export function originalData(
  person: Person,
  definitions: readonly VariableDefinition[],
): Record<string, string> {
  return Object.fromEntries(
    changedFields(person, definitions).map((field) => [field, person.directory[field] ?? '']),
  )
}

/**
 * The user's stored values after the change; a path that is both changed and reset is reset.
 *
 * A save carries all values, so that a locked variable may be sent with its current value.
 *
 * @param current as `variableValues` gives them
 * @throws Refusal 400 `unknown_variable`, 409 `variable_is_locked`, 409 `variable_resync_failed`
 */
export function changedValues(
  person: Person,
  definitions: readonly VariableDefinition[],
  current: Readonly<Record<string, string>>,
  { values, resetFields }: VariablesChange,
): Record<string, string> {
  const next: Record<string, string> = { ...person.values }
  for (const [path, value] of Object.entries(values)) {
    const definition = knownDefinition(definitions, path)
    if (value === (current[path] ?? '')) continue
    if (definition.metas.non_editable) {
      throw new Refusal(409, 'variable_is_locked', `The variable "${path}" cannot be changed.`)
    }
    next[path] = value
  }
  for (const path of resetFields) {
    const definition = knownDefinition(definitions, path)
    const [field] = followedFields(person, definition)
    const original = field === undefined ? undefined : person.directory[field]
    const { resettable, non_editable } = definition.metas
    if (!resettable || non_editable || original === undefined || original === person.values[path]) {
      throw new Refusal(409, 'variable_resync_failed', `The variable "${path}" cannot be synchronised.`)
    }
    next[path] = original
  }
  return next
}

function followedFields({ directory }: Person, { lookups }: VariableDefinition): string[] {
  return Object.values(lookups).filter((field) => Object.hasOwn(directory, field))
}

function knownDefinition(definitions: readonly VariableDefinition[], path: string): VariableDefinition {
  const definition = definitions.find((candidate) => candidate.path === path)
  if (definition === undefined) throw new Refusal(400, 'unknown_variable', `There is no variable "${path}".`)
  return definition
}
