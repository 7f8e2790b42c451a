/** Renders the signatures that a mail may contain, and finds the rendering that the mail contains. */
import { contentHash } from '../../../../streams/html/hash.ts'
import { isSameText } from '../../../../streams/html/message.ts'
import { sanitizeMarkup } from '../../../../streams/html/sanitizeMarkup.ts'
import { type Candidate, type Circumstances, fillSlots } from '../../../../streams/html/slots.ts'
import type { Steps } from '../../../../streams/kernel/steps.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import type { Release, Signature } from '../../../../streams/organisation/release/release.ts'
import { sampleCircumstances } from '../../../../streams/organisation/release/supposed.ts'
import { namesWriter, showsSender } from '../../../../streams/organisation/release/selectors.ts'
import { copiedSenders } from '../../../../streams/organisation/rules/rules.ts'
import {
  addressesByWriter,
  createSlottedRenderer,
  SIGNATURE_USES,
  type SignatureKind,
} from '../../../../streams/organisation/rendering/render.ts'
import type { ExplainedSent } from '../../../../streams/wire/administration/explaining.ts'
import { releaseWithDecodedReferences } from '../../people/characters.ts'
import { createCountedUrl } from '../countedLinks.ts'

/** The mail's properties that select its blocks. Earlier commands send only the recipients' domains. */
export type SentMessage = Readonly<{
  isReply: boolean
  domains: readonly string[]
  recipients?: readonly string[]
}>

/** One rendering of a signature, in one use and for one kind of message. */
export type SentRendering = Readonly<{
  release: Release
  owner: PersonState
  /** The person who wrote for a mailbox; null if unknown. */
  writer: PersonState | null
  signature: Signature
  use: SignatureKind
  blocks: readonly Candidate[]
  html: string
}>

/** @param publicUrl the service's public address, without a slash at the end */
export function createSentRenderings(publicUrl: () => string) {
  const countedUrl = createCountedUrl(publicUrl)

  /** Renders exactly as for the add-in. */
  const slottedFor = (release: Release, owner: PersonState, writer: PersonState | null, at: number) =>
    createSlottedRenderer(
      releaseWithDecodedReferences(release),
      owner,
      {
        ...addressesByWriter(release, `${publicUrl()}/images`, owner, writer),
        countedUrl: (block, address) => countedUrl(release, block, address),
      },
      at,
    )

  /**
   * All renderings of a signature in a release for these states of its owner, the most likely first.
   *
   * @param writers the states of the person who wrote, if the owner is a mailbox; empty if unknown
   */
  function* rendering(
    release: Release,
    signature: Signature,
    owners: readonly PersonState[],
    writers: readonly PersonState[],
    { at, isReply, domains, recipients = domains }: SentMessage & Readonly<{ at: number }>,
  ): Generator<SentRendering, void, void> {
    const messages = (asReply: boolean): readonly Circumstances[] => [
      ...(['first', 'later'] as const).map((thread) => ({ isReply: asReply, thread, recipients, at })),
      ...([null, 'external', 'internal'] as const).map((supposed) => ({
        ...sampleCircumstances(release, supposed, asReply),
        at,
      })),
    ]
    const uses = isReply ? (['reply', 'signature', 'mobile', 'meeting'] as const) : SIGNATURE_USES
    const pairs = owners.flatMap((owner) => {
      const known = namesWriter(release, owner) ? writers : []
      return (known.length > 0 ? known : [null]).map((writer) => ({ owner, writer }))
    })
    for (const { owner, writer } of pairs) {
      const slotted = slottedFor(release, owner, writer, at)
      const senders = showsSender(release) ? [undefined, ...copiedSenders(owner)] : [undefined]
      for (const use of uses)
        for (const sender of senders) {
          const rendered = slotted(signature, use, sender)
          if (rendered === null) continue
          // The number of the message is unknown, so each share of messages may have begun before it.
          const shares = rendered.slots?.flatMap((slot) =>
            slot.candidates.flatMap(({ share }) => share ?? []),
          )
          const turns = [...new Set([0, ...(shares ?? [])])]
          for (const message of [...messages(isReply), ...messages(!isReply)])
            for (const turn of turns)
              yield { release, owner, writer, signature, use, ...fillSlots(rendered, { ...message, turn }) }
        }
    }
  }

  return { slottedFor, rendering }
}

/** Finds the rendering with this hash, else the first rendering with the same words, else the first rendering. */
export function* findingRendering(
  renderings: Iterable<SentRendering>,
  { hash, html }: Readonly<{ hash: string; html: string }>,
): Steps<Readonly<{ by: ExplainedSent['by']; found: SentRendering }> | null> {
  let words: SentRendering | null = null
  let first: SentRendering | null = null
  const seen = new Set<string>()
  for (const each of renderings) {
    const known = contentHash(each.html)
    if (seen.has(known)) continue
    seen.add(known)
    if (known === hash) return { by: 'hash', found: each }
    words ??= isSameText(sanitizeMarkup(each.html, 'insert'), html, 'html') ? each : null
    first ??= each
    yield
  }
  const found = words ?? first
  return found && { by: words ? 'words' : 'time', found }
}
