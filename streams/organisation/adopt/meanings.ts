/** The possible meanings of a text in a signature: a document's variables, and directory fields without a variable. */
import { isVariableName } from '../release/names.ts'
import { compileRelease, type Variable } from '../release/release.ts'
import { ownProperty, postalAddressParts, RECORD_VARIABLES, templateValues } from '../release/selectors.ts'
import type { PersonState } from '../facts/state.ts'
import type { NewVariable } from './adopted.ts'

/** A variable, or a directory field that no variable uses yet. */
export type Meaning = Readonly<{
  /** Null for a field that no variable uses yet. */
  path: string | null
  /** The directory field; null for a variable without one. */
  from: string | null
  /** False for values that every person has: the name, the address and fixed texts. */
  mayBeEmpty: boolean
  /** If a text has several meanings, the lowest number wins. */
  rank: number
}>

export type Meanings = Readonly<{
  all: readonly Meaning[]
  /** A person's value for a meaning; empty without a value. */
  valueOf: (meaning: Meaning, person: PersonState) => string
  /** The meaning of a Microsoft Graph or SCIM field. A field without a variable gets a new meaning. */
  ofField: (field: string) => Meaning
  /** The country of a person's phone numbers, from the directory or a variable. */
  countryOf: (person: PersonState) => string
}>

/** Names of new variables for known fields, in order of preference. */
const NAMES: readonly (readonly [field: string, name: string])[] = [
  ['givenName', 'first_name'],
  ['surname', 'last_name'],
  ['jobTitle', 'job_title'],
  ['department', 'department'],
  ['companyName', 'company'],
  ['businessPhones.0', 'phone'],
  ['telephoneNumber', 'phone'],
  ['mobilePhone', 'mobile_phone'],
  ['mobile', 'mobile_phone'],
  ['faxNumber', 'fax'],
  ['officeLocation', 'office'],
  ['streetAddress', 'street'],
  ['postalCode', 'postal_code'],
  ['city', 'city'],
  ['state', 'state'],
  ['country', 'country'],
  ['employeeId', 'employee_number'],
  ['manager.displayName', 'manager'],
]
const NAME_OF: ReadonlyMap<string, string> = new Map(NAMES)
const RANK_OF: ReadonlyMap<string, number> = new Map(NAMES.map(([field], index) => [field, index]))

/** Other names for fields, common in CSV files of people. */
const ALSO: Readonly<Record<string, string>> = {
  'businessPhones.0': 'telephoneNumber',
  mobilePhone: 'mobile',
}

/** Fields that every person has. */
const ALWAYS: readonly string[] = ['givenName', 'surname', 'displayName', 'mail']

/** The name of the new variable for a field: `job_title` for `jobTitle`. */
function nameOf(field: string): string {
  const known = NAME_OF.get(field)
  if (known !== undefined) return known
  const [, number] = /^businessPhones\.(\d{1,3})$/.exec(field) ?? []
  if (number !== undefined) return `phone_${String(Number(number) + 1)}`
  const last = field.startsWith('onPremisesExtensionAttributes.')
    ? field.slice(field.indexOf('.') + 1)
    : field.replace(/\.0$/, '')
  const name = last
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/\W+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 60)
  return isVariableName(name) ? name : `field_${name}`.replace(/_$/, '')
}

/** Compiles a release with only these variables, for reading people's values. */
const documentOf = (variables: readonly Variable[]) =>
  compileRelease('adopt', {
    version: 1,
    organisation: '',
    internal: [],
    chooseDefault: { for: 'everyone', not: [] },
    plan: { from: null, value: null },
    variables,
    signatures: [],
    mailboxes: [],
    templates: {},
    pictures: {},
  })

export function meaningsOf(variables: readonly Variable[], people: readonly PersonState[]): Meanings {
  const release = documentOf(variables)
  const values = new Map(
    people.map((person) => [person, templateValues(release, person, { pictureUrl: '' })]),
  )
  const all: Meaning[] = []
  const fields = new Map<string, Meaning>()
  const add = (path: string | null, from: string | null, mayBeEmpty: boolean, rank = all.length) => {
    const meaning = { path, from, mayBeEmpty, rank }
    all.push(meaning)
    if (from !== null && !fields.has(from)) fields.set(from, meaning)
    return meaning
  }
  const isNamed = variables.some(({ path }) => NAME_VARIABLES.includes(path))
  // Without name variables, a new variable is proposed for the directory's display name.
  if (isNamed) add('display_name', 'displayName', false)
  add('email', 'mail', false)
  const hasOtherName = people.some((person) => {
    const name = ownProperty(person.directory, 'displayName') ?? ''
    return isNamed && name !== '' && name !== values.get(person)?.['display_name']
  })
  for (const { path, from, value, edit } of variables)
    if (path !== 'display_name' && !RECORD_VARIABLES.includes(path)) {
      const isFixed = value !== null && value !== '' && from === null && !edit
      add(path, from, !isFixed && !ALWAYS.includes(from ?? ''))
    }
  const addField = (field: string): Meaning => {
    const rank = variables.length + 2 + (RANK_OF.get(field) ?? NAMES.length + all.length)
    return add(null, field, !ALWAYS.includes(field), rank)
  }
  for (const { directory } of people)
    for (const field of Object.keys(directory)) if (!fields.has(field)) addField(field)
  if (hasOtherName) addField('displayName')

  return {
    all,
    valueOf: ({ path, from }, person) =>
      (path === null
        ? ownProperty(person.directory, from ?? '')
        : ownProperty(values.get(person) ?? {}, path)) ?? '',
    ofField: (field) => {
      const known = [field, ALSO[field] ?? field].flatMap((each) => fields.get(each) ?? [])
      return known.find(({ path }) => path !== null) ?? known[0] ?? addField(field)
    },
    countryOf: (person) => postalAddressParts(release, person).country,
  }
}

/** The variables that make up a display name. */
const NAME_VARIABLES: readonly string[] = ['display_name', 'first_name', 'last_name']

/** Names the variable for each meaning in a template. A field without a variable gets a new, unique name. */
export function namingMeanings(variables: readonly Variable[]): Readonly<{
  pathOf: (meaning: Meaning) => string
  added: readonly NewVariable[]
}> {
  const added: NewVariable[] = []
  const taken = new Set([...RECORD_VARIABLES, ...variables.map(({ path }) => path)])
  if (variables.some(({ path }) => NAME_VARIABLES.includes(path))) taken.add('display_name')
  const paths = new Map<string, string>()
  return {
    added,
    pathOf: ({ path, from }) => {
      if (path !== null || from === null) return path ?? ''
      const known = paths.get(from)
      if (known !== undefined) return known
      const name = from === 'displayName' && taken.has('display_name') ? 'full_name' : nameOf(from)
      let free = name
      for (let number = 2; taken.has(free); number++) free = `${name}_${String(number)}`
      taken.add(free)
      paths.set(from, free)
      added.push({ path: free, from })
      return free
    },
  }
}
