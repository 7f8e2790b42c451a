import type { FrameLocator, Locator, Route } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  chooseInMenu,
  eventually,
  type Opened,
  option,
  serveList,
  service,
  signaturesIn,
  untilInMessage,
  useBrowser,
} from './pane.ts'
import { servers } from './servers.ts'

// Alex's signatures by their combined ids, as the demonstration data has them.
const DEFAULT = 'portrait-u-1'
const SHORT = 'short-u-1'

const { open, share } = useBrowser()

beforeEach(async () => {
  await service.restore()
  await service.forget()
})
afterEach(async () => {
  await service.restore()
})

const box = (pane: FrameLocator) => pane.getByRole('combobox', { name: 'Search signatures' })
/**
 * Searches for these words instead of the ones before, by keyboard, as a person does. Playwright's `fill` does it in
 * Firefox by a script of the page, which sets `value` through React's own setter, so that React sees no change.
 */
async function search(pane: FrameLocator, words: string): Promise<void> {
  await box(pane).press('ControlOrMeta+a')
  await box(pane).pressSequentially(words)
}
/** A new message of the playground that tests use in turns, without a search. */
async function again(): Promise<Opened> {
  const playground = await share()
  await search(playground.pane, '')
  await box(playground.pane).press('Backspace')
  return playground
}
/** The name of the active option of the search box. */
const active = (pane: FrameLocator) =>
  box(pane).evaluate((input) => {
    const id = input.getAttribute('aria-activedescendant') ?? ''
    return input.ownerDocument.getElementById(id)?.querySelector('span')?.textContent
  })
/** The name of the option at the top. */
const firstName = (pane: FrameLocator) =>
  pane.getByRole('option').first().locator('span').first().textContent()

/** The positions in the list of the visible options, in order. */
const inView = (pane: FrameLocator): Promise<readonly number[]> =>
  pane.locator('[role=option]').evaluateAll((drawn) =>
    drawn
      .filter((each) => {
        const { top, bottom } = each.getBoundingClientRect()
        return bottom > 0 && top < window.innerHeight
      })
      .map((each) => Number(each.getAttribute('aria-posinset'))),
  )

describe('choosing by keyboard', () => {
  it('[CHOOSE-4] [SAFE-4] searches, moves, inserts and undoes, and lists a recently used signature first', async () => {
    const playground = await open()
    const { page, pane } = playground
    const before = await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').waitFor()
    expect(await firstName(pane)).toBe('With portrait')

    await box(pane).focus()
    await page.keyboard.type('sho')
    await eventually(() => pane.getByRole('option').count()).toBe(1)
    await eventually(() => active(pane)).toBe('Short')
    await page.keyboard.press('Enter')
    await untilInMessage(playground, SHORT)

    // The first Escape clears the search, the second undoes the insertion.
    await page.keyboard.press('Escape')
    await eventually(() => box(pane).inputValue()).toBe('')
    await pane.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('Escape')
    const undone = await untilInMessage(playground, DEFAULT)
    const withoutNames = (html: string) => html.replace(/cid:[^"]*/g, 'cid:')
    expect(withoutNames(undone.signatureHtml)).toBe(withoutNames(before.signatureHtml))

    // The first arrow key activates the signature in the message, the second the next one.
    await option(pane, 'With portrait').and(pane.locator('[aria-selected=true]')).waitFor()
    await page.keyboard.press('ArrowDown')
    await eventually(() => active(pane)).toBe('With portrait')
    await page.keyboard.press('ArrowDown')
    await eventually(() => active(pane)).toBe('Northwind standard')

    await page.reload()
    await untilInMessage(playground, DEFAULT)
    const recent = pane.getByRole('group', { name: 'Recent' }).getByRole('option').first()
    await eventually(() => recent.locator('span').first().textContent()).toBe('Short')
  })

  it('[CHOOSE-3] “No signature” is an option like any other, and stays chosen for its message', async () => {
    const playground = await again()
    const { page, pane } = playground
    const first = await untilInMessage(playground, DEFAULT)
    await search(pane, 'no sig')
    await option(pane, 'No signature').click()
    await eventually(async () => signaturesIn(await playground.message())).toEqual([])
    await pane.getByText('You chose no signature').waitFor()
    await page.evaluate(() => window.playground.newMessage())
    await untilInMessage(playground, DEFAULT)
    await page.evaluate((id) => window.playground.switchTo(id), first.id)
    await eventually(async () => (await playground.message()).id).toBe(first.id)
    await option(pane, 'No signature').and(pane.locator('[aria-selected=true]')).waitFor()
    expect(signaturesIn(await playground.message())).toEqual([])
  })
})

describe('signatures that are not loaded yet', () => {
  it('[CHOOSE-4] are found by a search, on any page', async () => {
    const objects = Array.from({ length: 23 }, (_, index) => ({
      name: `Signature ${index + 1}`,
      signature: `<p>Alex Kim, version ${index + 1}</p>`,
      combined_ids: `many-${index}`,
      base64_embedded_images: [],
    }))
    const serve = (route: Route) => {
      if (route.request().method() === 'OPTIONS') return route.continue()
      const number = Number(new URL(route.request().url()).searchParams.get('page'))
      return route.fulfill({
        headers: { 'Access-Control-Allow-Origin': servers().pages },
        json: { objects: objects.slice((number - 1) * 5, number * 5), total: 23, page: number },
      })
    }
    const playground = await open({
      arrange: (page) => page.route('**/signatures-cache/api/v1/signatures?*', serve),
    })
    const { pane } = playground
    await option(pane, 'Signature 1').waitFor()
    await search(pane, 'signature 23')
    await eventually(() => active(pane)).toBe('Signature 23')
    await box(pane).press('Enter')
    await untilInMessage(playground, 'many-22')
  })

  it('leave the keyboard focus on its option when shared signatures arrive', async () => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    const playground = await open({
      arrange: (page) =>
        page.route('**/signatures/get/batch*', async (route) => {
          if (route.request().method() !== 'OPTIONS') await arrived
          await route.continue()
        }),
    })
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    await option(pane, 'With portrait').and(pane.locator('[aria-selected=true]')).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    const focused = () =>
      pane.locator('html').evaluate((root) => {
        const { activeElement } = root.ownerDocument
        return activeElement?.getAttribute('role') === 'option'
          ? activeElement.querySelector('span')?.textContent
          : activeElement?.tagName
      })
    const before = await focused()
    expect(before).toBe('With portrait (reply version)')
    const size = () => pane.getByRole('option').first().getAttribute('aria-setsize').then(Number)
    const own = await size()
    arrive()
    await eventually(size).toBeGreaterThan(own)
    expect(await focused()).toBe(before)
    await page.keyboard.press('ArrowUp')
    expect(await focused()).toBe('With portrait')
  })
})

describe('the menu of a signature', () => {
  it('makes another signature the default, which is inserted into the next message', async () => {
    const playground = await open()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').waitFor()
    await chooseInMenu(pane, 'Short', 'Make default')
    await pane.getByText('“Short” is now your default for new messages.').waitFor({ state: 'attached' })
    await eventually(() => service.requests()).toContain('PUT /signatures-cache/api/v2/signature/default')
    await eventually(() => option(pane, 'Short').textContent()).toContain('Default')
    await page.evaluate(() => window.playground.newMessage())
    await untilInMessage(playground, SHORT)
    await service.reset()
  })

  it('says at the foot that a default could not be changed, which moves nothing and can be closed', async () => {
    const playground = await again()
    const { pane } = playground
    await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').waitFor()
    await eventually(() => pane.locator('[aria-busy=true]').count()).toBe(0)
    // Not under the notice, and not scrolled by what follows.
    await option(pane, 'Short').evaluate((row) => row.scrollIntoView({ block: 'center' }))
    const places = () =>
      Promise.all(
        [
          pane.getByRole('heading', { name: 'In this message' }),
          option(pane, 'With portrait'),
          option(pane, 'Short'),
          pane.getByRole('navigation', { name: 'Sections' }),
        ].map((each) => each.boundingBox()),
      )
    const before = await places()
    await service.fault('PUT /api/addin/user/variables_with_options', { kind: 'status', status: 503 })
    await chooseInMenu(pane, 'Short', 'Make default')
    const told = pane
      .getByRole('contentinfo')
      .getByRole('alert')
      .filter({ hasText: 'Couldn’t change your default for new messages' })
    await told.getByText('The signature service isn’t available right now.').waitFor()
    await eventually(() => pane.locator('[aria-busy=true]').count()).toBe(0)
    expect(await places()).toEqual(before)
    expect(await option(pane, 'With portrait').textContent()).toContain('Default')
    expect(await option(pane, 'Short').textContent()).not.toContain('Default')

    await told.getByRole('button', { name: 'Close' }).click()
    await eventually(() => told.count()).toBe(0)
    expect(await places()).toEqual(before)
  })

  it('[CHOOSE-7] copies as HTML and text, even in read mode, where insertion is impossible', async () => {
    const playground = await again()
    const { context, page, pane } = playground
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await untilInMessage(playground, DEFAULT)
    await page.evaluate(() => window.playground.switchTo('item-1'))
    await pane.getByText('You’re reading a message').waitFor()
    await option(pane, 'Short').click()
    await pane.getByText('“Short” is copied. You can paste it now.').waitFor({ state: 'attached' })
    const copied = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read()
      const read = async (type: string) => (await item?.getType(type))?.text() ?? ''
      return { html: await read('text/html'), text: await read('text/plain') }
    })
    expect(copied.html).toContain('<table')
    expect(copied.html).toContain('Alex Kim')
    expect(copied.text).toMatch(/^Alex Kim/)
    expect(copied.text).not.toContain('<table')
  })
})

/**
 * The HTML of a signature without the differences between a preview and a message: a preview's links have no target;
 * a message has the names of its pictures and the marker in attributes.
 */
const drawnIn = (part: Locator): Promise<string> =>
  part.evaluate((root) => {
    const copy = root.cloneNode(true) as HTMLElement
    for (const element of copy.querySelectorAll('*')) {
      element.classList.remove('signet-link')
      if (element.className === '') element.removeAttribute('class')
      for (const { name } of [...element.attributes])
        if (/^(?:href|target|contenteditable|data-.*)$/.test(name)) element.removeAttribute(name)
      if (element.id.startsWith('signet_')) element.removeAttribute('id')
    }
    return copy.innerHTML
  })

/** Shows the signature in the message below the bar, where an earlier test may have left it. */
async function unfoldDetails(pane: FrameLocator): Promise<void> {
  const folded = pane.getByRole('button', { name: 'Details of this signature', expanded: false })
  if ((await folded.count()) > 0) await folded.click()
}

describe('the preview', () => {
  it('[INS-7] in the list and in the card equals the inserted signature, element by element', async () => {
    const playground = await again()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    /** Replaces the addresses of pictures from the service by their bytes. */
    const withPictures = async (html: string) => {
      let whole = html
      for (const [, url = ''] of html.matchAll(/src="(http[^"]*)"/g)) {
        const bytes = await (await page.request.get(url)).body()
        whole = whole.replaceAll(`"${url}"`, `"data:image/png;base64,${bytes.toString('base64')}"`)
      }
      return whole
    }
    const inBody = page.frameLocator('iframe[title="Message body"]').locator('[data-part=signature]')
    const card = pane.frameLocator('iframe[title^="Preview of"]').locator('body')
    await unfoldDetails(pane)
    for (const name of [
      'Short',
      'Northwind standard',
      'With portrait (reply version)',
      'With legal notice',
    ]) {
      const chosen = option(pane, name)
      await search(pane, name.replace(' version)', ''))
      await chosen.scrollIntoViewIfNeeded()
      const offered = await drawnIn(chosen.frameLocator('iframe[sandbox=""]').locator('body'))
      expect(offered.length).toBeGreaterThan(100)
      await chosen.click()
      await option(pane, name).and(pane.locator('[aria-selected=true]')).waitFor()
      const inserted = await drawnIn(inBody)
      expect(await withPictures(offered)).toBe(inserted)
      await eventually(() => drawnIn(card)).toBe(inserted)
    }
  })

  it('[INS-7] for a plain-text message equals the inserted text', async () => {
    const playground = await again()
    const { page, pane } = playground
    const { id } = await untilInMessage(playground, DEFAULT)
    await page.evaluate(() => window.playground.setBodyType('text'))
    await page.evaluate(() => window.playground.switchTo('item-1'))
    await pane.getByText('You’re reading a message').waitFor()
    await page.evaluate((first) => window.playground.switchTo(first), id)
    await search(pane, 'short')
    const short = option(pane, 'Short')
    await short.scrollIntoViewIfNeeded()
    const offered = short.frameLocator('iframe[sandbox=""]').locator('pre')
    await eventually(() => offered.textContent()).toMatch(/^Alex Kim/)
    const text = await offered.textContent()
    await short.click()
    await short.and(pane.locator('[aria-selected=true]')).waitFor()
    await unfoldDetails(pane)
    await pane.getByText('This message is plain text, so only the signature’s text is inserted.').waitFor()
    const { bodyHtml } = await playground.message()
    expect(bodyHtml.split(text ?? '-'), bodyHtml).toHaveLength(2)
  })
})

describe('a thousand signatures', () => {
  it('are scrolled with only the options near the visible part in the document', async () => {
    const objects = Array.from({ length: 1000 }, (_, index) => ({
      name: `Signature ${index + 1}`,
      signature: `<p>Alex Kim, version ${index + 1}</p>`,
      combined_ids: `many-${index}`,
      base64_embedded_images: [],
    }))
    const playground = await open({ arrange: (page) => serveList(page, objects) })
    const { pane } = playground
    await option(pane, 'Signature 1').waitFor()
    const drawn = () => pane.locator('[role=option]').count()
    const previews = () => pane.locator('[role=option] iframe').count()
    expect(await drawn()).toBeLessThan(30)

    // At each position from top to bottom, options are visible and in order.
    let most = 0
    let last = 0
    for (let part = 1; part <= 10; part++) {
      await pane.locator('[role=listbox]').evaluate((list, to) => {
        const page = list.ownerDocument.documentElement
        const top = list.getBoundingClientRect().top + page.scrollTop
        page.scrollTop = top + list.clientHeight * to - window.innerHeight
      }, part / 10)
      await eventually(async () => (await inView(pane)).length).toBeGreaterThan(2)
      const [first = 0, ...others] = await inView(pane)
      expect(others).toEqual(others.map((_, index) => first + index + 1))
      expect(first).toBeGreaterThan(last)
      last = first
      most = Math.max(most, await drawn())
    }
    expect(last).toBeGreaterThan(990)
    expect(most).toBeLessThan(40)
    await eventually(previews).toBeGreaterThan(0)
    expect(await previews()).toBeLessThan(60)

    await search(pane, 'signature 1000')
    await eventually(() => pane.getByRole('option').count()).toBe(1)
    await box(pane).press('Enter')
    await untilInMessage(playground, 'many-999')
  })
})
