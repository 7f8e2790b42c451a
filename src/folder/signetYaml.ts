/** Reads `signet.yaml` into the parts of a release document. */
import { oneAddress, oneDomain } from '../values/mailAddress.ts'
import {
  type Block,
  type Brand,
  type Cards,
  type Condition,
  type GuardRule,
  type Limits,
  type Mailbox,
  type ManagerCondition,
  type Period,
  type Recipients,
  type ReleaseDocument,
  type Selection,
  type Signature,
  type Source,
  type Test,
  type Variable,
  VERSIONS,
} from '../../streams/organisation/release/release.ts'
import { type Finding, listed, type Place, quote } from './finding.ts'
import {
  isAddress,
  isAddressPattern,
  isDay,
  isDomain,
  isField,
  isLanguage,
  isTestedField,
  isTimeZone,
  isVariable,
  shareIn,
  SIGNATURE_ID,
} from '../../streams/organisation/release/names.ts'
import { limitIn } from '../../streams/organisation/plan/peopleLimit.ts'
import { DEFAULT_READERS, READERS } from './readerNames.ts'
import { finish } from '../../streams/kernel/steps.ts'
import { isColour, isColourName, isFontName } from '../../streams/organisation/release/brand.ts'
import { isPicturePath, isTemplatePath, SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import { createNearest, didYouMean } from './near.ts'
import { type Entry, type Fields, isEmpty, isList, isRecord, readYaml } from './yaml.ts'

/** The document without its files. */
export type Described = Omit<ReleaseDocument, 'templates' | 'pictures'>

/**
 * The places of the parts of the document, by path, for later findings: `signatures.autumn`,
 * `signatures.autumn.template`, `blocks.fair.slot`, `guard.0.block`, `brand.logos.0`, `cards.unless`,
 * `variables.phone`, `mailboxes.sales@northwind.example`, `internal.0`. A condition of a selection is `….for.0`, and a
 * value of the condition is `….for.0.department.1`, `….for.0.jobTitle.starts.0` or `….for.0.manager.department.0`.
 */
export type Places = ReadonlyMap<string, Place>

export const EVERYONE: Selection = { for: 'everyone', not: [] }
export const NO_USER: Selection = { for: [], not: [] }

export type DescriptionRead = Readonly<{
  document: Described
  /** Names of mail clients (`readerNames.ts`). */
  readers: readonly string[]
  places: Places
  /** False when the file is missing or is not YAML. */
  isDescribed: boolean
}>

const TOP = [
  ...'version organisation internal choose-default plan counting limits readers variables'.split(' '),
  ...['brand', 'cards', 'signatures', 'blocks', 'guard', 'mailboxes'],
]
const TESTS = ['starts', 'ends', 'contains', 'any', 'before', 'after']
const nearTest = createNearest(() => TESTS)
const KNOWN_OF_MANAGER = 'fields of the directory, "person" and "address" are'
const WHO_AND_WHEN = ['for', 'not', 'during', 'time-zone', 'recipients']

type FieldCondition = Extract<ManagerCondition, { by: 'field' | 'test' }>

/** Adds its findings to `problems`. @param text null when there is no `signet.yaml` */
export function readSignetYaml(text: string | null, problems: Finding[]): DescriptionRead {
  const yaml = readYaml(SIGNET_FILE, text ?? '', problems)
  const { root, error, placeOf, entries, record, items, text: textOf, flag } = yaml
  const places = new Map<string, Place>()

  /** The texts of an entry, which is a text or a list of texts. Keeps the place of each text as `path.0`. */
  const textsOf = (entry: Entry, path: string): readonly string[] => {
    const texts: string[] = []
    for (const each of isList(entry) ? items(entry) : [entry]) {
      const text = textOf(each)
      if (text === null) continue
      places.set(`${path}.${texts.length}`, placeOf(each))
      texts.push(text)
    }
    return texts
  }

  const keepPlaces = (of: Fields, path: string, names: readonly string[]) => {
    for (const name of names) if (of[name] !== undefined) places.set(`${path}.${name}`, placeOf(of[name]))
  }

  /** The allowed texts. Every other text is a finding. */
  const only = (
    texts: readonly string[],
    place: Place,
    isAllowed: (text: string) => boolean,
    what: string,
  ): readonly string[] =>
    texts.filter((text) => isAllowed(text) || error(place, 'value', `${quote(text)} is not a ${what}.`))

  /** The values of a condition, at least one. `only` leaves out texts with a finding; then the condition is left out. */
  function valuesOf(entry: Entry, path: string): readonly string[] {
    const texts = textsOf(entry, `${path}.${entry.key}`)
    if (isList(entry) && texts.length === 0)
      error(entry.place, 'noValue', `${quote(entry.key)} has no value, so it fits no user.`)
    return texts
  }

  function testOf(entry: Entry, path: string): readonly Test[] {
    const { key, place } = entry
    switch (key) {
      case 'starts':
      case 'ends':
      case 'contains':
        return [{ is: key, values: only(valuesOf(entry, path), place, (text) => text !== '', 'text') }]
      case 'any':
        places.set(`${path}.${key}.0`, placeOf(entry))
        if (flag(entry) !== false) return [{ is: key }]
        error(
          place,
          'value',
          '"any" is true: the field is not empty. For an empty field, put that below "not".',
        )
        return []
      case 'before':
      case 'after': {
        const day = textOf(entry) ?? ''
        places.set(`${path}.${key}.0`, placeOf(entry))
        if (isDay(day)) return [{ is: key, day }]
        error(place, 'value', missingDay(day) ?? `${quote(key)} is a day: 2026-01-01.`)
        return []
      }
      default: {
        const meant = didYouMean(finish(nearTest(key)))
        error(
          place,
          'unknownKey',
          `${quote(key)} is not known here. A field may have ${listed(TESTS)}.${meant}`,
        )
        return []
      }
    }
  }

  /** A condition on a field: its values, or a map of tests. */
  function fieldConditionOf(entry: Entry, path: string): readonly FieldCondition[] {
    const { key, place } = entry
    if (!isRecord(entry)) return [{ by: 'field', field: key, values: valuesOf(entry, path) }]
    const tests = entries(entry).flatMap((each) => testOf(each, `${path}.${key}`))
    if (isEmpty(entry)) error(place, 'noValue', `${quote(key)} has no value, so it fits no user.`)
    return [{ by: 'test', field: key, tests }]
  }

  function conditionOf(entry: Entry, path: string): readonly Condition[] {
    const { key, place } = entry
    if (key === 'group')
      return [{ by: key, values: only(valuesOf(entry, path), place, (text) => text !== '', 'group') }]
    if (key === 'language')
      return [{ by: key, values: only(valuesOf(entry, path), place, isLanguage, 'language, such as pt-BR') }]
    if (key === 'manager' && isRecord(entry)) {
      const of = entries(entry).flatMap((each) => managerConditionOf(each, `${path}.${key}`))
      if (isEmpty(entry)) error(place, 'noValue', `${quote(key)} has no value, so it fits no user.`)
      return [{ by: key, conditions: of }]
    }
    return addressConditionOf(entry, path)
  }

  function managerConditionOf(entry: Entry, path: string): readonly ManagerCondition[] {
    const { key, place } = entry
    if (key === 'person' || key === 'address' || isTestedField(key)) return addressConditionOf(entry, path)
    error(place, 'value', `${quote(key)} is not known of a manager: ${KNOWN_OF_MANAGER}.`)
    return []
  }

  /** A condition on addresses or on a field. */
  function addressConditionOf(entry: Entry, path: string): readonly ManagerCondition[] {
    const { key, place } = entry
    if (key === 'person' || key === 'address') {
      const lower = valuesOf(entry, path).map(oneAddress)
      return [
        key === 'person'
          ? { by: key, values: only(lower, place, isAddress, 'mail address') }
          : { by: key, values: only(lower, place, isAddressPattern, 'pattern of an address') },
      ]
    }
    if (isField(key)) return fieldConditionOf(entry, path)
    error(place, 'value', `${quote(key)} is not a field of a directory.`)
    return []
  }

  function groupsOf(entry: Entry, path: string): readonly (readonly Condition[])[] {
    places.set(path, entry.place)
    const groups: (readonly Condition[])[] = []
    for (const item of items(entry)) {
      const { place } = item
      const before = problems.length
      const one = `${path}.${groups.length}`
      const conditions = entries(item, 'A condition').flatMap((each) => conditionOf(each, one))
      if (problems.length > before) continue
      if (conditions.length === 0)
        error(place, 'noValue', 'An empty condition would fit every user; say "everyone".')
      else {
        places.set(one, place)
        groups.push(conditions)
      }
    }
    return groups
  }

  /** @param absent the people when there is no `for`; null requires it */
  function selectionOf(
    of: Fields,
    path: string,
    at: Place,
    what: string,
    absent: Selection['for'] | null = null,
  ): Selection {
    const { for: wanted, not: excluded } = of
    const not = excluded === undefined ? [] : groupsOf(excluded, `${path}.not`)
    if (wanted === undefined) {
      if (absent === null) error(at, 'noFor', `${what} does not say for whom it is: for: everyone.`)
      return { for: absent ?? [], not }
    }
    places.set(`${path}.for`, wanted.place)
    if (!isList(wanted)) {
      if (textOf(wanted) !== 'everyone')
        error(wanted.place, 'value', '"for" is everyone, or a list of conditions.')
      return { for: 'everyone', not }
    }
    const groups = groupsOf(wanted, `${path}.for`)
    if (items(wanted).length === 0)
      error(wanted.place, 'noFor', `${what} is for no user; say "everyone", or take it out.`)
    return { for: groups, not }
  }

  const sourceOf = ({ from: field, value }: Fields): Source => {
    const from = textOf(field)
    const isNamed = from === null || isField(from)
    if (!isNamed && field !== undefined)
      error(field.place, 'value', `${quote(from)} is not a field of a directory.`)
    return { from: isNamed ? from : null, value: textOf(value) }
  }

  function variableOf(entry: Entry): readonly Variable[] {
    const { key, place } = entry
    const path = `variables.${key}`
    places.set(path, place)
    const keys = ['from', 'value', 'edit', 'resync', 'hidden', 'label', 'group']
    const of = isEmpty(entry) ? {} : record(entry, keys, 'A variable')
    if (!isVariable(key)) {
      error(place, 'name', `A variable is named by letters, digits and "_": ${quote(key)} is not.`)
      return []
    }
    keepPlaces(of, path, ['from', 'label', 'group'])
    const source = sourceOf(of)
    const { edit, resync, hidden, label, group } = of
    const isReset = flag(resync) ?? false
    if (isReset && source.from === null && resync !== undefined)
      error(resync.place, 'resync', '"resync" needs "from": the field of the directory.')
    const ownGroup = source.from === null ? 'rest' : 'mapped'
    return [
      {
        path: key,
        ...source,
        edit: flag(edit) ?? false,
        resync: isReset,
        hidden: flag(hidden) ?? false,
        label: textOf(label),
        group: group === undefined ? ownGroup : isEmpty(group) ? null : textOf(group),
      },
    ]
  }

  function periodOf({ during, 'time-zone': zone }: Fields): Period | null {
    if (during === undefined) {
      if (zone !== undefined) error(zone.place, 'timeZone', '"time-zone" needs "during".')
      return null
    }
    const [from, to, ...more] = textOf(during)?.split('/') ?? []
    if (from === undefined) return null
    if (to === undefined || more.length > 0 || !isDay(from) || !isDay(to)) {
      const missing = [from, to ?? ''].flatMap((day) => missingDay(day) ?? [])
      error(during.place, 'during', missing[0] ?? '"during" is two days: 2026-09-01/2026-11-30.')
      return null
    }
    const timeZone = textOf(zone) ?? 'UTC'
    if (!isTimeZone(timeZone)) {
      error(zone?.place ?? during.place, 'timeZone', `${quote(timeZone)} is not a time zone: Europe/Berlin.`)
      return null
    }
    return { from, to, timeZone }
  }

  function recipientsOf(entry: Entry | undefined, path: string): Recipients {
    if (entry === undefined) return 'everyone'
    if (isList(entry)) {
      const texts = textsOf(entry, path).map(oneDomain)
      if (texts.length === 0) error(entry.place, 'noValue', '"recipients" has no domain.')
      return only(texts, entry.place, isDomain, 'domain')
    }
    const text = textOf(entry)
    if (text === 'everyone' || text === 'internal' || text === 'external') return text
    error(entry.place, 'value', '"recipients" is everyone, internal, external or a list of domains.')
    return 'everyone'
  }

  /** The path of a template; null for another path, which is a finding, and for null. */
  const templateOf = (named: Entry | undefined): string | null => {
    const file = textOf(named)
    if (named === undefined || file === null || isTemplatePath(file)) return file
    return error(named.place, 'path', `${quote(file)} is not a template: templates/corporate.html.`)
  }

  function signatureOf(entry: Entry): readonly Signature[] {
    const { key, place } = entry
    const path = `signatures.${key}`
    places.set(path, place)
    const keys = ['name', ...VERSIONS, ...WHO_AND_WHEN, 'collection']
    const of = record(entry, keys, 'A signature')
    if (!SIGNATURE_ID.test(key)) {
      error(place, 'name', `A signature is named by a to z, digits and "_": ${quote(key)} is not.`)
      return []
    }
    const template = templateOf(of['template'])
    keepPlaces(of, path, [...VERSIONS, 'name', 'during', 'recipients', 'collection'])
    if (of['template'] === undefined)
      error(place, 'noTemplate', 'A signature needs a template: templates/corporate.html.')
    const meeting = templateOf(of['meeting'])
    const signature = {
      id: key,
      name: textOf(of['name']) ?? key,
      reply: templateOf(of['reply']),
      mobile: templateOf(of['mobile']),
      ...(meeting !== null && { meeting }),
      selection: selectionOf(of, path, place, 'The signature'),
      during: periodOf(of),
      recipients: recipientsOf(of['recipients'], `${path}.recipients`),
      collection: textOf(of['collection']),
    }
    return template === null ? [] : [{ ...signature, template }]
  }

  function shareOf(entry: Entry | undefined): number {
    const text = textOf(entry)
    if (entry === undefined || text === null) return 100
    const share = shareIn(text)
    if (share !== null) return share
    error(
      entry.place,
      'share',
      `"share" is a percentage of the people, from 1 to 100: ${quote(text)} is not.`,
    )
    return 100
  }

  function slotOf(entry: Entry | undefined): string | null {
    const slot = textOf(entry)
    if (entry === undefined || slot === null || isVariable(slot)) return slot
    return error(entry.place, 'slot', `A slot is named by letters, digits and "_": ${quote(slot)} is not.`)
  }

  function blockOf(entry: Entry): readonly Block[] {
    const { key, place } = entry
    const path = `blocks.${key}`
    places.set(path, place)
    const of = record(entry, ['name', 'slot', 'template', ...WHO_AND_WHEN, 'replies', 'share'], 'A block')
    if (!SIGNATURE_ID.test(key)) {
      error(place, 'name', `A block is named by a to z, digits and "_": ${quote(key)} is not.`)
      return []
    }
    keepPlaces(of, path, ['name', 'slot', 'template', 'during', 'recipients', 'replies', 'share'])
    const slot = slotOf(of['slot'])
    if (of['slot'] === undefined)
      error(place, 'noSlot', 'A block needs a slot: slot: banner, which templates show by {{block banner}}.')
    const template = templateOf(of['template'])
    if (of['template'] === undefined)
      error(place, 'noTemplate', 'A block needs a template: templates/blocks/autumn.html.')
    const block = {
      id: key,
      name: textOf(of['name']) ?? key,
      selection: selectionOf(of, path, place, 'The block', 'everyone'),
      during: periodOf(of),
      recipients: recipientsOf(of['recipients'], `${path}.recipients`),
      replies: flag(of['replies']) ?? true,
      share: shareOf(of['share']),
    }
    return slot === null || template === null ? [] : [{ ...block, slot, template }]
  }

  function guardRuleOf(entry: Entry, path: string): readonly GuardRule[] {
    const { place } = entry
    places.set(path, place)
    const of = record(entry, ['signature', 'block', 'for', 'not', 'recipients'], 'A rule of "guard"')
    const { signature, block } = of
    keepPlaces(of, path, ['block', 'recipients'])
    if ((signature === undefined) === (block === undefined)) {
      error(place, 'guard', 'A rule of "guard" is "signature: missing", or "block:" and the id of a block.')
      return []
    }
    if (block !== undefined) {
      for (const key of ['for', 'not', 'recipients'])
        if (of[key] !== undefined)
          error(of[key].place, 'guard', `${quote(key)} stands at the block: it is asked for where it is due.`)
      const id = textOf(block)
      return id === null ? [] : [{ missing: 'block', block: id }]
    }
    if (textOf(signature) !== 'missing')
      error(signature?.place ?? place, 'value', '"signature" is "missing": what is asked about.')
    return [
      {
        missing: 'signature',
        selection: selectionOf(of, path, place, 'The rule', 'everyone'),
        recipients: recipientsOf(of['recipients'], `${path}.recipients`),
      },
    ]
  }

  function brandOf(entry: Entry): Brand | null {
    const of = record(entry, ['colours', 'fonts', 'logos'], 'A brand')
    const colours: [name: string, colour: string][] = []
    for (const each of entries(of['colours'])) {
      const colour = textOf(each)
      if (colour === null) continue
      if (!isColourName(each.key))
        error(
          each.place,
          'name',
          `A colour is named by letters, digits and blanks: ${quote(each.key)} is not.`,
        )
      else if (!isColour(colour))
        error(placeOf(each), 'value', `${quote(colour)} is not a colour: "#1f3a5f", in quotes.`)
      else colours.push([each.key, colour])
    }
    const listOf = (key: 'fonts' | 'logos', isAllowed: (text: string) => boolean, what: string) => {
      const list = of[key]
      return list === undefined ? [] : only(textsOf(list, `brand.${key}`), list.place, isAllowed, what)
    }
    const brand = {
      colours: Object.fromEntries(colours),
      fonts: listOf('fonts', isFontName, 'name of a font'),
      logos: listOf('logos', isPicturePath, 'picture below "pictures/": logo.png'),
    }
    return colours.length + brand.fonts.length + brand.logos.length > 0 ? brand : null
  }

  function mailboxOf(entry: Entry): readonly Mailbox[] {
    const { key, place } = entry
    const address = oneAddress(key)
    const path = `mailboxes.${address}`
    const of = record(entry, ['for', 'not', 'values'], 'A mailbox')
    if (places.has(path)) {
      error(place, 'twice', `${quote(address)} is here twice.`)
      return []
    }
    places.set(path, place)
    if (!isAddress(address)) {
      error(place, 'value', `${quote(key)} is not a mail address.`)
      return []
    }
    const pairs = entries(of['values'])
    for (const pair of pairs) places.set(`${path}.values.${pair.key}`, pair.place)
    return [
      {
        address,
        selection: selectionOf(of, path, place, 'The mailbox'),
        values: Object.fromEntries(
          pairs.flatMap((pair) => {
            const text = textOf(pair)
            if (text === null) return []
            if (isVariable(pair.key)) return [[pair.key, text]]
            error(pair.place, 'unknownVariable', `There is no variable ${quote(pair.key)}.`)
            return []
          }),
        ),
      },
    ]
  }

  function limitsOf(entry: Entry): Limits | null {
    const { people } = record(entry, ['people'])
    const text = textOf(people)
    if (people === undefined || text === null) return null
    const limit = limitIn(text)
    if (limit !== null) return { people: limit }
    return error(
      people.place,
      'limits',
      `"people" is a number of people, or a percentage of all such as 10%: ${quote(text)} is neither.`,
    )
  }

  function cardsOf(entry: Entry): Cards | null {
    if (!isRecord(entry))
      return error(
        entry.place,
        'cards',
        '"cards" says how users refuse: cards: { unless: no_card }, a variable with "edit: true". Without it, no card has an address.',
      )
    const { unless } = record(entry, ['unless'])
    if (unless === undefined)
      return error(
        entry.place,
        'cards',
        '"cards" needs "unless": the variable by which users refuse, with "edit: true".',
      )
    keepPlaces({ unless }, 'cards', ['unless'])
    const name = textOf(unless)
    if (name === null) return null
    return isVariable(name)
      ? { unless: name }
      : error(unless.place, 'unknownVariable', `There is no variable ${quote(name)}.`)
  }

  function chooseDefaultOf(entry: Entry | undefined): Selection {
    if (entry === undefined) return EVERYONE
    if (!isRecord(entry)) return flag(entry) === false ? NO_USER : EVERYONE
    return selectionOf(record(entry, ['for', 'not']), entry.key, entry.place, quote(entry.key))
  }

  // A file that exists but cannot be read has a finding already.
  if (text === null && problems.length === 0)
    error(root.place, 'noFile', `There is no ${SIGNET_FILE}; it says who gets which signature.`)
  const isRead = text !== null && (problems.length === 0 || root.value !== null)
  const top = isRead ? record(root, TOP, SIGNET_FILE) : {}
  const { version, internal, readers } = top
  if (isRead && textOf(version) !== '1')
    error(
      version?.place ?? root.place,
      'version',
      'The first line is "version: 1", the format of this folder.',
    )
  const organisation = textOf(top['organisation'])
  if (isRead && (organisation === null || organisation.trim() === ''))
    error(top['organisation']?.place ?? root.place, 'organisation', '"organisation" is the name of yours.')
  const domains = internal === undefined ? [] : textsOf(internal, internal.key)
  const plan = sourceOf(record(top['plan'], ['from', 'value']))
  const counting = flag(top['counting']) ?? false
  const limits = top['limits'] === undefined ? null : limitsOf(top['limits'])
  const { blocks: given, guard: asked } = top
  const brand = top['brand'] === undefined || isEmpty(top['brand']) ? null : brandOf(top['brand'])
  const cards = top['cards'] === undefined ? null : cardsOf(top['cards'])
  const blocks = given === undefined || isEmpty(given) ? [] : entries(given).flatMap(blockOf)
  const guard: GuardRule[] = []
  for (const each of asked === undefined || isEmpty(asked) ? [] : items(asked))
    guard.push(...guardRuleOf(each, `guard.${guard.length}`))
  const document: Described = {
    version: 1,
    organisation: organisation ?? '',
    internal: only(domains.map(oneDomain), internal?.place ?? root.place, isDomain, 'domain'),
    chooseDefault: chooseDefaultOf(top['choose-default']),
    plan: { ...plan, value: plan.value ?? 'full' },
    variables: entries(top['variables']).flatMap(variableOf),
    signatures: entries(top['signatures']).flatMap(signatureOf),
    mailboxes: entries(top['mailboxes']).flatMap(mailboxOf),
    // A document without these has no such fields, so that its release keeps the id that it had before there were any.
    ...(counting && { counting }),
    ...(limits && { limits }),
    ...(blocks.length > 0 && { blocks }),
    ...(guard.length > 0 && { guard }),
    ...(brand !== null && { brand }),
    ...(cards !== null && { cards }),
  }
  const named =
    readers === undefined
      ? DEFAULT_READERS
      : only(
          textsOf(readers, readers.key),
          readers.place,
          (name) => Object.hasOwn(READERS, name),
          `mail client; known are ${listed(Object.keys(READERS))}`,
        )
  return { document, readers: named, places, isDescribed: isRead }
}

/** Says why a day such as 2026-02-30 does not exist; null for a text that does not look like a day. */
function missingDay(day: string): string | null {
  const [, year, month] = /^(\d{4})-(\d\d)-\d\d$/.exec(day) ?? []
  if (year === undefined || month === undefined || isDay(day)) return null
  // Day 0 of the next month is the last day of this month.
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return isDay(`${year}-${month}-01`)
    ? `${day} is not a day: ${year}-${month} has ${last} days.`
    : `${day} is not a day: there is no month ${month}.`
}
