/** The links that count clicks. Each has an id, and leads to one published address. */
import { createHash } from 'node:crypto'
import { runSteps, type Steps } from '../../../streams/kernel/steps.ts'
import { findingCountedLinks } from '../../../streams/organisation/figures/clicks.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import type { CountedLink } from '../sql/clicks.ts'

const ID_CHARACTERS = 22
const ID = /^[\w-]{22}$/

export const isLinkId = (text: string): boolean => ID.test(text)

/**
 * The id of an address in a block, the same in every release; null for an invalid address. The 22 characters of a hash
 * cannot be guessed, and cannot be forged for another address.
 */
export const linkId = (block: string, address: string): string | null =>
  URL.canParse(address)
    ? createHash('sha256').update(`${block}\n${address}`).digest('base64url').slice(0, ID_CHARACTERS)
    : null

type Links = ReadonlyMap<string, CountedLink>

const known = new WeakMap<Release, Links>()
/** The number of ids that one step computes. */
const LINKS_AT_ONCE = 100

/** The links of a release by id, read once for each release; empty when the organisation does not count clicks. */
export const linksOfRelease = (release: Release): Links =>
  known.get(release) ?? runSteps(findingLinksOfRelease(release))

/** Does the work of `linksOfRelease` in steps, after a release is compiled. A later `linksOfRelease` finds the result in memory. */
export function* findingLinksOfRelease(release: Release): Steps<Links> {
  const links = new Map<string, CountedLink>()
  for (const [index, { block, address }] of (yield* findingCountedLinks(release)).entries()) {
    if (index % LINKS_AT_ONCE === 0) yield
    const id = linkId(block, address)
    if (id !== null) links.set(id, { id, block, address: new URL(address).href })
  }
  known.set(release, links)
  return links
}
