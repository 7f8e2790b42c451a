/** Limits requests per minute. Each instance of the service counts separately. */
import { hash } from 'node:crypto'
import { Refusal } from './webServer.ts'

const WINDOW_MS = 60_000
/** The longest name that serves as its own key, in characters. */
const MAX_KEY_LENGTH = 64

type Window = { readonly end: number; count: number }

/** The key of a name: the name itself, or a hash of a long name to save memory. */
const keyOf = (name: string): string =>
  name.length <= MAX_KEY_LENGTH ? name : `hash ${hash('sha256', name, 'base64url')}`

/**
 * Creates a rate limit: at most `most` requests for each name and window. A window begins with the first request for a
 * name, and lasts a minute. Beyond `maxWindows`, the oldest windows are dropped, so that invented names cannot fill the
 * memory.
 *
 * @param now the time in milliseconds since 1970
 */
export function createRateWindows(most: number, maxWindows: number, now: () => number) {
  const windows = new Map<string, Window>()

  function forgetOld(): void {
    // Windows are in order of their ends, because new windows are added last.
    for (const [each, { end }] of windows) {
      if (end > now() && windows.size <= maxWindows) break
      windows.delete(each)
    }
  }

  function countIn(window: Window | undefined, key: string): void {
    if (window === undefined) windows.set(key, { end: now() + WINDOW_MS, count: 1 })
    else window.count += 1
  }

  function refuse({ end, count }: Window): void {
    if (count < most) return
    const seconds = Math.ceil((end - now()) / 1000)
    throw new Refusal(429, 'too_many_requests', `Too many requests; try again in ${seconds} s.`, seconds)
  }

  /** The key of a name, and its window if there is one. */
  function find(name: string): Readonly<{ key: string; window: Window | undefined }> {
    forgetOld()
    const key = keyOf(name)
    return { key, window: windows.get(key) }
  }

  return {
    count(name: string): void {
      const { key, window } = find(name)
      countIn(window, key)
    },
    /** Rejects a request without counting it. @throws Refusal when the window of the name is full */
    refuseFull(name: string): void {
      const { window } = find(name)
      if (window !== undefined) refuse(window)
    },
    /**
     * Counts a request, or rejects it.
     *
     * @throws Refusal when the window of the name is full
     */
    admit(name: string): void {
      const { key, window } = find(name)
      if (window !== undefined) refuse(window)
      countIn(window, key)
    },
    /** Takes back the count of one request. */
    forgive(name: string): void {
      const { window } = find(name)
      if (window !== undefined && window.count > 0) window.count -= 1
    },
  }
}
