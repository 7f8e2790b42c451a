import type { Frame, Page } from 'playwright-core'

/** Notes in a document, from its first frame on, what the browser calls a layout shift (Layout Instability). */
export function noteShifts(): void {
  const shifts: string[] = []
  Object.assign(window, { shifts })
  const nameOf = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement
    const says = element?.textContent.trim().slice(0, 30) ?? ''
    return `${element?.tagName ?? 'what is gone'}.${element?.getAttribute('class') ?? ''} “${says}”`
  }
  const placeOf = ({ left, top, width, height }: DOMRectReadOnly) =>
    `${[left, top].map(Math.round).join()} (${[width, height].map(Math.round).join('×')})`
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as PerformanceEntry & {
        value: number
        sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
      }
      for (const { node, previousRect, currentRect } of sources)
        shifts.push(
          `${value.toFixed(4)}: ${nameOf(node)} from ${placeOf(previousRect)} to ${placeOf(currentRect)}`,
        )
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** The layout shifts so far, in words. */
export const shiftsIn = (page: Page | Frame): Promise<readonly string[]> =>
  page.evaluate(
    () =>
      new Promise<readonly string[]>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve((window as unknown as { shifts: string[] }).shifts)),
        )
      }),
  )
