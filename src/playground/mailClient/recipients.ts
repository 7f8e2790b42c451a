import type { Address } from '../../engine/hosts/mailClient.ts'

/**
 * The addresses that a person typed, separated by semicolons, commas or line ends: `a@b.example` or
 * `Name <a@b.example>`, the name in quotes when it holds a separator. What is no address is kept as it was typed.
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

/** The opposite of `parseRecipients`. */
export const formatRecipients = (recipients: readonly Address[]): string =>
  recipients
    .map(({ address, name }) => {
      if (name === '' || name === address) return address
      return `${/[;,"<>]/.test(name) ? `"${name.replaceAll('"', "'")}"` : name} <${address}>`
    })
    .join('; ')
