/** Runs `work` when the browser is idle, or in a later task where the browser has no idle callbacks (Safari). */
export function whenIdle(page: Partial<Pick<Window, 'requestIdleCallback'>>, work: () => void): void {
  if (page.requestIdleCallback?.(work) === undefined) setTimeout(work)
}
