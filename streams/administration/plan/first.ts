/** What the draft of an organisation that has published nothing begins with. */
import { firstRelease, type FirstTemplate } from '../../organisation/release/firstRelease.ts'
import type { OwnerState } from '../session/reducer.ts'
import type { Draft } from './draft.ts'

/** The name and the domain of a first release while the service does not know those of the organisation. */
const NO_NAME = 'Organisation'
const NO_DOMAIN = 'organisation.example'

/** @param template the template of its signature; null for a short one */
export function firstParts(
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
