import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { layoutFindings } from './layout.ts'
import { useAdministration } from './sharedAdministration.ts'

// The page that starts from an existing signature, and the gallery, over a real service, with the keyboard.

const { share } = useAdministration(['clipboard-read', 'clipboard-write'])
const PHONE = { width: 320, height: 900 }

/** Copies formatted text, as a mail client does. */
const copy = (page: Page, html: string): Promise<void> =>
  page.evaluate(async (copied) => {
    const of = (type: string, text: string) => [type, new Blob([text], { type })] as const
    await navigator.clipboard.write([
      new ClipboardItem(Object.fromEntries([of('text/html', copied), of('text/plain', 'Alex Kim')])),
    ])
  }, html)

test('[ADOPT-1] [ADOPT-2] [ADOPT-3] a pasted signature becomes a signature of the draft; no script, handler or request comes through', async () => {
  const page = await share('/signatures/adopt')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const place = page.getByLabel('Or paste it here')
  await place.focus()
  await copy(
    page,
    `<div><b onclick="parent.ran = 1">Alex Kim</b><br>Quiet harbour<img src="https://tracker.example/pixel.png" onerror="parent.ran = 1" alt="x"><script>parent.ran = 1</script></div>`,
  )
  await page.keyboard.press('Control+V')
  await page.getByText('Pasted signature', { exact: true }).waitFor()
  expect(await place.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Choose the person of Pasted signature' }).press('Enter')
  await page.getByRole('searchbox').fill('alex.kim')
  await page.getByRole('dialog').getByRole('button', { name: 'Alex Kim' }).press('Enter')
  await page.getByText('It is the signature of alex.kim@northwind.example.').waitFor()
  await page.getByRole('button', { name: 'Make a template' }).press('Enter')
  await page.getByText('The template is made.').waitFor()
  await page.getByRole('heading', { name: 'What was taken out' }).waitFor()
  await page.getByText('instead of “Alex Kim”').waitFor()
  const slider = page.getByRole('slider', { name: 'How much of the original is shown' })
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  expect(await slider.getAttribute('aria-valuetext')).toBe('49% of the original')
  for (const title of ['Original', 'Template'])
    await page
      .frameLocator(`iframe[title="${title}"]:not([aria-hidden])`)
      .getByText('Quiet harbour')
      .waitFor()
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  expect(asked.filter((url) => url.includes('tracker.example'))).toEqual([])
  expect(await layoutFindings(page)).toEqual([])
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Harbour')
  await page.getByRole('button', { name: 'Use it' }).press('Enter')
  await page.getByRole('heading', { name: 'Harbour', level: 1 }).waitFor()
  expect(page.url()).toMatch(/#\/signatures\/id\/harbour$/)
})

test('[ADOPT-6] the original and its template stay one over the other at the width of a phone', async () => {
  const page = await share('/signatures/adopt', { viewport: PHONE })
  const place = page.getByLabel('Or paste it here')
  await place.focus()
  await copy(
    page,
    '<table width="560"><tr><td>Alex Kim</td><td align="right">Quiet harbour</td></tr></table>',
  )
  await page.keyboard.press('Control+V')
  await page.getByRole('button', { name: 'Make a template' }).press('Enter')
  const frames = ['Original', 'Template'].map((name) => page.getByRole('region', { name, exact: true }))
  for (const frame of frames) {
    await frame.scrollIntoViewIfNeeded()
    await frame.locator('iframe:not([aria-hidden])').waitFor()
  }
  await expect.poll(() => frames[1]?.evaluate((frame) => frame.scrollWidth > frame.clientWidth)).toBe(false)
  const boxes = await Promise.all(
    frames.map((frame) => frame.locator('iframe:not([aria-hidden])').boundingBox()),
  )
  expect(boxes[0]).toEqual(boxes[1])
  for (const frame of frames)
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  expect(await layoutFindings(page)).toEqual([])
})

test('a template of the gallery becomes a signature of the draft, at the width of a phone and with the keyboard', async () => {
  const page = await share('/signatures/gallery', { viewport: PHONE })
  const use = page.getByRole('button', { name: 'Use Classic' })
  await use.waitFor()
  expect(await layoutFindings(page)).toEqual([])
  await use.press('Enter')
  await page.getByRole('heading', { name: 'Classic', level: 1 }).waitFor()
  expect(page.url()).toMatch(/#\/signatures\/id\/classic$/)
})
