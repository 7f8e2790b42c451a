/** Attributes of the directory that the settings name, in addition to those that Signet always reads. */
import { isValueField } from '../release/names.ts'

/** The most attributes that the settings may name. */
export const MAX_ATTRIBUTES = 50

/** The longest name of an attribute, and of its field, in characters. */
const MAX_NAME_CHARACTERS = 256
const MAX_FIELD_CHARACTERS = 100
const EXTENSION_ATTRIBUTE = /^extensionAttribute(?:[1-9]|1[0-5])$/
const GRAPH_NAME = /^[A-Za-z]\w*$/
const DIRECTORY_EXTENSION = /^extension_[0-9a-f]{32}_\w+$/i
/** Attributes about an account's identity or state, which signatures never show. */
export const ACCOUNT_ATTRIBUTES: readonly string[] = [
  'id',
  'accountEnabled',
  'userType',
  'proxyAddresses',
  'manager',
]

/** Whether a name is one of the fifteen extension attributes, which Signet always reads. */
export const isExtensionAttribute = (name: string): boolean => EXTENSION_ATTRIBUTE.test(name)

/** Whether a field has the name of a directory extension in Microsoft Entra: `extension_<application id>_<name>`. */
export const isDirectoryExtension = (field: string): boolean => DIRECTORY_EXTENSION.test(field)

/**
 * The field that has the values of an attribute: the name without the schema of SCIM. The fifteen extension attributes
 * are in `onPremisesExtensionAttributes`.
 */
export const fieldOfAttribute = (name: string): string =>
  isExtensionAttribute(name) ? `onPremisesExtensionAttributes.${name}` : name.slice(name.lastIndexOf(':') + 1)

/** Why a text cannot name an attribute of Microsoft Graph, as a sentence; null if it can. */
export const graphAttributeProblem = (name: string): string | null =>
  GRAPH_NAME.test(name)
    ? fieldProblem(name)
    : `${name} is not an attribute such as extension_<application id without hyphens>_costCentre.`

/** Why the field of an attribute cannot be used, as a sentence; null if it can. */
export function fieldProblem(name: string): string | null {
  const field = fieldOfAttribute(name)
  if (name.length > MAX_NAME_CHARACTERS || field.length > MAX_FIELD_CHARACTERS)
    return `${name.slice(0, MAX_FIELD_CHARACTERS)} is too long: at most ${MAX_NAME_CHARACTERS} characters, and ${MAX_FIELD_CHARACTERS} without the schema.`
  const [first = ''] = field.toLowerCase().split('.', 1)
  if (ACCOUNT_ATTRIBUTES.some((each) => each.toLowerCase() === first))
    return `${name} is about the account, and signatures never show it.`
  return isValueField(field)
    ? null
    : `${name} cannot be a field: rules use the name ${field} for something else.`
}
