/** Renders the signatures of a person. */
import type { Release, Signature } from './release.ts'
import { displayName, variableValues } from './selectors.ts'
import type { PersonState } from './state.ts'
import { renderTemplate } from './template.ts'

export type SignatureKind = 'signature' | 'reply' | 'mobile'

export type Addresses = Readonly<{
  /** The base of all addresses of pictures, without a slash at the end. */
  pictures: string
  /** The address of the owner's picture, or empty. */
  pictureUrl: string
}>

/** The address contains the picture's hash, so the content at the address never changes. */
export const pictureAddress = (pictures: string, hash: string, fileName: string): string =>
  `${pictures}/${hash}/${encodeURIComponent(fileName)}`

/** @param picture `<hash>.<extension>`; null gives an empty address */
export function portraitAddress(pictures: string, picture: string | null): string {
  if (picture === null) return ''
  const dot = picture.lastIndexOf('.')
  return pictureAddress(pictures, picture.slice(0, dot), `portrait${picture.slice(dot)}`)
}

/** The address of a picture by its path in the release. */
export function releasePictureAddress({ document }: Release, pictures: string, path: string): string {
  const hash = Object.hasOwn(document.pictures, path) ? document.pictures[path] : undefined
  return pictureAddress(pictures, hash ?? 'missing', path.slice(path.lastIndexOf('/') + 1))
}

/** The path of the template for a use of the signature; null when the signature has no template for the use. */
export const templatePath = (signature: Signature, kind: SignatureKind): string | null =>
  kind === 'signature' ? signature.template : signature[kind]

/** Renders a use of the signature for its owner; null when the signature has no template for the use. */
export function renderSignature(
  release: Release,
  signature: Signature,
  kind: SignatureKind,
  owner: PersonState,
  { pictures, pictureUrl }: Addresses,
): string | null {
  const path = templatePath(signature, kind)
  const template = path === null ? null : release.templateOf(path)
  if (template === null) return null
  const values = variableValues(release, owner, { pictureUrl })
  values['display_name'] = displayName(release, owner)
  return renderTemplate(template, {
    values,
    pictureUrl: (picture) => releasePictureAddress(release, pictures, picture),
  })
}
