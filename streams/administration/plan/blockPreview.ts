/** The previews of a draft's blocks: each block by itself, and one block in a person's message. */
import { type Formats, PLAIN_FORMATS } from '../../organisation/template/formats.ts'
import { fillSlots, blockAppearsIn, type Candidate } from '../../html/slots.ts'
import { tokensOf } from '../../html/tokens.ts'
import {
  type Block,
  type Release,
  type ReleaseDocument,
  type Signature,
  templatePathsOf,
} from '../../organisation/release/release.ts'
import {
  addressesByWriter,
  renderBlock,
  type SignatureKind,
  slottedSignature,
  templatePath,
} from '../../organisation/rendering/render.ts'
import {
  assignedSignatures,
  matchesSelection,
  isBlockFor,
  isPeriodOpen,
  openTimesOf,
  recipientAudiences,
  shareOfMessages,
} from '../../organisation/rules/rules.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import { sampleCircumstances, type SampleRecipients } from '../../organisation/release/supposed.ts'
import { blocksOf, showsSlot } from './blocks.ts'
import { releaseWithFormats, type PreviewUse } from './preview.ts'
import { type MarkedDocument, NO_PLACE_MARK } from './wordPlaces.ts'

/** A draft's block by itself. `html` is null if its template is missing. */
export type RenderedBlock = Readonly<{ block: Block; html: string | null; isForPerson: boolean }>

type Shown = Readonly<{ person: PersonState; writer?: PersonState | null }>

/** Renders a block by itself for a person; null if its template is missing. */
const alone = (release: Release, block: Block, { person, writer }: Shown, pictures: string) =>
  renderBlock(release, block, person, addressesByWriter(release, pictures, person, writer))

/** All blocks of a document in their order, rendered for a person. */
export function renderDraftBlocks(
  document: ReleaseDocument,
  shown: Shown,
  pictures: string,
  formats = PLAIN_FORMATS,
): readonly RenderedBlock[] {
  const release = releaseWithFormats(document, formats)
  return blocksOf(document).map((block) => ({
    block,
    html: alone(release, block, shown, pictures),
    isForPerson: isBlockFor(block, shown.person),
  }))
}

/**
 * Whether a message shows a block, or the first reason why not: no signature shows its slot; the person is not selected
 * or not in the share; the day; the hours; the days that the person enters; replies; the place in the thread; the
 * recipients; a missing template; an earlier block in the slot; or the
 * signature hides the slot for the person.
 */
export type BlockStatus =
  /** `share`: the percentage of such messages that show the block; absent for all of them. */
  | Readonly<{ code: 'stands'; share?: number }>
  | Readonly<{
      code:
        | 'slot'
        | 'person'
        | 'share'
        | 'day'
        | 'hours'
        | 'ownDays'
        | 'reply'
        | 'thread'
        | 'recipients'
        | 'template'
        | 'hidden'
    }>
  | Readonly<{ code: 'before'; name: string }>

export type BlockPreview = Readonly<{
  standing: BlockStatus
  /** The signature with the slot: one of the person's, or else the draft's first; null if there is none. */
  signature: Readonly<{ id: string; name: string; kind: SignatureKind }> | null
  /** The signature in the message; null if there is none. */
  html: string | null
  /** The block by itself; null if its template is missing. */
  alone: string | null
}>

/**
 * The block that uses a template: the block whose page is open, or else the first block with this template, unless a
 * signature uses it.
 *
 * @param path the open template; null if none is open
 * @param page the block whose page is open; null on other pages
 */
export function blockOfTemplate(
  document: ReleaseDocument,
  path: string | null,
  page: string | null,
): Block | null {
  const ofPage = blocksOf(document).find(({ id }) => id === page)
  if (ofPage && (path === null || ofPage.template === path)) return ofPage
  const isOfSignature = document.signatures.some((signature) =>
    templatePathsOf(signature).includes(path ?? ''),
  )
  return isOfSignature ? null : (blocksOf(document).find(({ template }) => template === path) ?? null)
}

type Wanted = Shown &
  Readonly<{
    at: number
    use: PreviewUse
    recipients: SampleRecipients | null
  }>

/**
 * A block, and a person's message with its slot before the slots are filled; null if the document does not have the block.
 */
function messageWithSlot(
  document: ReleaseDocument,
  id: string,
  { person, writer, at, use, recipients }: Wanted,
  pictures: string,
  formats: Formats,
) {
  const block = blocksOf(document).find((each) => each.id === id)
  if (!block) return null
  const release = releaseWithFormats(document, formats)
  const message = { ...sampleCircumstances(release, recipients, use === 'reply'), at }
  const kindOf = (signature: Signature): SignatureKind =>
    use === 'reply' && signature.reply !== null ? 'reply' : 'signature'
  const signature = [...assignedSignatures(release, person, at), ...document.signatures].find((each) =>
    showsSlot(document, templatePath(each, kindOf(each)) ?? '', block.slot),
  )
  const addresses = addressesByWriter(release, pictures, person, writer)
  const kind = signature && kindOf(signature)
  const slotted = signature && kind ? slottedSignature(release, signature, kind, person, addresses, at) : null
  return { block, release, message, signature, kind, slotted }
}

type MessageWithSlot = NonNullable<ReturnType<typeof messageWithSlot>>

/** Previews a block in a person's message; null if the document does not have the block. */
export function blockPreview(
  document: ReleaseDocument,
  id: string,
  wanted: Wanted,
  pictures: string,
  formats = PLAIN_FORMATS,
): BlockPreview | null {
  const shown = messageWithSlot(document, id, wanted, pictures, formats)
  return shown && previewIn(shown, wanted, pictures)
}

function previewIn(
  { block, release, message, signature, kind, slotted }: MessageWithSlot,
  wanted: Wanted,
  pictures: string,
): BlockPreview {
  const { person, at } = wanted
  const { id } = block
  const filled = slotted && fillSlots(slotted, message)

  const standing = (): BlockStatus => {
    const share = shareOfMessages(block)
    const stands = { code: 'stands', ...(share !== undefined && { share }) } as const
    if (filled?.blocks.some((each) => each.id === id)) return stands
    if (!signature) return { code: 'slot' }
    if (!matchesSelection(block.selection, person)) return { code: 'person' }
    if (!isBlockFor(block, person)) return { code: 'share' }
    if (!isPeriodOpen(block.during, at)) return { code: 'day' }
    const open = openTimesOf(release, block, person, at)
    if (open?.some(([from, to]) => from <= at && at < to) === false)
      return { code: block.ownDays ? 'ownDays' : 'hours' }
    if (message.isReply && !block.replies) return { code: 'reply' }
    if (block.thread && block.thread !== message.thread) return { code: 'thread' }
    if (!blockAppearsIn({ audiences: recipientAudiences(release, block), replies: true }, message))
      return { code: 'recipients' }
    if (release.templateOf(block.template) === null) return { code: 'template' }
    const there = slotted?.slots
      ?.find(({ name }) => name === block.slot)
      ?.candidates.find((each) => blockAppearsIn(each, message))
    if (there?.id === id) return stands
    return there ? { code: 'before', name: there.name } : { code: 'hidden' }
  }

  return {
    standing: standing(),
    signature: signature && kind ? { id: signature.id, name: signature.name, kind } : null,
    html: filled?.html ?? null,
    alone: alone(release, block, wanted, pictures),
  }
}

/**
 * What the visual editor of a block shows: the message that shows the block, or else the block by itself. `marked` has
 * marks only in the block, so that nothing else can be selected, even if it uses the same parts.
 */
export type BlockDrawing = Readonly<{
  standing: BlockStatus
  signature: BlockPreview['signature']
  html: string | null
  marked: string | null
}>

/** Ends the last word of a marked block. Without that, the unmarked text after the block would belong to this word. */
const withEndMark = (html: string): string =>
  [...tokensOf(html)].at(-1)?.kind === 'text' ? html + NO_PLACE_MARK : html

/** Draws a block for the visual editor; null if the document does not have the block. */
export function drawBlock(
  { document: marked, unmarked }: MarkedDocument,
  id: string,
  wanted: Wanted,
  pictures: string,
  formats = PLAIN_FORMATS,
): BlockDrawing | null {
  const shown = messageWithSlot(unmarked, id, wanted, pictures, formats)
  if (!shown) return null
  const { block, slotted, message } = shown
  const preview = previewIn(shown, wanted, pictures)
  const { standing, signature, html } = preview
  if (standing.code !== 'stands' || !slotted) {
    const release = releaseWithFormats(marked, formats)
    return {
      standing,
      signature,
      html: preview.alone,
      marked: alone(release, block, wanted, pictures),
    }
  }
  const markedSlots = messageWithSlot(marked, id, wanted, pictures, formats)?.slotted?.slots ?? []
  const slots = (slotted.slots ?? []).map((slot, index) => ({
    ...slot,
    candidates: slot.candidates.map((candidate): Candidate => {
      const same = markedSlots[index]?.candidates.find((each) => each.id === candidate.id)
      return candidate.id === id && same ? { ...same, html: withEndMark(same.html) } : candidate
    }),
  }))
  return { standing, signature, html, marked: fillSlots({ ...slotted, slots }, message).html }
}
