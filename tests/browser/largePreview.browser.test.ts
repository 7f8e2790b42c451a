import { describe, expect, it } from 'vitest'
import { releasePictureAddress } from '../../streams/organisation/rendering/render.ts'
import { northwind } from '../support/northwind.ts'
import { chooseInMenu, eventually, serveList, useBrowser } from './pane.ts'
import { servers } from './servers.ts'

// Apart from the rest of choosing, which runs in Firefox too: under automation, the content process of Firefox ESR 153
// crashes with a large preview open. The same Firefox without automation, driven and read by a script of the page itself,
// opened eighteen in a row.

const { open } = useBrowser()

describe('the large preview', () => {
  const signature = (name: string, html: string) => ({
    name,
    signature: html,
    combined_ids: `look-${name}`,
    base64_embedded_images: [],
  })

  it('[CHOOSE-5] shows three themes at three widths, by keyboard, and the readability issues', async () => {
    const images = servers().service
    const logo = releasePictureAddress(northwind, `${images}/images`, 'northwind/logo.png')
    const list = [
      signature(
        'Hard',
        `<table width="500" cellpadding="0"><tr><td style="color:#999">Pale words</td></tr>
         <tr><td style="font-size:8px;color:#222">Fine print</td></tr>
         <tr><td bgcolor="#0f3d5e" style="color:#fff">White on navy</td></tr>
         <tr><td style="color:#777;font-size:30px">Large and grey</td></tr>
         <tr><td style="display:none;color:#eee">Hidden text</td></tr>
         <tr><td><img src="${logo}" width="90" height="24">
           <img src="${images}/images/northwind/gone.png" width="90" height="24" alt="Gone">
           <img src="https://elsewhere.example/x.png" width="90" height="24" alt="Elsewhere"></td></tr></table>`,
      ),
      signature('Easy', '<p style="color:#222">Alex Kim</p>'),
    ]
    const playground = await open({ arrange: (each) => serveList(each, list) })
    const { page, pane } = playground
    await chooseInMenu(pane, 'Hard', 'Large preview')
    const dialog = pane.getByRole('dialog', { name: 'Hard' })
    await dialog.getByText('One of your signatures').waitFor()
    // They are folded into one line.
    const summary = dialog.locator('summary')
    await eventually(() => summary.textContent()).toBe('5 things are hard to read')
    const findings = () => dialog.getByRole('listitem').allTextContents()
    expect(await findings()).toEqual([])
    await summary.press('Enter')
    const onLight = [
      '“Pale words” is hard to read. Its contrast is 2.8:1 and should be at least 4.5:1.',
      '“Fine print” is only 8 pixels high. Text under 9 pixels is hard to read.',
      'The picture “logo.png” has no alt text. People who can’t see it won’t know what it shows.',
      'Couldn’t load the picture “Gone”. Readers will see an empty space.',
      'The picture “Elsewhere” is stored on another website and isn’t loaded here. Many mail apps ask before they show it.',
    ]
    await eventually(findings).toEqual(onLight)

    // The colours and the width in the frame are those of the reader.
    const frame = dialog.frameLocator('iframe[sandbox=""]')
    const colours = () =>
      frame
        .locator('td')
        .first()
        .evaluate((cell) => {
          const view = cell.ownerDocument.defaultView
          return [
            view?.getComputedStyle(cell).color,
            view?.getComputedStyle(cell.ownerDocument.documentElement).backgroundColor,
            view?.innerWidth,
          ]
        })
    // It opens at the width of the pane, which always fits.
    const paneWidth = dialog.getByRole('radio', { name: 'Pane' })
    expect(await paneWidth.isChecked()).toBe(true)
    await paneWidth.focus()
    await page.keyboard.press('ArrowRight')
    await eventually(colours).toEqual(['rgb(153, 153, 153)', 'rgb(255, 255, 255)', 680])
    await dialog.getByRole('radio', { name: 'Light' }).focus()
    await page.keyboard.press('ArrowRight')
    await eventually(colours).toEqual(['rgb(120, 120, 120)', 'rgb(31, 31, 31)', 680])
    expect(await dialog.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
    await eventually(async () => (await findings())[0]).toMatch('“Pale words” is hard to read')
    await page.keyboard.press('ArrowRight')
    await eventually(colours).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)', 680])
    await eventually(findings).toEqual(onLight.slice(1))

    // Each place fits the dialog, whatever its width: nothing scrolls, and the line below says how much smaller it is.
    const sizes = () =>
      dialog.getByRole('region').evaluate((region) => {
        const sheet = region.querySelector('iframe[sandbox=""]')
        const { left, right } = region.getBoundingClientRect()
        const drawn = [sheet, sheet?.parentElement].map((each) => each?.getBoundingClientRect())
        return {
          layout: sheet instanceof HTMLElement ? sheet.offsetWidth : 0,
          isWhole: drawn.every((each) => each && each.left >= left - 0.5 && each.right <= right + 0.5),
          scrolls: region.scrollWidth > region.clientWidth,
        }
      })
    await eventually(sizes).toEqual({ layout: 680, isWhole: true, scrolls: false })
    await dialog.getByText(/^Shown at \d\d% of its size$/).waitFor()

    // A signature that is wider than a phone's screen is reported, and shown beneath the edge of the phone.
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    expect(await dialog.getByRole('radio', { name: 'Phone' }).isChecked()).toBe(true)
    await eventually(async () => (await findings())[0]).toMatch('wider than this screen')
    await eventually(async () => (await sizes()).layout).toBeGreaterThan(499)
    expect(await sizes()).toMatchObject({ isWhole: true, scrolls: false })

    // In the pane's own width it is no fault of the signature.
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    expect(await dialog.getByRole('radio', { name: 'Pane' }).isChecked()).toBe(true)
    await eventually(findings).toEqual(onLight.slice(1))

    // The dialog is as large as the pane.
    expect(
      await dialog.evaluate((element) => {
        const { width, height } = element.getBoundingClientRect()
        const view = element.ownerDocument.documentElement
        return [view.clientWidth - width, view.clientHeight - height]
      }),
    ).toEqual([0, 0])
    await page.keyboard.press('Escape')
    await chooseInMenu(pane, 'Easy', 'Large preview')
    await pane.getByText('Easy to read').waitFor()
    // A phone fits, too, in the middle of the dialog.
    await pane.getByText('Phone', { exact: true }).click()
    const phone = pane.getByRole('region', { name: 'Signature, made smaller' })
    const edges = () =>
      phone.evaluate((region) => {
        const [outer, inner] = [region, region.firstElementChild].map((each) => each?.getBoundingClientRect())
        return outer && inner ? [inner.left - outer.left, outer.right - inner.right].map(Math.round) : []
      })
    await eventually(edges).toEqual([0, 0])
  })
})
