/** The attributes of users and groups (RFC 7643), as returned by `/Schemas`. */

export const CORE_USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE_USER_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
/** The extension for the fifteen extension attributes of Microsoft directories. */
export const SIGNET_USER_URN = 'urn:ietf:params:scim:schemas:extension:signet:2.0:User'
export const CORE_GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** An attribute, described in the terms of RFC 7643, section 7. */
export type ScimAttribute = Readonly<{
  name: string
  type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex'
  multiValued: boolean
  description: string
  required: boolean
  caseExact: boolean
  mutability: 'readWrite' | 'readOnly'
  returned: 'default' | 'always'
  uniqueness: 'none' | 'server'
  /** The parts of a complex attribute. */
  subAttributes?: readonly ScimAttribute[]
}>

export type ScimSchema = Readonly<{
  id: string
  name: string
  description: string
  attributes: readonly ScimAttribute[]
}>

export type ResourceType = Readonly<{
  name: 'User' | 'Group'
  /** The path of the resources, relative to the address of SCIM. */
  endpoint: '/Users' | '/Groups'
  schema: ScimSchema
  extensions: readonly ScimSchema[]
}>

/** The path of an attribute: `urn:…:User:manager.displayName`. */
export type AttributePath = Readonly<{ schema: string | null; attribute: string; sub: string | null }>

/** The attribute at a path. `extension` is null for an attribute of the resource itself. */
export type FoundAttribute = Readonly<{
  extension: ScimSchema | null
  attribute: ScimAttribute
  sub: ScimAttribute | null
}>

const text = (name: string, description: string, more: Partial<ScimAttribute> = {}): ScimAttribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const complex = (
  name: string,
  description: string,
  subAttributes: readonly ScimAttribute[],
  more: Partial<ScimAttribute> = {},
) => text(name, description, { type: 'complex', subAttributes, ...more })
const flag = (name: string, description: string) => text(name, description, { type: 'boolean' })
const reference = (name: string, description: string, more: Partial<ScimAttribute> = {}) =>
  text(name, description, { type: 'reference', caseExact: true, ...more })

const KIND = text('type', 'What the value is for, such as "work".')
const PRIMARY = flag('primary', 'Whether the value is the preferred one. True at most once.')
const DISPLAY = text('display', 'The value for people to read.')
const list = (name: string, description: string, value: string) =>
  complex(name, description, [text('value', value), DISPLAY, KIND, PRIMARY], { multiValued: true })

/** The attributes that every resource has. No schema lists them. */
const COMMON: readonly ScimAttribute[] = [
  text('id', 'The id that the service gave the resource.', {
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
  }),
  text('externalId', 'The id of the resource in the directory.', { caseExact: true }),
  reference('schemas', 'The schemas of the resource.', {
    multiValued: true,
    mutability: 'readOnly',
    returned: 'always',
  }),
  complex(
    'meta',
    'About the resource itself.',
    [
      text('resourceType', 'User or Group.', { caseExact: true, mutability: 'readOnly' }),
      text('created', 'When the resource was added.', { type: 'dateTime', mutability: 'readOnly' }),
      text('lastModified', 'When the resource changed.', { type: 'dateTime', mutability: 'readOnly' }),
      reference('location', 'The address of the resource.', { mutability: 'readOnly' }),
    ],
    { mutability: 'readOnly' },
  ),
]

const USER_SCHEMA: ScimSchema = {
  id: CORE_USER_URN,
  name: 'User',
  description: 'A person of the organisation.',
  attributes: [
    text('userName', 'The name with which the person signs in.', { required: true, uniqueness: 'server' }),
    complex('name', 'The parts of the name.', [
      text('formatted', 'The whole name.'),
      text('familyName', 'The family name.'),
      text('givenName', 'The given name.'),
      text('middleName', 'The middle names.'),
      text('honorificPrefix', 'What stands before the name.'),
      text('honorificSuffix', 'What stands after the name.'),
    ]),
    text('displayName', 'The name as others read it.'),
    text('nickName', 'The name that the person goes by.'),
    reference('profileUrl', 'The address of a page about the person.'),
    text('title', 'The job title.'),
    text('userType', 'Employee, contractor and so on.'),
    text('preferredLanguage', 'The language, such as "pt-BR".'),
    text('locale', 'How dates and numbers are written.'),
    text('timezone', 'The time zone, such as "Europe/Berlin".'),
    flag('active', 'Whether the person is in the organisation.'),
    list('emails', 'The mail addresses.', 'A mail address.'),
    list('phoneNumbers', 'The telephone numbers: work, mobile, fax.', 'A telephone number.'),
    complex(
      'addresses',
      'The postal addresses.',
      [
        text('formatted', 'The whole address; of type "other" the office.'),
        text('streetAddress', 'Street and number.'),
        text('locality', 'The city.'),
        text('region', 'The state or region.'),
        text('postalCode', 'The postal code.'),
        text('country', 'The country.'),
        KIND,
        PRIMARY,
      ],
      { multiValued: true },
    ),
  ],
}

const ENTERPRISE_SCHEMA: ScimSchema = {
  id: ENTERPRISE_USER_URN,
  name: 'EnterpriseUser',
  description: 'The person in the organisation.',
  attributes: [
    text('employeeNumber', 'The number of the employee.'),
    text('costCenter', 'The cost centre.'),
    text('organization', 'The company.'),
    text('division', 'The division.'),
    text('department', 'The department.'),
    complex('manager', 'The manager.', [
      text('value', 'The id of the manager.', { caseExact: true }),
      reference('$ref', 'The address of the manager.'),
      text('displayName', 'The name of the manager.'),
    ]),
  ],
}

const SIGNET_SCHEMA: ScimSchema = {
  id: SIGNET_USER_URN,
  name: 'SignetUser',
  description: 'Attributes that directories keep for their organisations.',
  attributes: Array.from({ length: 15 }, (_, index) =>
    text(`extensionAttribute${String(index + 1)}`, 'An attribute of the organisation.'),
  ),
}

const GROUP_SCHEMA: ScimSchema = {
  id: CORE_GROUP_URN,
  name: 'Group',
  description: 'A group of people, by which signatures are assigned.',
  attributes: [
    text('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    complex(
      'members',
      'The people in the group, and the groups inside it.',
      [
        text('value', 'The id of the person or of the group.', { caseExact: true }),
        reference('$ref', 'The address of the person or of the group.'),
        text('display', 'The name of the person or of the group.'),
        text('type', 'User or Group.'),
      ],
      { multiValued: true },
    ),
  ],
}

export const USER_TYPE: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_SCHEMA, SIGNET_SCHEMA],
}
export const GROUP_TYPE: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  schema: GROUP_SCHEMA,
  extensions: [],
}

const isNamed =
  (name: string) =>
  (each: Readonly<{ name: string }>): boolean =>
    each.name.toLowerCase() === name.toLowerCase()

/** Finds an attribute by its name, ignoring case. */
export const attributeNamed = (attributes: readonly ScimAttribute[], name: string): ScimAttribute | null =>
  attributes.find(isNamed(name)) ?? null

/** The attributes of the resource itself, without extensions. */
export const ownAttributes = ({ schema }: ResourceType): readonly ScimAttribute[] => [
  ...COMMON,
  ...schema.attributes,
]

/** The extension with this URN, ignoring case. */
export const extensionOf = ({ extensions }: ResourceType, urn: string): ScimSchema | null =>
  extensions.find(({ id }) => id.toLowerCase() === urn.toLowerCase()) ?? null

/**
 * The attribute at a path; null for an unknown attribute. A path without a schema may lead to an extension's attribute,
 * as Microsoft Entra documents for `manager`.
 */
export function findAttribute(type: ResourceType, path: AttributePath): FoundAttribute | null {
  const [extension, attribute] = holderOf(type, path)
  if (attribute === null) return null
  if (path.sub === null) return { extension, attribute, sub: null }
  const sub = attributeNamed(attribute.subAttributes ?? [], path.sub)
  return sub === null ? null : { extension, attribute, sub }
}

function holderOf(
  type: ResourceType,
  { schema, attribute }: AttributePath,
): [ScimSchema | null, ScimAttribute | null] {
  if (schema !== null && schema.toLowerCase() !== type.schema.id.toLowerCase()) {
    const extension = extensionOf(type, schema)
    return [extension, attributeNamed(extension?.attributes ?? [], attribute)]
  }
  const own = attributeNamed(ownAttributes(type), attribute)
  if (own !== null || schema !== null) return [null, own]
  const extension = type.extensions.find(({ attributes }) => attributeNamed(attributes, attribute) !== null)
  return [extension ?? null, attributeNamed(extension?.attributes ?? [], attribute)]
}

/**
 * The extension if a path names a whole extension; else null. The path's `attribute` is then the last part of the URN.
 */
export const findExtension = (
  type: ResourceType,
  { schema, attribute, sub }: AttributePath,
): ScimSchema | null => (schema === null || sub !== null ? null : extensionOf(type, `${schema}:${attribute}`))

/**
 * The resource type with further attributes, which are texts. Attributes that it has already change nothing. An
 * attribute of an unknown schema adds an extension.
 */
export const withAttributes = (type: ResourceType, paths: readonly AttributePath[]): ResourceType =>
  paths.reduce(withAttribute, type)

function withAttribute(type: ResourceType, path: AttributePath): ResourceType {
  const { schema, attribute } = path
  if (schema === null || findAttribute(type, path) !== null) return type
  const extension = extensionOf(type, schema) ?? {
    id: schema,
    name: schema.split(':').at(-1) ?? schema,
    description: 'A schema of the organisation.',
    attributes: [],
  }
  const attributes = [...extension.attributes, text(attribute, 'An attribute of the organisation.')]
  const others = type.extensions.filter(({ id }) => id !== extension.id)
  return { ...type, extensions: [...others, { ...extension, attributes }] }
}
