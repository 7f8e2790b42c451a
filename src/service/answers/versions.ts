/** Renders the versions of signatures: for new messages, replies and meetings. */
import type { SlottedHtml } from '../../../streams/html/slots.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { createSlottedRenderer, type SignatureKind } from '../../../streams/organisation/rendering/render.ts'
import { combinedIds } from '../../../streams/organisation/rules/rules.ts'
import type { Caller } from '../context/serviceContext.ts'
import { releaseWithDecodedReferences } from '../people/characters.ts'
import type { OwnedSignature } from './choosing.ts'
import type { Images } from './images.ts'

/**
 * @param countedUrl returns the counting address for an address in a block of a release
 * @param failed gets the id of a signature or block that failed to render; the response omits the signature
 */
export function createVersionRenderer(
  images: Pick<Images, 'base' | 'addressOf'>,
  countedUrl: (release: Release, block: string, address: string) => string,
  failed: (signature: string, error: unknown) => void,
) {
  /** The renderers of a response by owner, so that the values and blocks of each owner are read once. */
  const renderers = new WeakMap<Caller, Map<PersonState, ReturnType<typeof createSlottedRenderer>>>()

  function rendererFor(caller: Caller, owner: PersonState) {
    const ofCaller = renderers.get(caller) ?? new Map<PersonState, ReturnType<typeof createSlottedRenderer>>()
    renderers.set(caller, ofCaller)
    const known = ofCaller.get(owner)
    if (known) return known
    const { release, person, at } = caller
    const addresses = {
      pictures: images.base(),
      pictureUrl: images.addressOf(owner),
      countedUrl: (block: string, address: string) => countedUrl(release, block, address),
      writer: { person, pictureUrl: images.addressOf(person) },
    }
    const renderer = createSlottedRenderer(
      releaseWithDecodedReferences(release),
      owner,
      addresses,
      at,
      (block, error) => failed(`block ${block}`, error),
    )
    ofCaller.set(owner, renderer)
    return renderer
  }

  /**
   * Renders a version; null when the signature has no such version, or when rendering fails.
   *
   * @param sender the caller's address that the caller's own signature shows as the sender, if it is not the main one
   */
  function render(
    caller: Caller,
    { signature, owner }: OwnedSignature,
    version: SignatureKind,
    sender?: string,
  ): SlottedHtml | null {
    try {
      const own = owner.id === caller.person.id ? sender : undefined
      return rendererFor(caller, owner)(signature, version, own)
    } catch (error) {
      failed(signature.id, error)
      return null
    }
  }

  /**
   * Renders the version for replies: of `reply`, or of `master` if `reply` is null. Another signature than `master`
   * falls back to its normal version. Both results are null if `master` has no reply version.
   */
  function replyVersion(
    caller: Caller,
    master: OwnedSignature,
    reply: OwnedSignature | null,
    sender?: string,
  ): Readonly<{ version: SlottedHtml | null; of: OwnedSignature | null }> {
    const of = reply ?? master
    const version = render(caller, of, 'reply', sender)
    if (version !== null) return { version, of }
    if (combinedIdsOf(of) === combinedIdsOf(master)) return { version: null, of: null }
    return { version: render(caller, of, 'signature', sender), of }
  }

  /** Renders the first of these signatures that has a meeting version. */
  function meetingVersion(
    caller: Caller,
    meetings: readonly OwnedSignature[],
    sender?: string,
  ): Readonly<{ version: SlottedHtml; owned: OwnedSignature }> | null {
    for (const owned of meetings) {
      const version = owned.signature.meeting === undefined ? null : render(caller, owned, 'meeting', sender)
      if (version !== null) return { version, owned }
    }
    return null
  }

  return { render, replyVersion, meetingVersion }
}

/** The id that the add-in uses for a signature: the ids of the signature and its owner, combined. */
export const combinedIdsOf = ({ signature, owner }: OwnedSignature): string =>
  combinedIds(signature.id, owner.id)
