/**
 * Formats values, draws QR codes, and finds the owner of a card's address. A code's address contains its text, packed
 * and sealed. The service stores no codes, and draws only the codes it has rendered (docs/decisions/0048). A card's
 * address contains its person's id, sealed, so only the service can create it.
 */
import type { Formats } from '../../../streams/organisation/template/formats.ts'
import { domainForms } from '../../values/mailAddress.ts'
import { createFormats } from '../../values/formats.ts'
import { qrPicture, qrTextAt } from '../../values/qrCode.ts'
import { createKeyedHash, isEqualInConstantTime } from '../../server/keyedHash.ts'
import { OWN_ORGANISATION } from '../sql/registry.ts'

const SEAL_CHARACTERS = 22
/** The path of cards, with a slash at its end. It must never change, because mails contain it for years. */
export const CARD_PATH = '/card/'
const CARD_FILE = /^([\w-]{1,600})\.([\w-]{22})\.vcf$/

export type SealedFormats = Readonly<{
  formats: Formats
  /** The picture of a QR code at a path below `/images`, as a PNG; null for any other path. */
  codeAt: (path: string) => Buffer | null
  /** The id of the person whose card is at a path below `CARD_PATH`; null for a path the service did not write. */
  cardOwnerAt: (path: string) => string | null
}>

/**
 * @param secret the bytes of `SIGNET_SECRET`. A new secret invalidates the codes and cards in earlier mails
 * @param publicUrl the beginning of the organisation's public addresses, without a slash at the end
 * @param organisation the id of the organisation. Codes and cards of other organisations are refused
 */
export function createSealedFormats(
  secret: Uint8Array,
  publicUrl: () => string,
  organisation: string = OWN_ORGANISATION,
): SealedFormats {
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

/** Seals texts, with a separate key for each purpose. */
function createSeal(secret: Uint8Array, purpose: string) {
  const seal = createKeyedHash(secret, purpose, SEAL_CHARACTERS)
  return {
    seal,
    isSealed: (sealed: string, given: string): boolean => isEqualInConstantTime(given, seal(sealed)),
  }
}
