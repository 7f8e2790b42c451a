import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import {
  addButton,
  addPhoneLine,
  bar,
  byMouse,
  changeAccent,
  inDialog,
  inPanel,
  item,
  panel,
  removeIcons,
  replaceLogo,
  swapColumns,
  untilSaid,
} from './designTasks.ts'
import { signInByWindow } from './signInWindow.ts'

/** In pixels: shows the whole playground, and the files are small enough to be committed. */
const SIZE = { width: 1280, height: 800 }
/** In pixels: beside the list of messages, the message and the pane are as wide as GitHub shows a picture. */
const MESSAGE_SIZE = { width: 1130, height: 760 }
/** In pixels: about as wide as GitHub shows a picture, so that its words keep their size. */
const ADMINISTRATION_SIZE = { width: 960, height: 760 }
/** In pixels: Design is as wide as a page of documentation, with its bar in one row, and is in sight as a whole. */
const DESIGN_SIZE = { width: 1216, height: 1400 }
const LOOK = { colorScheme: 'light', locale: 'en-US', reducedMotion: 'reduce' } as const
/** Sharp on screens with two pixels for each of a page. */
const SHARP = { ...LOOK, deviceScaleFactor: 2 } as const
/** On a busy machine, the administration page is built within this time. */
const BUILD_MS = 300_000
/** In pixels, around what a picture shows of a page. */
const MARGIN = 8

type Scene = Readonly<{ page: Page; pane: FrameLocator }>

/** From a new message to a reply: the user's actions before each picture, one after the other in one window. */
const FILM: readonly ((scene: Scene) => Promise<void>)[] = [beginClosed, chooseAnother, undo, answer]

type Scenes = Readonly<Record<string, (scene: Scene) => Promise<void>>>

/** The user's actions before each other picture of a message and the pane, by its file name. */
const BESIDE_A_MESSAGE: Scenes = { dark: answerInTheDark, details: editDetail, meeting: meetOnline }

/** The user's actions before each picture of the whole playground, by its file name. */
const WHOLE_PLAYGROUND: Scenes = { timeline: lookBack, faults: makeItFail }

/** The administrator's actions before each picture of the administration page, by its file name. */
const ADMINISTRATION: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'administration-now': showNow,
  'administration-signatures': showSignatures,
  'administration-plan': planDraft,
  'administration-people': showPeople,
}

/** A task in Design, from the page at a path. It resolves with what the picture shows. */
type DesignTask = Readonly<{ at: string; act: (page: Page) => Promise<readonly Locator[]> }>

const STANDARD = '/signatures/id/standard'
/** The tasks of the administrator's guide, by the file name of the picture. */
const DESIGN: Readonly<Record<string, DesignTask>> = {
  'design-accent': { at: '/signatures', act: showAccent },
  'design-logo': { at: STANDARD, act: showLogo },
  'design-phone': { at: '/signatures/id/navy', act: showPhoneLine },
  'design-button': { at: STANDARD, act: showButton },
  'design-columns': { at: '/signatures/id/partners', act: showSwapped },
  'design-icons': { at: STANDARD, act: showNoIcons },
}

/**
 * Takes the pictures of the README and of the administrator's guide in the running playground at `url`, each in a fresh
 * window, into `folder`. Only times differ between runs. Resolves with the paths of the files.
 *
 * @param isWanted whether to take the picture of this name
 */
export async function takeReadmePictures(
  url: string,
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true })
  const browser = await launchChromium({ kind: 'browser' })
  try {
    const paths: string[] = []
    const write = async (name: string, picture: Buffer) => {
      if (!isWanted(name)) return
      const path = join(folder, `${name}.png`)
      await writeFile(path, picture)
      paths.push(path)
    }
    const film = FILM.map((act, index) => ({ name: `film-${String(index + 1)}`, act }))
    if (film.some(({ name }) => isWanted(name)))
      await open(browser, url, { ...SHARP, viewport: MESSAGE_SIZE }, async (scene) => {
        for (const { name, act } of film) {
          await act(scene)
          await write(name, await whenStable(scene.page, messageAndPane(scene.page)))
        }
      })
    for (const [name, act] of Object.entries(BESIDE_A_MESSAGE).filter(([name]) => isWanted(name)))
      await open(browser, url, { ...SHARP, viewport: MESSAGE_SIZE }, async (scene) => {
        await act(scene)
        await write(name, await whenStable(scene.page, messageAndPane(scene.page)))
      })
    for (const [name, act] of Object.entries(WHOLE_PLAYGROUND).filter(([name]) => isWanted(name)))
      await open(browser, url, { ...LOOK, viewport: SIZE }, async (scene) => {
        await act(scene)
        await write(name, await whenStable(scene.page))
      })
    for (const [name, act] of Object.entries(ADMINISTRATION).filter(([name]) => isWanted(name)))
      await openAdministration(
        browser,
        `${url}/administration.html`,
        { ...SHARP, viewport: ADMINISTRATION_SIZE },
        async (page) => {
          await act(page)
          await write(name, await whenStable(page))
        },
      )
    for (const [name, { at, act }] of Object.entries(DESIGN).filter(([name]) => isWanted(name)))
      await openAdministration(
        browser,
        `${url}/administration.html#${at}`,
        { ...LOOK, viewport: DESIGN_SIZE },
        async (page) => {
          await write(name, await whenStable(page, await act(page)))
        },
      )
    return paths
  } finally {
    await browser.close()
  }
}

async function open(
  browser: Browser,
  url: string,
  look: BrowserContextOptions,
  act: (scene: Scene) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(look)
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('button', { name: 'Hide these suggestions' }).click()
  const pane = page.frameLocator('iframe[title="Signet"]')
  await pane.getByText('In use', { exact: true }).waitFor()
  await act({ page, pane })
  await context.close()
}

async function openAdministration(
  browser: Browser,
  url: string,
  look: BrowserContextOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(look)
  const page = await context.newPage()
  // The first opening waits until the page is built.
  await page.goto(url, { timeout: BUILD_MS })
  await signInByWindow(page)
  await act(page)
  await context.close()
}

/** With the pane closed: Outlook starts Signet for the message. */
async function beginClosed({ page }: Scene): Promise<void> {
  await page.getByRole('button', { name: 'Close the pane' }).click()
  await page.getByRole('button', { name: 'New message' }).click()
  await page.getByText('Pictures in the message').waitFor()
  await page
    .getByRole('textbox', { name: 'To', exact: true })
    .fill('Claire Dubois <claire.dubois@fabrikam.example>;')
  await page.getByRole('textbox', { name: 'Subject' }).fill('Offer 2026-118')
  await textOf(page).click()
}

async function writeMessage({ page }: Scene): Promise<void> {
  await page.getByRole('button', { name: 'New message' }).click()
  await page.getByText('Pictures in the message').waitFor()
  await page
    .getByRole('textbox', { name: 'To', exact: true })
    .fill('Claire Dubois <claire.dubois@fabrikam.example>;')
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

async function chooseAnother({ page, pane }: Scene): Promise<void> {
  await page.getByRole('button', { name: 'Open the pane' }).click()
  await pane.getByRole('option', { name: 'Northwind standard', exact: true }).click()
  await pane.getByText('You chose it', { exact: true }).waitFor()
}

async function undo({ pane }: Scene): Promise<void> {
  await pane.getByRole('option', { name: 'Short', exact: true }).click()
  await pane.getByRole('button', { name: 'Undo' }).click()
  await pane.getByRole('button', { name: 'Redo' }).waitFor()
}

async function answer({ page, pane }: Scene): Promise<void> {
  await page.getByRole('button', { name: /Figures for the autumn review/ }).click()
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await textOf(page).fill('Thank you, Priya. I will bring them along on Monday.')
  await pane
    .getByText(/default for replies$/)
    .first()
    .waitFor()
}

async function answerInTheDark({ page, pane }: Scene): Promise<void> {
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark')
  await page.getByRole('button', { name: /Figures for the autumn review/ }).click()
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await textOf(page).fill('Thank you, Priya. I will bring them along on Monday.')
  await pane.getByText(/default for replies$/).waitFor()
}

async function meetOnline({ page, pane }: Scene): Promise<void> {
  await page.getByRole('button', { name: 'New meeting' }).click()
  await page
    .getByRole('textbox', { name: 'Required' })
    .fill('Claire Dubois <claire.dubois@fabrikam.example>;')
  await page.getByRole('textbox', { name: 'Subject' }).fill('Offer 2026-118')
  await pane.getByText('Your organisation’s signature for meetings').waitFor()
  const text = page
    .frameLocator('iframe[title="Meeting text"]')
    .getByRole('textbox', { name: 'Meeting text' })
  await text.press('Control+Home')
  await page.keyboard.type('We look at the offer together, half an hour at most.')
  await page.getByRole('button', { name: 'Add an online meeting' }).click()
  await page.getByText('Online meeting added').waitFor()
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
  await pane.getByText('You chose it').waitFor()
  await page.getByRole('button', { name: 'Timeline' }).click()
  await page.getByRole('searchbox', { name: 'Search the events' }).fill('imagesDone 2')
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

async function goTo(page: Page, area: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: area }).click()
}

async function showNow(page: Page): Promise<void> {
  await page.getByRole('table').first().waitFor()
}

async function showSignatures(page: Page): Promise<void> {
  await goTo(page, 'Signatures')
  const frames = page.locator('iframe[title="Picture of Northwind standard"]:not([aria-hidden])')
  await frames.waitFor()
}

async function editTemplate(page: Page): Promise<void> {
  await goTo(page, 'Signatures')
  await page.getByRole('link', { name: 'Northwind standard', exact: true }).click()
  await page.getByRole('radio', { name: 'Source' }).first().check({ force: true })
  const editor = page.getByRole('textbox', { name: 'Template templates/corporate.html' })
  await editor.click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('<p style="margin:0 0 8px">Season’s greetings, {{first_name}}</p>')
  await page.keyboard.press('Enter')
  // The editor shows no cursor.
  await page.getByRole('heading', { level: 1 }).click()
  const preview = page.frameLocator('iframe[title="Preview of the template"]:not([aria-hidden])')
  await preview.getByText('Season’s greetings, Alex').waitFor()
}

async function planDraft(page: Page): Promise<void> {
  await editTemplate(page)
  await page.getByRole('button', { name: 'See what would change' }).click()
  await page.getByText('This plan can be published until').waitFor()
  const signature = page.locator('summary').filter({ hasText: 'Northwind standard' })
  await signature.click()
  // The signature before and after is drawn when it is in sight.
  await signature.evaluate((element) => {
    element.scrollIntoView({ block: 'start' })
  })
  await page
    .locator('iframe:not([aria-hidden])')
    .last()
    .contentFrame()
    .getByText('Season’s greetings')
    .waitFor()
}

async function showPeople(page: Page): Promise<void> {
  await goTo(page, 'People')
  await page.getByRole('combobox', { name: 'Department' }).selectOption('Sales')
  await page.getByRole('cell', { name: 'Sales', exact: true }).first().waitFor()
  await page.getByRole('columnheader', { name: 'Last seen' }).getByRole('button').click()
  await page.locator('th[aria-sort="descending"]').waitFor()
}

/** The bar, the signature and the panel. */
const design = (page: Page): readonly Locator[] => [
  bar(page),
  page.getByRole('region', { name: 'Preview of the template' }),
  panel(page),
]

async function showAccent(page: Page): Promise<readonly Locator[]> {
  await changeAccent(page, byMouse(page))
  await page.getByText(/^Changed: sea/).waitFor()
  return [
    page.getByRole('heading', { level: 1 }),
    page.getByRole('link', { name: 'All signatures' }),
    page.getByRole('button', { name: 'Remove ink' }),
  ]
}

async function showLogo(page: Page): Promise<readonly Locator[]> {
  await replaceLogo(page, byMouse(page))
  await untilSaid(page, 'The size was changed.')
  return design(page)
}

/** In a signature that shows no other number: its first line has no condition that the second could repeat. */
async function showPhoneLine(page: Page): Promise<readonly Locator[]> {
  const person = byMouse(page)
  await person.click(item(page, 'Words: +44 20 5550 0142'))
  await addPhoneLine(page, person, null)
  await person.click(inPanel(page, /^When it is shown/))
  await person.click(inPanel(page, /^Only with a value: Mobile$/))
  const controls = page.getByRole('button', { name: 'Change what is shown' })
  await controls.click()
  await page.getByRole('button', { name: 'Change person' }).click()
  await page.getByLabel('Search for a person').fill('maria')
  await inDialog(page, /maria\.silva@/).click()
  await controls.click()
  await item(page, 'Words: +351 91 555 0172').waitFor()
  return design(page)
}

async function showButton(page: Page): Promise<readonly Locator[]> {
  const person = byMouse(page)
  await person.click(item(page, 'Picture: Website'))
  await person.click(inPanel(page, 'Shared part “icons”'))
  await addButton(page, person, 'Add below')
  await untilSaid(page, 'Added.')
  return design(page)
}

async function showSwapped(page: Page): Promise<readonly Locator[]> {
  await swapColumns(page, byMouse(page), 'Certified low carbon')
  await untilSaid(page, 'Moved.')
  return design(page)
}

async function showNoIcons(page: Page): Promise<readonly Locator[]> {
  await removeIcons(page, byMouse(page))
  await untilSaid(page, 'Removed. Undo brings it back.')
  return design(page)
}

/** The open message, and the pane where it is open. */
const messageAndPane = (page: Page): readonly Locator[] => [
  page.getByRole('region', { name: /^(?:Message|Meeting)$/ }),
  page.getByRole('button', { name: 'Close the pane' }),
  page.locator('iframe[title="Signet"]'),
]

/** The body of the open message. */
const textOf = (page: Page) =>
  page.frameLocator('iframe[title="Message body"]').getByRole('textbox', { name: 'Message body' })

/**
 * A screenshot of the stable page, or of what it shows there: two in a row are equal, and all pictures are loaded.
 */
async function whenStable(page: Page, shows: readonly Locator[] = []): Promise<Buffer> {
  // The pointer hovers over no control.
  await page.mouse.move(0, 0)
  const take = async () => page.screenshot(shows.length === 0 ? {} : { clip: await boxAround(shows) })
  let before = await take()
  for (;;) {
    const now = await take()
    if (now.equals(before) && (await hasPictures(page))) return now
    before = now
  }
}

/** The place on the page that contains all these elements, which are in sight. */
async function boxAround(shows: readonly Locator[]) {
  const boxes = (
    await Promise.all(shows.map(async (each) => ((await each.count()) > 0 ? each.boundingBox() : null)))
  ).filter((box) => box !== null)
  const x = Math.min(...boxes.map((box) => box.x)) - MARGIN
  const y = Math.min(...boxes.map((box) => box.y)) - MARGIN
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN
  return { x, y, width: right - x, height: bottom - y }
}

async function hasPictures(page: Page): Promise<boolean> {
  const found = await Promise.all(
    page.frames().map((frame) =>
      // A preview that is drawn again replaces its frame meanwhile.
      frame.evaluate(() => [...document.images].every(({ complete }) => complete)).catch(() => false),
    ),
  )
  return found.every(Boolean)
}
