/**
 * How the service writes values, and the pictures of its QR codes. The address of a code has its text, packed and
 * sealed: the service stores no code, draws what it has rendered itself, and nothing else (docs/decisions/0048).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Formats } from '../../streams/organisation/formats.ts'
import { createFormats } from '../values/formats.ts'
import { qrPicture, qrTextAt } from '../values/qrCode.ts'

const SEAL_CHARACTERS = 22

export type Values = Readonly<{
  formats: Formats
  /** The picture of a code at a path below `/images`, as a PNG; null for any other path. */
  codeAt: (path: string) => Buffer | null
}>

/** @param secret the bytes of `SIGNET_SECRET`. Another secret refuses the codes of mails that were sent before */
export function createValues(secret: Uint8Array): Values {
  const key = createHmac('sha256', secret).update('pictures of QR codes').digest()
  const seal = (packed: string): string =>
    createHmac('sha256', key).update(packed).digest('base64url').slice(0, SEAL_CHARACTERS)
  const isSealed = (packed: string, sealed: string): boolean =>
    sealed.length === SEAL_CHARACTERS && timingSafeEqual(Buffer.from(seal(packed)), Buffer.from(sealed))
  return {
    formats: createFormats(seal),
    codeAt(path) {
      const text = qrTextAt(path, isSealed)
      return text === null ? null : Buffer.from(qrPicture(text))
    },
  }
}
