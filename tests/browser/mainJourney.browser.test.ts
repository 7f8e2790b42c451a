import type { FrameLocator, Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Item,
  type Opened,
  eventually,
  imagesOf,
  unmarked,
  option,
  service,
  signaturesIn,
  untilInMessage,
  useBrowser,
} from './pane.ts'
import { servers } from './servers.ts'

// Alex's signatures by their combined ids, as the demonstration data has them.
const STANDARD = 'standard-u-1'
const DEFAULT = 'portrait-u-1'
const SHORT = 'short-u-1'
/** The image in the quoted message, named like one of Signet's own. */
const QUOTED_IMAGE = 'lsi-attachlogo.png'
const STOP_PUSH = 'lsi_stop_push_signature'

const DEFAULT_REASON = 'Your default'
const REPLY_REASON = 'Your default for replies'

const { open, share } = useBrowser()

beforeEach(async () => {
  await service.restore()
  await service.forget()
})
afterEach(async () => {
  await service.restore()
})

describe('opening the playground', () => {
  it('[PLAY-1] signs the user in and inserts the default with its images, without a click', async () => {
    const playground = await open()
    const { page, pane, noticed } = playground
    const message = await untilInMessage(playground, DEFAULT)

    expect(message.kind).toBe('newMail')
    expect(imagesOf(message).shown).toEqual(expect.arrayContaining(['lsi-attachportrait.png']))
    expect(message.signatureHtml).not.toMatch(/src="(?!cid:)/)
    await because(pane, DEFAULT_REASON)
    await eventually(() => option(pane, 'With portrait').getAttribute('aria-selected')).toBe('true')

    // The compose window shows every picture.
    const drawn = page.frameLocator('iframe[title="Message body"]').locator('[data-part=signature] img')
    await eventually(() =>
      drawn.evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0)),
    ).toEqual(imagesOf(message).shown.map(() => true))
    await page.getByText(`Pictures in the message: ${imagesOf(message).attached.length}`).waitFor()

    // The service verified the mail client's token. No other server received a request.
    expect(await service.requests()).toContain('POST /authentication/addin/azure')
    // Its answer brought the default, which was not asked for.
    const paths = noticed.requests.map((request) => new URL(request.url()).pathname)
    expect(paths).toContain('/authentication/addin/azure')
    expect(paths).not.toContain('/signatures-cache/api/v1/signature/addin')
    const origins = new Set(noticed.requests.map((request) => new URL(request.url()).origin))
    origins.delete('null')
    expect([...origins].sort()).toEqual(
      [servers().pages, servers().service, servers().identityProvider].sort(),
    )
  })

  it('uses the saved session again, without another sign-in', async () => {
    const playground = await share()
    await untilInMessage(playground, DEFAULT)
    await option(playground.pane, 'Short').waitFor()
    await service.forget()
    await playground.page.reload()
    await untilInMessage(playground, DEFAULT)
    await option(playground.pane, 'Short').waitFor()
    const asked = await service.requests()
    expect(asked).not.toContain('POST /authentication/addin/azure')
    expect(asked).toContain('GET /signatures-cache/api/v1/signatures')
  })

  it('[SIG-9] inserts the cached default while every request hangs, and replaces it by a newer one', async () => {
    const playground = await open()
    const { page, pane } = playground
    const before = await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').waitFor()
    expect(before.signatureHtml).toContain('Head of Voyage Planning')
    await eventually(() => isKept(page, 'Head of Voyage Planning')).toBe(true)

    await changeJobTitle(playground, 'Chief Navigator')
    await service.fault('*', { kind: 'delay', ms: 600_000 })
    await service.forget()
    await page.reload()
    const warm = await untilInMessage(playground, DEFAULT)
    expect(unmarked(warm.signatureHtml)).toBe(unmarked(before.signatureHtml))
    expect(imagesOf(warm)).toEqual(imagesOf(before))
    // The pane's requests are pending.
    await eventually(() => service.requests()).toContain('GET /signatures-cache/api/v1/signature/addin')
    expect(await option(pane, 'Short').count()).toBe(0)

    await service.restore()
    // The pane times out and says so. The retry loads the newer signature.
    await pane
      .getByRole('alert')
      .filter({ hasText: 'Couldn’t load your signatures' })
      .getByRole('button', { name: 'Try again' })
      .click()
    await eventually(async () => (await playground.message()).signatureHtml).toContain('Chief Navigator')
    await untilInMessage(playground, DEFAULT)
    await service.reset()
  })
})

/** Whether any database of the pane contains this text. */
const isKept = (page: Page, words: string): Promise<boolean> =>
  page.evaluate(async (wanted) => {
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('The database cannot be read'))
      })
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name ?? ''))
      try {
        for (const store of Array.from(database.objectStoreNames)) {
          const values = await done(database.transaction(store).objectStore(store).getAll())
          if (JSON.stringify(values).includes(wanted)) return true
        }
      } finally {
        database.close()
      }
    }
    return false
  }, words)

/** Changes the user's job title at the service, as from another machine. */
async function changeJobTitle({ noticed }: Opened, title: string): Promise<void> {
  const asked = noticed.requests.findLast((request) => request.url().includes('/signatures-cache/'))
  const ours = Object.fromEntries(
    Object.entries(asked?.headers() ?? {}).filter(
      ([name]) => name === 'authorization' || name.startsWith('x-'),
    ),
  )
  const response = await fetch(`${servers().service}/api/addin/user/variables_with_options`, {
    method: 'PUT',
    headers: { ...ours, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { job_title: title }, reset_fields: [] }),
  })
  expect(response.status).toBe(200)
}

describe('choosing a signature', () => {
  it('works by keyboard: Tab reaches the list, arrow keys move, Enter inserts', async () => {
    const playground = await open()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    await selected(pane, 'With portrait')

    // From the link to the pane to the inserted signature's option, by Tab only.
    await page.getByRole('link', { name: 'Go to the pane' }).focus()
    await page.keyboard.press('Enter')
    await eventually(async () => {
      if (await hasFocus(option(pane, 'With portrait'))) return true
      await page.keyboard.press('Tab')
      return hasFocus(option(pane, 'With portrait'))
    }).toBe(true)
    // The versions of a signature unfold below it, and fold again.
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await eventually(() => hasFocus(option(pane, 'With portrait (reply version)'))).toBe(true)
    await page.keyboard.press('ArrowLeft')
    await eventually(() => hasFocus(option(pane, 'With portrait'))).toBe(true)
    // The list renders its end, and loads more, only when the focus reaches it.
    await page.keyboard.press('End')
    await eventually(() => hasFocus(option(pane, 'No signature'))).toBe(true)
    // The default stands first, and what is typed finds a signature by its name.
    await page.keyboard.press('Home')
    await eventually(() => hasFocus(option(pane, 'With portrait'))).toBe(true)
    await page.keyboard.type('northwind s')
    await eventually(() => hasFocus(option(pane, 'Northwind standard'))).toBe(true)
    expect(signaturesIn(await playground.message())).toEqual([DEFAULT])

    await page.keyboard.press('Enter')
    await untilInMessage(playground, STANDARD)
    await selected(pane, 'Northwind standard')
    expect(await hasFocus(option(pane, 'Northwind standard'))).toBe(true)
  })

  it('[INS-5] ends after two quick choices with the later one, once, with its images only', async () => {
    const playground = await share()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').waitFor()
    await page.evaluate(() => window.playground.delay('body.setSignatureAsync', 400))
    await option(pane, 'Northwind standard').click()
    await option(pane, 'Short').click()
    await page.evaluate(() => window.playground.restore())
    await selected(pane, 'Short')
    const message = await untilInMessage(playground, SHORT)
    expect(imagesOf(message)).toEqual({ attached: [], shown: [] })
  })
})

describe('several messages', () => {
  it('[SIG-8] a reply gets the reply version, and keeps the picture of the quoted message', async () => {
    const playground = await share()
    const { page, pane } = playground
    const first = await untilInMessage(playground, DEFAULT)
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await eventually(async () => (await playground.message()).kind).toBe('reply')
    const reply = await untilInMessage(playground, DEFAULT)
    expect(reply.signatureHtml).not.toContain('<img')
    expect(reply.signatureHtml).not.toBe(first.signatureHtml)
    await because(pane, REPLY_REASON)
    expect(reply.subject).toBe('RE: Figures for the autumn review')
    expect(reply.to.map(({ address }) => address)).toEqual(['priya.shah@northwind.example'])
    expect(reply.attachments.map(({ name }) => name)).toEqual([QUOTED_IMAGE])
    expect(reply.bodyHtml).toContain(`cid:${QUOTED_IMAGE}`)
    // The signature is above the quoted message.
    expect(reply.bodyHtml.indexOf('data-signet-id')).toBeLessThan(reply.bodyHtml.indexOf('divRplyFwdMsg'))
    // The first message is unchanged.
    const still = (await playground.snapshot()).items.find(({ id }) => id === first.id)
    expect(still && uploaded(still)).toEqual(uploaded(first))
  })

  it('each item gets the default once, and a choice stays with its item after switches', async () => {
    const playground = await share()
    const { page, pane } = playground
    const first = await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').click()
    await untilInMessage(playground, SHORT)
    await eventually(async () => STOP_PUSH in (await playground.message()).customProperties).toBe(true)

    const second = await page.evaluate(() => window.playground.newMessage())
    expect(second).not.toBe(first.id)
    await untilInMessage(playground, DEFAULT)
    await because(pane, DEFAULT_REASON)

    const setCalls = async () =>
      (await playground.snapshot()).calls.filter(({ name }) => name === 'body.setSignatureAsync')
    const written = await setCalls()
    await page.evaluate((id) => window.playground.switchTo(id), first.id)
    await because(pane, 'You chose it')
    expect(signaturesIn(await playground.message())).toEqual([SHORT])
    await selected(pane, 'Short')

    await page.evaluate((id) => window.playground.switchTo(id), second)
    await because(pane, DEFAULT_REASON)
    expect(signaturesIn(await playground.message())).toEqual([DEFAULT])
    expect(await setCalls()).toEqual(written)
  })

  it('another user gets their own signatures and language', async () => {
    const playground = await open()
    const { page, pane } = playground
    await untilInMessage(playground, DEFAULT)
    await option(pane, 'Short').waitFor()
    await page.getByRole('combobox', { name: 'User' }).selectOption({ label: 'Maria Silva' })
    await option(pane, 'Padrão Northwind').waitFor()
    await eventually(async () => signaturesIn(await playground.message())).toEqual(['padrao-u-3'])
    expect((await playground.message()).from.address).toBe('maria.silva@northwind.example')
    await pane.getByRole('heading', { name: 'Suas assinaturas', exact: true }).waitFor()
    expect(await pane.getByRole('option', { name: 'Short' }).count()).toBe(0)
  })
})

/** Waits until this option, and no other, is selected. */
async function selected(pane: FrameLocator, name: string): Promise<void> {
  await pane.getByRole('option', { name, exact: true, selected: true }).waitFor()
  expect(await pane.getByRole('option', { selected: true }).count()).toBe(1)
}

/** A message whose attachments have the ids that they have once they are uploaded, which happens in its own time. */
const uploaded = (item: Item): Item => ({
  ...item,
  attachments: item.attachments.map((each) => ({ ...each, id: each.id.replace('addinId-', '') })),
})

/** Waits until the bar says why the signature is in the message. */
const because = (pane: FrameLocator, reason: string): Promise<void> =>
  pane.getByRole('region', { name: 'In this message' }).getByText(reason, { exact: true }).waitFor()

/** Whether the element exists and has the focus. */
const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluateAll((all) =>
    all.some((one) => one.ownerDocument.hasFocus() && one.ownerDocument.activeElement === one),
  )
