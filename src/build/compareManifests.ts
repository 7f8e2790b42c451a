/** Compares two manifests, and explains the effect of deploying the new one. */
import {
  compareVersions,
  type Device,
  type ManifestContent,
  PERMISSION_WORDS,
  type TranslatedText,
  toXmlWord,
} from './manifestContent.ts'

export type ManifestComparison = Readonly<{
  /** The differences apart from the version, in sentences. */
  differences: readonly string[]
  /** Why an administrator must consent again, by Microsoft's list of such changes; empty if none is needed. */
  consent: readonly string[]
  /** What an administrator should know before deploying the new manifest, in sentences. */
  notes: readonly string[]
  /** Whether the new manifest replaces the deployed one: both have the same id and format. */
  isUpdate: boolean
  /** Whether Microsoft rejects the new manifest because its version is not higher. */
  isRefused: boolean
}>

/** A comparable value in a manifest. */
type Fact = Readonly<{
  subject: string
  value: string
  translations: ReadonlyMap<string, string>
  /** Why a change of the value needs consent; null if it needs none. */
  reason: Reason | null
  /** The key of the containing fact, such as a button. Parts of a new or removed fact are not listed. */
  partOf: string | null
}>
type Reason = 'permission' | 'scope' | 'event'
const REASONS: Readonly<Record<Reason, string>> = {
  permission: 'what Signet may do changes',
  scope: 'the scopes of the sign-in change',
  event: 'events at which Outlook starts Signet are new or changed',
}

const ON: Readonly<Record<Device, string>> = { desktop: 'on computers', mobile: 'on phones' }

/**
 * Compares the deployed manifest with a planned one. Between Microsoft's two formats, compares only the values that
 * both have.
 */
export function compareManifests(deployed: ManifestContent, planned: ManifestContent): ManifestComparison {
  const before = factsOf(deployed, planned)
  const after = factsOf(planned, deployed)
  const differences: string[] = []
  const reasons = new Set<Reason>()
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(key)
    const is = after.get(key)
    const partOf = (is ?? was)?.partOf ?? null
    if (partOf !== null && !(before.has(partOf) && after.has(partOf))) continue
    const difference = differenceBetween(was, is)
    if (difference === null) continue
    differences.push(difference)
    // A removed event needs no consent, but a removed permission or scope does.
    const reason = (is ?? was)?.reason ?? null
    if (reason !== null && !(reason === 'event' && is === undefined)) reasons.add(reason)
  }
  const hasSameId = deployed.id === planned.id
  const isSameFormat = deployed.format === planned.format
  if (differences.length === 0 && isSameFormat && deployed.whole !== planned.whole)
    differences.push('Something differs that is not listed here: compare the files themselves.')
  const versions = compareVersions(planned.version, deployed.version)
  return {
    differences,
    consent: [
      ...(hasSameId ? [] : ['Outlook takes another id for another add-in']),
      ...(isSameFormat ? [] : ['an add-in of the other format is deployed for the first time']),
      ...[...reasons].map((reason) => REASONS[reason]),
    ],
    notes: notesOn(deployed, planned),
    isUpdate: hasSameId && isSameFormat,
    // An add-in with another id is deployed beside the existing add-in, so it may have any version.
    isRefused: hasSameId && (versions < 0 || (versions === 0 && differences.length > 0)),
  }
}

function differenceBetween(was: Fact | undefined, is: Fact | undefined): string | null {
  if (was === undefined) return is ? `${is.subject} is new: ${is.value}.` : null
  if (is === undefined) return `${was.subject} is gone.`
  const locales = [...new Set([...was.translations.keys(), ...is.translations.keys()])].filter(
    (locale) => was.translations.get(locale) !== is.translations.get(locale),
  )
  const translated = locales.length > 0 ? `in ${locales.join(', ')}` : ''
  if (was.value === is.value) return (translated && `${is.subject} changes ${translated}.`) || null
  return `${is.subject} changes from ${JSON.stringify(was.value)} to ${JSON.stringify(is.value)}${translated && `, and ${translated}`}.`
}

function notesOn(deployed: ManifestContent, planned: ManifestContent): readonly string[] {
  const notes: string[] = []
  if (deployed.id !== planned.id)
    notes.push(
      'The ids differ: this is another add-in beside the deployed one. Assign no user to both, because each would answer every event.',
    )
  if (deployed.format !== planned.format)
    notes.push(
      'The formats differ, and Microsoft describes no update from one to the other: deploy the new one with an --id of its own, move its people, then remove the other. Scopes were not compared, because only XML has them.',
      planned.format === 'unified'
        ? 'Outlook on a Mac and on phones takes no unified manifest: there, people lose Signet.'
        : 'XML reaches Outlook on a Mac and on phones, too.',
    )
  if (!deployed.hasTranslations)
    notes.push(
      'The deployed file has no translations in it, so these were not compared. Compare its package.',
    )
  if (deployed.clientId !== planned.clientId || deployed.resource !== planned.resource)
    notes.push('The app registration changes: grant its consent in Microsoft Entra before you deploy.')
  return notes
}

/** A manifest's facts to compare, by key. Leaves out values that `other`, the manifest to compare with, cannot have. */
function factsOf(content: ManifestContent, other: ManifestContent): ReadonlyMap<string, Fact> {
  const facts = new Map<string, Fact>()
  const add = (key: string, subject: string, value: string, rest: Partial<Fact> = {}) => {
    if (value !== '')
      facts.set(key, { subject, value, translations: new Map(), reason: null, partOf: null, ...rest })
  }
  const hasTranslations = content.hasTranslations && other.hasTranslations
  const addText = (
    key: string,
    subject: string,
    { text, translations }: TranslatedText,
    rest: Partial<Fact> = {},
  ) => {
    add(key, subject, text, hasTranslations ? { ...rest, translations } : rest)
  }
  add('id', 'The id', content.id)
  add('provider', 'The provider', content.provider)
  add('locale', 'The language of texts without a translation', content.locale)
  addText('name', 'The name', content.name)
  addText('description', 'The description', content.description)
  add('support', 'The address of the help page', content.support)
  if (content.format === other.format) {
    add('privacy', 'The address of the privacy statement', content.privacy)
    add('terms', 'The address of the terms of use', content.terms)
  }
  add('icon', 'The picture of the add-in', content.icon)
  add('large icon', 'The large picture of the add-in', content.largeIcon)
  for (const domain of content.domains)
    add(`domain ${domain}`, `The domain ${domain}`, 'the pane may open it')
  for (const [set, version] of content.requirements)
    add(`set ${set}`, `The least version of ${set} that Outlook must have`, version)
  for (const permission of content.permissions) {
    const name = toXmlWord(PERMISSION_WORDS, permission)
    add(`permission ${name}`, `The permission ${name}`, 'Signet asks for it', { reason: 'permission' })
  }
  if (other.scopes !== null)
    for (const scope of content.scopes ?? [])
      add(`scope ${scope}`, `The scope ${scope}`, 'the sign-in asks for it', { reason: 'scope' })
  add('client', 'The app registration', content.clientId)
  add('resource', 'The application ID URI', content.resource)
  for (const { device, type, handler, sendMode } of content.events) {
    const value = `it calls ${handler}${sendMode === null ? '' : `, with the mode ${sendMode}`}`
    add(`event ${device} ${type}`, `The event ${type} ${ON[device]}`, value, { reason: 'event' })
  }
  add('launch page', 'The page of the events', content.launchPage)
  add('launch file', 'The file of the events in classic Outlook', content.launchFile)
  for (const button of content.buttons) {
    const { id, place, groupId, groupLabel, label, title, tip, icons, page, isPinnable } = button
    const key = `button ${place} ${id}`
    const part = { partOf: key }
    add(key, `The button ${id} in ${place}`, `it opens ${page}${isPinnable ? ', and can be pinned' : ''}`)
    addText(`${key} group`, `The group ${groupId} of the button ${id}`, groupLabel, part)
    addText(`${key} label`, `The label of the button ${id}`, label, part)
    addText(`${key} title`, `The title of the tip of the button ${id}`, title, part)
    addText(`${key} tip`, `The tip of the button ${id}`, tip, part)
    for (const [size, address] of icons)
      add(
        `${key} icon ${String(size)}`,
        `The picture of ${String(size)} pixels of the button ${id}`,
        address,
        part,
      )
  }
  return facts
}

/** Writes the comparison as text for an administrator. `file` is the deployed file's name. */
export function comparisonText(file: string, deployed: ManifestContent, planned: ManifestContent): string {
  const { differences, consent, notes, isRefused, isUpdate } = compareManifests(deployed, planned)
  const hasSameVersion = compareVersions(deployed.version, planned.version) === 0
  const lines = [`${file} has version ${deployed.version}, the new manifest ${planned.version}.`, ...notes]
  if (differences.length > 0)
    lines.push('What differs:', ...differences.map((difference) => `  ${difference}`))
  else if (!hasSameVersion) lines.push('Nothing but the version differs.')
  else lines.push(isUpdate ? 'Nothing differs.' : 'Apart from that, both say the same.')
  if (consent.length > 0)
    lines.push(
      `An administrator has to consent again: ${consent.join('; ')}. ` +
        (isUpdate ? 'Until then Microsoft blocks Signet for its users.' : 'Until then no user gets it.'),
    )
  else if (differences.length > 0 || !hasSameVersion)
    lines.push(
      "By Microsoft's list no administrator has to consent again: no permission, scope or event is new or changed.",
      'Elsewhere Microsoft says that every new manifest with events needs consent: look whether it is pending in Integrated apps.',
    )
  if (isRefused)
    lines.push(
      `The version is not higher, and Microsoft refuses such a manifest: use --version ${nextAfter(deployed.version)}, or a higher one.`,
    )
  // A deployed manifest is untrusted text, so its control characters must not reach the terminal.
  return `${lines.map((line) => line.replace(/\p{Cc}/gu, '�')).join('\n')}\n`
}

/** The largest number that a version can contain. */
const MAX_PART = 99_999

/** The next higher version that both formats accept: it ends in 0. */
function nextAfter(version: string): string {
  const [major = 1, minor = 0, patch = 0] = version.split('.').map((part) => Number(part) || 0)
  if (major < 1) return '1.0.0.0'
  if (patch < MAX_PART) return [major, minor, patch + 1, 0].join('.')
  return (minor < MAX_PART ? [major, minor + 1, 0, 0] : [major + 1, 0, 0, 0]).join('.')
}
