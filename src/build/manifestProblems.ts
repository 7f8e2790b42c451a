import { elementsNamed, parseXml, withDescendants } from './manifestXml.ts'

/** A mail manifest's elements in the documented order. Microsoft's validator is a web service, so it is not used. */
const ORDER = (
  'Id AlternateId Version ProviderName DefaultLocale DisplayName Description IconUrl HighResolutionIconUrl SupportUrl ' +
  'AppDomains Hosts Requirements FormSettings Permissions Rule DisableEntityHighlighting VersionOverrides ' +
  'ExtendedOverrides'
).split(' ')
const OPTIONAL = 'AlternateId AppDomains DisableEntityHighlighting VersionOverrides ExtendedOverrides'.split(
  ' ',
)
const ID_CHARACTERS = 32
const SHORT_CHARACTERS = 125
const LONG_CHARACTERS = 250
const TEXTS: readonly (readonly [parent: string, characters: number])[] = [
  ['DisplayName', SHORT_CHARACTERS],
  ['Description', LONG_CHARACTERS],
  ['bt:ShortStrings', SHORT_CHARACTERS],
  ['bt:LongStrings', LONG_CHARACTERS],
]

/** The version as written in a manifest; null if there is none. */
export const manifestVersion = (xml: string): string | null => {
  const root = parseXml(xml)
  return root?.children.find(({ tag }) => tag === 'Version')?.text ?? null
}

/** Lists a manifest's problems as sentences. `icons` are the names of the icon files that a build copies. */
export function manifestProblems(xml: string, icons: readonly string[]): readonly string[] {
  const root = parseXml(xml)
  if (root === null) return ['It is not XML.']
  if (root.tag !== 'OfficeApp' || root.attributes.get('xsi:type') !== 'MailApp')
    return ['It is no OfficeApp of the type MailApp.']
  const problems: string[] = []
  const tags = root.children.map(({ tag }) => tag)
  for (const tag of ORDER)
    if (!tags.includes(tag) && !OPTIONAL.includes(tag)) problems.push(`${tag} is missing.`)
  for (const tag of tags) if (!ORDER.includes(tag)) problems.push(`${tag} is unknown.`)
  const known = tags.filter((tag) => ORDER.includes(tag))
  const sorted = [...known].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
  if (known.join() !== sorted.join()) problems.push('Its elements are not in the order of the schema.')
  const id = root.children.find(({ tag }) => tag === 'Id')?.text ?? ''
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) problems.push(`Id ${id} is no UUID.`)

  for (const overrides of elementsNamed(root, 'VersionOverrides')) {
    // A resource belongs only to the nearest enclosing `VersionOverrides`, so nested overrides are left out here.
    const own = { ...overrides, children: overrides.children.filter(({ tag }) => tag !== 'VersionOverrides') }
    const ids = withDescendants(own)
      .filter(({ tag }) => ['bt:Image', 'bt:Url', 'bt:String'].includes(tag))
      // A `bt:Image` without an `id` refers to a resource and does not define one.
      .flatMap(({ attributes }) => attributes.get('id') ?? [])
    for (const each of ids) {
      if (each.length > ID_CHARACTERS)
        problems.push(`The id "${each}" of a resource is longer than ${String(ID_CHARACTERS)} characters.`)
      if (ids.indexOf(each) !== ids.lastIndexOf(each)) problems.push(`The id "${each}" is there twice.`)
    }
    for (const { tag, attributes } of withDescendants(own)) {
      const resource = attributes.get('resid')
      if (resource !== undefined && !ids.includes(resource))
        problems.push(`${tag} names the resource "${resource}", which is not there.`)
    }
  }
  for (const [parent, characters] of TEXTS) {
    for (const { attributes } of elementsNamed(root, parent).flatMap(withDescendants)) {
      const text = attributes.get('DefaultValue') ?? attributes.get('Value') ?? ''
      if (text.length > characters)
        problems.push(`"${text}" in ${parent} is longer than ${String(characters)} characters.`)
    }
  }
  const addresses = withDescendants(root)
    .filter(({ tag }) => /Url$|^bt:Image$|^SourceLocation$/.test(tag))
    .flatMap(({ attributes }) => attributes.get('DefaultValue') ?? [])
  for (const address of addresses) {
    const icon = /\/(icon-[^/]*)$/.exec(address)?.[1]
    if (!address.startsWith('https://')) problems.push(`${address} is not on https.`)
    else if (icon !== undefined && !icons.includes(icon)) problems.push(`There is no picture ${icon}.`)
  }
  return [...new Set(problems)]
}
