import { useEffect } from 'react'

/** What may hold the focus for what was in it, besides the page as a whole. */
const PART = 'section, fieldset, main, [role=listbox], [role=group][aria-label]:not([role=listbox] *)'

/**
 * Where in a part of the page the focus is as near as can be to what is gone: where it goes on, or else its heading.
 * Null where there is no such place.
 */
function placeIn(part: Element): HTMLElement | null {
  if (part.matches('[role=listbox]')) return part.querySelector('[role=option][tabindex="0"]')
  const place =
    part.querySelector<HTMLElement>('[data-goes-on]') ?? part.querySelector<HTMLElement>('h1, h2, h3, legend')
  return place ?? (part.matches('[role=group]') && part instanceof HTMLElement ? part : null)
}

/** From an element outwards. */
function pathOf(element: Element): readonly Element[] {
  const path: Element[] = []
  for (let each: Element | null = element; each; each = each.parentElement) path.push(each)
  return path
}

/**
 * Whoever works by keyboard is never left nowhere: when what had the focus leaves the page, as a button does that has
 * done its work, the focus goes to the heading of the nearest part around it that is still there, or to the button
 * there that goes on with the same, and where none is yet, to the first that comes. It is taken from nobody: not while
 * another frame has it, and not when the person pressed beside everything.
 *
 * Microsoft's library takes the Tab key, and from a place that this key does not lead to, such as a heading, it leads
 * out of the pane. From there the browser goes on.
 */
export function useFocusKept(): void {
  useEffect(() => {
    /** Who had the focus, and what is around it. */
    let path: readonly Element[] = []
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element) path = pathOf(target)
    }
    const forget = () => {
      path = []
    }
    const isNowhere = () => document.activeElement === null || document.activeElement === document.body
    const keep = () => {
      if (path.length === 0 || path[0]?.isConnected || !isNowhere() || !document.hasFocus()) return
      for (const part of path.filter(
        (each) => each.isConnected && (each.matches(PART) || each === document.body),
      )) {
        const place = placeIn(part)
        if (place && place.tabIndex < 0) place.tabIndex = -1
        place?.focus({ preventScroll: true })
        // What is hidden takes no focus.
        if (!isNowhere()) return
      }
    }
    const leaveToBrowser = (event: KeyboardEvent) => {
      const { key, target } = event
      if (key === 'Tab' && target instanceof HTMLElement && target.tabIndex < 0) event.stopPropagation()
    }
    const observer = new MutationObserver(keep)
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    document.addEventListener('keydown', leaveToBrowser)
    document.addEventListener('pointerdown', forget, { capture: true })
    window.addEventListener('focus', keep)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      document.removeEventListener('keydown', leaveToBrowser)
      document.removeEventListener('pointerdown', forget, { capture: true })
      window.removeEventListener('focus', keep)
    }
  }, [])
}
