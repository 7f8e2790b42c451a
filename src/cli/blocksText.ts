/**
 * Explains which blocks a person's messages may show and which blocks a given message shows, in sentences for the
 * terminal.
 */
import type { SampleRecipients } from '../../streams/organisation/release/supposed.ts'
import type { BlockReason, ExplainedSlot } from '../../streams/organisation/rules/why.ts'
import type { SignaturesAnswer } from '../../streams/wire/administration/people.ts'
import { NO_PLACE_TEXT, type PlaceText } from './placeText.ts'
import { conditionsText, momentText, openHoursText, orList, recipientName, threadText } from './planText.ts'

/** Explains each block of each slot in one sentence. A slot shows the first of its blocks that fits the message. */
export const blocksText = (slots: readonly ExplainedSlot[], placeText: PlaceText = NO_PLACE_TEXT): string =>
  slots
    .flatMap(({ slot, blocks }) => [
      `In the slot ${slot} stands the first that fits the message:`,
      ...blocks.map(
        ({ block, name, reason }) => `  ${reasonText(name, reason)}${placeText(`blocks.${block}`)}.`,
      ),
    ])
    .map((line) => `${line}\n`)
    .join('')

/**
 * Explains why a person gets a block or not: `Autumn banner: for everyone, until 2026-10-31 (Europe/Berlin), when a
 * recipient is outside`
 */
function reasonText(name: string, reason: BlockReason): string {
  switch (reason.kind) {
    case 'mayStand':
      return `${name}: ${standingText(reason)}`
    case 'notYet':
      return `not ${name} yet: it begins on ${reason.during.from} and ends on ${reason.during.to} (${reason.during.timeZone})`
    case 'over':
      return `not ${name} any more: it ended on ${reason.during.to} (${reason.during.timeZone})`
    case 'notNow':
      return `not ${name} now: it is shown ${openHoursText(reason.hours)}${reason.next === null ? '' : `, next at ${momentText(reason.next)}`}`
    case 'noOwnDays':
      return `not ${name}: it is shown on days that people enter, and ${[reason.from, reason.to]
        .map(({ variable, value }) => `${variable} is ${value === '' ? 'empty' : JSON.stringify(value)}`)
        .join(' and ')}`
    case 'leftOut':
      return `not ${name}: it is not for people of whom this is true: ${conditionsText(reason.by)}`
    case 'notInShare':
      return `not ${name}: ${reason.share} % of these people get it, and this person is not among them`
    case 'always':
      return `not ${name}: ${reason.by} stands above it and fits every message`
    case 'nothingFits':
      return `not ${name}: nothing that it is for fits`
  }
}

function standingText({
  because,
  everyone,
  share,
  turns,
  during,
  recipients,
  replies,
  thread,
  hours,
}: Extract<BlockReason, { kind: 'mayStand' }>): string {
  const parts: string[] = []
  if (because !== 'everyone') parts.push(`because ${conditionsText(because)}`)
  else if (share === 100 || turns === 'mail')
    parts.push(everyone ? 'for everyone' : 'for everyone who is not left out')
  if (share < 100)
    parts.push(turns === 'mail' ? `in ${share} % of the messages` : `among the ${share} % who get it`)
  if (during !== null) parts.push(`until ${during.to} (${during.timeZone})`)
  if (hours) parts.push(openHoursText(hours))
  if (typeof recipients !== 'string')
    parts.push(`when all recipients are at ${orList(recipients.map(recipientName))}`)
  else if (recipients !== 'everyone') parts.push(WHEN[recipients])
  if (!replies) parts.push('only in new messages')
  if (thread) parts.push(`only in ${threadText(thread)}`)
  return parts.join(', ')
}

const WHEN: Readonly<Record<SampleRecipients, string>> = {
  internal: 'when all recipients are inside',
  external: 'when a recipient is outside',
}

const TO: Readonly<Record<SampleRecipients, string>> = {
  internal: 'to recipients inside',
  external: 'to someone outside',
}

/** Describes the recipients of a message: `to someone outside`. */
export const recipientsText = (recipients: SampleRecipients | null): string =>
  recipients === null ? 'without recipients' : TO[recipients]

/** Lists blocks, for use after a signature's name: `, with Autumn banner and Legal notice`; empty without blocks. */
export const withBlocksText = (blocks: readonly string[]): string =>
  blocks.length === 0 ? '' : `, with ${orList(blocks, 'and')}`

/** Lists a person's signatures for one message, each with the blocks that it shows. */
export const messageBlocksText = (
  { signatures }: SignaturesAnswer,
  message: Readonly<{ isReply: boolean; recipients: SampleRecipients | null }>,
): string =>
  [
    `In a ${message.isReply ? 'reply' : 'new message'} ${recipientsText(message.recipients)}:`,
    ...signatures.map(
      ({ name, blocks = [] }) => `  ${name}${withBlocksText(blocks) || ', without a block'}.`,
    ),
  ]
    .map((line) => `${line}\n`)
    .join('')
