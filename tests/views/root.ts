import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** What React printed as an error, such as an update outside `act`. At the end of a test it fails the test. */
export const faults: unknown[][] = []

/** Makes a root element for every test of a file. Hooks that what is drawn needs until its end come before this. */
export function useRoot(): () => Root {
  let root: Root
  let printed: MockInstance
  beforeEach(() => {
    faults.length = 0
    printed = vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => faults.push(words))
    const place = document.createElement('div')
    document.body.replaceChildren(place)
    root = createRoot(place)
  })
  afterEach(() => {
    act(() => {
      root.unmount()
    })
    vi.unstubAllGlobals()
    printed.mockRestore()
    expect(faults).toEqual([])
  })
  return () => root
}

/** Each element that is observed, by the callback that reports its size. */
export function stubResizeObserver(): Map<() => void, readonly Element[]> {
  const observed = new Map<() => void, readonly Element[]>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: () => void
      constructor(tell: () => void) {
        this.#tell = tell
      }
      observe(element: Element) {
        observed.set(this.#tell, [...(observed.get(this.#tell) ?? []), element])
      }
      disconnect() {
        observed.delete(this.#tell)
      }
    },
  )
  return observed
}

/** Callbacks that report what is observed as visible. */
export function stubIntersectionObserver(): Set<() => void> {
  const observed = new Set<() => void>()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #tell: () => void
      constructor(tell: (entries: readonly { isIntersecting: boolean }[]) => void) {
        this.#tell = () => {
          tell([{ isIntersecting: true }])
        }
      }
      observe() {
        observed.add(this.#tell)
      }
      disconnect() {
        observed.delete(this.#tell)
      }
    },
  )
  return observed
}

/**
 * Keeps what the editor selects from coming back to it while it selects: here the document tells of a selection at once,
 * and in browsers later. Nothing has the focus when the editor goes. Comes after the hooks that remove the editor.
 */
export function useEditorSelection() {
  const swallow = (event: Event) => {
    event.stopImmediatePropagation()
  }
  beforeEach(() => {
    document.addEventListener('selectionchange', swallow, { capture: true })
    // The editor looks for the focus once more later, and shadow roots here do not know of each other's.
    Object.defineProperty(document, 'hasFocus', { value: () => false, configurable: true })
  })
  afterEach(() => {
    document.removeEventListener('selectionchange', swallow, { capture: true })
    Reflect.deleteProperty(document, 'hasFocus')
    const focused = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
    if (focused instanceof HTMLElement) focused.blur()
  })
}
