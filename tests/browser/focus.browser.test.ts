import { afterEach, expect, it, onTestFinished } from 'vitest'
import { type Opened, eventually, option, service, untilInMessage, useBrowser } from './pane.ts'
import { servers } from './servers.ts'

const DEFAULT = 'portrait-u-1'
const { open, share } = useBrowser()

afterEach(() => service.restore())

const bodyOf = ({ page }: Opened) =>
  page.frameLocator('iframe[title="Message body"]').getByRole('textbox', { name: 'Message body' })

/** Whether the message body has the focus, the text that the caret is in, and the caret's offset in it. */
const caretOf = (playground: Opened) =>
  bodyOf(playground).evaluate((element) => {
    const { anchorNode, anchorOffset } = element.ownerDocument.getSelection() ?? {}
    const isFocused = element.ownerDocument.hasFocus() && element.ownerDocument.activeElement === element
    return [isFocused, anchorNode?.textContent, anchorOffset]
  })

/** Types into the message, moves the caret back, and returns its place. */
async function write(playground: Opened): Promise<Awaited<ReturnType<typeof caretOf>>> {
  const { page } = playground
  await bodyOf(playground).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Dear Claire, thank you')
  for (const _ of 'thank you') await page.keyboard.press('ArrowLeft')
  const caret = await caretOf(playground)
  expect(caret).toEqual([true, expect.stringMatching(/^Dear Claire, thank you/), 'Dear Claire, '.length])
  return caret
}

it('[SAFE-8] neither the opening pane nor its loading list moves the focus or the caret', async () => {
  const playground = await share()
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

it('[SAFE-8] neither an inserted default nor the notice of a failed one moves the focus or the caret', async () => {
  const playground = await share()
  const { page } = playground
  await untilInMessage(playground, DEFAULT)
  await page.evaluate(() => {
    // Slow enough for the user to type before the signature is inserted.
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

it('[SAFE-8] neither choosing nor undoing in the pane moves the caret in the message', async () => {
  const playground = await share()
  const { pane } = playground
  await untilInMessage(playground, DEFAULT)
  const [, text, offset] = await write(playground)
  await option(pane, 'Short').click()
  await untilInMessage(playground, 'short-u-1')
  expect((await caretOf(playground)).slice(1)).toEqual([text, offset])
  await pane.getByRole('button', { name: 'Undo' }).click()
  await untilInMessage(playground, DEFAULT)
  expect((await caretOf(playground)).slice(1)).toEqual([text, offset])
})

/** Drives the pane by keyboard, and records the texts of its live regions. */
async function byKeyboard({ page, pane }: Opened) {
  const told: string[] = []
  await page.exposeFunction('tell', (text: string) => void told.push(text))
  await pane.locator('body').evaluate((body) => {
    const { tell } = window.top as unknown as { tell: (text: string) => void }
    new MutationObserver((changes) => {
      const regions = new Set<Element | null | undefined>()
      for (const { target, addedNodes } of changes) {
        regions.add((target instanceof Element ? target : target.parentElement)?.closest('[role="status"]'))
        // A screen reader announces an alert when it is added.
        for (const added of addedNodes)
          if (added instanceof Element)
            for (const each of [added, ...added.querySelectorAll('*')])
              if (each.matches('[role="alert"]')) regions.add(each)
      }
      for (const region of regions) if (region?.textContent) tell(region.textContent)
    }).observe(body, { subtree: true, childList: true, characterData: true })
  })
  await page.locator('iframe[title="Signet"]').focus()

  /** The focused element: its role or tag, and its name. */
  const focused = () =>
    pane.locator('body').evaluate(({ ownerDocument: { activeElement } }) => {
      const label = activeElement instanceof HTMLInputElement ? activeElement.labels?.[0]?.textContent : null
      const name = activeElement?.getAttribute('aria-label') ?? label ?? activeElement?.textContent ?? ''
      return `${activeElement?.getAttribute('role') ?? activeElement?.tagName ?? ''} ${name}`
    })
  const press = (key: string) => page.keyboard.press(key)
  const to = async (place: RegExp, key = 'Tab') => {
    for (let presses = 0; presses < 60 && !place.test(await focused()); presses++) await press(key)
    expect(await focused()).toMatch(place)
  }
  return {
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Presses the key until the element has the focus. */
    to,
    /** Moves the focus there and presses Enter. */
    enter: async (place: RegExp, key = 'Tab') => {
      await to(place, key)
      await press('Enter')
    },
    untilAt: (place: string) => eventually(focused).toBe(place),
    /** Waits for the announcement, which must occur exactly once since the last one. */
    untilTold: async (words: RegExp) => {
      await eventually(() => told.filter((text) => words.test(text)).length).toBe(1)
      told.splice(0, told.findIndex((text) => words.test(text)) + 1)
    },
  }
}

it('every task of the dashboard works by keyboard, is announced once, and sets the focus for the next step', async () => {
  onTestFinished(async () => {
    await service.reset()
  })
  const playground = await share()
  const { pane } = playground
  await untilInMessage(playground, DEFAULT)
  await option(pane, 'Short').waitFor()
  const keys = await byKeyboard(playground)
  // Search, and choose a result. The first Escape clears the box, the second undoes.
  await keys.to(/^combobox/)
  await keys.type('short')
  await eventually(() => pane.getByRole('option').count()).toBe(1)
  await keys.press('Enter')
  await untilInMessage(playground, 'short-u-1')
  await keys.untilTold(/^“Short” is in your message/)
  await keys.press('Escape')
  await keys.press('Escape')
  await untilInMessage(playground, DEFAULT)
  await keys.untilTold(/^“With portrait” is back in your message/)
  await keys.untilAt('combobox Search signatures')
  // Set another default in the menu of an option.
  await keys.to(/^option/)
  await keys.type('short')
  await keys.to(/^BUTTON More options for Short/)
  await keys.enter(/^BUTTON More options for Short/)
  await keys.enter(/^menuitem Make default$/, 'ArrowDown')
  await keys.untilTold(/^“Short” is now your default/)
  await keys.untilAt('BUTTON More options for Short')
  // Insert from “See what changes”, and undo. The button goes meanwhile; when it is back, it is the next stop.
  await keys.press('Enter')
  await keys.enter(/^menuitem See what changes/, 'ArrowDown')
  await keys.untilAt('BUTTON Close')
  await keys.enter(/^BUTTON Insert/)
  await untilInMessage(playground, 'short-u-1')
  await keys.untilTold(/^“Short” is in your message/)
  await keys.untilAt('BUTTON More options for Short')
  await keys.enter(/^BUTTON Undo/, 'Shift+Tab')
  await untilInMessage(playground, DEFAULT)
  await keys.untilTold(/^“With portrait” is back in your message/)
  await keys.untilAt('H1 In this message')
  await keys.press('Tab')
  await keys.untilAt('BUTTON Redo')
  // The large preview.
  await keys.enter(/^BUTTON More options for Short/)
  await keys.enter(/^menuitem Large preview/, 'ArrowUp')
  await keys.untilAt('BUTTON Close')
  await keys.to(/^INPUT Light/)
  await keys.press('ArrowRight')
  await keys.untilAt('INPUT Dark')
  await keys.press('Escape')
  await keys.untilAt('BUTTON More options for Short')
})

it('every task of the other views works by keyboard, too, from the details to signing in again', async () => {
  onTestFinished(async () => {
    await service.reset()
    await fetch(`${servers().identityProvider}/_control/faults`, { method: 'DELETE' })
  })
  const playground = await open()
  const { page, pane } = playground
  await untilInMessage(playground, DEFAULT)
  await option(pane, 'Short').waitFor()
  const keys = await byKeyboard(playground)
  // My details: restore an edit, and save one.
  await keys.enter(/^A My details/)
  await keys.untilAt('H1 My details')
  for (const leave of [/^BUTTON Restore First name/, /^BUTTON Save 1 change/]) {
    await keys.to(/^INPUT First name/)
    await keys.press('Control+a')
    await keys.type('Sandy')
    await keys.enter(leave)
    if (leave.source.includes('Restore')) await keys.untilAt('INPUT First name')
  }
  await keys.untilTold(/^Your details are saved/)
  await keys.untilAt('group My details')
  // The picture: choose, save, delete.
  const image = await page.evaluate(() =>
    document.createElement('canvas').toDataURL('image/png').replace(/^.*,/, ''),
  )
  const file = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(image, 'base64') }
  // Registered before the click: otherwise the browser opens its own file dialog.
  page.once('filechooser', (chooser) => void chooser.setFiles(file))
  await keys.enter(/^INPUT Choose a picture/, 'Shift+Tab')
  await keys.untilTold(/^Your new picture is ready/)
  await keys.untilAt('H2 Picture')
  await keys.enter(/^BUTTON Save picture/)
  await keys.untilTold(/^Your picture is saved/)
  await keys.untilAt('H2 Picture')
  await keys.enter(/^BUTTON Delete picture/)
  await keys.untilAt('BUTTON Cancel')
  await keys.enter(/^BUTTON Delete picture/)
  await keys.untilTold(/^Your picture is deleted/)
  await keys.untilAt('H2 Picture')
  // Settings: toggle a switch, save the log.
  await keys.enter(/^A Settings/)
  await keys.untilAt('H1 Settings')
  await keys.enter(/^SUMMARY Advanced/)
  await keys.to(/^switch Detailed log/)
  await keys.press('Space')
  await eventually(() => pane.getByRole('switch', { name: 'Detailed log' }).isChecked()).toBe(false)
  await keys.untilAt('switch Detailed log')
  const [download] = await Promise.all([page.waitForEvent('download'), keys.enter(/^BUTTON Save a log file/)])
  expect(download.suggestedFilename()).toBe('signet-log.json')
  await keys.untilTold(/^Saved to your downloads/)
  await keys.untilAt('BUTTON Save a log file')
  // Run the self-test, and leave it.
  await keys.enter(/^A Self-test/)
  await keys.untilAt('H1 Self-test')
  await keys.enter(/^BUTTON Run the test/)
  await keys.untilTold(/^(Everything works|Something needs attention)/)
  await keys.untilAt('BUTTON Run again')
  expect(await pane.getByRole('heading', { level: 2 }).count()).toBe(8)
  await keys.enter(/^A Settings/)
  await keys.untilAt('H1 Settings')
  // Sign out, fail to sign in, and sign in.
  await keys.enter(/^BUTTON Account: .*northwind/)
  await keys.enter(/^BUTTON Sign out/)
  await keys.untilTold(/^You signed out/)
  await keys.untilAt('H1 The right signature in every message')
  await page.evaluate(() => window.playground.signIn('*', '500'))
  await keys.enter(/^BUTTON Sign in/)
  await keys.untilTold(/^You’re not signed in/)
  await keys.untilAt('BUTTON Try again')
  await page.evaluate(() => window.playground.signIn('*', null))
  await keys.enter(/^BUTTON Try again/)
  await keys.untilAt('H1 Settings')
  // Change the language.
  await keys.to(/^SELECT/)
  await keys.type('Fra')
  await pane.getByRole('heading', { name: 'Paramètres', level: 1 }).waitFor()
  await keys.to(/^SELECT/)
}, 120_000)
