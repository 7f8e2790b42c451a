import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseServers, servers } from '../browser/servers.ts'
import { KEYS, openWebKit, type Tab, until } from './webDriver.ts'

// The main way in WebKit, of which Safari and Outlook for Mac are made.

let tab: Tab
beforeAll(async () => {
  tab = await openWebKit()
  return tab.close
}, 120_000)
afterAll(releaseServers)

/** The open message: its kind, the combined ids of the signatures in it, and the last one's html. */
const message = () =>
  tab.run<{ kind: string; signatures: string[]; html: string }>(`
    const { current, items } = window.playground.snapshot()
    const { kind, bodyHtml, signatureHtml } = items.find(({ id }) => id === current)
    const signatures = [...bodyHtml.matchAll(/data-signet-id="([^"]*)"/g)].map(([, id]) => id)
    return { kind, signatures, html: signatureHtml }`)

const inPane = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  await tab.enter(await tab.find('iframe[title="Signet"]'))
  try {
    return await act()
  } finally {
    await tab.enter(null)
  }
}

/** Waits until the open message has this signature, once, and the list shows it as selected. */
const untilInMessage = async (combinedIds: string, name: string) => {
  await until(async () => expect((await message()).signatures).toEqual([combinedIds]))
  await inPane(() => tab.find('[role=option][aria-selected=true]', name))
}

test('the main way works in WebKit: default, preview, choice, undo, keyboard and reply', async () => {
  await tab.open(`${servers().pages}/?person=alex.kim%40northwind.example`)
  await untilInMessage('portrait-u-1', 'With portrait')
  const { html } = await message()
  expect(html).toContain('<img')

  // The preview has the size of its signature, and shows its words and pictures.
  await inPane(async () => {
    const preview = await tab.find('[role=option]:nth-of-type(2) iframe[sandbox=""]')
    await until(async () =>
      expect(await tab.run('return arguments[0].getBoundingClientRect().height', preview)).toBeGreaterThan(
        10,
      ),
    )
    await tab.enter(preview)
    await until(async () => {
      expect(await tab.run('return document.body.innerText')).toContain('Head of Voyage Planning')
      expect(
        await tab.run('return [...document.images].map(({ naturalWidth }) => naturalWidth > 0)'),
      ).toContain(true)
    })
  })

  await inPane(async () => tab.click(await tab.find('[role=option]', 'Northwind standard')))
  await untilInMessage('standard-u-1', 'Northwind standard')
  await inPane(async () => tab.click(await tab.find('button', 'Undo')))
  await untilInMessage('portrait-u-1', 'With portrait')

  // By keyboard: a search, Enter, and twice Escape, which clears the search and undoes.
  const query = () => tab.run('return document.querySelector("[role=combobox]").value')
  await inPane(async () => {
    await tab.click(await tab.find('[role=combobox]'))
    await tab.press('s', 'h', 'o')
    await tab.find('[role=option]', 'Short')
    await until(async () =>
      expect(await tab.run('return document.querySelectorAll("[role=option]").length')).toBe(1),
    )
    await tab.press(KEYS.enter)
  })
  await untilInMessage('short-u-1', 'Short')
  await inPane(async () => {
    await tab.press(KEYS.escape)
    await until(async () => expect(await query()).toBe(''))
    await tab.press(KEYS.escape)
  })
  await untilInMessage('portrait-u-1', 'With portrait')

  await tab.run('window.playground.reply()')
  await until(async () => expect((await message()).kind).toBe('reply'))
  await untilInMessage('portrait-u-1', 'With portrait')
  await inPane(() => tab.find('main', 'Your reply signature, set by'))
  expect((await message()).html).not.toContain('<img')
})
