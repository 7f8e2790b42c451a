import type { Address } from '../../engine/hosts/mailClient.ts'

/**
 * Parses typed addresses (`a@b.example` or `Name <a@b.example>`), separated by semicolons, commas or line breaks. A
 * name that contains a separator must be quoted. Text that is not an address is kept as typed.
 */
export function parseRecipients(typed: string): readonly Address[] {
  const parts = typed.match(/(?:"[^"]*"|[^;,\n"]|")+/g) ?? []
  return parts.flatMap((part) => {
    const text = part.trim()
    if (text === '') return []
    const [, name, address] = /^(.*)<([^<>]*)>$/.exec(text) ?? []
    if (address === undefined) return [{ address: text, name: text }]
    return [{ address: address.trim(), name: name?.trim().replace(/^"(.*)"$/, '$1') || address.trim() }]
  })
}

/** Formats recipients as text that `parseRecipients` parses back. */
export const formatRecipients = (recipients: readonly Address[]): string =>
  recipients
    .map(({ address, name }) => {
      if (name === '' || name === address) return address
      return `${/[;,"<>]/.test(name) ? `"${name.replaceAll('"', "'")}"` : name} <${address}>`
    })
    .join('; ')
