/** The page that the loader of chunks may reload. */
export type ReloadablePage = Readonly<{
  /** The time since the page was opened, in milliseconds. */
  age(): number
  /** Whether a reload would succeed right now. */
  canReload(): Promise<boolean>
  reload(): void
}>

/** The minimum age of a page for a reload. Without it, a page whose chunks never load would reload in a loop. */
export const RELOAD_AGE_MS = 10_000

/** Makes the function that loads one chunk, from the chunk's import. */
export type LoadChunk = <Chunk>(load: () => Promise<Chunk>) => () => Promise<Chunk>

/**
 * Loads chunks. Browsers cache the failure of a module while the page lives (whatwg/html#6768), so the second failure
 * of a chunk reloads the page if a reload can succeed. The promise of that load stays pending. Every other load fails
 * with the error of its import.
 */
export const createChunkLoader =
  (page: ReloadablePage): LoadChunk =>
  (load) => {
    let hasFailed = false
    return async () => {
      try {
        return await load()
      } catch (error) {
        const isSecond = hasFailed
        hasFailed = true
        if (!isSecond || page.age() < RELOAD_AGE_MS || !(await page.canReload())) throw error
        page.reload()
        return new Promise(() => undefined)
      }
    }
  }

export const browserPage: ReloadablePage = {
  age: () => performance.now(),
  canReload: () =>
    fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    ),
  reload: () => {
    location.reload()
  },
}
