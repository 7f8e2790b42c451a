import { type Language, languages } from '../../../streams/locale/events.ts'
import { QUIRKS, type Quirk } from '../mailbox/body.ts'
import { SIMULTANEOUS_CALLS } from '../mailbox/mailbox.ts'
import { CALL_NAMES } from '../mailbox/model.ts'
import type { ServerFault } from '../../server/faults.ts'

/** What goes wrong with one call, or with every one: `*`. */
export type FaultOf<Fault> = Readonly<{ call: string; fault: Fault }>

/** What can go wrong with a call to the mail client. */
export type ClientFault =
  | Readonly<{ kind: 'silent' | 'twice' }>
  | Readonly<{ kind: 'slow'; ms: number }>
  | Readonly<{ kind: 'fails'; code: number }>

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
export type { ServerFault }

/** Every version of Outlook's requirement set for mail. */
export const MAILBOX_VERSIONS: readonly string[] = Array.from(
  { length: 15 },
  (_, minor) => `1.${String(minor + 1)}`,
)
const NEWEST = MAILBOX_VERSIONS.at(-1) ?? ''

/** All that somebody has to know to see the same in a fresh browser. Its address is the playground's. */
export type Scenario = Readonly<{
  /** An address; null: the first person. */
  person: string | null
  /** null: the browser's for the page, the person's own for the pane. */
  language: Language | null
  theme: Theme
  /** A received message by its id, an answer to one (`reply:item-1`, `forward:item-1`), `none`; null: a new message. */
  open: string | null
  service: readonly FaultOf<ServerFault>[]
  identity: readonly FaultOf<ServerFault>[]
  mail: readonly FaultOf<ClientFault>[]
  atOnce: number
  switchesDuringNext: boolean
  offline: boolean
  quirks: readonly Quirk[]
  /** The mail client puts a signature of its own into every message. */
  clientSignature: boolean
  mailboxVersion: string
}>

export const ordinary: Scenario = {
  person: null,
  language: null,
  theme: 'system',
  open: null,
  service: [],
  identity: [],
  mail: [],
  atOnce: SIMULTANEOUS_CALLS,
  switchesDuringNext: false,
  offline: false,
  quirks: [],
  clientSignature: false,
  mailboxVersion: NEWEST,
}

/** The longest delay that can be asked for, in milliseconds. */
export const SLOWEST_MS = 600_000
const BETWEEN = '~'

/** A number without a sign or a leading zero, within its bounds; null for anything else. */
const wholeNumber = (text: string, least: number, most: number): number | null =>
  /^(0|[1-9]\d{0,6})$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null

/** A fault of a server as a word: `down`, `503`, `slow-3000`, `malformed`, … */
export function nameServerFault(fault: ServerFault): string {
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

/** The opposite of `nameServerFault`; null for what is no fault. */
export function readServerFault(name: string): ServerFault | null {
  const status = wholeNumber(name, 400, 599)
  if (status !== null) return { kind: 'status', status }
  const ms = name.startsWith('slow-') ? wholeNumber(name.slice(5), 0, SLOWEST_MS) : null
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

/** A fault of the mail client as a word: `silent`, `twice`, `slow-3000`, `fails-5000`. */
export function nameClientFault(fault: ClientFault): string {
  if (fault.kind === 'slow') return `slow-${String(fault.ms)}`
  return fault.kind === 'fails' ? `fails-${String(fault.code)}` : fault.kind
}

/** The opposite of `nameClientFault`; null for what is no fault. */
export function readClientFault(name: string): ClientFault | null {
  if (name === 'silent' || name === 'twice') return { kind: name }
  const [kind, number = ''] = name.split('-', 2)
  if (name !== `${String(kind)}-${number}`) return null
  const ms = kind === 'slow' ? wholeNumber(number, 0, SLOWEST_MS) : null
  if (ms !== null) return { kind: 'slow', ms }
  const code = kind === 'fails' ? wholeNumber(number, 1, 99_999) : null
  return code === null ? null : { kind: 'fails', code }
}

/** A call of a server by method and path, as its faults name it. The server says which there are. */
const isServerCall = (call: string): boolean => /^(\*|(GET|POST|PUT|DELETE) \/[\w./*-]{0,100})$/.test(call)
const isClientCall = (call: string): boolean =>
  call === '*' || (CALL_NAMES as readonly string[]).includes(call)

/** What is said twice counts once, the later one; what is no fault is left out. */
function readFaults<Fault extends Readonly<{ kind: string }>>(
  texts: readonly string[],
  isCall: (call: string) => boolean,
  read: (name: string) => Fault | null,
  same: (fault: Fault) => string,
): readonly FaultOf<Fault>[] {
  const found = new Map<string, FaultOf<Fault>>()
  for (const text of texts) {
    const at = text.lastIndexOf(BETWEEN)
    const call = text.slice(0, at)
    const fault = at < 0 || !isCall(call) ? null : read(text.slice(at + 1))
    if (fault) found.set(`${call} ${same(fault)}`, { call, fault })
  }
  return [...found.values()]
}

/**
 * The scenario in the query of an address. What says nothing that is known here is ignored, each part by itself, so
 * that a foreign or hostile address gives an ordinary playground.
 */
export function readScenario(query: string): Scenario {
  const said = new URLSearchParams(query)
  const one = <Value extends string>(name: string, known: readonly Value[]): Value | null =>
    known.find((value) => value === said.get(name)) ?? null
  const text = (name: string, shape: RegExp) => {
    const value = said.get(name)
    return value !== null && shape.test(value) ? value : null
  }
  const server = (name: string) => readFaults(said.getAll(name), isServerCall, readServerFault, () => '')
  return {
    person: text('person', /^[\w.+-]{1,64}@[\w.-]{1,255}$/),
    language: one('language', languages),
    theme: one('theme', THEMES) ?? ordinary.theme,
    open: text('open', /^(none|((reply|forward):)?item-[1-9]\d{0,5})$/),
    service: server('service'),
    identity: server('signIn'),
    mail: readFaults(said.getAll('outlook'), isClientCall, readClientFault, ({ kind }) => kind),
    atOnce: wholeNumber(said.get('atOnce') ?? '', 0, SIMULTANEOUS_CALLS) ?? ordinary.atOnce,
    switchesDuringNext: said.get('switch') === 'next',
    offline: said.get('offline') === 'yes',
    quirks: QUIRKS.filter((quirk) => said.getAll('quirk').includes(quirk)),
    clientSignature: said.get('signature') === 'own',
    mailboxVersion: one('mailbox', MAILBOX_VERSIONS) ?? ordinary.mailboxVersion,
  }
}

/** Names that `writeScenario` says something with. */
const NAMES = [
  ...['person', 'language', 'theme', 'open', 'service', 'signIn', 'outlook'],
  ...['atOnce', 'switch', 'offline', 'quirk', 'signature', 'mailbox'],
]

/** The query of an address that brings the scenario. What is ordinary is not said; what `query` says besides stays. */
export function writeScenario(scenario: Scenario, query = ''): string {
  const said = new URLSearchParams(query)
  for (const name of NAMES) said.delete(name)
  const say = (name: string, value: string | null, usual: string | null) => {
    if (value !== null && value !== usual) said.append(name, value)
  }
  say('person', scenario.person, null)
  say('language', scenario.language, null)
  say('theme', scenario.theme, ordinary.theme)
  say('open', scenario.open, null)
  for (const { call, fault } of scenario.service)
    said.append('service', call + BETWEEN + nameServerFault(fault))
  for (const { call, fault } of scenario.identity)
    said.append('signIn', call + BETWEEN + nameServerFault(fault))
  for (const { call, fault } of scenario.mail) said.append('outlook', call + BETWEEN + nameClientFault(fault))
  say('atOnce', String(scenario.atOnce), String(ordinary.atOnce))
  say('switch', scenario.switchesDuringNext ? 'next' : null, null)
  say('offline', scenario.offline ? 'yes' : null, null)
  for (const quirk of scenario.quirks) said.append('quirk', quirk)
  say('signature', scenario.clientSignature ? 'own' : null, null)
  say('mailbox', scenario.mailboxVersion, ordinary.mailboxVersion)
  return said.toString()
}

/** How many things go wrong. */
export const countFaults = (scenario: Scenario): number =>
  scenario.service.length +
  scenario.identity.length +
  scenario.mail.length +
  scenario.quirks.length +
  [
    scenario.atOnce !== ordinary.atOnce,
    scenario.switchesDuringNext,
    scenario.offline,
    scenario.clientSignature,
    scenario.mailboxVersion !== ordinary.mailboxVersion,
  ].filter(Boolean).length
