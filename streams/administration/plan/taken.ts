/** Adds an external template to a draft as a new signature: a gallery template or an adopted template. */
import {
  type OfferedTemplate,
  type OfferedPicture,
  plainSignature,
} from '../../organisation/release/firstRelease.ts'
import type { Signature } from '../../organisation/release/release.ts'
import type { Draft } from './draft.ts'
import { fileBaseName, freePath, hasId } from './items.ts'
import { newSignatureId } from './signatures.ts'

/** The path of the gallery page. */
export const GALLERY_PATH = '/signatures/gallery'

/** A template with its pictures and new variables, and the name of the new signature. */
export type AddedTemplate = OfferedTemplate &
  Readonly<{
    name: string
    /** The addresses of the signature's people; null or undefined for everyone. */
    people?: readonly string[] | null
  }>

/** The parts of a draft that adding a template changes. */
export type DraftParts = Pick<Draft, 'document' | 'pictures'>

/** The parts of a draft after a template was added. `id` is the new signature's id. */
export type DraftWithTemplate = DraftParts & Readonly<{ id: string }>

/** Returns the name, or the first free name of `name 2`, `name 3`, … */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${String(number)}`
  return free
}

const selectionOf = (people: readonly string[] | null): Signature['selection'] => ({
  for: people === null ? 'everyone' : [[{ by: 'person', values: people }]],
  not: [],
})

/**
 * A picture's path in the document: the path of an identical picture, or else its own path, or a free path beside it.
 */
function pathFor(path: string, { hash }: OfferedPicture, pictures: Readonly<Record<string, string>>): string {
  const paths = Object.keys(pictures)
  const known = paths.find((each) => pictures[each] === hash)
  const dot = path.lastIndexOf('.')
  return known ?? freePath(path.slice(0, dot), path.slice(dot + 1), paths)
}

/**
 * Adds the template as the last signature. New templates, pictures and variables get free names, so nothing in the
 * draft is replaced. If the signature's id exists already, returns the draft unchanged.
 */
export function withAddedTemplate(
  draft: DraftParts,
  { name, people = null, template, pictures, variables }: AddedTemplate,
  id = newSignatureId(draft.document, name),
): DraftWithTemplate {
  const { document } = draft
  if (hasId(document.signatures, id)) return { ...draft, id }
  const path = freePath(`templates/${fileBaseName(id)}`, 'html', Object.keys(document.templates))
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
