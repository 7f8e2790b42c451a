/** How the blocks of a person change: the parts of a plan that the service tells. */
import { flag, list, nullable, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'
import { period, recipients } from '../release/release.ts'

/**
 * What differs in a block: its html with what the template puts around it, its name, whether it is for all people, the
 * days on which it stands, its recipients, whether it stands in replies, its place among the blocks of its slot, the
 * signatures that show it or its place in them, or whether clicks on its links are counted.
 */
export const ASPECTS = [
  'html',
  'name',
  'people',
  'days',
  'recipients',
  'replies',
  'order',
  'places',
  'clicks',
] as const
export type BlockAspect = (typeof ASPECTS)[number]

export const blockChange = {
  kind: oneOf('added', 'removed', 'changed'),
  /** The block's id. `name` and `slot` are those of the new release, or of the old one if the block is removed. */
  block: text,
  name: text,
  slot: text,
  /** What differs in a changed block; empty for an added or removed one. */
  aspects: list(oneOf(...ASPECTS)),
}
export type BlockChange = OutOf<ReturnType<typeof object<typeof blockChange>>>

/** Which messages a block is in, on which days. */
export const blockRule = {
  during: nullable(period),
  recipients,
  replies: flag,
}

/** A block as it stands in the first signature of a person that shows it. */
export const standingBlock = object({ html: text, ...blockRule })
export type StandingBlock = OutOf<typeof standingBlock>
