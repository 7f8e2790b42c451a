/** The changes to a person's blocks, as the service returns them in a plan. */
import { flag, list, nullable, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'
import { period, recipients, thread } from '../release/release.ts'

/**
 * What can change about a block: its html and the template html around it, its name, whether it is for everyone, its
 * days, its recipients, whether it appears in replies, its place in threads, its order in the slot, the signatures or positions that show it,
 * and whether clicks on its links are counted.
 */
export const BLOCK_CHANGE_ASPECTS = [
  'html',
  'name',
  'people',
  'days',
  'recipients',
  'replies',
  'thread',
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
}

/** How a block looks in one of the person's signatures, and when it appears. */
export const blockSample = object({ html: text, ...blockRule })
export type BlockSample = OutOf<typeof blockSample>
