/** Runs `work` when the page has nothing else to do; where the browser cannot tell, after the current work. */
export function whenIdle(page: Window, work: () => void): void {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in page) page.requestIdleCallback(work)
  else setTimeout(work)
}
