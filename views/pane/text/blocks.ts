import type { Candidate } from '../../../streams/html/slots.ts'
import { splitAudiences } from '../../../streams/message/signatures/rules.ts'
import type { Translate } from './texts.ts'

const namesOf = (blocks: readonly Candidate[]): string => blocks.map(({ name }) => name).join(', ')

/** The names of the blocks in a signature: "With: Autumn banner, Notice"; null when there are none. */
export const blocksText = (blocks: readonly Candidate[], t: Translate): string | null =>
  blocks.length === 0 ? null : t('blocks.with', { names: namesOf(blocks) })

/** The reason and the end date of a block in a message: "Autumn banner: for everyone, until 31 Oct 2026". */
export function blockText(
  { name, everyone, audiences, replies, closes, thread }: Candidate,
  t: Translate,
): string {
  const { within, outside } = splitAudiences(audiences)
  const why = [
    t(everyone ? 'blocks.everyone' : 'blocks.you'),
    ...(outside.length > 0 ? [t('blocks.outside')] : []),
    ...(within.length > 0 ? [t('blocks.within', { domains: within })] : []),
    ...(replies ? [] : [t('blocks.newOnly')]),
    ...(thread ? [t(thread === 'first' ? 'blocks.threadFirst' : 'blocks.threadLater')] : []),
    // The period ends just before this moment, so the last moment inside it is shown.
    ...(closes === null ? [] : [t('blocks.until', { last: closes - 1 })]),
  ]
  return t('blocks.why', { name, why: why.join(', ') })
}
