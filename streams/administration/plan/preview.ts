/** Renders the previews of a draft: one template, for one person, on one day. */
import { type Formats, PLAIN_FORMATS } from '../../organisation/template/formats.ts'
import {
  compileRelease,
  partName,
  type Release,
  type ReleaseDocument,
  type Signature,
} from '../../organisation/release/release.ts'
import {
  addressesByWriter,
  renderingAddresses,
  createSlottedRenderer,
  linkedPictureAddress,
  pictureAddress,
  renderFrame,
  type RenderingAddresses,
  renderSignature,
  SIGNATURE_USES,
  type SignatureKind,
  templatePath,
} from '../../organisation/rendering/render.ts'
import {
  assignedSignatures,
  defaultChoice,
  organisationDefault,
  parseCombinedIds,
} from '../../organisation/rules/rules.ts'
import { sampleFields } from '../../organisation/release/selectors.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import { sampleCircumstances, type SampleRecipients } from '../../organisation/release/supposed.ts'
import type { SignatureImage } from '../../html/content.ts'
import type { DraftPicture } from './draft.ts'
import type { DraftWithTemplate } from './taken.ts'

export type PreviewUse = 'signature' | 'reply' | 'meeting'

/** The colours of the preview, or classic Outlook's approximate drawing, which is light. */
export type PreviewLook = 'light' | 'dark' | 'classicOutlook'

export type PreviewWidth = 'computer' | 'phone'

/** The default person of the preview. The value of each variable is the variable's name. */
export function samplePerson(document: ReleaseDocument): PersonState {
  return {
    id: 'sample',
    revision: 1,
    account: null,
    active: true,
    addresses: ['name@organisation.example'],
    language: null,
    directory: sampleFields(document, ({ label, path }) => label ?? path),
    groups: [],
    values: {},
    metadata: {},
    picture: null,
    directoryPicture: null,
  }
}

/** A person with the name of each variable as the value where the person has none, so that nothing is left out. */
export function withSampleValues(document: ReleaseDocument, person: PersonState): PersonState {
  const own = Object.entries(person.directory).filter(([, value]) => value !== '')
  return { ...person, directory: { ...samplePerson(document).directory, ...Object.fromEntries(own) } }
}

const releases = new WeakMap<ReleaseDocument, Release>()

/** Compiles a document once. Every edit makes a new document, which is compiled when the typing pauses. */
export function compiledReleaseOf(document: ReleaseDocument): Release {
  const known = releases.get(document)
  if (known) return known
  const release = compileRelease('draft', document)
  releases.set(document, release)
  return release
}

/** Formats a draft's values as the service does. Loaded as a separate chunk, because its data is large. */
export type ValueTools = Readonly<{
  formats: Formats
  /** Draws the QR codes in a draft's HTML, by their addresses. */
  codesIn: (html: string) => readonly SignatureImage[]
}>

/** The release from `compiledReleaseOf`, with these formats for its values. */
export const releaseWithFormats = (document: ReleaseDocument, formats: Formats): Release => ({
  ...compiledReleaseOf(document),
  formats,
})

export type DraftPreview = Readonly<{
  /** Null if the signature has no version for this use and none for new messages. */
  html: string | null
  /** The shown signature; null if no signature uses the template. */
  signature: Readonly<{ id: string; name: string; kind: SignatureKind }> | null
  /** Whether the person gets that signature on that day. */
  isAssigned: boolean
  /** The person's signatures on that day, the default first. */
  assigned: readonly Readonly<{ id: string; name: string }>[]
}>

/** All uses, the wanted use first. */
const kindsOf = (use: PreviewUse): readonly SignatureKind[] => [
  use,
  ...SIGNATURE_USES.filter((each) => each !== use),
]

/** The signature's version that uses the template or part, preferably for the wanted use; null if none does. */
function kindThatShows(
  release: Release,
  signature: Signature,
  use: PreviewUse,
  path: string,
): SignatureKind | null {
  const part = partName(path)
  return (
    kindsOf(use).find((kind) => {
      const used = templatePath(signature, kind)
      if (used === null || part === null) return used === path
      return (
        release
          .templateOf(used)
          ?.placeholders.some((each) => each.kind === 'part' && each.names[0] === part) ?? false
      )
    }) ?? null
  )
}

/**
 * Previews a template in the first signature that shows it: the signature whose page is open, then the person's
 * signatures, then the draft's, preferably in the wanted use. If no signature shows it, previews it by itself.
 *
 * @param path the open template or part; null shows the default (in meetings, the first with a meeting version)
 * @param at the time of the preview, in milliseconds since 1970
 * @param pictures the base address of all pictures, without a slash at the end
 * @param formats if omitted, values are shown unformatted
 */
export function draftPreviewOf(
  document: ReleaseDocument,
  wanted: Readonly<{
    path: string | null
    person: PersonState
    /** Who writes, if the person is a mailbox; null (default) for nobody in particular. */
    writer?: PersonState | null
    at: number
    use: PreviewUse
    /** The message's recipients; null (default) for a message without recipients. */
    recipients?: SampleRecipients | null
    /** The signature whose page is open; null (default) on other pages. */
    signature?: string | null
  }>,
  pictures: string,
  formats = PLAIN_FORMATS,
): DraftPreview {
  const { path, person, writer, at, use, recipients = null } = wanted
  const release = releaseWithFormats(document, formats)
  const assigned = assignedSignatures(release, person, at)
  const addresses = addressesByWriter(release, pictures, person, writer)
  const named = assigned.map(({ id, name }) => ({ id, name }))
  const message = { ...sampleCircumstances(release, recipients, use === 'reply'), at }
  const show = (signature: Signature, kind: SignatureKind): DraftPreview => ({
    html: renderSignature(release, signature, kind, person, addresses, at, message),
    signature: { id: signature.id, name: signature.name, kind },
    isAssigned: assigned.includes(signature),
    assigned: named,
  })
  if (path === null) {
    const due = organisationDefault(assigned, person)
    const first = [...(due ? [due] : []), ...assigned].find(
      ({ meeting }) => use !== 'meeting' || meeting !== undefined,
    )
    if (!first) return { html: null, signature: null, isAssigned: false, assigned: named }
    return show(first, use === 'reply' && first.reply === null ? 'signature' : use)
  }
  const [first, others] = [
    document.signatures.filter(({ id }) => id === wanted.signature),
    document.signatures,
  ]
  const found = [first, assigned, others].flatMap((group) => {
    const shown = group.flatMap((signature) => {
      const kind = kindThatShows(release, signature, use, path)
      return kind === null ? [] : [{ signature, kind }]
    })
    return [...shown.filter(({ kind }) => kind === use), ...shown.filter(({ kind }) => kind !== use)]
  })[0]
  if (found) return show(found.signature, found.kind)
  return {
    html: alone(document, path, person, addresses, formats),
    signature: null,
    isAssigned: false,
    assigned: named,
  }
}

/** A draft's signature, rendered for a person. `html` is null if its template is missing. */
export type RenderedSignature = Readonly<{
  signature: Signature
  html: string | null
  isAssigned: boolean
  /** Whether it is the person's default for new messages: the person's choice, or else the first match. */
  isDefault: boolean
}>

/** Renders all signatures of a document in their order, for a person's new message at a given time. */
export function renderDraftSignatures(
  document: ReleaseDocument,
  { person, writer, at }: Readonly<{ person: PersonState; writer?: PersonState | null; at: number }>,
  pictures: string,
  formats = PLAIN_FORMATS,
): readonly RenderedSignature[] {
  const release = releaseWithFormats(document, formats)
  const assigned = assignedSignatures(release, person, at)
  const due = defaultChoice(release, person, at)
  const master = due && parseCombinedIds(due.choice.master)
  const slotted = createSlottedRenderer(
    release,
    person,
    addressesByWriter(release, pictures, person, writer),
    at,
  )
  return document.signatures.map((signature) => ({
    signature,
    html: slotted(signature, 'signature')?.html ?? null,
    isAssigned: assigned.includes(signature),
    isDefault: master?.owner === person.id && master.signature === signature.id,
  }))
}

/** Puts rendered signatures in the order of a newer document, without the signatures that it no longer has. */
export const renderedInOrder = (
  rendered: readonly RenderedSignature[],
  { signatures }: ReleaseDocument,
): readonly RenderedSignature[] =>
  signatures.flatMap(({ id }) => rendered.find(({ signature }) => signature.id === id) ?? [])

/** Previews a template that no signature uses, or a part that no template includes. */
function alone(
  document: ReleaseDocument,
  path: string,
  person: PersonState,
  addresses: RenderingAddresses,
  formats: Formats,
): string | null {
  const file = 'templates/alone.html'
  const text = document.templates[path]
  if (text === undefined) return null
  const signature: Signature = {
    id: 'alone',
    name: '',
    template: file,
    reply: null,
    mobile: null,
    selection: { for: 'everyone', not: [] },
    during: null,
    recipients: 'everyone',
    collection: null,
  }
  const parts = Object.entries(document.templates).filter(([each]) => partName(each) !== null)
  const release = compileRelease(
    'draft',
    {
      ...document,
      signatures: [signature],
      templates: { ...Object.fromEntries(parts), [file]: text },
    },
    formats,
  )
  return renderFrame(release, signature, 'signature', person, addresses)
}

/** A draft's pictures by their addresses in the rendered HTML, so that the preview can show unpublished pictures. */
export const draftImages = (
  document: ReleaseDocument,
  contents: Readonly<Record<string, DraftPicture>>,
  pictures: string,
): readonly SignatureImage[] =>
  Object.entries(document.pictures).flatMap(([path, hash]) => {
    const content = Object.hasOwn(contents, hash) ? contents[hash] : undefined
    const name = path.slice(path.lastIndexOf('/') + 1)
    return content
      ? [pictureAddress, linkedPictureAddress].map((addressOf) => ({
          url: addressOf(pictures, hash, name),
          name,
          content: content.base64,
          status: 200,
        }))
      : []
  })

/**
 * Previews a gallery or adopted template as a person would get it from this draft.
 *
 * @param at in milliseconds since 1970
 * @param pictures the base address of all pictures, without a slash at the end
 * @param formats if omitted, values are shown unformatted
 */
export function renderAddedTemplate(
  { document, pictures: contents, id }: DraftWithTemplate,
  { person, at }: Readonly<{ person: PersonState; at: number }>,
  pictures: string,
  formats = PLAIN_FORMATS,
): Readonly<{ html: string; images: readonly SignatureImage[] }> {
  const release = releaseWithFormats(document, formats)
  const signature = release.signatureOf(id)
  const html =
    signature &&
    renderSignature(release, signature, 'signature', person, renderingAddresses(pictures, person), at)
  return { html: html ?? '', images: draftImages(document, contents, pictures) }
}
