import type { Browser } from 'playwright-core'
import type { RunningPlayground } from '../../src/playground/launch.ts'
import { median, spread, table, times } from './figures.ts'
import { type OpenPane, openPane, snapshotOf, TIMEOUT_MS } from './pane.ts'

const RUNS = 7
/** Signatures of the demonstration data. Each user's first signature has no image, and is the reference for the others. */
const CHOICES = [
  { person: 'tess.edge@northwind.example', names: ['Only text', 'Only a picture', 'Catalogue'] },
  { person: 'alex.kim@northwind.example', names: ['Plain', 'Harbour Days'] },
] as const

const IMAGE = 'lsi-attach'

/** Opens a new message, and waits until the pane has inserted and announced the default. */
async function beginMessage({ page, frame }: OpenPane): Promise<void> {
  const id = await page.evaluate(() => window.playground.newMessage())
  await page.waitForFunction(
    (wanted) => window.playground.snapshot().items.find((item) => item.id === wanted)?.signatureHtml !== '',
    id,
    { polling: 20 },
  )
  await frame().waitForFunction(() =>
    [...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent !== ''),
  )
}

/** Less than the height that the list renders at once, so that scrolling skips no option. */
const STEP_PX = 200
const MAX_STEPS = 150

/** Scrolls from the top until the list renders the option. The list loads and renders only rows near the visible part. */
async function bringIntoView({ frame }: OpenPane, name: string) {
  const option = frame().getByRole('option', { name, exact: true })
  for (let step = 0; (await option.count()) === 0; step++) {
    if (step > MAX_STEPS) throw new Error(`The list has no "${name}"`)
    await frame().evaluate((top) => {
      for (const element of document.querySelectorAll('html, :has([role=listbox])')) element.scrollTop = top
    }, step * STEP_PX)
    await option.waitFor({ state: 'attached', timeout: 150 }).catch(() => {})
  }
  await option.scrollIntoViewIfNeeded()
  return option
}

/** The milliseconds from the click to the pane's announcement, and the signature's number of images. */
async function insert(pane: OpenPane, name: string): Promise<{ ms: number; images: number }> {
  const option = await bringIntoView(pane, name)
  const ms = await option.evaluate(
    (element: HTMLElement, [announced, timeout]) =>
      new Promise<number>((resolve, reject) => {
        const limit = setTimeout(() => reject(new Error('The insertion does not end')), timeout)
        const observer = new MutationObserver(() => {
          const said = [...document.querySelectorAll('[role=status]')]
          if (!said.some(({ textContent }) => textContent.includes(announced))) return
          observer.disconnect()
          clearTimeout(limit)
          resolve(performance.now() - start)
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
        const start = performance.now()
        element.click()
      }),
    [name, TIMEOUT_MS] as const,
  )
  const { current, items } = await snapshotOf(pane.page)
  const attachments = items.find(({ id }) => id === current)?.attachments ?? []
  return { ms, images: attachments.filter((each) => each.isInline && each.name.startsWith(IMAGE)).length }
}

/** Measures insertions by the number of images, each in a new message that already has its default. */
export async function measureInsertion(browser: Browser, { url }: RunningPlayground): Promise<string> {
  const rows: { images: number; name: string; ms: readonly number[]; ratio: number }[] = []
  for (const { person, names } of CHOICES) {
    const pane = await openPane(browser, url, person)
    try {
      const measured = names.map((name) => ({ name, images: 0, ms: [] as number[] }))
      // In turns. The first round only loads the list.
      for (let run = 0; run <= RUNS; run++)
        for (const each of measured) {
          await beginMessage(pane)
          const { ms, images } = await insert(pane, each.name)
          each.images = images
          if (run > 0) each.ms.push(ms)
        }
      const bare = measured[0]
      if (bare?.images !== 0) throw new Error(`"${names[0]}" must have no image`)
      for (const { name, images, ms } of measured)
        rows.push({ name, images, ms, ratio: median(ms) / median(bare.ms) })
    } finally {
      await pane.context.close()
    }
  }
  return table(
    `Insertion, from the click to the announcement (${String(RUNS)} runs each, in turns)`,
    ['signature', 'images', 'ms, median [least–most]', 'vs. no image'],
    rows
      .toSorted((a, b) => a.images - b.images)
      .map(({ name, images, ms, ratio }) => [name, String(images), spread(ms), times(ratio)]),
  )
}
