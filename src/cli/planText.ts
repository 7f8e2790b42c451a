/** Formats a plan, and explains why a person has a signature, in sentences for the terminal. */
import type { ThreadPlace } from '../../streams/html/slots.ts'
import type { Plan } from '../../streams/wire/administration/publishing.ts'
import type {
  BlockGroup,
  PeopleCount,
  DefaultChange,
  PlanSummary,
  SignatureGroup,
} from '../../streams/organisation/plan/plan.ts'
import {
  groupByCover,
  type Coverage,
  type IdleRule,
  isCoveredSignature,
  type UncoveredPeople,
} from '../../streams/organisation/rules/coverage.ts'
import type { BlockAspect } from '../../streams/organisation/plan/blockChange.ts'
import { CALENDAR_DAYS, type DayRange, type SlotCalendar } from '../../streams/organisation/plan/calendar.ts'
import { isListName, MANAGER_PREFIX } from '../../streams/organisation/release/names.ts'
import { isBeyondLimit } from '../../streams/organisation/plan/peopleLimit.ts'
import type {
  Block,
  Condition,
  Hours,
  OwnDays,
  Period,
  FieldTest,
} from '../../streams/organisation/release/release.ts'
import { hoursText } from '../../streams/organisation/release/hours.ts'
import { placesOfExport, type PlaceText } from './placeText.ts'
import {
  type ExplainedPerson,
  type NamesLeft,
  type NoSignatureReason,
  type SignatureReason,
  signatureReasons,
} from '../../streams/organisation/rules/why.ts'

const NUMBER = new Intl.NumberFormat('en')
export const SHORT_ID_LENGTH = 8
const COUNT_WIDTH = 6

export const numberText = (number: number): string => NUMBER.format(number)

export const countText = (number: number, one: string, many = `${one}s`): string =>
  `${numberText(number)} ${number === 1 ? one : many}`

/** `2026-10-01 12:00 UTC` */
export const momentText = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const shortId = (release: string): string => release.slice(0, SHORT_ID_LENGTH)

/** Names the releases of a plan: `Release 7f3a91c0 (now) → 91c04b2e (signatures)` */
export const releasesText = ({ base, release }: Plan, folder: string): string =>
  `${base === null ? 'Nothing published yet' : `Release ${shortId(base)} (now)`} → ${shortId(release)} (${folder})`

/** Describes the conditions that a person fits: `department is Sales and country is DE or AT` */
export function conditionsText(because: DefaultChange['because']): string {
  if (because === null) return 'nothing fits'
  if (because === 'user') return 'it is their own choice'
  if (because === 'everyone') return 'it is for everyone'
  if (because === 'pinned') return 'an administrator gave it to the person'
  return because.map((condition) => clauseOf(condition)).join(' and ')
}

/** @param of how to name the address and the fields: `PERSON` or `MANAGER` */
function clauseOf(condition: Condition, of: Readonly<{ address: string; fields: string }> = PERSON): string {
  switch (condition.by) {
    case 'group':
      return `of group ${orList(condition.values)}`
    case 'person':
      return `${of.address} is ${orList(condition.values)}`
    case 'address':
      return `${of.address} is like ${orList(condition.values)}`
    case 'language':
      return `the language is ${orList(condition.values)}`
    case 'field':
      return `${of.fields}${condition.field} is ${orList(condition.values)}`
    case 'test':
      return condition.tests.map((test) => `${of.fields}${condition.field} ${testText(test)}`).join(' and ')
    case 'manager':
      return condition.conditions.map((each) => clauseOf(each, MANAGER)).join(' and ')
  }
}

const PERSON = { address: 'an address', fields: '' }
const MANAGER = { address: 'the manager’s address', fields: MANAGER_PREFIX }

function testText(test: FieldTest): string {
  switch (test.is) {
    case 'starts':
      return `starts with ${orList(test.values)}`
    case 'ends':
      return `ends with ${orList(test.values)}`
    case 'contains':
      return `contains ${orList(test.values)}`
    case 'any':
      return 'is not empty'
    case 'before':
    case 'after':
      return `is ${test.is} ${test.day}`
  }
}

export const orList = (words: readonly string[], last = 'or'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`

/** A domain, an address or a list: `Partners (list)`. */
export const recipientName = (name: string): string => (isListName(name) ? `${name} (list)` : name)

/** Describes how a signature changes. The words follow the signature's name in a sentence. */
export function differenceOf({ kind, aspects }: Pick<SignatureGroup, 'kind' | 'aspects'>): string {
  switch (kind) {
    case 'added':
      return 'is new'
    case 'removed':
      return 'goes away'
    case 'changed':
      return `changes in ${orList(
        aspects.map((aspect) => ASPECTS[aspect]),
        'and',
      )}`
  }
}

const ASPECTS: Readonly<Record<SignatureGroup['aspects'][number], string>> = {
  signature: 'new messages',
  reply: 'replies',
  mobile: 'mobile mail',
  meeting: 'meetings',
  linked: 'its pictures (now linked)',
  attached: 'its pictures (now attached)',
  name: 'its name',
  recipients: 'its recipients',
  senders: 'its sender addresses',
  thread: 'its place in threads',
  collection: 'its collection',
}

/** Describes how a block changes. The words follow the block's name in a sentence. */
export function blockDifferenceOf({
  kind,
  aspects,
  slot,
}: Pick<BlockGroup, 'kind' | 'aspects' | 'slot'>): string {
  switch (kind) {
    case 'added':
      return `is new in the slot ${slot}`
    case 'removed':
      return `goes away from the slot ${slot}`
    case 'changed':
      return `changes in ${orList(
        aspects.map((aspect) => BLOCK_ASPECTS[aspect]),
        'and',
      )}`
  }
}

const BLOCK_ASPECTS: Readonly<Record<BlockAspect, string>> = {
  html: 'its html',
  name: 'its name',
  people: 'for whom it is',
  days: 'its days',
  hours: 'its hours',
  ownDays: 'the days that people enter',
  recipients: 'its recipients',
  replies: 'replies',
  thread: 'its place in threads',
  share: 'its share of messages',
  order: 'its order in the slot',
  places: 'the places where it stands',
  clicks: 'counting clicks',
}

/**
 * Describes a block's conditions: `from 2026-10-01 to 2026-10-31 (UTC), for recipients outside, not in replies`;
 * `always` without any.
 */
export function blockRuleText({
  during,
  recipients,
  replies,
  thread,
  hours,
  ownDays,
}: Pick<Block, 'during' | 'recipients' | 'replies' | 'thread' | 'hours' | 'ownDays'>): string {
  const parts = [
    ...(ownDays ? [ownDaysText(ownDays)] : during ? [spanText(during)] : hours ? [] : ['always']),
    ...(hours ? [openHoursText(hours)] : []),
    ...(recipients === 'everyone' ? [] : [`for ${recipientsText(recipients)}`]),
    ...(replies ? [] : ['not in replies']),
    ...(thread ? [`only in ${threadText(thread)}`] : []),
  ]
  return parts.join(', ')
}

function recipientsText(recipients: Exclude<Block['recipients'], 'everyone'>): string {
  if (recipients === 'internal') return 'recipients inside'
  if (recipients === 'external') return 'recipients outside'
  return `recipients at ${orList(recipients.map(recipientName))}`
}

/** Hours with their time zone: `Mon-Fri 08:00-18:00 (Europe/Berlin)` */
export const openHoursText = (hours: Hours): string => `${hoursText(hours)} (${hours.timeZone})`

const ownDaysText = ({ from, to, before }: OwnDays): string =>
  `on the days in ${from} and ${to}${before === 0 ? '' : `, from ${String(before)} ${before === 1 ? 'day' : 'days'} before`}`

/** Each block of the new release, with its slot, its conditions and the number of people who get it. */
export const reachRows = ({ reach = [] }: PlanSummary): readonly PlanRow[] =>
  reach.map(({ people, name, slot, share, turns, ...rule }) => [
    people,
    `${people === 1 ? 'gets' : 'get'} ${name} in the slot ${slot}, ${blockRuleText(rule)}${share < 100 ? `, ${turns === 'mail' ? `in ${String(share)} % of the messages` : `a share of ${String(share)} %`}` : ''}`,
  ])

/** The heading of a slot's calendar: `Slot banner, the next 90 days` */
export const calendarTitle = (slot: string): string => `Slot ${slot}, the next ${String(CALENDAR_DAYS)} days`

/** A range of days: `2026-10-01 to 2026-10-31` */
export const daysText = ({ from, to }: Pick<DayRange, 'from' | 'to'>): string =>
  from === to ? from : `${from} to ${to}`

const NAMES_SHOWN = 10

/** Lists the blocks that a slot may show, in order of priority: the first ten by name, the others by number. */
export function stretchText({ blocks }: DayRange): string {
  if (blocks.length === 0) return 'nothing'
  const names = blocks
    .slice(0, NAMES_SHOWN)
    .map(({ name, hours }) => (hours ? `${name} (${hoursText(hours)})` : name))
  const others = blocks.length - names.length
  return [...names, ...(others > 0 ? [`${numberText(others)} more`] : [])].join(', then ')
}

const calendarLines = (calendar: readonly SlotCalendar[]): readonly string[] =>
  calendar.flatMap(({ slot, stretches }) => [
    `${calendarTitle(slot)}:`,
    ...stretches.map((stretch) => `  ${daysText(stretch).padEnd(DAYS_WIDTH)}  ${stretchText(stretch)}`),
  ])

const DAYS_WIDTH = '2026-10-01 to 2026-10-31'.length

/**
 * Formats a plan. Every line ends with a line end, including the last.
 *
 * @param calendar the blocks that each slot of the new release may show
 */
export function planText(plan: Plan, folder: string, calendar: readonly SlotCalendar[] = []): string {
  const { summary } = plan
  const lines = [
    `${releasesText(plan, folder)}   ${countText(summary.people, 'person', 'people')}`,
    ...changeRows(summary, '  ! ').map(rowText),
    ...plan.variables.map(({ path, kind }) => `Variable ${path}: ${kind}`),
    ...closedSignatureTexts(plan).map((text) => `Not open at that time: ${text}; see --on`),
    ...(summary.missing.length === 0 ? [] : ['Problems:', ...problemRows(summary).map(rowText)]),
    ...(summary.reach ? ['Blocks:', ...reachRows(summary).map(rowText)] : []),
    ...calendarLines(calendar),
    ...limitTexts(plan),
    ...editorTexts(plan),
    ...(summary.coverage ? coverageLines(summary.coverage) : []),
    `Plan ${plan.id}, kept until ${momentText(plan.until)}`,
    ...approvalTexts(plan),
  ]
  return `${lines.join('\n')}\n`
}

/**
 * Explains the plan's limit: `Limit: 12 people; publishing changes 40 now or later, so it needs --all`; empty without a
 * limit.
 */
export function limitTexts({ limit }: Pick<Plan, 'limit'>): readonly string[] {
  if (!limit) return []
  const { most, changed } = limit
  const needs = isBeyondLimit({ limit }) ? ', so it needs --all' : ''
  return [
    `Limit: ${countText(most, 'person', 'people')}; ${changed === null ? 'a plan for another moment does not say how many publishing changes now' : `publishing changes ${numberText(changed)} now or later`}${needs}`,
  ]
}

/** Names the changed parts that only some publishers may change: `Only Portugal may publish the signature Padrão`. */
export const editorTexts = ({ edited = [] }: Pick<Plan, 'edited'>): readonly string[] =>
  edited.map(
    ({ kind, name, editors }) =>
      `Only ${editors.join(' or ')} may publish ${kind === 'rest' ? 'what all signatures share' : `the ${kind} ${name}`}`,
  )

/** Explains whose approval a plan needs, with the next command; empty if it needs none. */
export function approvalTexts({ id, approval }: Pick<Plan, 'id' | 'approval'>): readonly string[] {
  if (!approval) return []
  const needs = `Needs the approval of a second person with one of: ${approval.by.join(', ')}`
  return approval.hash === null
    ? [`${needs}; a plan for another moment cannot be approved`]
    : [needs, `Ask for it: signet approve ${id} --ask; the other person: signet approve ${id}`]
}

/**
 * Explains why people have no signature: `have no signature: Autumn fair leaves out people of whom this is true: of
 * group board`
 */
export const uncoveredText = ({ people, why }: UncoveredPeople): string =>
  `${people === 1 ? 'has' : 'have'} no signature: ${noneText(why)}`

/** The addresses of the first people without a signature, and the number of further people. */
export function uncoveredPeopleTexts({ people, first }: UncoveredPeople): readonly string[] {
  const others = people - first.length
  return [...first.map(({ address }) => address), ...(others > 0 ? [`and ${numberText(others)} more`] : [])]
}

/** Explains the rules that never apply, and names pairs of signatures with the same content. */
export const idleTexts = ({ idle, alike }: Coverage): readonly string[] => [
  ...idle.flatMap((each) => (isCoveredSignature(each) ? [] : [idleText(each)])),
  ...groupByCover(idle).map(
    ({ behind, names }) =>
      `${behind ?? 'Others'} ${behind === null ? 'stand' : 'stands'} before ${names.length === 1 ? 'this one' : 'these'} for all of ${names.length === 1 ? 'its' : 'their'} people: ${names.join(', ')}`,
  ),
  ...(idle.some(isCoveredSignature)
    ? ['What stands behind another one decides for people who choose it, where choose-default lets them']
    : []),
  ...alike.map(({ first, second }) => `${first} and ${second} show the same: only their order differs`),
]

/** Explains a block that its slot never shows, or a signature that nobody gets. */
function idleText({ kind, name, behind }: IdleRule): string {
  if (kind === 'signature') return `${name} never decides: none of the people fits its rules`
  return `The block ${name} never stands in its slot: ${behind === null ? 'none of the people gets it' : `${behind} stands before it in every message`}`
}

const coverageLines = (coverage: Coverage): readonly string[] => [
  `Coverage:${coverage.none.length === 0 ? ' everyone has a signature' : ''}`,
  ...coverage.none.flatMap((group) => [
    rowText([group.people, uncoveredText(group)]),
    ...uncoveredPeopleTexts(group).map((text) => `${' '.repeat(COUNT_WIDTH)}   ${text}`),
  ]),
  ...idleTexts(coverage).map((text) => `  ${text}`),
]

/** Describes a change of default: `get another default: Corporate → Autumn fair, because department is Sales` */
function defaultText(line: PlanSummary['defaults'][number]): string {
  const { from, to } = line
  if (to === null)
    return `${line.people === 1 ? 'has' : 'have'} no default any more; it was ${from ?? 'none'}`
  const because = `because ${conditionsText(line.because)}`
  return from === null
    ? `${gets(line)} a default: ${to}, ${because}`
    : `${gets(line)} another default: ${from} → ${to}, ${because}`
}

const gets = ({ people }: PeopleCount) => (people === 1 ? 'gets' : 'get')

/** A change, with the number of affected people. */
export type PlanRow = readonly [people: number, text: string]

const rowText = ([people, text]: PlanRow): string => `${numberText(people).padStart(COUNT_WIDTH)} ${text}`

const ASKED = {
  added: (people: number) => `${people === 1 ? 'is' : 'are'} asked before sending about what is missing`,
  removed: (people: number) => `${people === 1 ? 'is' : 'are'} no longer asked before sending`,
  changed: (people: number) => `${people === 1 ? 'is' : 'are'} asked before sending about something else`,
} as const

/** @param alarm the text between "lose every signature" and the example of a person */
export const changeRows = (summary: PlanSummary, alarm: string): readonly PlanRow[] => [
  ...summary.defaults.map((line): PlanRow => [line.people, defaultText(line)]),
  ...summary.losing.map(({ people, sample }): PlanRow => [
    people,
    `${people === 1 ? 'loses' : 'lose'} every signature${alarm}for example ${sample.address}`,
  ]),
  ...summary.signatures.map((line): PlanRow => [line.people, `${line.name} ${differenceOf(line)}`]),
  ...(summary.blocks ?? []).map((line): PlanRow => [line.people, `${line.name} ${blockDifferenceOf(line)}`]),
  ...summary.reordered.map((line): PlanRow => [line.people, `${gets(line)} another order of signatures`]),
  ...summary.choosing.map(({ people, mayChoose }): PlanRow => [
    people,
    mayChoose ? 'may choose the default from now on' : 'may no longer choose the default',
  ]),
  ...(summary.asked ?? []).map(({ people, kind }): PlanRow => [people, ASKED[kind](people)]),
  ...summary.mailboxes.map(({ people, kind, address }): PlanRow => [
    people,
    `${kind === 'added' ? 'may write' : 'may no longer write'} for ${address}`,
  ]),
  ...(summary.more === undefined
    ? []
    : [[summary.more, 'changes of people are not listed: there are too many kinds'] as const]),
  [summary.unchanged, 'unchanged'],
]

/** The people for whom a signature lacks values: `have no phone for Corporate, for example ann@northwind.example` */
export const problemRows = ({ missing }: PlanSummary): readonly PlanRow[] =>
  missing.map(({ people, variables, more = 0, name, sample }) => [
    people,
    `${people === 1 ? 'has' : 'have'} no ${orList(more > 0 ? [...variables, `${numberText(more)} more`] : variables)} for ${name}, for example ${sample.address}`,
  ])

/** The signatures that are not open at the plan's time, each with its period. */
export const closedSignatureTexts = ({ closed }: Plan): readonly string[] =>
  closed.map(({ name, during }) => `${name}${periodText(during)}`)

/** Explains why a person has these signatures, one sentence each, with the place of the deciding rule. */
export function whyText(
  explained: ExplainedPerson,
  placeText: PlaceText = placesOfExport(explained),
): string {
  const { person, name, release, signatures, mailboxes } = explained
  const lines = [
    `${name === '' ? person.id : name} (${person.addresses.join(', ')})${person.active ? '' : ', who left'}, release ${shortId(release)}:`,
    ...(explained.none ? [`  has no signature: ${noneText(explained.none)}.`] : []),
    ...signatureReasons(signatures, explained.default?.by ?? null).map(
      (reason, index) =>
        `  ${reasonText(signatures[index]?.name ?? '', reason)}${reason.kind === 'pinned' || reason.kind === 'excluded' ? '' : placeText(`signatures.${signatures[index]?.signature ?? ''}`)}.`,
    ),
    ...(explained.default?.by === 'user' && !signatures.some(({ isDefault }) => isDefault)
      ? ['  chose a signature of a mailbox as the default.']
      : []),
    ...mailboxes.map((address) => `  may write for ${address}${placeText(`mailboxes.${address}`)}.`),
    ...namesLeftTexts(explained.namesLeft).map((text) => `  ${text}`),
  ]
  return `${lines.join('\n')}\n`
}

/** One sentence for each value with the address of somebody who has left. */
export const namesLeftTexts = (named: NamesLeft = []): readonly string[] =>
  named.map(({ path, label, address }) => `${label ?? path} names ${address}, who has left.`)

/** Explains why a person has no signature. The words follow a colon. */
function noneText(none: NoSignatureReason): string {
  switch (none.kind) {
    case 'hasLeft':
      return 'the person left the organisation'
    case 'nothingPublished':
      return 'nothing is published yet'
    case 'excluded':
      return 'an administrator keeps the person without one'
    case 'noneInRelease':
      return 'the release has no signatures'
    case 'notOpen':
      return `${none.name} is for them, but not open${periodText(none.during)}`
    case 'leftOut':
      return `${none.name} leaves out people of whom this is true: ${conditionsText(none.by)}`
    case 'nothingFits':
      return none.asked.length === 0
        ? 'nothing that a signature is for fits'
        : `nothing that a signature is for fits; the signatures ask for ${orList(none.asked, 'and')}`
  }
}

/**
 * Explains one signature of a person: `has Autumn fair, because department is Sales, from 2026-09-01 to 2026-09-30
 * (UTC)`
 */
function reasonText(name: string, reason: SignatureReason): string {
  switch (reason.kind) {
    case 'default':
      return `has ${name} as the default, because ${[
        ...(reason.by === 'user' ? ['it is their own choice'] : []),
        conditionsText(reason.because),
        ...(reason.by === 'organisation'
          ? [
              reason.isFirst
                ? 'it stands first'
                : `no signature above it ${reason.isForMain ? 'is for the main address' : 'applies'}`,
            ]
          : []),
      ].join(' and ')}${periodText(reason.during)}${onlyInThread(reason.thread)}`
    case 'has':
      return `has ${name}${reason.senders ? ` for mail from ${orList(reason.senders)}` : ''}, because ${conditionsText(reason.because)}${periodText(reason.during)}${onlyInThread(reason.thread)}`
    case 'pinned':
      return `has ${name}${reason.by === null ? '' : ' as the default'}, because an administrator gave it to the person${periodText(reason.during)}`
    case 'excluded':
      return `does not have ${name}: an administrator keeps the person without a signature`
    case 'notOpen':
      return `does not have ${name}: it is not open${periodText(reason.during)}`
    case 'leftOut':
      return `does not have ${name}: it is not for people of whom this is true: ${conditionsText(reason.by)}`
    case 'nothingFits':
      return `does not have ${name}: nothing that it is for fits`
  }
}

/** Describes a place in threads: `the first message of a thread`. */
export const threadText = (thread: ThreadPlace): string =>
  thread === 'first' ? 'the first message of a thread' : 'later messages of a thread'

const onlyInThread = (thread: ThreadPlace | undefined): string =>
  thread ? `, only in ${threadText(thread)}` : ''

const spanText = ({ from, to, timeZone }: Period): string => `from ${from} to ${to} (${timeZone})`

const periodText = (during: Period | null): string => (during ? `, ${spanText(during)}` : '')
