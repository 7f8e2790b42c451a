/** The changes to a person's blocks, as the service returns them in a plan. */
import { flag, list, nullable, object, oneOf, optional, type OutOf, text } from '../../kernel/schema.ts'
import { type Block, hours, ownDays, period, recipients, thread } from '../release/release.ts'

/**
 * What can change about a block: its html and the template html around it, its name, whether it is for everyone, its
 * days, its hours, the days that people enter for it, its recipients, whether it appears in replies, its place in
 * threads, its share of messages, its order in the slot, the signatures or positions that show it,
 * and whether clicks on its links are counted.
 */
export const BLOCK_CHANGE_ASPECTS = [
  'html',
  'name',
  'people',
  'days',
  'hours',
  'ownDays',
  'recipients',
  'replies',
  'thread',
  'share',
  'order',
  'places',
  'clicks',
] as const
export type BlockAspect = (typeof BLOCK_CHANGE_ASPECTS)[number]

export const blockChange = {
  kind: oneOf('added', 'removed', 'changed'),
  /** The block's id. `name` and `slot` come from the new release, or from the old release for a removed block. */
  block: text,
  name: text,
  slot: text,
  /** The changed aspects; empty for an added or removed block. */
  aspects: list(oneOf(...BLOCK_CHANGE_ASPECTS)),
}
export type BlockChange = OutOf<ReturnType<typeof object<typeof blockChange>>>

/** The days and messages in which a block appears. */
export const blockRule = {
  during: nullable(period),
  recipients,
  replies: flag,
  thread,
  /** Absent for a block without hours, and from earlier services. */
  hours: optional(hours),
  /** Absent for a block without own days, and from earlier services. */
  ownDays: optional(ownDays),
}

/** The rule of a block for `blockRule`. */
export const blockRuleOf = (block: Block) => ({
  during: block.during,
  recipients: block.recipients,
  replies: block.replies,
  ...(block.thread && { thread: block.thread }),
  ...(block.hours && { hours: block.hours }),
  ...(block.ownDays && { ownDays: block.ownDays }),
})

/** How a block looks in one of the person's signatures, and when it appears. */
export const blockSample = object({ html: text, ...blockRule })
export type BlockSample = OutOf<typeof blockSample>
