import type { SignatureImage } from '../../html/content.ts'
import { type SlottedHtml, slottedHtmlOf } from '../../html/slots.ts'
import {
  type CachedSignature,
  MEETING_VERSION,
  REPLY_VERSION,
  type SenderCopy,
} from '../../wire/signatures.ts'
import { versionsForSenders } from '../signatures/copies.ts'
import { MASTER_CODE, type SignatureEntry } from '../signatures/entry.ts'
import type { SenderSignature } from './senders.ts'

/** A version of a signature known from the service, with its slots and the copies of its signature. */
export type KnownVersion = SlottedHtml &
  Readonly<{
    combinedIds: string
    code: string
    images: readonly SignatureImage[]
    copies?: readonly SenderCopy[] | undefined
  }>

/** The html of a version for every own address. */
export const senderVersions = (version: KnownVersion): readonly SlottedHtml[] =>
  versionsForSenders(version, version.code, version)

/** Every known version: of the default, of the signatures for certain messages, and of the list entries. */
export const knownVersions = (
  standard: CachedSignature | null,
  others: readonly SenderSignature[],
  entries: readonly SignatureEntry[],
): readonly KnownVersion[] => [
  ...(standard ? versionsOf(standard) : []),
  ...others.flatMap(
    ({ combinedIds, images, copies, reply, replySlots, meeting, ...other }): KnownVersion[] => {
      const of = { combinedIds, images, copies }
      return [
        { ...of, code: MASTER_CODE, ...slottedHtmlOf(other) },
        ...(reply === null
          ? []
          : [{ ...of, code: REPLY_VERSION, ...slottedHtmlOf({ html: reply, slots: replySlots }) }]),
        ...(meeting ? [{ ...of, code: MEETING_VERSION, ...meeting }] : []),
      ]
    },
  ),
  ...entries,
]

const versionsOf = (standard: CachedSignature): readonly KnownVersion[] => {
  const { combinedIds, images, copies, reply, meeting } = standard
  return [
    { ...standard, code: MASTER_CODE },
    ...(reply ? [{ combinedIds, ...reply.of, ...reply, images, copies, code: REPLY_VERSION }] : []),
    ...(meeting ? [{ ...meeting, images, copies, code: MEETING_VERSION }] : []),
  ]
}
