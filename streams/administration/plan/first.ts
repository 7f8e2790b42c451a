/** What the draft of an organisation that has published nothing begins with. */
import { firstRelease } from '../../organisation/firstRelease.ts'
import { type GalleryName, galleryTemplate } from '../../organisation/gallery.ts'
import type { OwnerState } from '../session/reducer.ts'
import type { Draft } from './draft.ts'

/** The name and the domain of a first release while the service does not know those of the organisation. */
const NO_NAME = 'Organisation'
const NO_DOMAIN = 'organisation.example'

/** @param template the one of the gallery; null for a short one */
export function firstParts(
  owner: OwnerState,
  template: GalleryName | null,
): Pick<Draft, 'document' | 'pictures'> {
  const domain = /@(.+)$/.exec(owner?.name ?? '')?.[1] ?? NO_DOMAIN
  const document = firstRelease(owner?.organisation.trim() || NO_NAME, domain, template)
  const pictures = template === null ? {} : galleryTemplate(template, document).pictures
  return {
    document,
    pictures: Object.fromEntries(
      Object.values(pictures).map(({ hash, mediaType, base64 }) => [hash, { mediaType, base64 }]),
    ),
  }
}
