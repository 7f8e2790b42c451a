import { parseXml as parse, XmlElement, XmlText } from '@rgrove/parse-xml'
import {
  type RibbonButton,
  compareVersions,
  hostOf,
  type ManifestContent,
  PERMISSION_WORDS,
  BUTTON_PLACES,
  SHARED_FOLDERS_PERMISSION,
  type TranslatedText,
  toUnifiedWord,
} from './manifestContent.ts'

/** An XML element. Names are as written, with their prefix. `text` is the element's own text, trimmed. */
export type ManifestElement = Readonly<{
  tag: string
  attributes: ReadonlyMap<string, string>
  text: string
  children: readonly ManifestElement[]
}>

/** An element and all its descendants. */
export const withDescendants = (element: ManifestElement): readonly ManifestElement[] => [
  element,
  ...element.children.flatMap(withDescendants),
]
export const elementsNamed = (root: ManifestElement, tag: string): readonly ManifestElement[] =>
  withDescendants(root).filter((each) => each.tag === tag)

/** A document's root; null if the XML is not well-formed, or nested too deeply to read. */
export function parseXml(xml: string): ManifestElement | null {
  try {
    const { root } = parse(xml)
    return root && read(root)
  } catch {
    return null
  }
}

const read = (element: XmlElement): ManifestElement => ({
  tag: element.name,
  attributes: new Map(Object.entries(element.attributes)),
  text: element.children
    .map((child) => (child instanceof XmlText ? child.text : ''))
    .join('')
    .trim(),
  children: element.children.flatMap((child) => (child instanceof XmlElement ? read(child) : [])),
})

/**
 * Reads an XML manifest's content as the newest Outlook does: the innermost `VersionOverrides` counts.
 *
 * @throws an Error if the text is not a mail add-in's manifest. The message completes a sentence that starts with the
 * file's name.
 */
export function contentOfXml(xml: string): ManifestContent {
  const root = parseXml(xml)
  if (root === null) throw new Error('is not well-formed XML.')
  if (local(root) !== 'OfficeApp' || attribute(root, 'type') !== 'MailApp')
    throw new Error('is XML, but no manifest of an Outlook add-in.')
  let overrides = child(root, 'VersionOverrides')
  for (let inner = overrides; inner; inner = child(inner, 'VersionOverrides')) overrides = inner
  const resources = new Map(
    ['Images/Image', 'Urls/Url', 'ShortStrings/String', 'LongStrings/String'].flatMap((path) =>
      at(overrides, `Resources/${path}`).map((each) => [attribute(each, 'id'), textsOf(each)] as const),
    ),
  )
  const resource = (element: ManifestElement | undefined): TranslatedText =>
    resources.get(attribute(element, 'resid')) ?? { text: '', translations: new Map() }
  const [host] = at(overrides, 'Hosts/Host')
  const factors = { desktop: child(host, 'DesktopFormFactor'), mobile: child(host, 'MobileFormFactor') }
  const [runtime] = at(host, 'Runtimes/Runtime')
  const application = child(overrides, 'WebApplicationInfo')
  return {
    format: 'xml',
    id: textOf(root, 'Id').toLowerCase(),
    version: textOf(root, 'Version'),
    provider: textOf(root, 'ProviderName'),
    locale: textOf(root, 'DefaultLocale').toLowerCase(),
    name: textsOf(child(root, 'DisplayName')),
    description: textsOf(child(root, 'Description')),
    icon: attribute(child(root, 'IconUrl'), 'DefaultValue'),
    largeIcon: attribute(child(root, 'HighResolutionIconUrl'), 'DefaultValue'),
    support: attribute(child(root, 'SupportUrl'), 'DefaultValue'),
    privacy: '',
    terms: '',
    domains: at(root, 'AppDomains/AppDomain').map(({ text }) => hostOf(text)),
    requirements: requirementsOf(root, overrides),
    permissions: [
      toUnifiedWord(PERMISSION_WORDS, textOf(root, 'Permissions')),
      ...(textOf(factors.desktop, 'SupportsSharedFolders') === 'true' ? [SHARED_FOLDERS_PERMISSION] : []),
      ...at(overrides, 'ExtendedPermissions/ExtendedPermission').map(({ text }) => text),
    ],
    scopes: at(application, 'Scopes/Scope').map(({ text }) => text),
    clientId: textOf(application, 'Id').toLowerCase(),
    resource: textOf(application, 'Resource'),
    buttons: at(factors.desktop, 'ExtensionPoint').flatMap((point) => buttonsAt(point, resource)),
    events: (['desktop', 'mobile'] as const).flatMap((device) =>
      at(factors[device], 'ExtensionPoint/LaunchEvents/LaunchEvent').map((event) => ({
        device,
        type: attribute(event, 'Type'),
        handler: attribute(event, 'FunctionName'),
        sendMode: event.attributes.get('SendMode') ?? null,
      })),
    ),
    launchPage: resource(runtime).text,
    launchFile: resource(child(runtime, 'Override')).text,
    hasTranslations: true,
    whole: JSON.stringify(
      wholeOf({ ...root, children: root.children.filter((each) => local(each) !== 'Version') }),
    ),
  }
}

function buttonsAt(
  point: ManifestElement,
  resource: (element: ManifestElement | undefined) => TranslatedText,
): readonly RibbonButton[] {
  const surface = attribute(point, 'type')
  return [...at(point, 'OfficeTab/Group'), ...at(point, 'CustomTab/Group')].flatMap((group) =>
    at(group, 'Control').map((control) => {
      const tip = child(control, 'Supertip')
      const action = child(control, 'Action')
      return {
        id: attribute(control, 'id'),
        place: BUTTON_PLACES.find(([each]) => each === surface)?.[2] ?? surface,
        groupId: attribute(group, 'id'),
        groupLabel: resource(child(group, 'Label')),
        label: resource(child(control, 'Label')),
        title: resource(child(tip, 'Title')),
        tip: resource(child(tip, 'Description')),
        icons: new Map(
          at(control, 'Icon/Image').map((image) => [Number(attribute(image, 'size')), resource(image).text]),
        ),
        page: resource(child(action, 'SourceLocation')).text,
        isPinnable: textOf(action, 'SupportsPinning') === 'true',
      }
    }),
  )
}

/** The requirement sets of the manifest and its overrides. If both name a set, the higher version counts. */
function requirementsOf(
  root: ManifestElement,
  overrides: ManifestElement | undefined,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const sets of [...at(root, 'Requirements/Sets'), ...at(overrides, 'Requirements/Sets')]) {
    for (const set of at(sets, 'Set')) {
      const name = attribute(set, 'Name')
      const version = attribute(set, 'MinVersion') || attribute(sets, 'DefaultMinVersion') || '1.1'
      const other = found.get(name)
      if (other === undefined || compareVersions(other, version) < 0) found.set(name, version)
    }
  }
  return found
}

// Names are compared without their prefix, because each file may choose its own.
const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)
const local = ({ tag }: ManifestElement): string => withoutPrefix(tag)
/** The elements at a path of names, such as `Icon/Image`. */
const at = (element: ManifestElement | undefined, path: string): readonly ManifestElement[] =>
  path
    .split('/')
    .reduce<readonly ManifestElement[]>(
      (found, name) => found.flatMap(({ children }) => children.filter((each) => local(each) === name)),
      element ? [element] : [],
    )
const child = (element: ManifestElement | undefined, name: string): ManifestElement | undefined =>
  element?.children.find((each) => local(each) === name)
const textOf = (element: ManifestElement | undefined, name: string): string =>
  child(element, name)?.text ?? ''
const attribute = (element: ManifestElement | undefined, name: string): string => {
  for (const [key, value] of element?.attributes ?? []) if (withoutPrefix(key) === name) return value
  return ''
}
const textsOf = (element: ManifestElement | undefined): TranslatedText => ({
  text: attribute(element, 'DefaultValue'),
  translations: new Map(
    at(element, 'Override').map((each) => [
      attribute(each, 'Locale').toLowerCase(),
      attribute(each, 'Value'),
    ]),
  ),
})

const wholeOf = ({ tag, attributes, text, children }: ManifestElement): unknown => [
  tag,
  [...attributes].sort(([a], [b]) => (a < b ? -1 : 1)),
  text,
  children.map(wholeOf),
]
