import type { SignatureImage } from '../../html/content.ts'
import { type Slotted, slottedOf } from '../../html/slots.ts'
import { type CachedSignature, MEETING, REPLY } from '../../wire/signatures.ts'
import { MASTER, type SignatureEntry } from '../signatures/entry.ts'
import type { SenderSignature } from './senders.ts'

/** A version of a signature known from the service, with its slots. */
export type KnownVersion = Slotted &
  Readonly<{ combinedIds: string; code: string; images: readonly SignatureImage[] }>

/** Every known version: of the default, of the signatures for certain messages, and of the list entries. */
export const knownVersions = (
  standard: CachedSignature | null,
  others: readonly SenderSignature[],
  entries: readonly SignatureEntry[],
): readonly KnownVersion[] => [
  ...(standard ? versionsOf(standard) : []),
  ...others.flatMap(({ combinedIds, images, reply, replySlots, meeting, ...other }): KnownVersion[] => [
    { combinedIds, images, code: MASTER, ...slottedOf(other) },
    ...(reply === null
      ? []
      : [{ combinedIds, images, code: REPLY, ...slottedOf({ html: reply, slots: replySlots }) }]),
    ...(meeting ? [{ combinedIds, images, code: MEETING, ...meeting }] : []),
  ]),
  ...entries,
]

const versionsOf = (standard: CachedSignature): readonly KnownVersion[] => {
  const { combinedIds, images, reply, meeting } = standard
  return [
    { ...standard, code: MASTER },
    ...(reply ? [{ combinedIds, ...reply.of, ...reply, images, code: REPLY }] : []),
    ...(meeting ? [{ ...meeting, images, code: MEETING }] : []),
  ]
}
