import { type Language, languages } from '../../../streams/wire/languages.ts'
import { QUIRKS, type Quirk } from '../mailbox/body.ts'
import { MAX_SIMULTANEOUS_CALLS } from '../mailbox/callFaults.ts'
import { type ClientProfile, CLIENT_PROFILES } from '../mailbox/profiles.ts'
import { CALL_NAMES } from '../mailbox/model.ts'
import type { ServerFault } from '../../server/faults.ts'

/** A fault of one call; `*` means every call. */
export type FaultOf<Fault> = Readonly<{ call: string; fault: Fault }>

/** A fault of a call to the mail client. */
export type ClientFault =
  | Readonly<{ kind: 'silent' | 'twice' }>
  | Readonly<{ kind: 'slow'; ms: number }>
  | Readonly<{ kind: 'fails'; code: number }>

export const THEME_CHOICES = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof THEME_CHOICES)[number]
export type { ServerFault }

/** How Outlook starts the add-in for launch events: in a page, in a runtime without a page, or not at all. */
export const LAUNCH_MODES = ['page', 'classic', 'off'] as const
export type LaunchMode = (typeof LAUNCH_MODES)[number]

/** The faults that concern only the runtimes of launch events. */
export const LAUNCH_FAULTS = [
  'slowStart',
  /** Once, the next runtime that sets a signature ends before it gets the answer. */
  'killed',
  'noStorage',
  /** Runtimes get the mailbox's settings from when the playground was opened. */
  'staleSettings',
  'sessionDataFails',
] as const
export type LaunchFault = (typeof LAUNCH_FAULTS)[number]

/** The versions of Outlook's `Mailbox` requirement set. */
export const MAILBOX_VERSIONS: readonly string[] = Array.from(
  { length: 15 },
  (_, minor) => `1.${String(minor + 1)}`,
)
const NEWEST_MAILBOX_VERSION = MAILBOX_VERSIONS.at(-1) ?? ''

/** The settings in the playground's address, which reproduce the same playground in another browser. */
export type Scenario = Readonly<{
  /** The user's address; `null` means the first user. */
  user: string | null
  /** The mail client's display language; `null` means the user's language. */
  language: Language | null
  theme: ThemeChoice
  /**
   * The open item: the id of a received message or calendar meeting, `reply:item-1`, `forward:item-1`, `meeting` for a
   * new meeting, or `none`. `null` means a new message.
   */
  open: string | null
  service: readonly FaultOf<ServerFault>[]
  identity: readonly FaultOf<ServerFault>[]
  mail: readonly FaultOf<ClientFault>[]
  /** How many calls on one item the mail client can run at once. */
  atOnce: number
  /** Whether another message opens during the next insertion. */
  switchesDuringNext: boolean
  offline: boolean
  quirks: readonly Quirk[]
  /** The edition of Outlook that the client imitates; null for a client that works as documented. */
  edition: ClientProfile | null
  /** Whether the mail client inserts its own signature into every message. */
  clientSignature: boolean
  mailboxVersion: string
  launch: LaunchMode
  launchFaults: readonly LaunchFault[]
  isPaneOpen: boolean
}>

/** The scenario without faults and with all defaults. */
export const defaultScenario: Scenario = {
  user: null,
  language: null,
  theme: 'system',
  open: null,
  service: [],
  identity: [],
  mail: [],
  atOnce: MAX_SIMULTANEOUS_CALLS,
  switchesDuringNext: false,
  offline: false,
  quirks: [],
  edition: 'web',
  clientSignature: false,
  mailboxVersion: NEWEST_MAILBOX_VERSION,
  launch: 'page',
  launchFaults: [],
  isPaneOpen: true,
}

/** The value of `client` in the address for a mail client that imitates no edition of Outlook. */
const DOCUMENTED = 'documented'

/** The maximum delay of a fault. */
export const MAX_DELAY_MS = 600_000
/** Separates a call and its fault in the address. */
const SEPARATOR = '~'

/** Parses a number without a sign or leading zero; null for any other text or an out-of-range number. */
const parseInteger = (text: string, min: number, max: number): number | null =>
  /^(0|[1-9]\d{0,6})$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null

/** A server fault's name: `down`, `503`, `slow-3000`, `malformed`, … */
export function serverFaultName(fault: ServerFault): string {
  switch (fault.kind) {
    case 'status':
      return String(fault.status)
    case 'delay':
      return `slow-${String(fault.ms)}`
    case 'cut':
      return 'down'
    default:
      return fault.kind
  }
}

/** The inverse of `serverFaultName`; null for an unknown name. */
export function readServerFault(name: string): ServerFault | null {
  const status = parseInteger(name, 400, 599)
  if (status !== null) return { kind: 'status', status }
  const ms = name.startsWith('slow-') ? parseInteger(name.slice(5), 0, MAX_DELAY_MS) : null
  if (ms !== null) return { kind: 'delay', ms }
  switch (name) {
    case 'down':
      return { kind: 'cut' }
    case 'malformed':
    case 'wrongShape':
    case 'empty':
    case 'html':
      return { kind: name }
    default:
      return null
  }
}

/** A mail client fault's name: `silent`, `twice`, `slow-3000`, `fails-5000`. */
export function clientFaultName(fault: ClientFault): string {
  if (fault.kind === 'slow') return `slow-${String(fault.ms)}`
  return fault.kind === 'fails' ? `fails-${String(fault.code)}` : fault.kind
}

/** The inverse of `clientFaultName`; null for an unknown name. */
export function readClientFault(name: string): ClientFault | null {
  if (name === 'silent' || name === 'twice') return { kind: name }
  const [kind, number = ''] = name.split('-', 2)
  if (name !== `${String(kind)}-${number}`) return null
  const ms = kind === 'slow' ? parseInteger(number, 0, MAX_DELAY_MS) : null
  if (ms !== null) return { kind: 'slow', ms }
  const code = kind === 'fails' ? parseInteger(number, 1, 99_999) : null
  return code === null ? null : { kind: 'fails', code }
}

/** Whether a text has the form of a server call: method and path, or `*`. Only the server knows which calls exist. */
const isServerCall = (call: string): boolean => /^(\*|(GET|POST|PUT|DELETE) \/[\w./*-]{0,100})$/.test(call)
const isClientCall = (call: string): boolean =>
  call === '*' || (CALL_NAMES as readonly string[]).includes(call)

/** Parses the valid faults in `texts`. If two faults of a call have the same key, the later one counts. */
function readFaults<Fault extends Readonly<{ kind: string }>>(
  texts: readonly string[],
  isCall: (call: string) => boolean,
  read: (name: string) => Fault | null,
  keyOf: (fault: Fault) => string,
): readonly FaultOf<Fault>[] {
  const found = new Map<string, FaultOf<Fault>>()
  for (const text of texts) {
    const at = text.lastIndexOf(SEPARATOR)
    const call = text.slice(0, at)
    const fault = at < 0 || !isCall(call) ? null : read(text.slice(at + 1))
    if (fault) found.set(`${call} ${keyOf(fault)}`, { call, fault })
  }
  return [...found.values()]
}

/**
 * Parses the scenario in an address's query. Unknown or invalid parts are ignored, so a foreign or hostile address
 * results in the default scenario.
 */
export function readScenario(query: string): Scenario {
  const params = new URLSearchParams(query)
  const oneOf = <Value extends string>(name: string, known: readonly Value[]): Value | null =>
    known.find((value) => value === params.get(name)) ?? null
  const text = (name: string, shape: RegExp) => {
    const value = params.get(name)
    return value !== null && shape.test(value) ? value : null
  }
  const server = (name: string) => readFaults(params.getAll(name), isServerCall, readServerFault, () => '')
  return {
    user: text('person', /^[\w.+-]{1,64}@[\w.-]{1,255}$/),
    language: oneOf('language', languages),
    theme: oneOf('theme', THEME_CHOICES) ?? defaultScenario.theme,
    open: text('open', /^(none|meeting|meeting-[1-9]\d{0,5}|((reply|forward):)?item-[1-9]\d{0,5})$/),
    service: server('service'),
    identity: server('signIn'),
    mail: readFaults(params.getAll('outlook'), isClientCall, readClientFault, ({ kind }) => kind),
    atOnce: parseInteger(params.get('atOnce') ?? '', 0, MAX_SIMULTANEOUS_CALLS) ?? defaultScenario.atOnce,
    switchesDuringNext: params.get('switch') === 'next',
    offline: params.get('offline') === 'yes',
    quirks: QUIRKS.filter((quirk) => params.getAll('quirk').includes(quirk)),
    edition:
      params.get('client') === DOCUMENTED
        ? null
        : (oneOf('client', CLIENT_PROFILES) ?? defaultScenario.edition),
    clientSignature: params.get('signature') === 'own',
    mailboxVersion: oneOf('mailbox', MAILBOX_VERSIONS) ?? defaultScenario.mailboxVersion,
    launch: oneOf('launch', LAUNCH_MODES) ?? defaultScenario.launch,
    launchFaults: LAUNCH_FAULTS.filter((fault) => params.getAll('launchFault').includes(fault)),
    isPaneOpen: params.get('pane') !== 'closed',
  }
}

/** The values of each address parameter. `null` means no value, so the parameter is left out. */
const valuesOf = (scenario: Scenario): Readonly<Record<string, readonly (string | null)[]>> => {
  const server = (faults: readonly FaultOf<ServerFault>[]) =>
    faults.map(({ call, fault }) => call + SEPARATOR + serverFaultName(fault))
  return {
    person: [scenario.user],
    language: [scenario.language],
    theme: [scenario.theme],
    open: [scenario.open],
    service: server(scenario.service),
    signIn: server(scenario.identity),
    outlook: scenario.mail.map(({ call, fault }) => call + SEPARATOR + clientFaultName(fault)),
    atOnce: [String(scenario.atOnce)],
    switch: [scenario.switchesDuringNext ? 'next' : null],
    offline: [scenario.offline ? 'yes' : null],
    quirk: scenario.quirks,
    client: [scenario.edition ?? DOCUMENTED],
    signature: [scenario.clientSignature ? 'own' : null],
    mailbox: [scenario.mailboxVersion],
    launch: [scenario.launch],
    launchFault: scenario.launchFaults,
    pane: [scenario.isPaneOpen ? null : 'closed'],
  }
}

/**
 * Writes a scenario as a query for `readScenario`. Leaves out default values, and keeps other parameters of `query`.
 */
export function writeScenario(scenario: Scenario, query = ''): string {
  const params = new URLSearchParams(query)
  const defaults = valuesOf(defaultScenario)
  for (const [name, values] of Object.entries(valuesOf(scenario))) {
    params.delete(name)
    for (const value of values)
      if (value !== null && !defaults[name]?.includes(value)) params.append(name, value)
  }
  return params.toString()
}

/** The number of faults, including changed limits and quirks of the mail client. */
export const countFaults = (scenario: Scenario): number =>
  scenario.service.length +
  scenario.identity.length +
  scenario.mail.length +
  scenario.quirks.length +
  scenario.launchFaults.length +
  [
    scenario.atOnce !== defaultScenario.atOnce,
    scenario.switchesDuringNext,
    scenario.offline,
    scenario.clientSignature,
    scenario.mailboxVersion !== defaultScenario.mailboxVersion,
  ].filter(Boolean).length
