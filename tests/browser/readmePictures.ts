import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'

/** In pixels: shows the whole playground, and the files are small enough to be committed. */
const SIZE = { width: 1280, height: 800 }

type Scene = Readonly<{ page: Page; pane: FrameLocator }>

/** The user's actions before each picture, by its file name. */
const SCENES: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  closed: beginClosed,
  playground: writeMessage,
  dark: answerInTheDark,
  details: editDetail,
  timeline: lookBack,
  faults: makeItFail,
}

/**
 * Takes the pictures of the README in the running playground at `url`, each in a fresh window, into `folder`. All have
 * the same size, and only times differ between runs. Resolves with the paths of the files.
 */
export async function takeReadmePictures(url: string, folder: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  const browser = await launchChromium()
  try {
    const paths: string[] = []
    for (const [name, act] of Object.entries(SCENES)) {
      const path = join(folder, `${name}.png`)
      await writeFile(path, await take(browser, url, act))
      paths.push(path)
    }
    return paths
  } finally {
    await browser.close()
  }
}

async function take(browser: Browser, url: string, act: (scene: Scene) => Promise<void>): Promise<Buffer> {
  const context = await browser.newContext({
    colorScheme: 'light',
    locale: 'en-US',
    reducedMotion: 'reduce',
    viewport: SIZE,
  })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('button', { name: 'Got it' }).click()
  const pane = page.frameLocator('iframe[title="Signet"]')
  await pane.getByText('In use', { exact: true }).waitFor()
  await act({ page, pane })
  // The pointer hovers over no control.
  await page.mouse.move(0, 0)
  const picture = await whenStable(page)
  await context.close()
  return picture
}

/** With the pane closed: Outlook starts Signet for the message. */
async function beginClosed({ page }: Scene): Promise<void> {
  await page.getByRole('button', { name: 'Close the pane' }).click()
  await page.getByRole('button', { name: 'New message' }).click()
  await page.getByText('Pictures in the message').waitFor()
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('Claire Dubois <claire@tailspin.example>')
  await page.getByRole('textbox', { name: 'Subject' }).fill('Offer 2026-118')
  await textOf(page).click()
}

async function writeMessage({ page }: Scene): Promise<void> {
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('Claire Dubois <claire@tailspin.example>')
  await page.getByRole('textbox', { name: 'Subject' }).fill('Offer 2026-118')
  await textOf(page).click()
  for (const line of [
    'Dear Claire,',
    '',
    'The offer is attached. It holds until the end of the month.',
    '',
    'Kind regards',
  ]) {
    await page.keyboard.type(line)
    await page.keyboard.press('Enter')
  }
}

async function answerInTheDark({ page, pane }: Scene): Promise<void> {
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark')
  await page.getByRole('button', { name: /Figures for the autumn review/ }).click()
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await textOf(page).fill('Thank you, Priya. I will bring them along on Monday.')
  await pane.getByText(/because this is a reply/).waitFor()
}

async function editDetail(scene: Scene): Promise<void> {
  const { page, pane } = scene
  await writeMessage(scene)
  const edge = page.getByRole('separator', { name: 'Width of the task pane' })
  for (let step = 0; step < 5; step += 1) await edge.press('ArrowLeft')
  await pane.getByRole('link', { name: 'My details' }).click()
  const title = pane.getByRole('textbox', { name: 'Job title' })
  await title.fill('Head of Voyage Planning and Logistics')
  await title.evaluate((element) => element.scrollIntoView({ block: 'center' }))
}

async function lookBack(scene: Scene): Promise<void> {
  const { page, pane } = scene
  await writeMessage(scene)
  await pane.getByRole('option', { name: 'Northwind standard', exact: true }).click()
  await pane.getByText('You chose it for this message').waitFor()
  await page.getByRole('button', { name: 'Timeline' }).click()
  await page.getByRole('listbox', { name: 'Events' }).getByText('imagesDone 2').last().click()
}

async function makeItFail(scene: Scene): Promise<void> {
  const { page, pane } = scene
  await writeMessage(scene)
  await page.getByRole('button', { name: 'Make it fail' }).click()
  const outlook = page.getByRole('group', { name: 'Outlook', exact: true })
  await outlook.getByRole('combobox', { name: 'Call', exact: true }).selectOption('body.setSignatureAsync')
  await outlook.getByRole('combobox', { name: 'What happens' }).selectOption('Fails')
  await pane.getByRole('option', { name: 'Northwind standard', exact: true }).click()
  await pane.getByRole('alert').filter({ hasText: 'The signature wasn’t inserted' }).waitFor()
}

/** The body of the open message. */
const textOf = (page: Page) =>
  page.frameLocator('iframe[title="Message body"]').getByRole('textbox', { name: 'Message body' })

/** A screenshot of the stable page: two in a row are equal, and all pictures are loaded. */
async function whenStable(page: Page): Promise<Buffer> {
  let before = await page.screenshot()
  for (;;) {
    const now = await page.screenshot()
    if (now.equals(before) && (await hasPictures(page))) return now
    before = now
  }
}

async function hasPictures(page: Page): Promise<boolean> {
  const found = await Promise.all(
    page
      .frames()
      .map((frame) => frame.evaluate(() => [...document.images].every(({ complete }) => complete))),
  )
  return found.every(Boolean)
}
