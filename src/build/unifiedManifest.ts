/**
 * Microsoft's unified manifest: written from the XML manifest's content, checked against Microsoft's schema, and read.
 */
import { createRequire } from 'node:module'
import Ajv, { type ValidateFunction } from 'ajv-draft-04'
import { strToU8, zipSync } from 'fflate'
import {
  type RibbonButton,
  type Device,
  EVENT_WORDS,
  hostOf,
  type ManifestContent,
  BUTTON_PLACES,
  SEND_MODE_WORDS,
  type TranslatedText,
  toUnifiedWord,
  toXmlWord,
} from './manifestContent.ts'

/** The version of Microsoft's schema. */
const SCHEMA = '1.30'
const SCHEMAS = `https://developer.microsoft.com/json-schemas/teams/v${SCHEMA}`
const INSTALLED = `@microsoft/app-manifest/build/json-schemas/teams/v${SCHEMA}`
/** The maximum name length in the unified manifest. */
const NAME_CHARACTERS = 30
export const UNIFIED_MANIFEST_FILE = 'manifest.json'
/** The pictures in a package, from `packageIcons` beside this file. */
export const PACKAGE_PICTURES = { color: 'color.png', outline: 'outline.png' } as const
/** The pictures' blue. */
const ACCENT = '#0f6cbd'

/** The values of JSON files by name: the manifest, and one file for each language. */
export type UnifiedFiles = ReadonlyMap<string, unknown>

/** The URLs that a unified manifest requires and the XML manifest lacks. */
export type PolicyAddresses = Readonly<{ privacyUrl: string; termsUrl: string }>

/**
 * Writes `content` as the files of a unified manifest. Leaves out scopes, because this format has none.
 *
 * @throws an Error with a line for each value that the unified manifest cannot have
 */
export function unifiedFiles(content: ManifestContent, addresses: PolicyAddresses): UnifiedFiles {
  const { name, description, version, events, buttons } = content
  const problems: string[] = []
  if (name.text.length > NAME_CHARACTERS)
    problems.push(
      `--name: ${JSON.stringify(name.text)} is too long for the unified manifest: ` +
        `${String(name.text.length)} characters, of ${String(NAME_CHARACTERS)} at most.`,
    )
  const numbers = version.split('.')
  if (Number(numbers[3] ?? 0) !== 0)
    problems.push(
      `--version: ${JSON.stringify(version)} does not end with .0. The unified manifest has three numbers.`,
    )
  if (problems.length > 0) throw new Error(problems.join('\n'))

  const capabilities = [...content.requirements].map(([set, minVersion]) => ({ name: set, minVersion }))
  const on = (device: Device) => ({ scopes: ['mail'], capabilities, formFactors: [device] })
  const pages = [...new Set(buttons.map(({ page }) => page))]
  const manifest = {
    $schema: `${SCHEMAS}/MicrosoftTeams.schema.json`,
    manifestVersion: SCHEMA,
    version: numbers.slice(0, 3).join('.'),
    id: content.id,
    localizationInfo: {
      defaultLanguageTag: content.locale,
      additionalLanguages: localesOf(content).map((locale) => ({
        languageTag: locale,
        file: fileOf(locale),
      })),
    },
    developer: {
      name: content.provider,
      websiteUrl: content.support,
      privacyUrl: addresses.privacyUrl,
      termsOfUseUrl: addresses.termsUrl,
    },
    name: { short: name.text, full: name.text },
    description: { short: description.text, full: description.text },
    icons: PACKAGE_PICTURES,
    accentColor: ACCENT,
    validDomains: content.domains,
    webApplicationInfo: { id: content.clientId, resource: content.resource },
    authorization: {
      permissions: {
        resourceSpecific: content.permissions.map((permission) => ({ name: permission, type: 'Delegated' })),
      },
    },
    extensions: [
      {
        requirements: { scopes: ['mail'], capabilities },
        runtimes: [
          {
            id: 'launch',
            type: 'general',
            code: { page: content.launchPage, script: content.launchFile },
            lifetime: 'short',
            actions: [...new Set(events.map(({ handler }) => handler))].map((handler) => ({
              id: handler,
              type: 'executeFunction',
            })),
          },
          ...pages.map((page, index) => ({
            id: `pane${String(index + 1)}`,
            type: 'general',
            code: { page },
            lifetime: 'short',
            actions: buttons
              .filter((button) => button.page === page)
              .map(({ id, isPinnable }) => ({ id, type: 'openPage', view: 'pane', pinnable: isPinnable })),
          })),
        ],
        ribbons: buttons.map((button) => ({
          requirements: on('desktop'),
          contexts: [BUTTON_PLACES.find(([, , place]) => place === button.place)?.[1] ?? button.place],
          tabs: [
            {
              builtInTabId: 'TabDefault',
              groups: [{ id: button.groupId, label: button.groupLabel.text, controls: [controlOf(button)] }],
            },
          ],
        })),
        autoRunEvents: (['desktop', 'mobile'] as const).map((device) => ({
          requirements: on(device),
          events: events
            .filter((event) => event.device === device)
            .map(({ type, handler, sendMode }) => ({
              type: toUnifiedWord(EVENT_WORDS, type),
              actionId: handler,
              ...(sendMode === null
                ? {}
                : { options: { sendMode: toUnifiedWord(SEND_MODE_WORDS, sendMode) } }),
            })),
        })),
        alternates: [
          {
            // The schema allows no size above 80; Microsoft's own converter writes 64 for both.
            alternateIcons: {
              icon: { size: 64, url: content.icon },
              highResolutionIcon: { size: 64, url: content.largeIcon },
            },
          },
        ],
      },
    ],
  }
  return new Map<string, unknown>([
    [UNIFIED_MANIFEST_FILE, manifest],
    ...localesOf(content).map((locale) => [fileOf(locale), translationsOf(content, locale)] as const),
  ])
}

const controlOf = ({ id, label, title, tip, icons }: RibbonButton) => ({
  id,
  type: 'button',
  label: label.text,
  icons: [...icons].map(([size, url]) => ({ size, url })),
  supertip: { title: title.text, description: tip.text },
  actionId: id,
})

const fileOf = (locale: string): string => `${locale}.json`

/** A manifest's translatable texts, by their path in the unified manifest. */
function textsOf({ name, description, buttons }: ManifestContent): ReadonlyMap<string, TranslatedText> {
  return new Map([
    ['name.short', name],
    ['name.full', name],
    ['description.short', description],
    ['description.full', description],
    ...buttons.flatMap(({ groupLabel, label, title, tip }, index) => {
      const group = groupPath(index, 0, 0)
      return [
        [`${group}.label`, groupLabel],
        [`${controlPath(group, 0)}.label`, label],
        [`${controlPath(group, 0)}.supertip.title`, title],
        [`${controlPath(group, 0)}.supertip.description`, tip],
      ] as const
    }),
  ])
}
const groupPath = (ribbon: number, tab: number, group: number): string =>
  `extensions[0].ribbons[${String(ribbon)}].tabs[${String(tab)}].groups[${String(group)}]`
const controlPath = (group: string, control: number): string => `${group}.controls[${String(control)}]`

const localesOf = (content: ManifestContent): readonly string[] => [
  ...new Set([...textsOf(content).values()].flatMap(({ translations }) => [...translations.keys()])),
]

/** The content of a language's file. It must have the name and the description, even if they are not translated. */
function translationsOf(content: ManifestContent, locale: string): unknown {
  const texts = [...textsOf(content)].flatMap(([path, { text, translations }]) => {
    const translated = translations.get(locale) ?? (path.startsWith('extensions') ? undefined : text)
    return translated === undefined ? [] : [[path, translated] as const]
  })
  return { $schema: `${SCHEMAS}/MicrosoftTeams.Localization.schema.json`, ...Object.fromEntries(texts) }
}

let schemas: Readonly<Record<'manifest' | 'language', ValidateFunction>> | null = null
function compileSchemas() {
  const require = createRequire(import.meta.url)
  // Some of the schemas' patterns are invalid regular expressions in Unicode mode. `format` appears only at `$schema`.
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false, validateFormats: false })
  const compile = (name: string) => ajv.compile(require(`${INSTALLED}/${name}`) as object)
  return {
    manifest: compile('MicrosoftTeams.schema.json'),
    language: compile('MicrosoftTeams.Localization.schema.json'),
  }
}

/** Lists violations of Microsoft's published schemas, in sentences that start with the file. Needs no network. */
export function unifiedProblems(files: UnifiedFiles): readonly string[] {
  schemas ??= compileSchemas()
  const { manifest, language } = schemas
  return [...files].flatMap(([name, value]) => {
    const check = name === UNIFIED_MANIFEST_FILE ? manifest : language
    if (check(value)) return []
    return (check.errors ?? []).map(
      ({ instancePath, message = 'is wrong', params }) =>
        `${name}${instancePath}: ${message} (${JSON.stringify(params)}).`,
    )
  })
}

/** Packs everything into a ZIP; equal input gives equal bytes. `pictures` has the bytes of each of `PACKAGE_PICTURES`. */
export function manifestPackage(files: UnifiedFiles, pictures: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const texts = [...files].map(
    ([name, value]) => [name, strToU8(`${JSON.stringify(value, null, 2)}\n`)] as const,
  )
  // ZIP stores local times, so a local time gives the same bytes in every time zone.
  return zipSync(Object.fromEntries([...texts, ...pictures]), { level: 9, mtime: new Date(1980, 0, 1) })
}

/**
 * Reads a unified manifest's content. `files` has the package's JSON files by name; null for a manifest alone.
 *
 * @throws an Error if the value is not a mail add-in's unified manifest. The message completes a sentence that starts
 * with the file's name.
 */
export function contentOfUnified(manifest: unknown, files: UnifiedFiles | null): ManifestContent {
  const extension = list(at(manifest, 'extensions'))[0]
  if (extension === undefined || text(at(manifest, 'id')) === '')
    throw new Error('is JSON, but no unified manifest of an Outlook add-in.')
  const languages = list(at(manifest, 'localizationInfo', 'additionalLanguages')).map(
    (each) => [text(at(each, 'languageTag')).toLowerCase(), files?.get(text(at(each, 'file')))] as const,
  )
  const textsAt = (path: string, value: unknown): TranslatedText => ({
    text: text(value),
    translations: new Map(
      languages.flatMap(([locale, file]) => {
        const translated = text(at(file, path))
        // A value that a language has only because the format requires it does not count as a translation.
        return translated === '' || (translated === text(value) && !path.startsWith('extensions'))
          ? []
          : [[locale, translated] as const]
      }),
    ),
  })
  const actions = new Map(
    list(at(extension, 'runtimes')).flatMap((runtime) =>
      list(at(runtime, 'actions')).map((action) => [
        text(at(action, 'id')),
        { code: at(runtime, 'code'), isPinnable: at(action, 'pinnable') === true },
      ]),
    ),
  )
  const buttons = list(at(extension, 'ribbons')).flatMap((ribbon, ribbonIndex) => {
    const places = list(at(ribbon, 'contexts')).map(
      (context) => BUTTON_PLACES.find(([, each]) => each === context)?.[2] ?? text(context),
    )
    const place = places.join(' and ')
    return list(at(ribbon, 'tabs')).flatMap((tab, tabIndex) =>
      list(at(tab, 'groups')).flatMap((group, groupIndex) => {
        const path = groupPath(ribbonIndex, tabIndex, groupIndex)
        const groupLabel = textsAt(`${path}.label`, at(group, 'label'))
        return list(at(group, 'controls')).map((control, controlIndex) => {
          const inControl = (...keys: readonly string[]) =>
            textsAt([controlPath(path, controlIndex), ...keys].join('.'), at(control, ...keys))
          const action = actions.get(text(at(control, 'actionId')))
          return {
            id: text(at(control, 'id')),
            place,
            groupId: text(at(group, 'id')),
            groupLabel,
            label: inControl('label'),
            title: inControl('supertip', 'title'),
            tip: inControl('supertip', 'description'),
            icons: new Map(
              list(at(control, 'icons')).map((icon) => [Number(at(icon, 'size')), text(at(icon, 'url'))]),
            ),
            page: text(at(action?.code, 'page')),
            isPinnable: action?.isPinnable ?? false,
          }
        })
      }),
    )
  })
  const events = list(at(extension, 'autoRunEvents')).flatMap((part) => {
    const devices = list(at(part, 'requirements', 'formFactors'))
    return (['desktop', 'mobile'] as const)
      .filter((device) => (devices.length === 0 ? device === 'desktop' : devices.includes(device)))
      .flatMap((device) =>
        list(at(part, 'events')).map((event) => {
          const sendMode = text(at(event, 'options', 'sendMode'))
          return {
            device,
            type: toXmlWord(EVENT_WORDS, text(at(event, 'type'))),
            handler: text(at(event, 'actionId')),
            sendMode: sendMode === '' ? null : toXmlWord(SEND_MODE_WORDS, sendMode),
          }
        }),
      )
  })
  const launch = actions.get(events[0]?.handler ?? '')?.code
  const alternates = list(at(extension, 'alternates'))
  const iconOf = (name: string) =>
    alternates.map((each) => text(at(each, 'alternateIcons', name, 'url'))).find(Boolean) ?? ''
  return {
    format: 'unified',
    id: text(at(manifest, 'id')).toLowerCase(),
    version: text(at(manifest, 'version')),
    provider: text(at(manifest, 'developer', 'name')),
    locale: text(at(manifest, 'localizationInfo', 'defaultLanguageTag')).toLowerCase(),
    name: textsAt('name.short', at(manifest, 'name', 'short')),
    description: textsAt('description.short', at(manifest, 'description', 'short')),
    icon: iconOf('icon'),
    largeIcon: iconOf('highResolutionIcon'),
    support: text(at(manifest, 'developer', 'websiteUrl')),
    privacy: text(at(manifest, 'developer', 'privacyUrl')),
    terms: text(at(manifest, 'developer', 'termsOfUseUrl')),
    domains: list(at(manifest, 'validDomains')).map((domain) => hostOf(text(domain))),
    requirements: new Map(
      list(at(extension, 'requirements', 'capabilities')).map((each) => [
        text(at(each, 'name')),
        text(at(each, 'minVersion')),
      ]),
    ),
    permissions: list(at(manifest, 'authorization', 'permissions', 'resourceSpecific')).map((each) =>
      text(at(each, 'name')),
    ),
    scopes: null,
    clientId: text(at(manifest, 'webApplicationInfo', 'id')).toLowerCase(),
    resource: text(at(manifest, 'webApplicationInfo', 'resource')),
    buttons,
    events,
    launchPage: text(at(launch, 'page')),
    launchFile: text(at(launch, 'script')),
    hasTranslations: languages.every(([, file]) => file !== undefined),
    whole: JSON.stringify([{ ...(manifest as object), version: null }, languages.map(([, file]) => file)]),
  }
}

/** The value at this path of keys; undefined if there is none. */
const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value,
  )
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
