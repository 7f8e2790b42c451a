/** Decides who has which signature, when, and why. Times are in milliseconds since 1970. */
import { object, oneOf, optional, type OutOf, text } from '../../kernel/schema.ts'
import type { Steps } from '../../kernel/steps.ts'
import type { Metadata } from '../facts/events.ts'
import { type Formats, PLAIN_FORMATS } from '../template/formats.ts'
import { DAY_MS, dayIn, hasText, isDay, isListName, MANAGER_PREFIX } from '../release/names.ts'
import { placeOf } from '../../html/hash.ts'
import { isSealedList, sealList } from '../../html/sealedList.ts'
import {
  STRICTEST_CIRCUMSTANCES,
  type Guard,
  type OpenTime,
  blockAppearsIn,
  domainOf,
} from '../../html/slots.ts'
import {
  type Block,
  canonicalText,
  type Condition,
  type Period,
  type Release,
  type ReleaseDocument,
  type Selection,
  type Signature,
  type FieldTest,
} from '../release/release.ts'
import { ownProperty } from '../release/selectors.ts'
import type { PersonState } from '../facts/state.ts'
import { blockTimes, hasOpenTimes, sharedTimes } from './openTimes.ts'

/** Whether an address matches a pattern with `*` for any characters. Ignores case. */
export const matchesAddressPattern = (address: string, pattern: string): boolean =>
  isOfParts(address.toLowerCase(), partsOf(pattern))

/** The texts between the `*` in a pattern, in lower case. */
const partsOf = (pattern: string): readonly string[] => pattern.toLowerCase().split('*')

function isOfParts(given: string, [start = '', ...rest]: readonly string[]): boolean {
  if (rest.length === 0) return given === start
  if (!given.startsWith(start)) return false
  const end = rest.pop() ?? ''
  let from = start.length
  for (const part of rest) {
    const found = given.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return given.length - end.length >= from && given.endsWith(end)
}

/** Caches the result of `read` for each list of values, so that all people share it. */
function readOnce<Read>(read: (values: readonly string[]) => Read): (values: readonly string[]) => Read {
  const known = new WeakMap<readonly string[], Read>()
  return (values) => {
    const found = known.get(values) ?? read(values)
    known.set(values, found)
    return found
  }
}
const patternsIn = readOnce((values) => values.map(partsOf))
const addressesIn = readOnce((values) => new Set(values.map((address) => address.toLowerCase())))
const setOf = readOnce((values) => new Set(values))

const hasAddress = ({ addresses }: Pick<PersonState, 'addresses'>, address: string) =>
  addresses.includes(address.toLowerCase())

/** Whether a language is in a range: `de` includes `de`, `de-AT` and `de-CH`. Ignores case. */
export function isInLanguageRange(language: string, range: string): boolean {
  const [given, wanted] = [language.toLowerCase(), range.toLowerCase()]
  return given === wanted || given.startsWith(`${wanted}-`)
}

/** Whether a field's value passes a test. */
export function passesTest(test: FieldTest, value: string): boolean {
  const hasOne = (is: (given: string, wanted: string) => boolean, values: readonly string[]) => {
    const given = value.toLowerCase()
    return values.some((wanted) => is(given, wanted.toLowerCase()))
  }
  switch (test.is) {
    case 'starts':
      return hasOne((given, wanted) => given.startsWith(wanted), test.values)
    case 'ends':
      return hasOne((given, wanted) => given.endsWith(wanted), test.values)
    case 'contains':
      return hasOne((given, wanted) => given.includes(wanted), test.values)
    case 'any':
      return hasText(value)
    case 'before':
    case 'after': {
      const day = dayIn(value)
      return day !== null && (test.is === 'before' ? day < test.day : day > test.day)
    }
  }
}

/** The value of a directory field; null without the field. */
export const directoryFieldOf = (
  { directory }: Pick<PersonState, 'directory'>,
  field: string,
): string | null => (Object.hasOwn(directory, field) ? (directory[field] ?? '') : null)

/** The manager's data in a person's record: the fields without the prefix `manager.`, and the address. */
export function managerOf({ directory }: Pick<PersonState, 'directory'>): ConditionSubject {
  const fields = Object.fromEntries(
    Object.entries(directory).flatMap(([field, value]) =>
      field.startsWith(MANAGER_PREFIX) ? [[field.slice(MANAGER_PREFIX.length), value]] : [],
    ),
  )
  const mail = directoryFieldOf({ directory: fields }, 'mail')?.trim().toLowerCase() ?? ''
  return { addresses: mail === '' ? [] : [mail], directory: fields, groups: [], language: null }
}

/** The subject of a condition: a person, or a person's manager. */
export type ConditionSubject = Pick<PersonState, 'addresses' | 'directory' | 'groups' | 'language'>

export function conditionHolds(condition: Condition, person: ConditionSubject): boolean {
  switch (condition.by) {
    case 'group':
      return person.groups.some((group) => setOf(condition.values).has(group))
    case 'person':
      return person.addresses.some((address) => addressesIn(condition.values).has(address))
    case 'address': {
      const patterns = patternsIn(condition.values)
      return person.addresses
        .map((address) => address.toLowerCase())
        .some((address) => patterns.some((pattern) => isOfParts(address, pattern)))
    }
    case 'language': {
      const { language } = person
      return language !== null && condition.values.some((range) => isInLanguageRange(language, range))
    }
    case 'field': {
      const value = directoryFieldOf(person, condition.field)
      return value !== null && condition.values.includes(value)
    }
    case 'test': {
      const { tests } = condition
      const value = directoryFieldOf(person, condition.field)
      return value !== null && tests.length > 0 && tests.every((test) => passesTest(test, value))
    }
    case 'manager':
      return allConditionsHold(condition.conditions, managerOf(person))
  }
}

/** Whether all conditions of a group hold for a person. An empty group selects nobody. */
export const allConditionsHold = (conditions: readonly Condition[], person: ConditionSubject): boolean =>
  conditions.length > 0 && conditions.every((condition) => conditionHolds(condition, person))

/** The first group of conditions that selects a person; null without one, or if a group in `not` matches. */
export function fittingConditions(
  selection: Selection,
  person: PersonState,
): readonly Condition[] | 'everyone' | null {
  if (selection.not.some((conditions) => allConditionsHold(conditions, person))) return null
  if (selection.for === 'everyone') return 'everyone'
  return selection.for.find((conditions) => allConditionsHold(conditions, person)) ?? null
}

/** Whether a person matches a selection. `not` wins over `for`. */
export const matchesSelection = (selection: Selection, person: PersonState): boolean =>
  fittingConditions(selection, person) !== null

/** The time from `opens` until just before `closes`, in milliseconds since 1970. */
export type PeriodWindow = Readonly<{ opens: number; closes: number }>

/** Midnight UTC on a date such as `2026-09-01`; null for any other text, and for years before 1000. */
const midnightUtc = (date: string): number | null =>
  isDay(date) && date >= '1000' ? Date.parse(`${date}T00:00:00Z`) : null

/** Midnight UTC on the date that a calendar shows at an instant. */
function dateAt(calendar: Intl.DateTimeFormat, at: number): number {
  const parts = calendar.formatToParts(at)
  const number = (type: 'year' | 'month' | 'day') => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(number('year'), number('month') - 1, number('day'))
}

/** The first instant of a date in the calendar. If the calendar skips the date, the next date's first instant. */
function startOf(calendar: Intl.DateTimeFormat, date: number): number {
  // Midnight in any time zone is less than a day from midnight UTC.
  let before = date - DAY_MS
  let start = date + DAY_MS
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2)
    if (dateAt(calendar, middle) >= date) start = middle
    else before = middle
  }
  return start
}

const windows = new WeakMap<Period, PeriodWindow | null>()

/** A period's window, cached; null for invalid dates or an unknown time zone; empty if the period never opens. */
export function windowOf(period: Period): PeriodWindow | null {
  const known = windows.get(period)
  if (known !== undefined) return known
  const window = readWindow(period)
  windows.set(period, window)
  return window
}

function readWindow({ from, to, timeZone }: Period): PeriodWindow | null {
  const first = midnightUtc(from)
  const last = midnightUtc(to)
  if (first === null || last === null) return null
  try {
    const format = { calendar: 'gregory', numberingSystem: 'latn', era: undefined, timeZone } as const
    const calendar = new Intl.DateTimeFormat('en-US', {
      ...format,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    })
    return { opens: startOf(calendar, first), closes: startOf(calendar, last + DAY_MS) }
  } catch {
    return null
  }
}

/**
 * Whether a signature with this period is open: always without a period, never for an invalid one. The first and last
 * day are whole days in the period's time zone.
 */
export function isPeriodOpen(period: Period | null, at: number): boolean {
  if (period === null) return true
  const window = windowOf(period)
  return window !== null && window.opens <= at && at < window.closes
}

/** The state of a period at a given time: `always` without a period, `never` if the period is empty. */
export type PeriodState = 'always' | 'now' | 'later' | 'over' | 'never'

export function periodState(during: Period | null, at: number): PeriodState {
  if (during === null) return 'always'
  const window = windowOf(during)
  if (window === null || window.opens >= window.closes) return 'never'
  if (at < window.opens) return 'later'
  return at < window.closes ? 'now' : 'over'
}

/**
 * Whether a signature is for a person while its period is open: an administrator gave it to the person by hand, or its
 * rules select the person. None is for a person whom an administrator keeps without a signature.
 */
export const isSignatureFor = ({ id, selection }: Signature, person: PersonState): boolean =>
  person.corrections?.excluded === undefined &&
  (person.corrections?.pinned?.signature === id || matchesSelection(selection, person))

/** Puts the signature that an administrator gave to the person before all others. */
export function pinnedFirst<Item>(
  items: readonly Item[],
  { corrections }: PersonState,
  idOf: (item: Item) => string,
): readonly Item[] {
  const id = corrections?.pinned?.signature
  const pinned = id === undefined ? undefined : items.find((item) => idOf(item) === id)
  return pinned === undefined ? items : [pinned, ...items.filter((item) => item !== pinned)]
}

/**
 * A person's assigned signatures, for mail from any of the person's addresses: the one that an administrator gave to the
 * person, then the others in the order of the folder.
 */
export const assignedSignatures = (
  { document }: Release,
  person: PersonState,
  at: number,
): readonly Signature[] =>
  pinnedFirst(
    document.signatures.filter(
      (signature) => isPeriodOpen(signature.during, at) && isSignatureFor(signature, person),
    ),
    person,
    ({ id }) => id,
  )

const isByAddress = ({ by }: Condition): boolean => by === 'address'

/**
 * The person's own addresses, in lower case, from which a signature is for them: the selection holds with this address
 * alone. Undefined if it holds with each of them, or an administrator gave the signature to the person. A condition on
 * addresses decides by the address one writes from; all others are about the person.
 */
export function sendersFor(
  { id, selection }: Pick<Signature, 'id' | 'selection'>,
  person: PersonState,
): readonly string[] | undefined {
  const { for: groups } = selection
  if (person.corrections?.pinned?.signature === id) return undefined
  if (groups === 'everyone' || !groups.some((conditions) => conditions.some(isByAddress))) return undefined
  const all = person.addresses.map((address) => address.toLowerCase())
  const senders = all.filter((address) =>
    groups.some(
      (conditions) =>
        conditions.length > 0 &&
        conditions.every((each) =>
          conditionHolds(each, isByAddress(each) ? { ...person, addresses: [address] } : person),
        ),
    ),
  )
  return senders.length === all.length ? undefined : senders
}

/** The maximum number of aliases for which a person's signatures come with copies. */
export const MAX_COPIED_ALIASES = 10

/** The addresses for which a signature with `{{sender}}` comes in copies: the primary one and the first aliases. */
export const copiedSenders = ({ addresses }: Pick<PersonState, 'addresses'>): readonly string[] =>
  addresses.slice(0, 1 + MAX_COPIED_ALIASES)

/**
 * The address that `{{sender}}` shows unless one writes from another own address: the first from which the signature is
 * for the person, or else the primary one; empty for a person without an address.
 */
export function mainSender(signature: Pick<Signature, 'id' | 'selection'>, person: PersonState): string {
  const senders = sendersFor(signature, person)
  const first = senders && person.addresses.find((address) => senders.includes(address.toLowerCase()))
  return first ?? person.addresses[0] ?? ''
}

/**
 * The organisation's default among a person's assigned signatures: the first that is for mail from the person's primary
 * address, or else the first; undefined without any.
 */
export function organisationDefault(
  assigned: readonly Signature[],
  person: PersonState,
): Signature | undefined {
  const primary = person.addresses[0]?.toLowerCase() ?? ''
  return assigned.find((signature) => sendersFor(signature, person)?.includes(primary) ?? true) ?? assigned[0]
}

export const mayChooseDefault = ({ document }: Release, person: PersonState): boolean =>
  matchesSelection(document.chooseDefault, person)

/** The mailboxes that a person may write for, in the order of the folder, without the person's own addresses. */
export const delegatedAddresses = ({ document }: Release, person: PersonState): readonly string[] =>
  document.mailboxes
    .filter(({ address, selection }) => !hasAddress(person, address) && matchesSelection(selection, person))
    .map(({ address }) => address)

/**
 * The checks that the add-in makes before the person sends a message; null without checks, and for a person whom an
 * administrator keeps without a signature.
 *
 * @param owners the people whose signatures the person may also use, because blocks depend on the owner
 */
export function guardFor(
  release: Release,
  person: PersonState,
  owners: readonly PersonState[] = [],
): Guard | null {
  if (person.corrections?.excluded !== undefined) return null
  const { guard = [], blocks: all = [] } = release.document
  const signature = guard.flatMap((rule) =>
    rule.missing === 'signature' && matchesSelection(rule.selection, person) && !lacksDomains(release, rule)
      ? [recipientAudiences(release, rule)]
      : [],
  )
  const asked = new Set(guard.flatMap((rule) => (rule.missing === 'block' ? [rule.block] : [])))
  const isForOne = (block: Block) => [person, ...owners].some((owner) => isBlockFor(block, owner))
  const blocks = all.filter((block) => asked.has(block.id) && isForOne(block)).map(({ id }) => id)
  return signature.length + blocks.length === 0 ? null : { signature, blocks }
}

const NO_DOMAINS: readonly string[] = []
type Lists = NonNullable<ReleaseDocument['lists']>
const NO_LISTS: Lists = {}

type Domains = Readonly<{ inside: readonly string[]; outside: readonly string[] }>

/** The spellings of each list of recipients. Rules with the same list and the same named lists share one result. */
const written = new WeakMap<Formats['domains'], WeakMap<Lists, WeakMap<readonly string[], Domains>>>()

/** The value for a key, made once. */
function keptFor<Key extends object, Value>(kept: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  return made
}

/** The spellings of a domain, or of an address by its domain. */
function spellingsOf({ domains }: Formats, entry: string): readonly string[] {
  const at = entry.lastIndexOf('@') + 1
  return domains(entry.slice(at)).map((domain) => entry.slice(0, at) + domain)
}

/** Each list of entries as an audience, by the list's name. */
const sealed = new WeakMap<Formats['domains'], WeakMap<readonly string[], Map<string, string>>>()

function sealedListOf(formats: Formats, name: string, entries: readonly string[]): string {
  const byList = keptFor(sealed, formats.domains, () => new WeakMap<readonly string[], Map<string, string>>())
  const byName = keptFor(byList, entries, () => new Map<string, string>())
  const known = byName.get(name)
  if (known !== undefined) return known
  const audience = sealList(
    name,
    entries.flatMap((entry) => spellingsOf(formats, entry)),
  )
  byName.set(name, audience)
  return audience
}

function domainsOf(formats: Formats, list: readonly string[], lists: Lists = NO_LISTS): Domains {
  const byLists = keptFor(
    written,
    formats.domains,
    () => new WeakMap<Lists, WeakMap<readonly string[], Domains>>(),
  )
  const byList = keptFor(byLists, lists, () => new WeakMap<readonly string[], Domains>())
  return keptFor(byList, list, () => {
    const inside = list.flatMap((each) =>
      isListName(each)
        ? [sealedListOf(formats, each, ownProperty(lists, each) ?? [])]
        : spellingsOf(formats, each),
    )
    return { inside, outside: inside.map((domain) => `!${domain}`) }
  })
}

/** The audiences of a signature or block for `fitsAudience` in the add-in; empty for everyone. */
export function recipientAudiences(
  { document, formats }: Pick<Release, 'document' | 'formats'>,
  { recipients }: Pick<Signature | Block, 'recipients'>,
): readonly string[] {
  switch (recipients) {
    case 'everyone':
      return NO_DOMAINS
    case 'internal':
      return domainsOf(formats, document.internal).inside
    case 'external':
      return domainsOf(formats, document.internal).outside
    default:
      return domainsOf(formats, recipients, document.lists).inside
  }
}

/**
 * The recipients of a block for comparing releases: equal if `recipientAudiences` are. Named lists have their entries,
 * because sealing them takes long.
 */
export function comparedRecipients(release: Release, block: Pick<Block, 'recipients'>): readonly string[] {
  const { document, formats } = release
  if (typeof block.recipients === 'string') return recipientAudiences(release, block)
  return block.recipients.flatMap((each) => {
    if (!isListName(each)) return spellingsOf(formats, each)
    const entries = ownProperty(document.lists ?? NO_LISTS, each) ?? []
    const spelled = entries.flatMap((entry) => spellingsOf(formats, entry))
    return [[each, ...new Set(spelled.sort())].join('\n')]
  })
}

const audiences = new WeakMap<readonly string[], ReadonlySet<string>>()

/** `recipientAudiences` in lower case, except sealed lists, as a set. Rules with the same list share one set. */
export function audienceSetOf(
  release: Pick<Release, 'document' | 'formats'>,
  of: Pick<Signature | Block, 'recipients'>,
): ReadonlySet<string> {
  const all = recipientAudiences(release, of)
  return keptFor(
    audiences,
    all,
    () => new Set(all.map((each) => (isSealedList(each) ? each : each.toLowerCase()))),
  )
}

/**
 * A person's position in the share of a block, from 0 to just below 100. It never changes, is the same in every
 * program, and is independent of other blocks. The person gets a block whose share is greater.
 */
export const placeInShare = ({ id }: Pick<Block, 'id'>, person: Pick<PersonState, 'id'>): number =>
  placeOf(`${id} ${person.id}`)

/** The percentage of selected people who get a block. Of a share by mail, all of them get it in some messages. */
export const shareOfPeople = ({ share, turns }: Pick<Block, 'share' | 'turns'>): number =>
  turns === 'mail' ? 100 : share

/** The percentage of messages that show a block; undefined if all messages to these people do. */
export const shareOfMessages = ({ share, turns }: Pick<Block, 'share' | 'turns'>): number | undefined =>
  turns === 'mail' ? share : undefined

/** Whether a block is for a person, on any day and in any message. */
export const isBlockFor = (block: Block, person: PersonState): boolean =>
  matchesSelection(block.selection, person) &&
  (shareOfPeople(block) === 100 || placeInShare(block, person) < shareOfPeople(block))

/** Whether a block is for everyone. */
export const isBlockForEveryone = (block: Block): boolean =>
  block.selection.for === 'everyone' && block.selection.not.length === 0 && shareOfPeople(block) === 100

/**
 * Whether a block is for internal or external recipients of an organisation without domains. Such a block never
 * appears, because no recipient can be told to be internal or external.
 */
export const lacksDomains = (
  { document: { internal } }: Pick<Release, 'document'>,
  { recipients }: Pick<Block, 'recipients'>,
): boolean => internal.length === 0 && (recipients === 'internal' || recipients === 'external')

/**
 * The times within the block's period at which the block is open for a person, in order, from the start of the current
 * UTC day for `OPEN_DAYS`; null for a block that is open at all times of its period.
 */
export function openTimesOf(
  release: Release,
  block: Block,
  person: PersonState,
  at: number,
): readonly OpenTime[] | null {
  const times = blockTimes(release, block, person, at)
  if (times === null || block.during === null) return times
  const window = windowOf(block.during)
  return window === null ? [] : sharedTimes(times, [[window.opens, window.closes]])
}

/** Whether a block fits every message, and so hides all later blocks of its slot from the people who get it. */
export const fitsAllMessages = (release: Pick<Release, 'document'>, block: Block): boolean =>
  !lacksDomains(release, block) &&
  !hasOpenTimes(block) &&
  shareOfMessages(block) === undefined &&
  blockAppearsIn(
    {
      audiences: recipientAudiences({ ...release, formats: PLAIN_FORMATS }, block),
      replies: block.replies,
      ...(block.thread && { thread: block.thread }),
    },
    STRICTEST_CIRCUMSTANCES,
  )

/**
 * The blocks that may appear in a slot of a person's messages at a moment, in order, up to the first that fits all
 * messages. A block with open times may appear if it opens within the next days (`openTimesOf`).
 *
 * @param at null includes the blocks of all moments
 */
export function candidatesIn(
  release: Release,
  slot: string,
  person: PersonState,
  at: number | null,
): readonly Block[] {
  const blocks = release
    .blocksIn(slot)
    .filter(
      (block) =>
        (at === null || isPeriodOpen(block.during, at)) &&
        isBlockFor(block, person) &&
        !lacksDomains(release, block) &&
        (at === null || openTimesOf(release, block, person, at)?.length !== 0),
    )
  const last = blocks.findIndex(
    (block) => (at !== null || block.during === null) && fitsAllMessages(release, block),
  )
  return last < 0 ? blocks : blocks.slice(0, last + 1)
}

/** The people, times and messages for which a block applies. `people` is equal for equal selections. */
type BlockRules = Readonly<{ block: Block; people: string; audiences: ReadonlySet<string> }>

/** Whether a period includes all of another period; null means always. */
export function coversPeriod(during: Period | null, other: Period | null): boolean {
  if (during === null) return true
  const [window, later] = [windowOf(during), other && windowOf(other)]
  return window !== null && later !== null && window.opens <= later.opens && later.closes <= window.closes
}

/**
 * Whether the earlier audiences (`fitsAudience`) surely include all recipients in the later ones: if the earlier ones
 * are empty, if both are equal, or if both are without `!` and the earlier ones contain each later domain, address (or
 * its domain) and list.
 */
export function includesAudiences(earlier: ReadonlySet<string>, later: ReadonlySet<string>): boolean {
  if (earlier.size === 0 || earlier === later) return true
  const includes = (audience: string) =>
    earlier.has(audience) || (audience.includes('@') && earlier.has(domainOf(audience)))
  if (later.size === 0 || ![...later].every(includes)) return false
  return earlier.size === later.size || ![...earlier].some((audience) => audience.startsWith('!'))
}

/**
 * Whether an earlier block is for all messages of a thread that a later one is for. New messages are the first of their
 * thread.
 */
const coversThread = (earlier: Block, later: Block): boolean =>
  earlier.thread === undefined ||
  earlier.thread === later.thread ||
  (earlier.thread === 'first' && !later.replies)

/** Whether an earlier block, which has no share, appears wherever a later one would. */
const hides = (earlier: BlockRules, later: BlockRules): boolean =>
  !hasOpenTimes(earlier.block) &&
  (isBlockForEveryone(earlier.block) || earlier.people === later.people) &&
  includesAudiences(earlier.audiences, later.audiences) &&
  (earlier.block.replies || !later.block.replies) &&
  coversThread(earlier.block, later.block) &&
  coversPeriod(earlier.block.during, later.block.during)

/**
 * The blocks that never appear, by id, each with the earlier block that always replaces it. Runs in steps, because each
 * block is compared with all earlier ones.
 */
export function* findingHiddenBlocks(document: ReleaseDocument): Steps<ReadonlyMap<string, Block>> {
  const hidden = new Map<string, Block>()
  /** Within one document, the names of lists suffice. Sealing their entries takes long. */
  const unsealed = { document: { ...document, lists: NO_LISTS }, formats: PLAIN_FORMATS }
  /** The blocks of each slot that are not hidden and have no share. */
  const earlier = new Map<string, BlockRules[]>()
  for (const block of document.blocks ?? []) {
    yield
    if (lacksDomains({ document }, block)) continue
    const rules = {
      block,
      people: canonicalText(block.selection),
      audiences: audienceSetOf(unsealed, block),
    }
    const before = earlier.get(block.slot) ?? []
    earlier.set(block.slot, before)
    const instead = before.find((each) => hides(each, rules))
    if (instead) hidden.set(block.id, instead.block)
    else if (block.share === 100) before.push(rules)
  }
  return hidden
}

/** Combines the ids of a signature and its owner. Signature ids contain no `-`, so the first `-` is the separator. */
export const combinedIds = (signatureId: string, ownerId: string): string => `${signatureId}-${ownerId}`

/** Splits a combined id; null for a text that `combinedIds` cannot return. */
export function parseCombinedIds(text: string): Readonly<{ signature: string; owner: string }> | null {
  const [, signature, owner] = /^([a-z0-9_]+)-([^]+)$/.exec(text) ?? []
  return signature === undefined || owner === undefined ? null : { signature, owner }
}

/** People by id, including the owners whose signatures a person may see. Other people are ignored. */
export type Owners = ReadonlyMap<string, PersonState>

/** The signature for a combined id; null unless the person owns it or may write for its mailbox. */
export function visibleSignature(
  release: Release,
  person: PersonState,
  ids: string,
  at: number,
  owners: Owners,
): Readonly<{ signature: Signature; owner: PersonState }> | null {
  const named = parseCombinedIds(ids)
  if (named === null) return null
  const owner = named.owner === person.id ? person : owners.get(named.owner)
  if (owner === undefined || !mayWriteFor(release, person, owner)) return null
  const signature = assignedSignatures(release, owner, at).find(({ id }) => id === named.signature)
  return signature === undefined ? null : { signature, owner }
}

const mayWriteFor = (release: Release, person: PersonState, owner: PersonState) =>
  owner.id === person.id ||
  (owner.active &&
    owner.addresses.some((address) => {
      const mailbox = release.mailboxOf(address)
      return mailbox !== null && matchesSelection(mailbox.selection, person)
    }))

/** The default for new messages (`master`), and for replies if the user chose one. */
export const currentDefaultChoice = object({ master: text, reply: optional(text) })
/** A person's default, and who chose its `master`. */
export const currentDefault = object({ choice: currentDefaultChoice, by: oneOf('user', 'organisation') })
export type CurrentDefault = OutOf<typeof currentDefault>

/**
 * Finds a person's default signature. The user's choice wins if the organisation allows choices and the person still
 * sees the signature. Otherwise it is `organisationDefault`; null without one. The choice for replies applies while the
 * person sees the chosen signature.
 */
export function defaultChoice(
  release: Release,
  person: PersonState,
  at: number,
  owners: Owners = new Map(),
): CurrentDefault | null {
  const own = visibleMetadata(release, person).defaultSignature
  const isSeen = (ids: string | undefined): ids is string =>
    ids !== undefined && visibleSignature(release, person, ids, at, owners) !== null
  const reply = isSeen(own?.reply) ? { reply: own.reply } : {}
  if (isSeen(own?.master)) return { choice: { master: own.master, ...reply }, by: 'user' }
  const first = organisationDefault(assignedSignatures(release, person, at), person)
  if (first === undefined) return null
  return { choice: { master: combinedIds(first.id, person.id), ...reply }, by: 'organisation' }
}

/** Returns the metadata, without the chosen default if the organisation does not let the user choose. */
export function visibleMetadata(release: Release, person: PersonState): Metadata {
  if (mayChooseDefault(release, person)) return person.metadata
  const { defaultSignature: _, ...others } = person.metadata
  return others
}
