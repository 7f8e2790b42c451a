/** The copies of a signature for mail from other own addresses. They differ where its templates show the sender. */
import { type SlottedHtml, slottedHtmlOf } from '../../html/slots.ts'
import type { SenderCopy } from '../../wire/signatures.ts'
import { MASTER_CODE } from './entry.ts'

type WithCopies = Readonly<{ copies?: readonly SenderCopy[] | undefined }>

const versionIn = (copy: SenderCopy, code: string): SlottedHtml | undefined =>
  code === MASTER_CODE ? copy : copy.variants.find((each) => each.code === code)

/**
 * A version of a signature as it is for mail from an address: with the html of the copy for this address, if there is
 * one.
 *
 * @param code the version's code, as in `SignatureVersion`
 */
export function versionFrom<Version extends SlottedHtml>(
  version: Version,
  code: string,
  { copies = [] }: WithCopies,
  sender: string,
): Omit<Version, keyof SlottedHtml> & SlottedHtml {
  const copy = copies.find((each) => each.sender === sender.toLowerCase())
  const copied = copy && versionIn(copy, code)
  if (!copied) return version
  const { html: _, slots: __, ...others } = version
  return { ...others, ...slottedHtmlOf(copied) }
}

/** A version of a signature with its html for every own address. */
export const versionsForSenders = (
  version: SlottedHtml,
  code: string,
  { copies = [] }: WithCopies,
): readonly SlottedHtml[] => [version, ...copies.flatMap((copy) => versionIn(copy, code) ?? [])]
