import type { SignatureImage } from '../../html/content.ts'
import { type SlottedHtml, slottedHtmlOf } from '../../html/slots.ts'
import { type CachedSignature, MEETING_VERSION, REPLY_VERSION } from '../../wire/signatures.ts'
import { MASTER_CODE, type SignatureEntry } from '../signatures/entry.ts'
import type { SenderSignature } from './senders.ts'

/** A version of a signature known from the service, with its slots. */
export type KnownVersion = SlottedHtml &
  Readonly<{ combinedIds: string; code: string; images: readonly SignatureImage[] }>

/** Every known version: of the default, of the signatures for certain messages, and of the list entries. */
export const knownVersions = (
  standard: CachedSignature | null,
  others: readonly SenderSignature[],
  entries: readonly SignatureEntry[],
): readonly KnownVersion[] => [
  ...(standard ? versionsOf(standard) : []),
  ...others.flatMap(({ combinedIds, images, reply, replySlots, meeting, ...other }): KnownVersion[] => [
    { combinedIds, images, code: MASTER_CODE, ...slottedHtmlOf(other) },
    ...(reply === null
      ? []
      : [{ combinedIds, images, code: REPLY_VERSION, ...slottedHtmlOf({ html: reply, slots: replySlots }) }]),
    ...(meeting ? [{ combinedIds, images, code: MEETING_VERSION, ...meeting }] : []),
  ]),
  ...entries,
]

const versionsOf = (standard: CachedSignature): readonly KnownVersion[] => {
  const { combinedIds, images, reply, meeting } = standard
  return [
    { ...standard, code: MASTER_CODE },
    ...(reply ? [{ combinedIds, ...reply.of, ...reply, images, code: REPLY_VERSION }] : []),
    ...(meeting ? [{ ...meeting, images, code: MEETING_VERSION }] : []),
  ]
}
