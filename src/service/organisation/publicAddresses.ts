/**
 * Where the public addresses of an organisation are: pictures, links, cards. These addresses need no sign-in, so each
 * names its organisation, and the service vouches for it: only the service can write such an address.
 */
import { createKeyedHash, isSame } from '../../server/keyedHash.ts'
import { ORGANISATION_ID, OWN_ORGANISATION } from '../sql/registry.ts'

const SEAL_CHARACTERS = 12
const PLACE = /^([a-z0-9-]{1,40})\.([\w-]{12})$/

/** The prefix of the routes. Mails have it for years: it never changes. */
export const PLACE_PREFIX = '/of'

export type Places = ReturnType<typeof createPlaces>

/** @param secret the bytes of `SIGNET_SECRET`. Another secret refuses the addresses of mails that were sent before */
export function createPlaces(secret: Uint8Array) {
  const seal = createKeyedHash(secret, 'addresses of organisations', SEAL_CHARACTERS)
  return {
    /** The beginning of the path of public addresses, such as `/of/contoso.3fK…`; empty for `default`. */
    of: (id: string): string => (id === OWN_ORGANISATION ? '' : `${PLACE_PREFIX}/${id}.${seal(id)}`),
    /** The id of the organisation in an address; null for one that the service has not written. */
    organisationAt: (place: string): string | null => {
      const [, id = '', given = ''] = PLACE.exec(place) ?? []
      return ORGANISATION_ID.test(id) && isSame(given, seal(id)) ? id : null
    },
  }
}
