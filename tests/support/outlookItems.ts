/** Writes Outlook items (`.msg`) as Outlook saves them: properties as streams in a compound file. */
import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js'
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js'

type Streams = Readonly<Record<string, Uint8Array>>

export type ItemParts = Readonly<{
  /** The HTML as bytes in the code page. */
  html?: Uint8Array
  codePage?: number
  /** Compressed RTF. */
  rtf?: Uint8Array
  sender?: string
  attachments?: readonly Readonly<{ id?: string; name?: string; content: Uint8Array }>[]
}>

const utf16 = (text: string): Uint8Array => Buffer.from(text, 'utf16le')

/** The fixed-size properties; here, only the HTML's code page. */
function properties(codePage: number | undefined): Uint8Array {
  const bytes = Buffer.alloc(codePage === undefined ? 32 : 48)
  if (codePage !== undefined) {
    bytes.writeUInt32LE(0x3fde_0003, 32)
    bytes.writeUInt32LE(codePage, 40)
  }
  return bytes
}

export function outlookItem({ html, codePage, rtf, sender, attachments = [] }: ItemParts): Uint8Array {
  const entries: (Entry & { children?: number[] })[] = []
  const add = (name: string, type: TypeEnum, content?: Uint8Array): number => {
    entries.push({
      name,
      type,
      length: content?.length ?? 0,
      // The writer uses the whole memory of an array's buffer.
      ...(content === undefined ? { children: [] } : { binaryProvider: () => new Uint8Array(content) }),
    })
    return entries.length - 1
  }
  const addStreams = (folder: number, streams: Streams) => {
    for (const [name, content] of Object.entries(streams))
      entries[folder]?.children?.push(add(name, TypeEnum.DOCUMENT, content))
  }
  const root = add('Root Entry', TypeEnum.ROOT)
  addStreams(root, {
    '__properties_version1.0': properties(codePage),
    ...(html === undefined ? {} : { '__substg1.0_10130102': html }),
    ...(rtf === undefined ? {} : { '__substg1.0_10090102': rtf }),
    ...(sender === undefined ? {} : { '__substg1.0_5D01001F': utf16(sender) }),
  })
  for (const [index, { id, name, content }] of attachments.entries()) {
    const folder = add(`__attach_version1.0_#${index.toString(16).padStart(8, '0')}`, TypeEnum.DIRECTORY)
    entries[root]?.children?.push(folder)
    addStreams(folder, {
      '__properties_version1.0': Buffer.alloc(8),
      '__substg1.0_37010102': content,
      ...(id === undefined ? {} : { '__substg1.0_3712001F': utf16(id) }),
      ...(name === undefined ? {} : { '__substg1.0_3707001F': utf16(name) }),
    })
  }
  return burn(entries)
}

/** Uncompressed RTF in Outlook's format (`MELA`). */
export function storedRtf(rtf: string): Uint8Array {
  const content = Buffer.from(rtf, 'latin1')
  const head = Buffer.alloc(16)
  head.writeUInt32LE(content.length + 12, 0)
  head.writeUInt32LE(content.length, 4)
  head.write('MELA', 8, 'latin1')
  return Buffer.concat([head, content])
}

/** HTML inside RTF, as Outlook encapsulates it (MS-OXRTFEX). */
export const encapsulated = (html: string): string =>
  `{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fswiss Arial;}}\n${html
    .split(/(<[^>]*>)/)
    .filter((part) => part !== '')
    .map((part) =>
      part.startsWith('<')
        ? `{\\*\\htmltag64 ${part.replace(/[\\{}]/g, '\\$&')}}`
        : `\\htmlrtf0 ${part.replace(/[\\{}]/g, '\\$&').replace(/[\x80-\xff]/g, (char) => `\\'${char.charCodeAt(0).toString(16)}`)}`,
    )
    .join('')}}`

/** A compound file whose sector table contains a cycle. */
export function circle(): Uint8Array {
  const bytes = new Uint8Array(4_096)
  const view = new DataView(bytes.buffer)
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  bytes[30] = 9
  view.setUint32(0x2c, 1, true)
  view.setUint32(0x30, 1, true)
  view.setInt32(0x3c, -2, true)
  view.setInt32(0x44, -2, true)
  view.setUint32(512, 1, true)
  view.setUint32(516, 1, true)
  return bytes
}
