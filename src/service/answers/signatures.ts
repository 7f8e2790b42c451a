/** The signatures in responses, rendered with the variables of their owners, and with their pictures. */
import type { Guard, Slotted } from '../../../streams/html/slots.ts'
import { createSlotted, type SignatureKind } from '../../../streams/organisation/rendering/render.ts'
import type { Release, Signature } from '../../../streams/organisation/release/release.ts'
import {
  assignedSignatures,
  recipientDomains,
  combinedIds,
  defaultChoice,
  guardFor,
  parseCombinedIds,
  visibleSignature,
} from '../../../streams/organisation/rules/rules.ts'
import type { InOf } from '../../../streams/kernel/schema.ts'
import type { READ_SIGNATURE, READ_SIGNATURES } from '../../../streams/wire/signatures.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { releaseWithCharacters } from '../people/characters.ts'
import { DomainError } from '../operations/domainError.ts'
import type { EmbeddedImage, Images } from './images.ts'
import type { Owners } from '../context/owners.ts'
import type { Caller } from '../context/serviceContext.ts'

type SignatureAnswer = InOf<typeof READ_SIGNATURE.answer>

/** A signature of one owner. */
export type Owned = Readonly<{ signature: Signature; owner: PersonState }>

/**
 * The signatures for the call for one signature. `master` is null without a default; the first of `meetings` with a
 * version for meetings is the default for these. `guard` comes with a default.
 */
export type Chosen = Readonly<{
  master: Owned | null
  reply: Owned | null
  meetings: readonly Owned[]
  guard: Guard | null
}>

/** What a call for one signature asks for. `owners` are the others on whom the answer depends. */
export type Asked = Readonly<{ owners: readonly PersonState[]; chosen: () => Chosen }>

export type ListQuery = Readonly<{
  build_base64: boolean
  /** The number of the page, from 1. */
  page: number
  per_page: number
  combined_ids?: string | undefined
}>

export type Signatures = ReturnType<typeof createSignatures>

/** A version in the bodies of responses. */
const sent = ({ html, slots }: Slotted) => ({ signature: html, ...(slots && { blocks: slots }) })

/**
 * @param countedUrl the address that counts clicks on an address in a block of a release
 * @param failed gets the id of a signature that failed to render, and is left out, or of a block
 * @param isGuarding whether the default comes with what is looked for before a message leaves
 */
export function createSignatures(
  owners: Owners,
  images: Images,
  countedUrl: (release: Release, block: string, address: string) => string,
  failed: (signature: string, error: unknown) => void,
  isGuarding = true,
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

  const ownedBy = ({ release, at }: Caller, owner: PersonState): readonly Owned[] =>
    assignedSignatures(release, owner, at).map((signature) => ({ signature, owner }))

  /** The other owners whom these ids may name. Ids of the user's own signatures need no query. */
  async function ownersOf(caller: Caller, ids: readonly (string | undefined)[]) {
    const isOthers = (one: string | undefined) =>
      one !== undefined && parseCombinedIds(one)?.owner !== caller.person.id
    const delegated = ids.some(isOthers) ? await owners.delegated(caller) : []
    return new Map(delegated.map((owner) => [owner.id, owner]))
  }

  /** @throws DomainError `not_found` for a signature that the user may not see */
  async function visible(caller: Caller, wanted: readonly string[]): Promise<readonly Owned[]> {
    const { release, person, at } = caller
    const others = await ownersOf(caller, wanted)
    return wanted.map((ids) => {
      const owned = visibleSignature(release, person, ids, at, others)
      if (owned === null) throw new DomainError('not_found', `There is no signature "${ids}" for you.`)
      return owned
    })
  }

  const ownersIn = ({ person }: Caller, { master, reply }: Chosen): readonly PersonState[] =>
    [master, reply].flatMap((owned) => (owned === null || owned.owner.id === person.id ? [] : [owned.owner]))

  /** The owners for whom the user may write, if the release looks for blocks, which may be theirs. */
  async function guarded(caller: Caller): Promise<readonly PersonState[]> {
    const { guard = [] } = caller.release.document
    return isGuarding && guard.some(({ missing }) => missing === 'block') ? owners.delegated(caller) : []
  }

  /**
   * The user's default. `others` are the other owners whom the user's choice may name, `delegating` those whose blocks
   * are looked for.
   */
  function chooseDefault(
    caller: Caller,
    others: ReadonlyMap<string, PersonState>,
    delegating: readonly PersonState[],
  ): Chosen {
    const { release, person, at } = caller
    const choice = defaultChoice(release, person, at, others)?.choice
    const named = (one: string | undefined) =>
      one === undefined ? null : visibleSignature(release, person, one, at, others)
    const master = named(choice?.master)
    const meetings = [...(master === null ? [] : [master]), ...ownedBy(caller, person)]
    const guard = isGuarding ? guardFor(release, person, delegating) : null
    return { master, reply: named(choice?.reply), meetings, guard }
  }

  /**
   * The named signature, or the user's default. A default of the user's own signatures is chosen only when it is sent:
   * then `owners` are the same whatever is chosen.
   *
   * @throws DomainError `not_found` for a named signature that the user may not see
   */
  async function asked(caller: Caller, ids: string | undefined): Promise<Asked> {
    if (ids === undefined) {
      const own = caller.person.metadata.defaultSignature
      const others = await ownersOf(caller, [own?.master, own?.reply])
      const delegating = await guarded(caller)
      if (others.size === 0)
        return { owners: delegating, chosen: () => chooseDefault(caller, others, delegating) }
      const chosen = chooseDefault(caller, others, delegating)
      return { owners: [...ownersIn(caller, chosen), ...delegating], chosen: () => chosen }
    }
    const [owned = null] = await visible(caller, [ids])
    const chosen = { master: owned, reply: null, meetings: owned === null ? [] : [owned], guard: null }
    return { owners: ownersIn(caller, chosen), chosen: () => chosen }
  }

  const idsOf = ({ signature, owner }: Owned) => combinedIds(signature.id, owner.id)
  const namesOf = (owned: Owned) => ({ name: owned.signature.name, combined_ids: idsOf(owned) })

  /** The pictures of versions, with those of every block that may stand in them. */
  function embedded(versions: readonly Slotted[]): Promise<EmbeddedImage[]> {
    const htmls = versions.flatMap(({ html, slots = [] }) => [
      html,
      ...slots.flatMap(({ candidates }) => candidates.map((candidate) => candidate.html)),
    ])
    return Promise.all(imageAddresses(htmls.join(''), `${images.base()}/`).map(images.embedded))
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

  /** The body of `GET …/signature/addin`. */
  async function cache(
    caller: Caller,
    { master, reply, meetings, guard }: Chosen,
    withImages: boolean,
  ): Promise<SignatureAnswer> {
    const signature = master === null ? null : render(caller, master, 'signature')
    if (master === null || signature === null) {
      const none = { name: '', user_id: caller.person.id, signature: '', reply: null, combined_ids: '' }
      return { ...none, base64_embedded_images: [] }
    }
    const { version, of } = replyVersion(caller, master, reply)
    const meeting = meetingVersion(caller, meetings)
    const versions = [signature, version, meeting?.version].flatMap((each) => each ?? [])
    return {
      name: master.signature.name,
      user_id: master.owner.id,
      ...sent(signature),
      reply: version?.html ?? null,
      ...(version?.slots && { reply_blocks: version.slots }),
      ...(of && { reply_name: of.signature.name, reply_combined_ids: idsOf(of) }),
      ...(meeting && { meeting: { ...namesOf(meeting.owned), ...sent(meeting.version) } }),
      ...(guard && { guard }),
      combined_ids: idsOf(master),
      base64_embedded_images: withImages ? await embedded(versions) : [],
    }
  }

  return {
    visible,
    asked,
    cache,

    /** The body of a list: one page of the owners' signatures, with the owner's e-mail address if `withEmail`. */
    list: async (
      caller: Caller,
      listed: readonly PersonState[],
      { build_base64, combined_ids, page, per_page }: ListQuery,
      withEmail: boolean,
    ): Promise<InOf<typeof READ_SIGNATURES.answer>> => {
      const { release } = caller
      const all = listed
        .flatMap((owner) => ownedBy(caller, owner))
        .filter((owned) => combined_ids === undefined || idsOf(owned) === combined_ids)
      const from = (page - 1) * per_page
      const rendered = all.slice(from, from + per_page).flatMap((owned) => {
        const version = render(caller, owned, 'signature')
        return version === null ? [] : [{ owned, version }]
      })
      const objects = await Promise.all(
        rendered.map(async ({ owned, version }) => {
          const { signature, owner } = owned
          const variants = (['reply', 'mobile', 'meeting'] as const).flatMap((code) => {
            const variant = render(caller, owned, code)
            return variant === null ? [] : [{ code, ...variant }]
          })
          return {
            name: signature.name,
            ...(withEmail ? { email: owner.addresses[0] ?? '' } : {}),
            ...sent(version),
            combined_ids: idsOf(owned),
            base64_embedded_images: build_base64 ? await embedded([version, ...variants]) : [],
            audiences: recipientDomains(release, signature),
            order: release.document.signatures.indexOf(signature),
            ...(signature.collection === null ? {} : { collection: signature.collection }),
            variants: variants.map(({ code, ...variant }) => ({ code, ...sent(variant) })),
          }
        }),
      )
      return { objects, total: all.length, page }
    },
  }
}

/**
 * The JSON of an answer, byte by byte as `JSON.stringify` writes it in UTF-8. Its pictures, which are
 * most of it, are copied as they are: base64 needs no escaping.
 */
export function encoded(answer: SignatureAnswer): Buffer {
  const { base64_embedded_images: pictures, ...more } = answer
  const parts: string[] = []
  let text = `${JSON.stringify(more).slice(0, -1)},"base64_embedded_images":[`
  for (const [at, { content, status, ...picture }] of pictures.entries()) {
    parts.push(
      `${text}${at === 0 ? '' : ','}${JSON.stringify({ ...picture, content: '' }).slice(0, -2)}`,
      content,
    )
    text = `","status":${String(status)}}`
  }
  parts.push(`${text}]}`)
  const isContent = (at: number) => at % 2 === 1
  const lengths = parts.map((part, at) => (isContent(at) ? part.length : Buffer.byteLength(part)))
  const body = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0))
  let end = 0
  for (const [at, part] of parts.entries()) end += body.write(part, end, isContent(at) ? 'latin1' : 'utf8')
  return body
}

const TAG = /<img(?=[\s/])([^<>]*)>/gi
const SOURCE = /\ssrc\s*=\s*"([^"]*)"/i

/** The addresses of pictures in `html` that begin with `prefix`, each once, in order. */
export function imageAddresses(html: string, prefix: string): string[] {
  const addresses = Array.from(html.matchAll(TAG), ([, attributes = '']) =>
    (SOURCE.exec(attributes)?.[1] ?? '').replaceAll('&amp;', '&'),
  )
  return [...new Set(addresses)].filter((address) => address.startsWith(prefix))
}
