/** Renders a person's signatures. */
import {
  STRICTEST_CIRCUMSTANCES,
  type Candidate,
  type Circumstances,
  fillSlots,
  type SlottedHtml,
} from '../../html/slots.ts'
import { LINKED_FOLDER } from '../../html/content.ts'
import { type Block, CARD_ADDRESS, type Release, SENDER_ADDRESS, type Signature } from '../release/release.ts'
import {
  candidatesIn,
  mainSender,
  openTimesOf,
  recipientAudiences,
  shareOfMessages,
  windowOf,
  isBlockForEveryone,
} from '../rules/rules.ts'
import { cardText } from './card.ts'
import {
  addressLines,
  isMailbox,
  postalAddressParts,
  showsSender,
  templateValues,
  type Writer,
} from '../release/selectors.ts'
import { WRITER_PREFIX } from '../release/names.ts'
import type { PersonState } from '../facts/state.ts'
import {
  type RenderContext,
  renderSlotted,
  renderTemplate,
  type ShownValue,
  shownValues,
} from '../template/template.ts'

export const SIGNATURE_USES = ['signature', 'reply', 'mobile', 'meeting'] as const
export type SignatureKind = (typeof SIGNATURE_USES)[number]

export type RenderingAddresses = Readonly<{
  /** The base URL of all pictures, without a trailing slash. */
  pictures: string
  /** The address of the owner's picture, or empty. */
  pictureUrl: string
  /** The redirect address that counts clicks on a block's link; absent when clicks are not counted. */
  countedUrl?: (block: string, address: string) => string
  /** The person who writes, for `{{writer.…}}`. If absent, it is the owner, or a sample for a mailbox. */
  writer?: Writer
  /** The address that one writes from, for `{{sender}}`. If absent, it is the signature's `mainSender`. */
  sender?: string
}>

/** Builds the address of a picture. It contains the picture's hash, so the content at an address never changes. */
export const pictureAddress = (pictures: string, hash: string, fileName: string): string =>
  `${pictures}/${hash}/${encodeURIComponent(fileName)}`

/** Builds the address of a picture that is never attached. */
export const linkedPictureAddress = (pictures: string, hash: string, fileName: string): string =>
  pictureAddress(`${pictures}/${LINKED_FOLDER}`, hash, fileName)

/** The hashes of the pictures that html shows: attached to a message, and linked. */
export type SentPictures = Readonly<{ attached: ReadonlySet<string>; linked: ReadonlySet<string> }>

/** Finds the pictures in rendered html by their addresses. */
export function sentPictures(html: string, pictures: string): SentPictures {
  const attached = new Set<string>()
  const linked = new Set<string>()
  for (const address of html.split(`${pictures}/`).slice(1)) {
    const [first = '', second = ''] = address.split('/', 2)
    if (first === LINKED_FOLDER) linked.add(second)
    else attached.add(first)
  }
  return { attached, linked }
}

/** The address of a QR code's picture; empty without a code. */
const qrAddress = (pictures: string, path: string): string => (path === '' ? '' : `${pictures}/${path}`)

/** Builds the address of a person's picture from its name, `<hash>.<extension>`; empty for null. */
export function portraitAddress(pictures: string, picture: string | null): string {
  if (picture === null) return ''
  const dot = picture.lastIndexOf('.')
  return pictureAddress(pictures, picture.slice(0, dot), `portrait${picture.slice(dot)}`)
}

/** Builds the addresses for rendering a person's signatures, without click counting. */
export const renderingAddresses = (
  pictures: string,
  { picture }: Pick<PersonState, 'picture'>,
): RenderingAddresses => ({
  pictures,
  pictureUrl: portraitAddress(pictures, picture),
})

/** `renderingAddresses` for a mailbox's signatures as this person writes with them; null for nobody in particular. */
export const addressesByWriter = (
  release: Release,
  pictures: string,
  owner: PersonState,
  writer: PersonState | null = null,
): RenderingAddresses => ({
  ...renderingAddresses(pictures, owner),
  ...(writer &&
    isMailbox(release, owner) && {
      writer: { person: writer, pictureUrl: portraitAddress(pictures, writer.picture) },
    }),
})

/**
 * The address of a picture by its path in the release.
 *
 * @param isLinked whether the template links the picture; a release can link all pictures
 */
export function releasePictureAddress(
  { document }: Release,
  pictures: string,
  path: string,
  isLinked = false,
): string {
  const hash = Object.hasOwn(document.pictures, path) ? document.pictures[path] : undefined
  const addressOf = isLinked || document.linked === true ? linkedPictureAddress : pictureAddress
  return addressOf(pictures, hash ?? 'missing', path.slice(path.lastIndexOf('/') + 1))
}

/** The template path for a use of the signature; null for a use that the signature lacks. */
export const templatePath = (signature: Signature, kind: SignatureKind): string | null =>
  kind === 'signature' ? signature.template : (signature[kind] ?? null)

/** The addresses with the sender that this signature shows; unchanged for a release that shows no sender. */
const withSender = (
  release: Release,
  signature: Signature,
  owner: PersonState,
  addresses: RenderingAddresses,
): RenderingAddresses =>
  showsSender(release) ? { sender: mainSender(signature, owner), ...addresses } : addresses

/** Renders a use of the signature for its owner, without blocks; null for a use that the signature lacks. */
export function renderFrame(
  release: Release,
  signature: Signature,
  kind: SignatureKind,
  owner: PersonState,
  addresses: RenderingAddresses,
): string | null {
  const path = templatePath(signature, kind)
  const template = path === null ? null : release.templateOf(path)
  const own = withSender(release, signature, owner, addresses)
  return template && renderTemplate(template, renderContextOf(release, owner, own))
}

export function renderContextOf(
  release: Release,
  owner: PersonState,
  addresses: RenderingAddresses,
): RenderContext {
  const lines = addressLines(release, owner)
  const values = templateValues(release, owner, addresses, lines)
  const pictureUrl = (picture: string, isLinked: boolean) =>
    releasePictureAddress(release, addresses.pictures, picture, isLinked)
  if (!release.isFormatted) return { values, pictureUrl }
  const { formats, variableOf } = release
  /** The card must not contain its own address. */
  const isOfCard = ({ name }: ShownValue) => name !== CARD_ADDRESS || variableOf(name) !== null
  const postal = postalAddressParts(release, owner)
  const writersCountry = addresses.writer
    ? postalAddressParts(release, addresses.writer.person).country
    : postal.country
  const countryOf = (name: string) => (name.startsWith(WRITER_PREFIX) ? writersCountry : postal.country)
  return {
    values,
    pictureUrl,
    ...(lines && { addressLines: lines }),
    phone: (value, name) => formats.phone(value, countryOf(name)),
    tel: (value, name) => formats.tel(value, countryOf(name))?.number ?? null,
    qrUrl: (text) => qrAddress(addresses.pictures, formats.qr(text)),
    cardOf: (shown) =>
      cardText({
        shown: shown.filter(isOfCard),
        postal,
        first: values['first_name'] ?? '',
        last: values['last_name'] ?? '',
        fieldOf: (name) => variableOf(name)?.from ?? (name === SENDER_ADDRESS ? 'mail' : null),
        addressLines: lines ?? null,
      }),
  }
}

/**
 * Builds the card from the values that a signature shows about its owner, without its blocks; empty if it shows no
 * name.
 */
export function renderCard(
  release: Release,
  signature: Signature,
  owner: PersonState,
  addresses: RenderingAddresses,
): string {
  const template = release.templateOf(signature.template)
  if (template === null) return ''
  const context = renderContextOf(release, owner, withSender(release, signature, owner, addresses))
  return context.cardOf?.(shownValues(template, context)) ?? ''
}

/**
 * Renders a block for the signature's owner; null if the release has no template for it.
 *
 * @throws Error if rendering fails
 */
export const renderBlock = (
  release: Release,
  block: Block,
  owner: PersonState,
  addresses: RenderingAddresses,
): string | null => blockHtml(release, block, renderContextOf(release, owner, addresses), addresses)

function blockHtml(
  release: Release,
  block: Block,
  context: RenderContext,
  { countedUrl }: RenderingAddresses,
): string | null {
  const template = release.templateOf(block.template)
  return (
    template &&
    renderTemplate(template, {
      ...context,
      ...(countedUrl && { countedUrl: (address) => countedUrl(block.id, address) }),
    })
  )
}

/**
 * Creates a function that renders any use of the owner's signatures, with all blocks that may appear in their slots at
 * a moment. It returns null for a use that the signature lacks. Values and blocks are read once for all uses. A block
 * that cannot be rendered leaves its slot empty.
 *
 * @param at null includes the blocks of all moments, as if they were open
 * @param failed receives the id of a block that cannot be rendered
 * @returns renders a use of a signature; `sender` is the address that one writes from, if it is not the one in
 *   `addresses` or the signature's `mainSender`
 */
export function createSlottedRenderer(
  release: Release,
  owner: PersonState,
  addresses: RenderingAddresses,
  at: number | null,
  failed: (block: string, error: unknown) => void = () => undefined,
): (signature: Signature, kind: SignatureKind, sender?: string) => SlottedHtml | null {
  /** The values, and the blocks rendered with them, by the sender that they show. */
  const bySender = new Map<string, Readonly<{ context: RenderContext; rendered: Map<string, Candidate> }>>()
  const candidatesOf = new Map<string, readonly Block[]>()

  function valuesFrom(own: RenderingAddresses) {
    const sender = own.sender ?? ''
    const known = bySender.get(sender)
    if (known) return known
    const values = {
      context: renderContextOf(release, owner, own),
      rendered: new Map<string, Candidate>(),
    }
    bySender.set(sender, values)
    return values
  }

  function candidate(block: Block, { context, rendered }: ReturnType<typeof valuesFrom>): Candidate {
    const known = rendered.get(block.id)
    if (known) return known
    let html = ''
    try {
      html = blockHtml(release, block, context, addresses) ?? ''
    } catch (error) {
      failed(block.id, error)
    }
    const open = at === null ? null : openTimesOf(release, block, owner, at)
    const result = { ...candidateOf(release, block), html, ...(open && { open }) }
    rendered.set(block.id, result)
    return result
  }

  return (signature, kind, sender) => {
    const path = templatePath(signature, kind)
    const template = path === null ? null : release.templateOf(path)
    if (template === null) return null
    const own = sender === undefined ? addresses : { ...addresses, sender }
    const values = valuesFrom(withSender(release, signature, owner, own))
    return renderSlotted(template, {
      ...values.context,
      *blocksIn(slot) {
        const blocks = candidatesOf.get(slot) ?? candidatesIn(release, slot, owner, at)
        candidatesOf.set(slot, blocks)
        for (const block of blocks) yield candidate(block, values)
      },
    })
  }
}

/** Renders one signature with `createSlottedRenderer`. */
export const slottedSignature = (
  release: Release,
  signature: Signature,
  kind: SignatureKind,
  owner: PersonState,
  addresses: RenderingAddresses,
  at: number | null,
  failed?: (block: string, error: unknown) => void,
): SlottedHtml | null => createSlottedRenderer(release, owner, addresses, at, failed)(signature, kind)

/** Absent for a block that all messages show, so that their answers stay as they were. */
function optionalShare(block: Block): Pick<Candidate, 'share'> {
  const share = shareOfMessages(block)
  return share === undefined ? {} : { share }
}

/** The properties of a block besides its html. */
const candidateOf = (release: Release, block: Block): Omit<Candidate, 'html'> => ({
  ...optionalShare(block),
  id: block.id,
  name: block.name,
  audiences: recipientAudiences(release, block),
  replies: block.replies,
  everyone: isBlockForEveryone(block),
  closes: block.during && (windowOf(block.during)?.closes ?? null),
  ...(block.thread && { thread: block.thread }),
})

/**
 * Renders a signature as it appears in one message.
 *
 * @param message by default, shows the blocks that fit all messages
 */
export function renderSignature(
  release: Release,
  signature: Signature,
  kind: SignatureKind,
  owner: PersonState,
  addresses: RenderingAddresses,
  at: number,
  message: Circumstances = STRICTEST_CIRCUMSTANCES,
): string | null {
  const slotted = slottedSignature(release, signature, kind, owner, addresses, at)
  return slotted && fillSlots(slotted, message).html
}
