/**
 * Builds the public addresses of an organisation: pictures, links, cards. They need no sign-in, so each contains its
 * organisation's id with a seal. Only the service can create such an address.
 */
import { createKeyedHash, isEqualInConstantTime } from '../../server/keyedHash.ts'
import { ORGANISATION_ID, OWN_ORGANISATION } from '../sql/registry.ts'

const SEAL_CHARACTERS = 12
const PLACE = /^([a-z0-9-]{1,40})\.([\w-]{12})$/

/**
 * The prefix of the public routes of organisations other than `default`. It must never change, because mails contain it
 * for years.
 */
export const ORGANISATION_PATH_PREFIX = '/of'

export type PublicAddresses = ReturnType<typeof createPublicAddresses>

/** @param secret the bytes of `SIGNET_SECRET`. A new secret invalidates the addresses in earlier mails */
export function createPublicAddresses(secret: Uint8Array) {
  const seal = createKeyedHash(secret, 'addresses of organisations', SEAL_CHARACTERS)
  return {
    /** The beginning of the path in public addresses, such as `/of/contoso.3fK…`; empty for `default`. */
    of: (id: string): string =>
      id === OWN_ORGANISATION ? '' : `${ORGANISATION_PATH_PREFIX}/${id}.${seal(id)}`,
    /** The organisation id in an address; null for an address that the service did not write. */
    organisationAt: (place: string): string | null => {
      const [, id = '', given = ''] = PLACE.exec(place) ?? []
      return ORGANISATION_ID.test(id) && isEqualInConstantTime(given, seal(id)) ? id : null
    },
  }
}
