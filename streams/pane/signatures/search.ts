import { OWN_OWNER, type SignatureEntry } from '../../message/signatures/entry.ts'

/** Whether every word of the query is a prefix of a word of the entry's name, owner, code or collection. */
export function matchesSearch(
  entry: Pick<SignatureEntry, 'name' | 'owner' | 'code' | 'collection'>,
  query: string,
): boolean {
  const words = (text: string) =>
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .split(/[^\p{L}\p{N}]+/u)
  const known = words(
    `${entry.name} ${entry.owner === OWN_OWNER ? '' : entry.owner} ${entry.code} ${entry.collection}`,
  )
  return words(query).every((word) => known.some((each) => each.startsWith(word)))
}
