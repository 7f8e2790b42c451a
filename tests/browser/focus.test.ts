import { afterEach, expect, it } from 'vitest'
import { type Opened, eventually, option, service, untilInMessage, useBrowser } from './pane.ts'

const DEFAULT = '12-0'
const { open } = useBrowser()

afterEach(() => service.restore())

const bodyOf = ({ page }: Opened) =>
  page.frameLocator('iframe[title="Message body"]').getByRole('textbox', { name: 'Message body' })

/** Whether the person writes in the message, and where: the text that the caret is in, and the letters before it. */
const caretOf = (playground: Opened) =>
  bodyOf(playground).evaluate((element) => {
    const { anchorNode, anchorOffset } = element.ownerDocument.getSelection() ?? {}
    const isFocused = element.ownerDocument.hasFocus() && element.ownerDocument.activeElement === element
    return [isFocused, anchorNode?.textContent, anchorOffset]
  })

/** The person writes, goes back some letters, and is told of where they are. */
async function write(playground: Opened): Promise<Awaited<ReturnType<typeof caretOf>>> {
  const { page } = playground
  await bodyOf(playground).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Dear Claire, thank you')
  for (const _ of 'thank you') await page.keyboard.press('ArrowLeft')
  const caret = await caretOf(playground)
  expect(caret[0]).toBe(true)
  expect(caret[2]).toBe('Dear Claire, '.length)
  return caret
}

it('[SAFE-8] neither the pane as it opens, nor its list as it comes, takes the focus or the caret from who writes', async () => {
  const playground = await open()
  const { page, pane } = playground
  await untilInMessage(playground, DEFAULT)
  await option(pane, 'Short').waitFor()
  const caret = await write(playground)
  await service.forget()
  await page.evaluate(() => {
    document.querySelector<HTMLIFrameElement>('iframe[title="Signet"]')?.contentWindow?.location.reload()
  })
  await eventually(async () => (await service.requests()).join()).toContain('GET /api/addin/user')
  await option(pane, 'Short').waitFor()
  expect(await caretOf(playground)).toEqual(caret)
  await page.keyboard.type('many times ')
  expect((await playground.message()).bodyHtml).toContain('Dear Claire, many times thank you')
})

it('[SAFE-8] neither a default that goes in, nor one that does not and is told of in the message, takes them', async () => {
  const playground = await open()
  const { page } = playground
  await untilInMessage(playground, DEFAULT)
  await page.evaluate(() => {
    // Slow enough for the person to begin before the signature is in.
    window.playground.delay('body.getTypeAsync', 600)
    window.playground.newMessage()
  })
  const caret = await write(playground)
  await untilInMessage(playground, DEFAULT)
  expect(await caretOf(playground)).toEqual(caret)

  await page.evaluate(() => {
    window.playground.fail('body.setSignatureAsync', { code: 5000, name: 'Host Error' })
    window.playground.newMessage()
  })
  const next = await write(playground)
  await eventually(async () => (await playground.message()).notifications.length).toBe(1)
  expect(await caretOf(playground)).toEqual(next)
})

it('[SAFE-8] choosing and taking back in the pane leave the caret in the message where it was', async () => {
  const playground = await open()
  const { pane } = playground
  await untilInMessage(playground, DEFAULT)
  const [, text, offset] = await write(playground)
  await option(pane, 'Short').click()
  await untilInMessage(playground, '13-0')
  expect((await caretOf(playground)).slice(1)).toEqual([text, offset])
  await pane.getByRole('button', { name: 'Undo' }).click()
  await untilInMessage(playground, DEFAULT)
  expect((await caretOf(playground)).slice(1)).toEqual([text, offset])
})

it('every task of the dashboard is done with the keyboard, and each outcome is told once', async () => {
  const playground = await open()
  const { page, pane } = playground
  await untilInMessage(playground, DEFAULT)
  await option(pane, 'Short').waitFor()
  const told: string[] = []
  await page.exposeFunction('tell', (text: string) => void told.push(text))
  await pane.locator('body').evaluate((body) => {
    const { tell } = window.top as unknown as { tell: (text: string) => void }
    new MutationObserver((changes) => {
      const regions = new Set(
        changes.map(({ target }) =>
          (target instanceof Element ? target : target.parentElement)?.closest('[role="status"]'),
        ),
      )
      for (const region of regions) if (region?.textContent) tell(region.textContent)
    }).observe(body, { subtree: true, childList: true, characterData: true })
  })

  await page.locator('iframe[title="Signet"]').focus()
  const tabTo = async (isThere: () => Promise<boolean>) => {
    for (let presses = 0; presses < 40 && !(await isThere()); presses++) await page.keyboard.press('Tab')
    expect(await isThere()).toBe(true)
  }
  const focused = () =>
    pane
      .locator('body')
      .evaluate(({ ownerDocument: { activeElement } }) =>
        [activeElement?.getAttribute('role') ?? activeElement?.tagName, activeElement?.textContent].join(' '),
      )
  // Search, and choose what was found.
  await tabTo(async () => (await focused()).startsWith('combobox'))
  await page.keyboard.type('short')
  await eventually(() => pane.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await untilInMessage(playground, '13-0')
  await eventually(() => told.filter((text) => text === '“Short” is in your message.').length).toBe(1)
  // Escape empties the box, and then takes back.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await untilInMessage(playground, DEFAULT)
  // From the list to the menu of an option, what will change, and back.
  await tabTo(async () => (await focused()).startsWith('option'))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await pane.getByRole('menu').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await pane.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await eventually(() => pane.getByRole('dialog').count()).toBe(0)
  // To the settings, and another language.
  await tabTo(async () => (await focused()).startsWith('A Settings'))
  await page.keyboard.press('Enter')
  await pane.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await tabTo(async () => (await focused()).startsWith('SELECT'))
  await page.keyboard.type('Fra')
  await pane.getByRole('heading', { name: 'Paramètres', level: 1 }).waitFor()
  expect(told.filter((text) => text === '“Short” is in your message.')).toHaveLength(1)
})
