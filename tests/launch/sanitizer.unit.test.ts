import { VirtualTimeScheduler } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { createLaunchSanitizer, PANE_SANITIZER_LIMIT_MS } from '../../src/launch/sanitizer.ts'
import type { Sanitize } from '../../streams/html/plan.ts'

const LOGO = 'https://cdn.example/a.png'
const html = `<p onclick="a()">Alex</p><img src="${LOGO}">`
const attach = (address: string) => (address === LOGO ? 'cid:a' : null)

/** What the sanitiser makes of the html, and the sanitisers that it was given by then. */
async function sanitized(
  load: (() => Promise<Sanitize>) | null,
  html_: string,
  passed: number,
): Promise<readonly string[]> {
  const scheduler = new VirtualTimeScheduler()
  const results: string[] = []
  createLaunchSanitizer(load, { scheduler })().subscribe((sanitize) => {
    results.push(sanitize(html_, 'insert', attach))
  })
  await Promise.resolve().then(() => undefined)
  scheduler.maxFrames = passed
  scheduler.flush()
  return results
}

describe('the sanitiser of launch events', () => {
  const clean = '<p>Alex</p><img src="cid:a">'
  const ofPane: Sanitize = (given, profile, replace) => `${profile} ${String(replace)} ${given}`

  test('works alone where there is no document, and where that of the pane cannot be loaded', async () => {
    expect(await sanitized(null, html, 0)).toEqual([clean])
    expect(await sanitized(() => Promise.reject(new Error('offline')), html, 0)).toEqual([clean])
    const failing = () => {
      throw new Error('defect')
    }
    expect(await sanitized(failing, html, 0)).toEqual([clean])
  })

  test('is that of the pane where it can be loaded', async () => {
    expect(await sanitized(() => Promise.resolve(ofPane), html, 0)).toEqual([ofPane(html, 'insert', attach)])
  })

  test('waits a second for that of the pane, and then works alone', async () => {
    const never = () => new Promise<Sanitize>(() => undefined)
    expect(await sanitized(never, html, PANE_SANITIZER_LIMIT_MS - 1)).toEqual([])
    expect(await sanitized(never, html, PANE_SANITIZER_LIMIT_MS)).toEqual([clean])
  })
})
