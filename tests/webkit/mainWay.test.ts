import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseServers, servers } from '../browser/servers.ts'
import { KEYS, openWebKit, type Tab, until } from './webDriver.ts'

// The main way in WebKit, of which Safari and Outlook for Mac are made.

let tab: Tab
beforeAll(async () => {
  tab = await openWebKit()
}, 120_000)
afterAll(async () => {
  await tab.close()
  releaseServers()
})

/** The combined ids of the signatures in the open message, and its kind. */
const message = () =>
  tab.run<{ kind: string; signatures: string[] }>(`
    const { current, items } = window.playground.snapshot()
    const { kind, bodyHtml } = items.find(({ id }) => id === current)
    return { kind, signatures: [...bodyHtml.matchAll(/data-signet-id="([^"]*)"/g)].map(([, id]) => id) }`)

const inPane = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  await tab.enter(await tab.find('iframe[title="Signet"]'))
  try {
    return await act()
  } finally {
    await tab.enter(null)
  }
}

const untilInMessage = (...signatures: string[]) =>
  until(async () => expect((await message()).signatures).toEqual(signatures))

test('the main way works in WebKit: default, preview, choice, undo, keyboard and reply', async () => {
  await tab.open(`${servers().pages}/?person=alex.kim%40northwind.example`)
  await untilInMessage('12-0')

  const previews = await inPane(async () => {
    await tab.find('[role=option]', 'Short')
    return until(async () => {
      const heights = await tab.run<number[]>(
        'return [...document.querySelectorAll("[role=option] iframe")].map((each) => each.getBoundingClientRect().height)',
      )
      expect(heights.length).toBeGreaterThan(2)
      return heights
    })
  })
  for (const height of previews) expect(height).toBeGreaterThan(10)

  await inPane(async () => tab.click(await tab.find('[role=option]', 'Northwind standard')))
  await untilInMessage('11-0')
  await inPane(async () => tab.click(await tab.find('button', 'Undo')))
  await untilInMessage('12-0')

  await inPane(async () => {
    await tab.click(await tab.find('[role=combobox]'))
    await tab.press('s', 'h', 'o')
    await tab.find('[role=option]', 'Short')
    await until(async () =>
      expect(await tab.run('return document.querySelectorAll("[role=option]").length')).toBe(1),
    )
    await tab.press(KEYS.enter)
  })
  await untilInMessage('13-0')

  await tab.run('window.playground.reply()')
  await until(async () => expect(await message()).toEqual({ kind: 'reply', signatures: ['12-0'] }))
})
