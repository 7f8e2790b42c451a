/** Builds the signatures in responses: renders them with their owners' values, and adds their pictures. */
import type { SlottedHtml } from '../../../streams/html/slots.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { copiedSenders, recipientAudiences, sendersFor } from '../../../streams/organisation/rules/rules.ts'
import { showsSender } from '../../../streams/organisation/release/selectors.ts'
import type { InOf } from '../../../streams/kernel/schema.ts'
import type { READ_SIGNATURE, READ_SIGNATURES } from '../../../streams/wire/signatures.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { SignatureKind } from '../../../streams/organisation/rendering/render.ts'
import {
  type ChosenSignatures,
  createSignatureChooser,
  type OwnedSignature,
  ownedSignaturesOf,
} from './choosing.ts'
import type { EmbeddedImage, Images } from './images.ts'
import type { DelegatedOwners } from '../context/owners.ts'
import type { Caller } from '../context/serviceContext.ts'
import { createVersionRenderer, combinedIdsOf } from './versions.ts'

type SignatureAnswer = InOf<typeof READ_SIGNATURE.answer>

export type SignatureListQuery = Readonly<{
  build_base64: boolean
  /** The number of the page, from 1. */
  page: number
  per_page: number
  combined_ids?: string | undefined
}>

export type SignatureAnswers = ReturnType<typeof createSignatureAnswers>

/** The versions of a signature besides the one for new messages, with their codes. */
type Variants = readonly (SlottedHtml & Readonly<{ code: string }>)[]

/** A signature's html for mail from one address. */
type Rendered = Readonly<{ version: SlottedHtml; variants: Variants }>

const variantsOf = (
  all: Readonly<Record<'reply' | 'mobile' | 'meeting', SlottedHtml | null | undefined>>,
): Variants =>
  (['reply', 'mobile', 'meeting'] as const).flatMap((code) => {
    const variant = all[code]
    return variant ? [{ code, ...variant }] : []
  })

/**
 * The copies of a signature for the caller's addresses whose html is not the main one. Without `{{sender}}` in the
 * release's templates, there are none.
 */
function copiesOf(
  { release, person }: Caller,
  main: Rendered,
  render: (sender: string) => Rendered | null,
): readonly (Rendered & Readonly<{ sender: string }>)[] {
  if (!showsSender(release)) return []
  return copiedSenders(person).flatMap((sender) => {
    const copy = render(sender)
    const differs = copy !== null && JSON.stringify(copy) !== JSON.stringify(main)
    return differs ? [{ ...copy, sender: sender.toLowerCase() }] : []
  })
}

/** Converts a rendered version to the form of response bodies. */
const sent = ({ html, slots }: SlottedHtml) => ({ signature: html, ...(slots && { blocks: slots }) })

const sentVariants = (variants: Variants) =>
  variants.map(({ code, ...variant }) => ({ code, ...sent(variant) }))

const sentCopies = (copies: ReturnType<typeof copiesOf>) =>
  copies.length === 0
    ? {}
    : {
        by_sender: copies.map(({ sender, version, variants }) => ({
          sender,
          ...sent(version),
          variants: sentVariants(variants),
        })),
      }

const versionsIn = (all: readonly Rendered[]): readonly SlottedHtml[] =>
  all.flatMap(({ version, variants }) => [version, ...variants])

/**
 * @param countedUrl returns the counting address for an address in a block of a release
 * @param failed gets the id of a signature or block that failed to render; the response omits the signature
 * @param isGuarding whether the default comes with `guard`, the checks before a message is sent
 */
export function createSignatureAnswers(
  owners: DelegatedOwners,
  images: Images,
  countedUrl: (release: Release, block: string, address: string) => string,
  failed: (signature: string, error: unknown) => void,
  isGuarding = true,
) {
  const { visible, asked } = createSignatureChooser(owners, isGuarding)
  const { render, replyVersion, meetingVersion } = createVersionRenderer(images, countedUrl, failed)

  const namesOf = (owned: OwnedSignature) => ({
    name: owned.signature.name,
    combined_ids: combinedIdsOf(owned),
  })

  /** The attached pictures of versions, and of every block that their slots may show. */
  function embedded(versions: readonly SlottedHtml[]): Promise<EmbeddedImage[]> {
    const htmls = versions.flatMap(({ html, slots = [] }) => [
      html,
      ...slots.flatMap(({ candidates }) => candidates.map((candidate) => candidate.html)),
    ])
    const all = imageAddresses(htmls.join(''), `${images.base()}/`)
    return Promise.all(all.filter(images.isAttached).map(images.embedded))
  }

  /** Renders all versions of a signature; null without the version for new messages. */
  function renderAllVersions(caller: Caller, owned: OwnedSignature, sender?: string): Rendered | null {
    const version = render(caller, owned, 'signature', sender)
    if (version === null) return null
    const variant = (code: SignatureKind) => render(caller, owned, code, sender)
    return {
      version,
      variants: variantsOf({
        reply: variant('reply'),
        mobile: variant('mobile'),
        meeting: variant('meeting'),
      }),
    }
  }

  /** Renders a user's default for new messages, replies and meetings; null if the user has no default. */
  function renderDefault(
    caller: Caller,
    { master, reply, meetings }: Pick<ChosenSignatures, 'master' | 'reply' | 'meetings'>,
    sender?: string,
  ) {
    const version = master && render(caller, master, 'signature', sender)
    if (master === null || version === null) return null
    const { version: answer, of } = replyVersion(caller, master, reply, sender)
    const meeting = meetingVersion(caller, meetings, sender)
    const variants = variantsOf({ reply: answer, mobile: null, meeting: meeting?.version })
    return { master, main: { version, variants }, reply: answer, replyOf: of, meeting }
  }

  /** The body of `GET …/signature/addin`. */
  async function cache(
    caller: Caller,
    { guard, ...chosen }: ChosenSignatures,
    withImages: boolean,
  ): Promise<SignatureAnswer> {
    const rendered = renderDefault(caller, chosen)
    if (rendered === null) {
      const none = { name: '', user_id: caller.person.id, signature: '', reply: null, combined_ids: '' }
      return { ...none, base64_embedded_images: [] }
    }
    const { master, main, reply, replyOf, meeting } = rendered
    const copies = copiesOf(caller, main, (sender) => renderDefault(caller, chosen, sender)?.main ?? null)
    return {
      name: master.signature.name,
      user_id: master.owner.id,
      ...sent(main.version),
      reply: reply?.html ?? null,
      ...(reply?.slots && { reply_blocks: reply.slots }),
      ...(replyOf && { reply_name: replyOf.signature.name, reply_combined_ids: combinedIdsOf(replyOf) }),
      ...(meeting && { meeting: { ...namesOf(meeting.owned), ...sent(meeting.version) } }),
      ...(guard && { guard }),
      combined_ids: combinedIdsOf(master),
      ...sentCopies(copies),
      base64_embedded_images: withImages ? await embedded(versionsIn([main, ...copies])) : [],
    }
  }

  return {
    visible,
    asked,
    cache,

    /** The body of a list: one page of the owners' signatures. `withEmail` adds the owner's e-mail address. */
    list: async (
      caller: Caller,
      listed: readonly PersonState[],
      { build_base64, combined_ids, page, per_page }: SignatureListQuery,
      withEmail: boolean,
    ): Promise<InOf<typeof READ_SIGNATURES.answer>> => {
      const { release } = caller
      const all = listed
        .flatMap((owner) => ownedSignaturesOf(caller, owner))
        .filter((owned) => combined_ids === undefined || combinedIdsOf(owned) === combined_ids)
      const from = (page - 1) * per_page
      const rendered = all.slice(from, from + per_page).flatMap((owned) => {
        const main = renderAllVersions(caller, owned)
        return main === null ? [] : [{ owned, main }]
      })
      const objects = await Promise.all(
        rendered.map(async ({ owned, main }) => {
          const { signature, owner } = owned
          const senders = owner.id === caller.person.id ? sendersFor(signature, owner) : undefined
          const copies = copiesOf(caller, main, (sender) => renderAllVersions(caller, owned, sender))
          return {
            name: signature.name,
            ...(withEmail ? { email: owner.addresses[0] ?? '' } : {}),
            ...sent(main.version),
            combined_ids: combinedIdsOf(owned),
            base64_embedded_images: build_base64 ? await embedded(versionsIn([main, ...copies])) : [],
            audiences: recipientAudiences(release, signature),
            ...(senders && { senders }),
            ...(signature.thread && { thread: signature.thread }),
            order: release.document.signatures.indexOf(signature),
            ...(signature.collection === null ? {} : { collection: signature.collection }),
            variants: sentVariants(main.variants),
            ...sentCopies(copies),
          }
        }),
      )
      return { objects, total: all.length, page }
    },
  }
}

const TAG = /<img(?=[\s/])([^<>]*)>/gi
const SOURCE = /\ssrc\s*=\s*"([^"]*)"/i

/** The picture addresses in `html` that begin with `prefix`, without duplicates, in order. */
export function imageAddresses(html: string, prefix: string): string[] {
  const addresses = Array.from(html.matchAll(TAG), ([, attributes = '']) =>
    (SOURCE.exec(attributes)?.[1] ?? '').replaceAll('&amp;', '&'),
  )
  return [...new Set(addresses)].filter((address) => address.startsWith(prefix))
}
