/** Counts requests in windows of a minute, and refuses those beyond a number. Each instance counts for itself. */
import { hash } from 'node:crypto'
import { Refusal } from './webServer.ts'

const WINDOW_MS = 60_000
/** The longest name that is its own key, in characters. */
const MAX_KEY_LENGTH = 64

type Window = { readonly end: number; count: number }

/** A name is its own key, but a long one has a hash, so that it takes no more memory. */
const keyOf = (name: string): string =>
  name.length <= MAX_KEY_LENGTH ? name : `hash ${hash('sha256', name, 'base64url')}`

/**
 * Counts requests by name, at most `most` in a window. A window of a minute begins with the first request of a name.
 * Beyond `maxWindows` the oldest windows are dropped, so that invented names cannot fill the memory.
 *
 * @param now milliseconds since 1970
 */
export function createWindows(most: number, maxWindows: number, now: () => number) {
  const windows = new Map<string, Window>()

  function forgetOld(): void {
    // The windows are in the order of their ends, because a new window is added last.
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

  /** The key of a name, and its window if it has one. */
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
    /** @throws Refusal when the window of the key is full */
    refuseFull(name: string): void {
      const { window } = find(name)
      if (window !== undefined) refuse(window)
    },
    /** Counts a request that is not refused. @throws Refusal when the window of the key is full */
    admit(name: string): void {
      const { key, window } = find(name)
      if (window !== undefined) refuse(window)
      countIn(window, key)
    },
    /** Takes back one admitted request. */
    forgive(name: string): void {
      const { window } = find(name)
      if (window !== undefined && window.count > 0) window.count -= 1
    },
  }
}
