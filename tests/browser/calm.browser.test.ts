import type { Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ALEX, addressOf, DEFAULT_OPTIONS, eventually, useBrowser } from './pane.ts'

const DEFAULT = 'portrait-u-1'

const { browser, tab } = useBrowser()

/** What moved in the pane without being asked to, in words, and the sum of the browser's scores (Layout Instability). */
type Moved = Readonly<{ score: number; parts: readonly string[]; options: readonly string[] }>

/**
 * Notes in each document what moves from its first frame on: what the browser calls a layout shift, also right after a
 * click, and each option in sight that moves once it can be clicked. `innerText` of an option begins with its name.
 */
function noteMoves(): void {
  const moved = { score: 0, parts: [] as string[], options: [] as string[] }
  Object.assign(window, { moved })
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
      moved.score += value
      for (const { node, previousRect, currentRect } of sources)
        moved.parts.push(
          `${value.toFixed(4)} at ${Math.round(entry.startTime)} ms: ${nameOf(node)} from ${placeOf(previousRect)} to ${placeOf(currentRect)}`,
        )
    }
  }).observe({ type: 'layout-shift', buffered: true })

  const places = new Map<Element, number>()
  const look = () => {
    const top = document.querySelector('[data-sticky]')?.getBoundingClientRect().bottom ?? 0
    const bottom = document.querySelector('footer')?.getBoundingClientRect().top ?? innerHeight
    for (const option of document.querySelectorAll<HTMLElement>('[role=option]')) {
      if (option.getAttribute('aria-disabled') === 'true') continue
      const box = option.getBoundingClientRect()
      const place = box.top + scrollY
      const before = places.get(option)
      places.set(option, place)
      const wasInSight =
        before !== undefined && before - scrollY < bottom && before + box.height - scrollY > top
      if (wasInSight && Math.abs(before - place) >= 1)
        moved.options.push(`“${option.innerText.split('\n')[0] ?? ''}” from ${before} to ${place}`)
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

const frameOf = async (page: Page): Promise<Frame> =>
  (await (await page.locator('iframe[title="Signet"]').elementHandle()).contentFrame()) ??
  expect.fail('there is no pane')

const moves = async (page: Page): Promise<Moved> =>
  (await frameOf(page)).evaluate(
    () =>
      new Promise<Moved>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve((window as unknown as { moved: Moved }).moved)),
        )
      }),
  )
const forget = async (page: Page): Promise<unknown> =>
  (await frameOf(page)).evaluate(() =>
    Object.assign((window as unknown as { moved: Moved }).moved, { score: 0, parts: [], options: [] }),
  )

/** Until the signature is in the message and everything in sight is drawn. */
async function untilSettled(page: Page): Promise<void> {
  const pane = page.frameLocator('iframe[title="Signet"]')
  const inMessage = () =>
    page.evaluate(() => window.playground.snapshot().items.at(0)?.bodyHtml ?? '').catch(() => '')
  await eventually(inMessage).toContain(`data-signet-id="${DEFAULT}"`)
  await pane.getByRole('region', { name: 'In this message' }).getByText('With portrait').waitFor()
  await pane.getByRole('option', { name: 'With portrait', exact: true }).waitFor()
  await eventually(() => pane.locator('[aria-busy=true]').count()).toBe(0)
  // Every preview in sight is measured.
  await eventually(async () =>
    (await frameOf(page)).evaluate(() =>
      [...document.querySelectorAll('[role=option]')]
        .filter((option) => option.getBoundingClientRect().top < innerHeight)
        .map((option) => option.querySelectorAll('iframe').length)
        .filter((count) => count > 1),
    ),
  ).toEqual([])
}

/** A tab of a browser that knows nothing of the playground yet. */
const coldTab = async (): Promise<Page> => (await browser().newContext(DEFAULT_OPTIONS)).newPage()

/** A playground whose pane has this width from its first frame on, and this height if there is one, with these notes. */
async function open(page: Page, width: number, height?: number) {
  await page.addInitScript(noteMoves)
  const frame =
    height === undefined ? '' : `iframe[title="Signet"] { flex: none; height: ${height}px !important }`
  await page.addInitScript((styles) => {
    if (window !== window.top) return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    document.adoptedStyleSheets.push(sheet)
  }, `#pane { width: ${width}px !important } ${frame}`)
  const pane = page.frameLocator('iframe[title="Signet"]')
  return { page, pane, settled: () => untilSettled(page) }
}

const calm = async (page: Page) => {
  const { score, parts, options } = await moves(page)
  const found = [...parts, ...options]
  expect(options, found.join('\n')).toEqual([])
  expect(score, found.join('\n')).toBeLessThan(0.1)
}

describe.each([320, 450])('a pane of %i pixels', (width) => {
  it('[START-3] [CHOOSE-8] opens calmly: cold, warm and after a sign-in, nothing moves once it can be clicked', async () => {
    const { page, pane, settled } = await open(await coldTab(), width)
    await page.goto(addressOf(ALEX))
    await settled()
    await calm(page)

    await page.reload()
    await settled()
    await calm(page)

    await pane.getByRole('button', { name: /^Account/ }).click()
    await pane.getByRole('button', { name: 'Sign out' }).click()
    await pane.getByRole('button', { name: 'Sign in' }).waitFor()
    await forget(page)
    await pane.getByRole('button', { name: 'Sign in' }).click()
    await settled()
    await calm(page)
  })
})

it.each(['', '&launch=off'])('a healthy start warns of nothing on the console%s', async (without) => {
  const page = await coldTab()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const lines: string[] = []
  page.on('console', (line) => {
    if (['warning', 'error'].includes(line.type())) lines.push(line.text())
  })
  await page.goto(`${addressOf(ALEX).replace('&launch=off', '')}${without}`)
  await untilSettled(page)
  await page.reload()
  await untilSettled(page)
  // At the first start outside production nobody is known, and the defaults count (specification, section 4).
  expect(lines).toEqual(['[LSI] settings_without_person {}'])
})

describe('the bar with what is in the message', () => {
  /** The edges of the bar and what hangs from it, of the foot, and of the focused option, in CSS pixels. */
  const edges = async (page: Page) =>
    (await frameOf(page)).evaluate(() => {
      const bar = document.querySelector('[data-sticky]')
      const parts = bar ? [bar, ...bar.children].map((part) => part.getBoundingClientRect()) : []
      const focused = document.activeElement?.getBoundingClientRect()
      return {
        bar: [Math.min(...parts.map(({ top }) => top)), Math.max(...parts.map(({ bottom }) => bottom))],
        foot: document.querySelector('footer')?.getBoundingClientRect().top ?? 0,
        option: focused ? [focused.top, focused.bottom] : [],
        says: document.activeElement?.textContent ?? '',
      }
    })
  /** Waits until the option with the focus stands between the bar, with what hangs from it, and the foot. */
  const untilClear = (page: Page, name: string) =>
    eventually(async () => {
      const { bar, foot, option, says } = await edges(page)
      return [says, bar[0], option[0]! >= bar[1]! - 1, option[1]! <= foot + 1]
    }).toEqual([expect.stringContaining(name), 0, true, true])

  it('is in sight at 320 by 500 wherever the list is, and covers no option that the keyboard is at', async () => {
    const { page, pane, settled } = await open(await tab(), 320, 500)
    await page.goto(addressOf(ALEX))
    await settled()
    await pane.getByRole('option', { name: 'With portrait', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    for (const [key, name] of [
      ['ArrowDown', 'reply'],
      ['ArrowDown', 'mobile'],
      ['ArrowDown', 'Northwind standard'],
      ['End', 'No signature'],
      ['ArrowUp', ''],
      ['ArrowUp', ''],
      ['Home', 'With portrait'],
      ['ArrowDown', 'reply'],
    ] as const) {
      await page.keyboard.press(key)
      await untilClear(page, name)
    }

    // A failure hangs from the bar, and moves nothing but the option out from under it.
    await forget(page)
    await page.evaluate(() =>
      window.playground.fail('body.setSignatureAsync', { code: 5001, name: 'InternalError' }),
    )
    await page.keyboard.press('Enter')
    const failure = pane.getByRole('region', { name: 'In this message' }).getByRole('alert')
    await failure.getByRole('button', { name: 'Try again' }).waitFor()
    await untilClear(page, 'reply')
    expect((await moves(page)).options).toEqual([])
    await failure.locator('..').getByRole('button', { name: 'Close' }).click()
    await eventually(() => failure.count()).toBe(0)
    await untilClear(page, 'reply')
  })

  it('does not stick where it would leave no room', async () => {
    const { page, settled } = await open(await tab(), 320, 380)
    await page.goto(addressOf(ALEX))
    await settled()
    await (await frameOf(page)).evaluate(() => scrollTo(0, 300))
    await eventually(async () => ((await edges(page)).bar[1] ?? 0) < 0).toBe(true)
  })
})
