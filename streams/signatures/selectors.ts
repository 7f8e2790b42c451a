import type { AppState } from '../app/state.ts'
import { createSelector } from '../kernel/selector.ts'
import type { CachedSignature, InMessage, SignatureImage } from './events.ts'
import type { SignatureEntry } from './entry.ts'
import type { Insertion } from './reducer.ts'
import { contentHash } from './rules.ts'

/** What a preview needs: the html as the service gave it, and the contents of its images as far as they are known. */
export type Content = Readonly<{ html: string; images: readonly SignatureImage[] }>

/**
 * An entry with its place in the person's work: `inUse` when it is what stands in the message; `standing` when it
 * goes in by itself, into every message or into replies; `insertion` while the latest one is about this entry.
 */
export type ListedEntry = Readonly<{
  entry: SignatureEntry
  inUse: boolean
  standing: 'default' | 'defaultReply' | null
  insertion: Insertion | null
}>

/** What stands in the message; `content` is null when it is none of the signatures that are loaded. */
export type ShownInMessage = Readonly<{ inMessage: InMessage; content: Content | null }>

const entries = ({ signatures }: AppState) => signatures.own.entries
const defaultSignature = ({ signatures }: AppState) => signatures.default.signature
const inMessage = ({ signatures }: AppState) => signatures.inMessage
const latestInsertion = ({ signatures }: AppState) => signatures.insertion

/** The entry whose content it is; when the content was changed since, the master that it came from. */
const entryOf = (
  all: readonly SignatureEntry[],
  { combinedIds, hash }: Pick<InMessage, 'combinedIds' | 'hash'>,
): SignatureEntry | null => {
  const related = all.filter((entry) => entry.combinedIds === combinedIds)
  return related.find(({ html }) => contentHash(html) === hash) ?? related[0] ?? null
}

const selectEntryInUse = createSelector([entries, inMessage], (all, present) =>
  present ? entryOf(all, present) : null,
)

const standingOf = (
  { combinedIds, type, html }: SignatureEntry,
  signature: CachedSignature | null,
): ListedEntry['standing'] => {
  if (combinedIds !== signature?.combinedIds) return null
  if (type === 'master') return 'default'
  return signature.reply !== null && html === signature.reply ? 'defaultReply' : null
}

/** The list as it is drawn. */
export const selectListedEntries = createSelector(
  [entries, selectEntryInUse, defaultSignature, latestInsertion],
  (all, inUse, signature, insertion): readonly ListedEntry[] =>
    all.map((entry) => ({
      entry,
      inUse: entry === inUse,
      standing: standingOf(entry, signature),
      insertion:
        insertion?.target.kind === 'entry' && insertion.target.uuid === entry.uuid ? insertion : null,
    })),
)

/** The signature in the message with what is known of its content; null when there is none of Signet's. */
export const selectShownInMessage = createSelector(
  [inMessage, defaultSignature, entries],
  (present, signature, all): ShownInMessage | null => {
    if (!present) return null
    const { images = [] } = signature ?? {}
    const known = [signature?.html, signature?.reply].find(
      (html) => typeof html === 'string' && contentHash(html) === present.hash,
    )
    if (typeof known === 'string') return { inMessage: present, content: { html: known, images } }
    const entry = all.find(
      ({ combinedIds, html }) => combinedIds === present.combinedIds && contentHash(html) === present.hash,
    )
    return { inMessage: present, content: entry ? { html: entry.html, images: entry.images } : null }
  },
)

/** The name of what the latest insertion is about; null when it is in no list any more. */
export const selectInsertionName = createSelector(
  [latestInsertion, entries, defaultSignature],
  (insertion, all, signature): string | null => {
    if (!insertion) return null
    const { target } = insertion
    return target.kind === 'default'
      ? (signature?.name ?? null)
      : (all.find(({ uuid }) => uuid === target.uuid)?.name ?? null)
  },
)

/** The entry by which a failed insertion can be tried again; null when the list does not have it. */
export const selectEntryToRetry = createSelector(
  [latestInsertion, entries, defaultSignature],
  (insertion, all, signature): SignatureEntry | null => {
    if (insertion?.status !== 'fail') return null
    const { target, hash } = insertion
    if (target.kind === 'entry') return all.find(({ uuid }) => uuid === target.uuid) ?? null
    return signature && hash !== null ? entryOf(all, { combinedIds: signature.combinedIds, hash }) : null
  },
)
