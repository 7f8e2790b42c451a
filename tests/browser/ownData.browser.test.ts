import axe from 'axe-core'
import type { FrameLocator, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually, JONAS, MARIA, option, service, untilInMessage, useBrowser } from './pane.ts'

const DEFAULT = 'portrait-u-1'
const { open, share } = useBrowser()

beforeEach(async () => {
  await service.restore()
  await service.reset()
  await service.forget()
})
afterEach(async () => {
  await service.restore()
})

/** The way to a section of the pane, by its place: tests open it in several languages. */
const section = (pane: FrameLocator, place: 'details' | 'settings') =>
  pane
    .getByRole('navigation')
    .last()
    .getByRole('link')
    .nth(['signatures', 'details', 'settings'].indexOf(place))

const goTo = async (pane: FrameLocator, place: string, title = place) => {
  await pane.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: place }).click()
  await pane.getByRole('heading', { name: title, level: 1 }).waitFor()
}

/** A picture of one colour, wider than high, from a canvas of the browser. */
const png = async (page: Page): Promise<Buffer> => {
  const dataUrl = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 96
    canvas.height = 64
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser draws nothing')
    context.fillStyle = '#c4492e'
    context.fillRect(0, 0, 96, 64)
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(dataUrl.replace(/^.*,/, ''), 'base64')
}

/** A JPEG, red on its left and blue on its right, whose metadata say that the left is the top. */
const lyingPhotograph = async (page: Page): Promise<Buffer> => {
  const dataUrl = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 40
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser draws nothing')
    for (const [colour, left] of [['#f00', 0] as const, ['#00f', 20] as const]) {
      context.fillStyle = colour
      context.fillRect(left, 0, 20, 40)
    }
    return canvas.toDataURL('image/jpeg', 1)
  })
  const jpeg = Buffer.from(dataUrl.replace(/^.*,/, ''), 'base64')
  // One entry: orientation (0x0112), a short, with the value 6.
  const directory = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
  const exif = Buffer.from([...Buffer.from('Exif\0\0MM\0*'), 0, 0, 0, 8, ...directory])
  const segment = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), segment, exif, jpeg.subarray(2)])
}

describe('my details', () => {
  it('[VAR-6] shows a saved edit in the signature that the service renders, and reloads the list', async () => {
    const playground = await open()
    const { pane } = playground
    await untilInMessage(playground, DEFAULT)
    await goTo(pane, 'My details')
    await pane.getByRole('textbox', { name: 'First name' }).fill('Sandy')
    await pane.getByText('Saved: Alex', { exact: false }).waitFor()
    // The preview shows the edit before it is saved.
    await eventually(() =>
      pane.locator('iframe[title="Preview with your changes"]').getAttribute('srcdoc'),
    ).toContain('Sandy')
    await service.forget()
    await pane.getByRole('button', { name: 'Save 1 change' }).click()
    await pane.getByText('Your details are saved. Your signatures are being updated.').waitFor()
    await eventually(() => service.requests()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^PUT .*variables/),
        expect.stringMatching(/^GET .*signatures/),
      ]),
    )
    await goTo(pane, 'Signatures', 'In this message')
    await option(pane, 'Northwind standard').waitFor()
    await option(pane, 'Northwind standard').click()
    await eventually(async () => (await playground.message()).signatureHtml).toContain('Sandy')
  })

  it('[VAR-9] keeps an edit through a reload, asks before leaving, and restores the saved value', async () => {
    const playground = await open()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    await goTo(pane, 'My details')
    await pane.getByRole('textbox', { name: 'First name' }).fill('Sandy')
    await pane.getByRole('button', { name: 'Save 1 change' }).waitFor()
    await pane.getByRole('link', { name: 'Settings' }).click()
    await pane.getByRole('dialog', { name: 'You have unsaved changes' }).waitFor()
    await pane.getByRole('button', { name: 'Keep for later' }).click()
    await pane.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.reload()
    await goTo(pane, 'My details')
    await eventually(() => pane.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Sandy')
    await pane.getByRole('button', { name: 'Restore First name' }).click()
    expect(await pane.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Alex')
    await eventually(() => pane.getByRole('button', { name: 'Save 1 change' }).count()).toBe(0)
  })

  it('[VAR-5] resets an edited value to that of the directory, and locks a locked variable', async () => {
    const { pane } = await open()
    await goTo(pane, 'My details')
    const company = pane.getByRole('textbox', { name: 'Company' })
    await company.waitFor()
    expect(await company.isEditable()).toBe(false)
    const ways = pane.getByRole('group', { name: 'Job title: your value or the directory’s' })
    await ways.getByRole('button', { name: 'Use directory value' }).click()
    expect(await pane.getByRole('textbox', { name: 'Job title' }).inputValue()).toBe(
      'Voyage Planning Manager',
    )
    await pane.getByRole('button', { name: 'Save 1 change' }).click()
    await pane.getByText('Your details are saved.', { exact: false }).waitFor()
    await eventually(() => ways.count()).toBe(0)
    expect(await pane.getByRole('textbox', { name: 'Job title' }).inputValue()).toBe(
      'Voyage Planning Manager',
    )
  })
})

describe('the picture', () => {
  it('[PROF-5] is refused when the file is not a picture; otherwise it is shown, saved, and deleted', async () => {
    const { page, pane } = await share()
    await goTo(pane, 'My details')
    const choice = pane.getByLabel('Choose a picture')
    await choice.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await pane.getByText('Signet can’t use this file.', { exact: false }).waitFor()

    await choice.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await png(page) })
    const shown = pane.getByRole('img', { name: 'Your picture' })
    await pane.getByRole('button', { name: 'Save picture' }).waitFor()
    // The square in its middle, until another one is chosen.
    expect(
      await shown.evaluate((image: HTMLImageElement) => {
        const { left, width, height } = image.getBoundingClientRect()
        const square = image.parentElement?.getBoundingClientRect()
        return [width / height, ((square?.left ?? 0) - left) / height, square?.width === height]
      }),
    ).toEqual([1.5, 0.25, true])
    await pane.getByRole('button', { name: 'Save picture' }).click()
    await pane.getByText('Your picture is saved.', { exact: false }).waitFor()
    await eventually(() => shown.getAttribute('src')).toMatch(/^http/)
    await eventually(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64)

    await pane.getByRole('button', { name: 'Delete picture' }).click()
    await pane.getByRole('dialog').getByRole('button', { name: 'Delete picture' }).click()
    await pane.getByText('Your picture is deleted.', { exact: false }).waitFor()
    await pane.getByText('No picture', { exact: true }).waitFor()
  })
})

/** A picture of 30 by 20 fields, each of its own colour. */
const fields = async (page: Page): Promise<Buffer> => {
  const dataUrl = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 600
    canvas.height = 400
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser draws nothing')
    for (let column = 0; column < 30; column++)
      for (let row = 0; row < 20; row++) {
        context.fillStyle = `rgb(${column * 8}, ${row * 12}, 90)`
        context.fillRect(column * 20, row * 20, 20, 20)
      }
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(dataUrl.replace(/^.*,/, ''), 'base64')
}

describe('the part of a picture', () => {
  it('[PROF-5] is dragged and zoomed, and what is saved is what was shown', async () => {
    const { page, pane } = await share()
    await goTo(pane, 'My details')
    const buffer = await fields(page)
    await pane.getByLabel('Choose a picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
    const stage = pane.getByRole('application', { name: 'Part of the picture' })
    await stage.waitFor()
    const zoom = pane.getByRole('slider', { name: 'Zoom' })
    await zoom.fill('200')
    expect(await zoom.getAttribute('aria-valuetext')).toBe('200%')
    await stage.scrollIntoViewIfNeeded()
    const box = await stage.boundingBox()
    if (!box) throw new Error('The picture is not drawn')
    await page.mouse.move(box.x + 60, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(box.x + 100, box.y + 20, { steps: 4 })
    await page.mouse.up()
    // The keyboard moves it on.
    await stage.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowUp')
    await pane.getByText(/^Zoom 200%, \d+% from the left, \d+% from the top$/).waitFor({ state: 'attached' })

    /** The colours at 7 by 7 places of the square around a picture, whose content is `dataUrl`. */
    const seen = (picture: ReturnType<typeof pane.getByRole>, dataUrl: string | null) =>
      picture.evaluate(async (image: HTMLImageElement, content) => {
        const drawn = image.getBoundingClientRect()
        const square = content === null ? image.parentElement?.getBoundingClientRect() : drawn
        const bitmap = new Image()
        bitmap.src = content ?? image.src
        await bitmap.decode()
        const canvas = document.createElement('canvas')
        canvas.width = bitmap.naturalWidth
        canvas.height = bitmap.naturalHeight
        const context = canvas.getContext('2d')
        context?.drawImage(bitmap, 0, 0)
        const { left = 0, top = 0, width: edge = 0 } = square ?? {}
        return Array.from({ length: 49 }, (_, index) => {
          const x = left - drawn.left + (edge * ((index % 7) + 0.5)) / 7
          const y = top - drawn.top + (edge * (Math.floor(index / 7) + 0.5)) / 7
          const [red = 0, green = 0] =
            context?.getImageData(
              Math.floor((x / drawn.width) * canvas.width),
              Math.floor((y / drawn.height) * canvas.height),
              1,
              1,
            ).data ?? []
          return [red, green]
        })
      }, dataUrl)
    const shown = await seen(pane.getByRole('img', { name: 'Your picture' }), null)
    expect(new Set(shown.map(String)).size).toBeGreaterThan(40)
    await pane.getByRole('button', { name: 'Save picture' }).click()
    await pane.getByText('Your picture is saved.', { exact: false }).waitFor()
    const saved = pane.getByRole('img', { name: 'Your picture' })
    await eventually(() => saved.getAttribute('src')).toMatch(/^http/)
    const content = await (await page.request.get((await saved.getAttribute('src')) ?? '')).body()
    const kept = await seen(saved, `data:image/png;base64,${content.toString('base64')}`)
    // By less than one field, where a place is at the edge of two.
    for (const [index, [red = 0, green = 0]] of shown.entries()) {
      expect(Math.abs(red - (kept[index]?.[0] ?? -99))).toBeLessThanOrEqual(8)
      expect(Math.abs(green - (kept[index]?.[1] ?? -99))).toBeLessThanOrEqual(12)
    }
  })
})

describe('a photograph', () => {
  it('[PROF-5] stands upright, as the metadata of its camera says', async () => {
    const { page, pane } = await share()
    await goTo(pane, 'My details')
    await pane
      .getByLabel('Choose a picture')
      .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await lyingPhotograph(page) })
    const shown = pane.getByRole('img', { name: 'Your picture' })
    await pane.getByRole('button', { name: 'Save picture' }).waitFor()
    const colours = await shown.evaluate(async (image: HTMLImageElement) => {
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 40
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0)
      const isRed = (x: number, y: number) => (context?.getImageData(x, y, 1, 1).data[0] ?? 0) > 128
      return { top: [isRed(5, 10), isRed(35, 10)], bottom: [isRed(5, 30), isRed(35, 30)] }
    })
    expect(colours).toEqual({ top: [true, true], bottom: [false, false] })
  })
})

describe('settings', () => {
  it('[SET-1] keep a switch and the language through a reload; [NAV-5] focus the heading of the view', async () => {
    const { page, pane } = await open({ person: JONAS })
    await section(pane, 'settings').click()
    const heading = pane.getByRole('heading', { level: 1 })
    await pane.getByRole('switch').first().waitFor()
    await eventually(() => heading.evaluate((one) => one.ownerDocument.activeElement === one)).toBe(true)
    const push = pane.getByRole('switch').first()
    expect(await push.isChecked()).toBe(true)
    await push.click()
    await pane.getByRole('combobox').selectOption('it')
    await pane.getByRole('heading', { name: 'Impostazioni', level: 1 }).waitFor()
    await page.reload()
    await section(pane, 'settings').click()
    await push.waitFor()
    await eventually(() => push.isChecked()).toBe(false)
  })
})

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  it('axe-core finds nothing in the two views', async () => {
    const { page, pane } = await open({ colorScheme, person: MARIA })
    // Only in the pane's own frame: the page around it is not Signet, and a preview is exposed as a picture.
    const findings = async () => {
      const frame = page.frames().find((each) => each.url().includes('pane'))
      if (!frame) throw new Error('There is no pane')
      await frame.evaluate(axe.source)
      return frame.evaluate(async () => {
        const { axe: inPane } = window as unknown as { axe: typeof axe }
        const { violations } = await inPane.run(document, { iframes: false })
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      })
    }
    await section(pane, 'details').click()
    await pane.getByRole('textbox').nth(1).fill('Marie')
    await pane.locator('footer iframe').waitFor()
    expect(await findings()).toEqual([])
    await section(pane, 'settings').click()
    await pane.getByRole('dialog').getByRole('button').nth(2).click()
    await pane.getByRole('switch').first().waitFor()
    await pane.locator('summary').first().click()
    await pane.locator('details details summary').first().click()
    expect(await findings()).toEqual([])
  })
})
