/** The page that the chunk loader may reload. */
export type ReloadablePage = Readonly<{
  /** The time since the page was opened, in milliseconds. */
  age(): number
  /** Whether a reload would succeed right now. */
  canReload(): Promise<boolean>
  reload(): void
}>

/** The minimum age of a page for a reload. Without it, a page whose chunks never load would reload in a loop. */
export const RELOAD_AGE_MS = 10_000

/** Turns the import of a chunk into a function that loads the chunk. */
export type LoadChunk = <Chunk>(load: () => Promise<Chunk>) => () => Promise<Chunk>

/**
 * Creates the chunk loader. Browsers cache a module's failure until the page is closed (whatwg/html#6768), so a chunk's
 * second failure reloads the page if a reload can succeed; the load's promise then stays pending. Every other failure
 * rejects with the error of the import.
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
