/** How values are written, and the pictures of QR codes: the data of phone numbers and addresses is large. */
import type { ValueTools } from '../../streams/administration/plan/preview.ts'
import { FORMATS } from '../values/formats.ts'
import { qrPicture, qrTextAt } from '../values/qrCode.ts'

const ADDRESS = /https?:\/\/[^\s"'<>]+\/(qr\.[\w-]+\/(qr\.png))/g

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

export const VALUES: ValueTools = {
  formats: FORMATS,
  codesIn: (html) =>
    Array.from(html.matchAll(ADDRESS), ([url, path = '', name = '']) => {
      const text = qrTextAt(path)
      return text === null ? null : { url, name, content: base64Of(qrPicture(text)), status: 200 }
    }).filter((image) => image !== null),
}
