import type { Browser, Frame, Page } from 'playwright-core'
import type { RunningPlayground } from '../../src/playground/launch.ts'
import { median, quantile, spread, table } from './figures.ts'
import { openPane } from './pane.ts'

const SIGNATURES = 1_000
const PAGE_SIZE = 5
const RUNS = 5
const FRAMES = 300
/** CSS pixels per frame, like a quick turn of the mouse wheel. */
const SPEED_PX = 30
const FRAME_MS = 1000 / 60
const PERSON = 'tess.edge@northwind.example'

type List = Readonly<{ objects: readonly Readonly<Record<string, unknown>>[]; total: number; page: number }>

/** Repeats the user's own signatures in the service's responses, each with a unique name. */
async function withMany(page: Page): Promise<void> {
  let first: List['objects'] = []
  await page.route('**/signatures-cache/api/v1/signatures?**', async (route) => {
    const address = new URL(route.request().url())
    const wanted = Number(address.searchParams.get('page') ?? '1')
    address.searchParams.set('page', '1')
    const response = await route.fetch({ url: address.href })
    if (!response.ok()) return route.fulfill({ response })
    const list = (await response.json()) as List
    if (first.length === 0) first = list.objects
    const objects = Array.from({ length: PAGE_SIZE }, (_, index) => {
      const number = (wanted - 1) * PAGE_SIZE + index
      const object = first[number % first.length]
      return { ...object, name: `Signature ${String(number + 1)}` }
    })
    return route.fulfill({ response, json: { ...list, objects, total: SIGNATURES, page: wanted } })
  })
}

/** Milliseconds between frames while the list is scrolled, and the highest number of options in the document. */
const measureFrames = (frame: Frame) =>
  frame.evaluate(
    async ([frames, speed]) => {
      const scrolled = [...document.querySelectorAll('*')].find(
        ({ scrollHeight, clientHeight }) => clientHeight > 0 && scrollHeight > clientHeight + 1_000,
      )
      if (!scrolled) throw new Error('No element scrolls')
      scrolled.scrollTop = 0
      const gaps: number[] = []
      let options = 0
      let last = await new Promise(requestAnimationFrame)
      while (gaps.length < frames) {
        scrolled.scrollTop += speed
        const now = await new Promise(requestAnimationFrame)
        gaps.push(now - last)
        last = now
        options = Math.max(options, document.querySelectorAll('[role=option]').length)
      }
      return { gaps, options }
    },
    [FRAMES, SPEED_PX] as const,
  )

const dropped = (gaps: readonly number[]): number =>
  gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME_MS) - 1), 0)

/** Scrolls until the last signature is loaded. */
async function loadAll(frame: Frame): Promise<void> {
  const isDone = await frame.evaluate(
    async (name) => {
      for (let tries = 0; tries < 6_000; tries++) {
        for (const element of document.querySelectorAll('*')) {
          if (element.scrollHeight > element.clientHeight + 100) element.scrollTop = element.scrollHeight
        }
        await new Promise(requestAnimationFrame)
        if (
          [...document.querySelectorAll('[role=option]')].some(({ textContent }) =>
            textContent.includes(name),
          )
        )
          return true
      }
      return false
    },
    `Signature ${String(SIGNATURES)}`,
  )
  if (!isDone) throw new Error('The list does not end')
}

/** Measures dropped frames while a thousand signatures scroll, compared with plain lines of text. */
export async function measureScrolling(browser: Browser, { url }: RunningPlayground): Promise<string> {
  const pane = await openPane(browser, url, PERSON, withMany)
  const plain = await browser.newPage({ viewport: { width: 360, height: 800 } })
  try {
    await loadAll(pane.frame())
    await plain.setContent(
      `<!doctype html><title>Plain lines</title>${'<p style="height:80px;margin:0">Signature</p>'.repeat(SIGNATURES)}`,
    )
    const measured = {
      ours: { drops: [] as number[], worst: [] as number[], options: 0 },
      plain: { drops: [] as number[], worst: [] as number[], options: 0 },
    }
    // In turns. The first round is a warm-up.
    for (let run = 0; run <= RUNS; run++)
      for (const [name, page, frame] of [
        ['ours', pane.page, pane.frame()],
        ['plain', plain, plain.mainFrame()],
      ] as const) {
        await page.bringToFront()
        const { gaps, options } = await measureFrames(frame)
        measured[name].options = Math.max(measured[name].options, options)
        if (run === 0) continue
        measured[name].drops.push(dropped(gaps))
        measured[name].worst.push(quantile(gaps, 1))
      }
    const row = (title: string, { drops, worst, options }: (typeof measured)['ours'], drawn: string) => [
      title,
      spread(drops),
      ((100 * median(drops)) / FRAMES).toFixed(1),
      spread(worst),
      drawn || String(options),
    ]
    return table(
      `Scrolling (${String(SIGNATURES)} signatures, ${String(FRAMES)} frames of ${String(SPEED_PX)} px each, ${String(RUNS)} runs, in turns)`,
      ['', 'dropped frames, median [least–most]', 'dropped, %', 'longest frame, ms', 'rows in the document'],
      [
        row("the pane's list", measured.ours, ''),
        row('a page with as many plain lines', measured.plain, String(SIGNATURES)),
      ],
    )
  } finally {
    await plain.close()
    await pane.context.close()
  }
}
