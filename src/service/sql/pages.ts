/** Reads all items page by page. Each page begins after the last key of the previous page. */
export async function* readingPages<Item, Key = string>(
  read: (after: Key | null, limit: number) => Promise<readonly Item[]>,
  limit: number,
  keyOf: (item: Item) => Key,
): AsyncGenerator<readonly Item[]> {
  for (let after: Key | null = null; ;) {
    const page: readonly Item[] = await read(after, limit)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (page.length < limit) return
    after = keyOf(last)
  }
}
