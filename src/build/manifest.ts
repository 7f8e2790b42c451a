import { LAUNCH_GUARD_FILE, ALL_LAUNCH_FILES } from '../server/headers.ts'
import { escapeText } from '../../streams/html/tokens.ts'
import { HELP_PATH } from '../../streams/pane/router/routes.ts'

/** The playground's origin and app registration, which the repository's manifest contains. */
const LOCAL = {
  origin: 'https://localhost:4443',
  clientId: '5197e75b-0c5d-4a6e-9a52-516e7a3d0001',
} as const

/**
 * The event added by `--guard`. In its mode, `PromptUser`, the user can always send the message, even if the add-in is
 * slow, unavailable or asks a question. The other modes are never written, because they could block mail.
 */
const GUARD = '<LaunchEvent Type="OnMessageSend" FunctionName="onMessageSend" SendMode="PromptUser" />'

/** The maximum length of a name or label in a manifest. */
const NAME_CHARACTERS = 125

export type Installation = Readonly<{
  /** The pages' origin, such as `https://signet.example.com`. */
  origin: string
  /** The app registration's id. Default: the playground's app registration. */
  clientId?: string | undefined
  /** The URL of the help page. Default: the pane's help, which opens in a browser. */
  supportUrl?: string | undefined
  /** The URLs of the privacy statement and the terms of use, only for the unified manifest. */
  privacyUrl?: string | undefined
  termsUrl?: string | undefined
  /** The add-in's id. Outlook shows manifests with different ids as separate add-ins. */
  id?: string | undefined
  name?: string | undefined
  /** Four numbers, such as `1.2.0.0`. */
  version?: string | undefined
  /** Whether Outlook starts the add-in when a message is sent, so that it can ask the user. Default: no. */
  guard?: boolean | undefined
}>

/** The text values of an installation. */
type Part = Exclude<keyof Installation, 'guard'>

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const addressProblem = (text: string, example: string): string | null => {
  if (!URL.canParse(text)) return `is not an address such as ${example}.`
  return new URL(text).protocol === 'https:' ? null : 'does not begin with https://, as Outlook requires.'
}

/** For each text value: its argument, and a check that returns the value's problem, or null if it is valid. */
const PARTS: Readonly<
  Record<Part, readonly [argument: string, problemOf: (value: string) => string | null]>
> = {
  origin: [
    '--origin',
    (text) => {
      const problem = addressProblem(text, 'https://signet.example.com')
      if (problem !== null) return problem
      const { hostname, origin } = new URL(text)
      if (!/^[a-z0-9.-]+$/.test(hostname)) return 'has no host name such as signet.example.com.'
      return origin === text ? null : `is not an origin; use ${origin}.`
    },
  ],
  clientId: [
    '--client-id (SIGNET_CLIENT_ID)',
    (text) =>
      isUuid(text) ? null : 'is not the id of an app registration: digits and a to f, as 8-4-4-4-12.',
  ],
  supportUrl: ['--support (SIGNET_SUPPORT_URL)', (text) => addressProblem(text, 'https://help.example.com')],
  privacyUrl: [
    '--privacy (SIGNET_PRIVACY_URL)',
    (text) => addressProblem(text, 'https://www.example.com/privacy'),
  ],
  termsUrl: ['--terms (SIGNET_TERMS_URL)', (text) => addressProblem(text, 'https://www.example.com/terms')],
  id: ['--id', (text) => (isUuid(text) ? null : 'is not a UUID: digits and a to f, as 8-4-4-4-12.')],
  name: [
    '--name',
    (text) => {
      if (text.trim() === '') return 'is empty.'
      if (text.length > NAME_CHARACTERS)
        return `is too long: ${String(text.length)} characters, of ${String(NAME_CHARACTERS)} at most.`
      // XML cannot contain these characters.
      return /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(text) ? 'contains a control character.' : null
    },
  ],
  version: [
    '--version',
    (text) =>
      /^[1-9]\d{0,4}(\.\d{1,5}){3}$/.test(text)
        ? null
        : 'is not a version such as 1.2.0.0: four numbers below 100000, the first at least 1.',
  ],
}

/**
 * Returns the repository's `manifest`, adapted to an installation. Throws an `Error` whose message has one line for
 * each invalid value: the argument of `npm run manifest`, the value and its problem.
 */
export function manifestFor(manifest: string, installation: Installation): string {
  const problems = (Object.keys(PARTS) as Part[]).flatMap((part) => {
    const value = installation[part]
    const [argument, problemOf] = PARTS[part]
    const problem = value === undefined ? null : problemOf(value)
    return problem === null ? [] : [`${argument}: ${JSON.stringify(value)} ${problem}`]
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))

  const {
    origin,
    clientId,
    supportUrl = `${origin}/index.html#${HELP_PATH}`,
    id,
    name,
    version,
    guard,
  } = installation
  const local = manifest
    .replace(/<!--.*?-->\n/s, '')
    // The first event list is for computers. Phones do not raise this event.
    .replace(/( *)<\/LaunchEvents>/, (end, indent: string) => (guard ? `${indent}  ${GUARD}\n${end}` : end))
    .replace(/(<bt:Url id="launchFile" DefaultValue="[^"]*\/)[^"/]*/, (file, path: string) =>
      guard ? path + LAUNCH_GUARD_FILE : file,
    )
    .replaceAll(LOCAL.origin, origin)
    .replaceAll(`api://${new URL(LOCAL.origin).host}/`, `api://${new URL(origin).host}/`)
    .replaceAll(LOCAL.clientId, clientId ?? LOCAL.clientId)
  // These values are replaced last because they may contain texts replaced above.
  const values: readonly (readonly [before: RegExp, value: string | undefined])[] = [
    [/(<SupportUrl DefaultValue=")[^"]*/, new URL(supportUrl).href],
    [/(<OfficeApp\b.*?<Id>)[^<]*/s, id],
    [/(<OfficeApp\b.*?<Version>)[^<]*/s, version],
    [/(<DisplayName DefaultValue=")[^"]*/, name?.trim()],
    [/(<bt:String id="name" DefaultValue=")[^"]*/g, name?.trim()],
  ]
  return values.reduce(
    (xml, [before, value]) =>
      value === undefined ? xml : xml.replace(before, (_, kept: string) => kept + escapeText(value)),
    local,
  )
}

/** The content of `WELL_KNOWN_FILE` for a manifest's launch script; null for a manifest without launch events. */
export function wellKnownForManifest(manifest: string): string | null {
  const file = /<bt:Url id="launchFile" DefaultValue="([^"]*)"/.exec(manifest)?.[1]
  return file === undefined ? null : wellKnownForScript(file)
}

/**
 * The content of `WELL_KNOWN_FILE`: allows the launch script at this URL, and both `ALL_LAUNCH_FILES` beside it. Both are
 * needed, because some users keep the previous manifest until an administrator consents.
 */
export const wellKnownForScript = (file: string): string => {
  const allowed = [
    file,
    ...ALL_LAUNCH_FILES.map((name) => new URL(name, file).href).filter((each) => each !== file),
  ]
  return `${JSON.stringify({ allowed }, null, 2)}\n`
}
