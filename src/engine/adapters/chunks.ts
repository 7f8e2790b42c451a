/** The page around the pane. */
export type ReloadablePage = Readonly<{
  /** Milliseconds since the page was opened. */
  age(): number
  /** Whether a reload would succeed right now. */
  canReload(): Promise<boolean>
  reload(): void
}>

/** A younger page is not reloaded, or a page that never loads completely would reload in a loop. */
export const RELOAD_AGE_MS = 10_000

/** Makes the loader of one chunk from its import. */
export type LoadChunk = <Chunk>(load: () => Promise<Chunk>) => () => Promise<Chunk>

/**
 * Loads chunks, with a reload of the page as the last retry: browsers cache the failure of a module for as long as the
 * page lives (whatwg/html#6768). A second failure of the same chunk reloads the page, if that can succeed, and its
 * promise stays pending. Otherwise the load fails as the import did.
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
