/** Formats values and draws QR codes. A separate chunk, because the data of phone numbers and addresses is large. */
import { strFromU8 } from 'fflate'
import type { ValueTools } from '../../streams/administration/plan/preview.ts'
import { UNSEALED_FORMATS } from '../values/formats.ts'
import { qrPicture, qrTextAt } from '../values/qrCode.ts'

const ADDRESS = /https?:\/\/[^\s"'<>]+\/(qr\.[\w-]+\/(qr\.png))/g

export const VALUE_TOOLS: ValueTools = {
  formats: UNSEALED_FORMATS,
  codesIn: (html) =>
    Array.from(html.matchAll(ADDRESS), ([url, path = '', name = '']) => {
      const text = qrTextAt(path)
      return text === null
        ? null
        : { url, name, content: btoa(strFromU8(qrPicture(text), true)), status: 200 }
    }).filter((image) => image !== null),
}
