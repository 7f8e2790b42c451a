import type { ThreadPlace } from '../../../streams/html/slots.ts'
import { isListName, MANAGER_PREFIX } from '../../../streams/organisation/release/names.ts'
import type {
  Condition,
  ManagerCondition,
  Period,
  FieldTest,
} from '../../../streams/organisation/release/release.ts'
import type {
  BlockReason,
  SelectionReason,
  NoSignatureReason,
  SignatureReason,
} from '../../../streams/organisation/rules/why.ts'
import { hoursText } from './hours.ts'
import type { Translate } from './texts.ts'

/** Domains, addresses and names of lists for a sentence. */
export const recipientNames = (recipients: readonly string[], t: Translate): readonly string[] =>
  recipients.map((name) => (isListName(name) ? t('signatures.recipients.list', { name }) : name))

/** Formats a day of a period, such as `2026-09-01`, in the administrator's language. */
export type FormatDay = (day: string) => string

/** Returns the display name of a directory field. */
export type FieldNameOf = (field: string) => string

/** One clause for each condition. The sentence joins them with "and". */
export const reasonClauses = (
  because: SelectionReason,
  t: Translate,
  nameOf: FieldNameOf,
): readonly string[] =>
  because === 'everyone'
    ? [t('people.why.everyone')]
    : because.flatMap((condition) =>
        hasSharedWording(condition)
          ? fieldTestClauses(condition, t, nameOf)
          : [clauseOf(condition, t, nameOf)],
      )

function clauseOf(condition: Exclude<Condition, Newer>, t: Translate, nameOf: FieldNameOf): string {
  const values = condition.values.map((value) => (value === '' ? t('people.why.empty') : value))
  const field = condition.by === 'field' ? { field: nameOf(condition.field) } : {}
  return t(`people.why.${condition.by}`, { ...field, values })
}

type Newer = Extract<Condition, { by: 'test' | 'manager' | 'language' }>

/** Whether a condition is worded the same in every sentence. */
export const hasSharedWording = (condition: Condition): condition is Newer =>
  condition.by === 'test' || condition.by === 'manager' || condition.by === 'language'

/** The clauses of a condition that is worded the same in every sentence: `Job title starts with Head of`. */
export function fieldTestClauses(condition: Newer, t: Translate, nameOf: FieldNameOf): readonly string[] {
  switch (condition.by) {
    case 'language':
      return [t('condition.language', { values: condition.values })]
    case 'test':
      return testClauses(condition.tests, nameOf(condition.field), t)
    case 'manager':
      return condition.conditions.flatMap((each) => managerClauses(each, t, nameOf))
  }
}

function managerClauses(condition: ManagerCondition, t: Translate, nameOf: FieldNameOf): readonly string[] {
  switch (condition.by) {
    case 'person':
      return [t('condition.managerPerson', { values: condition.values })]
    case 'address':
      return [t('condition.managerAddress', { values: condition.values })]
    case 'field':
      return [clauseOf({ ...condition, field: MANAGER_PREFIX + condition.field }, t, nameOf)]
    case 'test':
      return testClauses(condition.tests, nameOf(MANAGER_PREFIX + condition.field), t)
  }
}

const testClauses = (tests: readonly FieldTest[], field: string, t: Translate): readonly string[] =>
  tests.map((test) => t(`condition.${test.is}`, { ...test, field }))

/** The days of a period, formatted for a sentence. */
export const periodDatesOf = ({ from, to }: Period, dayText: FormatDay) => ({
  from: dayText(from),
  to: dayText(to),
})

/** The sentence, and a second one about the messages of a conversation that get the signature. */
const withThread = (thread: ThreadPlace | undefined, sentence: string, t: Translate): string =>
  thread ? `${sentence} ${t(`people.why.only.${thread}`)}` : sentence

/** One or two sentences that explain why a person has the named signature or not. */
export function reasonText(
  name: string,
  reason: SignatureReason,
  t: Translate,
  dayText: FormatDay,
  nameOf: FieldNameOf,
): string {
  switch (reason.kind) {
    case 'default': {
      const clauses =
        reason.by === 'user'
          ? [t('people.why.chosen'), ...reasonClauses(reason.because, t, nameOf)]
          : [
              ...reasonClauses(reason.because, t, nameOf),
              t(
                reason.isFirst
                  ? 'people.why.first'
                  : reason.isForMain
                    ? 'people.why.noneAboveMain'
                    : 'people.why.noneAbove',
              ),
            ]
      return withThread(
        reason.thread,
        reason.during
          ? t('people.why.defaultDuring', { name, clauses, ...periodDatesOf(reason.during, dayText) })
          : t('people.why.default', { name, clauses }),
        t,
      )
    }
    case 'has': {
      const { senders: addresses, during } = reason
      const clauses = reasonClauses(reason.because, t, nameOf)
      const values = { name, clauses, ...(addresses && { addresses }) }
      const sentence = during
        ? t(addresses ? 'people.why.fromDuring' : 'people.why.hasDuring', {
            ...values,
            ...periodDatesOf(during, dayText),
          })
        : t(addresses ? 'people.why.from' : 'people.why.has', values)
      return withThread(reason.thread, sentence, t)
    }
    case 'pinned': {
      const during = reason.during ? periodDatesOf(reason.during, dayText) : null
      if (reason.by === null)
        return during ? t('people.why.pinnedDuring', { name, ...during }) : t('people.why.pinned', { name })
      return during
        ? t('people.why.pinnedDefaultDuring', { name, ...during })
        : t('people.why.pinnedDefault', { name })
    }
    case 'excluded':
      return t('people.why.excluded', { name })
    case 'notOpen':
      return t('people.why.notOpen', { name, ...periodDatesOf(reason.during, dayText) })
    case 'leftOut':
      return reason.by.every(({ by }) => by === 'person')
        ? t('people.why.leftOutByName', { name })
        : t('people.why.leftOut', { name, clauses: reasonClauses(reason.by, t, nameOf) })
    case 'nothingFits':
      return t('people.why.nothingFits', { name })
  }
}

/** One short sentence that explains why a person has no signature. */
export function noSignatureText(
  none: NoSignatureReason,
  t: Translate,
  dayText: FormatDay,
  nameOf: FieldNameOf,
): string {
  switch (none.kind) {
    case 'notOpen':
      return t('people.none.notOpen', { name: none.name, ...periodDatesOf(none.during, dayText) })
    case 'leftOut':
      return none.by.every(({ by }) => by === 'person')
        ? t('people.none.leftOutByName', { name: none.name })
        : t('people.none.leftOut', { name: none.name, clauses: reasonClauses(none.by, t, nameOf) })
    case 'nothingFits':
      return t('people.none.nothingFits', { asked: none.asked.map(nameOf) })
    case 'hasLeft':
    case 'nothingPublished':
    case 'excluded':
    case 'noneInRelease':
      return t(`people.none.${none.kind}`)
  }
}

/** One sentence that explains why a person's messages may show the named block or not. */
export function blockReasonText(
  name: string,
  reason: BlockReason,
  t: Translate,
  dayText: FormatDay,
  nameOf: FieldNameOf,
): string {
  switch (reason.kind) {
    case 'mayStand':
      return t('people.why.blocks.mayStand', {
        name,
        parts: blockParts(reason, t, dayText, nameOf).join(', '),
      })
    case 'notYet':
    case 'over':
      return t(`people.why.blocks.${reason.kind}`, { name, ...periodDatesOf(reason.during, dayText) })
    case 'notNow': {
      const hours = hoursText(reason.hours, t)
      return reason.next === null
        ? t('people.why.blocks.notSoon', { name, hours })
        : t('people.why.blocks.notNow', { name, hours, next: reason.next })
    }
    case 'noOwnDays': {
      const { from, to } = reason
      const days = [from, to].map(({ variable, value }) =>
        value === ''
          ? t('people.why.blocks.dayMissing', { field: nameOf(variable) })
          : t('people.why.blocks.dayEntered', { field: nameOf(variable), value }),
      )
      return t('people.why.blocks.noOwnDays', { name, days })
    }
    case 'leftOut':
      return reason.by.every(({ by }) => by === 'person')
        ? t('people.why.blocks.leftOutByName', { name })
        : t('people.why.blocks.leftOut', { name, clauses: reasonClauses(reason.by, t, nameOf) })
    case 'notInShare':
      return t('people.why.blocks.notInShare', { name, share: reason.share / 100 })
    case 'always':
      return t('people.why.blocks.always', { name, by: reason.by })
    case 'nothingFits':
      return t('people.why.blocks.nothingFits', { name })
  }
}

/** The parts of a sentence about a block: its people, its last day, and the messages that show it. */
function blockParts(
  {
    because,
    everyone,
    share,
    turns,
    during,
    recipients,
    replies,
    thread,
    hours,
  }: Extract<BlockReason, { kind: 'mayStand' }>,
  t: Translate,
  dayText: FormatDay,
  nameOf: FieldNameOf,
): readonly string[] {
  const parts: string[] = []
  if (because !== 'everyone')
    parts.push(t('people.why.blocks.because', { clauses: reasonClauses(because, t, nameOf) }))
  else if (share === 100 || turns === 'mail')
    parts.push(t(everyone ? 'people.why.blocks.everyone' : 'people.why.blocks.notLeftOut'))
  if (share < 100)
    parts.push(
      t(turns === 'mail' ? 'people.why.blocks.shareOfMails' : 'people.why.blocks.share', {
        share: share / 100,
      }),
    )
  if (during !== null) parts.push(t('people.why.blocks.until', { to: dayText(during.to) }))
  if (hours) parts.push(hoursText(hours, t))
  if (typeof recipients !== 'string')
    parts.push(t('people.why.blocks.domains', { domains: recipientNames(recipients, t) }))
  else if (recipients !== 'everyone') parts.push(t(`people.why.blocks.${recipients}`))
  if (!replies) parts.push(t('people.why.blocks.newOnly'))
  if (thread) parts.push(t(`people.why.thread.${thread}`))
  return parts
}
