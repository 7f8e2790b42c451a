/**
 * How the service writes values, the pictures of its QR codes, and whose card an address is of. The address of a code has
 * its text, packed and sealed: the service stores no code, draws what it has rendered itself, and nothing else
 * (docs/decisions/0048). The address of a card has the id of its person, sealed: only the service can make one.
 */
import type { Formats } from '../../../streams/organisation/template/formats.ts'
import { domainForms } from '../../values/mailAddress.ts'
import { createFormats } from '../../values/formats.ts'
import { qrPicture, qrTextAt } from '../../values/qrCode.ts'
import { createKeyedHash, isSame } from '../../server/keyedHash.ts'
import { OWN_ORGANISATION } from '../sql/registry.ts'

const SEAL_CHARACTERS = 22
/** The path of cards, with a slash at its end. Mails have it for years: it never changes. */
export const CARD_PATH = '/card/'
const CARD_FILE = /^([\w-]{1,600})\.([\w-]{22})\.vcf$/

export type Values = Readonly<{
  formats: Formats
  /** The picture of a code at a path below `/images`, as a PNG; null for any other path. */
  codeAt: (path: string) => Buffer | null
  /** The id of the person whose card is at a path below `CARD_PATH`; null for a path that the service did not write. */
  cardOwnerAt: (path: string) => string | null
}>

/**
 * @param secret the bytes of `SIGNET_SECRET`. Another secret refuses the codes and cards of mails that were sent before
 * @param publicUrl the address that the organisation's public addresses begin with, without a slash at the end
 * @param organisation its id. A code or card of another organisation is refused
 */
export function createValues(
  secret: Uint8Array,
  publicUrl: () => string,
  organisation: string = OWN_ORGANISATION,
): Values {
  const of = organisation === OWN_ORGANISATION ? '' : ` of ${organisation}`
  const codes = createSeal(secret, `pictures of QR codes${of}`)
  const cards = createSeal(secret, `addresses of cards${of}`)
  return {
    formats: createFormats(
      codes.seal,
      (person) => {
        const id = Buffer.from(person).toString('base64url')
        return `${publicUrl()}${CARD_PATH}${id}.${cards.seal(id)}.vcf`
      },
      domainForms,
    ),
    codeAt(path) {
      const text = qrTextAt(path, codes.isSealed)
      return text === null ? null : Buffer.from(qrPicture(text))
    },
    cardOwnerAt(path) {
      const [, id = '', seal = ''] = CARD_FILE.exec(path) ?? []
      return cards.isSealed(id, seal) ? Buffer.from(id, 'base64url').toString() : null
    },
  }
}

/** Vouches for texts with a key of its own for each purpose. */
function createSeal(secret: Uint8Array, purpose: string) {
  const seal = createKeyedHash(secret, purpose, SEAL_CHARACTERS)
  return { seal, isSealed: (sealed: string, given: string): boolean => isSame(given, seal(sealed)) }
}
