/** Runs `work` when the browser is idle, or in a later task where the browser has no idle callbacks (Safari). */
export function whenIdle(page: Window, work: () => void): void {
  if ('requestIdleCallback' in page) page.requestIdleCallback(work)
  else setTimeout(work)
}
