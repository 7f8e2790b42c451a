/** Takes a template from outside into a draft, as a new signature: one of the gallery, or an adopted one. */
import type { SignatureImage } from '../../html/content.ts'
import { plainSignature } from '../../organisation/firstRelease.ts'
import type { GalleryPicture, Offered } from '../../organisation/gallery.ts'
import { compileRelease } from '../../organisation/release.ts'
import { addressesOf, renderSignature } from '../../organisation/render.ts'
import type { PersonState } from '../../organisation/state.ts'
import type { Draft } from './draft.ts'
import { fileOf, freePath, newId } from './items.ts'
import { draftImages } from './preview.ts'

/** The page that shows the gallery. */
export const GALLERY_PATH = '/signatures/gallery'

/** A template with its pictures and the variables that it brings, and the name of the signature that it becomes. */
export type Taken = Offered & Readonly<{ name: string }>

type Parts = Pick<Draft, 'document' | 'pictures'>

/** The name, or the first of `name 2`, `name 3`, … that no signature has. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${String(number)}`
  return free
}

/** The path of a picture in the document: where its content is already, else its own path, or a free one beside it. */
function pathFor(path: string, { hash }: GalleryPicture, pictures: Readonly<Record<string, string>>): string {
  const paths = Object.keys(pictures)
  const known = paths.find((each) => pictures[each] === hash)
  const dot = path.lastIndexOf('.')
  return known ?? freePath(path.slice(0, dot), path.slice(dot + 1), paths)
}

/**
 * The draft with a new signature for everyone over the template, which is the last one. No template, picture or variable
 * of the draft is replaced: what is new gets another name.
 */
export function withTaken(
  draft: Parts,
  { name, template, pictures, variables }: Taken,
): Parts & Readonly<{ id: string }> {
  const { document } = draft
  const id = newId(name, new Set(document.signatures.map((signature) => signature.id)))
  const path = freePath(`templates/${fileOf(id)}`, 'html', Object.keys(document.templates))
  const hashes: Record<string, string> = { ...document.pictures }
  const contents: Record<string, Draft['pictures'][string]> = { ...draft.pictures }
  let text = template
  for (const [wanted, picture] of Object.entries(pictures)) {
    const free = pathFor(wanted, picture, hashes)
    hashes[free] = picture.hash
    contents[picture.hash] = { mediaType: picture.mediaType, base64: picture.base64 }
    text = text.replaceAll(`{{picture ${wanted}}}`, `{{picture ${free}}}`)
  }
  const known = new Set(document.variables.map((variable) => variable.path))
  const names = new Set(document.signatures.map((signature) => signature.name))
  return {
    id,
    pictures: contents,
    document: {
      ...document,
      variables: [...document.variables, ...variables.filter((variable) => !known.has(variable.path))],
      signatures: [...document.signatures, plainSignature(id, freeName(name, names), path)],
      templates: { ...document.templates, [path]: text },
      pictures: hashes,
    },
  }
}

/**
 * A template that is not taken yet, as a person would get it.
 *
 * @param at in milliseconds since 1970
 * @param pictures the base address of all pictures, without a slash at the end
 */
export function takenPicture(
  draft: Parts,
  taken: Taken,
  { person, at }: Readonly<{ person: PersonState; at: number }>,
  pictures: string,
): Readonly<{ html: string; images: readonly SignatureImage[] }> {
  const made = withTaken(draft, taken)
  const release = compileRelease('taken', made.document)
  const signature = made.document.signatures.at(-1)
  const html =
    signature && renderSignature(release, signature, 'signature', person, addressesOf(pictures, person), at)
  return { html: html ?? '', images: draftImages(made.document, made.pictures, pictures) }
}
