/** The links that count clicks: each has an id, and leads to one address that was published. */
import { createHash } from 'node:crypto'
import { countedAddresses } from '../../streams/organisation/clicks.ts'
import type { ReleaseDocument } from '../../streams/organisation/release.ts'

export type CountedLink = Readonly<{
  id: string
  block: string
  /** Where the link leads, as a header can have it. */
  address: string
}>

const ID_CHARACTERS = 22
const ID = /^[\w-]{22}$/

export const isLinkId = (text: string): boolean => ID.test(text)

/**
 * The id of an address in a block, the same in every release; null for an address that is none. 22 characters of a hash
 * cannot be guessed, nor made to meet another address.
 */
export const linkId = (block: string, address: string): string | null =>
  URL.canParse(address)
    ? createHash('sha256').update(`${block}\n${address}`).digest('base64url').slice(0, ID_CHARACTERS)
    : null

const known = new WeakMap<ReleaseDocument, ReadonlyMap<string, CountedLink>>()

/** The links of a document by their ids; none when the organisation does not count. Read once for a document. */
export function linksOf(document: ReleaseDocument): ReadonlyMap<string, CountedLink> {
  const links =
    known.get(document) ??
    new Map(
      countedAddresses(document).flatMap(({ block, address }) => {
        const id = linkId(block, address)
        return id === null ? [] : [[id, { id, block, address: new URL(address).href }] as const]
      }),
    )
  known.set(document, links)
  return links
}
