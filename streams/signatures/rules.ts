import { contentHash } from '../html/hash.ts'
import { passes } from '../kernel/failure.ts'
import type { ComposeType, Message } from '../mailbox/events.ts'
import { isReplyOrForward } from '../mailbox/rules.ts'
import { assertNever } from '../kernel/event.ts'
import { OWN, type SignatureEntry } from './entry.ts'
import type { CachedSignature, Chosen, Target } from './events.ts'
import type { Collection, SignaturesState } from './reducer.ts'

/** Objects on one page of a list (specification, section 9). */
export const PAGE_SIZE = 5

/** The code of the variant that is meant for replies and forwards. */
export const REPLY = 'reply'

/**
 * The number of the page to load next; null when all are there, or when one is on its way: a page is asked for once
 * (specification, section 5). A failed page is next again.
 */
export const nextPage = (collection: Collection): number | null => {
  if (collection.status === 'pending') return null
  if (collection.pages.length === 0) return 1
  return collection.offset < collection.total ? Math.max(...collection.pages) + 1 : null
}

/** So many pages of a list are loaded for a search by themselves; further ones as the list is scrolled. */
export const SEARCHED_PAGES = 100

/** Whether a search goes on to the next page: until all are there, one fails, or very many were looked through. */
export const searchesOn = (collection: Collection): boolean =>
  collection.status === 'success' && nextPage(collection) !== null && collection.pages.length < SEARCHED_PAGES

/** The default for a message: its reply version in replies and forwards when there is one (specification, section 4). */
export const defaultFor = (
  signature: CachedSignature,
  { composeType }: Pick<Message, 'composeType'>,
): Readonly<{ html: string; reply: boolean }> =>
  isReplyOrForward(composeType) && signature.reply !== null
    ? { html: signature.reply, reply: true }
    : { html: signature.html, reply: false }

/** An entry of either list; undefined when it is not there any more. */
export const findEntry = ({ own, delegated }: SignaturesState, uuid: string): SignatureEntry | undefined =>
  own.entries.find((entry) => entry.uuid === uuid) ?? delegated.entries.find((entry) => entry.uuid === uuid)

/** No signature, chosen by the person. */
const nothing = (composeType: ComposeType | null): Chosen => ({
  name: '',
  combinedIds: '',
  html: '',
  images: [],
  reason: { origin: 'manual', composeType, reply: false },
})

/**
 * What would go into a message for a target, and why: the one decision that preview and insertion share. Null when
 * it is not there any more, or when what the message had before is not known.
 */
export function choose(
  state: SignaturesState,
  target: Target,
  { composeType }: Pick<Message, 'composeType'>,
): Chosen | null {
  switch (target.kind) {
    case 'default': {
      const { signature } = state.default
      if (!signature) return null
      const { html, reply } = defaultFor(signature, { composeType })
      const { name, combinedIds, images } = signature
      return { name, combinedIds, html, images, reason: { origin: 'default', composeType, reply } }
    }
    case 'entry': {
      const entry = findEntry(state, target.uuid)
      if (!entry) return null
      const { name, combinedIds, html, images, code } = entry
      return {
        name,
        combinedIds,
        html,
        images,
        reason: { origin: 'manual', composeType, reply: code === REPLY },
      }
    }
    case 'none':
      return nothing(composeType)
    case 'former': {
      if (!state.former) return null
      const { inMessage, content } = state.former
      if (inMessage === null) return nothing(composeType)
      if (content === null) return null
      const { name, combinedIds, reason } = inMessage
      return { name, combinedIds, ...content, reason: { ...reason, origin: 'manual' } }
    }
    default:
      return assertNever(target)
  }
}

/** Whether an entry is meant for these recipients: one without audiences is for everyone. */
export const fitsAudience = (entry: Pick<SignatureEntry, 'audiences'>, domains: readonly string[]): boolean =>
  entry.audiences.length === 0 ||
  domains.every((domain) => entry.audiences.some((audience) => audience.toLowerCase() === domain))

/** Whether every word that was typed begins a word of the entry's name, owner or code. */
export function matches(
  entry: Pick<SignatureEntry, 'name' | 'owner' | 'code' | 'collection'>,
  query: string,
): boolean {
  const words = (text: string) =>
    text
      .toLocaleLowerCase()
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .split(/[^\p{L}\p{N}]+/u)
  const known = words(
    `${entry.name} ${entry.owner === OWN ? '' : entry.owner} ${entry.code} ${entry.collection}`,
  )
  return words(query).every((word) => known.some((each) => each.startsWith(word)))
}

/** Recently used first, latest first; everything else stays in its order. A variant stays with its master. */
export function recentFirst<E extends Pick<SignatureEntry, 'combinedIds'>>(
  entries: readonly E[],
  recent: readonly string[],
): readonly E[] {
  if (recent.length === 0) return entries
  const rank = ({ combinedIds }: E) => {
    const place = recent.indexOf(combinedIds)
    return place < 0 ? recent.length : place
  }
  return [...entries].sort((one, other) => rank(one) - rank(other))
}

/**
 * The content hash of the default that belongs into the message and is not there yet; null when nothing is to be
 * done: a choice was made for this message, there is no default, it is in already, or it was tried already.
 */
export function dueDefault(
  signatures: SignaturesState,
  itemKey: string,
  message: Pick<Message, 'composeType' | 'stopPush'>,
): string | null {
  const { signature } = signatures.default
  if (message.stopPush || signature === null) return null
  if (signatures.inMessage?.reason.origin === 'manual') return null
  const { html } = defaultFor(signature, message)
  if (html === '') return null
  const hash = contentHash(html)
  if (signatures.inMessage?.hash === hash) return null
  const { insertion } = signatures
  if (insertion?.itemKey === itemKey) {
    if (insertion.status === 'pending' || insertion.hash === hash) return null
    // Why a choice failed stays on the screen; nothing is put in its place unasked.
    if (insertion.status === 'fail' && insertion.target.kind !== 'default') return null
  }
  return hash
}

/** Whether a list or the default is missing, or old, for a reason that goes away by itself. */
export const awaitsService = ({ own, delegated, refresh, default: standard }: SignaturesState): boolean =>
  [own.failure, delegated.failure, refresh.failure, standard.failure].some(
    (failure) => failure !== null && passes(failure),
  )
