/** The page that the pane runs in. */
export type Page = Readonly<{
  /** Milliseconds since the page was opened. */
  age(): number
  /** Whether the page could be loaded anew right now. */
  canReload(): Promise<boolean>
  reload(): void
}>

/** A page that is younger is not loaded anew, in milliseconds: one that never gets whole would be, again and again. */
export const RELOAD_AGE_MS = 10_000

/** Makes a way to load one chunk out of its import. */
export type LoadChunk = <Chunk>(load: () => Promise<Chunk>) => () => Promise<Chunk>

/**
 * Loads what is a chunk of its own. Browsers remember a module that could not be fetched for as long as the page lives
 * (whatwg/html#6768), so only a fresh page can have it: where a second try fails too, the page is loaded anew if it
 * can be had, and what was asked for is never answered. Otherwise the try fails as the import did.
 */
export const createChunkLoader =
  (page: Page): LoadChunk =>
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

export const browserPage: Page = {
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
