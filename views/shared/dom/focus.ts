import { type FocusEventHandler, type RefObject, useEffect, useRef } from 'react'

/** The elements of the page that may take over the focus, besides the page as a whole. */
const PART = 'section, fieldset, main, [role=listbox], [role=group][aria-label]:not([role=listbox] *)'

/** The first element of a part for a selector that no closed `details` hides. */
const shownIn = (part: Element, selector: string): HTMLElement | undefined =>
  [...part.querySelectorAll<HTMLElement>(selector)].find(
    (element) => !element.closest('details:not([open]) > :not(summary)'),
  )

/**
 * The element that takes over the focus in a part: the element that continues the task, or else the heading; null if
 * the part has neither.
 */
function fallbackIn(part: Element): HTMLElement | null {
  if (part.matches('[role=listbox]')) return part.querySelector('[role=option][tabindex="0"]')
  const element = shownIn(part, '[data-goes-on]') ?? shownIn(part, 'h1, h2, h3, legend')
  return element ?? (part.matches('[role=group]') && part instanceof HTMLElement ? part : null)
}

/** The element and everything around it, from the inside out. */
function pathOf(element: Element): readonly Element[] {
  const path: Element[] = []
  for (let each: Element | null = element; each; each = each.parentElement) path.push(each)
  return path
}

/**
 * Keeps the focus in the page when the focused element is removed, such as a button that has done its work. The focus
 * goes to the nearest remaining part around the removed element: to the button that continues the task, or else to the
 * heading. If neither exists yet, the first to appear gets the focus. The focus stays where it is if another frame has
 * it, or if the user pressed beside all controls.
 *
 * Microsoft's library handles the Tab key. On an element that this key does not reach, such as a heading, the library
 * would move the focus out of the pane, so there the browser handles the key instead.
 */
export function useFocusFallback(): void {
  useEffect(() => {
    /** The element that had the focus last, and the elements around it. */
    let path: readonly Element[] = []
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element) path = pathOf(target)
    }
    const forget = () => {
      path = []
    }
    const isLost = () => document.activeElement === null || document.activeElement === document.body
    const restore = () => {
      if (path.length === 0 || path[0]?.isConnected || !isLost() || !document.hasFocus()) return
      for (const part of path.filter(
        (each) => each.isConnected && (each.matches(PART) || each === document.body),
      )) {
        const element = fallbackIn(part)
        if (element && element.tabIndex < 0) element.tabIndex = -1
        // The element that continues the task scrolls into sight. A heading may stay out of sight, so that the page
        // does not move.
        element?.focus({ preventScroll: !element.matches('[data-goes-on]') })
        // A hidden element takes no focus, so the next part is tried.
        if (!isLost()) return
      }
    }
    const leaveToBrowser = (event: KeyboardEvent) => {
      const { key, target } = event
      if (key === 'Tab' && target instanceof HTMLElement && target.tabIndex < 0) event.stopPropagation()
    }
    const observer = new MutationObserver(restore)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    document.addEventListener('keydown', leaveToBrowser)
    document.addEventListener('pointerdown', forget, { capture: true })
    window.addEventListener('focus', restore)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('keydown', leaveToBrowser)
      document.removeEventListener('pointerdown', forget, { capture: true })
      window.removeEventListener('focus', restore)
    }
  }, [])
}

/** Focuses the first item when the menu opens. Returns a function that restores the earlier focus. */
export function useMenuFocus(menu: RefObject<HTMLElement | null>): () => void {
  const opener = useRef<Element>(null)
  useEffect(() => {
    opener.current = document.activeElement
    menu.current?.scrollIntoView({ block: 'nearest' })
    menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })
  }, [menu])
  return () => {
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }
}

/**
 * Handlers for a part of the page that the user can close, and a function that returns the focus to the element that
 * had it before. If that element is missing or gone, `useFocusFallback` decides.
 */
export function useFocusReturn(): Readonly<{
  onFocus: FocusEventHandler
  giveFocusBack: () => void
}> {
  const before = useRef<Element>(null)
  return {
    onFocus: ({ currentTarget, relatedTarget }) => {
      if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget
    },
    giveFocusBack: () => {
      if (before.current instanceof HTMLElement) before.current.focus()
    },
  }
}
