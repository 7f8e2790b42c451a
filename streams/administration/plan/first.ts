/** The first draft of an organisation that has published nothing. */
import { firstRelease, type FirstTemplate } from '../../organisation/release/firstRelease.ts'
import type { OwnerState } from '../session/reducer.ts'
import type { Draft } from './draft.ts'

/** The default name and domain, for a service that does not know the organisation's. */
const NO_NAME = 'Organisation'
const NO_DOMAIN = 'organisation.example'

/**
 * The document and the pictures of the first draft.
 *
 * @param template the template of the first signature; null for a short template
 */
export function firstDraftParts(
  owner: OwnerState,
  template: FirstTemplate | null,
): Pick<Draft, 'document' | 'pictures'> {
  const domain = /@(.+)$/.exec(owner?.name ?? '')?.[1] ?? NO_DOMAIN
  const pictures = Object.values(template?.pictures ?? {})
  return {
    document: firstRelease(owner?.organisation.trim() || NO_NAME, domain, template),
    pictures: Object.fromEntries(
      pictures.map(({ hash, mediaType, base64 }) => [hash, { mediaType, base64 }]),
    ),
  }
}
