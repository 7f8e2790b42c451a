/** Reads `signet.yaml` into the parts of a release document. */
import type {
  Condition,
  Mailbox,
  Period,
  Recipients,
  ReleaseDocument,
  Selection,
  Signature,
  Source,
  Variable,
} from '../../../streams/organisation/release.ts'
import { type Finding, listed, type Place, quote, startOf } from './finding.ts'
import {
  isAddress,
  isAddressPattern,
  isDay,
  isDomain,
  isField,
  isTimeZone,
  isVariable,
  SIGNATURE_ID,
} from '../../../streams/organisation/names.ts'
import { DEFAULT_READERS, READERS } from './readerNames.ts'
import { isTemplatePath } from '../../../streams/organisation/paths.ts'
import { type Entry, isEmpty, isList, isRecord, readYaml, type YamlNode } from './yaml.ts'

export const SIGNET_FILE = 'signet.yaml'

/** The document without its files. */
export type Described = Omit<ReleaseDocument, 'templates' | 'pictures'>

/**
 * Where the parts of the document stand, for later findings: `signatures.autumn`, `signatures.autumn.template`,
 * `variables.phone`, `mailboxes.sales@northwind.example`, `internal.0`; a condition of a selection as `….for.0`, a value
 * of it as `….for.0.department.1`.
 */
export type Places = ReadonlyMap<string, Place>

export const EVERYONE: Selection = { for: 'everyone', not: [] }
export const NO_USER: Selection = { for: [], not: [] }

export type DescriptionRead = Readonly<{
  document: Described
  /** Names of mail clients (`readerNames.ts`). */
  readers: readonly string[]
  places: Places
  /** False for a file that is missing or no YAML. */
  isDescribed: boolean
}>

const TOP = [
  'version',
  'organisation',
  'internal',
  'choose-default',
  'plan',
  'readers',
  'variables',
  'signatures',
  'mailboxes',
]

/** @param text null when there is no such file; findings are added to `problems` */
export function readSignetYaml(text: string | null, problems: Finding[]): DescriptionRead {
  const yaml = readYaml(SIGNET_FILE, text ?? '', problems)
  const { refuse, placeOf, entries, record, items, flag } = yaml
  const places = new Map<string, Place>()
  const start = startOf(SIGNET_FILE)

  const textAt = (entry: Entry | undefined, what: string): string | null =>
    entry === undefined ? null : yaml.text(entry.value, entry.place, what)

  /** A text, or several in a list; the place of each is kept as `path.0`. */
  const textsAt = (node: YamlNode, at: Place, what: string, path: string): readonly string[] => {
    const nodes = isList(node) ? items(node, at, what) : [node]
    const texts: string[] = []
    for (const each of nodes) {
      const text = yaml.text(each, at, what)
      if (text === null) continue
      places.set(`${path}.${texts.length}`, placeOf(each, at))
      texts.push(text)
    }
    return texts
  }

  /** The allowed texts; others are findings. */
  const only = (
    texts: readonly string[],
    place: Place,
    isAllowed: (text: string) => boolean,
    what: string,
  ): readonly string[] =>
    texts.filter((text) => isAllowed(text) || refuse(place, 'value', `${quote(text)} is not a ${what}.`))

  function conditionOf({ key, place, value }: Entry, path: string): readonly Condition[] {
    const texts = textsAt(value, place, quote(key), `${path}.${key}`)
    if (isList(value) && texts.length === 0)
      refuse(place, 'noValue', `${quote(key)} has no value, so it fits no user.`)
    const lower = texts.map((text) => text.toLowerCase())
    // Without allowed values, the condition is left out; its findings exist.
    if (key === 'group') return [{ by: 'group', values: only(texts, place, (text) => text !== '', 'group') }]
    if (key === 'person') return [{ by: 'person', values: only(lower, place, isAddress, 'mail address') }]
    if (key === 'address')
      return [{ by: 'address', values: only(lower, place, isAddressPattern, 'pattern of an address') }]
    if (isField(key)) return [{ by: 'field', field: key, values: texts }]
    refuse(place, 'value', `${quote(key)} is not a field of a directory.`)
    return []
  }

  function groupsOf(entry: Entry, path: string): readonly (readonly Condition[])[] {
    places.set(path, entry.place)
    const groups: (readonly Condition[])[] = []
    for (const node of items(entry.value, entry.place, quote(entry.key))) {
      const place = placeOf(node, entry.place)
      const before = problems.length
      const one = `${path}.${groups.length}`
      const conditions = entries(node, place, 'A condition').flatMap((entry) => conditionOf(entry, one))
      if (problems.length > before) continue
      if (conditions.length === 0)
        refuse(place, 'noValue', 'An empty condition would fit every user; say "everyone".')
      else {
        places.set(one, place)
        groups.push(conditions)
      }
    }
    return groups
  }

  function selectionOf(
    of: Readonly<Partial<Record<string, Entry>>>,
    path: string,
    at: Place,
    what: string,
  ): Selection {
    const [wanted, excluded] = [of['for'], of['not']]
    const not = excluded === undefined ? [] : groupsOf(excluded, `${path}.not`)
    if (wanted === undefined) {
      refuse(at, 'noFor', `${what} does not say for whom it is: for: everyone.`)
      return { for: [], not }
    }
    places.set(`${path}.for`, wanted.place)
    if (!isList(wanted.value)) {
      if (yaml.text(wanted.value, wanted.place, '"for"') !== 'everyone')
        refuse(wanted.place, 'value', '"for" is everyone, or a list of conditions.')
      return { for: 'everyone', not }
    }
    const groups = groupsOf(wanted, `${path}.for`)
    if (items(wanted.value, wanted.place, '"for"').length === 0)
      refuse(wanted.place, 'noFor', `${what} is for no user; say "everyone", or take it out.`)
    return { for: groups, not }
  }

  const sourceOf = (of: Readonly<Partial<Record<string, Entry>>>): Source => {
    const from = textAt(of['from'], '"from"')
    const isNamed = from === null || isField(from)
    if (!isNamed && of['from'] !== undefined)
      refuse(of['from'].place, 'value', `${quote(from)} is not a field of a directory.`)
    return { from: isNamed ? from : null, value: textAt(of['value'], '"value"') }
  }

  function variableOf({ key, place, value }: Entry): readonly Variable[] {
    places.set(`variables.${key}`, place)
    const keys = ['from', 'value', 'edit', 'resync', 'hidden', 'label', 'group']
    const of = isEmpty(value) ? {} : record(value, place, 'A variable', keys)
    if (!isVariable(key)) {
      refuse(place, 'name', `A variable is named by letters, digits and "_": ${quote(key)} is not.`)
      return []
    }
    for (const name of ['from', 'label', 'group']) {
      const entry = of[name]
      if (entry !== undefined) places.set(`variables.${key}.${name}`, placeOf(entry.value, entry.place))
    }
    const source = sourceOf(of)
    const is = (name: string): boolean => {
      const entry = of[name]
      return entry === undefined ? false : (flag(entry.value, entry.place, quote(name)) ?? false)
    }
    const group = of['group']
    const resync = is('resync')
    if (resync && source.from === null && of['resync'] !== undefined)
      refuse(of['resync'].place, 'resync', '"resync" needs "from": the field of the directory.')
    return [
      {
        path: key,
        ...source,
        edit: is('edit'),
        resync,
        hidden: is('hidden'),
        label: textAt(of['label'], '"label"'),
        group:
          group === undefined
            ? source.from === null
              ? 'rest'
              : 'mapped'
            : isEmpty(group.value)
              ? null
              : textAt(group, '"group"'),
      },
    ]
  }

  function periodOf(of: Readonly<Partial<Record<string, Entry>>>): Period | null {
    const [during, zone] = [of['during'], of['time-zone']]
    if (during === undefined) {
      if (zone !== undefined) refuse(zone.place, 'timeZone', '"time-zone" needs "during".')
      return null
    }
    const [from, to, ...more] = textAt(during, '"during"')?.split('/') ?? []
    if (from === undefined) return null
    if (to === undefined || more.length > 0 || !isDay(from) || !isDay(to)) {
      const missing = [from, to ?? ''].flatMap((day) => missingDay(day) ?? [])
      refuse(during.place, 'during', missing[0] ?? '"during" is two days: 2026-09-01/2026-11-30.')
      return null
    }
    const timeZone = textAt(zone, '"time-zone"') ?? 'UTC'
    if (!isTimeZone(timeZone)) {
      refuse(zone?.place ?? during.place, 'timeZone', `${quote(timeZone)} is not a time zone: Europe/Berlin.`)
      return null
    }
    return { from, to, timeZone }
  }

  function recipientsOf(entry: Entry | undefined, path: string): Recipients {
    if (entry === undefined) return 'everyone'
    if (isList(entry.value)) {
      const texts = textsAt(entry.value, entry.place, '"recipients"', path).map((text) => text.toLowerCase())
      if (texts.length === 0) refuse(entry.place, 'noValue', '"recipients" has no domain.')
      return only(texts, entry.place, isDomain, 'domain')
    }
    const text = textAt(entry, '"recipients"')
    if (text === 'everyone' || text === 'internal' || text === 'external') return text
    refuse(entry.place, 'value', '"recipients" is everyone, internal, external or a list of domains.')
    return 'everyone'
  }

  function signatureOf({ key, place, value }: Entry): readonly Signature[] {
    const path = `signatures.${key}`
    places.set(path, place)
    const keys = ['name', 'template', 'reply', 'mobile', 'for', 'not']
    const more = ['during', 'time-zone', 'recipients', 'collection']
    const of = record(value, place, 'A signature', [...keys, ...more])
    if (!SIGNATURE_ID.test(key)) {
      refuse(place, 'name', `A signature is named by a to z, digits and "_": ${quote(key)} is not.`)
      return []
    }
    const templateAt = (name: 'template' | 'reply' | 'mobile'): string | null => {
      const entry = of[name]
      const file = textAt(entry, quote(name))
      if (entry === undefined || file === null || isTemplatePath(file)) return file
      return refuse(entry.place, 'path', `${quote(file)} is not a template: templates/corporate.html.`)
    }
    const template = templateAt('template')
    for (const name of ['template', 'reply', 'mobile', 'name', 'during', 'recipients', 'collection']) {
      const entry = of[name]
      if (entry !== undefined) places.set(`${path}.${name}`, placeOf(entry.value, entry.place))
    }
    if (of['template'] === undefined)
      refuse(place, 'noTemplate', 'A signature needs a template: templates/corporate.html.')
    const signature = {
      id: key,
      name: textAt(of['name'], '"name"') ?? key,
      reply: templateAt('reply'),
      mobile: templateAt('mobile'),
      selection: selectionOf(of, path, place, 'The signature'),
      during: periodOf(of),
      recipients: recipientsOf(of['recipients'], `${path}.recipients`),
      collection: textAt(of['collection'], '"collection"'),
    }
    return template === null ? [] : [{ ...signature, template }]
  }

  function mailboxOf({ key, place, value }: Entry): readonly Mailbox[] {
    const address = key.toLowerCase()
    const path = `mailboxes.${address}`
    const of = record(value, place, 'A mailbox', ['for', 'not', 'values'])
    if (places.has(path)) {
      refuse(place, 'twice', `${quote(address)} is here twice.`)
      return []
    }
    places.set(path, place)
    if (!isAddress(address)) {
      refuse(place, 'value', `${quote(key)} is not a mail address.`)
      return []
    }
    const values = of['values']
    const pairs = values === undefined ? [] : entries(values.value, values.place, '"values"')
    for (const pair of pairs) places.set(`${path}.values.${pair.key}`, pair.place)
    return [
      {
        address,
        selection: selectionOf(of, path, place, 'The mailbox'),
        values: Object.fromEntries(
          pairs.flatMap((pair) => {
            const text = textAt(pair, quote(pair.key))
            if (text === null) return []
            if (isVariable(pair.key)) return [[pair.key, text]]
            refuse(pair.place, 'unknownVariable', `There is no variable ${quote(pair.key)}.`)
            return []
          }),
        ),
      },
    ]
  }

  function chooseDefaultOf(entry: Entry | undefined): Selection {
    if (entry === undefined) return EVERYONE
    if (!isRecord(entry.value)) {
      const may = flag(entry.value, entry.place, '"choose-default"')
      return may === false ? NO_USER : EVERYONE
    }
    const of = record(entry.value, entry.place, '"choose-default"', ['for', 'not'])
    return selectionOf(of, 'choose-default', entry.place, '"choose-default"')
  }

  // An unreadable file has a finding.
  if (text === null && problems.length === 0)
    refuse(start, 'noFile', `There is no ${SIGNET_FILE}; it says who gets which signature.`)
  const isRead = text !== null && (problems.length === 0 || yaml.root !== null)
  const top = isRead ? record(yaml.root, start, SIGNET_FILE, TOP) : {}
  const part = (name: string): readonly Entry[] => {
    const entry = top[name]
    return entry === undefined ? [] : entries(entry.value, entry.place, quote(name))
  }

  const version = top['version']
  if (isRead && textAt(version, '"version"') !== '1')
    refuse(version?.place ?? start, 'version', 'The first line is "version: 1", the format of this folder.')
  const organisation = textAt(top['organisation'], '"organisation"')
  if (isRead && (organisation === null || organisation.trim() === ''))
    refuse(top['organisation']?.place ?? start, 'organisation', '"organisation" is the name of yours.')
  const internal = top['internal']
  const readers = top['readers']
  const plan = top['plan']
  const document: Described = {
    version: 1,
    organisation: organisation ?? '',
    internal:
      internal === undefined
        ? []
        : only(
            textsAt(internal.value, internal.place, '"internal"', 'internal').map((domain) =>
              domain.toLowerCase(),
            ),
            internal.place,
            isDomain,
            'domain',
          ),
    chooseDefault: chooseDefaultOf(top['choose-default']),
    plan:
      plan === undefined
        ? { from: null, value: 'full' }
        : ((source: Source) => ({ ...source, value: source.value ?? 'full' }))(
            sourceOf(record(plan.value, plan.place, '"plan"', ['from', 'value'])),
          ),
    variables: part('variables').flatMap(variableOf),
    signatures: part('signatures').flatMap(signatureOf),
    mailboxes: part('mailboxes').flatMap(mailboxOf),
  }
  const named =
    readers === undefined
      ? DEFAULT_READERS
      : only(
          textsAt(readers.value, readers.place, '"readers"', 'readers'),
          readers.place,
          (name) => Object.hasOwn(READERS, name),
          `mail client; known are ${listed(Object.keys(READERS))}`,
        )
  return { document, readers: named, places, isDescribed: isRead }
}

/** The length of the month of a day that does not exist, such as 2026-02-30; null for another text. */
function missingDay(day: string): string | null {
  const [, year, month] = /^(\d{4})-(\d\d)-\d\d$/.exec(day) ?? []
  if (year === undefined || month === undefined || isDay(day)) return null
  // The day before the first of the next month.
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return isDay(`${year}-${month}-01`)
    ? `${day} is not a day: ${year}-${month} has ${last} days.`
    : `${day} is not a day: there is no month ${month}.`
}
