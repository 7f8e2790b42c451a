/** Renders the versions of signatures: for new messages, replies and meetings. */
import type { Slotted } from '../../../streams/html/slots.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { createSlotted, type SignatureKind } from '../../../streams/organisation/rendering/render.ts'
import { combinedIds } from '../../../streams/organisation/rules/rules.ts'
import type { Caller } from '../context/serviceContext.ts'
import { releaseWithCharacters } from '../people/characters.ts'
import type { Owned } from './choosing.ts'
import type { Images } from './images.ts'

/**
 * @param countedUrl the address that counts clicks on an address in a block of a release
 * @param failed gets the id of a signature that failed to render, and is left out, or of a block
 */
export function createVersions(
  images: Pick<Images, 'base' | 'addressOf'>,
  countedUrl: (release: Release, block: string, address: string) => string,
  failed: (signature: string, error: unknown) => void,
) {
  /** What renders for the owners in one answer, so that their values and blocks are read once. */
  const renderers = new WeakMap<Caller, Map<PersonState, ReturnType<typeof createSlotted>>>()

  function rendererFor(caller: Caller, owner: PersonState) {
    const ofCaller = renderers.get(caller) ?? new Map<PersonState, ReturnType<typeof createSlotted>>()
    renderers.set(caller, ofCaller)
    const known = ofCaller.get(owner)
    if (known) return known
    const { release, at } = caller
    const addresses = {
      pictures: images.base(),
      pictureUrl: images.addressOf(owner),
      countedUrl: (block: string, address: string) => countedUrl(release, block, address),
    }
    const renderer = createSlotted(releaseWithCharacters(release), owner, addresses, at, (block, error) =>
      failed(`block ${block}`, error),
    )
    ofCaller.set(owner, renderer)
    return renderer
  }

  /** A version; null when the signature does not have the version, and when rendering fails. */
  function render(caller: Caller, { signature, owner }: Owned, version: SignatureKind): Slotted | null {
    try {
      return rendererFor(caller, owner)(signature, version)
    } catch (error) {
      failed(signature.id, error)
      return null
    }
  }

  /**
   * The version for replies and its signature: those of `reply`, or of `master` if `reply` is null. Both are null if the
   * master has no version for replies.
   */
  function replyVersion(
    caller: Caller,
    master: Owned,
    reply: Owned | null,
  ): Readonly<{ version: Slotted | null; of: Owned | null }> {
    const of = reply ?? master
    const version = render(caller, of, 'reply')
    if (version !== null) return { version, of }
    if (idsOf(of) === idsOf(master)) return { version: null, of: null }
    return { version: render(caller, of, 'signature'), of }
  }

  /** The first signature with a version for meetings. */
  function meetingVersion(
    caller: Caller,
    meetings: readonly Owned[],
  ): Readonly<{ version: Slotted; owned: Owned }> | null {
    for (const owned of meetings) {
      const version = owned.signature.meeting === undefined ? null : render(caller, owned, 'meeting')
      if (version !== null) return { version, owned }
    }
    return null
  }

  return { render, replyVersion, meetingVersion }
}

/** The ids of a signature and its owner, as the add-in names the signature. */
export const idsOf = ({ signature, owner }: Owned): string => combinedIds(signature.id, owner.id)
