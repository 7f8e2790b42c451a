/** Takes a template from outside into a draft, as a new signature: one of the gallery, or an adopted one. */
import { type Offered, type OfferedPicture, plainSignature } from '../../organisation/release/firstRelease.ts'
import type { Signature } from '../../organisation/release/release.ts'
import type { Draft } from './draft.ts'
import { fileOf, freePath, hasId } from './items.ts'
import { newSignatureId } from './signatures.ts'

/** The page that shows the gallery. */
export const GALLERY_PATH = '/signatures/gallery'

/** A template with its pictures and the variables that it brings, and the name of the signature that it becomes. */
export type Taken = Offered &
  Readonly<{
    name: string
    /** The addresses of the people who get it; null or nothing for everyone. */
    people?: readonly string[] | null
  }>

/** What changes of a draft. */
export type Parts = Pick<Draft, 'document' | 'pictures'>

/** The parts of a draft that has taken a template. `id` is that of its signature. */
export type WithTaken = Parts & Readonly<{ id: string }>

/** The name, or the first of `name 2`, `name 3`, … that no signature has. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${String(number)}`
  return free
}

const selectionOf = (people: readonly string[] | null): Signature['selection'] => ({
  for: people === null ? 'everyone' : [[{ by: 'person', values: people }]],
  not: [],
})

/** The path of a picture in the document: where its content is already, else its own path, or a free one beside it. */
function pathFor(path: string, { hash }: OfferedPicture, pictures: Readonly<Record<string, string>>): string {
  const paths = Object.keys(pictures)
  const known = paths.find((each) => pictures[each] === hash)
  const dot = path.lastIndexOf('.')
  return known ?? freePath(path.slice(0, dot), path.slice(dot + 1), paths)
}

/**
 * The draft with a new signature over the template, which is the last one. No template, picture or variable
 * of the draft is replaced: what is new gets another name. A draft that has a signature of this id already stays.
 */
export function withTaken(
  draft: Parts,
  { name, people = null, template, pictures, variables }: Taken,
  id = newSignatureId(draft.document, name),
): WithTaken {
  const { document } = draft
  if (hasId(document.signatures, id)) return { ...draft, id }
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
      signatures: [
        ...document.signatures,
        { ...plainSignature(id, freeName(name, names), path), selection: selectionOf(people) },
      ],
      templates: { ...document.templates, [path]: text },
      pictures: hashes,
    },
  }
}
