import type { Candidate } from '../../../streams/html/slots.ts'
import { splitAudiences } from '../../../streams/message/signatures/rules.ts'
import type { Translate } from './texts.ts'

/** The domains, addresses and lists that must include every recipient, for a sentence. */
export const namesWithin = (audiences: readonly string[], t: Translate): readonly string[] => {
  const { within, lists } = splitAudiences(audiences)
  return [...within, ...lists.map((name) => t('entry.list', { name }))]
}

const namesOf = (blocks: readonly Candidate[]): string => blocks.map(({ name }) => name).join(', ')

/** The names of the blocks in a signature: "With: Autumn banner, Notice"; null when there are none. */
export const blocksText = (blocks: readonly Candidate[], t: Translate): string | null =>
  blocks.length === 0 ? null : t('blocks.with', { names: namesOf(blocks) })

/** The reason and the end date of a block in a message: "Autumn banner: for everyone, until 31 Oct 2026". */
export function blockText(
  { name, everyone, audiences, replies, closes, thread }: Candidate,
  t: Translate,
): string {
  const { outside } = splitAudiences(audiences)
  const within = namesWithin(audiences, t)
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
